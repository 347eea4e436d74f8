"""A writer that is killed at a random moment loses nothing that it said was added; readers see whole states only."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from stores import Hashed, compressor, document, documents, place

from gliding.errors import StoreError
from gliding.store import Store

HERE = Path(__file__).parent
SMALL = 60
SCRIPT = """
import sys
from stores import Hashed, compressor, document
from gliding.store import Store
what, home = sys.argv[1:]
with Store.open(home, create=True, compressor=compressor(Hashed()), exact_below=60) as store:
    print("open", flush=True)
    if what == "add":
        for start in range(0, 4000, 8):
            store.add((document(n) for n in range(start, start + 8)), progress=lambda _: print(start + 8, flush=True))
    if what == "compact":
        while True:
            store.remove(f"d{n}" for n in range(10))
            print("removed", flush=True)
            store.compact()
            print("compacted", flush=True)
            store.add(document(n) for n in range(10))
            print("added", flush=True)
    if what == "rebuild":
        store.close()
        for turn in range(1000):
            Store.rebuild(home, compressor=compressor(Hashed(f"model {turn}")), exact_below=60).close()
            print("rebuilt", flush=True)
    if what == "hold":
        def waiting():
            print("holding", flush=True)
            sys.stdin.readline()
            yield document(1)
        store.add(waiting())
"""
pytest.importorskip("faiss")


def started(what, home, **more):
    path = os.pathsep.join([str(HERE.parent.parent), str(HERE)])
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT, what, str(home)],
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        text=True,
        **more,
    )


def killed(what, home, seconds):
    """Kill a writer some time after it has opened the store; return what it said."""
    process = started(what, home)
    said = [process.stdout.readline().strip()]
    assert said == ["open"]
    time.sleep(seconds)
    assert process.poll() is None
    process.send_signal(signal.SIGKILL)
    rest, _ = process.communicate()
    return rest.split("\n")[:-1]


def whole(home, numbers):
    """See that a store is whole and holds these documents; the next writer then tidies and goes on."""
    with Store.open(home, compressor=compressor(Hashed()), exact_below=SMALL) as store:
        assert store.check() == []
        for number in numbers:
            assert store.get(f"d{number}") == document(number)
        store.search("zone3 plan", 5)
        store.add([document(9999)])
        assert store.check() == []
        assert len(list(home.glob("index-*"))) <= 1


def kill_adding(home, seconds):
    said = killed("add", home, seconds)
    whole(home, range(int(said[-1])) if said else ())


def kill_compacting(home, seconds):
    with Store.open(home, create=True, compressor=compressor(Hashed()), exact_below=SMALL) as store:
        store.add(documents(60))
    killed("compact", home, seconds)
    whole(home, range(10, 60))


def test_killed_while_adding(tmp_path):
    kill_adding(tmp_path / "s", 0.8)


def test_killed_while_compacting(tmp_path):
    kill_compacting(tmp_path / "s", 0.4)


def test_killed_while_rebuilding_with_another_embedder(tmp_path):
    home = tmp_path / "s"
    with Store.open(home, create=True, compressor=compressor(Hashed()), exact_below=SMALL) as store:
        store.add(documents(60))
    killed("rebuild", home, 0.5)
    with Store.open(home) as store:
        assert store.check() == []
        model = store.info().embedder
    with Store.open(home, compressor=compressor(Hashed(model)), exact_below=SMALL) as store:
        assert store.search("zone3 plan", 5, by="vectors")
        assert store.get("d59") == document(59)


@pytest.mark.slow
@pytest.mark.parametrize("turn", range(20))
def test_killed_at_twenty_random_moments(tmp_path, turn):
    chance = random.Random(turn)
    kill_adding(tmp_path / "a", chance.uniform(0.0, 2.5))
    kill_compacting(tmp_path / "c", chance.uniform(0.0, 2.0))


def test_another_process_that_writes_is_told_at_once_and_readers_go_on(tmp_path):
    home = tmp_path / "s"
    with Store.open(home, create=True, compressor=compressor(Hashed()), exact_below=SMALL) as store:
        store.add(documents(30))
        process = started("hold", home, stdin=subprocess.PIPE)
        try:
            assert process.stdout.readline() == "open\n"
            assert process.stdout.readline() == "holding\n"
            before = time.monotonic()
            with pytest.raises(StoreError, match="Another process writes"):
                store.add([document(77)])
            assert time.monotonic() - before < 2.0
            assert store.search(place(7), 1)[0].document == "d7"
        finally:
            process.kill()
            process.communicate()
        assert store.add([document(77)]).added == 1  # the lock went with the process


def test_a_reader_sees_whole_states_while_another_process_writes(tmp_path):
    home = tmp_path / "s"
    with Store.open(home, create=True, compressor=compressor(Hashed()), exact_below=SMALL) as store:
        store.add(documents(60))
        process = started("compact", home)
        try:
            counts, until = set(), time.monotonic() + 1.5
            while time.monotonic() < until or len(counts) < 2:
                counts.add(store.info().documents)
                hits = store.search(place(30), 8)
                assert len(hits) == 8
                answer = store.compress(place(30), max_tokens=40)
                assert "Zone30" in answer.text
                assert process.poll() is None
            assert counts == {50, 60}
        finally:
            process.kill()
            process.communicate()
