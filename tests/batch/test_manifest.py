"""The manifest: what is recorded comes back, one writer, damage is told."""

from __future__ import annotations

import pytest

from gliding.batch.items import Row, RowSpan
from gliding.batch.manifest import Entry, Held, Manifest
from gliding.errors import BatchError

ROW = Row(id="x", source="y", text="é\ud800", tokens_in=3, tokens_out=1, spans=(RowSpan(0, 1, 0, 4, 5, True),))


def test_rows_come_back_in_order_with_the_names_of_the_plan(tmp_path):
    with Manifest(tmp_path / "m") as manifest:
        manifest.plan([Entry(5, "b\udc80", "s", b"k"), Entry(2, "a", "s", b"k")])
        manifest.record([(b"k", ROW)])
        rows = list(manifest.rows())
    assert [row.id for row in rows] == ["a", "b\udc80"]
    assert rows[0].text == ROW.text
    assert rows[0].spans == ROW.spans


def test_results_and_files_outlive_the_run_and_the_plan_does_not(tmp_path):
    with Manifest(tmp_path / "m") as manifest:
        manifest.plan([Entry(0, "a", "s", b"k")], names=["a.txt", "b.txt"])
        manifest.record([(b"k", ROW)], [("a.txt", Held(b"k", 4, "d"))], text=False)
        assert manifest.known([b"k"])[b"k"].fresh
    with Manifest(tmp_path / "m") as manifest:
        known = manifest.known([b"k", b"other"])
        assert list(known) == [b"k"]
        assert not known[b"k"].fresh
        assert (known[b"k"].tokens_in, known[b"k"].failed) == (3, False)
        assert manifest.held(["a.txt", "b.txt", "c.txt"]) == {
            "a.txt": Held(b"k", 4, "d"),
            "b.txt": Held(None, 0, ""),
        }
        assert manifest.copies(b"k") == [("a.txt", Held(b"k", 4, "d"))]
        assert list(manifest.rows()) == []
        manifest.prune()
        assert manifest.known([b"k"]) == {}


def test_a_failed_transaction_leaves_nothing(tmp_path):
    with Manifest(tmp_path / "m") as manifest:
        manifest.plan([Entry(0, "a", "s", b"k")])
        with pytest.raises(Exception, match="UNIQUE"):
            manifest.plan([Entry(1, "b", "s", b"l"), Entry(0, "c", "s", b"m")])
        manifest.record([(b"k", ROW), (b"l", ROW)])
        assert [row.id for row in manifest.rows()] == ["a"]


def test_a_second_writer_is_told(tmp_path):
    with Manifest(tmp_path / "m"), pytest.raises(BatchError, match="in use"):
        Manifest(tmp_path / "m")
    Manifest(tmp_path / "m").close()


@pytest.mark.parametrize("content", [b"no database at all, but long enough to be read as one" * 20])
def test_a_damaged_file_is_told(tmp_path, content):
    (tmp_path / "m").write_bytes(content)
    with pytest.raises(BatchError, match="damaged"):
        Manifest(tmp_path / "m")


def test_a_folder_that_is_not_there_is_told(tmp_path):
    with pytest.raises(BatchError, match="cannot be"):
        Manifest(tmp_path / "none" / "m")
