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
    | (?P<begin>\\begin\{(?!document\}))
    )""",
    re.VERBOSE,
)
_BEGIN = re.compile(r"\s*\\begin\{([^{}\n]+)\}")
_PAPER = re.compile(r"(?m)^[^\S\n]*\\begin\{document\}")
_PAPER_END = re.compile(r"(?m)^[^\S\n]*\\end\{document\}")
_ENVIRONMENT = 1200
"""Characters up to which an environment of LaTeX is one piece."""
_ENDLESS = 20
"""Environments without an end after which no more are looked for, each of which costs a look at all that follows."""
_DEEPEST = 30
_PREAMBLE = 400
"""Characters up to which what stands above a paper in LaTeX is always kept with it."""
_CLAUSE = re.compile(r"[^\S\n]*\d{1,3}(?:\.\d{1,3})+[.)]?[^\S\n]+\S")
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
        self.around: Frame | None = None
        self.endless = 0

    def add(
        self,
        start: int,
        end: int,
        kind: SegmentKind,
        *,
        level: int = 0,
        lines: bool = False,
        frame: Frame | None = None,
        lead: int = 0,
        whole: bool = False,
    ) -> None:
        spans = sentence_spans(self.text, start, end, max_chars=self.max_chars, lines=lines)
        if spans and whole:
            spans = [Span(spans[0][0], spans[-1][1])]
        if not spans:
            return
        span = Span(spans[0][0], spans[-1][1])
        self.segments.append(
            Segment(self.document, span, kind, tuple(spans), level, self._heading, frame or self.around, lead)
        )
        if kind == "heading":
            self._heading = self.first + len(self.segments) - 1


def cut_prose(text: str, document: int, *, first: int, max_chars: int, framed: bool = True) -> list[Segment]:
    """Return the segments of a text; ``first`` is the index that the first of them will have in the whole list.

    Where it is ``framed``, a table's head and a fence's marks stand around its lines; else they are lines among them.
    """
    build = _Builder(text, document, first, max_chars, framed)
    rows = _rows(text)
    paper = _paper(text) if framed else None
    if paper is None:
        _blocks(build, rows)
        return build.segments
    inside = [row for row in rows if paper.opening.end < row.end <= paper.closing.start + 1]
    _blocks(build, [row for row in rows if row.end <= paper.opening.start])
    build.around = paper
    _blocks(build, [row for row in inside if row.start >= paper.opening.end])
    build.around = None
    _blocks(build, [row for row in rows if row.start >= paper.closing.end])
    return build.segments


def _paper(text: str) -> Frame | None:
    """What stands around a paper in LaTeX; None where the text is none."""
    begins, ends = list(_PAPER.finditer(text)), list(_PAPER_END.finditer(text))
    if len(begins) != 1 or len(ends) != 1 or ends[0].start() <= begins[0].end():
        return None
    top = text[: begins[0].start()]
    start = len(top) - len(top.lstrip()) if len(top) <= _PREAMBLE else begins[0].start()
    closing = text[ends[0].start() : ends[0].end()]
    return Frame(Span(start, begins[0].end()), Span(ends[0].end() - len(closing.lstrip()), ends[0].end()))


def _blocks(build: _Builder, rows: list[_Row]) -> None:
    text = build.text
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
        elif row.mark == "begin" and build.framed and (end := _environment(build, rows, at)):
            at = end
        elif row.mark == "quote":
            at = _run(build, rows, at, "quote", "paragraph")
        elif row.mark == "table" or _opens_table(text, rows, at):
            at = _table(build, rows, at)
        elif row.mark == "item":
            at = _item(build, rows, at)
        else:
            at = _paragraph(build, rows, at)


def _environment(build: _Builder, rows: list[_Row], at: int) -> int:
    r"""Add an environment of LaTeX: a short one whole, a long one in the frame of its ``\begin`` and ``\end``.

    Return the row after it; 0 where it does not end.
    """
    found = _BEGIN.match(build.text, rows[at].start)
    around = build.around.chain() if build.around is not None else ()
    if found is None or build.endless >= _ENDLESS or len(around) >= _DEEPEST:
        return 0
    begin, end = f"\\begin{{{found[1]}}}", f"\\end{{{found[1]}}}"
    depth, last = 0, at
    while last < len(rows):
        line = build.text[rows[last].start : rows[last].end]
        depth += line.count(begin) - line.count(end)
        if depth <= 0:
            break
        last += 1
    else:
        build.endless += 1
        return 0
    if rows[last].end - rows[at].start <= _ENVIRONMENT or last < at + 2:
        build.add(rows[at].start, rows[last].end, "fence", whole=True, frame=_around(build, rows[at], rows[last]))
        return last + 1
    outer = build.around
    build.around = Frame(_trimmed(build.text, rows[at]), _trimmed(build.text, rows[last]), parent=outer)
    _blocks(build, rows[at + 1 : last])
    build.around = outer
    return last + 1


def _around(build: _Builder, first: _Row, last: _Row) -> Frame:
    """A frame that shows nothing: what is in it stays as it is."""
    return Frame(Span(first.start, first.start), Span(last.end, last.end), parent=build.around)


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
    frame = Frame(_trimmed(build.text, rows[at]), closing, parent=build.around)
    build.add(*inside, "fence", lines=True, frame=frame)
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
    frame = Frame(head, Span(rows[last - 1].end, rows[last - 1].end), parent=build.around)
    build.add(rows[at + 2].start, rows[last - 1].end, "table", lines=True, frame=frame)
    return last


def _item(build: _Builder, rows: list[_Row], at: int) -> int:
    if _numbered_heading(build, rows, at):
        return at + 1
    last = at + 1
    while last < len(rows) and rows[last].mark == "":
        last += 1
    clauses = [k for k in range(at + 1, last) if _CLAUSE.match(build.text, rows[k].start, rows[k].end)]
    if clauses and build.framed:  # a clause below another says nothing without that one's own words
        frame = _around(build, rows[at], rows[last - 1])
        build.add(rows[at].start, rows[last - 1].end, "item", frame=frame, lead=1)
        return last
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
