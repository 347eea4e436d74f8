"""Representatives of clusters: sentences near the centres of groups of like sentences, larger groups first.

Sources: spherical k-means, Dhillon and Modha, "Concept decompositions for large sparse text data", 2001; seeding by
k-means++, Arthur and Vassilvitskii, 2007; k = sqrt(n / 2), Mardia et al., "Multivariate analysis", 1979; centroids as a
summary, Miller, "Leveraging BERT for extractive text summarization on lectures", 2019; a cluster's r-th sentence weighs
size / r, so that the best k sentences share themselves out among the clusters by D'Hondt's method.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from gliding.numeric import Array, normalise, scale
from gliding.protocols import Embedder

_ROUNDS = 25


class ClusterExtractor:
    """Salience by clusters of sentence vectors. ``seed`` fixes the start: the same sentences give the same values."""

    def __init__(self, embedder: Embedder, *, seed: int = 0) -> None:
        self._embedder = embedder
        self._seed = seed

    def salience(self, sentences: Sequence[str]) -> Array:
        """Return ``(n,) float64`` in [0, 1]: closeness to the centre x size of the cluster / rank in it; 0 for blanks.

        Raises what the embedder raises (``ModelError``).
        """
        salience = np.zeros(len(sentences))
        filled = [at for at, sentence in enumerate(sentences) if sentence.strip()]
        if filled:
            vectors = normalise(self._embedder.embed([sentences[at] for at in filled])).astype(np.float32)
            salience[filled] = _representatives(vectors, seed=self._seed)
        return salience


def _representatives(vectors: npt.NDArray[np.float32], *, seed: int) -> Array:
    k = max(1, round(math.sqrt(len(vectors) / 2)))
    labels, closeness = spherical_kmeans(vectors, k, seed=seed)
    values = np.zeros(len(vectors))
    for label in range(k):
        members = np.flatnonzero(labels == label)
        order = members[np.argsort(-closeness[members], kind="stable")]
        values[order] = closeness[order] * len(order) / np.arange(1, len(order) + 1)
    return scale(values)


def spherical_kmeans(vectors: npt.NDArray[np.float32], k: int, *, seed: int = 0) -> tuple[npt.NDArray[np.int64], Array]:
    """Return each unit vector's cluster ``(n,) int64`` and its cosine to that centre ``(n,) float64``, at least 0.

    >>> corners = np.array([[1, 0], [0, 1], [1, 0], [0, 1]], dtype=np.float32)
    >>> labels, closeness = spherical_kmeans(corners, 2)
    >>> bool(labels[0] == labels[2] != labels[1] == labels[3]), closeness.tolist()
    (True, [1.0, 1.0, 1.0, 1.0])
    """
    centres = vectors[_seeds(vectors, k, seed=seed)]
    labels = np.full(len(vectors), -1, dtype=np.int64)
    for _ in range(_ROUNDS):
        nearest = np.argmax(vectors @ centres.T, axis=1)
        if np.array_equal(nearest, labels):
            break
        labels = nearest
        sums = np.zeros(centres.shape)
        for label in range(k):
            sums[label] = vectors[labels == label].sum(axis=0, dtype=np.float64)
        moved = normalise(sums).astype(np.float32)
        # an empty cluster, or one whose members cancel out, keeps its centre
        centres = np.where(moved.any(axis=1, keepdims=True), moved, centres)
    closeness = np.einsum("nd,nd->n", vectors, centres[labels], dtype=np.float64)
    return labels, np.maximum(closeness, 0.0)


def _seeds(vectors: npt.NDArray[np.float32], k: int, *, seed: int) -> list[int]:
    """Return ``k`` rows by k-means++: each drawn in proportion to its distance from the nearest one drawn before."""
    random = np.random.default_rng(seed)
    chosen = [int(random.integers(len(vectors)))]
    nearest = vectors @ vectors[chosen[0]]
    for _ in range(1, k):
        # for unit vectors the squared distance is 2 - 2 x cosine; distances below float noise count as none
        distance = np.maximum(1.0 - nearest.astype(np.float64), 0.0)
        distance[distance < 1e-6] = 0.0
        total = np.cumsum(distance)
        at = int(np.searchsorted(total, random.random() * total[-1], side="right"))
        chosen.append(min(at, len(vectors) - 1))
        nearest = np.maximum(nearest, vectors @ vectors[chosen[-1]])
    return chosen
