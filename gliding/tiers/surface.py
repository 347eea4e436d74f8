"""What may be left out of a sentence that nobody parsed: only what is known by its words and marks to be no claim."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gliding.tiers.wording import ARTICLES, CONDITIONS, DEGREES, FILLERS, QUANTIFIERS, Word, kind_of

_SCOPES = (
    CONDITIONS | QUANTIFIERS | frozenset("may can not no never nor neither than without nobody nothing none".split())
)
_CLAUSE = re.compile(r"\s*(?:which|who|whose|whom|where)\b", re.IGNORECASE)
_APPOSED = re.compile(r"\s*(?:the|an?|its|his|her|their|our|formerly|also)\b", re.IGNORECASE)
_MORE = re.compile(r"\b(?:and|or|but|nor)\b")
_OPENING, _CLOSING = "([", ")]"
_DASHES = "\u2013\u2014"


def gone_unparsed(text: str, old: Sequence[Word], kept: frozenset[int]) -> tuple[str, str] | None:
    """Return why the words that went may not go, as (kind, detail), or None where they may."""
    scoped = any(word.key in _SCOPES for word in old)
    at = 0
    while at < len(old):
        if at in kept:
            at += 1
            continue
        end = at
        while end < len(old) and end not in kept:
            end += 1
        run = old[at:end]
        if not (
            _silent(run, scoped=scoped and _operator_near(text, old, at, end))
            or _set_off(text, old, at, end, scoped=scoped)
        ):
            phrase = " ".join(text[word.start : word.end] for word in run[:5])
            return ("relation", f"cannot tell without a parse what goes with {phrase!r}")
        at = end
    return None


def _operator_near(text: str, old: Sequence[Word], at: int, end: int) -> bool:
    """Whether a word that binds others stands between the same two commas."""
    for step, k in ((-1, at), (1, end - 1)):
        while 0 <= k < len(old):
            if old[k].key in _SCOPES:
                return True
            low, high = (k - 1, k) if step < 0 else (k, k + 1)
            if low < 0 or high >= len(old) or set(text[old[low].end : old[high].start]) & set(",;:.!?"):
                break
            k += step
    return False


def _silent(run: Sequence[Word], *, scoped: bool) -> bool:
    for word in run:
        if word.key in ARTICLES or word.key in FILLERS or word.key == "that":
            continue
        manner = word.key in DEGREES or (word.key.endswith("ly") and len(word.key) > 5 and not kind_of(word.key))
        if scoped or not manner:
            return False
    return True


def _set_off(text: str, old: Sequence[Word], at: int, end: int, *, scoped: bool) -> bool:
    """Whether a run of words stands in brackets, between dashes, or between commas as an aside about what is before."""
    before = text[old[at - 1].end : old[at].start].strip() if at else ""
    after = text[old[end - 1].end : old[end].start].strip() if end < len(old) else text[old[end - 1].end :].strip()
    inner = text[old[at].start : old[end - 1].end]
    if before[-1:] and before[-1] in _OPENING and after[:1] and after[0] in _CLOSING:
        return True
    if before[-1:] and before[-1] in _DASHES and after[:1] and after[0] in _DASHES:
        return True
    closes = end == len(old) or after[:1] in (",", ".", ";") if after else end == len(old)
    closes = closes or after in ("!", "?")
    if before != "," or not closes or not at:
        return False
    if _CLAUSE.match(inner):
        return "," not in inner
    # "Ada, the engineer, left": a list has "and" or more commas
    return after[:1] == "," and bool(_APPOSED.match(inner)) and not _MORE.search(text) and text.count(",") == 2
