"""The flow of a batch, on an engine in this process and the plainest outputs."""

from __future__ import annotations

import pytest
from sinks import Folder, Table, Upper, items, said

from gliding.batch.items import Item
from gliding.batch.local import InProcess
from gliding.batch.manifest import Manifest
from gliding.batch.options import Options
from gliding.batch.runner import run
from gliding.batch.task import CompressTask
from gliding.errors import BatchError

OPTIONS = Options(preset="edge", max_tokens=8, tokenizer="words", cache=False)


@pytest.fixture
def log(tmp_path):
    return tmp_path / "log"


def go(documents, output, log, *, options=OPTIONS, events=None, **more):
    notify = events.append if events is not None else None
    return run(documents, options=options, output=output, engine=InProcess(Upper(str(log))), notify=notify, **more)


def test_a_table_has_all_rows_in_order(tmp_path, log):
    table, events = Table(tmp_path / "out.jsonl"), []
    summary = go(items("a", "fail", "c"), table, log, events=events, total=3)
    assert [(row.id, row.text, row.error) for row in table.rows()] == [
        ("d0", "A", ""),
        ("d1", "", "It failed."),
        ("d2", "C", ""),
    ]
    assert (summary.documents, summary.done, summary.failed, summary.rate) == (3, 2, 1, 0.5)
    assert summary.tiers == {"trim": 2}
    assert [event.kind for event in events] == ["started", "done", "failed", "done", "finished"]
    assert events[0].total == 3


def test_a_rerun_does_only_what_is_new_changed_or_failed(tmp_path, log):
    table = Table(tmp_path / "out.jsonl")
    go(items("a", "b", "fail"), table, log)
    log.unlink()
    summary = go(items("b", "a", "new", "fail"), table, log)
    assert said(log) == ["d2", "d3"]
    assert (summary.done, summary.skipped, summary.failed) == (1, 2, 1)
    assert [row.text for row in table.rows()] == ["B", "A", "NEW", ""]
    assert [row.id for row in table.rows()] == ["d0", "d1", "d2", "d3"]


def test_other_options_compute_anew(tmp_path, log):
    table = Table(tmp_path / "out.jsonl")
    go(items("a"), table, log)
    go(items("a"), table, log, options=Options(preset="edge", max_tokens=9, tokenizer="words", cache=False))
    assert said(log) == ["d0", "d0"]


def test_force_computes_anew_but_equal_texts_once(tmp_path, log):
    table = Table(tmp_path / "out.jsonl")
    go(items("a"), table, log)
    go(items(*["a"] * 600), table, log, force=True)
    assert said(log) == ["d0", "d0"]
    assert len(table.rows()) == 600


def test_equal_texts_are_computed_once_and_written_each(tmp_path, log):
    folder = Folder(tmp_path / "out")
    summary = go(items(*["same"] * 700), folder, log)
    assert len(said(log)) == 1
    assert summary.done == 700
    assert set(folder.texts().values()) == {"SAME"}
    assert len(folder.texts()) == 700


def test_results_that_the_input_no_longer_has_are_forgotten(tmp_path, log):
    table = Table(tmp_path / "out.jsonl")
    go(items("a", "b"), table, log)
    go(items("a"), table, log)
    go(items("b"), table, log)
    assert said(log) == ["d0", "d1", "d0"]


def test_a_file_that_was_removed_or_changed_is_made_again(tmp_path, log):
    folder = Folder(tmp_path / "out")
    go(items("a", "b", "c"), folder, log)
    (folder.root / "d0.txt").unlink()
    (folder.root / "d1.txt").write_text("mine")
    log.unlink()
    assert go(items("a", "b", "c"), folder, log).skipped == 1
    assert said(log) == ["d0", "d1"]
    assert folder.texts() == {"d0.txt": "A", "d1.txt": "B", "d2.txt": "C"}


def test_a_document_that_moved_is_copied(tmp_path, log):
    folder = Folder(tmp_path / "out")
    go(items("a"), folder, log)
    go([Item(position=0, id="elsewhere", source="s", data="a")], folder, log)
    assert said(log) == ["d0"]
    assert folder.texts() == {"d0.txt": "A", "elsewhere.txt": "A"}


def test_files_of_others_are_not_replaced_but_by_force(tmp_path, log):
    folder, events = Folder(tmp_path / "out"), []
    folder.root.mkdir()
    (folder.root / "d1.txt").write_text("mine")
    assert go(items("a", "b"), folder, log, events=events).failed == 1
    assert folder.texts() == {"d0.txt": "A", "d1.txt": "mine"}
    assert "--force" in next(event.error for event in events if event.kind == "failed")
    go(items("a", "b"), folder, log, force=True)
    assert folder.texts()["d1.txt"] == "B"


def test_too_many_errors_stop_the_run_and_keep_what_is_done(tmp_path, log):
    table = Table(tmp_path / "out.jsonl")
    with pytest.raises(BatchError, match="2 documents failed"):
        go(items("a", "fail 1", "fail 2", *"bcdefghijklmnopqrstuvwxyz"), table, log, max_errors=1)
    assert not table.path.exists()
    log.unlink()
    go(items("a"), table, log, max_errors=1)
    assert said(log) == []


@pytest.mark.parametrize("made", [Folder, Table])
def test_what_is_said_to_be_done_is_recorded(tmp_path, log, made):
    def leave(event):
        if event.kind == "done":
            raise KeyboardInterrupt

    engine = InProcess(Upper(str(log)))
    with pytest.raises(KeyboardInterrupt):
        run(items(*"abc"), options=OPTIONS, output=made(tmp_path / "out"), engine=engine, notify=leave)
    summary = go(items(*"abc"), made(tmp_path / "out"), log)
    assert (summary.skipped, said(log)) == (3, ["d0", "d1", "d2"])


def test_one_writer_at_a_time(tmp_path, log):
    table = Table(tmp_path / "out.jsonl")
    with Manifest(table.manifest), pytest.raises(BatchError, match="in use"):
        go(items("a"), table, log)
    go(items("a"), table, log)


def test_items_are_read_as_they_are_needed(tmp_path, log):
    taken = []

    class Engine:
        def map(self, chunks):
            inner = InProcess(Upper(str(log)))
            for done in inner.map(chunks):
                taken.append(len(read))
                yield done

    read = []

    def source():
        for item in items(*map(str, range(2000))):
            read.append(item)
            yield item

    run(source(), options=OPTIONS, output=Table(tmp_path / "o.jsonl", kept=False), engine=Engine())
    assert taken[0] <= 256
    assert len(read) == 2000


def test_a_huge_document_is_a_chunk_of_its_own(tmp_path):
    sizes = []

    class Engine:
        def map(self, chunks):
            for done in InProcess(Upper("/dev/null")).map(chunks):
                sizes.append(len(done[0]))
                yield done

    documents = items(*"abc", "x" * 300_000, *"def")
    run(documents, options=OPTIONS, output=Table(tmp_path / "o.jsonl"), engine=Engine())
    assert sizes == [3, 1, 3]


def test_the_whole_way_on_the_local_engine(tmp_path):
    text = "The bus was late. The pump failed at noon, since a seal was worn. Lunch was soup."
    options = Options(preset="edge", query="Why did the pump fail?", max_tokens=12, cache=False)
    table = Table(tmp_path / "out.jsonl")
    documents = [*items(text, f"{text} Then it rained."), Item(position=2, id="b", source="s", data=b"\x00\x01" * 9)]
    summary = run(documents, options=options, output=table)
    rows = table.rows()
    assert rows[0].text == rows[1].text == "The pump failed at noon, since a seal was worn."
    assert rows[2].error
    assert rows == CompressTask(options)(documents)
    assert (summary.done, summary.failed, len(summary.slowest)) == (2, 1, 3)
