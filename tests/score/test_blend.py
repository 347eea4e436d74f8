import numpy as np
import pytest

from gliding.backends.exact import ExactIndex
from gliding.config import EmbedConfig, ScoreConfig, Weights
from gliding.errors import InputError
from gliding.facts import RuleEntities
from gliding.score.blend import Scorer
from gliding.score.dense import Dense
from gliding.segment import segment
from gliding.tiers.lexrank import LexRank
from gliding.types import Document

TEXT = "The pump failed at noon. It was very old. Lunch was soup. The gate was moved to the north side."


def scored(*documents, query="", task="", weights=None, dense=None):
    documents = [Document(text=d) if isinstance(d, str) else d for d in documents]
    weights = weights or Weights(sentence=1.0, segment=1.0)
    config = ScoreConfig(**dict.fromkeys(ScoreConfig.model_fields, weights))
    scorer = Scorer(config, RuleEntities(), LexRank(), dense)
    return scorer.score(documents, segment(documents), query, task=task)


class Fixed:
    """Every text has the same vector but those with a word, which are like the query."""

    fingerprint = "fixed"
    dim = 2

    def embed(self, texts, *, max_pieces=256):
        return np.array([[1, 0] if "soup" in t or "eat" in t else [0, 1] for t in texts], np.float32)


def test_the_sentence_that_answers_leads():
    scores = scored(TEXT, query="who moved the gate?")
    assert int(np.argmax(scores.total)) == 3
    assert scores.route == "document"
    assert scores.grain == "sentence"
    assert scores.segment.tolist() == [0, 0, 0, 0]
    assert scores.similarity is None


def test_each_signal_has_a_value_a_sentence():
    scores = scored(TEXT, query="pump at noon on 3 May", weights=Weights(sentence=1.0, segment=1.0, entities=0.5))
    assert {"sentence", "segment", "entities"} <= set(scores.signals)
    for values in scores.signals.values():
        assert values.shape == scores.total.shape == (4,)


def test_without_an_answer_what_is_central_is_scored():
    nothing, central = scored(TEXT, query="zebra"), scored(TEXT)
    assert nothing.total.tolist() == central.total.tolist()
    assert nothing.total.max() > 0
    assert nothing.coverage["zebra"] > 0
    assert central.coverage == {}


def test_no_sentence_is_no_error():
    for query in ("", "pump"):
        scores = scored("", " \n", query=query)
        assert scores.total.shape == (0,)


def test_one_document_and_fifty_have_scores_of_one_size():
    one = scored(TEXT, query="gate")
    fifty = scored(*[TEXT, *[f"Filler number {k} is here." for k in range(49)]], query="gate")
    assert 0.5 < one.total.max() / fifty.total.max() < 2


def test_the_dense_signal_finds_another_word_for_it():
    dense = Dense(Fixed(), ExactIndex, EmbedConfig(use="fixed"), 2)
    weights = Weights(sentence=1.0, segment=1.0, dense=0.5)
    scores = scored(TEXT, "Rain fell. It was wet.", query="what did they eat", weights=weights, dense=dense)
    assert int(np.argmax(scores.total)) == 2
    assert scores.similarity[2] == pytest.approx(1.0)
    assert scores.signals["dense"][2] == pytest.approx(1.0)
    off = scored(TEXT, query="what did they eat", dense=dense)
    assert off.similarity is None


def test_a_dialogue_is_scored_by_the_turn():
    scores = scored(
        Document(text="Which flavour? Tell me now.", role="Ann"),
        Document(text="Strawberry. It is sweet.", role="Ben"),
        Document(text="It rains. Bring a coat.", role="Ann"),
        query="flavour",
    )
    assert (scores.route, scores.grain) == ("dialogue", "segment")
    first, second, third = (scores.total[scores.segment == k].max() for k in range(3))
    assert first > second > third


def test_a_failure_is_found_by_its_words():
    log = [f"2024-05-11 03:00:{k:02} INFO step {k} done" for k in range(30)]
    log[17] = "2024-05-11 03:00:17 FATAL disk not found"
    weights = Weights(sentence=1.0, segment=1.0, failure=0.5, recency=0.4)
    scores = scored("\n".join(log), query="why did it fail?", weights=weights)
    assert scores.route == "lines"
    assert int(np.argmax(scores.total)) == 17
    named = scored("\n".join(log), query="step", task="debug", weights=weights)
    assert "failure" in named.signals


def test_where_all_failures_are_asked_for_each_comes_before_what_stands_beside_another():
    calm = [f"2024-05-11 03:00:{k:02d} INFO pump {chr(97 + k)} runs" for k in range(12)]
    lines = [*calm[:3], "2024-05-11 03:00:13 FATAL gate failed", *calm[3:], "2024-05-11 03:00:14 INFO valve denied"]
    log, weights = Document(text="\n".join(lines), kind="log"), Weights(sentence=1.0, failure=1.0)
    every = scored(log, query="Which errors occurred?", weights=weights).total
    assert set(np.argsort(-every)[:2].tolist()) == {3, len(lines) - 1}
    assert every[2] > every[0]
    cause = scored(log, query="Why did it crash? Which errors occurred?", weights=weights).total
    assert cause[2] / cause[3] > 1.5 * every[2] / every[3]


def test_the_newest_turn_leads_where_the_work_goes_on():
    turns = [Document(text=f"Step {k} is done.", role="tool") for k in range(10)]
    scores = scored(*turns, weights=Weights(sentence=1.0, recency=1.0))
    assert int(np.argmax(scores.signals["recency"])) == 9
    back = [Document(text=f"Step {k}.", role="tool", turn=str(9 - k)) for k in range(10)]
    assert int(np.argmax(scored(*back, weights=Weights(sentence=1.0, recency=1.0)).signals["recency"])) == 0


def test_an_unknown_task_is_an_error():
    with pytest.raises(InputError, match="no task 'qa'"):
        scored(TEXT, query="gate", task="qa")
