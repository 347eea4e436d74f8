"""Documents to segments: decides by kind, role and content how each document is cut."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from gliding.segment.csv import cut_csv, is_csv
from gliding.segment.json import cut_json, cut_json_lines, is_json, is_json_lines
from gliding.segment.lines import cut_code, cut_lines, ends_like_prose, form, is_record, whole
from gliding.segment.messages import cut_messages
from gliding.segment.prose import cut_prose, has_blank_line
from gliding.segment.python import cut_python
from gliding.segment.turn import cut_turn
from gliding.text.sentences import sentence_spans
from gliding.types import Document, Segment, Span

_PASSAGE = 8_000
"""Characters up to which a document among others is taken for a passage that was cut by the caller."""

_KINDS = {"log": "lines", "lines": "lines", "code": "code", "prose": "prose", "markdown": "prose", "text": "prose"}


def segment(documents: Sequence[Document], *, max_chars: int = 400, plain: Collection[int] = ()) -> list[Segment]:
    """Return the segments of all documents, in order.

    Segments do not overlap and cover all but white space and what their frames hold. No sentence is longer than
    ``max_chars`` characters, but for what stays valid only as a whole: a member of a record, a row, a statement. A
    document with a role is one segment of kind ``turn``. Those in ``plain`` are cut without frames.
    """
    segments: list[Segment] = []
    records = _are_records(documents)
    many = len(documents) > 1
    for index, document in enumerate(documents):
        text = document.text
        if document.role:
            segments += cut_turn(text, index, max_chars=max_chars)
        elif index not in plain and (found := _structured(document, index, max_chars)):
            segments += found
        elif "\n" not in text and document.kind not in ("markdown", "code"):
            line = not document.title and (records or document.kind == "log" or is_record(text))
            segments += _one_line(text, index, line=line, max_chars=max_chars)
        else:
            passage = bool(document.title) or (many and len(text) <= _PASSAGE)
            segments += _many_lines(document, index, passage, len(segments), max_chars, index not in plain)
    return segments


def _structured(document: Document, index: int, max_chars: int) -> list[Segment]:
    """The records of a text that is data; none where it is none."""
    text, kind = document.text, document.kind
    if kind in ("", "json", "messages") and is_json(text):
        return cut_messages(text, index, max_chars=max_chars) or cut_json(text, index, max_chars=max_chars)
    if kind in ("", "jsonl") and is_json_lines(text):
        return cut_json_lines(text, index, max_chars=max_chars)
    if kind in ("csv", "tsv") or (not kind and is_csv(text)):
        return cut_csv(text, index)
    return []


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


def _many_lines(
    document: Document, index: int, passage: bool, first: int, max_chars: int, framed: bool
) -> list[Segment]:
    text = document.text
    shape = _KINDS.get(document.kind) or form(text)
    if shape == "code":
        if passage and len(text) <= _PASSAGE:
            return whole(text, index, 0, len(text), kind="fence", max_chars=max_chars)
        parsed = cut_python(text, index, max_chars=max_chars) if framed else None
        return parsed or cut_code(text, index, max_chars=max_chars)
    if shape == "lines":
        return cut_lines(text, index, max_chars=max_chars)
    if passage and document.kind != "markdown" and not has_blank_line(text):
        sentences = sentence_spans(text, max_chars=max_chars)
        if not sentences:
            return []
        return [Segment(index, Span(sentences[0][0], sentences[-1][1]), "paragraph", tuple(sentences))]
    return cut_prose(text, index, first=first, max_chars=max_chars, framed=framed)
