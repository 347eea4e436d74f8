"""Documents, queries, budgets and pins as the property tests generate them, and two compressors to run on them."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass, replace
from random import Random

import numpy as np
from hypothesis import assume, settings
from hypothesis import strategies as st

from gliding.assemble import whole
from gliding.compressor import Compressor
from gliding.errors import BudgetError
from gliding.facts import RuleEntities
from gliding.registry import token_counter
from gliding.tiers.guard import Guard
from gliding.tiers.rewrite import RewriteTier
from gliding.types import Document, Result

COUNTERS = {name: token_counter(name) for name in ("o200k_base", "chars", "words")}


class HashEmbedder:
    """Unit vectors made of the hashes of a text's words: the same in every process, alike where words are shared."""

    fingerprint = "hash-16"
    dim = 16

    def embed(self, texts, *, max_pieces=256):
        rows = np.zeros((len(texts), self.dim), np.float32)
        for row, text in zip(rows, texts, strict=True):
            row[0] = 0.1
            for word in text.lower().split()[:max_pieces]:
                row[hashlib.sha256(word.encode("utf-8", "replace")).digest()[0] % self.dim] += 1
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


class Dropper:
    """A rewriter that drops some words by their hash, and now and then says something of its own."""

    fingerprint = "dropper"

    def rewrite(self, texts, *, keep, ratio, stop):
        return [text if stop() else self._shorter(text) for text in texts]

    def _shorter(self, text):
        digest = hashlib.sha256(text.encode("utf-8", "replace")).digest()
        words = [word for k, word in enumerate(text.split()) if digest[k % 32] < 160]
        return " ".join(words) + (" indeed" if digest[0] < 20 else "")


class Lenient(Guard):
    """A guard that refuses every fourth rewrite, so that what is refused and what is taken are both met often."""

    def check(self, sources, rewrites):
        strict = super().check(sources, rewrites)
        kept = [len(new) % 4 == 0 or not new for new in rewrites]
        return [refusal if keep else None for refusal, keep in zip(strict, kept, strict=True)]


EDGE = Compressor.from_preset("edge")
PRECISE = Compressor.from_preset(
    "precise",
    overrides={"index.use": "exact", "cache.use": ""},
    embedder=HashEmbedder(),
    entities=RuleEntities(),
)
DEEP = Compressor(EDGE.preset, replace(EDGE.parts, rewriting=RewriteTier(Dropper(), Lenient(), spare=0.2)))
ALL = st.sampled_from([EDGE, PRECISE, DEEP])

# --- what is generated ---

WORDS = (
    "the pump failed seal gate moved to north because it was not 42 bar v1.2 E-417 Ruth Okafor said please note that "
    "in order hall very depot on 3 May 2024 must get_user_id café naïve valve"
).split()
OPENERS, ENDS = ("", "", "It was ", "The ", "Please note that "), (".", ".", "?", "!", "", " ;")


def sentence(seed):
    """A sentence by a number: one draw instead of one a word, which is most of the time of a run."""
    chance = Random(seed)
    words = chance.choices(WORDS, k=chance.randint(1, 14))
    return chance.choice(OPENERS) + " ".join(words) + chance.choice(ENDS)


def line(seed):
    """A line of a log by a number."""
    chance = Random(seed)
    words = " ".join(chance.choices(WORDS, k=chance.randint(1, 8)))
    return f"2024-05-11 03:00:{seed % 60:02} {chance.choice(('INFO', 'ERROR'))} {words}"


def alike(seed):
    """Lines that differ in numbers only, with another among them now and then."""
    chance = Random(seed)
    stamp = chance.choice(("", "2024-05-11 03:00:{k:02} INFO "))
    shape = stamp + chance.choice(("Order {n} for C-{m} left the north gate.", "pump {n} was moved to depot {m}"))
    lines = [shape.format(k=k, n=chance.randint(0, 9999), m=chance.randint(0, 3)) for k in range(chance.randint(3, 12))]
    return "\n".join(lines + [line(seed)] * (seed % 2))


SENTENCE = st.integers(0, 999).map(sentence)
LINE = st.integers(0, 999).map(line)
MARKS = "\u3000 \x00 \x1c \u0085 \u2028 \r\n \r \f \ufeff e\u0301 \ud83d \ude00 \u200d \u202e".split(" ")
SIGNS = "。 泵在三月发生故障。 原因是密封磨损 “走吧！” 👩\u200d🚒 👍🏽 ไทย مضخة <|endoftext|> Note: Dr. ... ```".split()
MARKUP = ("# Head\n", "## Sub head\n\n", "- item\n", "1. First\n", "| a | b |\n|---|---|\n| 1 | 2 |\n", "> quote\n")
SHAPES = ("def f(x):\n    return x\n", "    indented\n", "\t", "   ", "\n\n\n", "a" * 90)
ODD = st.sampled_from([*MARKS, *SIGNS, *MARKUP, *SHAPES])
GAP = st.sampled_from([" ", " ", "\n", "\n\n", "  "])
PART = st.one_of(SENTENCE, SENTENCE, SENTENCE, LINE, ODD, GAP, GAP)
TEXT = st.one_of(
    st.lists(PART, max_size=16).map("".join),
    st.lists(SENTENCE, min_size=2, max_size=12).map(" ".join),
    st.lists(LINE, min_size=4, max_size=10).map("\n".join),
    st.integers(0, 999).map(alike),
    st.sampled_from(["", " ", "\n\n", "x", "Please note that it is so."]),
    st.text(max_size=80),
)
BARE = st.builds(Document, text=TEXT)
PASSAGE = st.builds(Document, text=TEXT, title=st.sampled_from(["North gate", "Pump (depot)", "泵", "", "a\nb"]))
TURN = st.builds(
    Document,
    text=TEXT,
    role=st.sampled_from(["user", "Ruth", "tool"]),
    time=st.sampled_from(["", "2024-05-01", "2024-05-02T10:00:00", "noon"]),
    turn=st.sampled_from(["", "1", "2"]),
)
MIXED = st.builds(
    Document,
    text=TEXT,
    id=st.sampled_from(["", "a.py"]),
    title=st.sampled_from(["", "North gate"]),
    role=st.sampled_from(["", "user"]),
    time=st.sampled_from(["", "2024-05-01", "2023-01-01"]),
    kind=st.sampled_from(["", "markdown", "log", "code", "prose"]),
    criticality=st.sampled_from([None, 0.0, 1.0]),
)
DOCUMENTS = st.one_of(
    *(st.lists(one, min_size=1, max_size=6) for one in (PASSAGE, TURN, MIXED)),
    BARE.map(lambda document: [document]),
    st.builds(lambda documents: [*documents, *documents], st.lists(MIXED, min_size=1, max_size=3)),
)
QUERY = st.one_of(
    st.sampled_from(["", "why did the pump fail", "who moved the north gate?", "密封", "???", "E-417", "zebra"]),
    SENTENCE,
)
TOKENIZER = st.sampled_from(list(COUNTERS))


@dataclass(frozen=True)
class Case:
    """A call that the compressor has to work for, with a budget below the input's size where ``tight``."""

    documents: list[Document]
    query: str
    budget: int
    tokenizer: str
    pins: tuple[str, ...]

    def run(self, compressor: Compressor) -> Result:
        """Compress; a budget in which nothing fits is no case."""
        try:
            return compressor.compress(
                self.documents, query=self.query, max_tokens=self.budget, pins=self.pins, tokenizer=self.tokenizer
            )
        except BudgetError:
            assume(False)
            raise


def size(documents, tokenizer):
    return COUNTERS[tokenizer].count([whole(documents).text])[0]


@st.composite
def cases(draw, *, pins=(0, 0, 1, 2, 3)):
    documents = draw(DOCUMENTS)
    tokenizer = draw(TOKENIZER)
    most = max(1, size(documents, tokenizer))
    budget = draw(st.one_of(st.integers(1, most), st.integers(1, min(most, 12)), st.integers(most, most + 3)))
    chosen = []
    for _ in range(draw(st.sampled_from(pins))):
        text = draw(st.sampled_from(documents)).text
        start = draw(st.integers(0, max(0, len(text) - 1)))
        pin = text[start : start + draw(st.integers(1, 40))]
        if pin.strip():
            chosen.append(pin)
    return Case(documents, draw(QUERY), budget, tokenizer, tuple(chosen))


def bounded(examples):
    """As many examples as ``GLIDING_EXAMPLES`` says, else ``examples``, so that the suite stays quick."""
    return settings(max_examples=int(os.environ.get("GLIDING_EXAMPLES", examples)), deadline=None)
