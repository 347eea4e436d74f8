"""The SQLite file of a store: documents, segments, their vectors and words. It is the truth; indexes are made from it.

A removed segment leaves its entry in the index of words, and in the one of vectors: numbers are never used again, so
that what is found is looked up among the segments, and compacting drops the rest.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gliding.errors import StoreError
from gliding.store.faults import damaged, told
from gliding.types import Document, Span

if TYPE_CHECKING:
    from gliding.protocols import Float32, Int64

FILE = "store.sqlite"
VERSION = 1
_SCHEMA = (
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    """CREATE TABLE documents (number INTEGER PRIMARY KEY AUTOINCREMENT, id BLOB NOT NULL UNIQUE, key BLOB NOT NULL,
    about TEXT NOT NULL, characters INTEGER NOT NULL, segments INTEGER NOT NULL)""",
    """CREATE TABLE blocks (document INTEGER NOT NULL, block INTEGER NOT NULL, data BLOB NOT NULL,
    PRIMARY KEY (document, block)) WITHOUT ROWID""",
    """CREATE TABLE segments (number INTEGER PRIMARY KEY AUTOINCREMENT, document INTEGER NOT NULL,
    start INTEGER NOT NULL, stop INTEGER NOT NULL, key BLOB NOT NULL)""",
    "CREATE INDEX segments_of ON segments (document, start)",
    "CREATE TABLE vectors (segment INTEGER PRIMARY KEY, data BLOB NOT NULL)",
)
_WORDS = (
    # every term stands as it is: the words are cut and stemmed before, so that a space is all that parts them
    """CREATE VIRTUAL TABLE words USING fts5 (terms, content='', tokenize="ascii tokenchars '_.-:/@+#'")""",
    "CREATE VIRTUAL TABLE vocabulary USING fts5vocab (words, 'row')",
)
_BLOCK = 1 << 16  # characters of a document that are packed together: a span of a long one is read without the rest
_MANY = 500  # values in one statement
_WAIT = 10.0  # seconds for another connection's commit


class Stored(NamedTuple):
    """A segment: its number, its document's number, its characters there."""

    number: int
    document: int
    span: Span


class Database:
    """One connection to the file in ``folder``. It belongs to one thread at a time.

    ``settings`` make an empty store where there is none.

    Raises:
        StoreError: It is no store, is damaged, or is of a newer version.
    """

    def __init__(self, folder: Path, *, settings: Mapping[str, Any] | None = None) -> None:
        self.folder = folder
        self.path = folder / FILE
        with told(folder):
            self._db = sqlite3.connect(self.path, timeout=_WAIT, isolation_level=None, check_same_thread=False)
        try:
            with told(folder):
                self._open(settings)
        except BaseException:
            self._db.close()
            raise

    def _open(self, settings: Mapping[str, Any] | None) -> None:
        db = self._db
        db.execute("PRAGMA synchronous = FULL")
        (version,) = db.execute("PRAGMA user_version").fetchone()
        if version > VERSION:
            raise StoreError(
                f"The store {self.folder} was made by a newer version of Gliding.",
                hint="Run: pip install --upgrade gliding",
            )
        if version == 0:
            if db.execute("SELECT count(*) FROM sqlite_master").fetchone() != (0,) or settings is None:
                raise StoreError(f"{self.path} is no store.", hint="Name the folder of a store.")
            db.execute("PRAGMA journal_mode = WAL")
            with self.writing():
                for statement in _SCHEMA:
                    db.execute(statement)
                for name, value in {**settings, "words": _makes_words(db)}.items():
                    self.set(name, value)
                db.execute(f"PRAGMA user_version = {VERSION}")
        self.words = bool(self.get("words"))

    def close(self) -> None:
        """Close the connection."""
        self._db.close()

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Write all or nothing."""
        with told(self.folder):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")

    @contextmanager
    def reading(self) -> Iterator[None]:
        """See one state of the store, whatever is written meanwhile."""
        with told(self.folder):
            self._db.execute("BEGIN")
            try:
                yield
            finally:
                self._db.execute("ROLLBACK")

    def execute(self, statement: str, values: Sequence[object] = ()) -> sqlite3.Cursor:
        """Run one statement."""
        return self._db.execute(statement, values)

    def vacuum(self) -> None:
        """Give the room of what was removed back to the disk."""
        with told(self.folder):
            self._db.execute("VACUUM")
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def readable(self) -> bool:
        """Whether the texts of all documents can be unpacked; SQLite knows nothing of what is inside of them."""
        try:
            for (number,) in self._db.execute("SELECT number FROM documents"):
                self.text(number)
        except StoreError:
            return False
        return True

    def get(self, name: str) -> Any:
        """Return a setting of the store; None where there is none."""
        row = self._db.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return None if row is None else json.loads(row[0])

    def set(self, name: str, value: Any) -> None:
        """Keep a setting of the store."""
        self._db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, json.dumps(value)))

    def key(self, name: str) -> tuple[int, bytes] | None:
        """Return the number and the content's key of a document by its id."""
        row = self._db.execute("SELECT number, key FROM documents WHERE id = ?", (_bytes(name),)).fetchone()
        return None if row is None else (row[0], row[1])

    def insert(
        self,
        document: Document,
        key: bytes,
        segments: Sequence[tuple[Span, bytes]],
        words: Sequence[Sequence[str]],
        vectors: Sequence[bytes] | None,
    ) -> None:
        """Add a document with its segments (span, key), their terms and vectors."""
        about = {name: getattr(document, name) for name in _ABOUT if getattr(document, name)}
        number = self._db.execute(
            "INSERT INTO documents (id, key, about, characters, segments) VALUES (?, ?, ?, ?, ?)",
            (_bytes(document.id), key, json.dumps(about), len(document.text), len(segments)),
        ).lastrowid
        text = document.text
        self._db.executemany(
            "INSERT INTO blocks VALUES (?, ?, ?)",
            (
                (number, start // _BLOCK, zlib.compress(_bytes(text[start : start + _BLOCK]), 6))
                for start in range(0, len(text), _BLOCK)
            ),
        )
        (last,) = self._db.execute("SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name='segments'").fetchone()
        numbers = range(last + 1, last + 1 + len(segments))
        self._db.executemany(
            "INSERT INTO segments VALUES (?, ?, ?, ?, ?)",
            ((n, number, *span, own) for n, (span, own) in zip(numbers, segments, strict=True)),
        )
        self.put_words(zip(numbers, words, strict=True))
        if vectors is not None:
            self.put_vectors(zip(numbers, vectors, strict=True))

    def put_words(self, terms: Iterable[tuple[int, Sequence[str]]]) -> None:
        """Add segments, by number, to the index of words."""
        if self.words:
            self._db.executemany(
                "INSERT INTO words (rowid, terms) VALUES (?, ?)", ((number, " ".join(own)) for number, own in terms)
            )

    def clear_words(self) -> None:
        """Empty the index of words."""
        if self.words:
            self._db.execute("INSERT INTO words (words) VALUES ('delete-all')")

    def put_vectors(self, vectors: Iterable[tuple[int, bytes]]) -> None:
        """Keep vectors of segments."""
        self._db.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", vectors)

    def delete(self, number: int) -> int:
        """Remove a document; return how many segments it had."""
        mine = "SELECT number FROM segments WHERE document = ?"
        self._db.execute(f"DELETE FROM vectors WHERE segment IN ({mine})", (number,))
        gone = self._db.execute("DELETE FROM segments WHERE document = ?", (number,)).rowcount
        self._db.execute("DELETE FROM blocks WHERE document = ?", (number,))
        self._db.execute("DELETE FROM documents WHERE number = ?", (number,))
        return gone

    def held_vectors(self, number: int) -> dict[bytes, bytes]:
        """Return the vectors of a document's segments by the segments' keys."""
        return dict(
            self._db.execute(
                "SELECT key, data FROM segments JOIN vectors ON segment = number WHERE document = ?", (number,)
            )
        )

    def documents(self, numbers: Iterable[int]) -> dict[int, Document]:
        """Return documents by number, without their texts."""
        rows = self._among("SELECT number, id, about FROM documents WHERE number IN", sorted(set(numbers)))
        return {number: Document(text="", id=_text(name), **json.loads(about)) for number, name, about in rows}

    def text(self, document: int, span: Span | None = None) -> str:
        """Return the characters of a document in a span, or all of them.

        Raises:
            StoreError: They cannot be unpacked.
        """
        first, last = (span.start // _BLOCK, max(span.start, span.end - 1) // _BLOCK) if span else (0, 1 << 40)
        rows = self._db.execute(
            "SELECT data FROM blocks WHERE document = ? AND block BETWEEN ? AND ? ORDER BY block",
            (document, first, last),
        ).fetchall()
        try:
            text = "".join(_text(zlib.decompress(data)) for (data,) in rows)
        except (zlib.error, UnicodeDecodeError) as error:
            raise damaged(self.folder, error) from error
        return text[span.start - first * _BLOCK : span.end - first * _BLOCK] if span else text

    def segments(self, numbers: Iterable[int]) -> dict[int, Stored]:
        """Return those of the segments that there are, by number."""
        rows = self._among("SELECT number, document, start, stop FROM segments WHERE number IN", sorted(set(numbers)))
        return {number: Stored(number, document, Span(start, stop)) for number, document, start, stop in rows}

    def neighbours(self, segment: Stored) -> list[Stored]:
        """Return the segments before and after one in its document, the later one first: a text goes on."""
        found = []
        for compare, order in ((">", ""), ("<", "DESC")):
            row = self._db.execute(
                f"SELECT number, document, start, stop FROM segments WHERE document = ? AND start {compare} ? "
                f"ORDER BY start {order} LIMIT 1",
                (segment.document, segment.span.start),
            ).fetchone()
            if row:
                found.append(Stored(row[0], row[1], Span(row[2], row[3])))
        return found

    def all_segments(self) -> Iterator[tuple[Document, list[tuple[Stored, str]]]]:
        """Yield each document, without its text, with its segments and their texts; one is in memory at a time."""
        for (number,) in self._db.execute("SELECT number FROM documents ORDER BY number"):
            text = self.text(number)
            rows = self._db.execute(
                "SELECT number, document, start, stop FROM segments WHERE document = ? ORDER BY start", (number,)
            )
            found = [Stored(n, owner, Span(start, stop)) for n, owner, start, stop in rows]
            own = self.documents([number])[number]
            yield own, [(stored, text[slice(*stored.span)]) for stored in found]

    def numbers(self, after: int = 0) -> Int64:
        """Return ``(n,) int64``: the numbers of the segments with a vector beyond one, in order."""
        rows = self._db.execute("SELECT number FROM segments WHERE number > ? ORDER BY number", (after,))
        return np.fromiter((number for (number,) in rows), np.int64)

    def vectors(self, numbers: Sequence[int], dim: int) -> tuple[Int64, Float32]:
        """Return the vectors that there are of these segments, by number: ``(n,)`` numbers and ``(n, dim)``."""
        rows = sorted(self._among("SELECT segment, data FROM vectors WHERE segment IN", numbers))
        return self._unpacked(rows, dim)

    def vectors_after(self, number: int, dim: int, *, most: int) -> tuple[Int64, Float32]:
        """Return the next vectors after a segment's, at most ``most`` of them, as ``vectors`` does."""
        rows = self._db.execute(
            "SELECT segment, data FROM vectors WHERE segment > ? ORDER BY segment LIMIT ?", (number, most)
        )
        return self._unpacked(rows.fetchall(), dim)

    def _unpacked(self, rows: Sequence[tuple[int, bytes]], dim: int) -> tuple[Int64, Float32]:
        ids = np.array([number for number, _ in rows], np.int64)
        joined = np.frombuffer(b"".join(data for _, data in rows), "<f2")
        if joined.size != len(rows) * dim:
            raise damaged(self.folder, f"a vector has not {dim} components")
        return ids, joined.reshape(len(rows), dim).astype(np.float32)

    def count(self, table: str) -> int:
        """Return the number of rows of a table."""
        return int(self._db.execute(f"SELECT count(*) FROM {table}").fetchone()[0])

    def frequency(self, term: str) -> int:
        """Return how many segments have a term."""
        row = self._db.execute("SELECT doc FROM vocabulary WHERE term = ?", (term,)).fetchone()
        return row[0] if row else 0

    def matches(self, terms: Sequence[str], most: int) -> list[int]:
        """Return the numbers of the segments that are there with any of the terms, the best by BM25 first."""
        asked = " OR ".join('"' + term.replace('"', '""') + '"' for term in terms)
        rows = self._db.execute(
            "SELECT words.rowid FROM words JOIN segments ON number = words.rowid WHERE words MATCH ? "
            "ORDER BY bm25(words), words.rowid LIMIT ?",
            (asked, most),
        )
        return [number for (number,) in rows]

    def _among(self, query: str, values: Sequence[int]) -> Iterator[Any]:
        for start in range(0, len(values), _MANY):
            some = values[start : start + _MANY]
            yield from self._db.execute(f"{query} ({','.join('?' * len(some))})", some).fetchall()


_ABOUT = ("title", "role", "time", "turn", "kind", "criticality")


def packed(vectors: Float32) -> list[bytes]:
    """Return each of ``(n, dim)`` vectors as half-precision floats: they cost half, and move a cosine by 0.0002."""
    return [row.tobytes() for row in vectors.astype("<f2")]


def _makes_words(db: sqlite3.Connection) -> bool:
    """Make the index of words, where this SQLite has one."""
    try:
        for statement in _WORDS:
            db.execute(statement)
    except sqlite3.OperationalError as error:
        if "no such module" in str(error):
            return False
        raise
    return True


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")  # names of files and texts may hold what is no Unicode


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogatepass")
