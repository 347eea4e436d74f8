import numpy as np
import pytest

from gliding import numeric


def test_normalise_and_cosine_against_loops():
    rows = np.random.default_rng(1).normal(size=(6, 5)).astype(np.float32)
    rows[2] = 0
    unit = numeric.normalise(rows)
    assert unit.dtype == np.float64
    assert np.allclose(np.linalg.norm(unit, axis=1), [1, 1, 0, 1, 1, 1])
    cosines = numeric.cosine(rows, rows)
    a, b = rows[0].astype(float), rows[3].astype(float)
    assert np.isclose(cosines[0, 3], a @ b / np.linalg.norm(a) / np.linalg.norm(b))
    assert not cosines[2].any()


def test_scale_keeps_its_argument():
    values = np.array([2.0, 1.0])
    assert numeric.scale(values).tolist() == [1.0, 0.5]
    assert values.tolist() == [2.0, 1.0]


def test_power_iteration_finds_the_first_eigenvector():
    half = np.random.default_rng(2).random((8, 8))
    matrix = half + half.T
    found = numeric.power_iteration(lambda v: matrix @ v, 8, epsilon=1e-12)
    values, vectors = np.linalg.eigh(matrix)
    assert np.allclose(np.abs(found), np.abs(vectors[:, np.argmax(values)]), atol=1e-9)


def test_power_iteration_ends_where_it_never_settles():
    swap = np.array([[0.0, 2.0], [1.0, 0.0]])
    assert np.isclose(np.linalg.norm(numeric.power_iteration(lambda v: swap @ v, 2, epsilon=0.0, limit=7)), 1.0)
    assert numeric.power_iteration(lambda v: v, 0, epsilon=0.1).shape == (0,)


@pytest.mark.parametrize("balance", [0.0, 0.3, 1.0])
def test_mmr_against_the_formula(balance):
    random = np.random.default_rng(3)
    relevance, similarity = random.random(7), random.random((7, 7))
    similarity = (similarity + similarity.T) / 2
    chosen = []
    while len(chosen) < 5:
        rest = [i for i in range(7) if i not in chosen]
        gains = [
            balance * relevance[i] - (1 - balance) * max((similarity[i, j] for j in chosen), default=0.0) for i in rest
        ]
        chosen.append(rest[int(np.argmax(gains))])
    assert numeric.mmr(relevance, similarity, 5, balance=balance) == chosen
    assert sorted(numeric.mmr(relevance, similarity, 99)) == list(range(7))
