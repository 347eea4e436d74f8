import gzip
import io
import json
import os
import sys
import tarfile
import zipfile

import pytest

from gliding.batch import archives, tables
from gliding.batch.inputs import count_items, read_items
from gliding.errors import InputError


def tree(root, **files):
    for name, text in files.items():
        path = root / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def ids(items):
    return [item.id for item in items]


def write(root, names):
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)


def test_a_folder_gives_its_files_by_name_and_leaves_out_hidden_ones(tmp_path):
    write(tmp_path, ["b.md", "a/z.txt", "a/.env", ".git/config", "c.txt"])
    items = list(read_items([tmp_path]))
    assert ids(items) == ["a/z.txt", "b.md", "c.txt"]
    assert [item.position for item in items] == [0, 1, 2]
    assert items[0].data == b"a/z.txt"
    assert items[1].name == "b.md"


def test_ids_of_several_inputs_are_relative_to_what_holds_them_all(tmp_path):
    write(tmp_path, ["one/a.md", "two/a.md", "c.txt"])
    assert ids(read_items([tmp_path / "two", tmp_path / "one", tmp_path / "c.txt"])) == [
        "two/a.md",
        "one/a.md",
        "c.txt",
    ]


@pytest.mark.parametrize(
    ("patterns", "found"),
    [(["*.md"], ["a/x.md", "y.md"]), (["a/*"], ["a/x.md", "a/x.txt"]), (["**/*.txt"], ["a/x.txt", "z.txt"])],
)
def test_patterns_choose_files(tmp_path, patterns, found):
    write(tmp_path, ["a/x.md", "a/x.txt", "y.md", "z.txt"])
    assert ids(read_items([tmp_path], glob=patterns)) == found


def test_what_gitignore_names_is_left_out(tmp_path):
    pytest.importorskip("pathspec")
    write(tmp_path, ["keep.md", "a/drop.log", "a/keep.log", "build/x.md", "a/b/note.md"])
    (tmp_path / ".gitignore").write_text("*.log\nbuild/\n")
    (tmp_path / "a/.gitignore").write_text("!keep.log\nb/*\n")
    assert ids(read_items([tmp_path], gitignore=True)) == ["a/keep.log", "keep.md"]
    assert len(ids(read_items([tmp_path]))) == 5


def test_the_output_is_no_input(tmp_path):
    write(tmp_path, ["a.md", "out/a.md", "rows.jsonl"])
    assert ids(read_items([tmp_path], output=tmp_path / "out")) == ["a.md", "rows.jsonl"]
    assert ids(read_items([tmp_path], output=tmp_path / "rows.jsonl")) == ["a.md", "out/a.md"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_links_out_loops_and_pipes_are_left_out_with_a_word(tmp_path):
    inside, outside = tmp_path / "in", tmp_path / "secret.txt"
    write(inside, ["a.md", "d/b.md"])
    outside.write_text("secret")
    (inside / "out.txt").symlink_to(outside)
    (inside / "loop").symlink_to(inside)
    (inside / "same.md").symlink_to(inside / "a.md")
    (inside / "gone.md").symlink_to(inside / "nothing")
    os.mkfifo(inside / "pipe")
    told = []
    assert ids(read_items([inside], warn=told.append)) == ["a.md", "d/b.md", "same.md"]
    assert len(told) == 4


def test_what_is_not_there_is_an_error_before_any_work(tmp_path):
    with pytest.raises(InputError, match="no file or folder"):
        read_items([tmp_path / "nothing"])
    with pytest.raises(InputError, match="No input"):
        read_items([])
    with pytest.raises(InputError, match="twice"):
        read_items(["-", "-"])


def test_rows_of_json_lines_have_ids_and_queries(tmp_path):
    path = tmp_path / "rows.jsonl"
    rows = [{"id": "x", "text": "one", "query": "q"}, {"id": 7, "text": "two"}, {"text": "three", "query": None}]
    path.write_bytes(b"\xef\xbb\xbf" + "\n\n".join(map(json.dumps, rows)).encode())
    items = list(read_items([path]))
    assert [(item.id, item.data, item.query) for item in items] == [
        ("x", "one", "q"),
        ("7", "two", ""),
        ("5", "three", ""),
    ]
    assert {item.source for item in items} == {"rows.jsonl"}
    assert count_items([path]) == 3


def test_a_bad_row_costs_only_itself(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_bytes(
        b'{"text": "a"}\n{"text": \n[1]\n{"text": 5}\n\xff\xfe\n{"content": "b"}\n' + b"[" * 100_000 + b"\n"
    )
    items = list(read_items([path]))
    assert [bool(item.error) for item in items] == [False, True, True, True, True, False, True]
    assert items[5].data == "b"


def test_columns_are_named_in_the_error(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text('{"article": "a"}\n')
    with pytest.raises(InputError, match="article"):
        list(read_items([path]))
    assert [item.data for item in read_items([path], text_column="article")] == ["a"]
    with pytest.raises(InputError, match="'nope'"):
        list(read_items([path], text_column="article", id_column="nope"))


def test_csv_with_quotes_marks_and_encodings(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes('id;text;question\n1;"zwei\r\nZeilen; Größe";was\n2;"ein ""Wort""";\n3\n'.encode("cp1252"))
    items = list(read_items([path]))
    assert [item.data for item in items] == ["zwei\r\nZeilen; Größe", 'ein "Wort"', ""]
    assert items[0].query == "was"
    assert "1 of 3 cells" in items[2].error
    path.write_bytes("id,text\n1,你好\n".encode("utf-16"))
    assert [item.data for item in read_items([path])] == ["你好"]
    path.write_text("text\n" + "x" * 300_000 + "\n")
    assert len(next(iter(read_items([path]))).data) == 300_000


def test_tables_in_a_folder_are_documents_unless_a_column_is_given(tmp_path):
    (tmp_path / "rows.jsonl").write_text('{"text": "a"}\n{"text": "b"}\n')
    (tmp_path / "note.md").write_text("note")
    assert ids(read_items([tmp_path])) == ["note.md", "rows.jsonl"]
    assert [item.data for item in read_items([tmp_path], text_column="text")] == [b"note", "a", "b"]


def test_two_rows_of_one_id_are_an_error_where_each_needs_a_file(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text('{"id": 1, "text": "a"}\n{"id": 1, "text": "b"}\n')
    assert [item.error for item in read_items([path])] == ["", ""]
    one, two = read_items([path], unique=True)
    assert not one.error
    assert "another row" in two.error
    assert one.id != two.id


def test_standard_input_is_json_lines(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'{"text": "a"}\n')))
    assert [(item.data, item.source) for item in read_items(["-"])] == [("a", "stdin")]
    assert count_items(["-"]) is None


def test_parquet_rows_and_addresses(tmp_path):
    pytest.importorskip("pyarrow")
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = tmp_path / "t.parquet"
    texts = pa.array(["one", None, "three"]).dictionary_encode()
    pq.write_table(pa.table({"id": [1, 2, 3], "content": texts, "other": [0, 0, 0]}), path)
    items = list(read_items([path]))
    assert [(item.id, item.data) for item in items] == [("1", "one"), ("2", ""), ("3", "three")]
    assert "missing" in items[1].error
    assert count_items([path]) == 3
    assert [item.data for item in read_items([path.as_uri()])] == ["one", "", "three"]
    (tmp_path / "bad.parquet").write_bytes(b"PAR1 nothing")
    with pytest.raises(InputError, match="Parquet"):
        list(read_items([tmp_path / "bad.parquet"]))


def archive(path, members):
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
            for name, data in members.items():
                out.writestr(name, data)
    else:
        with tarfile.open(path, "w:gz") as out:
            for name, data in members.items():
                info = tarfile.TarInfo(name)
                info.size = len(data)
                out.addfile(info, io.BytesIO(data))
            link = tarfile.TarInfo("link")
            link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
            out.addfile(link)
    return path


@pytest.mark.parametrize("name", ["a.zip", "a.tar.gz"])
def test_members_of_archives_are_documents_and_their_names_only_names(tmp_path, name):
    path = archive(tmp_path / name, {"x.md": b"one", "../up.txt": b"two", "/root.txt": b"three"})
    told = []
    items = list(read_items([path], warn=told.append))
    assert [item.data for item in items] == [b"one", b"two", b"three"]
    assert ids(items)[:2] == [f"{name}/x.md", f"{name}/../up.txt"]
    assert len(told) == (name == "a.tar.gz")
    assert sorted(p.name for p in tmp_path.iterdir()) == [name]


def test_a_bomb_a_damaged_and_an_encrypted_archive_cost_only_themselves(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "LARGEST", 1000)
    bomb = archive(tmp_path / "bomb.zip", {"big": b"0" * 100_000, "small": b"1"})
    members = list(archives.read_members(bomb, warn=print, largest=1000))
    assert [(member.data, bool(member.error)) for member in members] == [(b"", True), (b"1", False)]
    cut = tmp_path / "cut.tar.gz"
    cut.write_bytes(archive(tmp_path / "whole.tar.gz", {"x": os.urandom(50_000)}).read_bytes()[:20_000])
    assert "cannot be read" in list(read_items([cut]))[-1].error
    broken = tmp_path / "no.zip"
    broken.write_bytes(b"PK\x03\x04 no")
    assert "cannot be read" in next(read_items([broken])).error
    secret = bytearray(archive(tmp_path / "s.zip", {"x": b"data"}).read_bytes())
    at = secret.index(b"PK\x01\x02")
    secret[at + 8] |= 1
    (tmp_path / "s.zip").write_bytes(secret)
    assert "encrypted" in next(read_items([tmp_path / "s.zip"])).error


def test_a_table_that_cannot_be_read_costs_only_itself_in_a_folder(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"other": 1}\n')
    (tmp_path / "b.csv").write_text("text\nb\n")
    archive(tmp_path / "c.zip", {"d.jsonl": b'{"text": "d"}\n', "e.md": b"e"})
    one, *others = read_items([tmp_path], text_column="text")
    assert "no column" in one.error
    assert [item.data for item in others] == ["b", "d", b"e"]
    assert ids(others) == ["1", "1", "c.zip/e.md"]
    assert others[1].source == "c.zip/d.jsonl"


def test_an_archive_of_a_later_version_costs_only_itself(tmp_path):
    data = bytearray(archive(tmp_path / "a.zip", {"x": b"data"}).read_bytes())
    data[data.index(b"PK\x01\x02") + 6] = 99
    (tmp_path / "a.zip").write_bytes(data)
    (tmp_path / "b.md").write_text("b")
    one, two = read_items([tmp_path])
    assert one.error
    assert two.data == b"b"


def test_an_id_may_be_of_any_type(tmp_path):
    pytest.importorskip("pyarrow")
    import datetime

    import pyarrow as pa
    import pyarrow.parquet as pq

    days = [datetime.datetime(2026, 1, day) for day in (1, 2)]
    pq.write_table(pa.table({"id": days, "text": ["a", "b"]}), tmp_path / "t.parquet")
    assert len(set(ids(read_items([tmp_path / "t.parquet"])))) == 2


def test_a_row_named_as_its_table_is_an_error_where_each_needs_a_file(tmp_path):
    (tmp_path / "t.jsonl").write_text('{"id": "t.jsonl", "text": "a"}\n')
    (item,) = read_items([tmp_path / "t.jsonl"], unique=True)
    assert "name of the table" in item.error


def test_a_packed_text_is_one_document(tmp_path):
    with gzip.open(tmp_path / "log.txt.gz", "wb") as out:
        out.write(b"a line\n")
    (item,) = read_items([tmp_path / "log.txt.gz"])
    assert (item.id, item.data, item.name) == ("log.txt.gz/log.txt", b"a line\n", "log.txt")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads everything")
def test_a_file_that_may_not_be_read_is_an_item_with_an_error(tmp_path):
    write(tmp_path, ["a.md", "b.md"])
    (tmp_path / "a.md").chmod(0)
    one, two = read_items([tmp_path])
    assert "cannot be read" in one.error
    assert two.data == b"b.md"


def test_a_line_that_is_too_long_is_skipped_to_its_end(monkeypatch):
    monkeypatch.setattr(tables, "_LONGEST", 30)
    lines = b'{"text": "a"}\n{"text": "' + b"x" * 200 + b'"}\n{"text": "b"}\n'
    rows = list(tables.json_rows(io.BytesIO(lines), tables.Columns(), "it"))
    assert [(row.text, bool(row.error)) for row in rows] == [("a", False), ("", True), ("b", False)]
