"""One writer at a time: a lock that the system takes back when the process that holds it is gone."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gliding.errors import StoreError


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Hold the lock of a store's folder.

    It is a lock of SQLite's on a file of its own: it works on every system, leaves nothing stale behind, and readers of
    the store never meet it.

    Raises:
        StoreError: Another process, or another thread of this one, writes the store.
    """
    try:
        held = sqlite3.connect(folder / "lock", timeout=0, isolation_level=None, check_same_thread=False)
    except sqlite3.Error as error:
        raise StoreError(f"{folder} cannot be written: {error}.", hint="Check the folder and its rights.") from error
    try:
        try:
            held.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if "locked" in str(error):
                raise StoreError(f"Another process writes the store {folder}.", hint="Wait for it.") from error
            raise StoreError(f"{folder} cannot be written: {error}.", hint="Check the folder's rights.") from error
        except sqlite3.DatabaseError as error:
            hint = f"Remove the file {folder / 'lock'}."
            raise StoreError(f"The lock of the store {folder} is damaged: {error}.", hint=hint) from error
        yield
    finally:
        held.close()
