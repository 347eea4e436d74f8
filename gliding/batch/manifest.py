"""The SQLite file that holds what a batch has done: results by key, files by name, and the plan of the current run.

A process that is killed loses nothing that was recorded. After a power cut the last records may be missing (the file
stays whole): those documents are computed again. Which files are ours is on the disk before they are written.
"""

from __future__ import annotations

import json
import sqlite3
import threading
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from gliding.batch.items import Row
from gliding.errors import BatchError

_VERSION = 1
_SCHEMA = """
CREATE TABLE IF NOT EXISTS results (
    key BLOB PRIMARY KEY, run INTEGER NOT NULL, failed INTEGER NOT NULL, tokens_in INTEGER NOT NULL,
    tokens_out INTEGER NOT NULL, tier TEXT NOT NULL, error TEXT NOT NULL, row BLOB NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS outputs (name TEXT PRIMARY KEY, key BLOB, size INTEGER, digest) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS outputs_by_key ON outputs (key);
CREATE TABLE IF NOT EXISTS plan (
    position INTEGER PRIMARY KEY, id TEXT NOT NULL, source TEXT NOT NULL, key BLOB NOT NULL
);
CREATE TABLE IF NOT EXISTS run (number INTEGER NOT NULL);
"""
_MANY = 500  # values in one statement


class Entry(NamedTuple):
    """Where a document stands in the input, and the key of its result."""

    position: int
    id: str
    source: str
    key: bytes


class Known(NamedTuple):
    """What is known of a result; ``fresh`` where it is of the current run."""

    fresh: bool
    failed: bool
    tokens_in: int
    tokens_out: int
    tier: str
    error: str


class Held(NamedTuple):
    """What a file of ours held when it was written; ``key`` is None where it was only about to be."""

    key: bytes | None
    size: int
    digest: str


class Manifest:
    """The manifest at ``path``; the empty string is one that is gone when it is closed. Threads may share it.

    Raises:
        BatchError: Another run has it open, it cannot be written, or it is damaged or of another version.
    """

    def __init__(self, path: Path | str) -> None:
        self._lock = threading.RLock()
        self._path = path
        try:
            self._db = sqlite3.connect(path, timeout=0.2, check_same_thread=False, isolation_level=None)
        except sqlite3.Error as error:
            raise BatchError(f"{path} cannot be opened: {error}.", hint="Check the folder and its rights.") from error
        try:
            self._open()
        except sqlite3.OperationalError as error:
            self._db.close()
            if "locked" in str(error):
                raise BatchError(f"Another run writes this output: {path} is in use.", hint="Wait for it.") from error
            raise BatchError(f"{path} cannot be written: {error}.", hint="Check the folder and its rights.") from error
        except sqlite3.DatabaseError as error:
            self._db.close()
            raise BatchError(f"{path} is damaged: {error}.", hint="Remove it and run again with --force.") from error
        except BatchError:
            self._db.close()
            raise

    def _open(self) -> None:
        db = self._db
        # The lock of the file is kept until it is closed, or until the process is gone: one writer, no stale locks.
        db.execute("PRAGMA locking_mode = EXCLUSIVE")
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        with self._writing():
            (version,) = db.execute("PRAGMA user_version").fetchone()
            if version not in (0, _VERSION):
                raise BatchError(f"{self._path} is of another version.", hint="Remove it and run again with --force.")
            for statement in _SCHEMA.split(";"):
                db.execute(statement)
            db.execute(f"PRAGMA user_version = {_VERSION}")
            (last,) = db.execute("SELECT coalesce(max(number), 0) FROM run").fetchone()
            self._run: int = last + 1
            db.execute("DELETE FROM run")
            db.execute("INSERT INTO run VALUES (?)", (self._run,))
            db.execute("DELETE FROM plan")

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with self._lock:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")

    def plan(self, entries: Sequence[Entry], *, names: Iterable[str] = ()) -> None:
        """Add documents to the plan, and the files that may be written for them to those that are ours, durably."""
        with self._lock:
            self._db.execute("PRAGMA synchronous = FULL")
            with self._writing():
                self._db.executemany(
                    "INSERT INTO plan VALUES (?, ?, ?, ?)",
                    [(entry.position, _stored(entry.id), _stored(entry.source), entry.key) for entry in entries],
                )
                self._db.executemany(
                    "INSERT OR IGNORE INTO outputs (name) VALUES (?)", [(_stored(name),) for name in names]
                )
            self._db.execute("PRAGMA synchronous = NORMAL")

    def known(self, keys: Iterable[bytes]) -> dict[bytes, Known]:
        """Return what is known of the results with these keys."""
        columns = "key, run, failed, tokens_in, tokens_out, tier, error"
        found = self._among(f"SELECT {columns} FROM results WHERE key IN", list(keys))
        return {
            key: Known(run == self._run, bool(failed), tokens_in, tokens_out, tier, _given(error))
            for key, run, failed, tokens_in, tokens_out, tier, error in found
        }

    def held(self, names: Iterable[str]) -> dict[str, Held]:
        """Return which of these files are ours, with what they held."""
        wanted = {_stored(name): name for name in names}
        found = self._among("SELECT name, key, size, digest FROM outputs WHERE name IN", list(wanted))
        return {wanted[name]: Held(key, size or 0, digest or "") for name, key, size, digest in found}

    def copies(self, key: bytes) -> list[tuple[str, Held]]:
        """Return the files that held the result with this key when they were written."""
        with self._lock:
            found = self._db.execute("SELECT name, size, digest FROM outputs WHERE key = ? LIMIT 8", (key,)).fetchall()
        return [(_given(name), Held(key, size, digest)) for name, size, digest in found]

    def record(
        self, results: Iterable[tuple[bytes, Row]], outputs: Iterable[tuple[str, Held]] = (), *, text: bool = True
    ) -> None:
        """Record results and written files at once; without ``text`` the rows are kept without theirs."""
        values = [
            (
                key,
                self._run,
                int(bool(row.error)),
                row.tokens_in,
                row.tokens_out,
                row.tier,
                _stored(row.error),
                _packed(row if text else replace(row, text="", spans=(), audit=None)),
            )
            for key, row in results
        ]
        files = [(_stored(name), held.key, held.size, held.digest) for name, held in outputs]
        with self._writing():
            self._db.executemany("INSERT OR REPLACE INTO results VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values)
            self._db.executemany("INSERT OR REPLACE INTO outputs VALUES (?, ?, ?, ?)", files)

    def rows(self) -> Iterator[Row]:
        """Yield the rows of the plan in the input's order; memory stays flat."""
        query = "SELECT id, source, row FROM plan JOIN results USING (key) ORDER BY position"
        with self._lock:
            for name, source, packed in self._db.execute(query):
                values = json.loads(zlib.decompress(packed))
                yield Row.from_dict({**values, "id": _given(name), "source": _given(source)})

    def prune(self) -> None:
        """Forget the results that the plan, which must be whole, does not hold."""
        with self._writing():
            self._db.execute("DELETE FROM results WHERE key NOT IN (SELECT key FROM plan)")

    def close(self) -> None:
        """Close the file and give its lock back."""
        with self._lock:
            self._db.close()

    def __enter__(self) -> Manifest:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _among(self, query: str, values: Sequence[object]) -> Iterator[Any]:
        with self._lock:
            for start in range(0, len(values), _MANY):
                some = values[start : start + _MANY]
                yield from self._db.execute(f"{query} ({','.join('?' * len(some))})", some).fetchall()


def _packed(row: Row) -> bytes:
    values = {**row.to_dict(), "id": "", "source": ""}
    return zlib.compress(json.dumps(values, separators=(",", ":")).encode(), 1)


def _stored(text: str) -> str:
    r"""A text that SQLite takes: a lone surrogate, as in a file's name that is no UTF-8, has none.

    >>> _stored("a\udc80"), _given(_stored("a\udc80")) == "a\udc80"
    ('"a\\udc80"', True)
    """
    return json.dumps(text)


def _given(text: str) -> str:
    found: str = json.loads(text)
    return found
