"""The store: documents go in, a query finds segments or gets an answer of the wanted length, with its sources."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal

from gliding.compressor import Compressor
from gliding.errors import InputError, StoreError
from gliding.store.adding import Adder
from gliding.store.answers import Answer, Changed, Hit, Info
from gliding.store.checking import facts, problems, settings
from gliding.store.database import FILE, Database, Stored
from gliding.store.faults import command, damaged
from gliding.store.lock import writing
from gliding.store.nearest import EXACT, Nearest, update
from gliding.store.rebuilding import compact, dim_of, is_whole, make_anew, model_of, salvage
from gliding.store.rebuilding import create as create_store
from gliding.store.search import DEPTH, Ranked, cited, excerpted, gather, ranked
from gliding.text.scripts import cjk_share
from gliding.types import Document

if TYPE_CHECKING:
    from gliding.protocols import Float32

By = Literal["both", "words", "vectors"]
Progress = Callable[[Changed], None]

_OTHER = 0.3  # of a query that is Han or kana: the default embedder reads English
_TRIES = 3  # for an index that another process replaces while it is being opened


class Store:
    """A corpus in one folder. Threads may share it; processes may read it while one writes. Make one with ``open``."""

    def __init__(self, path: Path, db: Database, compressor: Compressor | None, exact_below: int) -> None:
        self.path = path
        self._db = db
        self._made = compressor
        self._exact_below = exact_below
        self._reading = threading.RLock()
        self._making = threading.Lock()
        self._nearest: Nearest | None = None

    @classmethod
    def open(
        cls,
        path: str | Path,
        *,
        preset: str | Path | None = None,
        create: bool = False,
        compressor: Compressor | None = None,
        exact_below: int = EXACT,
    ) -> Store:
        """Open a store.

        Args:
            path: Its folder.
            preset: A preset's name or file; None: the one that the store was made with, or the default for a new one.
            create: Make it where there is none.
            compressor: In place of the one that the preset names.
            exact_below: Segments up to which no FAISS index is made: all vectors are compared.

        Raises:
            StoreError: It is no store, damaged, of a newer version, or its vectors are another embedder's.
            PresetNotFound: There is no such preset.
            MissingExtra: A part of a named preset needs a package that is not installed.
            ModelNotAvailable: A part of a named preset needs a model that is not found.
        """
        folder = Path(path)
        if compressor is None and preset is not None:
            compressor = Compressor.from_preset(preset, cache=False)
        if not (folder / FILE).is_file():
            if not create:
                raise StoreError(f"{folder} is no store.", hint=f"{command('add', folder)} FILE ...")
            compressor = compressor or Compressor.from_preset(cache=False)
            create_store(folder, compressor, preset)
        store = cls(folder, Database(folder), None, exact_below)
        if compressor is not None:
            try:
                store._check(compressor)
            except StoreError:
                store.close()
                raise
            store._made = compressor
        return store

    @classmethod
    def rebuild(
        cls,
        path: str | Path,
        *,
        preset: str | Path | None = None,
        compressor: Compressor | None = None,
        progress: Progress | None = None,
        lost: list[str] | None = None,
        exact_below: int = EXACT,
    ) -> Store:
        """Make the indexes of words and vectors anew from the documents, with another embedder where one is given.

        Of a damaged store the documents that can still be read are kept; ``lost`` is told the others. Until it is done
        readers see the store as it was.

        Raises:
            StoreError: Another process writes it, it is no store, or nothing can be read.
        """
        folder = Path(path)
        if not (folder / FILE).is_file():
            raise StoreError(f"{folder} is no store.", hint=f"{command('add', folder)} FILE ...")
        with writing(folder):
            whole = is_whole(folder)
            preset = preset or settings(folder).get("preset")
            compressor = compressor or Compressor.from_preset(preset, cache=False)
            if not whole:
                salvage(folder, compressor, preset, progress=progress, lost=[] if lost is None else lost)
            db = Database(folder)
            try:
                if whole:
                    make_anew(db, compressor, preset, progress)
                update(db, dim_of(compressor), exact_below=exact_below, whole=True)
            finally:
                db.close()
        return cls.open(folder, compressor=compressor, exact_below=exact_below)

    def add(self, documents: Iterable[Any], *, progress: Progress | None = None) -> Changed:
        """Add documents, one after another: as many as there are, a few of them in memory.

        One that is there under its id and has changed takes the place of the old one; one that has not is left alone. A
        document without an id is named by its content.

        Args:
            documents: What ``Compressor.compress`` takes: texts, paths, ``Document``, mappings with ``text``.
            progress: Is told what has changed so far; what it is told of stays, whatever happens.

        Raises:
            StoreError: Another process writes the store, or it cannot be written.
            InputError: A document cannot be used; those before it stay.
        """
        compressor = self.compressor
        with self._writer() as db:
            changed = Adder(db, compressor).add(documents, progress)
            if compressor.parts.embedder is not None:
                update(db, dim_of(compressor), exact_below=self._exact_below)
        return changed

    def remove(self, ids: Iterable[str]) -> int:
        """Remove documents by their ids; return how many there were.

        Raises:
            StoreError: Another process writes the store, or it cannot be written.
        """
        count = 0
        with self._writer() as db, db.writing():
            for name in ids:
                known = db.key(name)
                if known:
                    db.set("removed", int(db.get("removed") or 0) + db.delete(known[0]))
                    count += 1
        return count

    def get(self, name: str) -> Document:
        """Return a document by its id.

        Raises:
            InputError: There is none.
            StoreError: The store is damaged.
        """
        with self._reading, self._db.reading():
            known = self._db.key(name)
            if known is None:
                raise InputError(f"There is no document {name!r} in {self.path}.", hint="Check the id.")
            return replace(self._db.documents([known[0]])[known[0]], text=self._db.text(known[0]))

    def search(self, query: str, k: int = 10, *, by: By = "both") -> list[Hit]:
        """Return the ``k`` best segments, the best first, ties by the order in which they were added.

        Args:
            query: What is looked for.
            k: Segments that are wanted.
            by: ``words`` (BM25), ``vectors`` (cosine), or both, fused by their ranks.

        Raises:
            InputError: The query is empty, or ``k`` is below 1.
            StoreError: The store is damaged, or has not what ``by`` asks for.
        """
        if k < 1:
            raise InputError(f"k is {k}, but must be 1 or more.")
        with self._ranked(query, by, k) as found:
            owners = self._db.documents(segment.document for segment in found.segments)
            return [
                Hit(
                    document=owners[segment.document].id,
                    title=owners[segment.document].title,
                    span=segment.span,
                    text=self._db.text(segment.document, segment.span),
                    score=found.scores[segment.number],
                    cosine=found.cosines.get(segment.number),
                    rank=found.ranks.get(segment.number),
                )
                for segment in found.segments
            ]

    def compress(
        self,
        query: str,
        *,
        max_tokens: int,
        times: float = 4.0,
        by: By = "both",
        reserve: int = 0,
        task: str = "",
        tokenizer: str | None = None,
        deadline: float | None = None,
        audit: bool = False,
    ) -> Answer:
        """Return what the store says to a query, in at most ``max_tokens``, with the places that it comes from.

        The best segments, and their neighbours, a few ``times`` the budget in all, are handed to the compressor in the
        order of the store; the other arguments are its own.

        Raises:
            InputError: The query is empty, or an option cannot be used.
            BudgetError: Not even one word fits.
            StoreError: The store is damaged, or has not what ``by`` asks for.
        """
        if not times >= 1:
            raise InputError(f"times is {times:g}, but must be 1 or more.")
        count = self.compressor.parts.counter.count

        def tokens(segment: Stored) -> int:
            return count([self._db.text(segment.document, segment.span)])[0]

        with self._ranked(query, by, max(DEPTH, max_tokens // 20)) as found:
            excerpts = gather(found.segments, tokens, self._db.neighbours, int(times * max_tokens))
            owners = self._db.documents(excerpt.document for excerpt in excerpts)
            documents = [
                excerpted(owners[excerpt.document], self._db.text(excerpt.document, excerpt.span))
                for excerpt in excerpts
            ]
        result = self.compressor.compress(
            documents,
            query=query,
            max_tokens=max_tokens,
            reserve=reserve,
            task=task,
            tokenizer=tokenizer,
            deadline=deadline,
            audit=audit,
        )
        return Answer(text=result.text, cited=cited(result, excerpts), result=result)

    def compact(self) -> None:
        """Drop what removed documents left behind, put all vectors into the index, give the room on the disk back.

        Readers go on meanwhile.

        Raises:
            StoreError: Another process writes the store, or it cannot be written.
        """
        with self._writer() as db:
            compact(db, exact_below=self._exact_below)

    def check(self) -> list[str]:
        """Return what is wrong with the store, a sentence each; nothing where it is whole. All of it is read.

        Raises:
            StoreError: The file is so damaged that nothing of it can be read.
        """
        with self._reading:
            return problems(self._db)

    def info(self) -> Info:
        """Return what the store holds.

        Raises:
            StoreError: The store is damaged.
        """
        with self._reading, self._db.reading():
            return facts(self._db)

    @property
    def compressor(self) -> Compressor:
        """The compressor of the store's preset, made at the first use.

        Raises:
            StoreError: The store's vectors are another embedder's.
            MissingExtra: A part of the preset needs a package that is not installed.
            ModelNotAvailable: A part of the preset needs a model that is not found.
        """
        with self._making:
            if self._made is None:
                made = Compressor.from_preset(self._db.get("preset"), cache=False)
                self._check(made)
                self._made = made
            return self._made

    def close(self) -> None:
        """Close the files."""
        with self._reading:
            self._db.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _check(self, compressor: Compressor) -> None:
        held, given = self._db.get("embedder"), model_of(compressor.parts.embedder)
        if held != given:
            raise StoreError(
                f"The vectors of {self.path} are of {held or 'no embedder'}, not of {given or 'no embedder'}.",
                hint=f"{command('rebuild', self.path)} --preset {compressor.preset.name}",
            )

    @contextmanager
    def _writer(self) -> Iterator[Database]:
        """A connection of its own for writing, so that threads that read go on."""
        with writing(self.path):
            db = Database(self.path)
            try:
                yield db
            finally:
                db.close()

    @contextmanager
    def _ranked(self, query: str, by: By, most: int) -> Iterator[Ranked]:
        """The best segments; what is read meanwhile is of the same state of the store."""
        if not query.strip():
            raise InputError("The query is empty.", hint="Say what is looked for.")
        vector = self._vector(query, by)
        for left in reversed(range(_TRIES)):
            with self._reading, self._db.reading():
                if vector is not None:
                    self._check(self.compressor)  # another process may have made the vectors anew
                try:
                    found = ranked(self._db, self._nearest, query, vector, words=by != "vectors", most=most)
                except FileNotFoundError as error:
                    if left:
                        continue  # another process has just written the next index
                    raise damaged(self.path, f"{error} is gone") from error
                yield found
                return

    def _vector(self, query: str, by: By) -> Float32 | None:
        """The query's vector; None where only words count, as they do for a language that the embedder cannot read."""
        embedder = self.compressor.parts.embedder
        dense = embedder is not None and by != "words" and (by == "vectors" or cjk_share(query) < _OTHER)
        if by == "vectors" and not dense:
            raise StoreError(f"{self.path} has no vectors.", hint=f"{command('rebuild', self.path)} --preset balanced")
        if not self._db.words and not dense:
            raise StoreError(f"{self.path} has no index of words: Python's SQLite lacks FTS5.", hint="Use vectors.")
        if embedder is None or not dense:
            return None
        with self._reading:
            self._nearest = self._nearest or Nearest(self._db, embedder.dim, exact_below=self._exact_below)
        return embedder.embed([query])
