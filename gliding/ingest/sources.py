"""What a user gives, texts, files, passages, chat turns, bytes, becomes a tuple of Documents.

Texts are taken as they are: a lone surrogate in a ``str`` is kept, and it is the caller's to write it out (it has no
UTF-8 form; ``json.dumps`` escapes it, ``print`` needs an error handler). A string is always text, also where it names
a file.
"""

from __future__ import annotations

import json
import os
import stat
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from numbers import Real
from pathlib import Path

from gliding.errors import InputError
from gliding.ingest.convert import Readers, convert_bytes, convert_text
from gliding.ingest.decode import decode
from gliding.ingest.kinds import kind_of_name
from gliding.types import Document

_BY_NAME = frozenset(("markdown", "log", "code", "csv", "tsv", "yaml", "toml", "xml", "diff"))
"""Kinds that a file's name decides; of the others the content tells more."""
_READERS = Readers()
_STDIN = "-"
_WANTED = "Give a string, a pathlib.Path, bytes, a Document, a mapping with 'text', or a list of these."


def read(source: object, *, kind: str = "", readers: Readers = _READERS) -> tuple[Document, ...]:
    """Return the documents of a source.

    Pages of HTML and mails come out as text: files and bytes by their content, a string where it is a whole page, and
    whatever ``kind`` calls ``html`` or ``mail``. A mail may become several documents.

    Args:
        source: A string (text, never a file's name), a ``pathlib.Path``, bytes, a ``Document``, a mapping, or an
            iterable of these, mixed. A mapping has ``text`` (or ``content``, as chat messages do) and optionally
            ``id``, ``title``, ``role``, ``time``, ``turn``, ``kind``, ``criticality``; None is as good as absent,
            other keys are ignored. ``id``, ``time`` and ``turn`` may be numbers, ``time`` a date or a datetime.
            Where there are several items, a file's path is its title. Chat messages of which one calls a tool, or
            holds blocks instead of a string, are one document of kind ``messages``: JSON, as what comes out of it.
        kind: The kind of the documents that do not state their own.
        readers: What reads formats that are not text.

    Raises:
        InputError: a file that cannot be read or is not text; a value of the wrong type, with its position.
        MissingExtra: a library that a file needs is not installed.

    >>> [document.text for document in read(["one", {"content": "two", "role": "user", "turn": 2}])]
    ['one', 'two']
    """
    if _is_item(source):
        return _documents(source, kind, readers, where="The source", titled=False)
    if not isinstance(source, Iterable):
        raise InputError(f"The source is {_a(source)}.", hint=_WANTED)
    items = list(source)
    if _are_rich(items):
        return (_chat(items),)
    titled = len(items) > 1
    return tuple(
        document
        for position, item in enumerate(items)
        for document in _documents(item, kind, readers, where=f"Item {position} of the source", titled=titled)
    )


def _are_rich(items: Sequence[object]) -> bool:
    """Whether these are chat messages that say more than a role and a text: calls of tools, blocks."""
    messages = [item for item in items if isinstance(item, Mapping) and "role" in item and "text" not in item]
    return len(messages) == len(items) > 0 and any(
        "tool_calls" in message or isinstance(message.get("content"), list) for message in messages
    )


def _chat(messages: Sequence[object]) -> Document:
    try:
        return Document(text=json.dumps(messages, ensure_ascii=False), kind="messages")
    except (TypeError, ValueError) as error:
        raise InputError(
            f"The messages hold what is no JSON: {error}.", hint="Give plain dicts, lists, strings and numbers."
        ) from error


def read_bytes(data: bytes, *, name: str = "", kind: str = "", readers: Readers = _READERS) -> tuple[Document, ...]:
    """Return the documents that ``data`` holds: one, or those of a mail.

    ``name`` becomes their id and, by its suffix, tells the kind where the content does not.

    Raises:
        InputError: binary data, or an unknown encoding.
        MissingExtra: a library that the format needs is not installed.

    >>> read_bytes(b"# Title", name="notes.md")[0].kind
    'markdown'
    """
    return _from_bytes(data, name, kind, "", readers)


def read_paths(paths: Sequence[str | Path], *, kind: str = "", readers: Readers = _READERS) -> tuple[Document, ...]:
    """Return the documents of each file, ``-`` for standard input; of several files the path is also the title.

    Raises:
        InputError: a file that is missing, a folder, unreadable or not text; standard input named twice or closed.
        MissingExtra: a library that a file needs is not installed.
    """
    if [str(path) for path in paths].count(_STDIN) > 1:
        raise InputError("Standard input is named twice.", hint="Give - once.")
    titled = len(paths) > 1
    return tuple(
        document
        for path in paths
        for document in (
            _stdin(kind, titled, readers) if str(path) == _STDIN else _file(Path(path), kind, titled, readers)
        )
    )


def guess_kind(name: str) -> str:
    """Return the kind of text that a file's name says for sure; empty where its content has to tell.

    >>> guess_kind("README.md"), guess_kind("a/b.PY"), guess_kind("c.csv"), guess_kind("notes.txt")
    ('markdown', 'code', 'csv', '')
    """
    kind = kind_of_name(name)
    return kind if kind in _BY_NAME else ""


def _is_item(source: object) -> bool:
    return isinstance(source, (str, bytes, bytearray, memoryview, Path, Document, Mapping))


def _documents(item: object, kind: str, readers: Readers, *, where: str, titled: bool) -> tuple[Document, ...]:
    if isinstance(item, Path):
        return _file(item, kind, titled, readers)
    if isinstance(item, (bytes, bytearray, memoryview)):
        data = bytes(item)
        found = convert_bytes(data, name="", kind=kind, title="", readers=readers)
        return found or (Document(text=decode(data, name=where), kind=kind),)
    if isinstance(item, str):
        return convert_text(item, kind=kind, readers=readers) or (Document(text=item, kind=kind),)
    if isinstance(item, Document):
        _check_document(item, where)
        document = item if item.kind or not kind else replace(item, kind=kind)
    elif isinstance(item, Mapping):
        document = _from_mapping(item, kind, where)
    else:
        raise InputError(f"{where} is {_a(item)}.", hint=_WANTED)
    if document.kind not in ("html", "mail"):
        return (document,)
    return tuple(
        _labelled(found, document) for found in convert_text(document.text, kind=document.kind, readers=readers)
    )


def _labelled(found: Document, given: Document) -> Document:
    """A converted document with what the caller said of it."""
    return replace(
        found,
        id=given.id,
        title=given.title or found.title,
        role=given.role or found.role,
        time=given.time or found.time,
        turn=given.turn,
        criticality=found.criticality if given.criticality is None else given.criticality,
    )


def _from_mapping(item: Mapping[object, object], kind: str, where: str) -> Document:
    key = "text" if item.get("text") is not None or "content" not in item else "content"
    text = item.get(key)
    if not isinstance(text, str):
        what = _a(text) if key in item else "missing"
        raise InputError(
            f"{where}: {key!r} is {what}.", hint="A mapping needs its text, a string, as 'text' or 'content'."
        )
    return Document(
        text=text,
        id=_string(item, "id", where, number=True),
        title=_string(item, "title", where),
        role=_string(item, "role", where),
        time=_string(item, "time", where, number=True),
        turn=_string(item, "turn", where, number=True),
        kind=_string(item, "kind", where) or kind,
        criticality=_criticality(item.get("criticality"), where),
    )


def _string(item: Mapping[object, object], key: str, where: str, *, number: bool = False) -> str:
    value = item.get(key)
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if number and isinstance(value, Real) and not isinstance(value, bool):
        return str(value)
    if key == "time" and isinstance(value, date):  # a datetime is one too
        return value.isoformat()
    wanted = "a string or a number" if number else "a string"
    raise InputError(f"{where}: {key!r} is {_a(value)}.", hint=f"Give {wanted}.")


def _criticality(value: object, where: str) -> float | None:
    if value is None:
        return None
    if isinstance(value, Real) and not isinstance(value, bool) and 0.0 <= float(value) <= 1.0:
        return float(value)
    raise InputError(f"{where}: 'criticality' is {value!r}.", hint="Give a number from 0 to 1.")


def _check_document(document: Document, where: str) -> None:
    if not isinstance(document.text, str):
        raise InputError(f"{where}: 'text' is {_a(document.text)}.", hint="A Document's text is a string.")
    _criticality(document.criticality, where)


def _file(path: Path, kind: str, titled: bool, readers: Readers) -> tuple[Document, ...]:
    name = str(path)
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise InputError(f"{name} is a folder.", hint=f"Give the files in it, for instance: {path / '*.txt'}")
        # A pipe is what a shell's <(...) gives. Other devices may never end.
        if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode) or name == os.devnull):
            raise InputError(f"{name} is neither a file nor a pipe.", hint="Give a text file, or - for standard input.")
        data = path.read_bytes()
    except FileNotFoundError as error:
        raise InputError(f"There is no file {name!r}.", hint="Check the path.") from error
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        reason = error.strerror if isinstance(error, OSError) else error
        raise InputError(f"{name!r} cannot be read: {reason}.", hint="Check the path and its permissions.") from error
    return _from_bytes(data, name, kind, name if titled else "", readers)


def _stdin(kind: str, titled: bool, readers: Readers) -> tuple[Document, ...]:
    if sys.stdin is None:
        raise InputError("Standard input is closed.", hint="Pipe a text in, or give a file.")
    name = "standard input"
    return _from_bytes(sys.stdin.buffer.read(), name, kind, name if titled else "", readers)


def _from_bytes(data: bytes, name: str, kind: str, title: str, readers: Readers) -> tuple[Document, ...]:
    known = kind or guess_kind(name)
    found = convert_bytes(data, name=name, kind=known, title=title, readers=readers)
    return found or (Document(text=decode(data, name=name), id=name, title=title, kind=known),)


def _a(value: object) -> str:
    return "None" if value is None else f"of type {type(value).__name__}"
