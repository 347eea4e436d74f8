"""Work through a cache by content: each distinct text is looked up once and, where it is new, computed once."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence

from gliding.protocols import Cache


class NullCache:
    """A cache that holds nothing."""

    def get_many(self, namespace: str, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """Return nothing."""
        return {}

    def put_many(self, namespace: str, items: Iterable[tuple[bytes, bytes]]) -> None:
        """Do nothing."""


def content_key(text: str) -> bytes:
    """Return 20 bytes that name the text.

    >>> len(content_key("a")), content_key("a") == content_key("b")
    (20, False)
    """
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=20).digest()


def through_cache(
    texts: Sequence[str], *, cache: Cache, namespace: str, compute: Callable[[list[str]], Iterable[bytes]]
) -> list[bytes]:
    """Return one value a text: from the cache, else by ``compute``, which gets every new text once.

    ``namespace`` must name everything but the text that a value depends on.

    >>> through_cache(["b", "a", "b"], cache=NullCache(), namespace="", compute=lambda new: [t.encode() for t in new])
    [b'b', b'a', b'b']
    """
    keys = [content_key(text) for text in texts]
    distinct = dict(zip(keys, texts, strict=True))
    values = dict(cache.get_many(namespace, distinct))
    new = [key for key in distinct if key not in values]
    if new:
        made = dict(zip(new, compute([distinct[key] for key in new]), strict=True))
        cache.put_many(namespace, made.items())
        values.update(made)
    return [values[key] for key in keys]
