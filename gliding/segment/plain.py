"""Which sentences are plain prose, so that they may be said in other words: no code, record, row, quote or heading."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gliding.segment.lines import ends_like_prose, is_record
from gliding.types import Document, Segment, Span

_KINDS = ("paragraph", "item", "turn")
_SIGNS = re.compile(r"[`|{}<>=\\_\t]|://")
_LED = re.compile(r"\s*(?:[>#|$]|```|~~~)|(?:\t| {4,})")
"""Starts of lines: a quote, a heading or comment, a row, a prompt, a fence, and what markdown takes for code."""
_CELL = re.compile(r",(?=[^\W\d])")
_FENCE = re.compile(r"(?m)^\s*(?:```|~~~)")


def plain_sentences(documents: Sequence[Document], segments: Sequence[Segment]) -> list[bool]:
    r"""Say of each sentence of all segments, in order, whether it is plain prose; what is in doubt is not.

    >>> text = "> It was old. It failed.\nThe pump, which was old, failed."
    >>> turn = Segment(0, Span(0, 57), "turn", (Span(0, 13), Span(14, 24), Span(25, 57)))
    >>> plain_sentences([Document(text=text)], [turn])
    [False, False, True]
    """
    return [
        segment.kind in _KINDS and _is_plain(documents[segment.document].text, segment, sentence)
        for segment in segments
        for sentence in segment.sentences
    ]


def _is_plain(text: str, segment: Segment, sentence: Span) -> bool:
    said = text[sentence.start : sentence.end]
    if not ends_like_prose(said) or _SIGNS.search(said) or len(_CELL.findall(said)) > 1:
        return False
    if segment.kind == "turn" and len(_FENCE.findall(text, segment.span.start, sentence.start)) % 2:
        return False
    lines = text[text.rfind("\n", 0, sentence.start) + 1 : sentence.end].splitlines()
    if segment.kind == "item":  # its lines are indented by right
        lines = [line.strip() for line in lines]
    return not any(is_record(line) or _LED.match(line) for line in lines)
