"""Tables as streams of rows: JSON Lines, CSV and Parquet, a text, an id and maybe a query in each."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import IO, Any, NamedTuple

from gliding.errors import InputError
from gliding.ingest.decode import decode

SUFFIXES = (".jsonl", ".ndjson", ".csv", ".tsv", ".parquet")
TEXTS = ("text", "content", "document", "body", "page_content")
"""Columns that hold the text where none is named, in this order."""

_IDS = ("id",)
_QUERIES = ("query", "question")
_LONGEST = 256 << 20  # bytes of a line
_SAMPLE = 1 << 20


class Cells(NamedTuple):
    """What a batch takes of a row; ``number`` counts from 1, ``error`` says why the row cannot be used."""

    number: int
    id: str
    text: str = ""
    query: str = ""
    error: str = ""


class Columns(NamedTuple):
    """The names of the columns that a user gave, empty where none."""

    text: str = ""
    id: str = ""
    query: str = ""

    def found(self, names: Sequence[str], where: str) -> Columns:
        """Return the columns that are there; id and query may be empty.

        Raises:
            InputError: A column that was named is not there, or none holds the text.
        """
        for name in self:
            if name and name not in names:
                raise InputError(f"{where} has no column {name!r}.", hint=f"It has: {_list(names)}.")
        text = self.text or next((name for name in TEXTS if name in names), "")
        if not text:
            raise InputError(
                f"{where} has no column {_list(TEXTS)}.", hint=f"Give --text-column; it has: {_list(names)}."
            )
        return Columns(
            text,
            self.id or next((name for name in _IDS if name in names), ""),
            self.query or next((name for name in _QUERIES if name in names), ""),
        )


def json_rows(file: IO[bytes], columns: Columns, where: str) -> Iterator[Cells]:
    """Yield the rows of JSON Lines; blank lines are none.

    Raises:
        InputError: The first row is no object, or has no column with a text.
    """
    found: Columns | None = None
    for number, line in enumerate(_lines(file), 1):
        if not line.strip():
            continue
        if len(line) > _LONGEST:
            yield Cells(number, str(number), error=f"The line is longer than {_LONGEST >> 20} MiB.")
            continue
        try:
            row = json.loads(line.decode("utf-8-sig" if number == 1 else "utf-8"))
        except (ValueError, RecursionError) as error:
            yield Cells(number, str(number), error=f"The line is no JSON: {error}")
            continue
        if found is None:
            if not isinstance(row, dict):
                raise InputError(f"{where} is no table: its first row is no object.", hint="Each line is one object.")
            found = columns.found([str(name) for name in row], where)
        if isinstance(row, dict):
            # what is no text in the first row's columns may be there under another of the usual names
            names = found if found.text in row or columns.text else _usual(row, found)
            yield cells(number, names, row)
        else:
            yield Cells(number, str(number), error="The row is no object.")


def csv_rows(file: IO[bytes], columns: Columns, where: str, *, tabs: bool = False) -> Iterator[Cells]:
    """Yield the rows of a table with a header; the encoding and the mark between cells are told by its beginning.

    Raises:
        InputError: There is no column with a text, or the file is no text.
    """
    sample = file.read(_SAMPLE)
    encoding = _encoding(sample, where)
    head = sample.decode(encoding, "replace").partition("\n")[0]
    mark = "\t" if tabs else max(",;\t|", key=lambda one: (head.count(one), one == ","))
    text = io.TextIOWrapper(io.BufferedReader(_Again(sample, file)), encoding=encoding, errors="replace", newline="")
    csv.field_size_limit(max(csv.field_size_limit(), _LONGEST))
    rows = csv.reader(text, delimiter=mark)
    try:
        header = next(rows, [])
        found = columns.found(header, where)
        needed = max(header.index(name) for name in found if name)
        for number, row in enumerate(rows, 1):
            if not row:
                continue
            if len(row) <= needed:
                yield Cells(number, str(number), error=f"The row has {len(row)} of {len(header)} cells.")
            else:
                yield cells(number, found, dict(zip(header, row, strict=False)))
    except csv.Error as error:
        raise InputError(f"{where} is no table that can be read: {error}.", hint="Check its quotes.") from error


def parquet_rows(file: Any, columns: Columns, where: str) -> Iterator[Cells]:
    """Yield the rows of a Parquet file, an open one or a path.

    Raises:
        InputError: There is no column with a text, or the file is damaged.
        MissingExtra: ``pyarrow`` is not installed.
    """
    from gliding.backends.parquet import column_names, read_rows

    found = columns.found(column_names(file), where)
    names = [name for name in found if name]
    for number, values in enumerate(read_rows(file, names), 1):
        yield cells(number, found, dict(zip(names, values, strict=True)))


def cells(number: int, columns: Columns, row: dict[str, Any]) -> Cells:
    """Return what a batch takes of a row; ``columns`` are those that are there."""
    given = row.get(columns.id) if columns.id else None
    name = (
        str(number)
        if given is None or given == ""
        else given
        if isinstance(given, str)
        else json.dumps(given, default=str)
    )
    text, query = row.get(columns.text), row.get(columns.query) if columns.query else None
    if not isinstance(text, str):
        what = "missing" if text is None else f"of type {type(text).__name__}, not a text"
        return Cells(number, name, error=f"{columns.text!r} is {what}.")
    return Cells(number, name, text, query if isinstance(query, str) else "")


def _usual(row: dict[str, Any], found: Columns) -> Columns:
    return found._replace(text=next((name for name in TEXTS if name in row), found.text))


def _lines(file: IO[bytes]) -> Iterator[bytes]:
    """The lines of a file; of one that is too long no more than shows that it is."""
    while line := file.readline(_LONGEST + 1):
        yield line
        while len(line) > _LONGEST and not line.endswith(b"\n"):
            line = file.readline(_LONGEST + 1)
            if not line:
                return


def _encoding(sample: bytes, where: str) -> str:
    """The encoding of a file by its beginning: UTF-8, else what a byte order mark or single bytes say."""
    if sample.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    try:
        sample[: max(0, len(sample) - 4)].decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start < len(sample) - 8:
            decode(sample, name=where)  # binary data has its error there
            return "cp1252" if not _chinese(sample) else "gb18030"
    return "utf-8-sig"


def _chinese(sample: bytes) -> bool:
    try:
        return decode(sample) == sample.decode("gb18030")
    except UnicodeDecodeError:
        return False


class _Again(io.RawIOBase):
    """A stream whose beginning was read already."""

    def __init__(self, head: bytes, rest: IO[bytes]) -> None:
        self._head, self._rest = head, rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        part = self._head[: len(buffer)] or self._rest.read(len(buffer))
        self._head = self._head[len(part) :] if self._head else b""
        buffer[: len(part)] = part
        return len(part)


def _list(names: Iterable[str]) -> str:
    shown = [repr(name) for name in names]
    return ", ".join(shown[:20]) + (" ..." if len(shown) > 20 else "") if shown else "none"
