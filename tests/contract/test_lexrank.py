"""LexRank gives the numbers of sumy's LexRankSummarizer."""

from pathlib import Path

import numpy as np
import pytest

from gliding.tiers.lexrank import LexRank

lex_rank = pytest.importorskip("sumy.summarizers.lex_rank", exc_type=ImportError)
PROSE = (Path(__file__).parents[1] / "data" / "prose.txt").read_text(encoding="utf-8").splitlines()


def words(sentence):
    return sentence.lower().replace(".", "").replace(",", "").split()


def reference(sentences, *, threshold=0.1, epsilon=0.1):
    summariser = lex_rank.LexRankSummarizer()
    split = [words(sentence) for sentence in sentences]
    matrix = summariser._create_matrix(split, threshold, summariser._compute_tf(split), summariser._compute_idf(split))
    return summariser.power_method(matrix, epsilon)


@pytest.mark.parametrize(
    "sentences",
    [
        PROSE,
        PROSE[:1],
        [*PROSE, PROSE[3], "", "word word word other", PROSE[3]],
        ["one cat", "one dog", "one cat and dog"],
    ],
    ids=["prose", "single", "repeats and blanks", "short"],
)
@pytest.mark.parametrize(("threshold", "epsilon"), [(0.1, 0.1), (0.02, 1e-6), (0.3, 1e-3)])
def test_equals_sumy(sentences, threshold, epsilon):
    ours = LexRank(threshold=threshold, epsilon=epsilon, words=words).salience(sentences)
    theirs = reference(sentences, threshold=threshold, epsilon=epsilon)
    assert np.abs(ours - theirs).max() < 1e-9


def test_equals_sumy_on_a_larger_text_in_many_blocks(monkeypatch):
    random = np.random.default_rng(7)
    vocabulary = [f"w{i}" for i in range(300)]
    draws = np.minimum(random.zipf(1.4, size=(250, 12)) - 1, 299)
    sentences = [" ".join(vocabulary[i] for i in row) for row in draws]
    monkeypatch.setattr("gliding.tiers.lexrank._BLOCK", 1000)
    ours = LexRank(words=words).salience(sentences)
    assert np.abs(ours - reference(sentences)).max() < 1e-9
