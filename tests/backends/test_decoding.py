"""Decoding with a fake engine, a table of log-probabilities by the last two ids, against search by brute force."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Sequence
from time import monotonic, sleep

import numpy as np
import pytest

from gliding.backends.decoding import decode, side_by_side
from gliding.errors import InputError

START, END = 0, 1


def never() -> bool:
    return False


class Table:
    """Logits that depend on the last two ids of a row; the state is those of all rows, so a wrong reorder shows."""

    fingerprint = "table"
    start, end = START, END

    def __init__(self, vocabulary: int, seed: int) -> None:
        self.vocabulary = vocabulary
        shape = (vocabulary, vocabulary, vocabulary)
        self.logits = np.random.default_rng(seed).normal(0, 2, shape).astype(np.float32)
        self.steps = 0

    def encode(self, ids: Sequence[int]) -> object:
        return np.zeros(1, np.int64)

    def step(self, state: object, last: np.ndarray) -> tuple[np.ndarray, object]:
        assert isinstance(state, np.ndarray)
        assert len(state) == len(last)
        self.steps += 1
        return self.logits[state, last], last.copy()

    def reorder(self, state: object, rows: np.ndarray) -> object:
        assert isinstance(state, np.ndarray)
        return state[rows]

    def score(self, ids: Sequence[int]) -> float:
        """The mean log-probability of a whole text."""
        total = 0.0
        before, last = 0, START
        for id in ids:
            row = self.logits[before, last].astype(np.float64)
            total += row[id] - np.log(np.exp(row).sum())
            before, last = last, id
        return total / len(ids)


class Length:
    """Allows texts of ``length`` of the given ids, then the end."""

    first = 0

    def __init__(self, length: int, ids: Sequence[int]) -> None:
        self.length, self.ids = length, sorted(ids)

    def allowed(self, state: int) -> list[int]:
        return self.ids if state < self.length else [END]

    def advance(self, state: int, id: int) -> int:
        return state + 1


@pytest.mark.parametrize("seed", range(20))
def test_one_beam_takes_the_likeliest_id_at_each_step(seed: int) -> None:
    engine = Table(5, seed)
    expected: list[int] = []
    before, last = 0, START
    while len(expected) < 12 and last != END:
        before, last = last, int(engine.logits[before, last].argmax())
        expected.append(last)
    assert decode(engine, [9], max_new=12, stop=never) == expected


@pytest.mark.parametrize("seed", range(20))
def test_beams_that_hold_every_beginning_find_the_best_text(seed: int) -> None:
    engine = Table(4, seed)
    texts = [(*ids, END) for ids in itertools.product([2, 3], repeat=3)]
    held = max(texts, key=engine.score)
    best = decode(engine, [9], max_new=5, beams=4, allowed=Length(2, [2, 3]), stop=never)
    assert best == list(max(((*ids, END) for ids in itertools.product([2, 3], repeat=2)), key=engine.score))
    # three ids are more beginnings than beams: never better than the best, and better than greedy on the whole
    found = decode(engine, [9], max_new=5, beams=4, allowed=Length(3, [2, 3]), stop=never)
    assert engine.score(found) <= engine.score(held) + 1e-12


def test_beams_find_what_greedy_misses() -> None:
    better = 0
    for seed in range(60):
        engine = Table(6, seed)
        rule = Length(4, [2, 3, 4, 5])
        greedy, beam = (decode(engine, [9], max_new=9, beams=n, allowed=rule, stop=never) for n in (1, 4))
        assert engine.score(beam) >= engine.score(greedy) - 0.4
        better += engine.score(beam) > engine.score(greedy) + 1e-9
    assert better > 15


def test_the_mean_counts_and_not_the_sum() -> None:
    engine = Table(4, 0)
    engine.logits[:] = -9
    engine.logits[0, START, [END, 2]] = [0.0, 0.1]  # half of the mass each; a sum would end at once
    engine.logits[START, 2, 3] = 20
    engine.logits[2, 3, END] = 20
    assert decode(engine, [9], max_new=9, beams=2, stop=never) == [2, 3, END]


def test_ties_go_to_the_lower_id_then_to_the_better_beginning() -> None:
    engine = Table(5, 0)
    engine.logits[:] = 0
    for beams in (1, 2, 3):
        assert decode(engine, [9], max_new=4, beams=beams, allowed=Length(2, [2, 3, 4]), stop=never) == [2, 2, END]


def test_only_allowed_ids_come_out_however_unlikely() -> None:
    engine = Table(6, 1)
    engine.logits[..., 4] = -50
    for beams in (1, 2, 4):
        assert decode(engine, [9], max_new=9, beams=beams, allowed=Length(3, [4]), stop=never) == [4, 4, 4, END]


@pytest.mark.parametrize("beams", [1, 3])
def test_without_an_end_the_beginning_has_none(beams: int) -> None:
    engine = Table(5, 2)
    engine.logits[..., END] = -1e9
    made = decode(engine, [9], max_new=6, beams=beams, stop=never)
    assert len(made) == 6
    assert END not in made


@pytest.mark.parametrize("beams", [1, 3])
def test_stop_is_asked_between_steps_and_gives_nothing(beams: int) -> None:
    engine = Table(5, 2)
    engine.logits[..., END] = -1e9
    assert decode(engine, [9], max_new=50, beams=beams, stop=lambda: engine.steps >= 3) == []
    assert engine.steps == 3


@pytest.mark.parametrize("beams", [0, 5])
def test_too_many_beams_are_an_error(beams: int) -> None:
    with pytest.raises(InputError, match=str(beams)):
        decode(Table(4, 0), [9], max_new=3, beams=beams, stop=never)


@pytest.mark.parametrize("threads", [1, 3])
def test_side_by_side_keeps_the_order(threads: int) -> None:
    def slow(item: int, halted: Callable[[], bool]) -> int:
        sleep(0.01 * (5 - item))
        return item * item

    assert side_by_side(slow, [1, 2, 3, 4], threads=threads, stop=never) == [1, 4, 9, 16]
    assert side_by_side(slow, [], threads=threads, stop=never) == []


def test_an_interrupt_is_not_kept_waiting_and_ends_the_others() -> None:
    ended: list[int] = []
    begun: list[int] = []
    both = threading.Barrier(2)

    def work(item: int, halted: Callable[[], bool]) -> int:
        begun.append(item)
        if item < 2:
            both.wait(5)
        if item == 0:
            raise KeyboardInterrupt
        while not halted():
            sleep(0.002)
        ended.append(item)
        return item

    started = monotonic()
    with pytest.raises(KeyboardInterrupt):
        side_by_side(work, range(20), threads=2, stop=never)
    assert monotonic() - started < 2
    for _ in range(500):
        if 1 in ended:
            break
        sleep(0.01)
    assert 1 in ended
    assert len(begun) < 20


def test_halted_follows_stop() -> None:
    over = threading.Event()

    def work(item: int, halted: Callable[[], bool]) -> bool:
        over.set()
        return halted()

    assert side_by_side(work, [1, 2], threads=2, stop=over.is_set) == [True, True]
