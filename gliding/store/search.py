"""Candidates by words and by vectors, fused by their ranks, and the excerpts that are made of the best."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from gliding.store.answers import Cited
from gliding.store.database import Database, Stored
from gliding.store.nearest import Nearest
from gliding.text.cjk import HAS_CJK
from gliding.text.words import terms
from gliding.types import Document, Result, Span

if TYPE_CHECKING:
    from gliding.protocols import Float32

DEPTH = 100
"""Candidates that each side names, at least."""

_K = 60
_MOST_TERMS = 64
_MOST_MATCHES = 100_000  # a term that adds more to these is left out, once rarer ones are there: it says little
_PLAIN = {"csv": "log", "tsv": "log", "jsonl": "log", "json": "", "messages": "", "yaml": "", "toml": "", "ini": ""}
"""Kinds that hold for a whole document only, and what a part of one is."""


def fused(rankings: Sequence[Sequence[int]]) -> list[tuple[int, float]]:
    """Return what the rankings name with the sum of 1 / (60 + rank), the best first, ties by number.

    Reciprocal rank fusion, Cormack, Clarke and Buettcher 2009.

    >>> [number for number, _ in fused([[7, 5, 9], [5, 3]])]
    [5, 7, 3, 9]
    """
    scores: dict[int, float] = {}
    for ranking in rankings:
        for rank, number in enumerate(ranking, 1):
            scores[number] = scores.get(number, 0.0) + 1.0 / (_K + rank)
    return sorted(scores.items(), key=lambda item: (-item[1], item[0]))


def by_words(db: Database, query: str, most: int) -> list[int]:
    """Return the segments with words of the query, the best by BM25 first."""
    wanted = list(dict.fromkeys(terms(query)))
    if any(HAS_CJK.match(term) and len(term) > 1 for term in wanted):  # pairs say more than the characters in them
        wanted = [term for term in wanted if len(term) > 1 or not HAS_CJK.match(term)]
    counted = sorted((count, term) for term in wanted[:_MOST_TERMS] if (count := db.frequency(term)))
    asked: list[str] = []
    total = 0
    for count, term in counted:
        total += count
        if asked and total > _MOST_MATCHES:
            break
        asked.append(term)
    return db.matches(asked, most) if asked else []


class Ranked(NamedTuple):
    """The best segments, the best first; by number their scores, their cosines and their places by words."""

    segments: list[Stored]
    scores: dict[int, float]
    cosines: dict[int, float]
    ranks: dict[int, int]


def ranked(
    db: Database, nearest: Nearest | None, query: str, vector: Float32 | None, *, words: bool, most: int
) -> Ranked:
    """Return the best segments by words, by vectors, or both. Call it inside ``Database.reading``.

    Raises:
        StoreError: The store is damaged.
        FileNotFoundError: Another process has replaced the index.
    """
    depth = max(DEPTH, 4 * most)
    cosines: dict[int, float] = {}
    if nearest is not None and vector is not None:
        numbers, values = nearest.search(vector, depth)
        cosines = dict(zip(numbers.tolist(), values.tolist(), strict=True))
    found = by_words(db, query, depth) if words and db.words else []
    scores = dict(fused([found, list(cosines)])[:most])
    held = db.segments(scores)
    ranks = {number: rank for rank, number in enumerate(found, 1)}
    return Ranked([held[number] for number in scores], scores, cosines, ranks)


class Excerpt(NamedTuple):
    """A part of a stored document: its number and characters."""

    document: int
    span: Span


def gather(
    segments: Sequence[Stored], tokens: Callable[[Stored], int], near: Callable[[Stored], Sequence[Stored]], room: int
) -> list[Excerpt]:
    """Return excerpts of the best segments, in the order of the store.

    Three quarters of the room, in tokens, go to the segments themselves; in the rest they get their neighbours. Those
    that follow each other become one excerpt. The best segment is always there.
    """
    taken: dict[int, Stored] = {}
    used = 0
    for segment in segments:
        if segment.number in taken:
            continue
        cost = tokens(segment)
        if taken and used + cost > 0.75 * room:
            break
        taken[segment.number] = segment
        used += cost
    for segment in list(taken.values()):
        if used >= room:
            break
        for other in near(segment):
            if other.number not in taken and used + (cost := tokens(other)) <= room:
                taken[other.number] = other
                used += cost
    found: list[Excerpt] = []
    before = -1
    for number, segment in sorted(taken.items()):
        last = found[-1] if found else None
        if last and last.document == segment.document and number == before + 1:  # they are numbered in a row
            found[-1] = Excerpt(last.document, Span(last.span.start, segment.span.end))
        else:
            found.append(Excerpt(segment.document, segment.span))
        before = number
    return found


def excerpted(document: Document, text: str) -> Document:
    """Return a part of a document as one of its own; its id stands for a title where it has none."""
    return Document(
        text=text,
        id=document.id,
        title=document.title or ("" if document.role else document.id),
        role=document.role,
        time=document.time,
        turn=document.turn,
        kind=_PLAIN.get(document.kind, document.kind),
        criticality=document.criticality,
    )


def cited(result: Result, excerpts: Sequence[Excerpt]) -> tuple[Cited, ...]:
    """Return where the parts of a result come from, in the characters of the stored documents."""
    return tuple(
        Cited(
            output=piece.output,
            document=result.documents[source.document].id,
            span=Span(
                excerpts[source.document].span.start + source.start, excerpts[source.document].span.start + source.end
            ),
            exact=piece.exact,
        )
        for piece in result.pieces
        if piece.action != "header"
        for source in piece.sources
    )
