"""One chat turn or tool output: a single segment, so that it is chosen as a whole where it fits."""

from __future__ import annotations

from itertools import groupby

from gliding.segment.lines import form
from gliding.segment.prose import cut_prose
from gliding.text.sentences import sentence_spans
from gliding.types import Segment, Span


def cut_turn(text: str, document: int, *, max_chars: int, framed: bool = True) -> list[Segment]:
    """Return one segment of kind ``turn``; its sentences are those of its paragraphs, items and lines.

    Where it is ``framed``, a fence or a table with a head is a segment of its own, in its frame.
    """
    if "\n" not in text:
        return _turn(document, sentence_spans(text, max_chars=max_chars))
    if form(text) != "prose":
        return _turn(document, sentence_spans(text, max_chars=max_chars, lines=True))
    segments: list[Segment] = []
    parts = cut_prose(text, document, first=0, max_chars=max_chars, framed=framed)
    for frame, run in groupby(parts, key=lambda part: part.frame):
        alike = list(run)
        if frame is None:
            segments += _turn(document, [sentence for part in alike for sentence in part.sentences])
        else:
            segments += [Segment(document, part.span, part.kind, part.sentences, frame=frame) for part in alike]
    return segments


def _turn(document: int, sentences: list[Span]) -> list[Segment]:
    if not sentences:
        return []
    return [Segment(document, Span(sentences[0][0], sentences[-1][1]), "turn", tuple(sentences))]
