"""The task in engines that are not ours, as the examples show it."""

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from gliding.batch import CompressTask, Options

ROOT = Path(__file__).parents[2]


def run_example(name):
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, str(ROOT / "docs/examples" / name)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, "PYTHONPATH": path},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_the_dask_example_runs():
    pytest.importorskip("dask")
    lines = run_example("dask_batch.py")
    assert len(lines) == 8
    assert all(f"failed at {n} o'clock" in line and line.startswith(str(n)) for n, line in enumerate(lines))


def test_the_multiprocessing_example_runs():
    lines = run_example("pool_batch.py")
    assert len(lines) == 8
    assert all(f"failed at {n} o'clock" in line for n, line in enumerate(lines))


def test_a_task_that_was_pickled_gives_the_same_rows():
    task = CompressTask(Options(preset="edge", max_tokens=9))
    texts = ["The pump failed at noon. Lunch was soup. The bus was late by an hour."] * 2
    assert pickle.loads(pickle.dumps(task))(texts) == task(texts)
    assert len(pickle.dumps(task)) < 2000
