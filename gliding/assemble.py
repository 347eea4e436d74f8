"""Pieces to text: what was kept is joined in source order, with a title, a speaker or a date where it changes.

Every piece knows its source spans and its place in the output; what lies between pieces are joiners of white space.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal, NamedTuple

from gliding.text.scripts import is_cjk
from gliding.types import Document, Frame, Piece, Segment, SourceSpan, Span

_CLOSE = 3
"""Characters of white space between two neighbouring sentences up to which they stay one exact piece."""


_BLOCK = re.compile(r"#{1,6}\s|[-*+]\s|\d{1,3}[.)]\s|\||>\s|`{3}|~{3}")


@dataclass(frozen=True, slots=True)
class Text:
    """The joined output and its pieces."""

    text: str
    pieces: tuple[Piece, ...]


class Mark(NamedTuple):
    """A line of the compressor's own that stands for sentences like the one before it."""

    text: str
    sentences: tuple[int, ...]


class _Run(NamedTuple):
    """A range of one document that comes out as it is, or as ``text``; ``head`` is where its segment starts.

    ``frame`` is what must stand around it; one that is ``glued`` has no white space before it. ``sources`` are the
    spans that a mark stands for.
    """

    document: int
    start: int
    end: int
    action: Literal["keep", "trim", "extract", "rewrite", "fold", "frame"]
    text: str | None = None
    segment: int = 0
    head: int = 0
    frame: Frame | None = None
    glued: bool = False
    sources: tuple[SourceSpan, ...] = ()


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
    return _weave(documents, _full(documents), shown=True)


def whole_text(documents: Sequence[Document]) -> str:
    """Return the text of ``whole`` alone."""
    return "".join(text for text, _ in _parts(documents, _full(documents), shown=True))


def _full(documents: Sequence[Document]) -> list[_Run]:
    return [_Run(k, 0, len(doc.text), "keep") for k, doc in enumerate(documents) if doc.text]


class Assembler:
    """Joins kept sentences of one request; sentences are numbered through all segments, in order."""

    def __init__(self, documents: Sequence[Document], segments: Sequence[Segment]) -> None:
        self._documents = documents
        self._segments = segments
        self._first = list(accumulate((len(s.sentences) for s in segments), initial=0))
        self._owner = [k for k, s in enumerate(segments) for _ in s.sentences]

    def join(
        self,
        kept: Iterable[int],
        replaced: Mapping[int, str] | None = None,
        *,
        rewritten: Collection[int] = (),
        marks: Mapping[int, Mark] | None = None,
        shown: bool = True,
    ) -> Text:
        """Join sentences.

        Args:
            kept: The sentences that stay, in ascending order.
            replaced: What some of them say instead of their own text.
            rewritten: Those of them that were rewritten; the others were trimmed.
            marks: What stands on a line of its own behind some of them, and the sentences that it stands for.
            shown: Whether titles, speakers and dates are put in.
        """
        return _weave(self._documents, self._runs(kept, replaced or {}, rewritten, marks or {}), shown=shown)

    def text(
        self,
        kept: Iterable[int],
        replaced: Mapping[int, str] | None = None,
        *,
        marks: Mapping[int, str] | None = None,
        shown: bool = True,
    ) -> str:
        """Return the text of ``join`` alone, which is all that counting needs."""
        told = {k: Mark(text, ()) for k, text in (marks or {}).items()}
        parts = _parts(self._documents, self._runs(kept, replaced or {}, (), told), shown=shown)
        return "".join(text for text, _ in parts)

    def _runs(
        self, kept: Iterable[int], replaced: Mapping[int, str], rewritten: Collection[int], marks: Mapping[int, Mark]
    ) -> list[_Run]:
        runs: list[_Run] = []
        last = -2
        for k in kept:
            owner = self._owner[k]
            segment = self._segments[owner]
            start, end = segment.sentences[k - self._first[owner]]
            before = runs[-1] if runs else None
            text = replaced.get(k)
            if text is not None and k in rewritten:
                runs.append(_Run(segment.document, start, end, "rewrite", text, owner, segment.span.start))
            elif text is not None:
                runs.append(self._other(owner, start, end, text))
            elif (
                before is not None
                and last == k - 1
                and self._owner[last] == owner
                and before.action not in ("trim", "rewrite", "fold")
                and (start - before.end <= _CLOSE or segment.frame is not None)
            ):
                runs[-1] = self._run(owner, before.start, end)
            else:
                runs.append(self._run(owner, start, end))
            last = k
            if k in marks:
                runs.append(self._mark(owner, end, marks[k]))
        return runs

    def _mark(self, owner: int, at: int, mark: Mark) -> _Run:
        document, head = self._segments[owner].document, self._segments[owner].span.start
        spans = tuple(self._source(k) for k in mark.sentences)
        line = "\r\n" if self._documents[document].text.startswith("\r\n", at) else "\n"
        return _Run(document, at, at, "fold", line + mark.text, owner, head, glued=True, sources=spans)

    def _source(self, k: int) -> SourceSpan:
        owner = self._owner[k]
        segment = self._segments[owner]
        return SourceSpan(segment.document, *segment.sentences[k - self._first[owner]])

    def _other(self, owner: int, start: int, end: int, text: str) -> _Run:
        document, head = self._segments[owner].document, self._segments[owner].span.start
        if self._documents[document].text.startswith(text, start):  # the front of a sentence is still verbatim
            return _Run(document, start, start + len(text), "trim", segment=owner, head=head)
        return _Run(document, start, end, "trim", text, owner, head)

    def _run(self, owner: int, start: int, end: int) -> _Run:
        segment = self._segments[owner]
        full = start == segment.sentences[0].start and end == segment.sentences[-1].end
        action: Literal["keep", "extract"] = "keep" if full else "extract"
        return _Run(segment.document, start, end, action, segment=owner, head=segment.span.start, frame=segment.frame)


def _weave(documents: Sequence[Document], runs: Sequence[_Run], *, shown: bool) -> Text:
    parts: list[str] = []
    pieces: list[Piece] = []
    at = 0
    for text, made in _parts(documents, runs, shown=shown):
        parts.append(text)
        output = Span(at, at := at + len(text))
        if isinstance(made, _Run):
            spans = made.sources or (SourceSpan(made.document, made.start, made.end),)
            pieces.append(Piece(text=text, action=made.action, exact=made.text is None, sources=spans, output=output))
        elif made is not None:
            spans = (SourceSpan(made, 0, len(documents[made].text)),)
            pieces.append(Piece(text=text, action="header", exact=False, sources=spans, output=output))
    return Text("".join(parts), tuple(pieces))


def _parts(
    documents: Sequence[Document], runs: Sequence[_Run], *, shown: bool
) -> Iterator[tuple[str, _Run | int | None]]:
    """Yield the parts of the output, each with its run, with the document that it is a header of, or with None."""
    before: _Run | None = None
    time = name = ""
    for run in _framed(documents, runs):
        document = documents[run.document]
        if before is not None and not run.glued:
            same = run.document == before.document
            yield _joiner(document.text, before, run) if same else "\n", None
        if shown and (before is None or run.document != before.document):
            if document.time and document.time != time:
                yield date_line(document), run.document
                yield "\n", None
                time, name = document.time, ""
            own = label(document)
            if own and own != name:
                yield own, run.document
                yield "\n" if _opens_block(document.text, run) else " ", None
            name = own
        yield document.text[run.start : run.end] if run.text is None else run.text, run
        before = run


def _opens_block(text: str, run: _Run) -> bool:
    """Whether a run begins with what markdown reads at the front of a line only: a heading, an item, a row, a fence."""
    return (_BLOCK.match(text, run.start) if run.text is None else _BLOCK.match(run.text)) is not None


def _joiner(text: str, before: _Run, run: _Run) -> str:
    """White space between two pieces of a document: the source's own, made short.

    Inside a segment it is what followed the first piece, between segments what stood before the second segment. A line
    keeps its line, indentation included; Chinese and Japanese get no space that they did not have.
    """
    end, start = before.start if before.glued else before.end, run.start
    if run.frame is not None:
        space = _space(text, end, start)
        if run.segment == before.segment or "\n" in space or not end <= run.head < start:
            return space
        above = _space(text, end, run.head)  # the front of this segment is left out: its line begins here
        return above if "\n" in above else space
    if run.segment == before.segment:
        gap = text[end : end + len(text[end:start]) - len(text[end:start].lstrip())]
    else:
        gap = text[end + len(text[end : run.head].rstrip()) : run.head]
    breaks = max(gap.count("\n"), gap.count("\r"))
    if breaks:
        line = max(text.rfind("\n", end, start), text.rfind("\r", end, start)) + 1
        indent = text[line:start] if line and text[line:start].isspace() else ""
        return _lines(gap, breaks) + indent
    if gap:
        return " "
    return "" if is_cjk(text[end - 1]) or is_cjk(text[start]) or text[end - 1] in _WIDE_STOPS else " "


def _lines(gap: str, breaks: int) -> str:
    """One break of a line or, for several, two: as the source writes them."""
    return ("\r\n" if "\r\n" in gap else "\n") * min(breaks, 2)


def _space(text: str, end: int, start: int) -> str:
    """The white space right before a part of a frame, made short: none where there is none."""
    between = text[end:start]
    gap = between[len(between.rstrip()) :]
    breaks = max(gap.count("\n"), gap.count("\r"))
    if breaks:
        return _lines(gap, breaks) + gap[max(gap.rfind("\n"), gap.rfind("\r")) + 1 :]
    return gap[:1]


def _framed(documents: Sequence[Document], runs: Iterable[_Run]) -> Iterator[_Run]:
    """Yield the runs with what must stand around and between them."""
    weaver = _Weaver()
    for run in runs:
        yield from weaver.before(run, documents)
        yield run
        weaver.last = run
    yield from weaver.close(0, documents)


class _Weaver:
    """Knows which frames are open after the last run, and what must come out before the next."""

    def __init__(self) -> None:
        self.frames: list[Frame] = []
        self.last: _Run | None = None

    def before(self, run: _Run, documents: Sequence[Document]) -> Iterator[_Run]:
        """Close the frames that end before a run, part it from what is before it, and open those that begin."""
        same = self.last is not None and self.last.document == run.document
        chain = run.frame.chain() if run.frame is not None else ()
        common = 0
        if same:
            while common < min(len(self.frames), len(chain)) and self.frames[common] == chain[common]:
                common += 1
        yield from self.close(common, documents)
        text = documents[run.document].text
        for k, frame in enumerate((*chain[common:], None)):
            start = run.start if frame is None else frame.opening.start
            if self.frames and self.last is not None and same:
                yield from self._parted(text, start, separate=k == 0)
            if frame is not None:
                self.frames.append(frame)
                same = True
                self.last = _Run(run.document, *frame.opening, "frame", segment=-1, frame=frame)
                if frame.opening.start < frame.opening.end:
                    yield self.last

    def close(self, depth: int, documents: Sequence[Document]) -> Iterator[_Run]:
        """Close the frames from the innermost down to ``depth`` of them."""
        while len(self.frames) > depth and self.last is not None:
            frame = self.frames[-1]
            yield from self._parted(documents[self.last.document].text, frame.closing.start, separate=False)
            self.frames.pop()
            self.last = _Run(self.last.document, *frame.closing, "frame", segment=-1, frame=frame)
            if frame.closing.start < frame.closing.end:
                yield self.last

    def _parted(self, text: str, start: int, *, separate: bool) -> Iterator[_Run]:
        """What stands between the last part and the next in the innermost frame."""
        frame, last = self.frames[-1], self.last
        if last is None:
            return
        left = text[last.end : start]
        if separate and frame.separator:
            yield _Run(last.document, last.end, start, "frame", frame.separator, -1, frame=frame, glued=True)
        if frame.gap and left.strip():
            begin = last.end + len(left) - len(left.lstrip())
            yield _Run(last.document, begin, last.end + len(left.rstrip()), "frame", frame.gap, -1, frame=frame)


_WIDE_STOPS = frozenset("。！？；，、：”’」』）》】…")
