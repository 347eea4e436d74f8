"""The context graph: relevance flows from a unit to what is tied to it, over one or two hops.

The ties: nearness in the text; a question and the turn that answers it; a title that a leading sentence names; the
names that leading sentences bring up. The flow is one step of personalised propagation for each kind of tie, strongest
sources first, which is enough for "the sentence after the named one", the heading above and a question's second hop.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from gliding.score.lexical import Matches
from gliding.text.words import find_whole, terms

if TYPE_CHECKING:
    from gliding.score.view import View
    from gliding.types import FloatArray, IntArray

SOURCES = 6
"""How many of the leading sentences relevance flows from."""
_TITLE_NOTE = re.compile(r"\(.*?\)")
_WORDS = re.compile(r"\w+")
_TURN_SHARE = 0.5
_REST_SHARE = 0.6
_HEADER_SHARE = 0.7


def near(values: FloatArray, shares: Sequence[float]) -> FloatArray:
    """Add to each value a share of those one, two, ... places before and after it.

    >>> near(np.array([0.0, 1.0, 0.0, 0.0]), (0.4, 0.2)).tolist()
    [0.4, 1.0, 0.4, 0.2]
    """
    flowed = np.array(values)
    for distance, share in enumerate(shares, 1):
        if distance < len(values):
            flowed[distance:] += share * values[:-distance]
            flowed[:-distance] += share * values[distance:]
    return flowed


def answers(values: FloatArray, view: View) -> FloatArray:
    """Let a question and the next speaker's turn lift each other: ``(segments,)`` to ``(segments,)``.

    An elliptical answer ("Strawberry.") shares no word with the query; the question before it does.
    """
    flowed = np.array(values)
    for k in range(1, len(flowed)):
        asked, answer = view.segments[k - 1], view.segments[k]
        before = view.documents[asked.document]
        if before.role != view.documents[answer.document].role and _asks(before.text):
            lift = _TURN_SHARE * max(flowed[k - 1], flowed[k])
            flowed[k - 1] = max(flowed[k - 1], lift)
            flowed[k] = max(flowed[k], lift)
    return flowed


def _asks(text: str) -> bool:
    return "?" in text or "？" in text


def titles(values: FloatArray, view: View, known: Collection[str], share: float) -> FloatArray:
    """Let each leading sentence lift the documents whose title it names, their first sentence most.

    ``known`` are the query's terms: a title that says no more than the query is no bridge.
    """
    named: dict[str, list[int]] = defaultdict(list)
    for index, holder in enumerate(view.documents):
        title = " ".join(_WORDS.findall(_TITLE_NOTE.sub("", holder.title).lower()))
        if title and not set(terms(title)) <= set(known):
            named[title].append(index)
    if not named:
        return values
    pieces: dict[int, list[int]] = defaultdict(list)
    for k, part in enumerate(view.segments):
        pieces[part.document].append(k)
    longest = sorted(named, key=len, reverse=True)
    flowed = np.array(values)
    for k in leading(values):
        home = view.segments[view.segment[k]].document
        for title in _named(" ".join(_WORDS.findall(view.texts[k].lower())), longest):
            for document in named[title]:
                if document == home:
                    continue
                for segment in pieces[document]:
                    start, end = view.first[segment], view.first[segment + 1]
                    flowed[start] += share * values[k]
                    flowed[start + 1 : end] += share * _REST_SHARE * values[k]
    return flowed


def _named(text: str, titles: Sequence[str]) -> list[str]:
    """The titles that a text names; they come longest first, and what one has taken a shorter one does not see."""
    found = []
    for title in titles:
        if title in text:
            at = find_whole(text, title)
            if at >= 0:
                found.append(title)
            while at >= 0:
                text = f"{text[:at]}\n{text[at + len(title) :]}"
                at = find_whole(text, title)
    return sorted(found)


def names(view: View, values: FloatArray, found: Mapping[int, Collection[str]], known: Collection[str]) -> FloatArray:
    """Score all sentences by the names that the leading ones bring up and the query does not have.

    A name carries nothing back to where it was found: else a leading passage would only echo itself.

    Args:
        view: The sentences.
        values: ``(n,)`` scores so far.
        found: The names in each of the leading sentences.
        known: The query's terms.

    Returns:
        ``(n,) float64``, the BM25 of the names, each weighted by the best score of a sentence elsewhere that has it.
    """
    brought = {k: _brought(view, k, names, known) for k, names in found.items()}
    number = {term: i for i, term in enumerate(dict.fromkeys(term for terms in brought.values() for term in terms))}
    homes = _homes(view)
    worth = {home: np.zeros(len(number)) for home in (None, *(int(homes[k]) for k in brought))}
    for k, shares in brought.items():
        for term, share in shares.items():
            for home, weights in worth.items():
                if home != homes[k]:
                    weights[number[term]] = max(weights[number[term]], share * float(values[k]))
    matches = Matches.of(list(number), view.terms)
    hop = matches.scores(worth.pop(None))
    for home, weights in worth.items():
        inside = homes == home
        hop[inside] = matches.scores(weights)[inside]
    return hop


def _brought(view: View, k: int, names: Collection[str], known: Collection[str]) -> dict[str, float]:
    """The terms that a sentence brings up: those of its names, and for less those of its header."""
    shares = dict.fromkeys(view.header[view.segment[k]], _HEADER_SHARE)
    shares.update(dict.fromkeys(terms(" ".join(sorted(names))), 1.0))
    return {term: share for term, share in shares.items() if term not in known}


def _homes(view: View) -> IntArray:
    """Where each sentence belongs, ``(n,)``: to what has its title, else its document, or its segment in a lone one."""
    if len(view.documents) == 1:
        return view.segment
    first: dict[str, int] = {}
    home = [first.setdefault(d.title, k) if d.title else k for k, d in enumerate(view.documents)]
    return np.fromiter((home[s.document] for s in view.segments), np.int64, len(view.segments))[view.segment]


def leading(values: FloatArray, count: int = SOURCES) -> list[int]:
    """The indices of the best values above zero, best first, ties by position."""
    order = np.argsort(-values, kind="stable")[:count]
    return [int(k) for k in order if values[k] > 0]
