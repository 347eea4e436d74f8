"""TOML, INI, .env and .properties: pairs under the headers of their tables, so that what comes out is read alike.

It reads where pairs stand and builds no value. A table in an array of tables stands below the header of its element.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from gliding.types import Frame, Segment, Span

_LARGEST = 50_000_000  # characters of a text that is looked at
_DEEPEST = 40  # parts of a table's name
_LEAD = 80  # characters of the first pair of an element up to which it goes with every part of it
_FEWEST = 3  # pairs of a text without headers that is taken for settings
_BLANK = re.compile(r"[ \t\r]*(?=\n|\Z)")
_REST = re.compile(r"[ \t]*(?:#[^\n]*)?\r?(?=\n|\Z)")  # what may follow a value on its line
_NAME = r"""(?:[\w-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')"""
_KEY = rf"{_NAME}(?:[ \t]*\.[ \t]*{_NAME})*"
_PART = re.compile(_NAME)
_TABLE = re.compile(rf"\[[ \t]*({_KEY})[ \t]*\]|\[\[[ \t]*({_KEY})[ \t]*\]\]")
_PAIR = re.compile(rf"{_KEY}[ \t]*=[ \t]*")
_VALUE = re.compile(r"""["'\[{]|true\b|false\b|[-+]?(?:inf|nan)\b|[-+]?\d[\w.:+-]*(?: \d\d:[\w.:+-]+)?""")
# Each alternative begins with other characters than a wrong one could end with, so a text is gone through once.
_STRING = re.compile(
    r'"""(?:[^"\\]|\\[\s\S]|"(?!""))*"""+|'
    r"'''(?:[^']|'(?!''))*'''+|"
    r'"(?:[^"\\\n]|\\.)*"|'
    r"'[^'\n]*'"
)
_NESTED = re.compile(rf"{_STRING.pattern}|#[^\n]*|[\[\]{{}}\"']")
_SECTION = re.compile(r"\[([^\]\r\n]+)\][ \t\r]*(?:[#;][^\n]*)?(?=\n|\Z)")
_SETTING = re.compile(r"(?:export[ \t]+)?([\w.%@$/*:+\[\]-]+)[ \t]*=(?!=)")
# Without any section: KEY=value, or a.dotted.key = value.
_BARE_SETTING = re.compile(r"(?:export[ \t]+)?[A-Za-z_][\w-]*(?:=|(?:\.[\w-]+)+[ \t]*=)")


@dataclass(slots=True)
class Pair:
    """A key, which stands ``at`` a place, with its value and the comments above it; without a key, comments alone."""

    span: Span
    at: int = 0
    key: str = ""


@dataclass(slots=True)
class Table:
    """A header with the comments above it, and its pairs; what stands above all headers is a table without one.

    ``path`` are the parts of its name; ``element`` says that it is an element of an array of tables; ``loose`` are
    comments above it that a blank line parts from it.
    """

    header: Span
    path: tuple[str, ...] = ()
    element: bool = False
    loose: Span | None = None
    pairs: list[Pair] = field(default_factory=list)

    def keyed(self) -> list[Pair]:
        """The pairs that are no comments alone."""
        return [pair for pair in self.pairs if pair.key]


def is_toml(text: str) -> bool:
    r"""Say whether a text is surely TOML: pairs with values as TOML has them, under a header or several of them.

    >>> is_toml('[a]\nb = "c"\n'), is_toml("[a]\nb = c\n"), is_toml("One = 1")
    (True, False, False)
    """
    tables = read_toml(text)
    return tables is not None and _is_enough(tables)


def is_ini(text: str) -> bool:
    r"""Say whether a text is surely settings: ``key = value`` under sections, or ``KEY=value`` without any.

    >>> is_ini("[a]\nb = c\n"), is_ini("A=1\nB=2\nC=x y\n"), is_ini("a=1 b=2\na=3 b=4\na=5 b=6\n")
    (True, True, False)
    """
    tables = read_ini(text)
    if tables is None or not _is_enough(tables):
        return False
    bare = tables[0].keyed()
    if len({pair.key for pair in bare}) < len(bare):
        return False  # a log has the same keys in each line
    return all(_BARE_SETTING.match(text, pair.at) for pair in bare)


def cut_toml(text: str, document: int, *, max_chars: int) -> list[Segment] | None:
    """Return the segments of TOML, one a pair, or an element of an array; None where it is not surely TOML."""
    tables = read_toml(text)
    return None if tables is None else _cut(text, document, tables, max_chars)


def cut_ini(text: str, document: int, *, max_chars: int) -> list[Segment] | None:
    """Return the segments of an INI file and its like, one a pair or a short section; None where it is none."""
    tables = read_ini(text)
    return None if tables is None else _cut(text, document, tables, max_chars)


# --- reading ---


class _Lines:
    """Goes through the lines of a text and collects its tables; comments go with what is below them."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = int(text.startswith("\ufeff"))
        self.tables = [Table(Span(self.at, self.at))]
        self._comments: list[tuple[int, int, bool]] = []

    def next(self) -> tuple[int, int] | None:
        """The start and the column of the next line that is neither blank nor a comment; None at the end."""
        while self.at < len(self.text):
            start = self.at
            while self.text[start : start + 1] in (" ", "\t"):
                start += 1
            if _BLANK.match(self.text, self.at):
                self._comments[-1:] = [(*comment[:2], True) for comment in self._comments[-1:]]
            elif self.text[start] in "#;":
                self._comments.append((start, self.line_end(start), False))
            else:
                return start, start - self.at
            self.skip(start)
        return None

    def skip(self, at: int) -> None:
        """Go to the line below a place."""
        stop = self.text.find("\n", at)
        self.at = stop + 1 if stop >= 0 else len(self.text)

    def line_end(self, at: int) -> int:
        """The end of a line without the white space there."""
        stop = self.text.find("\n", at)
        stop = stop if stop >= 0 else len(self.text)
        return at + len(self.text[at:stop].rstrip(" \t\r"))

    def table(self, at: int, path: tuple[str, ...], element: bool) -> None:
        start, loose = self._above(at)
        end = self.line_end(at)
        self.tables.append(Table(Span(start, end), path, element, loose))
        self.skip(end)

    def pair(self, at: int, end: int, key: str) -> None:
        start, loose = self._above(at)
        if loose is not None:
            self.tables[-1].pairs.append(Pair(loose))
        end = self.line_end(end)
        self.tables[-1].pairs.append(Pair(Span(start, end), at, key))
        self.skip(end)

    def goes_on(self, at: int) -> None:
        """Let a line be more of the pair above it, with the comments between."""
        self._comments = []
        pair = self.tables[-1].pairs[-1]
        end = self.line_end(at)
        pair.span = Span(pair.span.start, end)
        self.skip(end)

    def finish(self) -> list[Table]:
        if self._comments:
            self.tables[-1].pairs.append(Pair(Span(self._comments[0][0], self._comments[-1][1])))
        return self.tables

    def _above(self, at: int) -> tuple[int, Span | None]:
        """Where something starts with its comments, and the ones above these that a blank line parts from it."""
        comments, self._comments = self._comments, []
        apart = max((k for k, comment in enumerate(comments) if comment[2]), default=-1)
        loose = Span(comments[0][0], comments[apart][1]) if apart >= 0 else None
        return (comments[apart + 1][0] if comments[apart + 1 :] else at), loose


def read_toml(text: str) -> list[Table] | None:
    """Return the tables of a text, in order, the pairs without a header first; None where it is no TOML."""
    if len(text) > _LARGEST:
        return None
    lines = _Lines(text)
    while (found := lines.next()) is not None:
        start = found[0]
        if text[start] == ";":
            return None
        table = _TABLE.match(text, start)
        pair = None if table else _PAIR.match(text, start)
        if table and _REST.match(text, table.end()):
            path = tuple(part.strip("\"'") for part in _PART.findall(table[1] or table[2]))
            if len(path) > _DEEPEST:
                return None
            lines.table(start, path, table[2] is not None)
        elif pair and (end := _value_end(text, pair.end())) >= 0 and _REST.match(text, end):
            lines.pair(start, end, pair[0].rstrip("= \t"))
        else:
            return None
    return lines.finish()


def _value_end(text: str, at: int) -> int:
    """The end of a value, or -1."""
    first = _VALUE.match(text, at)
    if first is None:
        return -1
    if first[0] in "\"'":
        string = _STRING.match(text, at)
        return string.end() if string else -1
    if first[0] not in "[{":
        return first.end()
    depth = 0
    for found in _NESTED.finditer(text, at):
        mark = found[0]
        if mark in "\"'":  # one that is never closed
            return -1
        depth += (mark in "[{") - (mark in "]}")
        if depth == 0:
            return found.end()
    return -1


def read_ini(text: str) -> list[Table] | None:
    """Return the sections of an INI, .env or .properties file; None where it is none.

    A line that stands deeper than the pair above, or follows a backslash, is more of that pair.
    """
    if len(text) > _LARGEST:
        return None
    lines = _Lines(text)
    indent = 0
    broken = False
    while (found := lines.next()) is not None:
        start, column = found
        section = _SECTION.match(text, start)
        pair = _SETTING.match(text, start)
        if lines.tables[-1].pairs and (broken or column > indent):
            lines.goes_on(start)
        elif section:
            lines.table(start, (section[1],), False)
        elif pair:
            indent = column
            lines.pair(start, pair.end(), pair[1])
        else:
            return None
        broken = not section and text.endswith("\\", start, lines.line_end(start))
    return lines.finish()


def _is_enough(tables: Sequence[Table]) -> bool:
    pairs = sum(len(table.keyed()) for table in tables)
    return pairs >= (1 if len(tables) > 1 else _FEWEST)


# --- cutting ---


def _cut(text: str, document: int, tables: Sequence[Table], max_chars: int) -> list[Segment] | None:
    cutter = _Cutter(text, document, max_chars)
    for number, table in enumerate(tables):
        after = tables[number + 1].path if tables[number + 1 :] else ()
        below = len(after) > len(table.path) and after[: len(table.path)] == table.path
        if not cutter.table(table, hosts=table.element and below):
            return None
    return cutter.segments


class _Cutter:
    """Collects the segments of one text."""

    def __init__(self, text: str, document: int, max_chars: int) -> None:
        self.document, self.max_chars = document, max_chars
        self.segments: list[Segment] = []
        self.root = Frame(Span(0, 0), Span(len(text), len(text)))
        self.chain = self.root.chain()
        self.elements: dict[tuple[str, ...], Frame] = {}

    def table(self, table: Table, *, hosts: bool) -> bool:
        """Cut a table; one that ``hosts`` others is there where they are. False where another lies in between."""
        parent = self.parent(table)
        if parent not in self.chain:
            return False
        if table.loose is not None:
            self.add([table.loose], parent)
        keyed = table.keyed()
        if not table.path:
            self.pairs(table, self.root, 0)
            return True
        end = table.header.end
        lead = int(table.element and bool(keyed) and keyed[0].span.end - keyed[0].span.start <= _LEAD)
        frame = Frame(table.header, Span(end, end), parent=parent, name=keyed[0].span if lead else table.header)
        if table.element:
            self.elements[table.path] = frame
        if keyed or hosts:
            self.chain = frame.chain()
            self.pairs(table, frame, lead)
        else:
            self.chain = parent.chain()
            self.add([Span(table.header.start, max([end, *(pair.span.end for pair in table.pairs)]))], parent)
        return True

    def parent(self, table: Table) -> Frame:
        """The frame of the innermost element of an array that a table belongs to."""
        frame = self.root
        for length in range(1, len(table.path) + (not table.element)):
            below = self.elements.get(table.path[:length])
            if below is not None and below.parent is frame:
                frame = below
        return frame

    def pairs(self, table: Table, frame: Frame, lead: int) -> None:
        """Cut the pairs of a table: those of an element or a short table are one segment; comments alone stand apart.

        Where a table has no lead, comments go with the pair below, so that they are never all there is of it.
        """
        apart = lead > 0 or frame is self.root
        spans: list[Span] = []
        above = -1
        for pair in table.pairs:
            if pair.key or apart:
                spans.append(Span(pair.span.start if above < 0 else above, pair.span.end))
                above = -1
            elif above < 0:
                above = pair.span.start
        if above >= 0:  # comments at the end of the text
            self.chain = self.root.chain()
        size = sum(end - start for start, end in spans)
        if table.path and spans and (table.element or size <= self.max_chars):
            self.add(spans, frame, lead)
        else:
            for span in spans:
                self.add([span], frame)
        if above >= 0:
            self.add([table.pairs[-1].span], self.root)

    def add(self, spans: Sequence[Span], frame: Frame, lead: int = 0) -> None:
        whole = Span(spans[0].start, spans[-1].end)
        self.segments.append(Segment(self.document, whole, "record", tuple(spans), 0, -1, frame, lead))
