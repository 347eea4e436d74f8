"""One chat turn or tool output: a single segment, so that it is chosen as a whole where it fits."""

from __future__ import annotations

from gliding.segment.lines import form
from gliding.segment.prose import cut_prose
from gliding.text.sentences import sentence_spans
from gliding.types import Segment, Span


def cut_turn(text: str, document: int, *, max_chars: int) -> list[Segment]:
    """Return one segment of kind ``turn``; its sentences are those of its paragraphs, items and lines."""
    if "\n" not in text:
        sentences = sentence_spans(text, max_chars=max_chars)
    elif form(text) == "prose":
        parts = cut_prose(text, document, first=0, max_chars=max_chars, framed=False)
        sentences = [sentence for part in parts for sentence in part.sentences]
    else:
        sentences = sentence_spans(text, max_chars=max_chars, lines=True)
    if not sentences:
        return []
    return [Segment(document, Span(sentences[0][0], sentences[-1][1]), "turn", tuple(sentences))]
