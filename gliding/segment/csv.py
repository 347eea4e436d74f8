"""Tables as text, comma-, semicolon- or tab-separated: whole rows under their header."""

from __future__ import annotations

import csv
import re
from io import StringIO
from itertools import islice

from gliding.segment.lines import ends_like_prose
from gliding.types import Frame, Segment, Span

_DELIMITERS = ",\t;|"
_LOOKED_AT = 60  # rows
_SAMPLE = 60_000  # characters
_NUMBER = re.compile(r"[-+]?[\d.,]+%?$")


def is_csv(text: str) -> bool:
    r"""Say whether a text is a table with a header: rows of one number of fields, three or more, and names on top.

    >>> is_csv("id,name,city\n1,Ada,Ghent\n2,Bo,Lyon\n3,Cy,Oslo\n")
    True
    >>> is_csv("One, two, three.\nFour, five.\nSix.\nSeven.")
    False
    """
    sample = text[:_SAMPLE]
    head = sample.split("\n", 1)[0]
    delimiter = _delimiter(head)
    if head.count(delimiter) < 2 or head.startswith(delimiter):
        return False
    try:
        rows = list(islice((row for row in csv.reader(StringIO(sample), delimiter=delimiter) if row), _LOOKED_AT))
    except csv.Error:
        return False
    if len(rows) == _LOOKED_AT or len(text) > _SAMPLE:
        rows = rows[:-1]  # the last may have been cut
    names = [name.strip() for name in rows[0]]
    prose = sum(ends_like_prose(line) for line in sample.split("\n", _LOOKED_AT)[:_LOOKED_AT])
    plain = all(name and len(name) <= 60 and not _NUMBER.match(name) for name in names)
    return (
        len(rows) > 3
        and plain
        and 2 * prose < len(rows)
        and len(set(names)) == len(names)
        and all(len(row) == len(names) for row in rows)
    )


def cut_csv(text: str, document: int) -> list[Segment]:
    """Return one segment of kind ``record`` for each row under the header, which stands around all of them."""
    row = _row(_delimiter(text[: text.find("\n") + 1 or None]))
    rows = [Span(*found.span()) for found in row.finditer(text) if found[0].strip()]
    if len(rows) < 2:
        return []
    around = Frame(rows[0], Span(len(text), len(text)))
    return [Segment(document, row, "record", (row,), frame=around) for row in rows[1:]]


def _delimiter(head: str) -> str:
    return max(_DELIMITERS, key=head.count)


def _row(delimiter: str) -> re.Pattern[str]:
    """What finds a row: it ends at a line break outside of quotes, and only the first character of a field opens them.

    Each alternative begins with another character, so it is linear.
    """
    rest = rf"[^{re.escape(delimiter)}\r\n]*"
    field = rf'(?:"(?:[^"]|"")*(?:"|\Z){rest}|(?!"){rest})'
    return re.compile(rf"{field}(?:{re.escape(delimiter)}{field})*")
