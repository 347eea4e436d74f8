"""Gathering: full calls, the same vectors, no deadlock when documents end or fail."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from gliding.batch.gather import GatheringEmbedder
from gliding.errors import ModelError


class Fake:
    fingerprint = "fake"
    dim = 2

    def __init__(self):
        self.calls = []

    def embed(self, texts, *, max_pieces=256):
        self.calls.append(list(texts))
        if "bad" in texts:
            raise ModelError("A bad text.")
        return np.array([[len(text), max_pieces] for text in texts], dtype=np.float32).reshape(len(texts), 2)


def together(gathering, works):
    """Run works, each in a document of its own, all begun before one of them goes on."""
    begun = threading.Barrier(len(works), timeout=5)

    def one(work):
        with gathering.document():
            begun.wait()
            return work()

    with ThreadPoolExecutor(len(works)) as pool:
        return [pool.submit(one, work) for work in works]


def test_calls_of_several_documents_are_one_and_each_gets_its_own():
    fake = Fake()
    gathering = GatheringEmbedder(fake)
    works = [lambda k=k: gathering.embed(["x" * k, "y" * (k + 1)]) for k in range(4)]
    found = [future.result(timeout=5) for future in together(gathering, works)]
    assert len(fake.calls) == 1
    assert [vectors[:, 0].tolist() for vectors in found] == [[k, k + 1] for k in range(4)]


def test_calls_of_other_lengths_do_not_mix():
    gathering = GatheringEmbedder(Fake())
    works = [lambda k=k: gathering.embed(["x"], max_pieces=64 * (1 + k % 2)) for k in range(4)]
    found = [future.result(timeout=5) for future in together(gathering, works)]
    assert [int(vectors[0, 1]) for vectors in found] == [64, 128, 64, 128]


def test_only_the_document_at_fault_fails():
    gathering = GatheringEmbedder(Fake())
    futures = together(gathering, [lambda t=t: gathering.embed([t]) for t in ("a", "bad", "bb")])
    with pytest.raises(ModelError, match="bad text"):
        futures[1].result(timeout=5)
    assert futures[0].result()[0, 0] == 1
    assert futures[2].result()[0, 0] == 2


def test_a_document_that_ends_or_fails_is_not_waited_for():
    gathering = GatheringEmbedder(Fake())

    def fails():
        raise KeyError("gone")

    futures = together(gathering, [lambda: gathering.embed(["a"]), lambda: None, fails])
    assert futures[0].result(timeout=5)[0, 0] == 1


def test_enough_texts_do_not_wait():
    gathering = GatheringEmbedder(Fake(), full=3)
    with gathering.document(), gathering.document(), ThreadPoolExecutor(1) as pool:
        assert pool.submit(gathering.embed, ["a", "b", "c"]).result(timeout=5).shape == (3, 2)


def test_many_documents_of_many_calls_come_to_an_end():
    gathering = GatheringEmbedder(Fake())

    def work(k):
        with gathering.document():
            return [float(gathering.embed(["x" * (k % 7)] * (call + 1))[-1, 0]) for call in range(k % 5)]

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, range(300), timeout=20)) == [[k % 7] * (k % 5) for k in range(300)]
