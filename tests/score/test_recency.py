import numpy as np
import pytest

from gliding.score.recency import age_order, primacy, recency
from gliding.types import Document


def test_recency_is_zero_for_the_oldest_and_one_for_the_newest():
    assert recency(np.array([5.0, 3.0, 4.0])).tolist() == [1.0, 0.0, 0.25]
    assert recency(np.array([2.0, 2.0])).tolist() == [0.0, 0.0]
    assert recency(np.zeros(0)).tolist() == []


def test_primacy_falls_from_one():
    assert primacy(4).tolist() == [1.0, 1 / 2, 1 / 3, 1 / 4]
    assert primacy(0).tolist() == []


def order(*pairs):
    found = age_order([Document(text="x", time=time, turn=turn) for time, turn in pairs])
    return None if found is None else found.tolist()


def test_age_is_by_time_where_all_say_it_else_by_turn():
    assert order(("2024-05-03", ""), ("2024-05-01T12:00:00", ""), ("2024-05-03", "")) == [1.0, 0.0, 1.0]
    assert order(("2024-05-03", "1"), ("", "0")) == [1.0, 0.0]
    assert order(("", "10"), ("", "9"), ("", "2")) == [2.0, 1.0, 0.0]


@pytest.mark.parametrize(
    "pairs",
    [
        [("2024-05-01", "")],
        [("2024-05-01", ""), ("2024-05-02", "")],
        [("2024-05-03", ""), ("yesterday", "")],
        [("", "2"), ("", "first")],
        [],
    ],
    ids=["one", "already in order", "no date", "no number", "none"],
)
def test_position_is_better_where_age_says_nothing_more(pairs):
    assert order(*pairs) is None
