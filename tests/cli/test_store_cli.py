"""``gliding store``: add, search, compress, look after a corpus; results on stdout, all else on stderr."""

import json

import pytest
from typer.testing import CliRunner

from gliding.cli.main import app

TEXT = "# Pumps\n\nThe pump failed at noon, since a seal was worn.\n\n# Food\n\nLunch was soup. The cook was late.\n"


def gliding(*arguments):
    return CliRunner().invoke(app, ["store", *map(str, arguments)], catch_exceptions=False)


@pytest.fixture
def store(tmp_path):
    docs = tmp_path / "docs"
    (docs / "deep").mkdir(parents=True)
    for name in ("a.md", "deep/b.md"):
        (docs / name).write_text(TEXT + f"This is {name}.\n")
    (docs / "bad.bin").write_bytes(bytes(range(256)) * 20)
    (docs / "rows.jsonl").write_text('{"id": "r1", "text": "A valve of Oslo leaks."}\n')
    done = gliding("add", tmp_path / "s", docs, "--glob", "*.md", "-p", "edge")
    assert done.exit_code == 0, done.stderr
    assert "2 added, 0 replaced, 0 unchanged" in done.stderr
    assert done.stdout == ""
    return tmp_path / "s"


def test_what_was_added_is_found_and_told_with_its_place(store):
    found = gliding("search", store, "Why did the pump fail?", "-k", 2)
    assert found.exit_code == 0
    lines = found.stdout.splitlines()
    assert [line.split(":")[0] for line in lines] == ["a.md", "deep/b.md"]
    assert "The pump failed at noon" in lines[0]
    hits = json.loads(gliding("search", store, "pump", "--json").stdout)
    start, end = hits[0]["span"]
    assert (TEXT + "This is a.md.\n")[start:end] == hits[0]["text"]


def test_an_answer_goes_to_stdout_and_its_places_to_stderr(store):
    answer = gliding("compress", store, "Why did the pump fail?", "-n", 30)
    assert answer.exit_code == 0
    assert "since a seal was worn" in answer.stdout
    assert "a.md: " in answer.stderr
    assert "tokens" in answer.stderr
    as_json = gliding("compress", store, "Why did the pump fail?", "-n", 30, "--json", "--quiet")
    assert as_json.stderr == ""
    values = json.loads(as_json.stdout)
    assert values["text"] == answer.stdout
    assert values["documents"][0] == "a.md"
    for cited in values["cited"]:
        start, end = cited["span"]
        assert not cited["exact"] or TEXT[start:end] == values["text"][slice(*cited["output"])]


def test_rows_are_documents_and_what_cannot_be_read_is_told(store, tmp_path):
    done = gliding(
        "add", store, tmp_path / "docs" / "rows.jsonl", tmp_path / "docs" / "bad.bin", tmp_path / "docs" / "a.md"
    )
    assert done.exit_code == 2
    assert "failed: bad.bin" in done.stderr
    assert "1 added, 0 replaced, 1 unchanged" in done.stderr
    assert "1 documents could not be read" in done.stderr
    assert gliding("search", store, "Oslo").stdout.startswith("r1:0-22\t")
    assert "1 removed" in gliding("remove", store, "r1", "nobody").stderr
    assert gliding("search", store, "Oslo").stdout == ""


def test_a_store_is_looked_after(store):
    assert gliding("check", store).stdout == "whole\n"
    facts = json.loads(gliding("info", store, "--json").stdout)
    assert (facts["documents"], facts["preset"], facts["embedder"]) == (2, "edge", "")
    assert "documents   2" in gliding("info", store).stdout
    assert "MB after" in gliding("compact", store).stderr
    rebuilt = gliding("rebuild", store)
    assert rebuilt.exit_code == 0
    assert "2 documents" in rebuilt.stderr


def test_errors_have_their_codes_and_the_next_step(store, tmp_path):
    nowhere = gliding("search", tmp_path / "nowhere", "x")
    assert nowhere.exit_code == 10
    assert "hint: Run: gliding store add" in nowhere.stderr
    assert gliding("search", store, " ").exit_code == 2
    assert gliding("add", store, tmp_path / "missing").exit_code == 2
    data = bytearray((store / "store.sqlite").read_bytes())
    data[4096:12288] = b"\xa5" * 8192
    (store / "store.sqlite").write_bytes(data)
    broken = gliding("check", store)
    assert broken.exit_code == 10
    assert "hint: Run: gliding store rebuild" in broken.stderr
