from __future__ import annotations

import io
import json
import os
import sys
import threading
from datetime import date, datetime, timezone
from pathlib import Path

import pytest

from gliding.errors import InputError
from gliding.ingest.sources import guess_kind, read, read_bytes, read_paths
from gliding.types import Document


def test_a_string_is_text_even_where_it_names_a_file(tmp_path, monkeypatch):
    (tmp_path / "a.txt").write_text("inside")
    monkeypatch.chdir(tmp_path)
    assert read("a.txt") == (Document(text="a.txt"),)
    assert read(Path("a.txt")) == (Document(text="inside", id="a.txt"),)


def test_one_of_each(tmp_path):
    path = tmp_path / "b.md"
    path.write_bytes(b"# B\r\n")
    given = Document(text="d", title="D", criticality=0.5)
    documents = read(iter(["s", path, b"caf\xe9 b", given, {"text": "m"}]))
    assert [d.text for d in documents] == ["s", "# B\r\n", "café b", "d", "m"]
    assert documents[1] == Document(text="# B\r\n", id=str(path), title=str(path), kind="markdown")
    assert documents[3] is given
    assert read(given) == (given,)
    assert read([]) == ()


def test_mapping_keys():
    passage = {
        "text": "t",
        "id": 7,
        "title": "T",
        "role": "user",
        "time": 1.5,
        "turn": 3,
        "kind": "log",
        "criticality": 1,
    }
    expected = Document(text="t", id="7", title="T", role="user", time="1.5", turn="3", kind="log", criticality=1.0)
    assert read(passage) == (expected,)
    assert read({**passage, "score": 0.3, "metadata": {"a": 1}}) == (expected,)
    assert read({"content": "c", "title": None, "criticality": None}) == (Document(text="c"),)
    assert read({"text": None, "content": "c"})[0].text == "c"
    assert read({"text": "t", "content": "c"})[0].text == "t"


def test_times_are_iso():
    when = datetime(2024, 2, 29, 23, 59, 59, tzinfo=timezone.utc)
    assert [d.time for d in read([{"text": "", "time": when}, {"text": "", "time": date(2024, 3, 1)}])] == [
        "2024-02-29T23:59:59+00:00",
        "2024-03-01",
    ]


def test_kind_is_for_those_without_one():
    documents = read(
        ["a", Document(text="b", kind="code"), Document(text="c"), {"text": "d", "kind": "log"}], kind="prose"
    )
    assert [d.kind for d in documents] == ["prose", "code", "prose", "log"]


def test_lone_surrogates_are_kept():
    assert read("a\ud800")[0].text == "a\ud800"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (3, "The source is of type int"),
        (None, "The source is None"),
        (["a", 3], "Item 1 of the source is of type int"),
        ([["a"]], "Item 0 of the source is of type list"),
        ({"id": "x"}, "'text' is missing"),
        ([{}, {}], "Item 0 of the source: 'text' is missing"),
        ({"content": [{"type": "text"}]}, "'content' is of type list"),
        ({"text": None}, "'text' is None"),
        ({"text": "t", "title": 5}, "'title' is of type int"),
        ({"text": "t", "turn": True}, "'turn' is of type bool"),
        ({"text": "t", "turn": date(2024, 1, 1)}, "'turn' is of type date"),
        (["a", {"text": "t", "criticality": 1.5}], "Item 1 of the source: 'criticality' is 1.5"),
        ({"text": "t", "criticality": float("nan")}, "'criticality' is nan"),
        ({"text": "t", "criticality": "high"}, "'criticality' is 'high'"),
        ([Document(text="t", criticality=-1)], "Item 0 of the source: 'criticality' is -1"),
        (Document(text=b"t"), "'text' is of type bytes"),
        (["fine", b"\x00"], "Item 1 of the source is binary"),
    ],
)
def test_wrong_values_are_named(source, message):
    with pytest.raises(InputError, match=message) as caught:
        read(source)
    assert caught.value.hint


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(InputError, match="no file"):
        read(tmp_path / "missing.txt")
    with pytest.raises(InputError, match="is a folder") as caught:
        read_paths([tmp_path])
    assert "*.txt" in caught.value.hint
    with pytest.raises(InputError, match="cannot be read"):
        read(Path("a\x00b"))
    with pytest.raises(InputError, match="neither a file nor a pipe"):
        read(Path("/dev/zero"))


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads everything")
def test_a_file_without_permission(tmp_path):
    path = tmp_path / "secret.txt"
    path.write_text("x")
    path.chmod(0)
    with pytest.raises(InputError, match="cannot be read"):
        read(path)


def test_a_pipe_is_read(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=(b"through a pipe",))
    writer.start()
    assert read(path)[0].text == "through a pipe"
    writer.join()
    assert read(Path(os.devnull))[0].text == ""


def test_read_paths_and_standard_input(tmp_path, monkeypatch):
    path = tmp_path / "x.log"
    path.write_text("line\n")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"caf\xc3\xa9")))
    assert read_paths(["-"]) == (Document(text="café", id="standard input"),)
    assert read_paths([str(path)]) == (Document(text="line\n", id=str(path), kind="log"),)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"in")))
    first, second = read_paths([path, "-"])
    assert (first.title, second.title, second.text) == (str(path), "standard input", "in")
    with pytest.raises(InputError, match="named twice"):
        read_paths(["-", "-"])
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(InputError, match="closed"):
        read_paths(["-"])


def test_read_bytes_and_kinds():
    assert read_bytes(b"x = 1", name="m.py") == (Document(text="x = 1", id="m.py", kind="code"),)
    assert read_bytes(b"x", name="m.py", kind="prose")[0].kind == "prose"
    assert [guess_kind(n) for n in ("a.MD", "b.log", "c.txt", "", ".md", "x.tar.gz")] == [
        "markdown",
        "log",
        "",
        "",
        "",
        "",
    ]


CALL = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}


@pytest.mark.parametrize(
    "messages",
    [
        [
            {"role": "assistant", "content": None, "tool_calls": [CALL]},
            {"role": "tool", "tool_call_id": "c1", "content": "7"},
        ],
        [{"role": "user", "content": [{"type": "text", "text": "Grüße"}]}],
    ],
)
def test_messages_that_call_tools_or_hold_blocks_are_one_chat(messages):
    (document,) = read(messages)
    assert document.kind == "messages"
    assert json.loads(document.text) == messages


def test_messages_that_are_no_json_say_so():
    with pytest.raises(InputError, match="no JSON"):
        read([{"role": "user", "content": [{"type": "image", "data": b"raw"}]}])
