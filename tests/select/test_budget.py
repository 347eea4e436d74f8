import random

import pytest

from gliding.config import ControlConfig
from gliding.errors import BudgetError, InputError
from gliding.select.budget import check, density, target
from gliding.types import Budget

PROSE = "The pump failed at noon because a seal was worn, and the gate stayed shut. " * 3
CONFIG = ControlConfig()


def goal(size=1000, text="", *, own=None, **budget):
    return target(Budget(**budget), size, text, CONFIG, criticality=own)


def test_an_explicit_budget_is_taken_as_it_is():
    found = goal(max_tokens=250)
    assert (found.tokens, found.strength, found.tier) == (250, 0.75, "rewrite")
    assert "budget of 250 tokens" in found.rule
    assert goal(max_tokens=250, reserve=50).tokens == 200


@pytest.mark.parametrize(
    ("tokens", "tier"), [(900, "trim"), (701, "trim"), (600, "extract"), (401, "extract"), (400, "rewrite")]
)
def test_strength_names_the_lightest_tier(tokens, tier):
    assert goal(max_tokens=tokens).tier == tier


@pytest.mark.parametrize("budget", [{"max_tokens": 1000}, {"max_tokens": 5000}, {"rate": 1.0}])
def test_what_fits_is_left_alone(budget):
    found = goal(**budget)
    assert (found.tier, found.strength) == ("none", 0.0)
    assert found.tokens >= 1000


def test_a_rate_is_a_share_of_the_input():
    assert goal(rate=0.2).tokens == 200
    assert goal(size=10, rate=0.3).tokens == 3
    assert goal(size=0, rate=0.3).tokens == 0


def test_the_window_rules():
    found = goal(window=1000, used=500)  # pressure 0.5, criticality 0.5, no text: typical density
    assert (found.tokens, found.strength) == (500, 0.5)
    for said in ("window 1000", "500 left", "criticality 0.5"):
        assert said in found.rule
    assert goal(window=100_000, used=0).tokens == 900  # never less than the least strength
    assert goal(window=10_000, used=9000, size=400).tokens == pytest.approx(400 * 0.2, abs=1)  # nor more than the most


def test_a_context_longer_than_the_window_still_fits():
    found = goal(window=1000, used=100, reserve=200, size=50_000)
    assert found.tokens == 700
    assert "the room that is left rules" in found.rule
    assert found.strength > 0.9


@pytest.mark.parametrize("low", [0.0, 0.3])
def test_what_is_critical_is_shortened_less(low):
    assert goal(window=1000, used=500, criticality=low).tokens < goal(window=1000, used=500, criticality=0.9).tokens
    documents = goal(window=1000, used=500, criticality=0.9, own=low)
    assert documents.tokens == goal(window=1000, used=500, criticality=low).tokens


def test_prose_that_repeats_itself_takes_more():
    again = goal(text=PROSE * 20, window=1000, used=500)
    once = goal(text="", window=1000, used=500)
    assert again.tokens < once.tokens


def test_a_text_that_does_not_compress_is_left_alone_where_it_fits():
    noise = "".join(random.Random(1).choices([chr(k) for k in range(33, 127)], k=600))
    alone = goal(text=noise, window=4000, used=500)
    assert (alone.tokens, alone.tier) == (1000, "none")
    assert "left alone" in alone.rule
    assert goal(text=noise, max_tokens=100).tokens == 100  # yields to a hard budget
    assert goal(text=noise, window=4000, used=3500).tokens <= 500


def test_density_of_texts():
    assert density("") == 1.0
    assert density("ab" * 9999) < density(PROSE) < 1
    assert density("\ud800") > 0


@pytest.mark.parametrize(
    ("budget", "said"),
    [
        ({}, "No budget"),
        ({"max_tokens": 9, "rate": 0.5}, "More than one"),
        ({"rate": 0.5, "window": 9}, "More than one"),
        ({"rate": 0.0}, "rate is 0"),
        ({"rate": 1.01}, "rate is 1.01"),
        ({"rate": float("nan")}, "rate is nan"),
        ({"window": 10, "used": 11}, "used is 11"),
        ({"window": 10, "used": -1}, "used is -1"),
        ({"window": 0}, "window is 0"),
        ({"max_tokens": 9, "reserve": -1}, "reserve is -1"),
        ({"max_tokens": 9, "criticality": 1.5}, "criticality is 1.5"),
    ],
)
def test_a_budget_that_makes_no_sense_is_an_input_error(budget, said):
    with pytest.raises(InputError, match=said):
        check(Budget(**budget))


@pytest.mark.parametrize(
    ("budget", "numbers"),
    [
        ({"max_tokens": 0}, ["0"]),
        ({"max_tokens": 50, "reserve": 50}, ["50", "50"]),
        ({"window": 100, "used": 90, "reserve": 10}, ["100", "10 left"]),
        ({"window": 100, "used": 100}, ["100", "0 left"]),
    ],
)
def test_no_room_at_all_is_a_budget_error_with_the_numbers(budget, numbers):
    with pytest.raises(BudgetError) as caught:
        goal(**budget)
    for number in numbers:
        assert number in caught.value.message
