"""Lines alike in real inputs: every one of them is told, shown or counted, whatever the budget."""

from __future__ import annotations

import re

import pytest

from gliding import Compressor

EDGE = Compressor.from_preset("edge")
ORDERS = [
    f"Order {51000 + 7 * n} for customer C-{900 + n} was packed at station {n % 4 + 1} and left without remarks."
    for n in range(40)
]
LOG = [
    f"2024-05-11 03:{n // 60:02}:{n % 60:02} INFO worker-{n % 5} {'served' if n % 2 else 'queued'} /i/{n * 37} in 5 ms"
    for n in range(600)
]
LOG[400] = "2024-05-11 03:06:40 ERROR worker-0 lost the lease on shard 17: the clock went back"


@pytest.mark.parametrize("rate", [0.25, 0.5, 0.75])
def test_forty_lines_alike_keep_every_identifier(rate):
    result = EDGE.compress("\n".join(ORDERS), rate=rate)
    assert all(str(51000 + 7 * n) in result.text for n in range(40))
    assert result.tokens <= rate * result.report.tokens_in
    if rate >= 0.5:
        assert all(f"C-{900 + n}" in result.text for n in range(40))


@pytest.mark.parametrize("rate", [0.03, 0.1, 0.5, 0.9])
@pytest.mark.parametrize("query", ["", "What was served when the lease was lost?"])
def test_lines_shown_and_lines_counted_are_all_lines(rate, query):
    result = EDGE.compress("\n".join(LOG), rate=rate, query=query)
    shown = [line for line in result.text.split("\n") if line in LOG]
    found = re.findall(r"^.* (served|queued) .*\n\[([\d,]+) more like this", result.text, re.M)
    marks = [int(count.replace(",", "")) for _, count in found]
    assert LOG[400] in shown
    assert query or (LOG[0] in shown and len(found) == 2)
    for (verb, _), count in zip(found, marks, strict=True):
        assert sum(verb in line for line in shown) + count == sum(verb in line for line in LOG)
    pieces = [piece for piece in result.pieces if piece.action == "fold"]
    assert [len(piece.sources) for piece in pieces] == marks
    folded = {decision.source: decision for decision in result.decisions if decision.action == "fold"}
    assert set(folded) == {source for piece in pieces for source in piece.sources}
    assert all(decision.reason.startswith("folded into ") for decision in folded.values())
    assert result.report.folded == sum(marks)


def test_a_preset_that_quotes_only_folds_nothing():
    result = Compressor.from_preset("edge", overrides={"select.fold": False}).compress("\n".join(LOG), rate=0.1)
    assert "more like this" not in result.text
    assert result.report.folded == 0
