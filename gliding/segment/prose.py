"""Prose, markdown and mail: paragraphs, headings, items, quotes, fences, tables. Knows nothing of documents' roles."""

from __future__ import annotations

import re
from typing import NamedTuple

from gliding.text.sentences import sentence_spans
from gliding.types import Frame, Segment, SegmentKind, Span

_MARK = re.compile(
    r"""[^\S\n]*(?:
      (?P<blank>$)
    | (?P<fence>`{3,}|~{3,})
    | (?P<hash>\#{1,6})(?=[^\S\n]+\S)
    | (?P<quote>>)
    | (?P<rule>(?:=[^\S\n]*){3,}$|(?:-[^\S\n]*){3,}$|(?:\*[^\S\n]*){3,}$|(?:_[^\S\n]*){3,}$)
    | (?P<item>[-*+\u2022\u00b7\u2023\u25e6\u2013][^\S\n]+(?=\S)|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,4})[.)][^\S\n]+(?=\S))
    | (?P<table>\|)
    )""",
    re.VERBOSE,
)
_SEPARATOR = re.compile(r"[^\S\n]*\|?(?:\s*:?-{2,}:?\s*\|)+(?:\s*:?-{2,}:?)?\s*$")
_NUMBERED = re.compile(
    r"\s*(\d{1,2}(?:\.\d{1,2}){1,4}|[A-Z](?:\.\d{1,2}){1,3})\.?\s+[^\W\d_a-z]\S*(?:\s+\S+){0,10}\s*$"
)
_NUMBERED_ALONE = re.compile(r"\s*(?:\d{1,2}|[IVX]{1,5})\.?\s+[A-Z]\S*(?:\s+\S+){0,7}\s*$")
_WORDED = re.compile(
    r"\s*(?:chapter|section|part|appendix|article|exhibit|annex)\s+(?:\d+|[ivxlc]+|[a-z])\b[.:]?(?:\s+\S+){0,9}\s*$",
    re.IGNORECASE,
)
_BOLD = re.compile(r"\s*(?:\*\*|__)[^*_\n]{2,80}(?:\*\*|__):?\s*$")
_SENTENCE_END = re.compile(r"[.!?,;:\u3002\uff01\uff1f\uff0c\uff1b\u2026][\"')\]\u2019\u201d]*\s*$")
_COLUMNS = 150
"""A line longer than this was not wrapped: it is a paragraph."""
_BLANK = re.compile(r"\n[^\S\n]*\n")


class _Row(NamedTuple):
    """A line ``[start, end)`` with its break, and what its first characters mark it as."""

    start: int
    end: int
    mark: str


class _Builder:
    """Collects the segments of one document and knows the heading that each of them stands under."""

    def __init__(self, text: str, document: int, first: int, max_chars: int, framed: bool) -> None:
        self.text, self.document, self.first, self.max_chars, self.framed = text, document, first, max_chars, framed
        self.segments: list[Segment] = []
        self._heading = -1

    def add(
        self,
        start: int,
        end: int,
        kind: SegmentKind,
        *,
        level: int = 0,
        lines: bool = False,
        frame: Frame | None = None,
    ) -> None:
        spans = sentence_spans(self.text, start, end, max_chars=self.max_chars, lines=lines)
        if not spans:
            return
        span = Span(spans[0][0], spans[-1][1])
        self.segments.append(Segment(self.document, span, kind, tuple(spans), level, self._heading, frame))
        if kind == "heading":
            self._heading = self.first + len(self.segments) - 1


def cut_prose(text: str, document: int, *, first: int, max_chars: int, framed: bool = True) -> list[Segment]:
    """Return the segments of a text; ``first`` is the index that the first of them will have in the whole list.

    Where it is ``framed``, a table's head and a fence's marks stand around its lines; else they are lines among them.
    """
    build = _Builder(text, document, first, max_chars, framed)
    rows = _rows(text)
    at = 0
    while at < len(rows):
        row = rows[at]
        if row.mark == "blank":
            at += 1
        elif row.mark == "hash":
            depth = text[row.start : row.end].lstrip()
            build.add(row.start, row.end, "heading", level=len(depth) - len(depth.lstrip("#")))
            at += 1
        elif row.mark == "fence":
            at = _fence(build, rows, at)
        elif row.mark == "quote":
            at = _run(build, rows, at, "quote", "paragraph")
        elif row.mark == "table" or _opens_table(text, rows, at):
            at = _table(build, rows, at)
        elif row.mark == "item":
            at = _item(build, rows, at)
        else:
            at = _paragraph(build, rows, at)
    return build.segments


def _rows(text: str) -> list[_Row]:
    rows = []
    begin, size = 0, len(text)
    while begin < size:
        stop = text.find("\n", begin)
        stop = size if stop < 0 else stop
        found = _MARK.match(text, begin, stop)
        rows.append(_Row(begin, min(stop + 1, size), found.lastgroup or "" if found else ""))
        begin = stop + 1
    return rows


def _fence(build: _Builder, rows: list[_Row], at: int) -> int:
    opener = build.text[rows[at].start : rows[at].end].lstrip()[:3]
    last = at + 1
    while last < len(rows) and not (
        rows[last].mark == "fence" and build.text[rows[last].start : rows[last].end].strip().strip(opener[0]) == ""
    ):
        last += 1
    closed = last < len(rows)
    last = min(last, len(rows) - 1)
    inside = Span(rows[at].end, rows[last].start if closed else rows[last].end)
    if not build.framed or not build.text[slice(*inside)].strip():
        build.add(rows[at].start, rows[last].end, "fence", lines=True)
        return last + 1
    closing = _trimmed(build.text, rows[last]) if closed else Span(inside.end, inside.end)
    build.add(*inside, "fence", lines=True, frame=Frame(_trimmed(build.text, rows[at]), closing))
    return last + 1


def _trimmed(text: str, row: _Row) -> Span:
    """A line without the white space around it."""
    line = text[row.start : row.end]
    return Span(row.start + len(line) - len(line.lstrip()), row.start + len(line.rstrip()))


def _run(build: _Builder, rows: list[_Row], at: int, mark: str, kind: SegmentKind) -> int:
    last = at
    while last < len(rows) and rows[last].mark == mark:
        last += 1
    build.add(rows[at].start, rows[last - 1].end, kind, lines=True)
    return last


def _opens_table(text: str, rows: list[_Row], at: int) -> bool:
    below = at + 1
    if below >= len(rows) or "|" not in text[rows[at].start : rows[at].end]:
        return False
    return _SEPARATOR.match(text, rows[below].start, rows[below].end) is not None


def _table(build: _Builder, rows: list[_Row], at: int) -> int:
    last = at + 1
    while last < len(rows) and rows[last].mark != "blank" and "|" in build.text[rows[last].start : rows[last].end]:
        last += 1
    ruled = _SEPARATOR.match(build.text, rows[at + 1].start, rows[at + 1].end) if last > at + 2 else None
    if ruled is None or not build.framed:
        build.add(rows[at].start, rows[last - 1].end, "table", lines=True)
        return last
    head = Span(_trimmed(build.text, rows[at]).start, _trimmed(build.text, rows[at + 1]).end)
    frame = Frame(head, Span(rows[last - 1].end, rows[last - 1].end))
    build.add(rows[at + 2].start, rows[last - 1].end, "table", lines=True, frame=frame)
    return last


def _item(build: _Builder, rows: list[_Row], at: int) -> int:
    if _numbered_heading(build, rows, at):
        return at + 1
    last = at + 1
    while last < len(rows) and rows[last].mark == "":
        last += 1
    build.add(rows[at].start, rows[last - 1].end, "item")
    return last


def _paragraph(build: _Builder, rows: list[_Row], at: int) -> int:
    text = build.text
    alone = at + 1 >= len(rows) or rows[at + 1].mark == "blank"
    if rows[at].mark == "" and not alone and rows[at + 1].mark == "rule" and _titled(text, rows[at]):
        under = text[rows[at + 1].start : rows[at + 1].end].strip()
        if under[0] in "=-" and " " not in under:
            build.add(rows[at].start, rows[at + 1].end, "heading", level=1 if under[0] == "=" else 2)
            return at + 2
    level = _heading_level(text, rows[at], alone, at == 0 or rows[at - 1].mark in ("blank", "hash", "rule"))
    if level:
        build.add(rows[at].start, rows[at].end, "heading", level=level)
        return at + 1
    last = at + 1
    while last < len(rows) and rows[last].mark in ("", "rule") and not _opens_table(text, rows, last):
        last += 1
    for start, end in _long_lines(text, rows, at, last):
        build.add(start, end, "paragraph")
    return last


def _long_lines(text: str, rows: list[_Row], at: int, last: int) -> list[tuple[int, int]]:
    """The paragraphs in the rows ``at`` to ``last``: each line where they are too long to be wrapped."""
    block = rows[at:last]
    if len(block) == 1 or sum(row.end - row.start > _COLUMNS for row in block) * 4 < len(block):
        return [(block[0].start, block[-1].end)]
    starts = [row.start for row in block if row is block[0] or not text[row.start : row.end].lstrip()[:1].islower()]
    return list(zip(starts, [*starts[1:], block[-1].end], strict=True))


def _titled(text: str, row: _Row) -> bool:
    line = text[row.start : row.end].strip()
    return len(line) <= 100 and _SENTENCE_END.search(line) is None


def _heading_level(text: str, row: _Row, alone: bool, first: bool) -> int:
    """The depth of a plain heading; 0 where the line is none. Only lines after a blank line are looked at."""
    if not first or row.end - row.start > 100 or row.mark == "rule":
        return 0
    line = text[row.start : row.end].strip()
    if _SENTENCE_END.search(line):
        return 0
    found = _NUMBERED.match(line)
    if found and alone:
        return found[1].count(".") + 1
    if alone and (_NUMBERED_ALONE.match(line) or _WORDED.match(line)):
        return 1
    if alone and _BOLD.match(line):
        return 4
    letters = sum(map(str.isalpha, line))
    return 1 if line.isupper() and letters >= 5 and letters * 2 >= len(line) and "=" not in line else 0


def _numbered_heading(build: _Builder, rows: list[_Row], at: int) -> bool:
    """Add "3. Title" as a heading where it stands alone and no other item of a list is next to it."""
    alone = at + 1 >= len(rows) or rows[at + 1].mark == "blank"
    before = at == 0 or rows[at - 1].mark == "blank"
    line = build.text[rows[at].start : rows[at].end]
    if not (alone and before) or len(line) > 70 or not _NUMBERED_ALONE.match(line) or _SENTENCE_END.search(line):
        return False
    if at + 2 >= len(rows) or rows[at + 2].mark != "":
        return False
    build.add(rows[at].start, rows[at].end, "heading", level=1)
    return True


def has_blank_line(text: str) -> bool:
    """Return whether a blank line parts the text."""
    return _BLANK.search(text) is not None
