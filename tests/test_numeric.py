import numpy as np

from gliding import numeric


def test_normalised_rows_have_length_one():
    rows = np.random.default_rng(1).normal(size=(6, 5)).astype(np.float32)
    rows[2] = 0
    unit = numeric.normalise(rows)
    assert unit.dtype == np.float64
    assert np.allclose(np.linalg.norm(unit, axis=1), [1, 1, 0, 1, 1, 1])


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
