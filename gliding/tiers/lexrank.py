"""LexRank: how central a sentence is, from the words that it shares with the others; sparse, in blocks of rows.

Source: Erkan and Radev, "LexRank: Graph-based lexical centrality as salience", JAIR 2004, in the form of sumy's
``LexRankSummarizer``, whose numbers it gives: term counts divided by the sentence's largest, idf = ln(n / (1 + df)), an
edge where the idf-modified cosine is above the threshold, each row divided by its degree, and the power method.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gliding.numeric import Array, power_iteration
from gliding.text.words import terms

Ints = npt.NDArray[np.int64]
_BLOCK = 1 << 17  # cells of the similarity matrix, and products of two words' weights, that are held at once


class LexRank:
    """Salience by LexRank. ``words`` splits a sentence into the words that count; by default stems without stop words.

    A text of more than ``window`` sentences is cut into windows of equal size, each ranked by itself with the idf of
    the whole text, so that time grows linearly; up to ``window`` sentences the result is exactly LexRank's.
    """

    def __init__(
        self,
        *,
        threshold: float = 0.1,
        epsilon: float = 0.1,
        window: int = 4096,
        words: Callable[[str], Sequence[str]] = terms,
    ) -> None:
        self._threshold = threshold
        self._epsilon = epsilon
        self._window = max(1, window)
        self._words = words

    def salience(self, sentences: Sequence[str]) -> Array:
        """Return ``(n,) float64`` values >= 0 whose squares sum to 1; zeros where no two sentences share a word."""
        n = len(sentences)
        table = _weights([self._words(sentence) for sentence in sentences])
        windows = -(-n // self._window)
        edges = np.linspace(0, n, windows + 1).astype(np.int64) if windows else np.zeros(1, dtype=np.int64)
        salience = np.zeros(n)
        for start, end in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
            # a window's vector has length 1: made comparable with the windows of other sizes
            ranks = self._rank(table.rows(start, end))
            salience[start:end] = ranks if windows == 1 else ranks * np.sqrt((end - start) / n)
        return salience

    def _rank(self, table: _Table) -> Array:
        graph = list(_edges(table, self._threshold))
        degrees = np.concatenate([block.counts for block in graph])
        shares = 1.0 / np.maximum(degrees, 1)

        # The matrix of edges is symmetric, so its transpose is never built: A.T @ (v / degree) = A @ (v / degree).
        def step(vector: Array) -> Array:
            spread = vector * shares
            return np.concatenate([block.sums(spread) for block in graph])

        return power_iteration(step, len(degrees), epsilon=self._epsilon)


@dataclass(frozen=True, slots=True)
class _Table:
    """Weights of words by sentence, row by row: unit rows, word ids ascending inside a row."""

    starts: Ints
    ids: Ints
    values: Array

    def rows(self, start: int, end: int) -> _Table:
        low, high = int(self.starts[start]), int(self.starts[end])
        return _Table(self.starts[start : end + 1] - low, self.ids[low:high], self.values[low:high])


@dataclass(frozen=True, slots=True)
class _Edges:
    """Neighbours of a block of rows, one row after the other."""

    counts: Ints
    columns: npt.NDArray[np.int32]

    def sums(self, vector: Array) -> Array:
        totals = np.zeros(len(self.counts))
        filled = np.flatnonzero(self.counts)
        if len(filled):
            starts = np.cumsum(self.counts) - self.counts
            totals[filled] = np.add.reduceat(vector[self.columns], starts[filled])
        return totals


def _weights(sentences: Sequence[Sequence[str]]) -> _Table:
    """Return the unit rows of ``tf / max tf * idf``; a row whose idfs are all 0 stays zeros."""
    counted = [Counter(words) for words in sentences]
    ids: dict[str, int] = {}
    flat = np.fromiter((ids.setdefault(word, len(ids)) for row in counted for word in row), dtype=np.int64)
    counts = np.fromiter((count for row in counted for count in row.values()), dtype=np.float64)
    sizes = np.fromiter(map(len, counted), dtype=np.int64, count=len(counted))
    starts = np.concatenate(([0], np.cumsum(sizes)))
    row_of = np.repeat(np.arange(len(counted)), sizes)

    largest = np.zeros(len(counted))
    np.maximum.at(largest, row_of, counts)
    idf = np.log(len(counted) / (1.0 + np.bincount(flat, minlength=len(ids))))
    values = counts / largest[row_of] * idf[flat]
    lengths = np.sqrt(np.bincount(row_of, values**2, minlength=len(counted)))[row_of]
    values = np.divide(values, lengths, out=np.zeros_like(values), where=lengths > 0)

    # Ascending ids in each row: two sentences' products are then added in the same order both ways round.
    order = np.lexsort((flat, row_of))
    return _Table(starts, flat[order], values[order])


def _edges(table: _Table, threshold: float) -> Iterator[_Edges]:
    """Yield, block by block of rows, which sentences are more alike than ``threshold``.

    The words' inverted index gives each row's products with all other rows: only pairs that share a word are touched,
    and no more than a block of the similarity matrix exists at a time.
    """
    n = len(table.starts) - 1
    words, ids = np.unique(table.ids, return_inverse=True)
    row_of = np.repeat(np.arange(n), np.diff(table.starts))
    by_word = np.argsort(ids, kind="stable")
    index_rows, index_values = row_of[by_word], table.values[by_word]
    frequency = np.bincount(ids, minlength=len(words))
    index_starts = np.concatenate(([0], np.cumsum(frequency)))

    products = np.concatenate(([0], np.cumsum(frequency[ids])))[table.starts]
    start = 0
    while start < n:
        end = int(np.searchsorted(products, products[start] + _BLOCK, side="right")) - 1
        end = max(start + 1, min(end, n, start + _BLOCK // n))
        low, high = int(table.starts[start]), int(table.starts[end])
        repeats = frequency[ids[low:high]]
        # positions in the index: for each word of each row, its whole run of postings
        before = np.concatenate(([0], np.cumsum(repeats)[:-1]))
        at = np.arange(int(repeats.sum())) + np.repeat(index_starts[ids[low:high]] - before, repeats)
        cells = np.repeat((row_of[low:high] - start) * n, repeats) + index_rows[at]
        weights = np.repeat(table.values[low:high], repeats) * index_values[at]
        alike = np.bincount(cells, weights, minlength=(end - start) * n)
        found = np.flatnonzero(alike > threshold)
        rows, columns = np.divmod(found, n)
        yield _Edges(np.bincount(rows, minlength=end - start), columns.astype(np.int32))
        start = end
