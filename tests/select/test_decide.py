import numpy as np
import pytest

from gliding.segment import segment
from gliding.select.decide import decide
from gliding.select.plan import Choice
from gliding.select.ranking import Ranking
from gliding.types import Document, Scores, SourceSpan

TEXT = "The pump failed. It was old.\n\nThe gate was shut.\n\nNobody was hurt by it at all."
SEGMENTS = segment([Document(text=TEXT)])
SCORES = Scores(
    total=np.array([0.9, 0.25, 0.5, 0.1]),
    signals={"sentence": np.array([0.1, 0.4, 0.0, 0.0])},
    segment=np.array([0, 0, 1, 2]),
    route="document",
    grain="sentence",
)


def ranking(duplicate=None, weak=()):
    same = {range(a, a + 1): range(b, b + 1) for a, b in (duplicate or {}).items()}
    return Ranking(units=[], score=SCORES.total, duplicate=same, weak=frozenset(range(k, k + 1) for k in weak))


def decisions(kept, replaced=None, *, pinned=(), **options):
    choice = Choice(kept=tuple(kept), replaced=replaced or {})
    return decide(SEGMENTS, choice, scores=SCORES, ranking=ranking(**options), pinned=pinned)


def said(*args, **options):
    return [(d.action, d.reason) for d in decisions(*args, **options)]


def test_kept_whole_in_part_and_not_at_all():
    assert said([0, 1, 2]) == [("keep", "fits"), ("keep", "fits"), ("drop", "no room")]
    assert said([0])[0] == ("extract", "1 of 2 sentences fit")


def test_trimmed():
    assert said([0, 1], {0: "The pump"})[0] == ("trim", "fits after trimming")
    assert said([0], {0: "The pump"})[0] == ("extract", "1 of 2 sentences fit, some trimmed")


def test_pinned():
    assert said([0, 1, 2], pinned=[2])[1] == ("keep", "pinned")
    assert said([1], pinned=[1])[0] == ("extract", "pinned in part")


def test_why_it_was_dropped():
    assert said([], weak=[3])[2] == ("drop", "below the floor")
    assert said([2], duplicate={3: 2})[2] == ("drop", "duplicate of 1")
    assert said([2], duplicate={1: 2})[0] == ("drop", "no room")  # the other sentence is no duplicate
    assert said([], weak=[0])[0] == ("drop", "no room")


def test_score_and_signals_are_those_of_the_best_sentence_and_spans_those_of_what_stays():
    first, second, _ = decisions([1, 2])
    assert (first.score, first.signals) == (0.9, {"sentence": 0.4})
    assert first.source == SourceSpan(0, *SEGMENTS[0].span)
    assert [TEXT[a:b] for a, b in first.kept] == ["It was old."]
    assert second.segment == 1


@pytest.mark.parametrize("kept", [(), (0, 1, 2, 3)])
def test_without_scores(kept):
    for decision in decide(SEGMENTS, Choice(kept=kept, replaced={})):
        assert (decision.score, decision.signals) == (0.0, {})
        assert decision.action == ("keep" if kept else "drop")
