"""The guard lets honest shortenings pass and refuses what says something else; both rates on pairs made by hand."""

from __future__ import annotations

import json
import time
from collections import Counter
from pathlib import Path

import pytest

from gliding import facts
from gliding.backends.spacy import SpacyParser
from gliding.tiers import short_forms
from gliding.tiers.guard import Guard, Refusal
from gliding.tiers.rephrase import compounded, rephrased
from gliding.tiers.syntax import Sentence, scopes
from gliding.tiers.verbs import forms_of
from gliding.tiers.wording import CONDITIONS

DATA = Path(__file__).parents[1] / "data"
PAIRS, SEEN, UNSEEN = (
    [json.loads(line) for line in (DATA / f"guard_{name}.jsonl").read_text("utf-8").splitlines()]
    for name in ("pairs", "seen", "unseen")
)


@pytest.fixture(scope="module")
def parsed():
    pytest.importorskip("spacy")
    return Guard(SpacyParser())


@pytest.fixture(scope="module", params=["words", "parsed"])
def guard(request):
    return Guard() if request.param == "words" else request.getfixturevalue("parsed")


def rates(guard, pairs=PAIRS):
    """Return the shares of honest pairs that pass and of corruptions that are caught, and print them by kind."""
    verdicts = guard.check([pair["source"] for pair in pairs], [pair["rewrite"] for pair in pairs])
    right, all_of = Counter(), Counter()
    for pair, verdict in zip(pairs, verdicts, strict=True):
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
    assert honest >= 0.5
    assert caught >= 0.99


@pytest.mark.slow
def test_rates_on_pairs_by_other_hands(parsed) -> None:
    """Their misses showed which rules were too strict; they must not come back."""
    honest, caught = rates(parsed, SEEN)
    assert honest >= 0.95
    assert caught >= 0.99


def test_rates_on_pairs_that_no_rule_was_made_for(parsed) -> None:
    """A set by one more hand, tried once the rules stood: what its misses teach must not be written into them."""
    honest, caught = rates(parsed, UNSEEN)
    assert honest >= 0.8
    assert caught >= 0.98
    honest, caught = rates(Guard(), UNSEEN)
    assert honest >= 0.35
    assert caught >= 0.98


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


@pytest.mark.parametrize(
    ("source", "rewrite"),
    [
        ("They asked whether it held due to the fact that it was wet.", "They asked if it held because it was wet."),
        ("The crew carried out an inspection of the boiler.", "The crew inspected the boiler."),
        ("Some 300 trees fell.", "About 300 trees fell."),
        ("The pump was in need of oil.", "The pump needed oil."),
        ("The clerk gave the form to the owner.", "The clerk gave the owner the form."),
        ("The hall did not have any lamps.", "The hall had no lamps."),
        ("There are two bridges that cross the river.", "two bridges cross the river."),
        ("Pupils who miss a test fail.", "Pupils missing a test fail."),
        ("On Monday the council met.", "The council met on Monday."),
        ("The tool is used for the purpose of testing pumps.", "The tool is used to test pumps."),
        ("In addition, the fee is due.", "The fee is due."),
        ("Some of our guests left.", "Some guests left."),
        ("It owns 90 coins, most of which were found here.", "It owns 90 coins, most found here."),
        ("Two pumps leaked, but none of the pumps failed.", "Two pumps leaked, but none failed."),
        ("She reports that she has mild pain.", "She reports mild pain."),
        ("It sounds when it has grown larger.", "It sounds when it is larger."),
        ("The stone measured 3 cm.", "The stone was 3 cm."),
        ("It was renewed for a further period of ten days.", "It was renewed for a further ten days."),
        ("The wall sank by less than 3 mm.", "The wall sank less than 3 mm."),
        ("It mends a leak that appeared in May.", "It mends a leak appearing in May."),
        ("Files that have been deleted are gone.", "Deleted files are gone."),
        ("Guests who do not have a card must wait.", "Guests without a card must wait."),
        ("He was the first man who climbed it.", "He was the first man to climb it."),
        ("It was in 1998 that it opened.", "In 1998 it opened."),
    ],
)
def test_a_source_in_the_words_of_its_rewrite(source, rewrite) -> None:
    assert rephrased(source, rewrite).lower() == rewrite.lower()


@pytest.mark.parametrize(
    ("source", "rewrite"),
    [
        ("Whether or not it rains, we play.", "If it rains, we play."),
        ("Some guests left.", "About guests left."),
        ("The unit has been tested.", "The unit is tested."),
        ("The officials from the ministry left.", "The officials' ministry left."),
        ("The pump was not tested and was painted.", "The pump was not tested and painted."),
        ("Anna saw Paul, and he left.", "Anna saw Paul and left."),
        ("If the pump fails and the alarm sounds, leave.", "If the pump fails, leave."),
        ("The guard must not open the rear door.", "The guard must not open the door."),
        ("The red valve is hot and the blue valve is cold.", "The valve is hot and the blue valve is cold."),
        ("The shop sells no bread and no milk.", "The shop sells no bread and milk."),
        ("They can park here, and they can use the lift.", "They can park here, and they use the lift."),
        ("The bus was late, and the mayor, Ada Finch, was angry.", "The bus was late."),
    ],
)
def test_the_nearest_lie_to_an_honest_step_is_refused(guard, source, rewrite) -> None:
    assert one(guard, source, rewrite) is not None


@pytest.mark.parametrize(
    ("source", "rewrite"),
    [
        ("Two pumps leaked, but none of the valves failed.", "Two pumps leaked, but none failed."),
        ("Most of our guests left.", "Most guests left."),
        ("Files that are being deleted are gone.", "Deleted files are gone."),
        ("Files that have been deleted by Bo are gone.", "Deleted files by Bo are gone."),
        ("The flat was sold by 3 brokers.", "The flat was sold 3 brokers."),
        ("The man who stole it left.", "The man stealing it left."),
        ("Guests who have sold a card must wait.", "Guests with a card must wait."),
        ("She reports that her son has mild pain.", "She reports mild pain."),
    ],
)
def test_a_step_is_not_taken_where_it_would_say_another_thing(source, rewrite) -> None:
    assert rephrased(source, rewrite) != rewrite


@pytest.mark.parametrize(
    ("text", "bound", "free"),
    [
        ("The clerk will promptly post the signed forms no later than noon.", {"later"}, {"promptly", "signed"}),
        ("Fewer than 20 wooden houses burned slowly.", {"wooden", "slowly"}, set()),
        ("A short talk was longer than the old film.", {"old"}, {"short"}),
        ("The red car is faster than the old van on dry roads.", {"red", "old", "dry"}, set()),
    ],
)
def test_a_comparison_binds_what_it_compares(text, bound, free) -> None:
    pytest.importorskip("spacy")
    sentence = Sentence(text, SpacyParser().parse([text])[0])
    under = {word for word, kinds in zip(sentence.low, scopes(sentence), strict=True) if "comparative" in kinds}
    assert bound <= under
    assert not free & under


def test_a_noun_goes_before_another_only_with_it() -> None:
    kept = "The brother of the king left."
    assert compounded(kept, "The brother's king left.", nouns=None) == kept
    assert compounded("Prices of houses rose.", "House prices rose.", nouns=lambda *at: True) == "House prices rose."


def test_no_class_of_words_holds_opposites() -> None:
    table = short_forms.synonyms()
    opposites = "rise fall/increase decrease/open close/start end/buy sell/accept reject/more less/before after"
    for one_word, other in (pair.split() for pair in opposites.split("/")):
        for form, against in zip(forms_of(one_word), forms_of(other), strict=True):
            assert against not in table.get(form, ()), (form, against)
    turning = {word for word in table if facts.find(word) or word in CONDITIONS} - {"until", "till", "rarely", "seldom"}
    assert not turning


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
