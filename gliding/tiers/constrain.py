"""What a rewrite may say: the source's own words in their order, some left out, and at most two function words of ours.

Pure: it gets the pieces of a tokenizer as plain data and knows no model. A text is cut at white space into words, and
the punctuation at a word's edges into marks. A rewrite is a walk through these: forward only, never over a word that
must be kept, a word left only when it is spelled to its end, a mark only after its own word (those that close the text
after any word). Any way to spell a word in pieces will do, since all of them read the same.

The words that may be put in are few on purpose. Negations, modals, quantifiers, conditions, numbers and "or" change
what is said. So can harmless looking ones, once the words between were left out: "and" makes one of two who did not act
("Acme, owner of Globex, sold" -> "Acme and Globex sold"), "by", "to", "was" and "who" turn a deed round ("sold Globex"
-> "sold to Globex"), "of" and "in" tie what was apart, "a" turns "few" into "a few". What is left marks a clause or a
thing that is known; it claims nothing. A shorter sentence can lie all the same: the guard comes after this.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from gliding.types import Span

FUNCTION_WORDS = ("that", "the")
"""What may be put in, one at a time, between two words of the source."""

START = "\u2581"
"""The sign of SentencePiece that a word begins."""

_WORD = re.compile(r"\S+")
_LEAD = frozenset('([{"\u201c\u00ab\u00bf\u00a1')
_TRAIL = frozenset('.,;:!?)]}"\u201d\u00bb\u2026')
_ASKS = "?"  # a question without its mark is a claim
_GOES_ON = ",;:"  # marks that no text ends with

Edges = tuple[tuple[tuple[int, int], ...], ...]
"""For each offset in a spelled word the pieces that lead on: (id, offset after it); each leads on to the word's end."""


class _Form(NamedTuple):
    """One way a word or mark is shown, and how it is spelled in pieces."""

    shown: str
    edges: Edges


class _Element(NamedTuple):
    """A word of the source, or a mark after the word ``owner``.

    ``final`` marks close the text; nothing is put in before a word that is ``joined`` to the one before it.
    """

    forms: tuple[_Form, ...]
    must: bool
    owner: int = -1
    final: bool = False
    joined: bool = False

    @property
    def mark(self) -> bool:
        return self.owner >= 0


class Place(NamedTuple):
    """Where a walk can be.

    All elements before ``at`` are said or left out; the last of them is being said where there is a ``form``, of which
    ``offset`` characters are spelled. ``put_in``: a word of ours came last. ``said`` is the text up to here.
    """

    at: int
    put_in: bool
    form: _Form | None
    offset: int
    said: str
    done: bool = False


State = tuple[Place, ...]


class SourceWords:
    """Makes the constraints of texts, for one tokenizer.

    Args:
        pieces: Piece -> id of all ordinary pieces (no special ones), word starts marked with U+2581.
        end: The id that ends a text.
        normalise: What the tokenizer does to characters before it cuts; a word is spelled so and shown as it was.
    """

    fingerprint = "words-1"
    """A new number where the same ids would be allowed no longer."""

    def __init__(self, pieces: Mapping[str, int], *, end: int, normalise: Callable[[str], str] = str) -> None:
        self._pieces = pieces
        self._longest = max(map(len, pieces), default=0)
        self._end = end
        self._normalise = normalise
        self._functions = tuple(form for word in FUNCTION_WORDS if (form := self._form(word)))

    def constraint(self, text: str, *, keep: Sequence[Span]) -> WordConstraint | None:
        """Return what a rewrite of the text may say; None where a word of it cannot be spelled in pieces, or none is.

        Words that share a character with a span of ``keep`` cannot be left out, and nothing is put in between them.
        """
        elements: list[_Element] = []
        for found in _WORD.finditer(text):
            start, stop = _core(text, Span(*found.span()), keep)
            forms = [self._form(text[start:stop])]
            if start > found.start():
                forms.append(self._form(text[found.start() : stop]))
            if forms[0] is None:
                return None
            marks = text[stop : found.end()]
            final = not text[found.end() :].strip()
            owner = len(elements)
            must = any(a < stop and start < b for a, b in keep) or (_ASKS in marks and not final)
            joined = any(a < found.start() < b for a, b in keep)
            elements.append(_Element(tuple(filter(None, forms)), must, joined=joined))
            for mark in marks:
                form = self._form(mark, glued=True)
                if form:
                    elements.append(_Element((form,), mark == _ASKS, owner, final))
                elif mark == _ASKS:
                    return None
        return WordConstraint(elements, self._functions, end=self._end) if elements else None

    def _form(self, word: str, *, glued: bool = False) -> _Form | None:
        spelled = self._normalise(word)
        if not spelled or START in spelled or any(map(str.isspace, spelled)):
            return None
        edges = spellings(spelled if glued else START + spelled, self._pieces, longest=self._longest)
        return _Form(word, edges) if edges else None


class WordConstraint:
    """The rewrites of one text that are allowed (a ``Constraint``). A state is all places that a walk can be at."""

    def __init__(self, elements: Sequence[_Element], functions: Sequence[_Form], *, end: int) -> None:
        self._elements = elements
        self._functions = functions
        self._end = end
        self._steps: dict[tuple[int, bool], tuple[tuple[int, bool, _Form], ...]] = {}

    @cached_property
    def _next_must(self) -> list[int]:
        """For each place the first element at or after it that cannot be skipped; the number of elements if none."""
        after = [len(self._elements)] * (len(self._elements) + 1)
        for k in reversed(range(len(self._elements))):
            after[k] = k if self._elements[k].must else after[k + 1]
        return after

    @property
    def first(self) -> State:
        """The state before the first id."""
        return (Place(0, False, None, 0, ""),)

    def allowed(self, state: State) -> list[int]:
        """Return the ids that may come next, ascending."""
        ids: set[int] = set()
        for place in state:
            if place.form is not None:
                ids.update(id for id, _ in place.form.edges[place.offset])
            elif not place.done:
                for _, _, form in self._from(place.at, place.put_in):
                    ids.update(id for id, _ in form.edges[0])
                if self._may_end(place):
                    ids.add(self._end)
        return sorted(ids)

    def advance(self, state: State, id: int) -> State:
        """Return the state after an id; empty where it was not allowed."""
        places: dict[tuple[object, ...], Place] = {}
        for place in state:
            for after in self._after(place, id):
                # walks that spell the same and go on from the same place are one; the earliest words win
                places.setdefault((after.at, after.put_in, _identity(after.form), after.offset), after)
        return tuple(places.values())

    def text(self, ids: Iterable[int]) -> str:
        """Return what a whole decoding says, in the source's own characters, its words joined by single spaces.

        Empty where the ids are not an allowed walk with the end's id last.
        """
        state = self.first
        for id in ids:
            state = self.advance(state, id)
        return state[0].said if state and state[0].done else ""

    def _after(self, place: Place, id: int) -> Iterable[Place]:
        if place.done:
            return
        if place.form is not None:
            yield from _spelled(place, place.form, place.offset, id)
            return
        if id == self._end and self._may_end(place):
            yield place._replace(done=True)
        for at, put_in, form in self._from(place.at, place.put_in):
            glue = "" if not place.said or (not put_in and self._elements[at - 1].mark) else " "
            begun = Place(at, put_in, form, 0, place.said + glue + form.shown)
            yield from _spelled(begun, form, 0, id)

    def _from(self, at: int, put_in: bool) -> tuple[tuple[int, bool, _Form], ...]:
        """What can be said next between two words: the place after it, whether it is a word of ours, its forms."""
        steps = self._steps.get((at, put_in))
        if steps is None:
            reach = range(at, min(self._next_must[at] + 1, len(self._elements)))
            words = [k for k in reach if not self._elements[k].mark]
            marks = [] if put_in else [k for k in reach if self._elements[k].mark and self._fits(k, at - 1)]
            own = [(k + 1, False, form) for k in sorted(words + marks) for form in self._elements[k].forms]
            open_here = words and at and not put_in and not self._elements[at].joined
            ours = [(at, True, form) for form in self._functions] if open_here else []
            steps = self._steps[at, put_in] = (*own, *ours)
        return steps

    def _fits(self, mark: int, last: int) -> bool:
        """Whether a mark may follow the last element that was said."""
        element = self._elements[mark]
        return last >= element.owner or (element.final and last >= 0 and not self._elements[last].mark)

    def _may_end(self, place: Place) -> bool:
        if not place.at or place.put_in or self._next_must[place.at] < len(self._elements):
            return False
        last = self._elements[place.at - 1]
        return not last.mark or last.final or last.forms[0].shown not in _GOES_ON


def spellings(word: str, pieces: Mapping[str, int], *, longest: int) -> Edges:
    """Return all ways to spell a word in pieces of at most ``longest`` characters; empty where there is none.

    >>> spellings("abc", {"a": 1, "ab": 2, "bc": 3, "c": 4, "b": 5}, longest=2)
    (((1, 1), (2, 2)), ((5, 2), (3, 3)), ((4, 3),))
    >>> spellings("abd", {"a": 1, "ab": 2}, longest=2)
    ()
    """
    edges: list[tuple[tuple[int, int], ...]] = [()] * len(word)
    ends = [False] * len(word) + [True]
    for offset in reversed(range(len(word))):
        stops = range(offset + 1, min(offset + longest, len(word)) + 1)
        edges[offset] = tuple(
            (pieces[word[offset:stop]], stop) for stop in stops if ends[stop] and word[offset:stop] in pieces
        )
        ends[offset] = bool(edges[offset])
    return tuple(edges) if ends[0] and word else ()


def _spelled(place: Place, form: _Form, offset: int, id: int) -> Iterable[Place]:
    """The place after one more piece of a form; out of it where that was the last piece."""
    for piece, stop in form.edges[offset]:
        if piece == id:
            whole = stop == len(form.edges)
            yield place._replace(form=None if whole else form, offset=0 if whole else stop)


def _identity(form: _Form | None) -> int:
    return -1 if form is None else id(form)


def _core(text: str, word: Span, keep: Sequence[Span]) -> Span:
    """A word without the punctuation at its edges; what is kept and a word of nothing else stay whole."""

    def loose(k: int) -> bool:
        return not any(a <= k < b for a, b in keep)

    start, stop = word
    while start < stop and text[start] in _LEAD and loose(start):
        start += 1
    while stop > start and text[stop - 1] in _TRAIL and loose(stop - 1):
        stop -= 1
    return Span(start, stop) if start < stop else word
