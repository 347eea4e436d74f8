"""The audit of a result: asked for, it says what of the source did not come out, and that what came out is valid."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from gliding import Compressor
from gliding.cli.main import app
from gliding.types import Document

EDGE = Compressor.from_preset("edge")
TEXT = "The pump of hall 7 failed on 3 May 2024. It must not be started. Ruth Okafor closed valve V-12 at 40 bar. "
RECORDS = json.dumps(
    [{"id": f"ord_{n:03}", "total": n * 1.5, "note": "left the dock without remarks"} for n in range(40)]
)


def test_it_is_there_only_where_it_was_asked_for():
    assert EDGE.compress(TEXT, rate=0.5).audit is None
    result = EDGE.compress(TEXT, query="Who closed the valve?", rate=0.5, audit=True)
    assert result.audit.clean
    assert result.audit.counts["date"] == (1, 0)
    assert result.audit.counts["negation"] == (1, 0)
    assert {found.text for found in result.audit.gone} >= {"3 May 2024", "not"}
    assert "audit" in result.report.seconds
    assert result.to_dict()["audit"]["clean"] is True
    assert "audit" not in EDGE.compress(TEXT, rate=0.5).to_dict()


def test_an_input_that_fits_has_lost_nothing():
    audit = EDGE.compress(TEXT, max_tokens=1000, audit=True).audit
    assert audit.clean
    assert not audit.lost
    assert not audit.gone
    assert all(there == kept for there, kept in audit.counts.values())


@pytest.mark.parametrize(
    ("document", "kind"),
    [
        (Document(text=RECORDS), "json"),
        (Document(text=RECORDS, title="orders"), "json"),
        (
            Document(
                text="import os\n\n\ndef f(x):\n    return x\n\n\ndef g(y):\n    return os.sep + y\n" * 3, id="a.py"
            ),
            "python",
        ),
        (Document(text="# A\n\n| a | b |\n|---|---|\n" + "| x | 12 |\n" * 30, kind="markdown"), "markdown"),
        (Document(text="id,name,city\n" + "".join(f"{n},Ada,Ghent\n" for n in range(40)), kind="csv"), "csv"),
        (Document(text="Fine. " * 40, kind="prose"), "text"),
    ],
    ids=["json", "titled", "python", "markdown", "csv", "prose"],
)
def test_the_structure_is_checked_as_what_it_is(document, kind):
    audit = EDGE.compress(document, rate=0.4, audit=True).audit
    assert audit.kind == kind
    assert audit.broken == ()
    assert audit.added == ()


def test_marks_and_speakers_are_not_taken_for_what_was_added():
    log = "\n".join(f"2024-05-11 03:00:{n:02} INFO worker {n % 3} served item {n * 37} again" for n in range(50))
    result = EDGE.compress(log, rate=0.3, audit=True)
    assert "more like this" in result.text
    assert result.audit.clean
    turns = [Document(text=f"We sold {n} of them.", role=f"Agent 00{n}", time="2024-05-01") for n in range(9)]
    assert EDGE.compress(turns, rate=0.5, audit=True).audit.clean


def test_the_command_line_says_it_on_stderr_and_in_the_json(tmp_path):
    (tmp_path / "a.txt").write_text(TEXT)
    line = ["compress", str(tmp_path / "a.txt"), "-r", "0.5", "-p", "edge", "--audit"]
    run = CliRunner().invoke(app, line, catch_exceptions=False)
    assert "audit (text): negation 0/1" in run.stderr
    assert "0 added, 0 broken" in run.stderr
    assert json.loads(CliRunner().invoke(app, [*line, "--json"]).stdout)["audit"]["kind"] == "text"
    assert "audit" not in CliRunner().invoke(app, line[:-1]).stderr
