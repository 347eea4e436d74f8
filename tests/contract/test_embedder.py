"""The 8-bit encoder against full precision (``scripts/reference_minilm.py``), and the same vector in every batch."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from gliding import models
from gliding.backends.onnx import OnnxEmbedder
from gliding.protocols import Embedder

pytest.importorskip("onnxruntime")
REFERENCE = json.loads(Path(__file__).with_name("minilm_reference.json").read_text())
SENTENCES = REFERENCE["sentences"]


@pytest.fixture(scope="module")
def embedder() -> OnnxEmbedder:
    return OnnxEmbedder(models.find("minilm-l6-v2"), threads=2)


def test_it_is_an_embedder_of_unit_vectors(embedder: OnnxEmbedder) -> None:
    vectors = embedder.embed(SENTENCES)
    assert isinstance(embedder, Embedder)
    assert vectors.shape == (len(SENTENCES), embedder.dim)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1.0, abs=1e-6)


def test_vectors_are_those_of_full_precision(embedder: OnnxEmbedder) -> None:
    vectors, wanted = embedder.embed(SENTENCES), np.array(REFERENCE["vectors"])
    assert (vectors * wanted).sum(axis=1).min() > 0.999
    assert vectors == pytest.approx(wanted, abs=0.01)
    assert vectors @ vectors.T == pytest.approx(wanted @ wanted.T, abs=0.01)


def test_a_vector_never_depends_on_its_batch(embedder: OnnxEmbedder) -> None:
    texts = [*SENTENCES, "short", SENTENCES[0], "a long one " * 60, "of equal", "in pairs"]
    alone = np.concatenate([embedder.embed([text]) for text in texts])
    assert np.array_equal(embedder.embed(texts), alone)
    assert np.array_equal(embedder.embed(texts[::-1]), alone[::-1])
    one = OnnxEmbedder(models.find("minilm-l6-v2"), threads=1)
    assert np.array_equal(one.embed(texts), alone)


def test_threads_may_share_it(embedder: OnnxEmbedder) -> None:
    wanted = [embedder.embed(SENTENCES, max_pieces=pieces) for pieces in (5, 9, 256)]
    with ThreadPoolExecutor(3) as pool:
        jobs = [5, 9, 256] * 4
        found = list(pool.map(lambda pieces: embedder.embed(SENTENCES, max_pieces=pieces), jobs))
    assert all(np.array_equal(vectors, wanted[number % 3]) for number, vectors in enumerate(found))
