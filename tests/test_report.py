import json
from dataclasses import replace

import pytest

from gliding import report as reports
from gliding.types import Report

REPORT = Report(
    preset="edge",
    tokenizer="o200k_base",
    tokens_in=2000,
    tokens_out=400,
    budget=410,
    rule="max_tokens",
    strength=0.8,
    route="document",
    segments=50,
    kept=9,
    trimmed=2,
    extracted=3,
    rewritten=0,
    folded=0,
    dropped=36,
    pinned=1,
    coverage=0.75,
    seconds={"score": 0.25, "select": 0.5},
    warnings=("é is odd",),
)


def test_one_line():
    assert reports.one_line(REPORT) == (
        "2000 -> 400 tokens (rate 0.200), kept 9, trimmed 2, extracted 3, dropped 36 of 50 segments, "
        "0.75 s, preset edge"
    )


@pytest.mark.parametrize(("seconds", "expected"), [({}, 0), ({"a": 1.0, "total": 1.5}, 1.5), ({"a": 1.0, "b": 2.0}, 3)])
def test_seconds_are_the_total_or_the_sum(seconds, expected):
    assert reports.seconds(replace(REPORT, seconds=seconds)) == expected


def test_text_says_everything_and_warns_last():
    lines = reports.as_text(REPORT).splitlines()
    for said in ("o200k_base", "2000 -> 400", "410", "document", "pinned 1", "0.75", "score 0.250"):
        assert any(said in line for line in lines)
    assert lines[-1] == "warning   é is odd"


def test_text_without_a_query():
    assert "no query" in reports.as_text(replace(REPORT, coverage=None))


def test_json_holds_every_field_and_the_rate():
    data = json.loads(reports.to_json(REPORT))
    assert data == REPORT.to_dict()
    assert data["rate"] == 0.2
    assert set(data) == {*Report.__dataclass_fields__, "rate"}
    assert data["warnings"] == ["é is odd"]
