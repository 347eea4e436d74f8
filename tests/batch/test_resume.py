"""A batch that is killed at a random moment: nothing is lost or doubled, and only what was in flight is done again."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from sinks import Folder, Table, Upper, items, said

from gliding.batch.local import InProcess
from gliding.batch.options import Options
from gliding.batch.runner import run

HERE = Path(__file__).parent
DOCUMENTS = 200
WORKERS = 2
IN_FLIGHT = 16 * 2 * WORKERS
BATCH = """
import sys
from pathlib import Path
from sinks import Folder, Table, Upper, items
from gliding.batch.local import LocalEngine
from gliding.batch.options import Options
from gliding.batch.runner import run
if __name__ == "__main__":
    kind, home = sys.argv[1:]
    output = Folder(Path(home) / "out") if kind == "folder" else Table(Path(home) / "out.jsonl")
    engine = LocalEngine(Upper(str(Path(home) / "log"), wait=0.004), workers=2)
    run(items(*(f"text {k}" for k in range(200))), options=Options(preset="edge", max_tokens=8, cache=False),
        output=output, engine=engine, notify=lambda event: print(event.kind, flush=True))
"""


def killed(kind, home, seconds):
    """Start a batch, kill it some time after its first result, and return whether it was still at work."""
    script = home / "batch.py"
    script.write_text(BATCH)
    path = os.pathsep.join([str(HERE.parent.parent), str(HERE)])
    process = subprocess.Popen(
        [sys.executable, str(script), kind, str(home)], env={**os.environ, "PYTHONPATH": path}, stdout=subprocess.PIPE
    )
    for line in process.stdout:
        if line.strip() == b"done":
            break
    time.sleep(seconds)
    working = process.poll() is None
    process.send_signal(signal.SIGKILL)
    process.communicate()
    time.sleep(0.2)  # the workers see that their parent is gone
    return working


def check(kind, home, seconds):
    assert killed(kind, home, seconds)
    first = said(home / "log")
    (home / "log").unlink()
    output = Folder(home / "out") if kind == "folder" else Table(home / "out.jsonl")
    texts = [f"text {k}" for k in range(DOCUMENTS)]
    before = {name for name in os.listdir(home / "out") if name.endswith(".txt")} if kind == "folder" else set()
    assert all(output.texts()[name] == f"TEXT {name[1:-4]}" for name in before)
    engine = InProcess(Upper(str(home / "log")))
    options = Options(preset="edge", max_tokens=8, cache=False)
    summary = run(items(*texts), options=options, output=output, engine=engine)
    again = said(home / "log")
    assert (summary.documents, summary.failed) == (DOCUMENTS, 0)
    assert len(again) == len(set(again)) == summary.done
    assert len(set(first) & set(again)) <= IN_FLIGHT
    assert summary.skipped > 0
    if kind == "folder":
        assert output.texts() == {f"d{k}.txt": f"TEXT {k}" for k in range(DOCUMENTS)}
    else:
        assert [(row.id, row.text) for row in output.rows()] == [(f"d{k}", f"TEXT {k}") for k in range(DOCUMENTS)]


@pytest.mark.parametrize("kind", ["folder", "table"])
def test_a_killed_batch_goes_on_where_it_was(tmp_path, kind):
    check(kind, tmp_path, 0.1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_a_batch_is_killed_at_twenty_random_moments(tmp_path, seed):
    chance = random.Random(seed)
    check(chance.choice(["folder", "table"]), tmp_path, chance.uniform(0.0, 0.25))
