"""The local engine: real processes, one of which dies now and then."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from sinks import Upper, items, said

from gliding.batch.local import LocalEngine

HERE = Path(__file__).parent
ROOT = HERE.parent.parent


def environment():
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(HERE)])}


def script(path, text):
    path.write_text(text)
    return [sys.executable, str(path)]


def test_a_killed_worker_costs_only_the_document_that_killed_it(tmp_path):
    log = tmp_path / "log"
    engine = LocalEngine(Upper(str(log)), workers=2)
    chunks = [items("a", "die", "c"), items("d", "environ OMP_NUM_THREADS", "environ GLIDING_THREADS", start=3)]
    rows = {row.id: row for _, found, _ in engine.map(iter(chunks)) for row in found}
    assert sorted(rows) == [f"d{k}" for k in range(6)]
    assert "died of this document" in rows["d1"].error
    assert [rows[name].text for name in ("d0", "d2", "d3", "d4", "d5")] == [
        "A",
        "C",
        "D",
        *[str(max(1, len(os.sched_getaffinity(0)) // 2))] * 2,
    ]
    assert said(log).count("d1") == 2
    assert said(log).count("d3") == 1


def test_what_is_in_flight_is_bounded_and_a_task_that_cannot_work_is_told(tmp_path):
    taken = []

    def chunks():
        for k in range(100):
            taken.append(k)
            yield items("refuse" if k == 40 else "a", start=k)

    results = LocalEngine(Upper(str(tmp_path / "log")), workers=1).map(chunks())
    for got in range(1, 31):
        next(results)
        assert len(taken) - got <= 2
    with pytest.raises(ValueError, match="no work today"):
        list(results)


def test_a_script_without_a_guard_is_told_and_starts_no_swarm(tmp_path):
    command = script(
        tmp_path / "unguarded.py",
        "from gliding.batch.local import LocalEngine\n"
        "from sinks import Upper, items\n"
        f"print(list(LocalEngine(Upper({str(tmp_path / 'log')!r}), workers=2).map([items('a')])))\n",
    )
    done = subprocess.run(command, capture_output=True, text=True, env=environment(), timeout=60, check=False)
    assert done.returncode != 0
    assert "__name__" in done.stderr.splitlines()[-1]
    assert "[" not in done.stdout


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT])
def test_the_workers_end_with_their_parent(tmp_path, end):
    command = script(
        tmp_path / "guarded.py",
        "from gliding.batch.local import LocalEngine\n"
        "from sinks import Upper, items\n"
        "if __name__ == '__main__':\n"
        "    import multiprocessing\n"
        f"    task = Upper({str(tmp_path / 'log')!r}, wait=0.05)\n"
        "    for _ in LocalEngine(task, workers=1).map([items('a'), items(*'b' * 400)]):\n"
        "        print(*[child.pid for child in multiprocessing.active_children()], flush=True)\n",
    )
    parent = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment(), start_new_session=True
    )
    worker = int(parent.stdout.readline())
    if end == signal.SIGINT:
        os.killpg(parent.pid, end)  # as a terminal does: the workers get it too
    else:
        parent.send_signal(end)
    _, errors = parent.communicate(timeout=10)
    assert _gone(worker)
    assert errors.count("Traceback") == (1 if end == signal.SIGINT else 0)


def _gone(process):
    for _ in range(100):
        try:
            if Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
            os.kill(process, 0)
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.05)
    return False
