import json
import os
import zipfile

import pytest

from gliding.batch.items import Row, RowSpan
from gliding.batch.outputs import MANIFEST, Folder, Stream, Table, is_table, replacing
from gliding.errors import InputError

ROW = Row(
    id="a",
    source="s",
    text="Grüße \ud800 你好\r\n",
    tokens_in=9,
    tokens_out=3,
    rate=1 / 3,
    tier="extract",
    spans=(RowSpan(0, 5, 0, 10, 15, True),),
    warnings=("w\udc80",),
    audit={"kind": "text"},
)


def test_a_file_is_written_whole_and_known_again(tmp_path):
    folder = Folder(tmp_path / "out")
    written = folder.write("a/b.md", ROW)
    path = tmp_path / "out/a/b.md"
    assert path.read_bytes() == "Grüße \\ud800 你好\r\n".encode()
    assert folder.intact("a/b.md", written)
    path.write_text("changed")
    assert not folder.intact("a/b.md", written)
    path.unlink()
    assert not folder.intact("a/b.md", written)


@pytest.mark.parametrize(
    ("item", "source", "name"),
    [
        ("a/b.md", "a/b.md", "a/b.md"),
        ("page.html", "page.html", "page.html.md"),
        ("page.html.md", "page.html.md", "page.html~md"),
        ("a.zip/../../etc/x", "a.zip/../../etc/x", "a.zip/%2E%2E/%2E%2E/etc/x"),
        ("a.zip//etc/passwd", "a.zip//etc/passwd", "a.zip/%/etc/passwd"),
        ("page.html~md", "page.html~md", "page.html%7Emd"),
        ("t.jsonl/x.txt", "t.jsonl", "t.jsonl/t.jsonl%2Fx.txt.txt"),
        ("../x", "t.jsonl", "t.jsonl/%2E.%2Fx.txt"),
        (".gliding-batch.sqlite", ".gliding-batch.sqlite", "%2Egliding-batch.sqlite"),
        ("con.txt", "con.txt", "%63on.txt"),
        ("a\x00b", "t.csv", "t.csv/a%00b.txt"),
        ("", "t.csv", "t.csv/%2Etxt"),
    ],
)
def test_names_are_safe(item, source, name):
    assert Folder("out").place(item, source) == name


def test_a_long_name_is_cut_and_stays_its_own():
    folder = Folder("out")
    one, two = (folder.place("ü" * 300 + end, "t.csv") for end in "ab")
    assert one != two
    assert max(len(part.encode()) for part in one.split("/")) <= 200


@pytest.mark.parametrize("other", ["readme.MD", "Readme.md"])
def test_where_capitals_do_not_count_no_document_takes_anothers_file(tmp_path, other):
    (tmp_path / MANIFEST.upper()).touch()  # as a file system shows it that knows no capitals
    folder = Folder(tmp_path)
    written = folder.write("readme.md", ROW)
    with pytest.raises(InputError, match="would replace"):
        folder.write(other, ROW)
    assert folder.intact("readme.md", written)

    again = Folder(tmp_path)
    assert again.intact("readme.md", written)
    (tmp_path / other).write_bytes((tmp_path / "readme.md").read_bytes())
    assert not again.intact(other, written)


def test_where_capitals_count_both_are_written(tmp_path):
    (tmp_path / MANIFEST).touch()
    if (tmp_path / MANIFEST.upper()).exists():
        pytest.skip("this file system knows no capitals")
    folder = Folder(tmp_path)
    assert [folder.intact(name, folder.write(name, ROW)) for name in ("a.md", "A.md")] == [True, True]


def test_an_input_in_the_output_folder_is_refused(tmp_path):
    (tmp_path / "a.md").write_text("x")
    for given in (tmp_path, tmp_path / "a.md"):
        with pytest.raises(InputError, match="lies in the output"):
            Folder(tmp_path, inputs=[given])
    Folder(tmp_path / "out", inputs=[tmp_path])
    with pytest.raises(InputError, match="is a file"):
        Folder(tmp_path / "a.md")


def test_a_link_in_the_output_folder_leads_nowhere(tmp_path):
    out, away = tmp_path / "out", tmp_path / "away"
    out.mkdir()
    away.mkdir()
    (out / "d").symlink_to(away)
    (away / "kept").write_text("kept")
    (out / "f.txt").symlink_to(away / "kept")
    folder = Folder(out)
    with pytest.raises(InputError, match="link"):
        folder.write("d/e/x.txt", ROW)
    folder.write("f.txt", ROW)
    assert (away / "kept").read_text() == "kept"
    assert os.listdir(away) == ["kept"]


def test_an_error_leaves_the_old_file_and_nothing_else(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text("old")

    def fails(file):
        file.write(b"new")
        raise ValueError("stop")

    with pytest.raises(ValueError, match="stop"), replacing(path) as file:
        fails(file)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["t.jsonl"]


@pytest.mark.parametrize("suffix", [".jsonl", ".ndjson", ".jsonl.gz", ".parquet"])
def test_a_table_holds_all_rows_and_is_the_same_twice(tmp_path, suffix):
    if suffix == ".parquet":
        pytest.importorskip("pyarrow")
    rows = [ROW, Row(id="b", source="s", error="no")]
    one, two = tmp_path / f"one{suffix}", tmp_path / f"two{suffix}"
    Table(one).write_all(rows)
    Table(two).write_all(iter(rows))
    assert one.read_bytes() == two.read_bytes()
    if suffix == ".parquet":
        import pyarrow.parquet as pq

        first, second = pq.read_table(one).to_pylist()
        assert first["text"] == "Grüße \\ud800 你好\r\n"
        assert first["spans"] == [ROW.spans[0]._asdict()]
        assert json.loads(first["audit"]) == {"kind": "text"}
        assert second["error"] == "no"
        return
    import gzip

    data = gzip.decompress(one.read_bytes()) if suffix.endswith("gz") else one.read_bytes()
    assert [Row.from_dict(json.loads(line)) for line in data.splitlines()] == rows


def test_a_table_is_never_an_input_nor_somebody_elses(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text("{}")
    with pytest.raises(InputError, match="is an input"):
        Table(path, inputs=[path])
    with pytest.raises(InputError, match="not from a batch"):
        Table(path)
    Table(path, force=True)
    with pytest.raises(InputError, match="names no table"):
        Table(tmp_path / "t.docx")
    with pytest.raises(InputError, match="folder"):
        Table(tmp_path / "no/t.jsonl")


def test_a_stream_gets_json_lines(tmp_path):
    with (tmp_path / "s").open("wb") as out:
        Stream(out).write_all([ROW])
    assert Row.from_dict(json.loads((tmp_path / "s").read_bytes())) == ROW
    assert Stream.manifest is None


def test_a_folder_is_told_from_a_table_by_its_name(tmp_path):
    (tmp_path / "d.parquet").mkdir()
    assert not is_table(tmp_path / "d.parquet")
    assert is_table(tmp_path / "e.parquet")
    assert zipfile.is_zipfile(tmp_path) is False
