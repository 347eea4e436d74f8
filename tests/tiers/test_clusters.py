from pathlib import Path

import numpy as np
import pytest

from gliding.protocols import Extractor
from gliding.tiers.clusters import ClusterExtractor, spherical_kmeans

PROSE = (Path(__file__).parents[1] / "data" / "prose.txt").read_text(encoding="utf-8").splitlines()


class TopicEmbedder:
    """One axis a topic; a sentence's distance from its topic's axis grows with its length."""

    fingerprint = "topics"
    dim = 4
    topics = ("cat", "dog", "bird")

    def embed(self, texts, *, max_pieces=256):
        rows = np.zeros((len(texts), self.dim), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            row[[topic in text for topic in self.topics].index(True)] = 1.0
            row[3] = 0.02 * len(text)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


SENTENCES = [
    *(f"cat {'x' * i}" for i in range(9)),
    *(f"dog {'x' * i}" for i in range(6)),
    *(f"bird {'x' * i}" for i in range(3)),
]


def test_is_an_extractor():
    assert isinstance(ClusterExtractor(TopicEmbedder()), Extractor)


def test_clusters_are_the_topics():
    vectors = TopicEmbedder().embed(SENTENCES)
    labels, closeness = spherical_kmeans(vectors, 3)
    assert len({*labels[:9]}) == len({*labels[9:15]}) == len({*labels[15:]}) == 1
    assert len({*labels}) == 3
    assert closeness.min() > 0.9


def test_the_best_sentences_stand_for_all_topics_in_proportion():
    salience = ClusterExtractor(TopicEmbedder()).salience(SENTENCES)
    best = [SENTENCES[at].split()[0] for at in np.argsort(-salience)[:6]]
    assert best[0] == "cat"
    assert sorted(best) == ["bird", "cat", "cat", "cat", "dog", "dog"]
    assert salience.max() == 1.0


def test_same_seed_same_values():
    one, two = (ClusterExtractor(TopicEmbedder(), seed=3).salience(SENTENCES) for _ in range(2))
    assert np.array_equal(one, two)


@pytest.mark.parametrize("sentences", [[], ["", " "]])
def test_nothing_to_embed(sentences):
    assert ClusterExtractor(TopicEmbedder()).salience(sentences).tolist() == [0.0] * len(sentences)


def test_blanks_and_identical_sentences():
    salience = ClusterExtractor(TopicEmbedder()).salience(["cat", "", "cat", "cat", "cat", "cat", "cat", "cat", "cat"])
    assert salience[1] == 0.0
    assert salience[0] == 1.0
    assert np.isfinite(salience).all()


def test_with_the_real_model():
    pytest.importorskip("onnxruntime")
    pytest.importorskip("tokenizers")
    from gliding import models
    from gliding.backends.onnx import OnnxEmbedder

    boat = ["The ferry crossed the river.", "The boat sailed over the water.", "A ship left the harbour at dawn."]
    tax = ["The council raised the tax.", "The government collects more duties.", "Taxes on salt were lowered."]
    embedder = OnnxEmbedder(models.find("minilm-l6-v2"))
    salience = ClusterExtractor(embedder).salience([*boat, *tax])
    assert (salience > 0).all()
    best, second = np.argsort(-salience)[:2]
    assert (best < 3) != (second < 3)
