from __future__ import annotations

import time

import pytest

from gliding.ingest.kinds import is_html_page, kind_of
from gliding.text.languages import language_of

PY = "import os\n\n\ndef f(x):\n    return os.path.join(x)\n"
MAIL = "From: Ruth <r@x.org>\nTo: Igor\nSubject: Hi\n\nText.\n"
DIFF = "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n-a\n+b\n"
LOG = "".join(f"2024-05-11 03:00:0{k},817 INFO step {k} done\n" for k in range(6))


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("", "", "prose"),
        ("  \n", "a.csv", "csv"),
        ("<!-- x --><!doctype html><p>a", "a.txt", "html"),
        ("<p>a</p><p>b</p>", "", "html"),
        ("<p align=center><b>Tool</b></p>\n\n# Tool\n\nText one.\n\nText two.\n", "README.md", "markdown"),
        ("Use the <b>bold</b> tag.", "", "prose"),
        ("# Title\n\nText.\n\n```html\n<p>a</p>\n```\n", "", "markdown"),
        ('{"a": [1, 2]}', "", "json"),
        ('{"a": [1, 2]}', "wrong.html", "json"),
        ('{"a": 1}\n{"a": 2}\n{"a": 3}\n', "", "jsonl"),
        ('{"a": 1}\n{"a": 2}\n{"a": 3', "", "jsonl"),
        ('[{"role": "user", "content": "a"}]', "a.json", "messages"),
        ('{"messages": [{"role": "user", "content": "a"}]}', "", "messages"),
        ('[{"role": "admin", "user": "a"}]', "", "json"),
        ("[" * 100_000, "", "prose"),
        ("[1] A reference that starts with a bracket.", "", "prose"),
        ("name: x\nsteps:\n  - run: a\n  - run: b\n", "", "yaml"),
        ("Note: this is prose.\nAnd it goes on. It ends here.\n", "", "prose"),
        ("[tool.x]\na = 1\nb = 'c'\n", "", "toml"),
        ("a,b\n1,2\n3,4\n", "", "csv"),
        ("a\tb\n1\t2\n", "", "tsv"),
        ("First, we met. Then, we ate.\nNext, we left. Later, we slept.\nSo, it ended. And, well.\n", "", "prose"),
        (DIFF, "", "diff"),
        (LOG, "a.txt", "log"),
        ("src/a.c:12: int x, y\nsrc/a.c:19: int z, w\nsrc/b.c:1: int q, r\n", "", "log"),
        (PY, "", "code"),
        ("x = 1", "a.py", "code"),
        (MAIL, "", "mail"),
        ("From: the very start\nit was prose, with a colon.\n", "", "prose"),
        ("Subject: only one header\n\nText", "", "prose"),
        ("He came. He saw.", "note.eml", "prose"),
        ("一。二。三。", "", "prose"),
    ],
)
def test_kinds(text, name, kind):
    assert kind_of(text, name=name) == kind


def test_deep_and_large_json():
    deep = "[" * 5_000 + "]" * 5_000
    assert kind_of(deep) == "json"
    assert kind_of('[{"a": "' + "x" * 3_000_000 + '"}]') == "json"


def test_a_large_text_costs_no_more_than_its_sample():
    started = time.process_time()
    for text in ("a" * 20_000_000, "x, " * 5_000_000, "<!--" * 2_000_000, ": " * 5_000_000, "\n" * 10_000_000):
        kind_of(text)
    assert time.process_time() - started < 8


def test_pages_and_languages():
    assert is_html_page(" \n<html><body>")
    assert not is_html_page("a <html> tag")
    assert language_of(PY) == "python"
    assert language_of("package main\n\nfunc main() {\n}\n") == "go"
    assert language_of("fn main() {\n}\nuse std::io;\n") == "rust"
    assert language_of("x", name="a.TS") == "typescript"
    assert language_of("Nothing of the kind.") == ""
