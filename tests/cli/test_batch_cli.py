import json
import os
import signal
import subprocess
import sys
import time

import pytest

TEXT = "The pump failed at noon, since a seal was worn. Lunch was soup. The bus was late by an hour. "


def gliding(*arguments, given=None, **more):
    command = [sys.executable, "-c", "from gliding.cli.main import run; run()", "batch", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, input=given, timeout=120, check=False, **more)


@pytest.fixture
def docs(tmp_path):
    folder = tmp_path / "docs"
    (folder / "deep").mkdir(parents=True)
    for name in ("a.md", "b.txt", "deep/c.md"):
        (folder / name).write_text(TEXT + f"This is {name}.")
    (folder / "deep/bad.bin").write_bytes(bytes(range(256)) * 20)
    return folder


def test_a_folder_comes_out_as_a_folder_and_only_the_rest_is_done_again(docs, tmp_path):
    out = tmp_path / "out"
    first = gliding(docs, "--out", out, "-p", "edge", "-n", "16", "-q", "pump", "-w", "1", "--json")
    assert first.returncode == 9
    events = [json.loads(line) for line in first.stdout.splitlines()]
    assert events[0] == {"kind": "started", "tokens_in": 0, "tokens_out": 0, "seconds": 0.0, "total": 4}
    assert [event["id"] for event in events if event["kind"] == "failed"] == ["deep/bad.bin"]
    assert events[-1]["done"] == 3
    assert sorted(p.relative_to(out).as_posix() for p in out.rglob("*.*") if p.name[0] != ".") == [
        "a.md",
        "b.txt",
        "deep/c.md",
    ]
    assert (out / "a.md").read_text() == "The pump failed at noon, since a seal was worn."
    (docs / "deep/bad.bin").unlink()
    (docs / "a.md").write_text("The pump works. " + TEXT)
    second = gliding(docs, "--out", out, "-p", "edge", "-n", "16", "-q", "pump", "-w", "1")
    assert second.returncode == 0
    assert "(1 done, 2 as before, 0 failed)" in second.stderr
    assert "slowest" in second.stderr
    assert second.stdout == ""


def test_rows_in_rows_out_in_their_order_each_with_its_query():
    rows = [{"id": f"r{n}", "text": TEXT, "query": query} for n, query in enumerate(("pump", "soup", "bus"))]
    done = gliding("-", "--out", "-", "-p", "edge", "-n", "13", "-w", "1", given="\n".join(map(json.dumps, rows)))
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["id"] for row in found] == ["r0", "r1", "r2"]
    assert [word in row["text"] for word, row in zip(("pump", "soup", "bus"), found, strict=True)] == [True] * 3
    assert all(row["text"][a:b] == TEXT[c:d] for row in found for a, b, _, c, d, exact in row["spans"] if exact)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "No budget"),
        (("-n", "9", "-r", "0.5"), "exclude each other"),
        (("-n", "9", "--kind", "prosa"), "Did you mean 'prose'"),
        (("-n", "9", "-p", "nothing"), "nothing"),
    ],
)
def test_a_wrong_option_is_told_before_any_work(docs, tmp_path, arguments, said):
    done = gliding(docs, "--out", tmp_path / "out", *arguments)
    assert done.returncode in (2, 3)
    assert said in done.stderr
    assert not (tmp_path / "out").exists() or not any(p.name[0] != "." for p in (tmp_path / "out").iterdir())


def test_the_input_is_never_the_output(docs):
    done = gliding(docs, "--out", docs, "-n", "9", "-p", "edge")
    assert done.returncode == 2
    assert "lies in the output folder" in done.stderr
    assert (docs / "a.md").read_text().startswith(TEXT)


def test_too_many_failures_stop_the_run(docs, tmp_path):
    done = gliding(docs, "--out", tmp_path / "out", "-n", "16", "-p", "edge", "-w", "1", "--max-errors", "0")
    assert done.returncode == 9
    assert "more than the 0" in done.stderr


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="no signals here")
def test_ctrl_c_ends_at_once_keeps_what_is_done_and_leaves_no_half_file(tmp_path):
    rows = tmp_path / "rows.jsonl"
    rows.write_text("".join(json.dumps({"text": f"{n}. {TEXT * 40}"}) + "\n" for n in range(3000)))
    out = tmp_path / "out.jsonl"
    command = [sys.executable, "-c", "from gliding.cli.main import run; run()", "batch", str(rows), "--out", str(out)]
    process = subprocess.Popen(
        [*command, "-p", "edge", "-n", "30", "-w", "1", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    lines = [process.stdout.readline() for _ in range(20)]
    process.send_signal(signal.SIGINT)
    started = time.monotonic()
    process.communicate(timeout=30)
    assert time.monotonic() - started < 10
    assert process.returncode == 130
    assert sum(b'"done"' in line for line in lines) == 19
    assert sorted(path.suffix for path in tmp_path.iterdir() if "gliding-batch" not in path.name) == [".jsonl"]
    assert not out.exists()
