import numpy as np
import pytest

from gliding.backends.exact import ExactIndex
from gliding.config import EmbedConfig
from gliding.score.dense import Dense
from gliding.score.view import view
from gliding.segment import segment
from gliding.types import Document


def never():
    return False


MEANINGS = (("pump", "compressor"), ("money", "euro"), ("rain", "weather"))


class Meanings:
    """A fake embedder: one axis a meaning, so that other words can mean the same."""

    fingerprint = "meanings"
    dim = 4

    def __init__(self):
        self.asked = []

    def embed(self, texts, *, max_pieces=256):
        self.asked.append((list(texts), max_pieces))
        rows = np.zeros((len(texts), self.dim), np.float32)
        for row, text in zip(rows, texts, strict=True):
            row[:3] = [sum(word in text.lower() for word in words) for words in MEANINGS]
            row[3] = 0.1
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def dense(*, hits=2, **config):
    embedder = Meanings()
    return Dense(embedder, ExactIndex, EmbedConfig(use="fake", **config), hits), embedder


def seen(*texts, title=""):
    documents = [Document(text=text, title=title) for text in texts]
    return view(documents, segment(documents))


FILLER = [f"Sentence {k} is about nothing. " + "It goes on for a while, and then on. " * 6 for k in range(40)]


def test_a_segment_without_a_single_word_of_the_query_is_found_by_the_index():
    sentences = seen(*FILLER[:30], "The compressor stood still. Then it ran.", *FILLER[30:])
    scorer, _ = dense(hits=1)
    likeness = scorer.similarity(sentences, "Why did the pump stop?", np.zeros(sentences.size), never)
    segments, near = likeness.segments, likeness.sentences
    found = int(np.argmax(segments))
    assert "compressor" in sentences.texts[sentences.first[found]]
    assert segments[found] == pytest.approx(1.0, abs=0.02)
    assert near[sentences.first[found]] == pytest.approx(1.0, abs=0.02)


def test_only_a_share_of_the_text_is_embedded_the_leading_sentences():
    sentences = seen(*FILLER, "The pump failed.")
    lexical = np.zeros(sentences.size)
    lexical[20] = 1.0
    scorer, embedder = dense(hits=0, share=0.1)
    near = scorer.similarity(sentences, "pump", lexical, never).sentences
    embedded = np.flatnonzero(~np.isnan(near)).tolist()
    assert 20 in embedded
    chars = sum(len(sentences.texts[k]) for k in embedded)
    whole = sum(map(len, sentences.texts))
    longest = max(map(len, sentences.texts))
    assert abs(chars - 0.1 * whole) <= longest  # no more than half a sentence over, unless that were too few
    everything = sum(len(text) for texts, _ in embedder.asked for text in texts)
    assert everything < 0.5 * whole


def test_at_least_a_few_sentences_are_embedded_and_never_more_than_there_are():
    few = seen("One. Two is here.")
    assert not np.isnan(dense(share=0.0)[0].similarity(few, "pump", np.zeros(few.size), never).sentences).any()
    many = seen(*FILLER)
    near = dense(share=0.0)[0].similarity(many, "pump", np.zeros(many.size), never).sentences
    assert 0 < (~np.isnan(near)).sum() < many.size


def test_segments_that_may_say_the_same_are_named():
    sentences = seen("The pump failed.", "A euro is money.", "The compressor broke.")
    alike = dense()[0].similarity(sentences, "pump", np.zeros(3), never).alike
    assert alike == {0: (2,), 2: (0,)}


def test_heads_carry_the_title_and_are_read_to_the_limit():
    sentences = seen("The gate was shut. " * 50, title="North gate")
    scorer, embedder = dense(segment_pieces=16)
    scorer.similarity(sentences, "pump", np.zeros(sentences.size), never)
    (heads, pieces), *_ = embedder.asked
    assert pieces == 16
    assert all(head.startswith("North gate. The gate") for head in heads)
    assert all(len(head) <= 16 * 5 for head in heads)


def test_every_segment_has_a_cosine_and_no_segment_is_no_error():
    sentences = seen("The pump failed.", "Weather was fine.", "A euro is money.")
    segments = dense(hits=1)[0].similarity(sentences, "rain", np.zeros(3), never).segments
    assert int(np.argmax(segments)) == 1
    assert (segments != 0).all()


@pytest.mark.parametrize(("query", "spoken"), [("why did it fail", True), ("泵为什么坏了", False), ("", True)])
def test_a_query_in_chinese_is_left_to_the_words(query, spoken):
    assert dense()[0].speaks(query) is spoken


@pytest.mark.parametrize("looks", [1, 2])
def test_without_time_there_are_no_cosines_at_all(looks):
    sentences = seen(*FILLER[:30])
    scorer, embedder = dense()
    asked = []

    def stop():
        asked.append(True)
        return len(asked) >= looks

    assert scorer.similarity(sentences, "pump", np.zeros(sentences.size), stop) is None
    assert len(embedder.asked) == 2 * (looks - 1)
