"""BM25 (Robertson and Zaragoza 2009) of a query over sentences, over segments, and over anything else that has terms.

Scores are those of Lucene's variant: idf = ln(1 + (N - df + 0.5) / (df + 0.5)), which is never negative.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from gliding.types import FloatArray

K1 = 1.2
B = 0.75


def idf(query: Sequence[str], texts: Sequence[Sequence[str]]) -> dict[str, float]:
    """Return how rare each distinct term of the query is among the texts."""
    wanted = dict.fromkeys(query)
    df = dict.fromkeys(wanted, 0)
    for text in texts:
        for term in wanted.keys() & text:
            df[term] += 1
    n = len(texts)
    return {term: float(np.log(1 + (n - df[term] + 0.5) / (df[term] + 0.5))) for term in wanted}


def bm25(
    query: Sequence[str] | Mapping[str, float], texts: Sequence[Sequence[str]], *, k1: float = K1, b: float = B
) -> FloatArray:
    """Score each text against the query.

    Args:
        query: Terms, or terms with a weight each.
        texts: The terms of each text.
        k1: How soon more occurrences of a term stop to count.
        b: How much a text's length counts.

    Returns:
        ``(len(texts),) float64`` scores >= 0.

    >>> bm25(["red"], [["red", "car"], ["blue", "car"]]).round(3).tolist()
    [0.693, 0.0]
    """
    n = len(texts)
    weights = query if isinstance(query, Mapping) else dict.fromkeys(query, 1.0)
    number = {term: i for i, term in enumerate(weights)}
    rows: list[int] = []
    columns: list[int] = []
    for i, text in enumerate(texts):
        if number.keys().isdisjoint(text):  # most have none: the quick way to see it
            continue
        own = [number[term] for term in text if term in number]
        rows += [i] * len(own)
        columns += own
    if not rows:
        return np.zeros(n)
    m = len(number)
    keys, counts = np.unique(np.asarray(rows, np.int64) * m + np.asarray(columns, np.int64), return_counts=True)
    row, column = np.divmod(keys, m)
    df = np.bincount(column, minlength=m)
    rarity = np.log(1 + (n - df + 0.5) / (df + 0.5)) * np.fromiter(weights.values(), np.float64, m)
    length = np.fromiter(map(len, texts), np.float64, n)
    norm = k1 * (1 - b + b * length / max(1.0, length.mean()))
    scores = np.bincount(row, rarity[column] * counts * (k1 + 1) / (counts + norm[row]), minlength=n)
    return scores.astype(np.float64, copy=False)
