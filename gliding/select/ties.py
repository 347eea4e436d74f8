"""Which sentences bring others along: one that leans on the sentence before it, and the heading above."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from gliding.types import Segment

_LEANS = re.compile(
    r"(?:He|She|It|They|His|Her|Hers|Its|Their|Theirs|This|These|Those|That|Such|Both|Neither|Either|However|Therefore|"
    r"Instead|Otherwise|Thus|Hence|Moreover|Furthermore|The (?:former|latter|same))\b|他|她|它|这|那|该|其|因此|但"
)
"""Openings of a sentence that cannot be read without the one before it."""
_NOTE = re.compile(r"\s*\[\^([^\]\s]+)\]:")
_NOTED = re.compile(r"\[\^([^\]\s]+)\](?!:)")
_WORD = re.compile(r"\w")


def bring_along(
    ranked: Sequence[int],
    texts: Sequence[str],
    segments: Sequence[Segment],
    owner: Sequence[int],
    without: Collection[int],
) -> tuple[list[int], dict[int, list[int]]]:
    """Return the ranking with each sentence followed by the heading above, its footnotes and what it leans on.

    A heading says little by itself, and a line without a word (the rule of a table) nothing: they have no rank of their
    own, but for a heading with nothing below. The second value maps each sentence that has no rank of its own to those
    that bring it: without one of them it is not worth keeping.

    Args:
        ranked: Sentences, best first.
        texts: All sentences.
        segments: All segments.
        owner: Each sentence's segment.
        without: Sentences that are not to be brought along.
    """
    first: dict[int, int] = {}
    for k, segment in enumerate(owner):
        first.setdefault(segment, k)
    used = {segment.heading for segment in segments}
    worded = {k for k in ranked if _WORD.search(texts[k])}
    if not worded:
        return list(ranked), {}
    notes = {found[1]: k for k, text in enumerate(texts) if (found := _NOTE.match(text))}
    own = {k for k in worded if owner[k] not in used}
    order: dict[int, None] = {}
    brought: dict[int, list[int]] = {}
    for k in ranked:
        if k not in own:
            continue
        order[k] = None
        heading = segments[owner[k]].heading
        along = [first[heading]] if heading >= 0 and heading in first else []
        if k > first[owner[k]] and k - 1 not in without and _LEANS.match(texts[k]):
            along.append(k - 1)
        along += [note for mark in _NOTED.findall(texts[k]) if (note := notes.get(mark, k)) != k]
        if k + 1 < len(texts) and owner[k + 1] == owner[k] and not _WORD.search(texts[k + 1]):
            along.append(k + 1)
        for other in along:
            order[other] = None
            if other not in own:
                brought.setdefault(other, []).append(k)
    return list(order), brought
