"""Which words of a source an output took over: an alignment of words, linear in time. Knows nothing of facts.

A sentence that came out whole is found by its words. Any other is walked from left to right: the next word is looked
for in what is left of the source's sentence (words were left out), else the next words anywhere in the source.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat
from typing import NamedTuple

from gliding.text.scripts import CJK
from gliding.text.sentences import sentence_spans
from gliding.types import Span

NOWHERE = -1
GIVEN = -2
"""What an output's word has in place of a source's word: nothing, or a text that was allowed."""

_LETTERS = rf"[^\W_{CJK}]+"
_SIGN = r"(?:(?<!\w)[-+\u2212](?=[$\u20ac\u00a3\u00a5]?\d))?(?:[$\u20ac\u00a3\u00a5](?=\d))?"
_JOIN = r"(?:\.(?=[a-z\d])|,(?=\d)|:(?=\d)|[/@_'\u2019+#-]{1,8})"
_WORD = re.compile(rf"[{CJK}]|{_SIGN}{_LETTERS}(?:{_JOIN}{_LETTERS})*%?")
_COMMA = re.compile(r"(?<=\d),(?=\d{3})")
_LONG, _SHORT = 8, 3
"""Words in a row that are looked up anywhere in the source: many first, since few are found in too many places."""
_PLACES = 32
_LEAP = 3
"""So many words more must match elsewhere than near before a sentence goes on elsewhere."""


class Words(NamedTuple):
    """The words of a text by number, where they stand in it, and its sentences as ranges of words."""

    ids: list[int]
    starts: array[int]
    ends: array[int]
    sentences: list[Span]

    def within(self, span: Span) -> range:
        """Return the words that a range of characters touches."""
        return range(bisect_right(self.ends, span.start), bisect_left(self.starts, span.end))

    def rows(self, spans: Iterable[Span]) -> Iterator[tuple[int, int]]:
        """Yield for each range of characters, in order and apart, its first word and the one after its last."""
        low = high = 0
        size = len(self.ids)
        for start, end in spans:
            while low < size and self.ends[low] <= start:
                low += 1
            high = max(high, low)
            while high < size and self.starts[high] < end:
                high += 1
            yield low, high

    def owners(self) -> list[int]:
        """Return for each word the sentence that it stands in."""
        return [k for k, (a, b) in enumerate(self.sentences) for _ in range(a, b)]


class Alignment(NamedTuple):
    """For each word of the output the source's word it is, ``NOWHERE`` or ``GIVEN``; and which source words came out.

    ``kept[i]`` is 0 where the word is gone, 1 where it came out alone, 2 where a neighbour came out with it.
    """

    source: Words
    output: Words
    where: list[int]
    kept: bytearray


def read(text: str, numbers: dict[str, int], *, grow: bool, lines: bool) -> Words:
    """Return the words of a text, lower-cased, without commas in numbers.

    Args:
        text: Any text.
        numbers: The number of each word.
        grow: Whether new words get a number; else they are ``NOWHERE``.
        lines: Whether each line is a sentence.
    """
    ids: list[int] = []
    starts, ends = array("q"), array("q")
    memo: dict[str, int] = {}
    for match in _WORD.finditer(text):
        word = match[0]
        known = memo.get(word)
        if known is None:
            normal = _normal(word)
            known = numbers.setdefault(normal, len(numbers)) if grow else numbers.get(normal, NOWHERE)
            memo[word] = known
        ids.append(known)
        starts.append(match.start())
        ends.append(match.end())
    sentences: list[Span] = []
    done = 0
    for _, stop in sentence_spans(text, lines=lines):
        last = bisect_left(starts, stop, done)
        if last > done:
            sentences.append(Span(done, last))
            done = last
    if done < len(ids):
        sentences.append(Span(done, len(ids)))
    return Words(ids, starts, ends, sentences)


def _normal(word: str) -> str:
    return _COMMA.sub("", word.lower().replace("\u2019", "'").replace("\u2212", "-"))


def align(source: str, output: str, *, allowed: Sequence[str] = (), lines: bool = False) -> Alignment:
    """Align the words of an output with those of its source.

    Args:
        source: The text that was shortened.
        output: What came of it.
        allowed: Texts that may stand in the output without being in the source.
        lines: Whether each line is a sentence.

    >>> align("The pump did not fail.", "The pump did fail.").where
    [0, 1, 2, 4]
    """
    numbers: dict[str, int] = {}
    new = read(output, numbers, grow=True, lines=lines)
    old = read(source, numbers, grow=False, lines=lines)
    given = (tuple(read(text, numbers, grow=False, lines=True).ids) for text in allowed)
    return _Aligner(old, new, given).run()


def holds(words: Words, wanted: Iterable[tuple[int, ...]]) -> set[tuple[int, ...]]:
    """Return those of the rows of words that stand somewhere in a text."""
    by_first: dict[int, set[tuple[int, ...]]] = defaultdict(set)
    for row in wanted:
        if row:
            by_first[row[0]].add(row)
    found: set[tuple[int, ...]] = set()
    ids = words.ids
    for i, known in enumerate(ids):
        if known in by_first:
            hits = {row for row in by_first[known] if tuple(ids[i : i + len(row)]) == row}
            if hits:
                found |= hits
                by_first[known] -= hits
                if not by_first[known]:
                    del by_first[known]
    return found


class _Aligner:
    """One alignment on its way; ``at`` is the source's word after the last one that was found."""

    def __init__(self, source: Words, output: Words, given: Iterable[tuple[int, ...]]) -> None:
        self.source, self.output = source, output
        self.owners = source.owners()
        self.where = [NOWHERE] * len(output.ids)
        self.kept = bytearray(len(source.ids))
        self.at = 0
        self.given: dict[int, set[tuple[int, ...]]] = defaultdict(set)
        for row in given:
            if row and min(row) >= 0:
                self.given[row[0]].add(row)
        self.whole = self._wholes()
        self.used: dict[tuple[int, ...], int] = {}
        self.places = self._places()

    def run(self) -> Alignment:
        for low, high in self.output.sentences:
            if not self._take_whole(low, high):
                self._walk(low, high)
        return Alignment(self.source, self.output, self.where, self.kept)

    def _wholes(self) -> dict[tuple[int, ...], list[int]]:
        """Where the output's sentences stand in the source as whole sentences."""
        new, old = self.output.ids, self.source.ids
        found: dict[tuple[int, ...], list[int]] = {tuple(new[a:b]): [] for a, b in self.output.sentences}
        for a, b in self.source.sentences:
            if old[a] >= 0 and old[b - 1] >= 0:
                places = found.get(tuple(old[a:b]))
                if places is not None:
                    places.append(a)
        return found

    def _places(self) -> dict[tuple[int, ...], list[int]]:
        """Where some words in a row of the output stand in the source; of what is everywhere only the first places."""
        new, old = self.output.ids, self.source.ids
        found: dict[tuple[int, ...], list[int]] = {}
        for low, high in self.output.sentences:
            for size in (_SHORT, _LONG):
                for p in range(low, high - size + 1):
                    found[tuple(new[p : p + size])] = []
        for i in range(len(old) - _SHORT + 1):
            if old[i] < 0 or old[i + 1] < 0:
                continue
            places = found.get(tuple(old[i : i + _SHORT]))
            if places is None:
                continue
            if len(places) < _PLACES:
                places.append(i)
            places = found.get(tuple(old[i : i + _LONG]))
            if places is not None and len(places) < _PLACES:
                places.append(i)
        return found

    def _take_whole(self, low: int, high: int) -> bool:
        key = tuple(self.output.ids[low:high])
        places = self.whole[key]
        if not places:
            return False
        # A text that says something twice keeps the order in which it says it.
        k = min(bisect_right(places, self.used.get(key, -1)), len(places) - 1)
        self.used[key] = places[k]
        self._mark(low, places[k], high - low)
        return True

    def _walk(self, low: int, high: int) -> None:
        p = low
        while p < high:
            start, length = self._near(p, high)
            if length < _LONG:
                elsewhere, reach = self._far(p, high)
                if reach > length + (_LEAP if length and p > low else 0):
                    start, length = elsewhere, reach
            own = self._allowed(p, high)
            if own > length or (own and own == length and p == low):
                self.where[p : p + own] = repeat(GIVEN, own)
                p += own
            elif not length or (length == 1 and self._inserted(p, start, high)):
                p += 1
            else:
                self._mark(p, start, length)
                p += length

    def _near(self, p: int, high: int) -> tuple[int, int]:
        """The next place of a word in what is left of the source's sentence, and how many words match from there."""
        old = self.source.ids
        if self.at >= len(old):
            return (0, 0)
        owner = self.owners[self.at]
        rest = old[self.at : self.source.sentences[owner].end]
        wanted = self.output.ids[p]
        if wanted not in rest:
            return (0, 0)
        start = self.at + rest.index(wanted)
        return (start, self._length(p, start, high))

    def _far(self, p: int, high: int) -> tuple[int, int]:
        """The place anywhere in the source from where most words match, and how many; the next one of several."""
        for size in (_LONG, _SHORT):
            if p + size > high:
                continue
            places = self.places[tuple(self.output.ids[p : p + size])]
            if places:
                first = bisect_left(places, self.at)
                ordered = places[first:] + places[:first]
                lengths = [self._length(p, start, high) for start in ordered]
                best = max(lengths)
                return (ordered[lengths.index(best)], best)
        return (0, 0)

    def _allowed(self, p: int, high: int) -> int:
        rows = self.given.get(self.output.ids[p])
        if not rows:
            return 0
        new = self.output.ids
        return max(
            (len(row) for row in rows if p + len(row) <= high and tuple(new[p : p + len(row)]) == row), default=0
        )

    def _inserted(self, p: int, start: int, high: int) -> bool:
        """Whether a lone word that is found further on was put in: the words after it go on nearer and for longer."""
        if start == self.at or p + 1 >= high:
            return False
        after, length = self._near(p + 1, high)
        return length > 1 and after < start

    def _length(self, p: int, start: int, high: int) -> int:
        new, old = self.output.ids, self.source.ids
        most = min(high - p, len(old) - start)
        n = 0
        while n < most and new[p + n] == old[start + n]:
            n += 1
        return n

    def _mark(self, p: int, start: int, length: int) -> None:
        self.where[p : p + length] = range(start, start + length)
        # A word that goes on from the one before it is its neighbour, also where the sentences differ.
        joined = length > 1 or (p > 0 and start > 0 and self.where[p - 1] == start - 1)
        for i in range(start, start + length):
            self.kept[i] = max(self.kept[i], 1 + joined)
        self.at = start + length
