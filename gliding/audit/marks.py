"""What a text says that can be checked: facts, links and names with their spans. Knows nothing of a second text.

A name is a run of capitalised words. A single one that opens a sentence counts only where the text has it inside a
sentence too, since most words that open sentences are no names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gliding import facts
from gliding.text.abbreviations import STARTERS
from gliding.types import Span

SOFT = ("negation", "modal", "condition")
"""Kinds that are nothing by themselves: what counts is the sentence that they stand in."""
HARD = ("number", "date", "identifier", "name", "link")
"""Kinds that say the same wherever they stand."""
KINDS = (*SOFT, *HARD)


class Mark(NamedTuple):
    """One thing that a text says; ``normal`` is equal for the ways of writing that mean the same."""

    kind: str
    text: str
    span: Span
    normal: str


_TARGET = re.compile(r"\]\(<?([^\s()<>]{1,2000}(?:\([^\s()<>]{0,200}\)[^\s()<>]{0,2000}){0,3})")
_MAIL = re.compile(r"[^\s@/]+@[^\s@/]+\.[^\s@/]+")
_UPPER = "A-Z\u00c0-\u00d6\u00d8-\u00de\u0391-\u03a9\u0410-\u042f"
_CAPITALISED = rf"[{_UPPER}][^\W\d_]{{1,60}}(?:['\u2019-][^\W\d_]{{1,60}}){{0,4}}"
_NAME = re.compile(
    rf"(?<!\w){_CAPITALISED}(?!\w)"
    rf"(?:[ \t\u00a0](?:(?:of|de|van|von|der|da|di|la|del|the)[ \t\u00a0]){{0,2}}{_CAPITALISED}(?!\w)){{0,6}}"
)
_POSSESSIVE = re.compile(r"['\u2019]s$")
_BEFORE = 6  # characters between the end of a sentence and the word that opens the next one
_OPENS_AFTER = frozenset(".!?:;\n\r\u2022>|#\u3002\uff01\uff1f*-\u2026")
_PASSED = frozenset(" \t\"'\u201c\u2018([{_`")
_TAKEN = "\u2060"  # neither a word's character nor white space


def find(text: str, *, links: bool = True) -> list[Mark]:
    """Return the marks of a text in order; their spans do not overlap.

    Args:
        text: Any text.
        links: Whether the target of ``[words](target)`` is a link; in code that is a call.

    >>> [(mark.kind, mark.normal) for mark in find("See [it](a/b.md): Ruth Okafor did not pay $8,466.")]
    [('link', 'a/b.md'), ('name', 'ruth okafor'), ('negation', 'not'), ('number', '$8466')]
    """
    targets = [Span(*match.span(1)) for match in _TARGET.finditer(text)] if links else []
    found = [Mark("link", text[a:b], Span(a, b), text[a:b]) for a, b in targets]
    found += _facts(text, targets)
    found.sort(key=lambda mark: mark.span)
    found += _names(_without(text, found))
    found.sort(key=lambda mark: mark.span)
    return found


def _facts(text: str, targets: Sequence[Span]) -> Iterator[Mark]:
    """The facts outside of the targets of links; addresses are links."""
    at = 0
    for fact in facts.find(text):
        while at < len(targets) and targets[at].end <= fact.span.start:
            at += 1
        if at < len(targets) and targets[at].start < fact.span.end:
            continue
        if fact.kind == "identifier" and ("://" in fact.text or _MAIL.fullmatch(fact.text)):
            yield Mark("link", fact.text, fact.span, fact.text)
        else:
            yield Mark(fact.kind, fact.text, fact.span, fact.normal)


def _without(text: str, found: Sequence[Mark]) -> str:
    """The text with its marks blotted out, each character by one."""
    parts: list[str] = []
    done = 0
    for mark in found:
        start, end = mark.span
        parts += (text[done:start], _TAKEN * (end - start))
        done = end
    return "".join((*parts, text[done:]))


def _names(text: str) -> list[Mark]:
    inside: list[Mark] = []
    opening: list[Mark] = []
    for match in _NAME.finditer(text):
        start, name = match.start(), match[0]
        first = _opens(text, start)
        head, _, rest = name.partition(" ")
        if head in STARTERS:
            if not rest:
                continue
            start, name, first = start + len(head) + 1, rest, False
        name = _POSSESSIVE.sub("", name)
        mark = Mark("name", name, Span(start, start + len(name)), " ".join(name.lower().split()))
        single = " " not in mark.normal
        (opening if first and single else inside).append(mark)
    known = {word for mark in inside for word in (mark.normal, *mark.normal.split())}
    return inside + [mark for mark in opening if mark.normal in known]


def _opens(text: str, start: int) -> bool:
    """Whether a word opens a sentence, a line or a cell."""
    at = start - 1
    while at >= 0 and start - at <= _BEFORE and text[at] in _PASSED:
        at -= 1
    return at < 0 or text[at] in _OPENS_AFTER
