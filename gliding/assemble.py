"""Pieces to text: what was kept is joined in source order, with a title, a speaker or a date where it changes.

Every piece knows its source spans and its place in the output; what lies between pieces are joiners of white space.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal

from gliding.text.scripts import is_cjk
from gliding.types import Document, Piece, Segment, SourceSpan, Span

_CLOSE = 3
"""Characters of white space between two neighbouring sentences up to which they stay one exact piece."""


@dataclass(frozen=True, slots=True)
class Text:
    """The joined output and its pieces."""

    text: str
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class _Run:
    """A range of one document that comes out as it is, or as ``text``."""

    document: int
    start: int
    end: int
    action: Literal["keep", "trim", "extract"]
    text: str | None = None
    segment: int = 0


def date_line(document: Document) -> str:
    """The line that says when a document is from; empty where it does not say."""
    return f"--- {document.time} ---" if document.time else ""


def label(document: Document) -> str:
    """What stands before a document's first word: its title or its speaker; empty where it has neither."""
    if document.title:
        return f"[{document.title}]"
    return f"{document.role}:" if document.role else ""


def whole(documents: Sequence[Document]) -> Text:
    """Return the input as it is: all documents, one below the other, with a title, speaker or date where it changes."""
    full = [_Run(k, 0, len(doc.text), "keep") for k, doc in enumerate(documents) if doc.text]
    return _weave(documents, full, shown=True)


class Assembler:
    """Joins kept sentences of one request; sentences are numbered through all segments, in order."""

    def __init__(self, documents: Sequence[Document], segments: Sequence[Segment]) -> None:
        self._documents = documents
        self._segments = segments
        self._first = list(accumulate((len(s.sentences) for s in segments), initial=0))
        self._owner = [k for k, s in enumerate(segments) for _ in s.sentences]

    def join(self, kept: Iterable[int], replaced: Mapping[int, str] | None = None, *, shown: bool = True) -> Text:
        """Join sentences.

        Args:
            kept: The sentences that stay, in ascending order.
            replaced: What some of them say instead of their own text.
            shown: Whether titles, speakers and dates are put in.
        """
        return _weave(self._documents, self._runs(kept, replaced or {}), shown=shown)

    def _runs(self, kept: Iterable[int], replaced: Mapping[int, str]) -> list[_Run]:
        runs: list[_Run] = []
        last = -2
        for k in kept:
            owner = self._owner[k]
            segment = self._segments[owner]
            start, end = segment.sentences[k - self._first[owner]]
            before = runs[-1] if runs else None
            text = replaced.get(k)
            if text is not None:
                runs.append(self._other(owner, start, end, text))
            elif (
                before is not None
                and last == k - 1
                and self._owner[last] == owner
                and before.action != "trim"
                and start - before.end <= _CLOSE
            ):
                runs[-1] = self._run(owner, before.start, end)
            else:
                runs.append(self._run(owner, start, end))
            last = k
        return runs

    def _other(self, owner: int, start: int, end: int, text: str) -> _Run:
        document = self._segments[owner].document
        if self._documents[document].text.startswith(text, start):  # the front of a sentence is still verbatim
            return _Run(document, start, start + len(text), "trim", segment=owner)
        return _Run(document, start, end, "trim", text, owner)

    def _run(self, owner: int, start: int, end: int) -> _Run:
        segment = self._segments[owner]
        full = start == segment.sentences[0].start and end == segment.sentences[-1].end
        return _Run(segment.document, start, end, "keep" if full else "extract", segment=owner)


def _weave(documents: Sequence[Document], runs: Sequence[_Run], *, shown: bool) -> Text:
    parts: list[str] = []
    pieces: list[Piece] = []
    at = 0

    def put(text: str) -> None:
        nonlocal at
        parts.append(text)
        at += len(text)

    def head(text: str, document: int) -> None:
        spans = (SourceSpan(document, 0, len(documents[document].text)),)
        pieces.append(Piece(text=text, action="header", exact=False, sources=spans, output=Span(at, at + len(text))))
        put(text)

    before: _Run | None = None
    time = name = ""
    for run in runs:
        document = documents[run.document]
        if before is not None:
            same = run.document == before.document
            put(_joiner(document.text, before, run) if same else "\n")
        if shown and (before is None or run.document != before.document):
            if document.time and document.time != time:
                head(date_line(document), run.document)
                put("\n")
                time, name = document.time, ""
            own = label(document)
            if own and own != name:
                head(own, run.document)
                put(" ")
            name = own
        text = document.text[run.start : run.end] if run.text is None else run.text
        source = (SourceSpan(run.document, run.start, run.end),)
        pieces.append(
            Piece(text=text, action=run.action, exact=run.text is None, sources=source, output=Span(at, at + len(text)))
        )
        put(text)
        before = run
    return Text("".join(parts), tuple(pieces))


def _joiner(text: str, before: _Run, run: _Run) -> str:
    """White space between two pieces of a document: the source's own, made short.

    Inside a segment it is what followed the first piece, between segments what stood before the second. A line keeps
    its line, indentation included; Chinese and Japanese get no space that they did not have.
    """
    end, start = before.end, run.start
    if run.segment == before.segment:
        gap = text[end : end + len(text[end:start]) - len(text[end:start].lstrip())]
    else:
        gap = text[end + len(text[end:start].rstrip()) : start]
    breaks = max(gap.count("\n"), gap.count("\r"))
    if breaks:
        line = max(text.rfind("\n", end, start), text.rfind("\r", end, start)) + 1
        indent = text[line:start] if line and text[line:start].isspace() else ""
        return ("\n\n" if breaks > 1 else "\n") + indent
    if gap:
        return " "
    return "" if is_cjk(text[end - 1]) or is_cjk(text[start]) or text[end - 1] in _WIDE_STOPS else " "


_WIDE_STOPS = frozenset("。！？；，、：”’」』）》】…")
