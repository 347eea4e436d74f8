"""What to keep under a budget: the longest prefix of a ranking that fits, then the filling of the room that is left.

The costs by which the prefix is measured do not depend on the budget, and neither does the ranking, so a larger budget
keeps all that a smaller one keeps, but for the last filling. Tokens of parts do not add up exactly: the joined text is
counted, and what is over goes again, the last first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from gliding.select.folds import Fold
from gliding.select.ranking import Ranking

Measure = Callable[[Sequence[int], Mapping[int, str], Mapping[int, str]], int]
"""Tokens of the joined text of these sentences, with other text for some of them and marks behind some."""

_ROUNDS = 4
_REACH = 2
"""How much more than the room that is left is given to the third tier to be said in fewer words."""
_LEAST_ROOM = 3
_TRIALS = 32
"""Units that do not fit whose parts or trimmed forms are tried in a round of filling."""
_MISSES = 400
"""Units that do not fit after which a round of filling ends."""
_CHARS_PER_TOKEN = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Costs:
    """Tokens of the parts: of each sentence with its joiner, of each document's label, of each document's date line.

    ``sentence`` counts when it is asked, since most sentences never are; ``chars`` are their lengths. ``owner`` is each
    sentence's document. A label counts once a document, a date once a ``day``. ``frames`` gives what must stand around
    a sentence, each with its tokens, which count once; ``needs`` the sentences that must be kept where it is; ``mark``
    counts the mark behind one that stands for others.
    """

    sentence: Callable[[int], int]
    chars: Sequence[int]
    owner: Sequence[int]
    label: Sequence[int]
    date: Sequence[int]
    day: Sequence[str]
    frames: Callable[[int], Iterable[tuple[object, int]]] = lambda k: ()
    needs: Mapping[int, Sequence[int]] = field(default_factory=dict)
    mark: Callable[[str], int] = len


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The sentences that stay, ascending, and other text for those that were trimmed.

    ``marks`` stand behind those that stand for others alike. ``rewritten`` are those of them that the third tier said
    in its own way. ``ranked`` of the units are kept for their rank, the others were filled in; ``bare`` leaves headers
    out, where not even a sentence fits.
    """

    kept: tuple[int, ...]
    replaced: Mapping[int, str]
    marks: Mapping[int, str] = field(default_factory=dict)
    rewritten: frozenset[int] = frozenset()
    ranked: int = 0
    bare: bool = False


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
    basket = _Basket(costs, budget, measure, dict(ranking.folds), dict(replaced or {}))
    basket.take(forced, 0)
    basket.used = basket.count()
    if basket.used > budget:  # what is forced fits without marks
        basket.folds = {k: fold for k, fold in ranking.folds.items() if k not in basket.kept}
        basket.used = basket.count()
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
        basket.unfold(ranking)
        basket.fill(ranking, trimmed)
        if basket.size() == settled:
            break
        basket.settle(settled)
    return Choice(
        kept=tuple(sorted(basket.kept)),
        replaced=basket.live_replaced(),
        marks=basket.marks(),
        rewritten=frozenset(k for k in basket.rewrites if k in basket.kept),
        ranked=ranked,
    )


@dataclass(slots=True)
class _Basket:
    """What has been taken so far; it forgets the last taken first."""

    costs: Costs
    budget: int
    measure: Measure
    folds: Mapping[int, Fold]
    replaced: dict[int, str]
    used: int = 0
    kept: dict[int, None] = field(default_factory=dict)
    taken: list[list[int]] = field(default_factory=list)
    opened: dict[object, int] = field(default_factory=dict)
    short: dict[int, str] = field(default_factory=dict)
    rewrites: dict[int, tuple[str, int]] = field(default_factory=dict)
    asked: set[int] = field(default_factory=set)
    told: dict[int, int] = field(default_factory=dict)

    def size(self) -> int:
        return len(self.taken)

    def live_replaced(self) -> dict[int, str]:
        rewrites = {k: text for k, (text, _) in self.rewrites.items()}
        return {k: text for k, text in {**self.replaced, **rewrites, **self.short}.items() if k in self.kept}

    def marks(self) -> dict[int, str]:
        """What stands behind the kept sentences that stand for others, each at the level that was ``told``."""
        found = {k: fold.mark(self.kept, level=self.told.get(k, 0)) for k, fold in self.folds.items() if k in self.kept}
        return {k: mark for k, mark in found.items() if mark}

    def count(self) -> int:
        """Tokens of the joined text."""
        return self.measure(sorted(self.kept), self.live_replaced(), self.marks()) if self.kept else 0

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
        tokens = self.rewrites[k][1] if k in self.rewrites else self.costs.sentence(k)
        return tokens + self.costs.mark(self.folds[k].mark(())) if k in self.folds else tokens

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
            self.used = self.count()
            if self.used <= self.budget or len(self.taken) <= least:
                return
            for k in self.taken.pop():
                del self.kept[k]
                self.short.pop(k, None)
                self.told.pop(k, None)
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
        self.used = self.count()
        if self.used > self.budget:  # shorter parts that join to a longer whole
            self.rewrites = before
            self.used = self.count()

    def unfold(self, ranking: Ranking) -> None:
        """Say the values of lines alike where there is room for all of a group's, the best group first."""
        trials = _TRIALS
        for unit in ranking.units:
            fold = self.folds.get(unit.start)
            if fold is None or fold.head not in self.kept or fold.head in self.told:
                continue
            for level in fold.levels:
                told = fold.mark(self.kept, level=level)
                room = self.budget - self.used + self.costs.mark(fold.mark(self.kept))
                if not trials or len(told) > _CHARS_PER_TOKEN * room or self.costs.mark(told) > room:
                    continue
                trials -= 1
                self.told[fold.head] = level
                tokens = self.count()
                if tokens <= self.budget:
                    self.used = tokens
                    break
                del self.told[fold.head]

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
        for unit in chain(ranking.units, ranking.later):
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
