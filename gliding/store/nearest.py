"""The nearest vectors of a store: a FAISS index over most of a large one, and the rest one by one.

The index file holds the segments up to a number, ``through``; what was added since is compared with the query itself.
SQLite names the file: it is written under a name of its own, brought to the disk and only then named, so that a process
that is killed at any moment leaves the old index or the new one, and readers of the old one go on.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gliding.backends.exact import ExactIndex, ranked
from gliding.backends.faiss_store import TRAINED_ON, ListsIndex
from gliding.errors import StoreError
from gliding.store.database import Database
from gliding.store.faults import command

if TYPE_CHECKING:
    from gliding.protocols import Float32, Int64

EXACT = 50_000
"""Vectors up to which all are compared: two milliseconds a query, and 77 MB."""

_BLOCK = 16_384  # vectors that are read at a time
_RECALL = 0.98  # of the ten nearest, that the number of lists to look through is chosen for
_SHARE = 32  # one list in so many is looked through, at least
_SEED = 20_000
_ASKED = 201  # vectors that it is measured with
_WIDTH = 100  # candidates of the index that are scored again, at least
_GROWN = 0.2  # of the index: so many new vectors are put into it
_TRAINED_FOR = 2.5  # times the size at which lists were made, they are made again


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """The index file as SQLite names it: what it holds, how it is searched, what that finds."""

    file: str
    bytes: int
    digest: str
    through: int
    count: int
    trained: int
    probes: int
    recall: float


def named(db: Database) -> Named | None:
    """Return what SQLite says of the index file; None where there is none."""
    values = db.get("index")
    return Named(**values) if values else None


class Nearest:
    """Searches vectors of ``dim`` components through one connection; what is new is seen at the next search."""

    def __init__(self, db: Database, dim: int, *, exact_below: int = EXACT) -> None:
        self._db = db
        self._dim = dim
        self._most = int(exact_below * 1.25) + 1
        self._named: Named | None = None
        self._index: ListsIndex | None = None
        self._dead = -1
        self._rest = ExactIndex(dim)
        self._numbers = np.zeros(0, np.int64)

    def search(self, query: Float32, k: int) -> tuple[Int64, Float32]:
        """Return numbers and cosines of the segments nearest to ``(1, dim)``: the best first, ties by number.

        Call it inside ``Database.reading``.

        Raises:
            StoreError: The index file is damaged.
            FileNotFoundError: It is gone: since this state of the store another one was written.
        """
        self._refresh()
        numbers, cosines = self._indexed(query, k)
        parts = [(numbers, cosines), *self._others(query, k)]
        numbers = np.concatenate([each for each, _ in parts])
        cosines = np.concatenate([each for _, each in parts])
        order = np.lexsort((numbers, -cosines))[:k]
        return numbers[order], cosines[order]

    def _refresh(self) -> None:
        now, dead = named(self._db), int(self._db.get("removed") or 0)
        if now != self._named:
            self._index = _opened(self._db.folder, now) if now else None
            self._named = now
            self._dead = -1
        if dead != self._dead:
            self._rest, self._numbers, self._dead = ExactIndex(self._dim), np.zeros(0, np.int64), dead
        last = int(self._numbers[-1]) if len(self._numbers) else self._through
        while len(self._numbers) < self._most:
            numbers, vectors = self._db.vectors_after(last, self._dim, most=_BLOCK)
            if not len(numbers):
                break
            self._rest.add(vectors)
            self._numbers = np.concatenate([self._numbers, numbers])
            last = int(numbers[-1])

    @property
    def _through(self) -> int:
        return self._named.through if self._named else 0

    def _indexed(self, query: Float32, k: int) -> tuple[Int64, Float32]:
        """The nearest of the index that are still there, scored again by their own vectors."""
        if self._index is None or self._named is None:
            return np.zeros(0, np.int64), np.zeros(0, np.float32)
        width, probes = max(_WIDTH, 2 * k), self._named.probes
        while True:
            found = self._index.search(query, width, probes=probes)[0]
            numbers, vectors = self._db.vectors(found[found >= 0].tolist(), self._dim)
            if len(numbers) >= k or (width >= self._index.count and probes >= self._index.lists):
                cosines, numbers = ranked(query[0], vectors, numbers, k)
                return numbers, cosines
            width, probes = min(4 * width, self._index.count), 4 * probes  # many of them were removed

    def _others(self, query: Float32, k: int) -> Iterator[tuple[Int64, Float32]]:
        """The nearest of those that are not in the index: the ones that are held, then block by block."""
        cosines, places = self._rest.search(query, k)
        yield self._numbers[places[0]], cosines[0]
        last = int(self._numbers[-1]) if len(self._numbers) >= self._most else None
        while last is not None:
            numbers, vectors = self._db.vectors_after(last, self._dim, most=_BLOCK)
            if not len(numbers):
                return
            block = ExactIndex(self._dim)
            block.add(vectors)
            cosines, places = block.search(query, k)
            yield numbers[places[0]], cosines[0]
            last = int(numbers[-1])


def _opened(folder: Path, name: Named) -> ListsIndex:
    path = folder / name.file
    try:
        if path.is_file() and not _is_there(folder, name):
            raise StoreError(f"{path} is damaged: its size is another one.")
        return ListsIndex.opened(path)
    except StoreError as error:
        raise StoreError(error.message, hint=command("rebuild", folder)) from error


def _is_there(folder: Path, name: Named) -> bool:
    path = folder / name.file
    return path.is_file() and path.stat().st_size == name.bytes


def update(
    db: Database, dim: int, *, exact_below: int = EXACT, whole: bool = False, rest: bool = False
) -> Named | None:
    """Bring the index file up to date where it is worth the work; hold the writer's lock for it.

    Args:
        db: The store.
        dim: Components of a vector.
        exact_below: Vectors below which there is no index.
        whole: Make it anew from SQLite, whatever there is.
        rest: Put what was added since into it, however few.

    Returns:
        What SQLite now says of it.

    Raises:
        StoreError: It cannot be written.
    """
    now = named(db)
    numbers = db.numbers()
    whole = whole or (now is not None and not _is_there(db.folder, now))
    tidy(db.folder, now)
    if len(numbers) <= exact_below or find_spec("faiss") is None:
        if now is not None and (whole or len(numbers) <= exact_below / 2):
            with db.writing():
                db.set("index", None)
            tidy(db.folder, None)
        return named(db)
    new = int((numbers > now.through).sum()) if now else len(numbers)
    least = 0 if rest or now is None else max(exact_below / 5, _GROWN * now.count)
    if now is not None and not whole and new <= least:
        return now
    if now is None or whole or len(numbers) > _TRAINED_FOR * now.trained:
        lists = max(1, int(2 * len(numbers) ** 0.5))
        _, sample = db.vectors(_drawn(numbers, lists * TRAINED_ON), dim)
        index, after, trained = ListsIndex.trained(sample, lists=lists), 0, len(numbers)
    else:
        index, after, trained = ListsIndex.opened(db.folder / now.file, mapped=False), now.through, now.trained
    index.add(_blocks(db, dim, after))
    probes, recall = _measured(db, dim, index, numbers)
    return _publish(db, index, through=int(numbers[-1]), trained=trained, probes=probes, recall=recall)


def _blocks(db: Database, dim: int, after: int = 0) -> Iterator[tuple[Int64, Float32]]:
    while True:
        numbers, vectors = db.vectors_after(after, dim, most=_BLOCK)
        if not len(numbers):
            return
        yield numbers, vectors
        after = int(numbers[-1])


def _measured(db: Database, dim: int, index: ListsIndex, numbers: Int64) -> tuple[int, float]:
    """How many lists to look through, and the share of the ten nearest that are found then."""
    asked = _questions(db.vectors(_drawn(numbers, _ASKED), dim)[1])
    near = nearest_of(asked, _blocks(db, dim), k=10)
    probes = max(4, index.lists // _SHARE)
    while True:
        found = index.search(asked, _WIDTH, probes=probes)
        shares = [len(set(some.tolist()) & set(true.tolist())) for some, true in zip(found, near, strict=True)]
        recall = sum(shares) / near.size
        if recall >= _RECALL or probes >= index.lists:
            return min(probes, index.lists), round(recall, 4)
        probes *= 2


def _drawn(numbers: Int64, count: int) -> list[int]:
    """Some of the numbers, the same each time; not every nth: documents of one length repeat themselves."""
    if len(numbers) <= count:
        return list(numbers.tolist())
    return list(np.sort(np.random.default_rng(_SEED).choice(numbers, count, replace=False)).tolist())


def _questions(vectors: Float32) -> Float32:
    """Vectors that lie to stored ones as those of questions do: each the mean of three that are far apart in the store.

    A stored vector would be no test: its nearest lie in its own list. Those of a question lie in many.
    """
    third = max(1, len(vectors) // 3)
    mixed = vectors + np.roll(vectors, third, axis=0) + np.roll(vectors, 2 * third, axis=0)
    return np.asarray(mixed / np.maximum(np.linalg.norm(mixed, axis=1, keepdims=True), 1e-9), dtype=np.float32)


def nearest_of(asked: Float32, blocks: Iterable[tuple[Int64, Float32]], *, k: int) -> Int64:
    """Return ``(len(asked), k) int64``: the numbers of the nearest vectors of all blocks, the best first."""
    best = np.full((len(asked), k), -np.inf, np.float32)
    ids = np.full((len(asked), k), -1, np.int64)
    for numbers, vectors in blocks:
        scores = np.concatenate([best, asked @ vectors.T], axis=1)
        both = np.concatenate([ids, np.broadcast_to(numbers, (len(asked), len(numbers)))], axis=1)
        places = np.argpartition(-scores, k - 1, axis=1)[:, :k]
        best, ids = np.take_along_axis(scores, places, 1), np.take_along_axis(both, places, 1)
    return np.take_along_axis(ids, np.argsort(-best, axis=1, kind="stable"), 1)


def _publish(db: Database, index: ListsIndex, *, through: int, trained: int, probes: int, recall: float) -> Named:
    generation = int(db.get("generation") or 0) + 1
    path = db.folder / f"index-{generation:06d}.faiss"
    temporary = path.with_suffix(".tmp")
    try:
        index.write(temporary)
        size = temporary.stat().st_size
        digest = digest_of(temporary)
        os.replace(temporary, path)
        _sync(db.folder)
    except OSError as error:
        hint = "Check the folder, its rights and the room on the disk."
        raise StoreError(f"The index {path} cannot be written: {error}.", hint=hint) from error
    name = Named(
        file=path.name,
        bytes=size,
        digest=digest,
        through=through,
        count=index.count,
        trained=trained,
        probes=probes,
        recall=recall,
    )
    with db.writing():
        db.set("generation", generation)
        db.set("index", asdict(name))
    tidy(db.folder, name)
    return name


def digest_of(path: Path) -> str:
    """Return the hash of a file's bytes."""
    digest = hashlib.blake2b(digest_size=20)
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def tidy(folder: Path, now: Named | None) -> None:
    """Remove index files that no state of the store names any more; one that is still open elsewhere may stay."""
    for path in (*folder.glob("index-*.faiss"), *folder.glob("index-*.tmp")):
        if now is None or path.name != now.file:
            try:
                path.unlink()
            except OSError:  # open in another process on Windows: the next writer removes it
                continue


def _sync(folder: Path) -> None:
    """Bring a new name in a folder to the disk, where the system can."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def missing(db: Database, index: ListsIndex, through: int) -> Sequence[int]:
    """Return the numbers of segments that an index should hold and does not."""
    numbers = db.numbers()
    absent: list[int] = np.setdiff1d(numbers[numbers <= through], index.numbers()).tolist()
    return absent
