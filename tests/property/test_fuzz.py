"""Mutated inputs of every kind: only GlidingErrors come out, and what a result promises holds. See scripts/fuzz.py."""

from __future__ import annotations

import socket
import sys
from pathlib import Path
from random import Random

import pytest
from generated import bounded
from hypothesis import given
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))

import fuzz

EVERY = [data for kind in fuzz.KINDS for _, data in fuzz.seeds(kind)]


@pytest.mark.parametrize("kind", fuzz.KINDS)
@given(seed=st.integers(0, 10**9))
@bounded(8)
def test_what_is_promised_holds_for_mutated_inputs(kind, seed):
    chance = Random(seed)
    name, data = fuzz.drawn(kind, chance, EVERY)
    fuzz.check(name, data, chance)


@pytest.mark.parametrize("kind", fuzz.KINDS)
def test_what_is_promised_holds_for_the_seeds_themselves(kind):
    for name, data in fuzz.seeds(kind):
        fuzz.check(name, data, Random(name))


@given(data=st.binary(max_size=300), seed=st.integers(0, 10**9))
@bounded(60)
def test_what_is_promised_holds_for_any_bytes(data, seed):
    fuzz.check("x.txt", data, Random(seed))


def test_the_watch_sees_what_goes_outside(tmp_path):
    with pytest.raises(fuzz.Broken, match="open"), fuzz.watched():
        (tmp_path / "x").write_text("x")
    with pytest.raises(fuzz.Broken, match="socket"), fuzz.watched():
        socket.socket().close()
    with fuzz.watched():
        (tmp_path / "x").read_text()


def test_mutations_depend_on_the_seed_alone():
    drawn = [fuzz.drawn("json", Random(7), EVERY) for _ in range(2)]
    assert drawn[0] == drawn[1] != fuzz.drawn("json", Random(8), EVERY)
