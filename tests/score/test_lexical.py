import numpy as np
import pytest

from gliding.score.lexical import bm25, idf
from gliding.text.words import terms

TEXTS = [["seal", "wear", "pump"], ["pump", "pump"], ["gate"], []]


def test_nothing_asked_or_nothing_there_scores_nothing():
    assert bm25([], TEXTS).tolist() == [0.0] * 4
    assert bm25(["zebra"], TEXTS).tolist() == [0.0] * 4
    assert bm25(["seal"], []).tolist() == []
    assert bm25(["seal"], TEXTS).dtype == np.float64


def test_a_rare_word_counts_more_than_a_frequent_one():
    scores = bm25(["seal", "pump"], TEXTS)
    assert scores[0] > scores[1] > scores[2] == scores[3] == 0


def test_a_word_that_is_asked_twice_counts_once():
    assert bm25(["pump", "pump"], TEXTS).tolist() == bm25(["pump"], TEXTS).tolist()


def test_weights_scale_the_words():
    assert bm25({"pump": 3.0}, TEXTS) == pytest.approx(3 * bm25(["pump"], TEXTS))
    assert bm25({"pump": 1.0, "seal": 0.0}, TEXTS) == pytest.approx(bm25(["pump"], TEXTS))


def test_a_shorter_text_scores_higher():
    short, long = bm25(["pump"], [["pump"], ["pump", *"abcdefgh"]])
    assert short > long
    same, too = bm25(["pump"], [["pump"], ["pump", *"abcdefgh"]], b=0.0)
    assert same == too


def test_rarity_of_the_words_of_a_query():
    rare = idf(["pump", "seal", "zebra", "seal"], TEXTS)
    assert list(rare) == ["pump", "seal", "zebra"]
    assert rare["zebra"] > rare["seal"] > rare["pump"] > 0
    assert rare["seal"] == pytest.approx(np.log(1 + 3.5 / 1.5))


def test_a_pair_of_characters_counts_more_than_the_two_apart():
    word, apart, nothing = bm25(terms("预算"), [terms("预算表"), terms("预先算"), terms("会议上")])
    assert word > 2 * apart > 0 == nothing
    assert bm25(["算"], [["算"], ["会"]])[0] > 0
