"""What a user gives, texts, files, passages, chat turns, bytes, becomes a tuple of Documents.

Texts are taken as they are: a lone surrogate in a ``str`` is kept, and it is the caller's to write it out (it has no
UTF-8 form; ``json.dumps`` escapes it, ``print`` needs an error handler). A string is always text, also where it names
a file.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from numbers import Real
from pathlib import Path

from gliding.errors import InputError
from gliding.ingest.decode import decode
from gliding.types import Document

_KINDS = {".md": "markdown", ".markdown": "markdown", ".log": "log"}
_CODE = (
    *(".bash", ".c", ".cc", ".cpp", ".cs", ".go", ".h", ".hpp", ".java", ".js", ".jsx", ".kt", ".lua", ".php", ".pl"),
    *(".py", ".pyi", ".r", ".rb", ".rs", ".scala", ".sh", ".sql", ".swift", ".ts", ".tsx", ".zig"),
)
_KINDS.update(dict.fromkeys(_CODE, "code"))

_STDIN = "-"
_WANTED = "Give a string, a pathlib.Path, bytes, a Document, a mapping with 'text', or a list of these."


def read(source: object, *, kind: str = "") -> tuple[Document, ...]:
    """Return the documents of a source.

    Args:
        source: A string (text, never a file's name), a ``pathlib.Path``, bytes, a ``Document``, a mapping, or an
            iterable of these, mixed. A mapping has ``text`` (or ``content``, as chat messages do) and optionally
            ``id``, ``title``, ``role``, ``time``, ``turn``, ``kind``, ``criticality``; None is as good as absent,
            other keys are ignored. ``id``, ``time`` and ``turn`` may be numbers, ``time`` a date or a datetime.
            Where there are several items, a file's path is its title.
        kind: The kind of the documents that do not state their own.

    Raises:
        InputError: a file that cannot be read or is not text; a value of the wrong type, with its position.

    >>> [document.text for document in read(["one", {"content": "two", "role": "user", "turn": 2}])]
    ['one', 'two']
    """
    if _is_item(source):
        return (_document(source, kind, where="The source", titled=False),)
    if not isinstance(source, Iterable):
        raise InputError(f"The source is {_a(source)}.", hint=_WANTED)
    items = list(source)
    titled = len(items) > 1
    return tuple(
        _document(item, kind, where=f"Item {position} of the source", titled=titled)
        for position, item in enumerate(items)
    )


def read_bytes(data: bytes, *, name: str = "", kind: str = "") -> tuple[Document, ...]:
    """Return the one document that ``data`` holds; ``name`` becomes its id and, by its suffix, its kind.

    Raises:
        InputError: binary data, or an unknown encoding.

    >>> read_bytes(b"# Title", name="notes.md")[0].kind
    'markdown'
    """
    return (Document(text=decode(data, name=name), id=name, kind=kind or guess_kind(name)),)


def read_paths(paths: Sequence[str | Path], *, kind: str = "") -> tuple[Document, ...]:
    """Return one document for each file, ``-`` for standard input; where there are several, a path is also the title.

    Raises:
        InputError: a file that is missing, a folder, unreadable or not text; standard input named twice or closed.
    """
    if [str(path) for path in paths].count(_STDIN) > 1:
        raise InputError("Standard input is named twice.", hint="Give - once.")
    titled = len(paths) > 1
    return tuple(_stdin(kind, titled) if str(path) == _STDIN else _file(Path(path), kind, titled) for path in paths)


def guess_kind(name: str) -> str:
    """Return the kind of text that a file's name says: ``markdown``, ``log``, ``code`` or nothing.

    >>> guess_kind("README.md"), guess_kind("a/b.PY"), guess_kind("notes.txt")
    ('markdown', 'code', '')
    """
    return _KINDS.get(Path(name).suffix.lower(), "")


def _is_item(source: object) -> bool:
    return isinstance(source, (str, bytes, bytearray, memoryview, Path, Document, Mapping))


def _document(item: object, kind: str, *, where: str, titled: bool) -> Document:
    if isinstance(item, Document):
        _check_document(item, where)
        return item if item.kind or not kind else replace(item, kind=kind)
    if isinstance(item, str):
        return Document(text=item, kind=kind)
    if isinstance(item, Path):
        return _file(item, kind, titled)
    if isinstance(item, (bytes, bytearray, memoryview)):
        return Document(text=decode(bytes(item), name=where), kind=kind)
    if isinstance(item, Mapping):
        return _from_mapping(item, kind, where)
    raise InputError(f"{where} is {_a(item)}.", hint=_WANTED)


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


def _file(path: Path, kind: str, titled: bool) -> Document:
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
    return _named(data, name, kind, name if titled else "")


def _stdin(kind: str, titled: bool) -> Document:
    if sys.stdin is None:
        raise InputError("Standard input is closed.", hint="Pipe a text in, or give a file.")
    return _named(sys.stdin.buffer.read(), "standard input", kind, "standard input" if titled else "")


def _named(data: bytes, name: str, kind: str, title: str) -> Document:
    return replace(read_bytes(data, name=name, kind=kind)[0], title=title)


def _a(value: object) -> str:
    return "None" if value is None else f"of type {type(value).__name__}"
