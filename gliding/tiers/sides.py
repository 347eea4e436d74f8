"""A text as its words and the marks between them, to be compared with another, and how some of it is said otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from gliding.tiers.wording import words

Edit = tuple[int, int, str]  # characters from, to, and what stands for them


class Side(NamedTuple):
    """A text, the spans of its words, and the words in lower case."""

    text: str
    spans: list[tuple[int, int]]
    low: list[str]

    def has(self, *run: str) -> int:
        """How often a run of words stands in the text."""
        first, size = run[0], len(run)
        return sum(w == first and tuple(self.low[i : i + size]) == run for i, w in enumerate(self.low))

    def gap(self, i: int) -> str:
        """The marks between a word and the one before."""
        return self.text[self.spans[i - 1][1] : self.spans[i][0]] if i else ""


def words_of(text: str) -> Side:
    """Return a text with its words."""
    found = words(text)
    spans = [(word.start, word.start + len(text[word.start : word.end].rstrip(","))) for word in found]
    return Side(text, spans, [text[start:end].lower().replace("\u2019", "'") for start, end in spans])


def edited(text: str, edits: Sequence[Edit]) -> str:
    """Return a text with some spans said otherwise; the first of two that overlap wins."""
    if not edits:
        return text
    parts: list[str] = []
    done = 0
    for start, end, new in sorted(edits):
        if start < done:
            continue
        if not new:
            while text[end : end + 1] == " ":
                end += 1
        opens = text[start].isupper() and not text[start:end].isupper()
        parts += (text[done:start], new[:1].upper() + new[1:] if opens else new)
        done = end
    return "".join((*parts, text[done:]))
