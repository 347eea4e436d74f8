"""A store: what goes in comes out, changed documents are replaced, answers name their places."""

from __future__ import annotations

import numpy as np
import pytest
from stores import DIM, Hashed, compressor, document, documents, place

from gliding import Document
from gliding.errors import BudgetError, InputError, StoreError
from gliding.store import Store
from gliding.store.adding import embedded_text


def made(path, count=12, *, embedder=None, **more):
    store = Store.open(path / "s", create=True, compressor=compressor(embedder), **more)
    store.add(documents(count))
    return store


def test_a_document_comes_out_as_it_went_in(tmp_path):
    odd = Document(
        text="a\ud800b\r\n\x00 中文 " + "x" * 200_000, id="odd\udc80", title="T", role="user", time="1", turn="2"
    )
    with made(tmp_path, 2) as store:
        store.add([odd])
        assert store.get(odd.id) == odd
        assert store.get("d1") == document(1)
        with pytest.raises(InputError, match="no document 'd9'"):
            store.get("d9")
    with Store.open(tmp_path / "s") as store:
        assert store.get(odd.id) == odd
        assert store.check() == []


@pytest.mark.parametrize("by", ["words", "vectors", "both"])
def test_a_search_finds_the_place(tmp_path, by):
    with made(tmp_path, embedder=Hashed()) as store:
        assert len(store.search("zone7", 3, by=by)) == (1 if by == "words" else 3)
        hits = store.search(place(7), 3, by=by)
        assert hits[0].document == "d7"
        assert hits[0].title == "Report 7"
        assert "Zone7 is where" in hits[0].text
        assert store.get("d7").text[slice(*hits[0].span)] == hits[0].text
        assert (hits[0].rank, hits[0].cosine is None) == ((None, False) if by == "vectors" else (1, by == "words"))
        assert hits == store.search(place(7), 3, by=by)


def test_equal_texts_come_in_the_order_in_which_they_were_added(tmp_path):
    same = [Document(text="The pump failed.", id=name) for name in ("z", "a", "m", "b")]
    for name, embedder in (("words", None), ("vectors", Hashed())):
        with Store.open(tmp_path / name, create=True, compressor=compressor(embedder)) as store:
            store.add(same)
            assert [hit.document for hit in store.search("pump", 3, by=name)] == ["z", "a", "m"]


def test_what_is_there_is_not_embedded_again(tmp_path):
    embedder = Hashed()
    with made(tmp_path, 6, embedder=embedder) as store:
        assert len(embedder.sizes) == 1  # one full batch across documents
        first = len(embedder.asked)
        again = store.add(documents(6))
        assert (again.added, again.replaced, again.unchanged, again.embedded) == (0, 0, 6, 0)
        assert len(embedder.asked) == first
        changed = store.add([document(3, version=2)])
        assert (changed.added, changed.replaced, changed.unchanged) == (0, 1, 0)
        assert 0 < changed.embedded < changed.segments
        assert all("version 2" in text for text in embedder.asked[first:])
        assert store.get("d3") == document(3, version=2)
        assert store.info().documents == 6
        assert not [
            hit for hit in store.search("zone3 version 0", 40) if hit.document == "d3" and "version 0" in hit.text
        ]
        assert store.check() == []


def test_the_last_of_two_versions_in_one_call_stays(tmp_path):
    with made(tmp_path, 0) as store:
        changed = store.add([document(1), document(2), document(1, version=5)])
        assert (changed.added, changed.replaced) == (2, 1)
        assert store.get("d1") == document(1, version=5)


def test_removed_documents_are_not_found(tmp_path):
    with made(tmp_path, 8, embedder=Hashed()) as store:
        assert store.search("zone5", 1)[0].document == "d5"
        assert store.remove(["d5", "nobody"]) == 1
        assert "d5" not in {hit.document for hit in store.search("zone5", 50)}
        before = store.info()
        assert before.documents == 7
        assert before.dead > 0
        found = store.search("zone6 crane", 5)
        store.compact()
        assert store.info().dead == 0
        assert [hit.span for hit in store.search("zone6 crane", 5)] == [hit.span for hit in found]
        assert store.check() == []
        assert sum(store.info().bytes.values()) < sum(before.bytes.values())


def test_texts_without_an_id_are_named_by_their_content(tmp_path):
    with made(tmp_path, 0) as store:
        assert store.add(["One text.", {"content": "Two texts.", "role": "user"}, b"Three texts."]).added == 3
        assert store.add("One text.").unchanged == 1
        assert store.add([Document(text="", id="empty")]).segments == 0
        assert store.check() == []


def test_an_answer_names_its_documents_and_characters(tmp_path):
    with made(tmp_path, 30, embedder=Hashed()) as store:
        answer = store.compress("Where does the valve of zone11 stand?", max_tokens=60)
        assert answer.tokens <= 60
        assert "Zone11 is where the valve stands" in answer.text
        assert answer.documents[0] == "d11"
        assert answer.cited
        for cited in answer.cited:
            source = store.get(cited.document).text[slice(*cited.span)]
            if cited.exact:
                assert answer.text[slice(*cited.output)] == source
        assert answer.to_dict()["documents"] == list(answer.documents)
        again = store.compress("Where does the valve of zone11 stand?", max_tokens=60)
        assert (again.text, again.cited) == (answer.text, answer.cited)
        assert answer.result.report.tokens_in <= 4 * 60 + 40  # titles come on top


def test_excerpts_come_in_the_order_of_the_store(tmp_path):
    with made(tmp_path, 30) as store:
        documents = store.compress("zone21 zone3 zone17", max_tokens=300).result.documents
        assert [d.id for d in documents] == sorted((d.id for d in documents), key=lambda name: int(name[1:]))
        assert {"d3", "d17", "d21"} <= {d.id for d in documents}


def test_nothing_found_is_an_empty_answer(tmp_path):
    with made(tmp_path, 3) as store:
        answer = store.compress("xylophone", max_tokens=50)
        assert (answer.text, answer.cited, answer.documents) == ("", (), ())
        assert store.search("xylophone") == []
        assert store.search("the of and") == []
    with Store.open(tmp_path / "empty", create=True, compressor=compressor(Hashed())) as store:
        assert store.search("pump") == []
        store.compact()
        assert store.check() == []


def test_wrong_arguments_are_input_errors(tmp_path):
    with made(tmp_path, 2) as store:
        for query in ("", " \n"):
            with pytest.raises(InputError, match="query is empty"):
                store.search(query)
            with pytest.raises(InputError, match="query is empty"):
                store.compress(query, max_tokens=9)
        with pytest.raises(InputError, match="k is 0"):
            store.search("x", 0)
        with pytest.raises(InputError, match="times"):
            store.compress("zone1", max_tokens=9, times=0.5)
        with pytest.raises(BudgetError):
            store.compress("zone1", max_tokens=0)
        with pytest.raises(StoreError, match="no vectors") as caught:
            store.search("zone1", by="vectors")
        assert "gliding store rebuild" in caught.value.hint
        for query in ('zone1 OR "', "zone1 NEAR(", "a:b* ^c", "'; DROP TABLE words", "\x00 zone1", "\ud800 zone1"):
            store.search(query)


def test_a_query_of_another_script_asks_the_words_alone(tmp_path):
    embedder = Hashed()
    with made(tmp_path, 0, embedder=embedder) as store:
        store.add([Document(text="采购预算为500元。", id="zh"), Document(text="The budget is 500.", id="en")])
        hits = store.search("采购预算是多少?")
        assert [hit.document for hit in hits] == ["zh"]
        assert hits[0].cosine is None


def test_progress_is_told_what_is_written(tmp_path):
    told = []
    with made(tmp_path, 0, embedder=Hashed()) as store:
        path = tmp_path / "s"

        def progress(changed):
            with Store.open(path, compressor=compressor(Hashed())) as other:
                assert other.info().documents == changed.added
            told.append(changed)

        store.add((document(n) for n in range(400)), progress=progress)
    assert len(told) > 1
    assert told[-1].added == 400


def test_adding_holds_a_few_documents_only(tmp_path):
    taken = 0

    def stream():
        nonlocal taken
        for number in range(900):
            taken += 1
            yield document(number)

    seen = []
    with made(tmp_path, 0) as store:
        store.add(stream(), progress=lambda changed: seen.append(taken - changed.documents))
    assert max(seen) <= 1


def test_one_large_document_is_embedded_in_batches(tmp_path):
    embedder = Hashed()
    text = "\n\n".join(f"Paragraph {n} is about the crane. " * 28 for n in range(560))
    with made(tmp_path, 0, embedder=embedder) as store:
        changed = store.add([Document(text=text, id="large")])
        assert changed.embedded >= 560
        assert max(embedder.sizes) <= 512
        hit = store.search("paragraph 377 crane", 1, by="words")[0]
        assert text[slice(*hit.span)] == hit.text
        assert "Paragraph 377" in hit.text


def test_vectors_are_those_of_title_and_text(tmp_path):
    embedder = Hashed()
    with made(tmp_path, 3, embedder=embedder) as store:
        hit = store.search("zone2", 1)[0]
        vector = embedder.embed([embedded_text(hit.title, hit.text)])[0]
        asked = embedder.embed(["zone2"])[0]
        assert hit.cosine == pytest.approx(float(vector @ asked), abs=2e-3)
        assert np.linalg.norm(vector) == pytest.approx(1.0, abs=1e-5)
        assert vector.shape == (DIM,)
