"""Which words of a source a rewrite has kept: phrases that say nothing are set aside, the rest is matched in order."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from gliding.tiers.phrases import ANNOUNCEMENTS, ASIDES, HESITATIONS, OPENERS, SHORTER
from gliding.tiers.wording import ARTICLES, Word, canon, loose, words

_MOST = 60_000  # steps of the exact matching; beyond, the leftmost one is taken


class Simplified(NamedTuple):
    """The words of a text, some with the key of a shorter phrase, and which of them are free to go."""

    words: list[Word]
    free: list[bool]


_Phrase = tuple[tuple[str, ...], tuple[str, ...], bool]


@cache
def _phrases() -> dict[str, list[_Phrase]]:
    """(keys, keys of what it is short for, only at a start) by the first key, longest first."""
    table: dict[str, list[_Phrase]] = {}
    plain = [(phrase, short, False) for phrase, short in SHORTER.items()]
    plain += [(phrase, "", True) for phrase in (*ANNOUNCEMENTS, *OPENERS, *HESITATIONS)]
    plain += [(phrase, "", False) for phrase in ASIDES if " " in phrase]
    for phrase, short, opens in plain:
        keys = tuple(word.key for word in words(phrase))
        table.setdefault(keys[0], []).append((keys, tuple(word.key for word in words(short)), opens))
    for found in table.values():
        found.sort(key=lambda entry: -len(entry[0]))
    return table


def simplified(text: str, found: Sequence[Word]) -> Simplified:
    """Set aside the phrases that the trimmer would drop or say in fewer words.

    >>> text = "Please note that in order to win we must try."
    >>> done = simplified(text, words(text))
    >>> [word.key for word, free in zip(done.words, done.free) if not free]
    ['to', 'win', 'we', 'must', 'try']
    """
    table = _phrases()
    changed, free = list(found), [False] * len(found)
    at = 0
    while at < len(found):
        for keys, short, opens in table.get(found[at].key, ()):
            end = at + len(keys)
            if end > len(found) or any(found[at + k].key != key for k, key in enumerate(keys)):
                continue
            mark = text[found[at - 1].end : found[at].start].strip() if at else "."
            if opens and mark not in (".", "!", "?", ":", "\u2014") and not (mark == "," and free[at - 1]):
                continue
            if opens and end == len(found):
                continue
            if not short and keys[-1] != "that" and text[found[end - 1].end :].lstrip()[:1] not in (",", "\u2014"):
                continue
            if short and at and found[at - 1].key == "not":
                continue
            for k in range(at, end):
                free[k] = k - at >= len(short)
                if k - at < len(short):
                    changed[k] = changed[k]._replace(key=short[k - at])
            at = end - 1
            break
        at += 1
    return Simplified(changed, free)


def aligned(old: Sequence[Word], new: Sequence[Word], text: str) -> list[int] | None:
    """Return the indices of the source's words that a rewrite kept, or None where it is not the source with words gone.

    Articles may be added, and the "and" of a list may stand before another of its items. Of several ways to match the
    one with the longest runs is taken.
    """
    found = _matched_in_order(old, new)
    if found is not None:
        return found
    slim = [word for word in new if word.key not in ARTICLES]
    found = _matched_in_order(old, slim)
    if found is not None:
        return _with_articles(old, found)
    if any(word.key == "and" for word in old):
        found = _matched_in_order(old, [word for word in slim if word.key != "and"])
        if found is not None and _and_in_lists(old, new, found, text):
            return _with_articles(old, found)
    return None


def _with_articles(old: Sequence[Word], found: list[int]) -> list[int]:
    """Count the articles of kept words as kept."""
    kept = set(found)
    kept.update(i - 1 for i in found if i and old[i - 1].key in ARTICLES)
    return sorted(kept)


def _and_in_lists(old: Sequence[Word], new: Sequence[Word], found: Sequence[int], text: str) -> bool:
    """Whether each "and" of the rewrite stands where the source has one or a comma between two items."""
    slim = iter(found)
    at = -1
    waiting = False
    for word in new:
        if word.key in ARTICLES:
            continue
        if word.key == "and":
            waiting = True
            continue
        following = next(slim)
        if waiting:
            between = text[old[at].end : old[following].start] if at >= 0 else ""
            inner = [w.key for w in old[at + 1 : following]]
            if "and" not in inner and "," not in between:
                return False
            waiting = False
        at = following
    return not waiting


def _matched_in_order(old: Sequence[Word], new: Sequence[Word]) -> list[int] | None:
    places: dict[str, list[int]] = {}
    for i, word in enumerate(old):
        places.setdefault(word.key, []).append(i)
    if any(word.key not in places for word in new):
        return None
    if not new:
        return []
    if sum(len(places[word.key]) for word in new) > _MOST:
        return _leftmost(places, new)
    # best[k] of a place: (runs that go on, how the place before it was chosen)
    rows: list[tuple[list[int], list[int], list[int]]] = []
    for number, word in enumerate(new):
        spots = places[word.key]
        if not number:
            rows.append((spots, [0] * len(spots), [-1] * len(spots)))
            continue
        before, scores, _ = rows[-1]
        best, back, low, top = [], [], 0, -1
        for spot in spots:
            while low < len(before) and before[low] < spot:
                if scores[low] >= 0 and (top < 0 or scores[low] > scores[top]):
                    top = low
                low += 1
            choice, score = top, scores[top] if top >= 0 else -1
            if low and before[low - 1] == spot - 1 and scores[low - 1] >= 0 and scores[low - 1] + 1 > score:
                choice, score = low - 1, scores[low - 1] + 1
            best.append(score)
            back.append(choice)
        rows.append((spots, best, back))
    spots, scores, _ = rows[-1]
    at = max(range(len(spots)), key=lambda k: (scores[k], -k))
    if scores[at] < 0:
        return None
    found = []
    for spots, _, back in reversed(rows):
        found.append(spots[at])
        at = back[at]
    return found[::-1]


def others(old: Sequence[Word], kept: Sequence[int]) -> list[list[int]]:
    """Return other ways to keep the same words: of two like ones the first, or the last, wherever there is a choice.

    A text that can be read as an honest cut in one way is honest, whichever of two "is" it kept.
    """
    keys = [old[i].key for i in kept]
    found: list[list[int]] = []
    for turned in (False, True):
        places: dict[str, list[int]] = {}
        for i, word in enumerate(old[::-1] if turned else old):
            places.setdefault(word.key, []).append(i)
        run = _leftmost(places, [Word(0, 0, key) for key in (keys[::-1] if turned else keys)])
        if run is not None:
            run = [len(old) - 1 - i for i in run[::-1]] if turned else run
            if run != list(kept) and run not in found:
                found.append(run)
    return found


def _leftmost(places: dict[str, list[int]], new: Sequence[Word]) -> list[int] | None:
    found: list[int] = []
    for word in new:
        spots = places[word.key]
        at = bisect_left(spots, found[-1] + 1 if found else 0)
        if at == len(spots):
            return None
        found.append(spots[at])
    return found


def matched(old: Sequence[Word], new: Sequence[Word]) -> list[int]:
    """Return the source's words that a paraphrase has somewhere, each once, by stem."""
    left: dict[str, int] = {}
    for word in new:
        key = canon(word.key)
        left[key] = left.get(key, 0) + 1
    found = []
    for i, word in enumerate(old):
        key = canon(word.key)
        if left.get(key, 0):
            left[key] -= 1
            found.append(i)
    return found


def in_order(old: Sequence[Word], new: Sequence[Word]) -> bool:
    """Whether the stems of a rewrite come in the order of the source; words that say nothing are not looked at."""
    places = iter([canon(word.key) for word in old])
    return all(canon(word.key) in places for word in new if not loose(word.key))


def fronted(old: Sequence[Word], new: Sequence[Word], text: str, rewrite: str) -> bool:
    """Whether all that moved is one phrase set off by a comma, from the end of the sentence to its start or back."""
    for one, other, whole, reading in ((new, old, rewrite, True), (old, new, text, False)):
        cut = next((k for k in range(1, len(one)) if "," in whole[one[k - 1].end : one[k].start]), 0)
        head = [word.key for word in one[:cut]]
        keys = [word.key for word in other]
        at = next((k for k in range(len(keys) - cut + 1) if keys[k : k + cut] == head), -1) if cut else -1
        if at >= 0:
            rest = [*other[:at], *other[at + cut :]]
            if in_order(rest, one[cut:]) if reading else in_order(one[cut:], rest):
                return True
    return False
