"""What is no store, is of another version or embedder, or is damaged: an error with the command that mends it."""

from __future__ import annotations

import sqlite3

import pytest
from stores import Hashed, compressor, document, documents, place

from gliding import Document
from gliding.errors import StoreError
from gliding.store import Store
from gliding.store.lock import writing


def made(path, count=40, embedder=None):
    with Store.open(path / "s", create=True, compressor=compressor(embedder)) as store:
        store.add(documents(count))
    return path / "s"


def test_what_is_no_store(tmp_path):
    (tmp_path / "file").write_text("x")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "notes.txt").write_text("x")
    (tmp_path / "other").mkdir()
    with sqlite3.connect(tmp_path / "other" / "store.sqlite") as db:
        db.execute("CREATE TABLE mine (x)")
    db.close()
    for name in ("file", "full", "other", "nowhere"):
        with pytest.raises(StoreError, match="no store"):
            Store.open(tmp_path / name)
        with pytest.raises(StoreError, match="no store"):
            Store.rebuild(tmp_path / name, preset="edge")
    for name in ("file", "full", "other"):
        with pytest.raises(StoreError, match="no store"):
            Store.open(tmp_path / name, create=True, preset="edge")
    assert not (tmp_path / "nowhere").exists()
    assert (tmp_path / "full" / "notes.txt").read_text() == "x"


def test_a_newer_version_is_refused(tmp_path):
    home = made(tmp_path, 1)
    with sqlite3.connect(home / "store.sqlite") as db:
        db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(StoreError, match="newer version") as caught:
        Store.open(home)
    assert "pip install --upgrade" in caught.value.hint
    with pytest.raises(StoreError, match="newer version"):
        Store.rebuild(home, preset="edge")


def test_another_embedder_is_refused_until_the_store_is_rebuilt_with_it(tmp_path):
    home = made(tmp_path, 6, Hashed("one/runtime-1"))
    other = Hashed("two/runtime-1", dim=16)
    for wrong in (compressor(other), compressor(None)):
        with pytest.raises(StoreError, match=r"vectors of .* are of one, not of") as caught:
            Store.open(home, compressor=wrong)
        assert "gliding store rebuild" in caught.value.hint
        assert "--preset edge" in caught.value.hint
    with Store.open(home) as store, pytest.raises(StoreError, match="not of no embedder"):
        store.search("zone3")  # the preset by its name has none
    with Store.open(home, compressor=compressor(Hashed("one/runtime-2"))) as store:
        assert store.search(place(3), 1, by="vectors")[0].document == "d3"
    with Store.rebuild(home, compressor=compressor(other)) as store:
        assert store.info().embedder == "two"
        assert store.search(place(3), 1, by="vectors")[0].document == "d3"
        assert store.check() == []
    with Store.rebuild(home, compressor=compressor(None)) as store:
        assert store.info().embedder == ""
        assert store.search("zone3", 1)[0].document == "d3"
        assert store.check() == []


def test_a_reader_is_told_that_the_vectors_are_now_of_another_embedder(tmp_path):
    home = made(tmp_path, 6, Hashed("one"))
    with Store.open(home, compressor=compressor(Hashed("one"))) as reader:
        assert reader.search(place(3), 1)[0].document == "d3"
        Store.rebuild(home, compressor=compressor(Hashed("two"))).close()
        with pytest.raises(StoreError, match="of two, not of one"):
            reader.search(place(3), 1)
        assert reader.search(place(3), 1, by="words")[0].document == "d3"


def test_the_preset_of_a_store_is_remembered(tmp_path):
    Store.open(tmp_path / "s", create=True, preset="edge").close()
    with Store.open(tmp_path / "s") as store:
        assert store.compressor.preset.name == "edge"
        assert store.info().preset == "edge"


@pytest.mark.parametrize("damage", ["header", "middle", "short", "empty"])
def test_a_damaged_file_is_an_error_and_what_can_be_read_is_kept(tmp_path, damage):
    home = made(tmp_path, 40)
    path = home / "store.sqlite"
    data = bytearray(path.read_bytes())
    if damage == "header":
        data[:64] = b"x" * 64
    elif damage == "middle":
        data[len(data) // 3 : len(data) // 2] = b"\xa5" * (len(data) // 2 - len(data) // 3)
    elif damage == "short":
        del data[3 * len(data) // 4 :]
    path.write_bytes(b"" if damage == "empty" else data)

    def use():
        with Store.open(home) as store:
            problems = store.check()
            if problems:
                raise StoreError(problems[0], hint="gliding store rebuild")

    with pytest.raises(StoreError) as caught:
        use()
    if damage == "empty":
        assert "no store" in str(caught.value)
        return
    assert "gliding store rebuild" in caught.value.hint
    lost = []
    if damage == "header":
        with pytest.raises(StoreError, match="no document can be read"):
            Store.rebuild(home, preset="edge")
        return
    with Store.rebuild(home, preset="edge", lost=lost) as store:
        kept = store.info().documents
        assert store.check() == []
        assert 0 < kept < 40 or not lost
        for number in range(40):
            if store._db.key(f"d{number}"):
                assert store.get(f"d{number}") == document(number)
        assert store.add(documents(40)).unchanged == kept


def test_a_text_that_was_changed_behind_the_store_is_found(tmp_path):
    home = made(tmp_path, 5)
    with sqlite3.connect(home / "store.sqlite") as db:
        db.execute("UPDATE blocks SET data = x'00' WHERE document = 2")
        db.execute("UPDATE documents SET about = '{}' WHERE number = 3")
        db.execute("DELETE FROM segments WHERE document = 4 AND start = 0")
    db.close()
    with Store.open(home) as store:
        found = store.check()
        assert [problem.split("'")[1] for problem in found] == ["d1", "d2", "d3"]
        with pytest.raises(StoreError, match="damaged"):
            store.get("d1")
    lost = []
    with Store.rebuild(home, preset="edge", lost=lost) as store:
        assert len(lost) == 2  # d3 is whole: its segments are cut again
        assert store.check() == []
        assert store.get("d3") == document(3)


def test_a_second_writer_is_refused_at_once_and_readers_are_not(tmp_path):
    home = made(tmp_path, 4)
    with writing(home), Store.open(home) as store:
        for act in (lambda: store.add(documents(1)), lambda: store.remove(["d1"]), store.compact):
            with pytest.raises(StoreError, match="Another process writes"):
                act()
        with pytest.raises(StoreError, match="Another process writes"):
            Store.rebuild(home, preset="edge")
        assert store.search("zone3", 1)[0].document == "d3"
    with Store.open(home) as store:
        assert store.remove(["d1"]) == 1


def test_a_document_that_cannot_be_used_costs_none_before_it_was_told(tmp_path):
    home = made(tmp_path, 4)
    told = []

    def stream():
        yield from (document(n) for n in range(10, 300))
        raise OSError("the source is gone")

    with Store.open(home) as store:
        with pytest.raises(OSError, match="source is gone"):
            store.add(stream(), progress=told.append)
        assert store.info().documents == 4 + told[-1].added
        assert store.check() == []
        assert store.add([Document(text="Another.", id="x")]).added == 1
