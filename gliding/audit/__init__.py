r"""Which facts of a source are gone from an output, which of an output are not in its source, and is it still valid.

What stands in a sentence that is gone as a whole misleads nobody: that is told apart from what is lost inside a
sentence that came out in part. It compares words and facts; it does not understand, so it proves nothing.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from functools import cached_property
from typing import NamedTuple

from gliding.audit import alignment, marks, structure
from gliding.audit.marks import Mark
from gliding.errors import InputError
from gliding.protocols import SyntaxTrees
from gliding.text.languages import NAMES
from gliding.types import Audit, Finding, Span

KINDS = structure.KINDS
"""Kinds of text whose structure can be checked."""

_BY_LINE = frozenset(("json", "jsonl", "messages", "python", "yaml", "toml", "csv", "tsv", *NAMES))
_NO_LINKS = _BY_LINE - {"json", "jsonl", "messages"}
_PART = 3  # a sentence came out in part where one in so many of its words did
_SIMPLE = re.compile(r"[^\W_]+")
_FLOWS_ON = re.compile(r"[a-z,]\r?\n[ \t]*[a-z]+(?:['\u2019-][a-z]+)?[,.;:!?)]*(?=\s)")
_STOPS = (".", "!", "?", "\u3002", "\uff01", "\uff1f")
_FOLDED = re.compile(r"(?m)^\[[\d,]+ more like this\b")  # the mark that stands for lines alike
_SAMPLE = 100_000  # characters
_ESCAPED = re.compile(r"\\(?:[\"\\/bfnrt]|u[0-9a-fA-F]{4})")
_ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


def audit(
    source: str, output: str, *, kind: str = "", allowed: Sequence[str] = (), trees: SyntaxTrees | None = None
) -> Audit:
    """Compare a shortened text with its source.

    Numbers, dates, identifiers, names and links are equal where ``gliding.facts`` writes them the same: 8,466 = 8466.
    Negations, modals and conditions are looked for in the sentence that they stood in.

    Args:
        source: The text that was shortened.
        output: What came of it.
        kind: One of ``KINDS``; empty finds it by the source's content.
        allowed: Texts that may stand in the output without being in the source, such as titles and speakers.
        trees: Parses source code; without it, whether that still parses is not looked at.

    Raises:
        InputError: The kind is not known.

    >>> found = audit("The disk must not hold over 8,466 MB of logs.", "The disk must hold over 8466 GB of logs.")
    >>> [(f.kind, f.text) for f in found.lost], [(f.kind, f.text) for f in found.added], found.clean
    ([('negation', 'not'), ('number', '8,466 MB')], [('number', '8466 GB')], False)
    """
    if kind not in ("", *KINDS):
        near = get_close_matches(kind, KINDS, n=1)
        hint = f"Did you mean {near[0]!r}?" if near else f"Known: {', '.join(KINDS)}."
        raise InputError(f"kind is {kind!r}, which is not known.", hint=hint)
    kind = kind or structure.guess(source)
    allowed = ((allowed,) if isinstance(allowed, str) else tuple(allowed)) + tuple(_FOLDED.findall(output))
    pair = _Pair(_readable(source, kind), _readable(output, kind), kind, allowed)
    pair.compare()
    counts = {kind: pair.counts[kind] for kind in marks.KINDS if kind in pair.counts}
    return Audit(
        kind=kind,
        lost=_sorted(pair.lost, pair.source),
        gone=_sorted(pair.gone, pair.source),
        added=_sorted(pair.added, pair.output),
        broken=structure.broken(source, output, kind, trees=trees),
        counts=counts,
    )


class _Readable(NamedTuple):
    """A text with its escapes resolved: from each place on, how much further on it stands in the text as given."""

    text: str
    places: Sequence[int] = (0,)
    shifts: Sequence[int] = (0,)

    def back(self, span: Span) -> Span:
        """Return where a range stands in the text as given."""
        start, last = span.start, max(span.start, span.end - 1)
        first, second = (place + self.shifts[bisect_right(self.places, place) - 1] for place in (start, last))
        return Span(first, second + 1 if span.end > span.start else first)


def _readable(text: str, kind: str) -> _Readable:
    """Resolve the escapes of JSON's strings: they hide where words begin, and a text has several ways to write them."""
    if kind not in ("json", "jsonl", "messages") or "\\" not in text:
        return _Readable(text)
    parts: list[str] = []
    places, shifts = [0], [0]
    done = size = 0
    for match in _ESCAPED.finditer(text):
        plain = match[0][1:]
        plain = chr(int(plain[1:], 16)) if plain[0] == "u" and len(plain) > 1 else _ESCAPES.get(plain, plain)
        parts += (text[done : match.start()], plain)
        size += match.start() - done + 1
        done = match.end()
        places.append(size)
        shifts.append(done - size)
    parts.append(text[done:])
    return _Readable("".join(parts), places, shifts)


def _is_lines(text: str) -> bool:
    """Whether each line stands for itself, as in a log: few end like a sentence, few go on in the next line."""
    sample = text[:_SAMPLE]
    lines = [line for line in map(str.rstrip, sample.split("\n")) if line]
    ending = sum(line.endswith(_STOPS) for line in lines)
    flowing = len(_FLOWS_ON.findall(sample))
    return len(lines) > 2 and ending < 0.3 * len(lines) and flowing < 0.1 * len(lines)


def _sorted(found: Sequence[Mark], text: _Readable) -> tuple[Finding, ...]:
    ordered = sorted(found, key=lambda mark: (marks.KINDS.index(mark.kind), mark.span))
    return tuple(Finding(mark.kind, mark.text, text.back(mark.span)) for mark in ordered)


class _Pair:
    """A source and its output on their way through the comparison."""

    def __init__(self, source: _Readable, output: _Readable, kind: str, allowed: Sequence[str]) -> None:
        self.source, self.output = source, output
        self.lost: list[Mark] = []
        self.gone: list[Mark] = []
        self.added: list[Mark] = []
        self.counts: dict[str, tuple[int, int]] = {}
        links = kind not in _NO_LINKS
        self.old = marks.find(source.text, links=links)
        self.new = marks.find(output.text, links=links)
        self.given = marks.find("\n".join(allowed), links=links)
        lines = kind in _BY_LINE or (kind == "text" and _is_lines(source.text))
        self.words = alignment.align(source.text, output.text, allowed=allowed, lines=lines)
        self.owners = self.words.source.owners()
        self.allowed = allowed

    def compare(self) -> None:
        self._hard_added()
        self._hard_lost()
        self._soft()

    # --- what is the same wherever it stands ---

    def _hard_added(self) -> None:
        known = {mark.normal for mark in (*self.old, *self.given)}
        open_marks = {}
        for mark in self.new:
            if mark.kind in marks.HARD and mark.normal not in known and not self._is_given(mark):
                open_marks[mark] = [self._row(part) for part in self._line_parts(mark)]
        # A cut text reads otherwise at its end, "30 April" for "30 April 2024": its words still stand in a row.
        there = alignment.holds(self.words.source, (row for rows in open_marks.values() for row in rows))
        self.added += [
            mark
            for mark, rows in open_marks.items()
            if not there.issuperset(rows)
            and not (mark.kind == "name" and self._source_words.issuperset(_simple(mark.text)))
        ]

    def _is_given(self, mark: Mark) -> bool:
        return all(self.words.where[i] == alignment.GIVEN for i in self.words.output.within(mark.span))

    def _row(self, span: Span) -> tuple[int, ...]:
        return tuple(self.words.output.ids[i] for i in self.words.output.within(span))

    def _line_parts(self, mark: Mark) -> Iterator[Span]:
        """What a mark has in each line: lines that were apart in the source can read as one range of numbers."""
        start = mark.span.start
        for line in mark.text.split("\n"):
            if not line.isspace() and line:
                yield Span(start, start + len(line))
            start += len(line) + 1

    @cached_property
    def _source_words(self) -> frozenset[str]:
        return frozenset(word for text in (self.source.text, *self.allowed) for word in _simple(text))

    def _hard_lost(self) -> None:
        shown = {mark.normal for mark in self.new}
        shown_words = frozenset(_simple(self.output.text))
        near = self._shown_near()
        kept: dict[str, set[str]] = defaultdict(set)
        inside: dict[tuple[str, str], Mark] = {}
        missing: dict[tuple[str, str], Mark] = {}
        for mark, owner, whole in self._old_marks:
            if mark.kind not in marks.HARD:
                continue
            if whole or mark.normal in shown:
                kept[mark.kind].add(mark.normal)
            if not whole:
                missing.setdefault((mark.kind, mark.normal), mark)
                if owner in self._parts and mark.normal not in near[owner]:
                    inside.setdefault((mark.kind, mark.normal), mark)
        for kind, normal in missing:
            if kind == "name" and shown_words.issuperset(_simple(normal)):
                kept[kind].add(normal)
        self.lost += inside.values()
        self.gone += [mark for key, mark in missing.items() if key not in inside and mark.normal not in kept[mark.kind]]
        for kind in marks.HARD:
            different = len({mark.normal for mark in self.old if mark.kind == kind})
            if different:
                self.counts[kind] = (different, len(kept[kind]))

    def _shown_near(self) -> dict[int, set[str]]:
        """What the sentences of the output say that took words from a sentence of the source."""
        near: dict[int, set[str]] = defaultdict(set)
        for mark, sentence in self._placed(self.new):
            for owner in self._sources[sentence]:
                near[owner].add(mark.normal)
        return near

    # --- what counts only in its sentence ---

    def _soft(self) -> None:
        """Pair what is lost of a sentence with what the output says there in other words; the rest is lost or added."""
        there: Counter[str] = Counter()
        kept: Counter[str] = Counter()
        open_marks: dict[tuple[int, str], list[Mark]] = defaultdict(list)
        known = {mark.normal for mark in (*self.old, *self.given)}
        for mark, owner, whole in self._old_marks:
            if mark.kind in marks.SOFT:
                there[mark.kind] += 1
                if whole:
                    kept[mark.kind] += 1
                else:
                    open_marks[owner, mark.kind].append(mark)
        strange: dict[Mark, tuple[int, ...]] = {}
        for mark, sentence in self._placed(self.new):
            if mark.kind not in marks.SOFT or self._taken_over(mark):
                continue
            same = [key for owner in self._sources[sentence] if open_marks[key := (owner, mark.kind)]]
            if same:
                open_marks[same[0]].pop(0)
                kept[mark.kind] += 1
            elif self._sources[sentence] or mark.normal not in known:
                # A sentence in words of its own cannot be placed: what the source has anywhere may be its reason.
                strange[mark] = self._with_neighbours(mark, sentence)
        there_too = alignment.holds(self.words.source, strange.values())
        self.added += [mark for mark, row in strange.items() if row not in there_too]
        for (owner, _), rest in open_marks.items():
            (self.lost if owner in self._parts else self.gone).extend(rest)
        self.counts |= {kind: (number, kept[kind]) for kind, number in there.items()}

    def _with_neighbours(self, mark: Mark, sentence: int) -> tuple[int, ...]:
        """The words of a mark, and in its sentence the one before and the one after it."""
        row = self.words.output.within(mark.span)
        low, high = self.words.output.sentences[sentence]
        return tuple(self.words.output.ids[max(low, row.start - 1) : min(high, row.stop + 1)])

    def _taken_over(self, mark: Mark) -> bool:
        row = self.words.output.within(mark.span)
        return all(self.words.where[i] != alignment.NOWHERE for i in row)

    # --- sentences ---

    @cached_property
    def _sources(self) -> list[list[int]]:
        """For each sentence of the output the sentences that it took words from; none where it is mostly new."""
        found = []
        for low, high in self.words.output.sentences:
            taken = [self.words.where[i] for i in range(low, high) if self.words.where[i] != alignment.NOWHERE]
            owners = dict.fromkeys(self.owners[i] for i in taken if i >= 0)
            found.append(list(owners) if len(taken) * _PART >= high - low else [])
        return found

    def _placed(self, found: Sequence[Mark]) -> Iterator[tuple[Mark, int]]:
        """The marks of the output, each with its sentence."""
        ends = [high for _, high in self.words.output.sentences]
        for mark in found:
            row = self.words.output.within(mark.span)
            if row:
                yield mark, bisect_right(ends, row.start)

    @cached_property
    def _old_marks(self) -> list[tuple[Mark, int, bool]]:
        """The marks of the source, each with its sentence and whether all of its words came out."""
        rows = self.words.source.rows(mark.span for mark in self.old)
        return [
            (mark, self.owners[low] if low < high else alignment.NOWHERE, 0 not in self.words.kept[low:high])
            for mark, (low, high) in zip(self.old, rows, strict=True)
        ]

    @cached_property
    def _parts(self) -> frozenset[int]:
        """The sentences of the source that came out in part: a third of their words, two of them in a row."""
        touched = {self.owners[i] for i in self.words.where if i >= 0}
        return frozenset(owner for owner in touched if self._in_part(owner))

    def _in_part(self, sentence: int) -> bool:
        low, high = self.words.source.sentences[sentence]
        kept = self.words.kept[low:high]
        shown = len(kept) - kept.count(0)
        return shown * _PART >= len(kept) and (2 in kept or shown == len(kept))


def _simple(text: str) -> list[str]:
    return _SIMPLE.findall(text.lower())
