"""What the embedders share: how long a text may be for a BERT encoder, and vectors through the cache."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from gliding.backends.caching import through_cache
from gliding.errors import InputError

if TYPE_CHECKING:
    from gliding.protocols import Cache, Float32

LONGEST = 512  # rows of the model's position table
MARKERS = 2  # [CLS] and [SEP]
CHARACTERS = 32  # read for each word piece: what lies beyond cannot matter in a text of words


def cached_vectors(
    texts: Sequence[str],
    *,
    max_pieces: int,
    dim: int,
    cache: Cache,
    fingerprint: str,
    encode: Callable[[list[str], int], Iterable[bytes]],
) -> Float32:
    """Return ``(len(texts), dim) float32`` vectors, from the cache or by ``encode``, which gives little-endian floats.

    Raises:
        InputError: ``max_pieces`` is outside [3, 512].
    """
    if not MARKERS < max_pieces <= LONGEST:
        raise InputError(f"max_pieces must be from {MARKERS + 1} to {LONGEST}, not {max_pieces}.")
    values = through_cache(
        texts, cache=cache, namespace=f"{fingerprint}/{max_pieces}", compute=lambda new: encode(new, max_pieces)
    )
    return np.frombuffer(b"".join(values), dtype="<f4").astype(np.float32).reshape(len(texts), dim)
