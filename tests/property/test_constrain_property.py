"""Constrained decoding with random logits: always a subsequence of the source that holds what must be kept."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gliding.backends.decoding import decode
from gliding.tiers.constrain import FUNCTION_WORDS, SourceWords
from gliding.types import Span

START, END = 0, 1
ALPHABET = "ab1"
PIECES = ["\u2581", *ALPHABET, *"thea.,?()", "\u2581a", "ab", "\u2581ab", "\u2581the", "\u2581that", "1.", "t"]
IDS = {piece: 2 + k for k, piece in enumerate(dict.fromkeys(PIECES))}
SIZE = 2 + len(IDS)
WORDS = SourceWords(IDS, end=END)


class Noise:
    """Logits by chance, other ones at each step of each row."""

    fingerprint = "noise"
    start, end, vocabulary = START, END, SIZE

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def encode(self, ids: object) -> object:
        return 0

    def step(self, state: object, last: np.ndarray) -> tuple[np.ndarray, object]:
        assert isinstance(state, int)
        chance = np.random.default_rng((self._seed, state))
        return chance.normal(0, 4, (len(last), SIZE)).astype(np.float32), state + 1

    def reorder(self, state: object, rows: object) -> object:
        return state


def bare(word: str) -> str:
    return word.strip("().,?")


@st.composite
def sources(draw: st.DrawFn) -> tuple[str, list[Span]]:
    core = st.text(ALPHABET, min_size=1, max_size=3)
    word = st.tuples(st.sampled_from(["", "("]), core, st.sampled_from(["", ".", ",", "?", ")", ").", ".,"]))
    cut = draw(st.lists(word, min_size=1, max_size=8))
    text, keep = "", []
    for lead, middle, trail in cut:
        text += (" " if text else "") + lead
        if draw(st.integers(0, 3)) == 0:
            keep.append(Span(len(text), len(text) + len(middle)))
        text += middle + trail
    return text, keep


@given(sources(), st.integers(0, 2**32), st.integers(1, 4))
def test_a_decoding_is_a_subsequence_with_all_that_must_be_kept(
    source: tuple[str, list[Span]], seed: int, beams: int
) -> None:
    text, keep = source
    constraint = WORDS.constraint(text, keep=keep)
    assert constraint is not None
    made = decode(Noise(seed), [9], max_new=400, beams=beams, allowed=constraint, stop=lambda: False)
    assert made[-1] == END
    said = constraint.text(made)
    pieces = {id: piece for piece, id in IDS.items()}
    assert "".join(pieces[id] for id in made[:-1]).replace("\u2581", " ").split() == said.split()
    # one pass: match each word of ours to the source, where it is none of the function words
    words = [bare(word) for word in said.split()]
    own = [bare(word) for word in text.split()]
    must = [text[a:b] for a, b in keep]
    assert subsequence([word for word in words if word not in FUNCTION_WORDS], own)
    assert subsequence(must, words)
    assert text.count("?") == said.count("?")
    assert all({*pair} - {*FUNCTION_WORDS} or subsequence([*pair], own) for pair in pairwise(words))


def subsequence(some: list[str], all_of: list[str]) -> bool:
    rest = iter(all_of)
    return all(word in rest for word in some)
