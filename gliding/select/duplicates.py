"""Near-duplicates: which units say nothing that a better one does not say already.

A unit is a duplicate of a better-ranked one where the Jaccard likeness of their words reaches a threshold, all of its
words of content stand in the other in the same order, and they differ in no negation or modal: lines alike but for an
id, a name or a verb are not duplicates. Candidates come from prefix filtering (Chaudhuri, Ganti and Kaushik 2006): sets
with a likeness of t share one of their (1 - t) * size + 1 rarest words.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from itertools import chain

from gliding.text.words import STOP_WORDS

_LEAST_WORDS = 4
"""Units with fewer words ("Yes.", "}") are never duplicates: what they mean depends on where they stand."""
_TELLING = frozenset("not no nor t only must may might shall should can could will would".split())
_SILENT = STOP_WORDS - _TELLING
_WORD = re.compile(r"\w+")


def duplicates(
    ranking: Sequence[int],
    texts: Sequence[str],
    *,
    threshold: float,
    alike: Mapping[int, Collection[int]] | None = None,
) -> dict[int, int]:
    """Return for each duplicate unit the better-ranked unit that it repeats.

    Args:
        ranking: Units, best first.
        texts: Each unit's text.
        threshold: Least Jaccard likeness, in (0, 1].
        alike: Units whose vectors are near: for them twice the distance in words is allowed.

    >>> texts = ["The red valve of hall 7 leaks.", "The red valve of hall 8 leaks.", "the red valve of hall 7 leaks"]
    >>> duplicates([0, 1, 2], texts, threshold=0.9)
    {2: 0}
    """
    words = [tuple(_WORD.findall(text.lower())) for text in texts]
    sets = [frozenset(each) for each in words]
    frequency = Counter(chain.from_iterable(sets))
    holders: dict[str, list[int]] = defaultdict(list)
    first: dict[tuple[str, ...], int] = {}
    kept: set[int] = set()
    same: dict[int, int] = {}
    for unit in ranking:
        if len(words[unit]) < _LEAST_WORDS:
            continue
        better = first.get(words[unit])
        if better is None:
            rare = sorted(sorted(sets[unit]), key=frequency.__getitem__)
            rare = rare[: int((1 - threshold) * len(rare) + 1e-9) + 1]
            better = _match(unit, {held for word in rare for held in holders[word]}, words, sets, threshold)
        if better is None and alike:
            near = [other for other in alike.get(unit, ()) if other in kept]
            better = _match(unit, near, words, sets, max(0.0, 2 * threshold - 1))
        if better is not None:
            same[unit] = better
            continue
        first[words[unit]] = unit
        kept.add(unit)
        for word in rare:
            holders[word].append(unit)
    return same


def _match(
    unit: int,
    candidates: Collection[int],
    words: Sequence[tuple[str, ...]],
    sets: Sequence[frozenset[str]],
    threshold: float,
) -> int | None:
    mine = sets[unit]
    for other in sorted(candidates):
        theirs = sets[other]
        shared = mine & theirs
        if len(shared) < threshold * (len(mine) + len(theirs) - len(shared)) - 1e-9:
            continue
        if not mine - theirs <= _SILENT or (theirs - mine) & _TELLING:
            continue
        content = shared - _SILENT
        if [w for w in words[unit] if w in content] == [w for w in words[other] if w in content]:
            return other
    return None
