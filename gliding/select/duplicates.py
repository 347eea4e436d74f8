"""Near-duplicates: which units say nothing that a better one does not say already.

A unit is a duplicate of a better-ranked one where the Jaccard likeness of their words reaches a threshold, all of its
words of content stand in the other in the same order, and they differ in no negation or modal: lines alike but for an
id, a name or a verb are not duplicates. Chinese and Japanese put no space between words: there each character is taken
for a word, and the words that a claim turns on are compared beside them. Candidates come from prefix filtering
(Chaudhuri, Ganti and Kaushik 2006): sets with a likeness of t share one of their (1 - t) * size + 1 rarest words.
Where a word is held by very many units, only the first of them are compared with, and those that say the same but for
stop words.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from itertools import chain, islice

from gliding.text.cjk import HAS_CJK, PATTERNS
from gliding.text.scripts import CJK, narrow
from gliding.text.words import STOP_WORDS

_LEAST_WORDS = 4
"""Units with fewer words ("Yes.", "}") are never duplicates: what they mean depends on where they stand."""
_HELD = 100
"""Units that hold a word up to which they are compared with: in a text of few words each unit shares them with all."""
_CHARACTER = 0.5
"""What one Han or kana counts of a word there."""
_TELLING = frozenset("not no nor t only must may might shall should can could will would".split())
_SILENT = (STOP_WORDS - _TELLING) | frozenset("的了着呢啊吧よねわ")
_WORD = re.compile(r"\w+")
_WORD_OR_CHARACTER = re.compile(rf"[{CJK}]|[^\W{CJK}]+")
_CLAIMS = [pattern for kind, pattern in PATTERNS if kind in ("negation", "modal", "condition")]


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
    >>> texts = ["三号泵的密封圈已经漏水。", "三号泵密封圈已经漏水了", "三号泵的密封圈没有漏水。"]
    >>> duplicates([0, 1, 2], texts, threshold=0.8)
    {1: 0}
    """
    words = [_words(text) for text in texts]
    claims = [_claims(text) for text in texts]
    sets = [frozenset(each) for each in words]
    frequency = Counter(chain.from_iterable(sets))
    holders: dict[str, list[int]] = defaultdict(list)
    first: dict[tuple[str, ...], int] = {}
    content: dict[tuple[str, ...], list[int]] = defaultdict(list)
    kept: set[int] = set()
    same: dict[int, int] = {}
    for unit in ranking:
        if _length(words[unit]) < _LEAST_WORDS:
            continue
        better = first.get(words[unit])
        said = tuple(word for word in words[unit] if word not in _SILENT)
        if better is None:
            rare = sorted(sorted(sets[unit]), key=frequency.__getitem__)
            rare = rare[: int((1 - threshold) * len(rare) + 1e-9) + 1]
            held = {other for word in rare for other in islice(holders[word], _HELD)}
            held.update(islice(content[said], _HELD))
            better = _match(unit, held, words, sets, claims, threshold)
        if better is None and alike:
            near = [other for other in alike.get(unit, ()) if other in kept]
            better = _match(unit, near, words, sets, claims, max(0.0, 2 * threshold - 1))
        if better is not None:
            same[unit] = better
            continue
        first[words[unit]] = unit
        kept.add(unit)
        content[said].append(unit)
        for word in rare:
            holders[word].append(unit)
    return same


def _words(text: str) -> tuple[str, ...]:
    if HAS_CJK.search(text) is None:
        return tuple(_WORD.findall(text.lower()))
    return tuple(_WORD_OR_CHARACTER.findall(narrow(text).lower()))


def _length(words: Sequence[str]) -> float:
    """How many words there are, a Han or kana counted as a part of one."""
    if len(words) >= _LEAST_WORDS / _CHARACTER:
        return len(words)
    return sum(_CHARACTER if len(word) == 1 and HAS_CJK.match(word) else 1 for word in words)


def _claims(text: str) -> tuple[str, ...]:
    """The negations, modals and conditions of a text in Chinese, Japanese or Korean, kind by kind, in order."""
    if HAS_CJK.search(text) is None:
        return ()
    return tuple(found for pattern in _CLAIMS for found in pattern.findall(text))


def _match(
    unit: int,
    candidates: Collection[int],
    words: Sequence[tuple[str, ...]],
    sets: Sequence[frozenset[str]],
    claims: Sequence[tuple[str, ...]],
    threshold: float,
) -> int | None:
    mine = sets[unit]
    for other in sorted(candidates):
        theirs = sets[other]
        if min(len(mine), len(theirs)) < threshold * max(len(mine), len(theirs)) - 1e-9:
            continue  # sets of sizes so unlike cannot be alike
        shared = mine & theirs
        if len(shared) < threshold * (len(mine) + len(theirs) - len(shared)) - 1e-9:
            continue
        if not mine - theirs <= _SILENT or (theirs - mine) & _TELLING or claims[unit] != claims[other]:
            continue
        content = shared - _SILENT
        if [w for w in words[unit] if w in content] == [w for w in words[other] if w in content]:
            return other
    return None
