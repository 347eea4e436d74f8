"""Recency and primacy: where a unit stands among the others, by age, by turn or by position."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timezone
from typing import TYPE_CHECKING

import numpy as np

from gliding.types import Document

if TYPE_CHECKING:
    from gliding.types import FloatArray


def recency(order: FloatArray) -> FloatArray:
    """Return ``(n,) float64``: 0 for the oldest, 1 for the newest, squared in between so that the end stands out.

    >>> recency(np.array([0.0, 1.0, 2.0])).tolist()
    [0.0, 0.25, 1.0]
    """
    span = order.max(initial=0.0) - order.min(initial=np.inf) if len(order) else 0.0
    return ((order - order.min()) / span) ** 2 if span > 0 else np.zeros(len(order))


def primacy(n: int) -> FloatArray:
    """Return ``(n,) float64``: 1 for the first unit, falling as 1 / (1 + position).

    >>> primacy(2).tolist()
    [1.0, 0.5]
    """
    return 1.0 / (1.0 + np.arange(n, dtype=np.float64))


def age_order(documents: Sequence[Document]) -> FloatArray | None:
    """Return ``(documents,) float64`` ranks from oldest to newest where all carry a readable time or turn.

    None where they do not, or where the order is that of the list: position then says it better, sentence by sentence.

    >>> age_order([Document(text="b", time="2024-05-02"), Document(text="a", time="2024-05-01")]).tolist()
    [1.0, 0.0]
    """
    if len(documents) < 2:
        return None
    keys = [_stamp(document.time) for document in documents]
    if any(key is None for key in keys):
        keys = [float(d.turn) if d.turn.isdecimal() else None for d in documents]
    known = [key for key in keys if key is not None]
    if len(known) < len(documents) or known == sorted(known):
        return None
    return np.unique(np.asarray(known), return_inverse=True)[1].astype(np.float64)


def _stamp(time: str) -> float | None:
    """Seconds of an ISO date and time, the same on every machine; a time without a zone is taken for UTC."""
    try:
        moment = datetime.fromisoformat(time[:-1] + "+00:00" if time.endswith("Z") else time)
    except ValueError:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=timezone.utc)).timestamp()
