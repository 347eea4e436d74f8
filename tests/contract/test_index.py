"""Both indexes against brute force, ties included."""

from __future__ import annotations

import numpy as np
import pytest

from gliding.backends.exact import ExactIndex
from gliding.backends.faiss import FaissIndex
from gliding.errors import InputError
from gliding.protocols import Index

pytest.importorskip("faiss")
DIM = 24


def unit(rng: np.random.Generator, n: int) -> np.ndarray:
    rows = rng.normal(size=(n, DIM))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def brute(queries: np.ndarray, held: np.ndarray, k: int) -> tuple[list[list[float]], list[list[int]]]:
    ids, scores = [], []
    for query in queries.astype(np.float64):
        products = [np.float32((query * row).sum()) for row in held.astype(np.float64)]
        best = sorted(range(len(held)), key=lambda number: (-products[number], number))[:k]
        ids.append(best)
        scores.append([float(products[number]) for number in best])
    return scores, ids


@pytest.mark.parametrize("make", [ExactIndex, FaissIndex])
@pytest.mark.parametrize(("n", "queries", "k"), [(1, 1, 3), (50, 1, 5), (300, 25, 10), (300, 2, 300), (700, 40, 1)])
def test_hits_are_those_of_brute_force(make, n: int, queries: int, k: int) -> None:
    rng = np.random.default_rng(n)
    held, asked = unit(rng, n), unit(rng, queries)
    index = make(DIM)
    assert isinstance(index, Index)
    index.add(held[: n // 2])
    index.add(held[n // 2 :])
    scores, ids = index.search(asked, k)
    wanted_scores, wanted_ids = brute(asked, held, k)
    assert ids.tolist() == wanted_ids
    assert scores == pytest.approx(np.array(wanted_scores), abs=0)
    assert (ids.dtype, scores.dtype) == (np.int64, np.float32)


@pytest.mark.parametrize("make", [ExactIndex, FaissIndex])
@pytest.mark.parametrize("k", [1, 7, 40, 120])
def test_ties_go_to_the_lower_id(make, k: int) -> None:
    rng = np.random.default_rng(0)
    distinct = unit(rng, 5)
    held = distinct[rng.integers(0, 5, 400)]
    index = make(DIM)
    index.add(held)
    asked = np.concatenate([distinct, unit(rng, 20)])
    _, ids = index.search(asked, k)
    assert ids.tolist() == brute(asked, held, k)[1]


@pytest.mark.parametrize("make", [ExactIndex, FaissIndex])
def test_a_hit_never_depends_on_the_batch(make) -> None:
    rng = np.random.default_rng(1)
    held, asked = unit(rng, 500), unit(rng, 30)
    index = make(DIM)
    index.add(held)
    scores, ids = index.search(asked, 8)
    for number, query in enumerate(asked):
        alone = index.search(query[None], 8)
        assert np.array_equal(alone[0][0], scores[number])
        assert np.array_equal(alone[1][0], ids[number])


@pytest.mark.parametrize("make", [ExactIndex, FaissIndex])
def test_edges(make) -> None:
    index = make(DIM)
    none = np.empty((0, DIM), np.float32)
    one = np.ones((1, DIM), np.float32)
    assert [part.shape for part in index.search(one, 4)] == [(1, 0), (1, 0)]
    index.add(none)
    index.add(one)
    assert [part.shape for part in index.search(none, 4)] == [(0, 1), (0, 1)]
    assert [part.shape for part in index.search(one, 0)] == [(1, 0), (1, 0)]
    with pytest.raises(InputError, match="24"):
        index.add(np.ones((1, 3), np.float32))
    with pytest.raises(InputError, match="24"):
        index.search(np.ones(DIM, np.float32), 1)
