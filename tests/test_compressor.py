import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import gliding
from gliding import Budget, Compressor, Document, compress, registry
from gliding.errors import BudgetError, InputError, PresetNotFound, UnknownComponent
from gliding.types import Request

REPORT = Path(__file__).parents[1] / "docs" / "examples" / "incident-report.md"
TEXT = REPORT.read_text(encoding="utf-8")
SHORT = "The pump failed at noon. Lunch was soup. The cause was a worn seal. The gate was moved to the north side."


@pytest.fixture(scope="module")
def edge():
    return Compressor.from_preset("edge")


# --- sources ---


@pytest.mark.parametrize(
    "source",
    [
        SHORT,
        SHORT.encode(),
        Document(text=SHORT),
        {"text": SHORT},
        [SHORT],
        [{"content": SHORT}],
        [Document(text=SHORT)],
        (part for part in [SHORT]),
    ],
    ids=["str", "bytes", "Document", "mapping", "list", "message", "documents", "generator"],
)
def test_every_shape_of_a_source_gives_the_same(edge, source):
    result = edge.compress(source, query="What was the cause of the failed pump?", max_tokens=14)
    assert result.text == "The pump failed at noon. The cause was a worn seal."
    assert result.documents == (Document(text=SHORT),)


def test_a_path_is_read(edge):
    result = edge.compress(REPORT, query="Why did C2 not start?", max_tokens=200)
    assert "ML-2" in result.text
    assert result.tokens <= 200
    assert result.documents[0].text == TEXT


def test_passages_and_turns_show_where_they_are_from(edge):
    passages = [{"title": f"Page {k}", "text": f"Valve {k} is shut. The hall is cold."} for k in range(9)]
    found = edge.compress(passages, query="valve 7", max_tokens=12)
    assert found.text.startswith("[Page 7] Valve 7 is shut.")
    asked = {"role": "Ann", "time": "2024-05-01", "text": "Which flavour do you like?"}
    turns = [asked, {"role": "Ben", "text": "Plum."}]
    talk = edge.compress(turns, max_tokens=1000)
    assert talk.text == "--- 2024-05-01 ---\nAnn: Which flavour do you like?\nBen: Plum."


@pytest.mark.parametrize("source", ["", " \n ", [], ["", ""], {"text": ""}])
def test_nothing_in_gives_nothing_out(edge, source):
    result = edge.compress(source, query="anything", max_tokens=1)
    assert result.text.strip() == ""
    assert result.tokens <= 1
    assert result.rate <= 1


# --- options ---


def test_a_budget_a_rate_and_a_window(edge):
    full = edge.compress(TEXT, rate=1.0)
    assert (full.text, full.rate) == (TEXT, 1.0)
    assert edge.compress(TEXT, max_tokens=300).tokens <= 300
    assert edge.compress(TEXT, max_tokens=300, reserve=100).tokens <= 200
    fifth = edge.compress(TEXT, rate=0.2)
    assert 0.18 < fifth.rate <= 0.2
    window = edge.compress(TEXT, window=4000, used=3000, reserve=200)
    assert window.tokens <= 800
    assert "window 4000" in window.report.rule
    critical = edge.compress(TEXT, window=8000, used=4000, criticality=1.0)
    assert critical.tokens > edge.compress(TEXT, window=8000, used=4000, criticality=0.0).tokens


def test_a_light_squeeze_only_trims(edge):
    text = "Please note that the door  is locked in order to keep the heat in.\n\n" * 3 + "The end is near."
    result = edge.compress(text, rate=0.9)
    assert result.report.dropped == result.report.extracted == 0
    assert result.report.trimmed == 3
    assert "The door is locked to keep the heat in." in result.text
    precise = Compressor.from_preset("edge", overrides={"mode": "verbatim"}).compress(text, rate=0.9)
    assert precise.report.trimmed == 0


def test_one_pin_or_several(edge):
    held = "Soft cheese would have had to be discarded in any case."
    assert held in edge.compress(TEXT, query="compressor", max_tokens=100, pins=[held, "RA-118"]).text
    single = edge.compress(TEXT, query="compressor", max_tokens=100, pins=held)
    assert held in single.text
    assert single.report.pinned == 1
    assert "pinned" in {decision.reason.split(" in ")[0] for decision in single.decisions}


def test_options_of_one_call_do_not_reach_the_next(edge):
    plain = edge.compress(SHORT, max_tokens=14)
    edge.compress(SHORT, query="gate", max_tokens=8, pins=["Lunch"], tokenizer="words", task="debug")
    again = edge.compress(SHORT, max_tokens=14)
    assert (again.text, again.decisions, again.report.tokenizer) == (plain.text, plain.decisions, "o200k_base")


def test_a_request_runs_as_it_is(edge):
    request = Request(documents=(Document(text=SHORT),), query="gate", budget=Budget(max_tokens=12))
    assert edge.run(request).text == "The gate was moved to the north side."


def test_the_tokenizer_is_named_by_preset_compressor_or_call(edge):
    class Letters:
        name = "letters"

        def count(self, texts):
            return [sum(map(str.isalpha, text)) for text in texts]

    assert edge.compress(SHORT, max_tokens=60, tokenizer="chars").report.tokenizer == "chars"
    assert len(edge.compress(SHORT, max_tokens=60, tokenizer="chars").text) <= 60
    assert edge.compress(SHORT, max_tokens=9, tokenizer=Letters()).report.tokenizer == "letters"
    words = Compressor.from_preset("edge", tokenizer="words")
    assert len(words.compress(SHORT, max_tokens=6).text.split()) <= 6
    assert words.preset.tokens.use == "words"
    assert Compressor.from_preset("edge", tokenizer=Letters()).compress(SHORT, rate=0.5).report.tokenizer == "letters"
    with pytest.raises(UnknownComponent, match="Did you mean 'words'"):
        edge.compress(SHORT, max_tokens=6, tokenizer="word")


# --- what is given out ---


def test_the_result_is_plain_values_for_json(edge):
    result = edge.compress(TEXT, query="Why did C2 not start?", max_tokens=120, pins=["RA-118"])
    data = json.loads(json.dumps(result.to_dict()))
    assert data["text"] == result.text
    assert data["tokens"] == result.tokens == data["report"]["tokens_out"]
    assert data["report"]["budget"] == 120
    assert len(data["decisions"]) == len(result.decisions) == data["report"]["segments"]
    assert data["coverage"] == result.coverage
    piece = data["pieces"][0]
    assert result.text[slice(*piece["output"])] == TEXT[piece["sources"][0]["start"] : piece["sources"][0]["end"]]
    assert {"segment", "score", "select", "assemble", "count", "total"} <= set(data["report"]["seconds"])


def test_explain_gives_the_decisions_on_a_span(edge):
    result = edge.compress([SHORT, TEXT], query="Why did C2 not start?", max_tokens=120)
    at = TEXT.index("Soft cheese")
    (decision,) = result.explain((at, at + 4), document=1)
    assert decision.action == "drop"
    assert decision.reason in ("no room", "below the floor")
    assert decision.source.start <= at < decision.source.end
    assert len(result.explain((0, len(TEXT)), document=1)) > 50
    assert result.explain((0, 4)) != result.explain((0, 4), document=1)
    assert result.explain((0, 0)) == ()


def test_coverage_is_high_where_the_text_answers_and_low_where_it_does_not(edge):
    answered = edge.compress(TEXT, query="Why did the standby compressor not start?", max_tokens=200)
    assert answered.coverage > 0.8
    missing = edge.compress(TEXT, query="Which zebra won the Norwegian lottery?", max_tokens=200)
    assert missing.coverage < 0.2
    assert missing.text
    assert edge.compress(TEXT, max_tokens=200).coverage is None


def test_nothing_that_answers_is_said_in_a_warning(edge):
    result = edge.compress(TEXT, query="zebra lottery", max_tokens=200)
    assert result.coverage == 0.0
    assert any("word of the query" in warning for warning in result.report.warnings)
    assert edge.compress(TEXT, query="condenser", max_tokens=200).report.warnings == ()


def test_the_one_sentence_that_fits_exactly_is_kept_whole(edge):
    result = edge.compress(SHORT, query="gate moved north", max_tokens=9, tokenizer="words")
    assert result.text == "The gate was moved to the north side."
    titled = [{"title": "A very long title that takes all of the room", "text": "The gate is shut. It rains."}]
    bare = edge.compress(titled, query="gate", max_tokens=4, tokenizer="words")
    assert bare.text == "The gate is shut."
    assert (bare.report.trimmed, bare.report.extracted) == (0, 1)


def test_where_no_sentence_fits_the_front_of_the_best_is_kept_and_marked(edge):
    long = "The gate was moved to the north side of it all"
    result = edge.compress(long, max_tokens=4, tokenizer="words", query="gate")
    assert result.text == "The gate was moved"
    assert [piece.action for piece in result.pieces] == ["trim"]
    assert result.report.trimmed == 1


# --- errors ---


def test_pins_that_do_not_fit_say_both_numbers(edge):
    with pytest.raises(BudgetError, match="needs 9 tokens and the budget is 5"):
        edge.compress(SHORT, max_tokens=5, tokenizer="words", pins=["Lunch was soup.", "The cause was a worn seal."])


def test_no_word_that_fits_is_an_error_with_the_budget(edge):
    with pytest.raises(BudgetError, match="budget of 2 tokens") as caught:
        edge.compress("incomprehensibilities everywhere", max_tokens=2, tokenizer="chars")
    assert caught.value.hint


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({}, InputError, "No budget"),
        ({"max_tokens": 5, "rate": 0.5}, InputError, "More than one"),
        ({"rate": 2.0}, InputError, "rate is 2"),
        ({"max_tokens": 0}, BudgetError, "max_tokens is 0"),
        ({"max_tokens": 5, "pins": [""]}, InputError, "empty"),
        ({"max_tokens": 5, "pins": ["zebra"]}, InputError, "not in the source"),
        ({"max_tokens": 500, "pins": ["zebra"]}, InputError, "not in the source"),
        ({"max_tokens": 5, "task": "anser"}, InputError, "no task 'anser'"),
    ],
)
def test_options_that_cannot_be_used(edge, options, error, said):
    with pytest.raises(error, match=said):
        edge.compress(SHORT, **options)


@pytest.mark.parametrize("source", [None, 5, [None], [{"title": "no text"}], Path("no/such/file")])
def test_sources_that_cannot_be_read(edge, source):
    with pytest.raises(InputError):
        edge.compress(source, max_tokens=5)


# --- building ---


class Vectors:
    fingerprint = "fake"
    dim = 2

    def embed(self, texts, *, max_pieces=256):
        return np.array([[1, 0] if "soup" in text or "eat" in text else [0, 1] for text in texts], np.float32)


class Names:
    fingerprint = "fake"

    def extract(self, texts):
        return [frozenset({"north side"}) if "north" in text else frozenset() for text in texts]


class Longest:
    def salience(self, sentences):
        return np.array([float(len(sentence)) for sentence in sentences])


class Shout:
    def trim(self, texts):
        return [text.replace("The ", "") for text in texts]


def test_plain_objects_take_the_place_of_parts():
    plain = {"index.use": "exact", "cache.use": "", "score.document.dense": "2.0"}
    built = Compressor.from_preset(
        "balanced", overrides=plain, embedder=Vectors(), entities=Names(), extractor=Longest(), trimmer=Shout()
    )
    assert built.compress(SHORT, query="what did they eat", max_tokens=7).text == "Lunch was soup."
    assert built.compress(SHORT, rate=0.9).text.startswith("pump failed at noon.")
    assert "north side" in built.compress(SHORT, max_tokens=10).text


def test_verbatim_mode_never_trims():
    built = Compressor.from_preset("edge", overrides={"mode": "verbatim"}, trimmer=Shout())
    result = built.compress(SHORT, rate=0.9)
    assert all(piece.exact for piece in result.pieces)


def test_the_default_is_edge_with_a_warning_where_balanced_lacks_a_part(monkeypatch):
    gap = registry.Lack("index faiss", "package faiss", "pip install 'gliding[faiss]'", "faiss")
    monkeypatch.setattr(registry, "lacks", lambda preset: [gap])
    built = Compressor.from_preset()
    result = built.compress(SHORT, max_tokens=14)
    assert result.report.preset == "edge"
    assert "pip install 'gliding[faiss]'" in result.report.warnings[0]
    assert Compressor.from_preset("edge").compress(SHORT, max_tokens=14).report.warnings == ()


def test_an_unknown_preset_is_an_error():
    with pytest.raises(PresetNotFound):
        Compressor.from_preset("egde")


def test_one_call_builds_its_compressor_once(monkeypatch):
    built = []
    real = Compressor.from_preset.__func__
    monkeypatch.setattr(gliding.compressor, "_kept", {})
    monkeypatch.setattr(Compressor, "from_preset", classmethod(lambda cls, name: built.append(name) or real(cls, name)))
    with ThreadPoolExecutor(4) as pool:
        texts = list(pool.map(lambda _: compress(SHORT, preset="edge", query="gate", max_tokens=12).text, range(8)))
    assert set(texts) == {"The gate was moved to the north side."}
    assert built == ["edge"]


def test_a_closed_compressor_still_works(tmp_path, monkeypatch):
    monkeypatch.setenv("GLIDING_CACHE", str(tmp_path))
    with Compressor.from_preset("edge", overrides={"cache.use": "sqlite"}) as built:
        before = built.compress(SHORT, max_tokens=14).text
    assert built.compress(SHORT, max_tokens=14).text == before


def test_coverage_is_told_where_all_fits():
    with Compressor.from_preset("edge") as compressor:
        told = [
            compressor.compress("The pump failed at noon.", query=query, max_tokens=100).coverage
            for query in ("When did the pump fail?", "Who moved the harbour gate?", "")
        ]
    assert told == [1.0, 0.0, None]
