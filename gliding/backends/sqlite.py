"""A cache of bytes in one SQLite file, shared by threads and processes; what goes wrong is logged once and bypassed."""

from __future__ import annotations

import hashlib
import logging
import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path

from gliding.models import user_cache_dir

_log = logging.getLogger(__name__)

_SCHEMA = "CREATE TABLE IF NOT EXISTS entries (id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, value BLOB NOT NULL)"
_WAIT = 5.0  # seconds for another process's write
_MANY = 500  # keys in one statement


class SqliteCache:
    """Values by namespace and key in the file ``path`` (default: ``cache.sqlite`` in the user's cache folder).

    Nothing is opened before the first use. When the file would hold more than ``max_bytes``, the entries that were
    written first go. After an error (a folder that cannot be written, a damaged file, a lock that does not end) the
    cache stays out of the way for the rest of this object's life.
    """

    def __init__(self, path: str | Path | None = None, *, max_bytes: int = 256 << 20) -> None:
        self.path = Path(path) if path is not None else user_cache_dir() / "cache.sqlite"
        self.max_bytes = max_bytes
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._process = 0
        self._broken = False

    def get_many(self, namespace: str, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """Return the values that are held of these keys."""
        wanted = {_digest(namespace, key): key for key in keys}
        digests = list(wanted)
        found: dict[bytes, bytes] = {}
        if self._broken or not digests:
            return found
        try:
            with self._lock:
                connection = self._open()
                for start in range(0, len(digests), _MANY):
                    some = digests[start : start + _MANY]
                    marks = ",".join("?" * len(some))
                    rows = connection.execute(f"SELECT key, value FROM entries WHERE key IN ({marks})", some)
                    found.update((wanted[digest], value) for digest, value in rows)
        except (sqlite3.Error, OSError) as error:
            self._bypass(error)
        return found

    def put_many(self, namespace: str, items: Iterable[tuple[bytes, bytes]]) -> None:
        """Store values by key; an existing key keeps its value."""
        rows = [(_digest(namespace, key), value) for key, value in items]
        if self._broken or not rows:
            return
        try:
            with self._lock:
                connection = self._open()
                with connection:
                    connection.executemany("INSERT OR IGNORE INTO entries (key, value) VALUES (?, ?)", rows)
                    for oldest in self._too_many(connection):
                        connection.execute("DELETE FROM entries WHERE id <= ?", (oldest,))
        except (sqlite3.Error, OSError) as error:
            self._bypass(error)

    def close(self) -> None:
        """Close the file; a later use opens it again."""
        with self._lock:
            if self._connection is not None and self._process == os.getpid():
                self._connection.close()
            self._connection = None

    def _open(self) -> sqlite3.Connection:
        # SQLite forbids to carry a connection over a fork: the child opens its own
        if self._connection is not None and self._process == os.getpid():
            return self._connection
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.touch(mode=0o600)  # it holds names out of the user's texts
        connection = sqlite3.connect(self.path, timeout=_WAIT, check_same_thread=False)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            with connection:
                connection.execute(_SCHEMA)
        except sqlite3.Error:
            connection.close()
            raise
        self._connection, self._process = connection, os.getpid()
        return connection

    def _too_many(self, connection: sqlite3.Connection) -> Iterator[int]:
        """Give ids up to which entries must go, a quarter of them at a time, until the rest fits."""
        while self._used(connection) > self.max_bytes:
            (count,) = connection.execute("SELECT count(*) FROM entries").fetchone()
            if count == 0:
                return
            statement = "SELECT id FROM entries ORDER BY id LIMIT 1 OFFSET ?"
            (oldest,) = connection.execute(statement, (count // 4,)).fetchone()
            yield oldest

    def _used(self, connection: sqlite3.Connection) -> int:
        pages, free, size = (
            connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
        )
        return int((pages - free) * size)

    def _bypass(self, error: Exception) -> None:
        if not self._broken:
            _log.warning("The cache %s is not used: %s", self.path, error)
        self._broken = True


def _digest(namespace: str, key: bytes) -> bytes:
    return hashlib.blake2b(namespace.encode() + b"\0" + key, digest_size=20).digest()
