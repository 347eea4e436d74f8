"""The large index of a store: FAISS's inverted lists (IVF) with components of 8 bits, in one file that is mapped.

Jégou, Douze and Schmid 2011, "Product quantization for nearest neighbor search", for the lists; of each vector a scalar
quantiser keeps 8 bits a component. What it finds are candidates: whoever asks scores them again.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gliding.backends.exact import checked
from gliding.backends.extras import require
from gliding.errors import StoreError

if TYPE_CHECKING:
    from gliding.protocols import Float32, Int64

TRAINED_ON = 48
"""Vectors that are wanted for each list in training."""

_ROUNDS = 8  # of k-means; more changes next to nothing
_SEED = 1234


class ListsIndex:
    """Vectors in ``lists`` cells, searched in the nearest few of them.

    Raises:
        MissingExtra: ``faiss-cpu`` is not installed.
    """

    def __init__(self, index: Any) -> None:
        self._faiss = require("faiss", extra="faiss")
        self._index = index
        self.dim = int(index.d)
        self.lists = int(index.nlist)

    @classmethod
    def trained(cls, sample: Float32, *, lists: int) -> ListsIndex:
        """Return an empty index whose lists are those of a sample ``(n, dim)``, the same for the same sample."""
        faiss = require("faiss", extra="faiss")
        dim = sample.shape[1]
        metric = faiss.METRIC_INNER_PRODUCT
        index = faiss.IndexIVFScalarQuantizer(
            faiss.IndexFlatIP(dim), dim, lists, faiss.ScalarQuantizer.QT_8bit, metric, False
        )
        index.cp.niter, index.cp.seed, index.cp.spherical = _ROUNDS, _SEED, True
        index.cp.min_points_per_centroid = 1
        index.cp.max_points_per_centroid = TRAINED_ON
        index.train(checked(sample, dim))
        return cls(index)

    @classmethod
    def opened(cls, path: Path, *, mapped: bool = True) -> ListsIndex:
        """Return the index of a file; ``mapped`` leaves the lists on the disk, for searching only.

        Raises:
            StoreError: The file is damaged.
            FileNotFoundError: There is none.
        """
        faiss = require("faiss", extra="faiss")
        if not path.is_file():
            raise FileNotFoundError(path)
        mapped = mapped and os.name == "posix"  # a mapped file cannot be removed on Windows
        try:
            index = faiss.read_index(str(path), faiss.IO_FLAG_MMAP if mapped else 0)
            if not isinstance(index, faiss.IndexIVFScalarQuantizer):
                raise StoreError(f"{path} is damaged: it holds another kind of index.")
        except RuntimeError as error:
            raise StoreError(f"{path} is damaged: FAISS cannot read it.") from error
        return cls(index)

    @property
    def count(self) -> int:
        """Vectors that are held."""
        return int(self._index.ntotal)

    def add(self, blocks: Iterable[tuple[Int64, Float32]]) -> None:
        """Add blocks of vectors ``(n, dim)`` with their numbers ``(n,)``."""
        for numbers, vectors in blocks:
            self._index.add_with_ids(checked(vectors, self.dim), np.ascontiguousarray(numbers, np.int64))

    def write(self, path: Path) -> None:
        """Write the index to a file, and through to the disk.

        Raises:
            OSError: It cannot be written.
        """
        try:
            self._faiss.write_index(self._index, str(path))
        except RuntimeError as error:  # of what went wrong FAISS says nothing that has a type
            raise OSError(f"FAISS cannot write {path}") from error
        with path.open("rb+") as file:
            os.fsync(file.fileno())

    def search(self, queries: Float32, k: int, *, probes: int) -> Int64:
        """Return ``(len(queries), k) int64``: the numbers of the candidates, -1 where there are fewer.

        ``probes`` lists are looked through.
        """
        options = self._faiss.SearchParametersIVF(nprobe=max(1, min(probes, self.lists)))
        _, found = self._index.search(checked(queries, self.dim), k, params=options)
        numbers: Int64 = np.asarray(found, dtype=np.int64)
        return numbers

    def numbers(self) -> Int64:
        """Return ``(count,) int64``: the numbers of all vectors, in order."""
        lists = self._index.invlists
        parts = []
        for cell in range(self.lists):
            size = lists.list_size(cell)
            if size:
                ids = lists.get_ids(cell)
                parts.append(self._faiss.rev_swig_ptr(ids, size).copy())
                lists.release_ids(cell, ids)
        return np.sort(np.concatenate(parts)) if parts else np.zeros(0, np.int64)
