"""Where results go: one file a document, or one table of all rows; whole or not at all, and never over an input."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, NamedTuple, Protocol
from unicodedata import normalize

from gliding.batch.items import Row
from gliding.errors import InputError

MANIFEST = ".gliding-batch.sqlite"
"""The name of a manifest in its folder; beside a table the table's name stands before it."""
TABLES = (".jsonl", ".ndjson", ".jsonl.gz", ".parquet")
"""Suffixes of outputs that hold all rows in one file."""

_BECOMES_TEXT = {".html": ".md", ".htm": ".md", ".xhtml": ".md", ".eml": ".txt", ".pdf": ".txt", ".docx": ".md"}
_UNSAFE = frozenset('<>:"|?*\\%~/') | frozenset(map(chr, (*range(32), 127)))
_DEVICES = frozenset(("con", "prn", "aux", "nul", *(f"{name}{n}" for name in ("com", "lpt") for n in range(1, 10))))
_LONGEST = 200  # bytes of one part of a path: most file systems take 255
_FRONT = 160


class Written(NamedTuple):
    """What a file held when it was written."""

    size: int
    digest: str


class Recorded(Protocol):
    """What is known of a file from when it was written."""

    @property
    def size(self) -> int:
        """Bytes."""
        ...

    @property
    def digest(self) -> str:
        """The hash of the content."""
        ...


class Folder:
    """One file a document under ``root``, which is made where it is not there.

    Raises:
        InputError: ``root`` is a file, or an input lies in it and could be overwritten.
    """

    def __init__(self, root: str | Path, *, inputs: Sequence[str | Path] = ()) -> None:
        self.root = Path(root)
        if self.root.exists() and not self.root.is_dir():
            raise InputError(
                f"--out {str(root)!r} is a file.", hint=f"Give a folder, or a file that ends in {', '.join(TABLES)}."
            )
        real = self.root.resolve()
        for given in inputs:
            if _is_local(given) and Path(given).resolve().is_relative_to(real):
                raise InputError(
                    f"The input {str(given)!r} lies in the output folder {str(root)!r}.", hint="Give another --out."
                )
        self.manifest = self.root / MANIFEST
        self._one_case: bool | None = None  # seen by the manifest, which is there before the first file
        self._names: dict[str, str] = {}

    def place(self, item_id: str, source: str) -> str:
        """Return the name of a document's file below the root: the same one each time, another for each document.

        A file, or a member of an archive, is its own source; a row is not. Names that differ only in capitals are two:
        ``write`` refuses the second where the file system takes them for one.

        >>> Folder("out").place("guide/a.md", "guide/a.md"), Folder("out").place("a/../b:c", "rows.jsonl")
        ('guide/a.md', 'rows.jsonl/a%2F..%2Fb%3Ac.txt')
        """
        if item_id != source:  # a row: what its id holds is no path
            return "/".join(map(_part, (*source.split("/"), f"{item_id}.txt")))
        above, slash, last = item_id.rpartition("/")
        name = _part(f"{last}{_BECOMES_TEXT.get(Path(last).suffix.lower(), '')}")
        stem, _, suffix = last.rpartition(".")
        if f".{suffix}" == _BECOMES_TEXT.get(Path(stem).suffix.lower()):  # page.html.md beside page.html
            name = f"{_part(stem)}~{suffix}"
        return "/".join([*map(_part, above.split("/")), name]) if slash else name

    def write(self, name: str, row: Row) -> Written:
        """Write the text of a row to a file, whole or not at all.

        Raises:
            InputError: A link leads out of the folder, or the file system takes the name for that of another document.
            OSError: The file cannot be written.
        """
        target = self.root / name
        if (first := self._first(name)) != name:
            raise InputError(f"{name} would replace {first}: here they are one file.", hint="Name one of them anew.")
        if not target.parent.resolve().is_relative_to(self.root.resolve()):
            raise InputError(f"{name} leads out of the output folder by a link.", hint="Remove the link.")
        target.parent.mkdir(parents=True, exist_ok=True)
        data = row.text.encode("utf-8", "backslashreplace")
        with replacing(target) as file:
            file.write(data)
        return Written(len(data), _digest(data))

    def intact(self, name: str, written: Recorded) -> bool:
        """Say whether a file still holds what was written."""
        path = self.root / name
        try:
            same = path.stat().st_size == written.size and _digest(path.read_bytes()) == written.digest
        except OSError:
            return False
        return same and self._first(name) == name

    def _first(self, name: str) -> str:
        """The first document's name of those that are one file where capitals, or forms of an accent, do not count."""
        if self._one_case is None:
            self._one_case = self.manifest.with_name(MANIFEST.upper()).exists()
        return self._names.setdefault(normalize("NFC", name).casefold(), name) if self._one_case else name


class Table:
    """All rows in one file, JSON Lines or Parquet by its suffix.

    Raises:
        InputError: The suffix is another one, the folder is not there, the file is an input, or it is there already
            and does not come from a batch (``force`` replaces it).
    """

    def __init__(self, path: str | Path, *, inputs: Sequence[str | Path] = (), force: bool = False) -> None:
        self.path = Path(os.path.realpath(path))
        if not is_table(self.path):
            raise InputError(f"--out {str(path)!r} names no table.", hint=f"Its suffix is one of {', '.join(TABLES)}.")
        if not self.path.parent.is_dir():
            raise InputError(f"The folder of --out {str(path)!r} is not there.", hint="Make it first.")
        self.manifest = self.path.with_name(f".{self.path.name}{MANIFEST}")
        if self.path.exists():
            if any(_is_local(given) and Path(given).exists() and self.path.samefile(given) for given in inputs):
                raise InputError(f"--out {str(path)!r} is an input.", hint="Give another --out.")
            if not self.manifest.exists() and not force:
                raise InputError(f"--out {str(path)!r} is there and is not from a batch.", hint="Use --force.")

    def write_all(self, rows: Iterable[Row]) -> None:
        """Write the file, whole or not at all; no more than some rows are in memory."""
        with replacing(self.path) as file:
            if self.path.suffix == ".parquet":
                from gliding.backends.parquet import write_rows

                write_rows(file, (arrow_values(row) for row in rows))
            elif self.path.suffix == ".gz":
                # no name and no time in it: the same rows, the same bytes
                with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as packed:
                    _write_lines(packed.write, rows)
            else:
                _write_lines(file.write, rows)


class Stream:
    """All rows as JSON Lines on a binary stream, in the input's order; nothing is remembered for a next run."""

    manifest = None

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream

    def write_all(self, rows: Iterable[Row]) -> None:
        """Write the rows."""
        _write_lines(self._stream.write, rows)
        self._stream.flush()


def is_table(path: str | Path) -> bool:
    """Say whether a path names one file for all rows, by its suffix; a folder of that name is a folder.

    >>> is_table("out.jsonl"), is_table("out.jsonl.gz"), is_table("out")
    (True, True, False)
    """
    return str(path).lower().endswith(TABLES) and not Path(path).is_dir()


@contextmanager
def replacing(target: Path) -> Iterator[IO[bytes]]:
    """Open a new file that takes the target's place at the end of the block; after an error the target is as it was.

    Its name is the same each time, so that what a killed run has left is gone when the next one has written the file.
    """
    partial = target.with_name(f".gliding-{_digest(os.fsencode(target.name))[:16]}.tmp")
    try:
        with suppress(FileNotFoundError):
            partial.unlink()  # a link that somebody put there must not be followed
        with partial.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, target)
    except BaseException:
        with suppress(OSError):
            partial.unlink()
        raise


def _write_lines(write: Callable[[bytes], object], rows: Iterable[Row]) -> None:
    for row in rows:
        line = json.dumps(row.to_dict(), ensure_ascii=False)
        # a lone surrogate has no UTF-8 form; JSON has one for it
        write(line.encode("utf-8", "backslashreplace") + b"\n")


def arrow_values(row: Row) -> dict[str, object]:
    """Return the values of a row for Parquet, whose strings are UTF-8."""
    values = row.to_dict()
    values["audit"] = "" if row.audit is None else json.dumps(row.audit, ensure_ascii=False)
    for name in ("id", "source", "text", "error", "audit"):
        values[name] = _encodable(values[name])
    values["warnings"] = [_encodable(warning) for warning in row.warnings]
    values["spans"] = [span._asdict() for span in row.spans]
    return values


def _encodable(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _part(part: str) -> str:
    """One part of a path that every file system takes; two different ones never become the same."""
    if not part:
        return "%"
    chars = [f"%{ord(char):02X}" if char in _UNSAFE or "\ud800" <= char <= "\udfff" else char for char in part]
    if part[0] == ".":
        chars[0] = "%2E"  # nothing is hidden, and nothing leads up
    if part[-1] in ". ":
        chars[-1] = f"%{ord(part[-1]):02X}"
    stem = part.split(".", 1)[0].lower()
    if stem in _DEVICES:
        chars[0] = f"%{ord(part[0]):02X}"
    safe = "".join(chars)
    if len(safe.encode()) <= _LONGEST:
        return safe
    front = safe.encode()[:_FRONT].decode("utf-8", "ignore")
    return f"{front}~{hashlib.blake2b(part.encode('utf-8', 'surrogatepass'), digest_size=12).hexdigest()}"


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=20).hexdigest()


def _is_local(given: str | Path) -> bool:
    return str(given) != "-" and "://" not in str(given)
