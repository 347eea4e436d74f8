"""Is a store whole? What can still be read of one that is not?"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from gliding.backends.faiss_store import ListsIndex
from gliding.errors import StoreError
from gliding.store.answers import Info
from gliding.store.database import FILE, Database
from gliding.store.nearest import digest_of, missing, named
from gliding.types import Document, Span

_SHOWN = 20
_ORPHANS = (
    ("parts of texts", "SELECT count(*) FROM blocks WHERE document NOT IN (SELECT number FROM documents)"),
    ("segments", "SELECT count(*) FROM segments WHERE document NOT IN (SELECT number FROM documents)"),
    ("vectors", "SELECT count(*) FROM vectors WHERE segment NOT IN (SELECT number FROM segments)"),
)


def content_key(document: Document) -> bytes:
    """Return 20 bytes over all that a document holds but its id: another key, another version."""
    kept = (document.title, document.role, document.time, document.turn, document.kind, document.criticality)
    digest = hashlib.blake2b(json.dumps(kept).encode(), digest_size=20)
    digest.update(document.text.encode("utf-8", "surrogatepass"))
    return digest.digest()


def facts(db: Database) -> Info:
    """Return what a store holds. Call it inside ``Database.reading``."""
    index = named(db)
    (characters,) = db.execute("SELECT coalesce(sum(characters), 0) FROM documents").fetchone()
    return Info(
        preset=db.get("preset"),
        embedder=db.get("embedder"),
        words=db.words,
        documents=db.count("documents"),
        segments=db.count("segments"),
        characters=characters,
        indexed=index.count if index else 0,
        recall=index.recall if index else None,
        probes=index.probes if index else 0,
        dead=int(db.get("removed") or 0) - int(db.get("compacted") or 0),
        bytes={
            path.name: path.stat().st_size
            for path in sorted(db.folder.iterdir())
            if path.name.startswith((FILE, "index-")) and path.is_file()
        },
    )


def problems(db: Database) -> list[str]:
    """Return what is wrong with a store, a sentence each; nothing where it is whole."""
    with db.reading():
        found = [
            f"SQLite: {line}" for (line,) in db.execute(f"PRAGMA integrity_check({_SHOWN})").fetchall() if line != "ok"
        ]
        for what, statement in _ORPHANS:
            (count,) = db.execute(statement).fetchone()
            if count:
                found.append(f"{count} {what} belong to nothing.")
        found += _of_documents(db)
        if db.get("embedder"):
            without = "SELECT count(*) FROM segments WHERE number NOT IN (SELECT segment FROM vectors)"
            (count,) = db.execute(without).fetchone()
            found += [f"{count} segments have no vector."] if count else []
        if db.words:
            without = "SELECT count(*) FROM segments WHERE number NOT IN (SELECT id FROM words_docsize)"
            (count,) = db.execute(without).fetchone()
            found += [f"{count} segments are not in the index of words."] if count else []
        return found + _of_index(db)


def _of_documents(db: Database) -> list[str]:
    found: list[str] = []
    rows = "SELECT number, key, characters, segments FROM documents ORDER BY number"
    for number, key, characters, segments in db.execute(rows):
        document = db.documents([number])[number]
        try:
            text = db.text(number)
        except StoreError:
            found.append(f"The text of {document.id!r} cannot be unpacked.")
            continue
        whole = Document(text=text, **{name: getattr(document, name) for name in _ABOUT})
        if content_key(whole) != key:
            found.append(f"The text of {document.id!r} is not the one that was added.")
        spans = [
            Span(*span)
            for span in db.execute("SELECT start, stop FROM segments WHERE document = ? ORDER BY start", (number,))
        ]
        ends = [0, *(span.end for span in spans)]
        if len(spans) != segments or any(span.start < end for span, end in zip(spans, ends, strict=False)):
            found.append(f"The segments of {document.id!r} are not those that were added.")
        elif spans and spans[-1].end > characters:
            found.append(f"A segment of {document.id!r} ends after its text.")
    return found


_ABOUT = ("id", "title", "role", "time", "turn", "kind", "criticality")


def _of_index(db: Database) -> list[str]:
    name = named(db)
    if name is None:
        return []
    path = db.folder / name.file
    if not path.is_file():
        return [f"The index {name.file} is gone."]
    if path.stat().st_size != name.bytes or digest_of(path) != name.digest:
        return [f"The index {name.file} is not the one that was written."]
    absent = missing(db, ListsIndex.opened(path), name.through)
    return [f"{len(absent)} segments are not in the index {name.file}."] if absent else []


def salvaged(folder: Path, lost: list[str]) -> Iterator[Document]:
    """Yield the documents of a damaged store that can still be read as they were added.

    ``lost`` is told the others, as far as anything is known of them.
    """
    with closing(_broken(folder)) as db:
        for number in _numbers(db):
            found = _document(db, number)
            if isinstance(found, Document):
                yield found
            else:
                lost.append(f"document {number}: {found}")


def settings(folder: Path) -> dict[str, Any]:
    """Return what can still be read of a damaged store's settings."""
    found: dict[str, Any] = {}
    with closing(_broken(folder)) as db:
        try:
            for name, value in db.execute("SELECT name, value FROM meta"):
                found[name] = json.loads(value)
        except (sqlite3.DatabaseError, ValueError):
            return found
    return found


def _broken(folder: Path) -> sqlite3.Connection:
    db = sqlite3.connect(folder / FILE)
    db.execute("PRAGMA writable_schema = ON")  # reads also what is shorter than it says; nothing is written
    return db


def _numbers(db: sqlite3.Connection) -> list[int]:
    """The numbers that can be read from either side of what is broken."""
    found: set[int] = set()
    for source in ("documents NOT INDEXED", "documents INDEXED BY sqlite_autoindex_documents_1"):
        for order in ("", "DESC"):
            with suppress(sqlite3.DatabaseError):
                found.update(number for (number,) in db.execute(f"SELECT number FROM {source} ORDER BY rowid {order}"))
    return sorted(found)


def _document(db: sqlite3.Connection, number: int) -> Document | str:
    """A document as it was added, or why it cannot be had."""
    try:
        row = db.execute("SELECT id, about, key FROM documents NOT INDEXED WHERE number = ?", (number,)).fetchone()
        if row is None:
            return "it is not found"
        name, about, key = row
        blocks = db.execute("SELECT data FROM blocks WHERE document = ? ORDER BY block", (number,))
        text = "".join(zlib.decompress(data).decode("utf-8", "surrogatepass") for (data,) in blocks)
        document = Document(text=text, id=name.decode("utf-8", "surrogatepass"), **json.loads(about))
    except (sqlite3.DatabaseError, zlib.error, ValueError, TypeError, AttributeError) as error:
        return str(error)
    return document if content_key(document) == key else "its text is not the one that was added"
