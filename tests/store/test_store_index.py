"""The index of a large store: made, grown, made again, compared with SQLite, missing and damaged."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest
from stores import DIM, Hashed, compressor, document, documents, place

from gliding.errors import StoreError
from gliding.store import Store, nearest
from gliding.store.database import Database

pytest.importorskip("faiss")
SMALL = 100


def made(path, count=120, **more):
    store = Store.open(path / "s", create=True, compressor=compressor(Hashed()), exact_below=SMALL, **more)
    store.add(documents(count))
    return store


def found(store, count=20):
    return [[(hit.document, hit.span) for hit in store.search(place(n), 8, by="vectors")] for n in range(count)]


def exact(path, count=20):
    with Store.open(path / "s", compressor=compressor(Hashed())) as store:
        store._nearest = nearest.Nearest(store._db, DIM)
        store._nearest._named = nearest.named(store._db)  # as if there were no index
        store._nearest._refresh = lambda: None
        numbers, vectors = store._db.vectors_after(0, DIM, most=10_000)
        store._nearest._rest.add(vectors)
        store._nearest._numbers = numbers
        return found(store, count)


def test_a_large_store_has_an_index_that_finds_the_nearest(tmp_path):
    with made(tmp_path) as store:
        info = store.info()
        assert info.indexed == info.segments > SMALL
        assert info.recall >= 0.95
        assert [path.name for path in (tmp_path / "s").glob("index-*")] == ["index-000001.faiss"]
        got, wanted = found(store), exact(tmp_path)
        shares = [len(set(a) & set(b)) / len(b) for a, b in zip(got, wanted, strict=True)]
        assert np.mean(shares) >= 0.95
        assert store.check() == []


def test_it_grows_is_made_again_and_what_is_new_is_found_at_once(tmp_path):
    with made(tmp_path) as store:
        first = store.info().indexed
        store.add([document(500)])
        assert store.info().indexed == first  # not worth the work
        assert store.search(place(500), 1, by="vectors")[0].document == "d500"
        store.add(document(n) for n in range(200, 240))
        assert store.info().indexed == store.info().segments
        assert (tmp_path / "s" / "index-000002.faiss").is_file()
        store.add(document(n) for n in range(1000, 1300))
        assert nearest.named(store._db).trained == store.info().segments
        assert store.search(place(1234), 1, by="vectors")[0].document == "d1234"
        assert store.check() == []


def test_removed_vectors_are_not_found_and_go_when_it_is_compacted(tmp_path):
    with made(tmp_path) as store:
        before = store.info()
        store.remove(f"d{n}" for n in range(30))
        hits = store.search(place(3), 60, by="vectors")
        assert len(hits) == 60
        assert not {hit.document for hit in hits} & {f"d{n}" for n in range(30)}
        store.add([document(7, version=4)])
        assert store.search(place(7, 4), 1, by="vectors")[0].document == "d7"
        assert store.info().indexed == before.indexed
        store.compact()
        after = store.info()
        assert (after.dead, after.indexed) == (0, after.segments)
        assert store.check() == []
        store.remove(f"d{n}" for n in range(30, 118))
        store.compact()
        assert store.info().indexed == 0  # small again: all are compared
        assert not list((tmp_path / "s").glob("index-*"))


def test_all_removed_but_some_that_the_index_holds(tmp_path):
    with made(tmp_path) as store:
        store.remove(f"d{n}" for n in range(118))
        hits = store.search(place(3), 50, by="vectors")
        assert {hit.document for hit in hits} == {"d118", "d119"}
        assert len(hits) == store.info().segments


@pytest.mark.parametrize("damage", ["gone", "short", "other", "flipped"])
def test_a_damaged_index_is_an_error_with_the_command_and_is_rebuilt(tmp_path, damage):
    with made(tmp_path) as store:
        wanted = found(store)
    (path,) = (tmp_path / "s").glob("index-*.faiss")
    data = path.read_bytes()
    if damage == "gone":
        path.unlink()
    elif damage == "short":
        path.write_bytes(data[: len(data) // 2])
    else:
        path.write_bytes(b"\0" * len(data) if damage == "other" else data[:-9] + bytes([data[-9] ^ 255]) + data[-8:])
    with Store.open(tmp_path / "s", compressor=compressor(Hashed())) as store:
        assert len(store.check()) == 1
        if damage != "flipped":  # one bit of a list shows in the check only
            with pytest.raises(StoreError, match="damaged") as caught:
                store.search("zone3", by="vectors")
            assert "gliding store rebuild" in caught.value.hint
        assert store.search("zone3", by="words")
    embedder = Hashed()
    with Store.rebuild(tmp_path / "s", compressor=compressor(embedder), exact_below=SMALL) as store:
        assert embedder.asked == []  # SQLite has the vectors
        assert store.check() == []
        assert found(store) == wanted


def test_a_writer_makes_an_index_that_is_gone(tmp_path):
    with made(tmp_path) as store:
        (tmp_path / "s" / "index-000001.faiss").unlink()
        store.add([document(900)])
        assert store.info().indexed == store.info().segments
        assert store.search(place(900), 1, by="vectors")[0].document == "d900"
        assert store.check() == []


def test_leftovers_of_a_killed_writer_go(tmp_path):
    with made(tmp_path) as store:
        home = tmp_path / "s"
        (home / "index-000009.faiss").write_bytes(b"never named")
        (home / "index-000002.tmp").write_bytes(b"half written")
        assert store.check() == []
        store.add([document(900)])
        assert [path.name for path in home.glob("index-*")] == ["index-000001.faiss"]


def test_without_faiss_all_vectors_are_compared_block_by_block(tmp_path, monkeypatch):
    find = importlib.util.find_spec
    monkeypatch.setattr(nearest, "find_spec", lambda name: None if name == "faiss" else find(name))
    monkeypatch.setattr(nearest, "_BLOCK", 50)
    with made(tmp_path, 150) as store:
        assert store.info().indexed == 0
        assert store.info().segments > 2 * SMALL
        got = found(store)
        assert len(store._nearest._numbers) < store.info().segments
        assert got == exact(tmp_path)


def test_a_reader_goes_on_when_the_index_is_replaced(tmp_path):
    with made(tmp_path) as store, Store.open(tmp_path / "s", compressor=compressor(Hashed())) as reader:
        assert reader.search(place(3), 1)[0].document == "d3"
        store.remove(["d3"])
        store.compact()
        assert reader.search(place(4), 1)[0].document == "d4"
        assert "d3" not in {hit.document for hit in reader.search(place(3), 30)}


def test_the_vectors_of_a_document_read_back(tmp_path):
    with made(tmp_path, 3):
        pass
    db = Database(tmp_path / "s")
    numbers, vectors = db.vectors([3, 1, 99], DIM)
    assert numbers.tolist() == [1, 3]
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1.0, abs=1e-3)
    db.close()
