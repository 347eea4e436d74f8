"""What to keep under a budget: one ranking, its longest prefix that fits, then the filling of the room that is left.

The ranking does not depend on the budget, and neither do the costs by which its prefix is measured, so a larger budget
keeps all that a smaller one keeps, but for the last filling. Tokens of parts do not add up exactly: the joined text is
counted, and what is over goes again, the last first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from gliding.config import SelectConfig
from gliding.select.duplicates import duplicates
from gliding.select.ties import bring_along
from gliding.types import Document, Scores, Segment

if TYPE_CHECKING:
    from gliding.types import FloatArray

Measure = Callable[[Sequence[int], Mapping[int, str]], int]
"""Tokens of the joined text of these sentences, with other text for some of them."""

_ROUNDS = 4
_REACH = 2
"""How much more than the room that is left is given to the third tier to be said in fewer words."""
_LEAST_ROOM = 3
_TRIALS = 32
"""Units that do not fit whose parts or trimmed forms are tried in a round of filling."""
_MISSES = 400
"""Units that do not fit after which a round of filling ends."""
_CHARS_PER_TOKEN = 12
_TYPICAL_CHARS = 80
_SIZE_POWER = 0.15
_RECORD = 2000
"""Characters up to which a record is taken as a whole where it fits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """Units, best first: each a range of sentences that is taken as a whole; those below the floor are left out.

    ``score`` is ``(n,)``, each sentence's score; ``duplicate`` maps a unit to the better one that it repeats;
    ``brought`` maps a sentence that is there for others only (a heading) to those, one of which must be kept before it.
    """

    units: Sequence[range]
    score: FloatArray
    duplicate: Mapping[range, range]
    weak: frozenset[range]
    brought: Mapping[int, Sequence[int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Costs:
    """Tokens of the parts: of each sentence with its joiner, of each document's label, of each document's date line.

    ``sentence`` counts when it is asked, since most sentences never are; ``chars`` are their lengths. ``owner`` is each
    sentence's document. A label counts once a document, a date once a ``day``. ``frames`` gives what must stand around
    a sentence, each with its tokens, which count once; ``needs`` the sentences that must be kept where it is.
    """

    sentence: Callable[[int], int]
    chars: Sequence[int]
    owner: Sequence[int]
    label: Sequence[int]
    date: Sequence[int]
    day: Sequence[str]
    frames: Callable[[int], Iterable[tuple[object, int]]] = lambda k: ()
    needs: Mapping[int, Sequence[int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The sentences that stay, ascending, and other text for those that were trimmed.

    ``rewritten`` are those of them that the third tier said in its own way. ``ranked`` of the units are kept for their
    rank, the others were filled in; ``bare`` leaves headers out, where not even a sentence fits.
    """

    kept: tuple[int, ...]
    replaced: Mapping[int, str]
    rewritten: frozenset[int] = frozenset()
    ranked: int = 0
    bare: bool = False


def rank(
    documents: Sequence[Document],
    segments: Sequence[Segment],
    scores: Scores,
    texts: Sequence[str],
    config: SelectConfig,
) -> Ranking:
    """Order all units, best first, ties by position. The budget has no say in it.

    A document's own criticality lifts or lowers its sentences. In a document a sentence that leans on the one before it
    ("It was ...") brings it along, right behind itself, and so does each the heading above; a passage has its title.
    """
    score = _critical(documents, segments, scores)
    bounds = np.searchsorted(scores.segment, np.arange(len(segments) + 1)).tolist()
    if scores.grain == "segment":
        units = [range(a, b) for a, b in pairwise(bounds) if b > a]
    else:
        units = [unit for k, (a, b) in enumerate(pairwise(bounds)) for unit in _units(segments[k], a, b)]
    worth = np.maximum.reduceat(score, [unit.start for unit in units]) if units else np.zeros(0)
    if scores.grain == "sentence" and scores.route != "lines":
        # score per size, softly: a short sentence leaves room for another; characters, so that no tokenizer has a say
        sizes = np.fromiter((sum(len(texts[k]) for k in unit) for unit in units), np.float64, len(units))
        worth = worth / (1 + sizes / _TYPICAL_CHARS) ** _SIZE_POWER
    order = np.argsort(-worth, kind="stable").tolist()
    floor = config.floor * worth.max(initial=0.0)
    weak = frozenset(units[k] for k in order if worth[k] < floor or worth[k] <= 0)
    same: dict[int, int] = {}
    if scores.route != "code":
        whole = [" ".join(texts[unit.start : unit.stop]) for unit in units]
        same = duplicates(order, whole, threshold=config.duplicates, alike=_alike(units, scores))
    ranked = [k for k in order if k not in same and units[k] not in weak]
    brought: dict[int, list[int]] = {}
    if scores.grain == "sentence" and scores.route == "document":
        ranked, brought = bring_along(ranked, texts, segments, scores.segment.tolist(), frozenset(same))
    return Ranking(
        units=[units[k] for k in ranked],
        score=score,
        duplicate={units[k]: units[better] for k, better in same.items()},
        weak=weak,
        brought=brought,
    )


def _units(segment: Segment, start: int, stop: int) -> list[range]:
    """The sentences of a segment one by one; a record of moderate size is worth most as a whole."""
    if segment.kind == "record" and segment.span.end - segment.span.start <= _RECORD:
        return [range(start, stop)] if stop > start else []
    return [range(k, k + 1) for k in range(start, stop)]


def _critical(documents: Sequence[Document], segments: Sequence[Segment], scores: Scores) -> FloatArray:
    if all(document.criticality is None for document in documents):
        return scores.total
    own = [0.5 if doc.criticality is None else doc.criticality for doc in documents]
    factor = np.fromiter((0.5 + own[s.document] for s in segments), np.float64, len(segments))
    return np.asarray(scores.total * factor[scores.segment])


def _alike(units: Sequence[range], scores: Scores) -> dict[int, list[int]]:
    """Unit to the units of the segments whose vectors are near its own segment's."""
    if not scores.alike:
        return {}
    inside: dict[int, list[int]] = {}
    for number, unit in enumerate(units):
        inside.setdefault(int(scores.segment[unit.start]), []).append(number)
    return {
        number: [other for near in scores.alike[segment] for other in inside.get(near, ())]
        for segment, numbers in inside.items()
        if segment in scores.alike
        for number in numbers
    }


def choose(
    ranking: Ranking,
    costs: Costs,
    budget: int,
    measure: Measure,
    *,
    forced: Sequence[int] = (),
    replaced: Mapping[int, str] | None = None,
    trimmed: Callable[[int], tuple[str, int] | None] | None = None,
    rewritten: Callable[[Sequence[int]], Mapping[int, tuple[str, int]]] | None = None,
    spare: float = 0.0,
    bare: bool = False,
) -> Choice:
    """Take the ranking's longest prefix that fits, then fill the room that is left with the next best that fits.

    What is kept for its rank is chosen by its full length, whatever a rewriter makes of it: else a larger budget, under
    which nothing is rewritten, could keep less.

    Args:
        ranking: Units, best first.
        costs: Tokens of the parts.
        budget: Most tokens of the joined text.
        measure: Counts a joined text.
        forced: Sentences that stay whatever they score; the caller has seen that they fit.
        replaced: What some sentences say instead of their own text.
        trimmed: A sentence's shorter form and its tokens, or None where there is none; tried where the whole has no
            room.
        rewritten: Gives the shorter forms that the third tier finds for some of these sentences, with their tokens;
            asked for what is kept, and then for what may go into the room that this leaves.
        spare: Share of what is kept for its rank that stays as it is: the first, which carry most.
        bare: The headers had to go to make room for what is forced: nothing is kept for its rank, since a larger budget
            shows the headers in its place.
    """
    basket = _Basket(costs, budget, measure, dict(replaced or {}))
    basket.take(forced, measure(sorted(forced), {}) if forced else 0)
    for unit in () if bare else ranking.units:
        cost = basket.cost(unit)
        if basket.used + cost > budget:
            break
        basket.take(unit, cost)
    basket.settle(1)
    ranked = basket.size() - 1  # the first is what is forced
    if rewritten is not None:
        last = basket.taken[1 + round(spare * ranked) :]
        basket.rewrite(rewritten, [k for unit in last for k in unit])
    for _ in range(_ROUNDS):
        settled = basket.size()
        if rewritten is not None:
            basket.rewrite(rewritten, basket.ahead(ranking))
        basket.fill(ranking, trimmed)
        if basket.size() == settled:
            break
        basket.settle(settled)
    return Choice(
        kept=tuple(sorted(basket.kept)),
        replaced=basket.live_replaced(),
        rewritten=frozenset(k for k in basket.rewrites if k in basket.kept),
        ranked=ranked,
    )


@dataclass(slots=True)
class _Basket:
    """What has been taken so far; it forgets the last taken first."""

    costs: Costs
    budget: int
    measure: Measure
    replaced: dict[int, str]
    used: int = 0
    kept: dict[int, None] = field(default_factory=dict)
    taken: list[list[int]] = field(default_factory=list)
    opened: dict[object, int] = field(default_factory=dict)
    short: dict[int, str] = field(default_factory=dict)
    rewrites: dict[int, tuple[str, int]] = field(default_factory=dict)
    asked: set[int] = field(default_factory=set)

    def size(self) -> int:
        return len(self.taken)

    def live_replaced(self) -> dict[int, str]:
        rewrites = {k: text for k, (text, _) in self.rewrites.items()}
        return {k: text for k, text in {**self.replaced, **rewrites, **self.short}.items() if k in self.kept}

    def cost(self, unit: Sequence[int]) -> int:
        """Tokens that a unit adds, with the label and the date that it opens; no joiner stands before the first."""
        fresh = self._fresh(unit)
        tokens = sum(map(self._tokens, fresh)) + sum(self._opens(fresh).values())
        return tokens if self.kept or not fresh else tokens - 1

    def _fresh(self, unit: Sequence[int]) -> list[int]:
        """What is new of a unit, with what its sentences need."""
        if not self.costs.needs:
            return [k for k in unit if k not in self.kept]
        every = dict.fromkeys(other for k in unit for other in (*self.costs.needs.get(k, ()), k))
        return [k for k in every if k not in self.kept]

    def _tokens(self, k: int) -> int:
        return self.rewrites[k][1] if k in self.rewrites else self.costs.sentence(k)

    def _opens(self, fresh: Sequence[int]) -> dict[object, int]:
        """The labels and dates that are not shown yet, by document and by day, with their tokens."""
        opens: dict[object, int] = {}
        for k in fresh:
            document = self.costs.owner[k]
            label, date = self.costs.label[document], self.costs.date[document]
            if label and document not in self.opened:
                opens[document] = label
            if date and self.costs.day[document] not in self.opened:
                opens[self.costs.day[document]] = date
            opens.update({frame: n for frame, n in self.costs.frames(k) if frame not in self.opened})
        return opens

    def take(self, unit: Sequence[int], cost: int) -> None:
        fresh = self._fresh(unit)
        for key in self._opens(fresh):
            self.opened[key] = len(self.taken)
        self.kept.update(dict.fromkeys(fresh))
        self.taken.append(fresh)
        self.used += cost

    def settle(self, least: int) -> None:
        """Count the joined text; while it is over the budget, give up what was taken last, down to ``least`` units."""
        while True:
            self.used = self.measure(sorted(self.kept), self.live_replaced()) if self.kept else 0
            if self.used <= self.budget or len(self.taken) <= least:
                return
            for k in self.taken.pop():
                del self.kept[k]
                self.short.pop(k, None)
            self.opened = {key: at for key, at in self.opened.items() if at < len(self.taken)}

    def rewrite(
        self, rewritten: Callable[[Sequence[int]], Mapping[int, tuple[str, int]]], sentences: Sequence[int]
    ) -> None:
        """Say sentences in fewer words, those that are kept too; nothing is given up for it."""
        new = [k for k in sentences if k not in self.asked and k not in self.replaced]
        if not new:
            return
        self.asked.update(new)
        before = dict(self.rewrites)
        self.rewrites.update(rewritten(new))
        self.used = self.measure(sorted(self.kept), self.live_replaced()) if self.kept else 0
        if self.used > self.budget:  # shorter parts that join to a longer whole
            self.rewrites = before
            self.used = self.measure(sorted(self.kept), self.live_replaced())

    def ahead(self, ranking: Ranking) -> list[int]:
        """The sentences that come next and may fit into the room that is left once they are rewritten."""
        room = _REACH * (self.budget - self.used)
        found: list[int] = []
        for unit in ranking.units:
            fresh = [k for k in unit if k not in self.kept]
            if not fresh:
                continue
            room -= self.cost(unit)
            if room < 0:
                break
            found += fresh
        return found

    def fill(self, ranking: Ranking, trimmed: Callable[[int], tuple[str, int] | None] | None) -> None:
        """Take what still fits by its parts' tokens: whole units, else their best sentences, else trimmed ones."""
        trials, misses = _TRIALS, 0
        for unit in ranking.units:
            if self.budget - self.used < _LEAST_ROOM or misses > _MISSES:
                return
            if all(k in self.kept for k in unit):
                continue
            hosts = ranking.brought.get(unit.start)
            if hosts is not None and not any(k in self.kept for k in hosts):
                continue
            if self._long(unit) and not trials:
                continue
            cost = self.cost(unit)
            if self.used + cost <= self.budget:
                self.take(unit, cost)
                continue
            misses += 1
            if trials:
                trials -= 1
                for k in sorted(unit, key=lambda k: (-ranking.score[k], k)):
                    self._part(k, trimmed)

    def _long(self, unit: Sequence[int]) -> bool:
        """Whether a unit has so many characters that it needs no count to see that it does not fit."""
        chars = sum([self.costs.chars[k] for k in unit if k not in self.kept])
        return chars > _CHARS_PER_TOKEN * (self.budget - self.used)

    def _part(self, k: int, trimmed: Callable[[int], tuple[str, int] | None] | None) -> None:
        if k in self.kept or self._long((k,)):
            return
        cost = self.cost((k,))
        if self.used + cost <= self.budget:
            self.take((k,), cost)
            return
        known = k in self.replaced or k in self.rewrites
        shorter = trimmed(k) if trimmed is not None and not known else None
        if shorter is not None:
            text, tokens = shorter
            cost += tokens - self.costs.sentence(k)
            if self.used + cost <= self.budget:
                self.short[k] = text
                self.take((k,), cost)
