"""Documents to segments: decides by kind, role and content how each document is cut."""

from __future__ import annotations

from collections.abc import Sequence

from gliding.segment.lines import cut_code, cut_lines, ends_like_prose, form, is_record, whole
from gliding.segment.prose import cut_prose, has_blank_line
from gliding.segment.turn import cut_turn
from gliding.text.sentences import sentence_spans
from gliding.types import Document, Segment, Span

_PASSAGE = 8_000
"""Characters up to which a document among others is taken for a passage that was cut by the caller."""

_KINDS = {"log": "lines", "lines": "lines", "code": "code", "prose": "prose", "markdown": "prose", "text": "prose"}


def segment(documents: Sequence[Document], *, max_chars: int = 400) -> list[Segment]:
    """Return the segments of all documents, in order; no sentence of theirs is longer than ``max_chars`` characters.

    Segments do not overlap and cover all but white space. A document with a role is one segment of kind ``turn``.
    """
    segments: list[Segment] = []
    records = _are_records(documents)
    many = len(documents) > 1
    for index, document in enumerate(documents):
        text = document.text
        if document.role:
            segments += cut_turn(text, index, max_chars=max_chars)
        elif "\n" not in text and document.kind not in ("markdown", "code"):
            line = not document.title and (records or document.kind == "log" or is_record(text))
            segments += _one_line(text, index, line=line, max_chars=max_chars)
        else:
            passage = bool(document.title) or (many and len(text) <= _PASSAGE)
            segments += _many_lines(document, index, passage, len(segments), max_chars)
    return segments


def _are_records(documents: Sequence[Document]) -> bool:
    """Whether the documents are the lines of one log or output, handed over one by one."""
    if len(documents) < 8:
        return False
    plain = [d.text for d in documents[:400] if not (d.title or d.role or "\n" in d.text)]
    if len(plain) < 0.8 * min(len(documents), 400):
        return False
    if sum(1 for text in plain if len(text) > 400) > 0.1 * len(plain):
        return False
    prose = sum(map(ends_like_prose, plain))
    return prose < 0.3 * len(plain) or sum(map(is_record, plain)) > 0.4 * len(plain)


def _one_line(text: str, index: int, *, line: bool, max_chars: int) -> list[Segment]:
    if line and len(text) <= max_chars and text == text.strip() != "":
        whole_line = Span(0, len(text))
        return [Segment(index, whole_line, "line", (whole_line,))]
    sentences = sentence_spans(text, max_chars=max_chars, lines=line)
    if not sentences:
        return []
    span = Span(sentences[0][0], sentences[-1][1])
    return [Segment(index, span, "line" if line else "paragraph", tuple(sentences))]


def _many_lines(document: Document, index: int, passage: bool, first: int, max_chars: int) -> list[Segment]:
    text = document.text
    shape = _KINDS.get(document.kind) or form(text)
    if shape == "code":
        if passage and len(text) <= _PASSAGE:
            return whole(text, index, 0, len(text), kind="fence", max_chars=max_chars)
        return cut_code(text, index, max_chars=max_chars)
    if shape == "lines":
        return cut_lines(text, index, max_chars=max_chars)
    if passage and document.kind != "markdown" and not has_blank_line(text):
        sentences = sentence_spans(text, max_chars=max_chars)
        if not sentences:
            return []
        return [Segment(index, Span(sentences[0][0], sentences[-1][1]), "paragraph", tuple(sentences))]
    return cut_prose(text, index, first=first, max_chars=max_chars)
