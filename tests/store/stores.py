"""Documents, an embedder and a compressor for tests of the store, without a model."""

from __future__ import annotations

import hashlib
from functools import cache

import numpy as np

from gliding import Compressor, Document
from gliding.text.words import terms

DIM = 256


class Hashed:
    """A vector by the words of a text: texts with the same words are near. Remembers what it was asked for."""

    def __init__(self, fingerprint="hashed", dim=DIM):
        self.fingerprint = fingerprint
        self.dim = dim
        self.asked = []
        self.sizes = []

    def embed(self, texts, *, max_pieces=256):
        self.asked += texts
        self.sizes.append(len(texts))
        found = np.zeros((len(texts), self.dim), np.float32)
        for row, text in zip(found, texts, strict=True):
            for term in sorted(set(terms(text))) or ["nothing"]:
                row += _direction(term, self.dim)
            row /= np.linalg.norm(row)
        return found


@cache
def _direction(term, dim):
    seed = int.from_bytes(hashlib.blake2b(term.encode(), digest_size=4).digest(), "big")
    return np.random.default_rng(seed).normal(size=dim)


def compressor(embedder=None, preset="edge"):
    return Compressor.from_preset(preset, embedder=embedder, cache=False)


TOPICS = ("pump", "valve", "boiler", "ladder", "crane", "engine", "bridge", "tunnel", "harbour", "signal")


def place(number, version=0):
    """What the second paragraph of a document says."""
    return (
        f"Zone{number} is where the {TOPICS[number % len(TOPICS)]} stands, and version {version} of the plan says so."
    )


def document(number, version=0):
    """About one topic and one place each; three paragraphs, of which the second alone names the place."""
    topic = TOPICS[number % len(TOPICS)]
    filler = f"The {topic} of site {number} was looked after by the crew, which wrote it all down. " * 8
    named = place(number, version)
    return Document(text=f"{filler}\n\n{named}\n\n{filler}", id=f"d{number}", title=f"Report {number}")


def documents(count, version=0):
    return [document(number, version) for number in range(count)]
