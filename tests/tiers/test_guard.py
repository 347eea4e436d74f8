"""The guard lets honest shortenings pass and refuses what says something else; both rates on pairs made by hand."""

from __future__ import annotations

import json
import time
from collections import Counter
from pathlib import Path

import pytest

from gliding.backends.spacy import SpacyParser
from gliding.tiers.guard import Guard, Refusal

PAIRS = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "data" / "guard_pairs.jsonl").read_text("utf-8").splitlines()
]


@pytest.fixture(scope="module")
def parsed():
    pytest.importorskip("spacy")
    return Guard(SpacyParser())


@pytest.fixture(scope="module", params=["words", "parsed"])
def guard(request):
    return Guard() if request.param == "words" else request.getfixturevalue("parsed")


def rates(guard):
    """Return the shares of honest pairs that pass and of corruptions that are caught, and print them by kind."""
    verdicts = guard.check([pair["source"] for pair in PAIRS], [pair["rewrite"] for pair in PAIRS])
    right, all_of = Counter(), Counter()
    for pair, verdict in zip(PAIRS, verdicts, strict=True):
        for key in ((pair["honest"], ""), (pair["honest"], pair["kind"])):
            all_of[key] += 1
            right[key] += (verdict is None) == pair["honest"]
    for honest, kind in sorted(all_of):
        key = (honest, kind)
        print(f"{'passed' if honest else 'caught'} {kind or 'in all'}: {right[key]} of {all_of[key]}")
    return right[True, ""] / all_of[True, ""], right[False, ""] / all_of[False, ""]


def one(guard, source, rewrite):
    return guard.check([source], [rewrite])[0]


def test_the_pairs_are_enough() -> None:
    assert len(PAIRS) >= 300
    assert len({pair["source"] for pair in PAIRS}) >= 60


def test_rates_with_a_parser(parsed) -> None:
    honest, caught = rates(parsed)
    assert honest >= 0.97
    assert caught >= 0.99


def test_rates_without_a_parser() -> None:
    honest, caught = rates(Guard())
    assert honest >= 0.4
    assert caught >= 0.99


@pytest.mark.parametrize(
    ("source", "rewrite", "kind", "detail"),
    [
        ("The pump did not fail.", "The pump did fail.", "negation", "loses not"),
        ("The pump failed.", "The pump failed 30 times.", "number", "adds 30times"),
        ("The plant uses 5 pumps.", "The plant uses 6 pumps.", "number", "says 6 for 5"),
        ("You must leave.", "You may leave.", "modal", "says may for must"),
        ("The pump failed in Oslo.", "The pump failed.", "name", "loses oslo"),
        ("The pump nearly failed.", "The pump failed.", "hedge", "loses nearly"),
        ("The pump failed.", "The valve failed.", "word", "adds valve"),
        ("The pump failed.", "", "empty", "says nothing"),
    ],
)
def test_reasons(guard, source, rewrite, kind, detail) -> None:
    refusal = one(guard, source, rewrite)
    assert refusal == Refusal(kind, detail)
    assert str(refusal) == f"{kind}: {detail}"


@pytest.mark.parametrize(
    ("source", "rewrite"),
    [
        ("The plant has 30 pumps and 12 valves.", "The plant has 12 pumps and 30 valves."),
        ("The dog bit the man.", "The man bit the dog."),
        ("The board said that the plant closed.", "The plant closed."),
        ("The manager told the clerk a story.", "The clerk told the manager a story."),
        ("The unit was sold to a bank by a broker.", "The unit was sold to a broker by a bank."),
        ("A or B fails.", "A fails."),
        ("The man tried to open the door.", "The man opened the door."),
        ("The painter bought a fake diamond.", "The painter bought a diamond."),
        ("The unit is safe if it is dry.", "The unit is safe."),
        ("The valve was closed by the pump.", "The valve closed the pump."),
        ("The driver slept, the doctor waited, and he fell.", "The doctor waited, and he fell."),
        ("Did the pump fail?", "Did the pump fail."),
        ("It fell to -40 in the night.", "It fell to 40 in the night."),
        ("The plant runs 5 pumps.", "The plant runs 5 pump."),
        ("The cook washed and the guest ate the pears.", "The cook ate the pears."),
    ],
)
def test_lies_are_refused(guard, source, rewrite) -> None:
    assert one(guard, source, rewrite) is not None


@pytest.mark.parametrize(
    ("source", "rewrite"),
    [
        ("Please note that the lift is closed.", "The lift is closed."),
        ("In order to save power, we basically turned it off.", "To save power, we turned it off."),
        ("The pump (a small model) failed.", "The pump failed."),
        ("The pump, which had run for years, failed.", "The pump failed."),
        ("Approximately 40 guests came.", "About 40 guests came."),
    ],
)
def test_honest_without_a_parse(guard, source, rewrite) -> None:
    assert one(guard, source, rewrite) is None


@pytest.mark.parametrize(
    ("source", "rewrite"),
    [
        ("The dog bit the man and the boy.", "The dog bit the boy."),
        ("The plan was rejected by the board.", "The board rejected the plan."),
        ("The crew cleaned the deck in the morning.", "The crew cleaned the deck."),
        ("The letter was written by a clerk and delivered by a servant.", "A clerk wrote the letter."),
        ("Apples, pears and plums were sold.", "Apples and pears were sold."),
    ],
)
def test_honest_with_a_parse(parsed, source, rewrite) -> None:
    assert one(parsed, source, rewrite) is None


def test_chinese_is_only_shortened(guard) -> None:
    source = "这家工厂在北方地区一共有30台水泵，其中5台没有工作。"
    assert one(guard, source, "这家工厂在北方有30台水泵，其中5台没有工作。") is None
    for rewrite in (
        "这家工厂有30台水泵，其中5台工作。",
        "这家工厂有5台水泵，其中30台没有工作。",
        "这家工厂有30台阀门，其中5台没有工作。",
    ):
        assert one(guard, source, rewrite) is not None


def test_edges(guard) -> None:
    sources = ["", "a", "Yes", "🙂 fine 🙂", "…", "Go!"]
    assert guard.check(sources, sources) == [None] * len(sources)
    assert guard.check([], []) == []
    assert one(guard, "", "No pumps.") is not None
    assert one(guard, "Yes", "No") is not None
    assert one(guard, "The pump failed 🙂", "The pump failed") is None


def test_a_verdict_does_not_depend_on_the_batch(parsed) -> None:
    some = PAIRS[::8]
    together = parsed.check([pair["source"] for pair in some], [pair["rewrite"] for pair in some])
    assert together == [one(parsed, pair["source"], pair["rewrite"]) for pair in some]


def test_fingerprints_differ(parsed) -> None:
    assert parsed.fingerprint != Guard().fingerprint


@pytest.mark.parametrize("text", ["the pump failed and ", "a ", "30 pumps, ", "not (", "the ", "which , "])
def test_time_is_linear_in_words(text) -> None:
    long = text * (5_000 // len(text))
    start = time.process_time()
    Guard().check([long], [long[: len(long) // 2]])
    assert time.process_time() - start < 1


def test_a_long_parsed_text(parsed) -> None:
    long = "The pump failed on a cold day, and the crew mended it in the dark. " * 75
    assert one(parsed, long, long) is None
    one(parsed, "Warm.", "Warm up.")
    start = time.process_time()
    one(parsed, long, long.replace("cold ", ""))
    assert time.process_time() - start < 4
