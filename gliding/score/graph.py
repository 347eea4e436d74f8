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

from gliding.score.lexical import bm25
from gliding.text.words import terms

if TYPE_CHECKING:
    from gliding.score.view import View
    from gliding.types import FloatArray

SOURCES = 6
"""How many of the leading sentences relevance flows from."""
_TITLE_NOTE = re.compile(r"\(.*?\)")
_WORDS = re.compile(r"\w+")
_TURN_SHARE = 0.5
_REST_SHARE = 0.6


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
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(sorted(map(re.escape, named), key=len, reverse=True))})(?!\w)")
    flowed = np.array(values)
    for k in leading(values):
        home = view.segments[view.segment[k]].document
        for title in sorted(set(pattern.findall(" ".join(_WORDS.findall(view.texts[k].lower()))))):
            for document in named[title]:
                if document == home:
                    continue
                for segment in pieces[document]:
                    start, end = view.first[segment], view.first[segment + 1]
                    flowed[start] += share * values[k]
                    flowed[start + 1 : end] += share * _REST_SHARE * values[k]
    return flowed


def names(view: View, values: FloatArray, found: Mapping[int, Collection[str]], known: Collection[str]) -> FloatArray:
    """Score all sentences by the names that the leading ones bring up and the query does not have.

    Args:
        view: The sentences.
        values: ``(n,)`` scores so far.
        found: The names in each of the leading sentences.
        known: The query's terms.

    Returns:
        ``(n,) float64``, the BM25 of the names, each weighted by the best score of a sentence that has it.
    """
    weights: dict[str, float] = {}
    for k, entities in found.items():
        worth = float(values[k])
        for term in terms(" ".join(sorted(entities))):
            weights[term] = max(weights.get(term, 0.0), worth)
        for term in view.header[view.segment[k]]:
            weights[term] = max(weights.get(term, 0.0), 0.7 * worth)
    for term in known:
        weights.pop(term, None)
    return bm25(weights, view.terms)


def leading(values: FloatArray, count: int = SOURCES) -> list[int]:
    """The indices of the best values above zero, best first, ties by position."""
    order = np.argsort(-values, kind="stable")[:count]
    return [int(k) for k in order if values[k] > 0]
