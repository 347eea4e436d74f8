import random

import pytest

from gliding.select.duplicates import duplicates


def same(*texts, order=None, threshold=0.9, alike=None):
    return duplicates(order or range(len(texts)), texts, threshold=threshold, alike=alike)


def test_the_better_ranked_one_stays():
    text, copy = "The red valve of hall 7 leaks.", "the red valve of hall 7 leaks"
    assert same(text, copy) == {1: 0}
    assert same(text, copy, order=[1, 0]) == {0: 1}
    assert same(text, copy, copy) == {1: 0, 2: 0}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The red valve of hall 7 leaks.", "The red valve of hall 8 leaks."),
        ("The gate must be shut at night by the guard.", "The gate must not be shut at night by the guard."),
        ("The guard may shut the gate at night.", "The guard must shut the gate at night."),
        ("The dog bit the old man hard.", "The man bit the old dog hard."),
        ("Yes, it is.", "Yes, it is."),
        ("The request of user 4411 took 12 ms.", "The request of user 4412 took 12 ms."),
    ],
    ids=["number", "negation", "modal", "order", "too short", "id"],
)
def test_what_says_something_else_is_no_duplicate(one, other):
    long = " in the long hall of the harbour depot by the river in the north of the town"
    assert same(one, other) == {}
    if one != other:
        assert same(one.rstrip(".") + long, other.rstrip(".") + long, threshold=0.5) == {}


def test_silent_words_may_differ():
    one = "The seal of the second pump in the north hall was worn on Monday"
    other = "The seal of the second pump in the north hall is worn on Monday"
    assert same(one, other, threshold=0.8) == {1: 0}
    assert same(one, other, threshold=1.0) == {}


def test_near_vectors_allow_twice_the_distance():
    one = "The seal of the second pump in the north hall was worn on Monday"
    other = "In the north hall seal of second pump worn Monday"
    near = "The seal of a second pump of a north hall is worn Monday"
    assert same(one, near, threshold=0.85) == {}
    assert same(one, near, threshold=0.75, alike={1: [0]}) == {1: 0}
    assert same(one, other, threshold=0.75, alike={1: [0]}) == {}  # in another order


@pytest.mark.parametrize("seed", range(10))
def test_candidates_by_prefix_are_all_that_brute_force_finds(seed):
    chance = random.Random(seed)
    bases = [" ".join(chance.choices("abcdefghijklmnop", k=12)) for _ in range(6)]
    texts = []
    for _ in range(60):
        words = chance.choice(bases).split()
        if chance.random() < 0.5:
            words.insert(chance.randrange(len(words)), chance.choice(["the", "of", "x", "not"]))
        texts.append(" ".join(words))
    order = list(range(len(texts)))
    chance.shuffle(order)
    everything = dict.fromkeys(order, order)
    # with a threshold of t for all pairs: 2 * ((1 + t) / 2) - 1
    for threshold in (0.7, 0.9):
        found = same(*texts, order=order, threshold=threshold)
        brute = same(*texts, order=order, threshold=(1 + threshold) / 2, alike=everything)
        assert set(found) == set(brute)
        assert len(found) > 5
