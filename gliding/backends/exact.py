"""Exact inner-product search in numpy, and the order of hits that every index of the package gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gliding.errors import InputError

if TYPE_CHECKING:
    from gliding.protocols import Float32, Int64

SLACK = 1e-5
"""How far a float32 product over unit vectors may be off; candidates this near to the last hit are scored again."""

_BLOCK = 1 << 22  # products held at a time: 16 MB


class ExactIndex:
    """Brute force over unit vectors of ``dim`` components (an ``Index``). Right for up to some ten thousand vectors."""

    def __init__(self, dim: int) -> None:
        self.dim = dim
        self._held = np.empty((0, dim), dtype=np.float32)

    def add(self, vectors: Float32) -> None:
        """Append ``(n, dim) float32`` vectors; their ids go on from the number already held.

        Raises:
            InputError: the vectors do not have ``dim`` components.
        """
        self._held = np.concatenate([self._held, checked(vectors, self.dim)])

    def search(self, queries: Float32, k: int) -> tuple[Float32, Int64]:
        """Return scores and ids, both ``(len(queries), min(k, held))``, best first, ties by lower id.

        Raises:
            InputError: the queries do not have ``dim`` components.
        """
        queries, k = checked(queries, self.dim), max(0, min(k, len(self._held)))
        scores = np.empty((len(queries), k), dtype=np.float32)
        ids = np.empty((len(queries), k), dtype=np.int64)
        if k == 0:
            return scores, ids
        step = max(1, _BLOCK // len(self._held))
        for start in range(0, len(queries), step):
            products = queries[start : start + step] @ self._held.T
            last = np.partition(products, -k, axis=1)[:, -k]
            for row, (product, least) in enumerate(zip(products, last, strict=True), start):
                near = np.flatnonzero(product >= least - SLACK)
                scores[row], ids[row] = ranked(queries[row], self._held[near], near, k)
        return scores, ids


def checked(vectors: Float32, dim: int) -> Float32:
    """Return the vectors as a contiguous ``(n, dim) float32`` array.

    Raises:
        InputError: the shape is another one.
    """
    array = np.ascontiguousarray(vectors, dtype=np.float32)
    if array.ndim != 2 or array.shape[1] != dim:
        raise InputError(f"Vectors of shape (n, {dim}) are wanted, not {array.shape}.")
    return array


def ranked(query: Float32, vectors: Float32, ids: Int64, k: int) -> tuple[Float32, Int64]:
    """Score candidates ``(m, dim)`` in double precision, each alone, and return the ``k`` best: ties by lower id.

    A matrix product gives equal vectors unequal last bits, by their place in the matrix; this does not.

    >>> scores, ids = ranked(np.float32([1, 0]), np.float32([[0, 1], [1, 0], [1, 0]]), np.array([3, 9, 7]), 2)
    >>> ids.tolist(), scores.tolist()
    ([7, 9], [1.0, 1.0])
    """
    scores = (vectors.astype(np.float64) * query.astype(np.float64)).sum(axis=1).astype(np.float32)
    order = np.lexsort((ids, -scores))[:k]
    return scores[order], ids[order]
