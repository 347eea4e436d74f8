"""Pins: text that must come out verbatim becomes a sentence of its own, kept whatever happens around it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gliding.errors import InputError
from gliding.types import Document, Segment, SourceSpan, Span


def find_pins(documents: Sequence[Document], pins: Sequence[str]) -> list[SourceSpan]:
    """Return where each pin first occurs, in source order, overlapping ones joined.

    Raises:
        InputError: A pin is blank or occurs in no document.
    """
    found: list[SourceSpan] = []
    for pin in pins:
        if not pin.strip():
            raise InputError("A pin is empty.", hint="Give text that occurs in the source.")
        for index, document in enumerate(documents):
            start = document.text.find(pin)
            if start >= 0:
                found.append(SourceSpan(index, start, start + len(pin)))
                break
        else:
            shown = pin if len(pin) <= 60 else pin[:57] + "..."
            raise InputError(f"The pin {shown!r} is not in the source.", hint="Copy it letter for letter.")
    joined: list[SourceSpan] = []
    for span in sorted(found):
        if joined and span.document == joined[-1].document and span.start <= joined[-1].end:
            joined[-1] = SourceSpan(span.document, joined[-1].start, max(span.end, joined[-1].end))
        else:
            joined.append(span)
    return joined


def crossing(segments: Sequence[Segment], pins: Sequence[SourceSpan]) -> frozenset[int]:
    """Return the documents in which a pin goes across frames, which therefore cannot be kept."""
    return frozenset(
        pin.document
        for pin in pins
        for touched in [[s for s in segments if s.document == pin.document and _meet(s.span, pin)]]
        if not touched or (any(s.frame is not None for s in touched) and not _held(touched, pin))
    )


def _held(touched: Sequence[Segment], pin: SourceSpan) -> bool:
    """Whether a pin lies in sentences of one segment in a row, which come out whole."""
    inside = [span for span in touched[0].sentences if _meet(span, pin)]
    return len(touched) == 1 and bool(inside) and inside[0].start <= pin.start and pin.end <= inside[-1].end


def cut_out(documents: Sequence[Document], segments: Sequence[Segment], pins: Sequence[SourceSpan]) -> list[Segment]:
    """Return the segments with each pin as one sentence; segments that a pin runs across are made one.

    In a frame nothing is cut: the sentences that hold the pin stay whole. ``crossing`` tells where that cannot be.
    """
    cut = list(segments)
    for pin in pins:
        touched = [k for k, s in enumerate(cut) if s.document == pin.document and _meet(s.span, pin)]
        first, last = touched[0], touched[-1]
        if cut[first].frame is not None:
            continue
        sentences = [sentence for k in touched for sentence in cut[k].sentences]
        parts = _parted(documents[pin.document].text, sentences, pin)
        start, end = min(cut[first].span.start, pin.start), max(cut[last].span.end, pin.end)
        kind = cut[first].kind if first == last else "paragraph"
        level = cut[first].level if first == last else 0
        whole = Segment(pin.document, Span(start, end), kind, tuple(parts), level, cut[first].heading)
        cut[first : last + 1] = [whole]
        if last > first:
            cut = [_moved(s, first, last, whole.heading) for s in cut]
    return cut


def pinned_sentences(segments: Sequence[Segment], pins: Sequence[SourceSpan]) -> frozenset[int]:
    """Return the indices, among all sentences in order, of those that are pins or hold one."""
    by_document: dict[int, list[SourceSpan]] = {}
    for pin in pins:
        by_document.setdefault(pin.document, []).append(pin)
    spans = ((s.document, span) for s in segments for span in s.sentences)
    return frozenset(
        k for k, (document, span) in enumerate(spans) if any(_meet(span, p) for p in by_document.get(document, ()))
    )


def _meet(span: Span, pin: SourceSpan) -> bool:
    return span.start < pin.end and pin.start < span.end


def _moved(segment: Segment, first: int, last: int, above: int) -> Segment:
    """Let a reference to a heading follow it, where the segments ``first`` to ``last`` became one.

    A heading among them is none any more: what stood below it stands below the heading above.
    """
    if segment.heading < first:
        return segment
    heading = above if segment.heading <= last else segment.heading - (last - first)
    return replace(segment, heading=heading)


def _parted(text: str, sentences: Sequence[Span], pin: SourceSpan) -> list[Span]:
    """The sentences with the pin cut out of those that it touches, in order."""
    parts: list[Span] = []
    own = Span(pin.start, pin.end)
    for start, end in sentences:
        if not _meet(Span(start, end), pin):
            parts.append(Span(start, end))
            continue
        for a, b in ((start, min(end, pin.start)), (max(start, pin.end), end)):
            part = text[a:b]
            if part.strip():
                head = len(part) - len(part.lstrip())
                parts.append(Span(a + head, a + head + len(part.strip())))
    return sorted([*parts, own])
