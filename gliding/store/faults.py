"""What goes wrong with a store's files, in our words and with the command that mends it."""

from __future__ import annotations

import shlex
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gliding.errors import StoreError


def command(name: str, folder: Path) -> str:
    """Return the hint that names a command on a store.

    >>> command("rebuild", Path("my store"))
    "Run: gliding store rebuild 'my store'"
    """
    return f"Run: gliding store {name} {shlex.quote(str(folder))}"


def damaged(folder: Path, error: object) -> StoreError:
    """Return the error that says that a store is damaged."""
    return StoreError(f"The store {folder} is damaged: {error}.", hint=command("rebuild", folder))


@contextmanager
def told(folder: Path) -> Iterator[None]:
    """Say what SQLite complains of in our words.

    Raises:
        StoreError: The file is damaged, in use, cannot be written, or the disk is full.
    """
    try:
        yield
    except sqlite3.OperationalError as error:
        words = str(error)
        if "locked" in words or "busy" in words:
            raise StoreError(f"The store {folder} is in use: {error}.", hint="Try again.") from error
        if "malformed" in words or "no such" in words or "corrupt" in words:
            raise damaged(folder, error) from error
        hint = "Check the folder, its rights and the room on the disk."
        raise StoreError(f"The store {folder} cannot be used: {error}.", hint=hint) from error
    except sqlite3.DatabaseError as error:
        raise damaged(folder, error) from error
