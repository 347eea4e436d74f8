"""The third tier inside the compressor: what is rewritten, what is refused, what a deadline does."""

import re
import time
from dataclasses import replace

import numpy as np
import pytest

from gliding import Compressor, Document, presets, registry
from gliding.errors import InputError, TierError
from gliding.facts import RuleEntities
from gliding.tiers.guard import Guard
from gliding.tiers.rewrite import RewriteTier

FILLER = "basically"
PLACES = (
    "the north hall|a dusty shed|the yard behind the office|two trucks|an old mill|the quay|a ward of the clinic|"
    "a tunnel|the bakery next door|our garden"
).split("|")
SENTENCES = [f"The pump of {place} was {FILLER} really repaired by crew {k}." for k, place in enumerate(PLACES)]
OTHER = [f"Lunch on day {k} was soup with bread from the shop of the neighbours." for k in range(10)]
TEXT = " ".join(SENTENCES + OTHER)
QUERY = "Which pump was repaired?"


class Unfilled:
    """Deletes the filler, as a small model would that was taught to."""

    fingerprint = "unfilled"

    def __init__(self, answer=lambda text: text.replace(f"{FILLER} really ", "")):
        self.answer, self.seen = answer, []

    def rewrite(self, texts, *, keep, ratio, stop):
        self.seen += texts
        return [text if stop() else self.answer(text) for text in texts]


def compressor(rewriter, *, guard=None, **options):
    """The edge preset with a third tier; the guard reads no grammar, since the parser is not everywhere."""
    made = Compressor.from_preset("edge", **options)
    return Compressor(made.preset, replace(made.parts, rewriting=RewriteTier(rewriter, guard or Guard(), spare=0.0)))


def test_more_sentences_fit_once_they_are_rewritten():
    plain = Compressor.from_preset("edge").compress(TEXT, query=QUERY, max_tokens=70)
    deep = compressor(Unfilled()).compress(TEXT, query=QUERY, max_tokens=70)
    assert len(deep.decisions[0].kept) > len(plain.decisions[0].kept)
    assert deep.tokens <= 70
    assert FILLER not in deep.text
    (decision,) = deep.decisions
    assert decision.action == "rewrite"
    assert "rewritten" in decision.reason
    report = deep.report
    assert (report.rewritten, report.extracted) == (1, 0)
    assert report.rewriting["taken"] == len(decision.kept)
    assert report.rewriting["saved"] > 0
    assert "rewrite" in report.seconds


def test_a_rewritten_piece_is_not_exact_and_names_its_source():
    deep = compressor(Unfilled()).compress(TEXT, query=QUERY, max_tokens=70)
    pieces = [piece for piece in deep.pieces if piece.action == "rewrite"]
    assert pieces
    for piece in pieces:
        ((_, start, end),) = piece.sources
        assert not piece.exact
        assert TEXT[start:end].replace(f"{FILLER} really ", "") == piece.text


def test_what_the_guard_refuses_stays_as_it_was_with_the_reason():
    lying = Unfilled(lambda text: text.replace("was", "was never"))
    deep = compressor(lying).compress(TEXT, query=QUERY, max_tokens=70)
    assert deep.text == Compressor.from_preset("edge").compress(TEXT, query=QUERY, max_tokens=70).text
    assert "never" in deep.decisions[0].reason
    assert deep.report.rewriting["refused: negation"] > 0
    assert deep.report.rewriting["taken"] == 0


def test_only_where_much_must_go():
    rewriter = Unfilled()
    compressor(rewriter).compress(TEXT, query=QUERY, rate=0.5)
    assert not rewriter.seen


def test_pinned_sentences_stay_verbatim():
    deep = compressor(Unfilled()).compress(TEXT, query=QUERY, max_tokens=70, pins=[SENTENCES[4]])
    assert SENTENCES[4] in deep.text


def test_verbatim_presets_never_rewrite():
    rewriter = Unfilled()
    verbatim = compressor(rewriter, overrides={"trim.use": ""})
    strict = Compressor(verbatim.preset.model_copy(update={"mode": "verbatim"}), verbatim.parts)
    assert FILLER in strict.compress(TEXT, query=QUERY, max_tokens=70).text
    assert not rewriter.seen


def test_a_tier_that_breaks_falls_back_and_says_so():
    def broken(text):
        raise TierError("the weights are gone")

    deep = compressor(Unfilled(broken)).compress(TEXT, query=QUERY, max_tokens=70)
    assert deep.text == Compressor.from_preset("edge").compress(TEXT, query=QUERY, max_tokens=70).text
    assert deep.report.warnings == ("Sentences were extracted, not rewritten: the weights are gone",)


def test_a_rewriter_that_answers_nonsense_falls_back_and_says_so():
    deep = compressor(Unfilled(lambda text: None)).compress(TEXT, query=QUERY, max_tokens=70)
    assert deep.text == Compressor.from_preset("edge").compress(TEXT, query=QUERY, max_tokens=70).text
    assert "Unfilled did not give one text" in deep.report.warnings[0]


def test_an_error_of_the_users_own_rewriter_comes_out():
    def broken(text):
        raise ConnectionError("no server")

    with pytest.raises(ConnectionError, match="no server"):
        compressor(Unfilled(broken)).compress(TEXT, query=QUERY, max_tokens=70)


@pytest.mark.parametrize(
    "lines",
    [
        [f"2024-01-01 12:00:0{k} ERROR {text}" for k, text in enumerate(SENTENCES)],
        ["| place |", "|---|", *(f"| {text} |" for text in SENTENCES)],
        ["```", *SENTENCES, "```"],
        [f'{{"text": "{text}"}}' for text in SENTENCES],
        [f"> {text}" for text in SENTENCES],
    ],
    ids=["log", "table", "fence", "json lines", "quote"],
)
@pytest.mark.parametrize("role", ["", "tool"])
def test_logs_tables_code_and_quotes_are_never_rewritten(lines, role):
    rewriter = Unfilled()
    document = Document(text="\n".join(lines), role=role)
    deep = compressor(rewriter).compress([document], query=QUERY, max_tokens=100)
    assert not rewriter.seen
    assert not any(piece.action == "rewrite" for piece in deep.pieces)


@pytest.mark.parametrize(
    ("documents", "begin"),
    [
        ([Document(text="\n".join(f"- {text}" for text in SENTENCES + OTHER))], "- The pump"),
        ([Document(text="\n".join(f"{k}. {text}" for k, text in enumerate(SENTENCES + OTHER)))], r"\d\. The pump"),
        ([Document(text=text, role="user") for text in SENTENCES + OTHER], "The pump"),
    ],
    ids=["items", "numbered", "turns"],
)
def test_items_and_turns_are_rewritten_and_keep_their_marks(documents, begin):
    deep = compressor(Unfilled()).compress(documents, query=QUERY, max_tokens=80)
    said = [piece.text for piece in deep.pieces if piece.action == "rewrite"]
    assert said
    assert all(re.match(begin, text) and FILLER not in text for text in said)


# --- the deadline ---


def test_without_time_nothing_is_rewritten_and_the_report_says_so():
    rewriter = Unfilled()
    late = compressor(rewriter).compress(TEXT, query=QUERY, max_tokens=70, deadline=0)
    assert not rewriter.seen
    assert late.report.rewriting["tried"] == 0
    assert late.text == Compressor.from_preset("edge").compress(TEXT, query=QUERY, max_tokens=70).text
    assert late.report.late
    assert any("deadline of 0 s" in warning and "not rewritten" in warning for warning in late.report.warnings)


def test_a_deadline_that_is_far_changes_nothing():
    deep = compressor(Unfilled())
    with_time = deep.compress(TEXT, query=QUERY, max_tokens=70, deadline=1000)
    assert with_time.text == deep.compress(TEXT, query=QUERY, max_tokens=70).text
    assert not with_time.report.late
    assert with_time.report.warnings == ()


def test_a_rewriter_that_is_slow_is_cut_short():
    def slow(text):
        time.sleep(0.3)
        return text.replace(f"{FILLER} really ", "")

    started = time.perf_counter()
    late = compressor(Unfilled(slow)).compress(TEXT, query=QUERY, max_tokens=70, deadline=0.4)
    assert time.perf_counter() - started < 1.5
    assert late.report.late
    assert late.report.rewriting["taken"] in (1, 2)


def test_vectors_are_left_out_when_time_is_over():
    class Slow:
        fingerprint, dim = "slow", 2

        def __init__(self):
            self.calls = 0

        def embed(self, texts, *, max_pieces=256):
            self.calls += 1
            time.sleep(0.2)
            return np.ones((len(texts), 2), np.float32) / np.float32(2**0.5)

    paragraphs = "\n\n".join(f"{sentence} " * 2 for sentence in SENTENCES * 20)
    options = {"index.use": "exact", "cache.use": "", "entities.use": "rules"}
    embedder = Slow()
    made = Compressor.from_preset("balanced", overrides=options, embedder=embedder, entities=RuleEntities())
    late = made.compress(paragraphs, query=QUERY, max_tokens=70, deadline=0.1)
    assert embedder.calls == 1
    assert late.report.late
    assert any("without vectors" in warning for warning in late.report.warnings)
    assert late.tokens <= 70
    assert "dense" not in late.decisions[0].signals


@pytest.mark.parametrize("deadline", [-1, float("nan")])
def test_a_deadline_is_no_negative_time(deadline):
    with pytest.raises(InputError, match="deadline"):
        compressor(Unfilled()).compress(TEXT, max_tokens=9, deadline=deadline)


# --- which tier a preset gets ---


@pytest.mark.parametrize(
    ("otherwise", "rewriter", "said"),
    [
        ("extract", None, "are extracted, not rewritten"),
        ("syntax", "SyntacticRewriter", "rewritten by syntax"),
    ],
)
def test_without_its_model_the_tier_falls_back_as_the_preset_says(monkeypatch, tmp_path, otherwise, rewriter, said):
    pytest.importorskip("spacy")
    pytest.importorskip("onnxruntime")
    monkeypatch.setenv("GLIDING_CACHE", str(tmp_path))
    preset = presets.override(presets.load("deep"), {"cache.use": "", "rewrite.otherwise": otherwise})
    assert [gap.instead for gap in registry.lacks(preset)] == [otherwise]
    made = registry.build(preset)
    assert (type(made.rewriting.rewriter).__name__ if made.rewriting else None) == rewriter
    (warning,) = made.warnings
    assert said in warning
    assert "gliding models fetch flan-t5-small" in warning


def test_any_object_with_the_method_is_a_rewriter():
    rewriter = Unfilled()
    made = Compressor.from_preset("edge", rewriter=rewriter)
    assert made.parts.rewriting.rewriter is rewriter
    assert made.compress(TEXT, query=QUERY, max_tokens=70).tokens <= 70
    assert rewriter.seen
