"""The nine invariants of the compressor, on generated documents, queries, budgets and pins.

``GLIDING_EXAMPLES=2000 pytest tests/property/test_invariants.py`` looks harder.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from generated import (
    ALL,
    COUNTERS,
    DEEP,
    DOCUMENTS,
    EDGE,
    PRECISE,
    QUERY,
    TOKENIZER,
    Case,
    HashEmbedder,
    bounded,
    cases,
    size,
)
from hypothesis import assume, example, given
from hypothesis import strategies as st
from typer.testing import CliRunner

from gliding.assemble import whole
from gliding.call import Call
from gliding.cli.main import app
from gliding.compressor import Compressor
from gliding.config import ControlConfig
from gliding.errors import BudgetError, InputError
from gliding.facts import RuleEntities
from gliding.score.blend import Scorer
from gliding.segment import segment
from gliding.select.budget import target
from gliding.select.ranking import rank
from gliding.types import Budget, Document, Request

ROOT = Path(__file__).parents[2]

# --- 1 and 2: pieces ---


@given(compressor=ALL, case=cases())
@bounded(80)
def test_1_an_exact_piece_is_its_source_and_a_header_never_is(compressor, case):
    for piece in case.run(compressor).pieces:
        if piece.action in ("header", "fold"):
            assert not piece.exact
        if piece.exact:
            ((document, start, end),) = piece.sources
            assert piece.text == case.documents[document].text[start:end]
        assert piece.text
        assert piece.sources


@given(case=cases())
@bounded(60)
def test_1_precise_quotes_only(case):
    for piece in case.run(PRECISE).pieces:
        assert piece.exact or piece.action == "header"


@given(compressor=ALL, case=cases())
@bounded(80)
def test_2_pieces_are_in_order_and_cover_the_text_but_for_white_space(compressor, case):
    result = case.run(compressor)
    at = 0
    for piece in result.pieces:
        start, end = piece.output
        assert at <= start < end
        assert result.text[at:start].strip() == ""
        assert result.text[start:end] == piece.text
        at = end
    assert at == len(result.text)
    sources = [piece.sources[0] for piece in result.pieces if piece.action not in ("header", "fold")]
    assert sources == sorted(sources)
    for (document, _, end), (later, start, _) in pairwise(sources):
        assert document < later or end <= start


@given(compressor=ALL, case=cases())
@bounded(60)
def test_2_decisions_say_what_stands_in_the_pieces(compressor, case):
    result = case.run(compressor)
    assume(result.report.route != "none")
    assert [decision.segment for decision in result.decisions] == list(range(len(result.decisions)))
    out = [piece.sources[0] for piece in result.pieces if piece.action not in ("header", "fold")]
    folded = {source for piece in result.pieces if piece.action == "fold" for source in piece.sources}
    for decision in result.decisions:
        assert (decision.action in ("drop", "fold")) == (not decision.kept)
        assert decision.action != "fold" or decision.source in folded
        assert decision.reason
        for start, end in decision.kept:
            home = decision.source.document
            assert any(d == home and a < end and start < b for d, a, b in out)
    report = result.report
    done = report.kept + report.trimmed + report.extracted + report.rewritten + report.folded + report.dropped
    assert done == report.segments == len(result.decisions)


# --- 3, 5, 6: the budget, what fits, pins ---


@given(compressor=ALL, case=cases())
@bounded(100)
def test_3_the_output_never_exceeds_the_budget(compressor, case):
    result = case.run(compressor)
    assert result.tokens == COUNTERS[case.tokenizer].count([result.text])[0] <= case.budget


@given(case=cases(pins=(0,)))
@bounded(60)
def test_3_something_is_kept_unless_no_word_fits(case):
    cut = segment(case.documents)
    assume(any(part.frame is None for part in cut) if size(case.documents, case.tokenizer) > case.budget else cut)
    if case.tokenizer != "words":  # a budget of one word always holds one
        case.run(EDGE)  # where not, the error is no failure
    result = EDGE.compress(case.documents, query=case.query, max_tokens=case.budget, tokenizer=case.tokenizer)
    assert result.text.strip()


@given(case=cases(), pins=st.integers(1, 3))
@bounded(60)
def test_3_pins_that_do_not_fit_are_an_error_with_both_numbers_before_any_model_runs(case, pins):
    class Broken(HashEmbedder):
        def embed(self, texts, *, max_pieces=256):
            raise RuntimeError("a model ran")

    wordy = [document.text.strip() for document in case.documents if len(document.text.split()) > 2]
    assume(wordy)
    documents = [Document(text=text) for text in wordy]
    strict = Compressor.from_preset(
        "precise", overrides={"index.use": "exact", "cache.use": ""}, embedder=Broken(), entities=RuleEntities()
    )
    with pytest.raises(BudgetError) as caught:
        strict.compress(documents, query="pump", max_tokens=2, pins=wordy[:pins], tokenizer="words")
    assert " 2." in caught.value.message
    needed = int(caught.value.message.split("needs ")[1].split()[0])
    assert needed > 2


@given(documents=DOCUMENTS, query=QUERY, more=st.integers(0, 5), tokenizer=TOKENIZER)
@bounded(80)
def test_5_what_fits_comes_back_as_it_was(documents, query, more, tokenizer):
    result = EDGE.compress(
        documents, query=query, max_tokens=max(1, size(documents, tokenizer)) + more, tokenizer=tokenizer
    )
    assert result.text == whole(documents).text
    for document in documents:
        alone = EDGE.compress(document.text, max_tokens=len(document.text) + 1, query=query, tokenizer="chars")
        assert alone.text == document.text


@given(compressor=ALL, case=cases(pins=(1, 2, 3)))
@bounded(80)
def test_6_pins_come_out_verbatim(compressor, case):
    assume(case.pins)
    result = case.run(compressor)
    for pin in case.pins:
        assert pin in result.text
        assert any(pin in piece.text for piece in result.pieces if piece.exact)


@given(case=cases())
@bounded(40)
def test_6_a_pin_that_is_not_in_the_source_is_an_error_also_where_all_fits(case):
    with pytest.raises(InputError, match="not in the source"):
        EDGE.compress(case.documents, max_tokens=10_000, pins=["no document says this"])


# --- 4, 7, 9: repeatable, idempotent, without a memory ---


@given(compressor=ALL, case=cases())
@bounded(60)
def test_4_the_same_call_gives_the_same_result(compressor, case):
    first, second = case.run(compressor), case.run(compressor)
    assert (first.text, first.pieces, first.decisions) == (second.text, second.pieces, second.decisions)


def test_4_another_process_with_other_hashes_gives_the_same_bytes():
    program = (
        "import json, sys\n"
        "from gliding import Compressor\n"
        "c = Compressor.from_preset('edge')\n"
        "out = []\n"
        "for call in json.load(sys.stdin):\n"
        "    r = c.compress(call['source'], query=call['query'], max_tokens=call['budget'])\n"
        "    out.append([r.text, r.to_dict()['decisions']])\n"
        "sys.stdout.write(json.dumps(out))\n"
    )
    report = (ROOT / "docs" / "examples" / "incident-report.md").read_text(encoding="utf-8")
    paragraphs = report.split("\n\n")
    passages = [{"title": p.split()[-1], "text": p} for p in paragraphs]
    turns = [{"role": ("Ruth", "Deniz")[k % 2], "text": p} for k, p in enumerate(paragraphs)]
    calls = [
        {"source": source, "query": query, "budget": budget}
        for source in (report, passages, turns)
        for query, budget in (("", 120), ("why did C2 not start after E-417", 150))
    ]
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            input=json.dumps(calls),
            capture_output=True,
            text=True,
            check=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONUTF8": "1"},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1


@given(compressor=ALL, case=cases(), query=QUERY)
@bounded(60)
def test_7_compressing_again_changes_nothing(compressor, case, query):
    once = case.run(compressor)
    for again in ("", case.query, query):
        twice = compressor.compress(once.text, query=again, max_tokens=case.budget, tokenizer=case.tokenizer)
        assert twice.text == once.text


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ((ROOT / "docs" / "examples" / "incident-report.md").read_text(encoding="utf-8"), "who was called at night"),
        ("泵在三月发生故障。\r\n原因是密封磨损。\r\n\r\nThe café — “open”.\r\n" * 9 + "No line end", ""),
    ],
    ids=["report", "mixed"],
)
def test_7_also_through_the_command_line(text, query):
    def command(data, *options):
        line = ["compress", "-p", "edge", "-n", "60", "--quiet", *options]
        return CliRunner().invoke(app, line, input=data, catch_exceptions=False).stdout_bytes

    once = command(text.encode(), "-q", query)
    assert 0 < len(once) < len(text.encode())
    assert command(once) == command(once, "-q", query) == once


@pytest.mark.parametrize("compressor", [EDGE, DEEP], ids=["edge", "deep"])
@given(calls=st.lists(cases(), min_size=2, max_size=5))
@bounded(15)
def test_9_options_do_not_leak_and_threads_do_not_meet(compressor, calls):
    def run(case):
        try:
            result = compressor.compress(
                case.documents, query=case.query, max_tokens=case.budget, pins=case.pins, tokenizer=case.tokenizer
            )
        except BudgetError as error:
            return error.message
        return result.text, result.pieces, result.decisions, result.report.tokenizer, result.report.warnings

    fresh = Compressor.from_preset("edge")
    alone = [run(case) for case in calls]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(run, calls * 3))
    assert together == alone * 3
    first = calls[0]
    assert fresh.preset == EDGE.preset
    assert EDGE.parts.counter.name == "o200k_base"
    assert run(first) == alone[0]


# --- 8: one ranking ---


def prefix(compressor, case, budget, *, pins=()):
    """What is kept, and how many units of the ranking before the last filling, by the steps of ``Compressor.run``."""
    parts, preset = compressor.parts, compressor.preset
    request = Request(
        documents=tuple(case.documents), query=case.query, budget=Budget(max_tokens=budget), pins=tuple(pins)
    )
    call = Call(request, preset, COUNTERS[case.tokenizer])
    goal = call.control()
    draft = call.cut(goal)
    scores = Scorer(preset.score, parts.entities, parts.extractor).score(
        request.documents, draft.segments, request.query
    )
    ranking = rank(request.documents, draft.segments, scores, draft.texts, preset.select)
    choice = call.choose(draft, ranking, goal, parts.trimmer, parts.rewriting)
    return ranking.units, choice


@given(compressor=st.sampled_from([EDGE, DEEP]), case=cases(), more=st.integers(0, 40))
@bounded(100)
@example(  # the headers give way to the pin, and come back with one more token
    compressor=EDGE,
    case=Case(
        [Document(text="Pinned here. A valve leaks.", title="a title of six words here")],
        "valve",
        7,
        "words",
        ("Pinned here.",),
    ),
    more=1,
)
def test_8_a_larger_budget_keeps_all_that_was_kept_for_its_rank(compressor, case, more):
    try:
        units, small = prefix(compressor, case, case.budget, pins=case.pins)
    except BudgetError:
        assume(False)
    same, large = prefix(compressor, case, case.budget + more, pins=case.pins)
    assert units == same
    ranked = {k for unit in units[: small.ranked] for k in unit}
    assert ranked <= set(small.kept)
    assert small.ranked <= large.ranked
    assert ranked <= set(large.kept)


# --- the controller ---


@given(
    window=st.integers(1, 40_000),
    less=st.integers(0, 40_000),
    used=st.integers(0, 40_000),
    reserve=st.integers(0, 500),
    length=st.integers(0, 40_000),
    text=st.sampled_from(["", "the same again " * 400, "".join(map(chr, Random(1).choices(range(33, 127), k=600)))]),
    criticality=st.sampled_from([None, 0.0, 0.5, 1.0]),
)
@bounded(200)
def test_a_smaller_window_never_gives_a_larger_target(window, less, used, reserve, length, text, criticality):
    smaller = window - less
    assume(smaller >= 1 and used <= smaller)

    def goal(size):
        budget = Budget(window=size, used=used, reserve=reserve, criticality=criticality)
        return target(budget, length, text, ControlConfig())

    try:
        tight = goal(smaller)
    except BudgetError:
        return
    wide = goal(window)
    assert tight.tokens <= wide.tokens
    assert tight.strength >= wide.strength
    assert tight.tokens <= max(1, smaller - used - reserve)
