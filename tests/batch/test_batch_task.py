"""The task: rows equal the library's own results, a bad document costs only itself."""

from __future__ import annotations

import pickle

import pytest

from gliding import Compressor
from gliding.batch.items import Item, RowSpan
from gliding.batch.options import Options
from gliding.batch.task import CompressTask
from gliding.errors import PresetNotFound

TEXT = "The bus was late. The pump failed at noon, since a seal was worn. Lunch was soup."
OPTIONS = Options(preset="edge", query="Why did the pump fail?", max_tokens=12, cache=False, audit=True)


def item(position, data, **more):
    return Item(position=position, id=f"d{position}", source="s", data=data, **more)


def test_a_row_is_the_librarys_result():
    row = CompressTask(OPTIONS)([item(0, TEXT)])[0]
    with Compressor.from_preset("edge", cache=False) as compressor:
        result = compressor.compress(TEXT, query=OPTIONS.query, max_tokens=12, audit=True)
    assert row.text == result.text == "The pump failed at noon, since a seal was worn."
    assert (row.tokens_in, row.tokens_out, row.rate) == (result.report.tokens_in, result.tokens, result.rate)
    assert (row.id, row.source, row.tier, row.error) == ("d0", "s", "extract", "")
    assert row.audit == result.audit.to_dict()
    assert row.spans == (RowSpan(0, 47, 0, 18, 65, True),)


def test_a_bad_document_costs_only_itself():
    documents = [
        item(0, b"\x00\x01\x02" * 50, name="a.bin"),
        item(1, TEXT),
        item(2, "", error="It cannot be read."),
        item(3, TEXT.encode(), name="a.txt", query="When was lunch soup?"),
    ]
    rows = CompressTask(OPTIONS)(documents)
    assert [bool(row.error) for row in rows] == [True, False, True, False]
    assert rows[2].error == "It cannot be read."
    assert rows[3].text.endswith("Lunch was soup.")


def test_an_error_of_ours_is_a_row_too_and_ctrl_c_is_not(monkeypatch):
    def broken(*_, **__):
        raise TypeError("oops")

    monkeypatch.setattr(Compressor, "compress", broken)
    assert CompressTask(OPTIONS)([item(0, TEXT)])[0].error == "TypeError: oops"

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(Compressor, "compress", interrupted)
    with pytest.raises(KeyboardInterrupt):
        CompressTask(OPTIONS)([item(0, TEXT)])


def test_texts_and_mappings_are_items_too():
    rows = CompressTask(OPTIONS)([TEXT, {"id": 7, "text": TEXT, "source": "t"}, {"id": "x"}])
    assert [(row.id, row.source, bool(row.error)) for row in rows] == [
        ("0", "", False),
        ("7", "t", False),
        ("x", "", True),
    ]


def test_names_only_tell_the_kind_so_that_equal_contents_have_equal_rows():
    page = b"<!doctype html><title>T</title><p>The pump failed."
    one, other = CompressTask(OPTIONS)([item(0, page, name="a/b.html"), item(0, page, name="c.html")])
    assert one == other


def test_it_travels_and_builds_its_compressor_once():
    task = pickle.loads(pickle.dumps(CompressTask(OPTIONS)))
    assert task == CompressTask(OPTIONS)
    assert task._compressor() is CompressTask(OPTIONS)._compressor()


def test_options_that_cannot_work_come_out():
    with pytest.raises(PresetNotFound):
        CompressTask(Options(preset="edgy", max_tokens=5))([TEXT])


def test_threads_that_gather_change_nothing():
    pytest.importorskip("onnxruntime")
    pytest.importorskip("tokenizers")
    options = Options(
        preset="balanced",
        overrides=(("entities.use", "rules"), ("index.use", "exact"), ("extract.use", "lexrank")),
        query="Why did the pump fail?",
        rate=0.5,
        cache=False,
    )
    documents = [item(k, f"{TEXT} Part {k} was changed. " * 3 + TEXT) for k in range(6)]
    assert CompressTask(options, threads=3)(documents) == CompressTask(options)(documents)
