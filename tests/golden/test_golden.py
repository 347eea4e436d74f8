"""Real inputs and what ``edge`` makes of them.

After a change that is meant run ``GLIDING_GOLDEN=update pytest tests/golden``, and read the difference before you
commit it.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gliding import Compressor

HERE = Path(__file__).parent
REPORT = Path(__file__).parents[2] / "docs" / "examples" / "incident-report.md"
CASES = {
    "report-no-query": {"max_tokens": 250},
    "report-why-not-started": {"query": "Why did the standby compressor not start?", "max_tokens": 250},
    "report-who-was-called": {"query": "Who did the dialler call, and who acknowledged?", "max_tokens": 120},
    "report-cost": {"query": "What did the discarded dairy products cost?", "max_tokens": 60},
    "report-trimmed": {"rate": 0.95},
}


@pytest.fixture(scope="module")
def edge():
    return Compressor.from_preset("edge")


@pytest.mark.parametrize("name", CASES)
def test_output_is_as_stored(edge, name):
    text = edge.compress(REPORT, **CASES[name]).text
    stored = HERE / f"{name}.txt"
    if os.environ.get("GLIDING_GOLDEN") == "update":
        stored.write_bytes(text.encode())
    assert text == stored.read_bytes().decode()
