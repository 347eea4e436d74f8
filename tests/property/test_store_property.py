"""Whatever is added, changed and removed: the store holds the last version of each, and finds what a scan finds."""

from __future__ import annotations

import tempfile
from functools import cache

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from gliding import Compressor, Document
from gliding.store import Store
from gliding.store.cutting import FULL, cut
from gliding.store.database import Stored
from gliding.store.nearest import nearest_of
from gliding.store.search import fused, gather
from gliding.types import Span

WORDS = ("pump", "valve", "seal", "noon", "Oslo", "naïve", "泵", "x" * 40, "e-417", "don't")
texts = st.one_of(
    st.lists(st.sampled_from(WORDS), max_size=30).map(" ".join),
    st.text(max_size=200),
    st.lists(st.sampled_from(WORDS), min_size=30, max_size=400).map(lambda words: ". ".join(words) + "\n\n# End\n"),
)
names = st.sampled_from(("a", "b", "c", "d\udc80"))
acts = st.lists(st.one_of(st.tuples(names, texts), st.tuples(names, st.none())), max_size=12)


class Letters:
    """Vectors by the letters of a text."""

    fingerprint = "letters"
    dim = 8

    def embed(self, texts, *, max_pieces=256):
        found = np.ones((len(texts), self.dim), np.float32)
        for row, text in zip(found, texts, strict=True):
            for ch in text:
                row[ord(ch) % self.dim] += 1
            row /= np.linalg.norm(row)
        return found


@cache
def compressor():
    return Compressor.from_preset("edge", embedder=Letters(), cache=False)


@settings(max_examples=25)
@given(acts)
def test_the_last_version_of_each_document_is_there(done):
    held = {}
    with (
        tempfile.TemporaryDirectory() as folder,
        Store.open(f"{folder}/s", create=True, compressor=compressor()) as store,
    ):
        for name, text in done:
            if text is None:
                assert store.remove([name]) == (held.pop(name, None) is not None)
            else:
                held[name] = Document(text=text, id=name)
                store.add([held[name]])
        assert store.check() == []
        assert store.info().documents == len(held)
        for name, document in held.items():
            assert store.get(name) == document
        hits = store.search("pump noon", 50)
        spans = {(name, span) for name, document in held.items() for span in cut(document)}
        assert {(hit.document, hit.span) for hit in hits} == spans or len(spans) > 50
        for hit in hits:
            assert held[hit.document].text[slice(*hit.span)] == hit.text
        store.compact()
        again = store.search("pump noon", 50)
        assert {(hit.document, hit.span) for hit in again} == {(hit.document, hit.span) for hit in hits}
        assert store.check() == []


@given(texts)
def test_cuts_are_in_order_and_hold_all_words(text):
    spans = cut(Document(text=text))
    ends = [0, *(span.end for span in spans)]
    assert all(end <= span.start < span.end for end, span in zip(ends, spans, strict=False))
    assert not spans or spans[-1].end <= len(text)
    assert sum(len(text[slice(*span)].split()) for span in spans) >= len(text.split()) or not text.isprintable()
    assert all(span.end - span.start <= 4 * FULL for span in spans)


@given(st.lists(st.lists(st.integers(0, 30), unique=True, max_size=20), max_size=3))
def test_what_leads_in_all_rankings_leads(rankings):
    order = [number for number, _ in fused(rankings)]
    assert sorted(order) == sorted({number for ranking in rankings for number in ranking})
    firsts = {ranking[0] for ranking in rankings if ranking}
    if len(firsts) == 1 and all(rankings):
        assert order[0] in firsts


@given(
    st.lists(st.integers(0, 39), unique=True, max_size=40),
    st.integers(1, 500),
    st.lists(st.integers(1, 100), min_size=40, max_size=40),
)
def test_excerpts_fit_the_room_and_hold_the_best(order, room, costs):
    everything = [Stored(n, n // 10, Span(100 * (n % 10), 100 * (n % 10) + 99)) for n in range(40)]
    chosen = [everything[n] for n in order]

    def near(segment):
        return [
            each for each in everything if each.document == segment.document and abs(each.number - segment.number) == 1
        ]

    excerpts = gather(chosen, lambda segment: costs[segment.number], near, room)
    inside = [
        segment
        for segment in everything
        if any(e.document == segment.document and e.span.start <= segment.span.start < e.span.end for e in excerpts)
    ]
    assert excerpts == sorted(excerpts)
    assert bool(excerpts) == bool(order)
    assert not chosen or chosen[0] in inside
    assert sum(costs[segment.number] for segment in inside) <= max(room, costs[order[0]] if order else 0)


@given(st.integers(12, 60), st.integers(1, 5), st.integers(0, 10_000))
def test_the_nearest_are_those_of_a_sort(count, parts, seed):
    rng = np.random.default_rng(seed)
    vectors = rng.normal(size=(count, 6)).astype(np.float32)
    numbers = np.arange(count) * 3 + 5
    blocks = zip(np.array_split(numbers, parts), np.array_split(vectors, parts), strict=True)
    found = nearest_of(vectors[:4], blocks, k=10)
    for row, vector in enumerate(vectors[:4]):
        assert found[row].tolist() == numbers[np.argsort(-(vectors @ vector), kind="stable")][:10].tolist()
