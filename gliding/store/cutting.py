"""A document to the segments that a store holds: whole ones of the segmenter in a row, as much as a vector can say.

A log line or a heading is too short to be found by meaning, a page too long; the embedder reads about 1,000 characters.
"""

from __future__ import annotations

from collections.abc import Iterator

from gliding.protocols import SyntaxTrees
from gliding.segment import segment
from gliding.types import Document, Span

FULL = 1_000
"""Characters that a segment of a store has at most, but for one sentence that is longer."""

_LONGEST = 4_000  # a sentence is cut there: what is valid only as a whole may be of any length
_SOME = 250  # from so many characters on a heading begins another segment


def cut(document: Document, *, max_chars: int = 400, trees: SyntaxTrees | None = None) -> list[Span]:
    r"""Return the spans of a document's segments, in order; they do not overlap and hold no outer white space.

    >>> cut(Document(text="One. Two.\n\n" + "Three is long. " * 90))
    [Span(start=0, end=1000), Span(start=1001, end=1360)]
    """
    found: list[Span] = []
    start = end = -1
    for part, head in _parts(document, max_chars, trees):
        over = part.end - start > FULL or (head and end - start >= _SOME)
        if start >= 0 and over:
            found.append(Span(start, end))
            start = -1
        start = part.start if start < 0 else start
        end = part.end
    if start >= 0:
        found.append(Span(start, end))
    return found


def _parts(document: Document, max_chars: int, trees: SyntaxTrees | None) -> Iterator[tuple[Span, bool]]:
    """The segmenter's segments, or their sentences where one is long; whether it is a heading."""
    done = 0
    for each in segment([document], max_chars=max_chars, trees=trees):
        whole = each.span.end - each.span.start <= FULL
        for span in (each.span,) if whole else each.sentences:
            for start in range(max(done, span.start), span.end, _LONGEST):
                done = min(start + _LONGEST, span.end)
                yield Span(start, done), each.kind == "heading"
