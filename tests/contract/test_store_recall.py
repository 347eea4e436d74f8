"""The index of a large store against exact search, on vectors as close together as those of real sentences."""

from __future__ import annotations

import numpy as np
import pytest

from gliding.backends.faiss_store import ListsIndex
from gliding.errors import StoreError
from gliding.store import nearest
from gliding.store.database import Database, packed
from gliding.types import Document, Span

pytest.importorskip("faiss")
DIM, COUNT = 96, 12_000


def unit(rows: np.ndarray) -> np.ndarray:
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


@pytest.fixture(scope="module")
def vectors() -> np.ndarray:
    # topics, and sentences around them: a cloud without any shape is harder than text ever is
    rng = np.random.default_rng(5)
    topics = rng.normal(size=(400, DIM)) * (1.0 / np.arange(1, DIM + 1) ** 0.5)
    return unit(unit(topics)[rng.integers(0, 400, COUNT)] + 0.9 * unit(rng.normal(size=(COUNT, DIM))))


@pytest.fixture
def db(tmp_path, vectors):
    made = Database(tmp_path, settings={"preset": "edge", "embedder": "e", "dim": DIM})
    with made.writing():
        for start in range(0, COUNT, 1000):
            spans = [(Span(n, n + 1), b"") for n in range(1000)]
            document = Document(text="x" * 1000, id=str(start))
            made.insert(document, b"", spans, [[]] * 1000, packed(vectors[start : start + 1000]))
    yield made
    made.close()


@pytest.mark.parametrize("kind", ["near", "far"])
def test_nine_of_ten_nearest_and_more_are_found(db, vectors, kind):
    name = nearest.update(db, DIM, exact_below=1000)
    assert name is not None
    rng = np.random.default_rng(9)
    asked = unit(vectors[rng.integers(0, COUNT, 200)] + 0.7 * unit(rng.normal(size=(200, DIM))))
    if kind == "far":  # as questions are: no stored vector is near, and those that are nearest lie in many lists
        asked = unit(vectors[rng.integers(0, COUNT, (3, 200))].sum(axis=0))
    held = vectors.astype(np.float16).astype(np.float64)
    search = nearest.Nearest(db, DIM, exact_below=1000)
    hits, scores = 0, []
    with db.reading():
        for query in asked:
            numbers, cosines = search.search(query[None], 10)
            products = held @ query.astype(np.float64)
            hits += len(set(numbers.tolist()) & set((np.argsort(-products, kind="stable")[:10] + 1).tolist()))
            scores.append(np.abs(cosines - products[numbers - 1]).max())
    assert hits / 2000 >= 0.95
    assert name.recall >= 0.95
    assert name.probes < ListsIndex.opened(db.folder / name.file).lists / 2
    assert max(scores) < 1e-6  # scored by the vectors that SQLite holds, not by those of eight bits


def test_below_the_size_it_is_exact_and_the_same_with_and_without_an_index(db, vectors):
    asked = vectors[7:8]
    products = vectors.astype(np.float16).astype(np.float64) @ asked[0].astype(np.float64)
    wanted = np.argsort(-products, kind="stable")[:25] + 1
    search = nearest.Nearest(db, DIM)
    with db.reading():
        numbers, _ = search.search(asked, 25)
    assert numbers.tolist() == wanted.tolist()
    nearest.update(db, DIM, exact_below=1000)
    with db.reading():
        again, _ = search.search(asked, 25)
    assert len(set(again.tolist()) & set(wanted.tolist())) >= 23


def test_the_same_vectors_make_the_same_file(db, tmp_path):
    first = nearest.update(db, DIM, exact_below=1000)
    second = nearest.update(db, DIM, exact_below=1000, whole=True)
    assert (first.digest, first.probes, first.recall) == (second.digest, second.probes, second.recall)
    assert first.file != second.file


def test_an_index_of_another_kind_is_an_error(tmp_path):
    import faiss

    index = faiss.IndexFlatIP(8)
    faiss.write_index(index, str(tmp_path / "flat"))
    with pytest.raises(StoreError, match="another kind"):
        ListsIndex.opened(tmp_path / "flat")
    with pytest.raises(FileNotFoundError):
        ListsIndex.opened(tmp_path / "none")


def test_numbers_are_those_that_were_added(tmp_path):
    rng = np.random.default_rng(0)
    index = ListsIndex.trained(unit(rng.normal(size=(300, 16))), lists=4)
    index.add(
        [(np.array([5, 900, 7]), unit(rng.normal(size=(3, 16)))), (np.array([1]), unit(rng.normal(size=(1, 16))))]
    )
    index.write(tmp_path / "i")
    for mapped in (True, False):
        opened = ListsIndex.opened(tmp_path / "i", mapped=mapped)
        assert opened.numbers().tolist() == [1, 5, 7, 900]
        assert opened.count == 4
