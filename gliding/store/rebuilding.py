"""A store made: new, with another embedder, or out of what a damaged one still holds."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gliding.compressor import Compressor
from gliding.errors import StoreError
from gliding.store.adding import Adder, embedded, embedded_text
from gliding.store.answers import Changed
from gliding.store.checking import salvaged
from gliding.store.database import FILE, Database
from gliding.store.lock import writing
from gliding.store.nearest import tidy, update
from gliding.text.words import terms

if TYPE_CHECKING:
    from gliding.protocols import Embedder

_BATCH = 512  # segments that are embedded at a time
_ASIDE = "salvaged"


def model_of(embedder: Embedder | None) -> str:
    """Name what makes the vectors: another version of its runtime moves a last bit, which no search can tell."""
    return embedder.fingerprint.partition("/")[0] if embedder else ""


def dim_of(compressor: Compressor) -> int:
    """Return the components of a vector, 0 without an embedder."""
    return compressor.parts.embedder.dim if compressor.parts.embedder else 0


def settings_of(compressor: Compressor, preset: str | Path | None) -> dict[str, Any]:
    """Return what a store keeps of the compressor that it was made with."""
    name = compressor.preset.name if preset is None else str(preset)
    return {"preset": name, "embedder": model_of(compressor.parts.embedder), "dim": dim_of(compressor)}


def create(folder: Path, compressor: Compressor, preset: str | Path | None) -> None:
    """Make an empty store.

    Raises:
        StoreError: There is something else, or it cannot be written.
    """
    if folder.exists() and not folder.is_dir():
        raise StoreError(f"{folder} is no store.", hint="Name another folder.")
    ours = ("lock", FILE, f"{FILE}-journal", f"{FILE}-wal", f"{FILE}-shm")
    if folder.is_dir() and any(path.name not in ours for path in folder.iterdir()):
        raise StoreError(f"{folder} is no store, and not empty.", hint="Name a new folder.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"{folder} cannot be made: {error.strerror}.", hint="Name another folder.") from error
    with writing(folder):
        Database(folder, settings=settings_of(compressor, preset)).close()


def index_words(db: Database) -> None:
    """Make the index of words anew, inside ``Database.writing``."""
    db.clear_words()
    for document, segments in db.all_segments():
        db.put_words((stored.number, terms(f"{document.title} {text}")) for stored, text in segments)


def compact(db: Database, *, exact_below: int) -> None:
    """Drop what removed documents left in the indexes, put all vectors into the index, give the room back.

    Raises:
        StoreError: It cannot be written.
    """
    removed, done = int(db.get("removed") or 0), int(db.get("compacted") or 0)
    with db.writing():
        if removed > done:
            index_words(db)
        elif db.words:
            db.execute("INSERT INTO words (words) VALUES ('optimize')")
        db.set("compacted", removed)
    if dim := int(db.get("dim") or 0):
        update(db, dim, exact_below=exact_below, whole=removed > done, rest=True)
    db.vacuum()


def make_anew(
    db: Database, compressor: Compressor, preset: str | Path | None, progress: Callable[[Changed], None] | None
) -> None:
    """Make words and, where they are missing or another embedder's, vectors anew from the texts, all or nothing."""
    embedder = compressor.parts.embedder
    with db.writing():
        index_words(db)
        if db.get("embedder") != model_of(embedder):
            db.execute("DELETE FROM vectors")
            db.set("index", None)
        if embedder is not None:
            _embed(db, embedder, progress)
        for name, value in settings_of(compressor, preset or db.get("preset")).items():
            db.set(name, value)
        db.set("compacted", int(db.get("removed") or 0))


def _embed(db: Database, embedder: Embedder, progress: Callable[[Changed], None] | None) -> None:
    """Make the vectors that are missing."""
    wanted: dict[bytes, str] = {}
    documents = done = 0

    def write() -> None:
        db.put_vectors((int.from_bytes(key, "big"), data) for key, data in embedded(embedder, wanted))
        wanted.clear()
        if progress is not None:
            progress(Changed(unchanged=documents, embedded=done))

    for document, segments in db.all_segments():
        documents += 1
        for stored, text in segments:
            if db.execute("SELECT 1 FROM vectors WHERE segment = ?", (stored.number,)).fetchone() is None:
                wanted[stored.number.to_bytes(8, "big")] = embedded_text(document.title, text)
                done += 1
            if len(wanted) >= _BATCH:
                write()
    write()


def is_whole(folder: Path) -> bool:
    """Whether SQLite can read all of the file of a store.

    Raises:
        StoreError: It is of a newer version, or cannot be opened.
    """
    try:
        db = Database(folder)
    except StoreError as error:
        if "damaged" in error.message:
            return False
        raise
    try:
        with db.reading():
            return bool(db.execute("PRAGMA integrity_check(1)").fetchone() == ("ok",) and db.readable())
    except StoreError:
        return False
    finally:
        db.close()


def salvage(
    folder: Path,
    compressor: Compressor,
    preset: str | Path | None,
    *,
    progress: Callable[[Changed], None] | None,
    lost: list[str],
) -> None:
    """Put a new store in the place of a damaged one, with the documents that can still be read.

    Raises:
        StoreError: There is none.
    """
    aside = folder / _ASIDE
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir()
    db = Database(aside, settings=settings_of(compressor, preset))
    try:
        kept = Adder(db, compressor).add(salvaged(folder, lost), progress)
    finally:
        db.close()
    if not kept.documents:
        shutil.rmtree(aside, ignore_errors=True)
        hint = "Remove the folder and add the documents again."
        raise StoreError(f"Of the store {folder} no document can be read.", hint=hint)
    for name in (f"{FILE}-wal", f"{FILE}-shm"):
        (folder / name).unlink(missing_ok=True)  # they belong to the damaged file
    os.replace(aside / FILE, folder / FILE)
    shutil.rmtree(aside, ignore_errors=True)
    tidy(folder, None)
