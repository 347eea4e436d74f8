from contextlib import suppress

import pytest

from gliding import clock as module
from gliding.clock import Clock


@pytest.fixture
def now(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(module, "perf_counter", lambda: now[0])
    return now


def test_seconds_add_up_by_step_whatever_happens_in_it(now):
    clock = Clock()
    for seconds in (1.0, 2.0):
        with suppress(KeyError), clock.timed("score"):
            now[0] += seconds
            raise KeyError
    now[0] += 4
    assert clock.seconds() == {"score": 3.0, "total": 7.0}


def test_the_deadline_strikes_when_somebody_asks(now):
    clock = Clock(2.0)
    now[0] += 1.5
    assert not clock.late()
    now[0] += 0.5
    assert not clock.struck
    assert clock.late()
    assert clock.struck


def test_no_deadline_never_strikes_and_none_left_strikes_at_once(now):
    assert Clock(0.0).late()
    clock = Clock()
    now[0] += 1e9
    assert not clock.late()
