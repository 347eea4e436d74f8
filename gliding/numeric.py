"""Pure functions on vectors and matrices: unit rows, scaling, power iteration."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Rows = npt.NDArray[np.float32] | npt.NDArray[np.float64]


def normalise(rows: Rows) -> Array:
    """Return ``(n, dim) float64`` rows of length 1; a row of zeros stays zeros.

    >>> normalise(np.array([[3.0, 4.0], [0.0, 0.0]])).tolist()
    [[0.6, 0.8], [0.0, 0.0]]
    """
    wide = np.asarray(rows, dtype=np.float64)
    lengths = np.linalg.norm(wide, axis=1, keepdims=True)
    unit = np.zeros_like(wide)
    np.divide(wide, lengths, out=unit, where=lengths > 0)
    return unit


def scale(values: Array) -> Array:
    """Return ``values / max(values)``; where the largest is not above 0, zeros.

    >>> scale(np.array([1.0, 4.0, 0.0])).tolist(), scale(np.zeros(2)).tolist(), scale(np.zeros(0)).tolist()
    ([0.25, 1.0, 0.0], [0.0, 0.0], [])
    """
    top = values.max(initial=0.0)
    return np.asarray(values / top) if top > 0 else np.zeros_like(values)


def power_iteration(step: Callable[[Array], Array], n: int, *, epsilon: float, limit: int = 1000) -> Array:
    """Return the ``(n,) float64`` dominant eigenvector, of length 1, of the linear map ``step``.

    It starts from ``1 / n`` everywhere and ends when two vectors are at most ``epsilon`` apart, or after ``limit``
    steps. A map that sends the start to zero gives zeros. Source: von Mises and Pollaczek-Geiringer, 1929.

    >>> power_iteration(lambda v: np.array([[2.0, 0.0], [0.0, 1.0]]) @ v, 2, epsilon=1e-9).round(6).tolist()
    [1.0, 0.0]
    >>> power_iteration(lambda v: 0 * v, 3, epsilon=0.1).tolist()
    [0.0, 0.0, 0.0]
    """
    vector = np.full(n, 1.0 / n) if n else np.zeros(0)
    for _ in range(limit):
        after = step(vector)
        length = np.linalg.norm(after)
        if length == 0:
            return np.zeros(n)
        after = after / length
        moved = np.linalg.norm(after - vector)
        vector = after
        if moved <= epsilon:
            break
    return vector
