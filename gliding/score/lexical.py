"""BM25 (Robertson and Zaragoza 2009) of a query over sentences, over segments, and over anything else that has terms.

Scores are those of Lucene's variant: idf = ln(1 + (N - df + 0.5) / (df + 0.5)), which is never negative.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gliding.text.cjk import HAS_CJK

if TYPE_CHECKING:
    from gliding.types import FloatArray, IntArray

K1 = 1.2
B = 0.75
CHARACTER = 0.3
"""What one Chinese character of a query counts, since its pairs count too: else a matched word counts three times."""


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
        query: Terms, or terms with a weight each. Without weights a single Han, kana or Hangul counts less.
        texts: The terms of each text.
        k1: How soon more occurrences of a term stop to count.
        b: How much a text's length counts.

    Returns:
        ``(len(texts),) float64`` scores >= 0.

    >>> bm25(["red"], [["red", "car"], ["blue", "car"]]).round(3).tolist()
    [0.693, 0.0]
    """
    weights = query if isinstance(query, Mapping) else {term: _weight(term) for term in query}
    return Matches.of(list(weights), texts, k1=k1, b=b).scores(np.fromiter(weights.values(), np.float64, len(weights)))


def _weight(term: str) -> float:
    return CHARACTER if len(term) == 1 and HAS_CJK.match(term) else 1.0


@dataclass(frozen=True, slots=True)
class Matches:
    """Which of the terms stand in which texts, and what each is worth there: scored with many weights, found once.

    ``row``, ``column`` and ``value`` are ``(matches,)``: text, term, and BM25's summand for a term of weight 1.
    """

    size: int
    row: IntArray
    column: IntArray
    value: FloatArray

    @classmethod
    def of(cls, terms: Sequence[str], texts: Sequence[Sequence[str]], *, k1: float = K1, b: float = B) -> Matches:
        """Find distinct terms in texts."""
        n = len(texts)
        number = {term: i for i, term in enumerate(terms)}
        rows: list[int] = []
        columns: list[int] = []
        for i, text in enumerate(texts):
            if number.keys().isdisjoint(text):  # most have none: the quick way to see it
                continue
            own = [number[term] for term in text if term in number]
            rows += [i] * len(own)
            columns += own
        m = max(1, len(number))
        keys, counts = np.unique(np.asarray(rows, np.int64) * m + np.asarray(columns, np.int64), return_counts=True)
        row, column = np.divmod(keys, m)
        df = np.bincount(column, minlength=m)
        rarity = np.log(1 + (n - df + 0.5) / (df + 0.5))
        length = np.fromiter(map(len, texts), np.float64, n)
        norm = k1 * (1 - b + b * length / max(1.0, length.mean() if n else 0.0))
        return cls(n, row, column, rarity[column] * counts * (k1 + 1) / (counts + norm[row]))

    def scores(self, weights: FloatArray) -> FloatArray:
        """Return ``(size,) float64``: each text's sum over its terms, for ``(terms,)`` weights."""
        if not len(self.row):
            return np.zeros(self.size)
        return np.bincount(self.row, self.value * weights[self.column], minlength=self.size).astype(np.float64)
