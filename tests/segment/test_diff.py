import re

import pytest

from gliding import Compressor
from gliding.assemble import Assembler
from gliding.segment import segment
from gliding.segment.diff import cut_diff
from gliding.types import Document

WORDS = "alpha beta gamma delta epsilon zeta".split()


def file(name, hunks):
    parts = [f"diff --git a/{name} b/{name}\nindex 0a1b2c3..4d5e6f7 100644\n--- a/{name}\n+++ b/{name}"]
    for at, word in hunks:
        parts.append(f"@@ -{at},4 +{at},4 @@ def f():\n one\n two\n-the old {word}\n+the new {word}\n \n")
    return "\n".join(part.rstrip("\n") if k == 0 else part for k, part in enumerate(parts)).replace("\n\n@@", "\n@@")


PATCH = (
    "commit 0a1b2c3\nAuthor: R\n\n    Say it plainly\n\n"
    + file("src/pump.py", [(10, "valve"), (40, "seal")])
    + "diff --git a/old.bin b/new.bin\nsimilarity index 100%\nrename from old.bin\nrename to new.bin\n"
    + file("docs/a b.md", [(1, "gate")])
)


def parts(text, **options):
    return [text[slice(*part.span)] for part in cut_diff(text, 0, max_chars=400, **options)]


def test_hunks_stand_under_the_header_of_their_file():
    cut = cut_diff(PATCH, 0, max_chars=400)
    assert [part.kind for part in cut] == ["paragraph", "paragraph", *["record"] * 4]
    assert [PATCH[slice(*part.frame.opening)].split("\n")[-1] for part in cut if part.frame] == [
        "+++ b/src/pump.py",
        "+++ b/src/pump.py",
        "+++ b/docs/a b.md",
    ]
    assert parts(PATCH)[2].startswith("@@ -10,4 +10,4 @@")
    assert (
        parts(PATCH)[4]
        == "diff --git a/old.bin b/new.bin\nsimilarity index 100%\nrename from old.bin\nrename to new.bin"
    )


def test_all_of_it_is_the_diff_and_one_hunk_is_a_diff_of_its_file():
    document = Document(text=PATCH)
    cut = cut_diff(PATCH, 0, max_chars=400)
    join = Assembler([document], cut).text
    count = sum(len(part.sentences) for part in cut)
    assert join(range(count)) == PATCH.rstrip("\n")
    only = join([next(k for k, text in enumerate(parts(PATCH), start=1) if "seal" in text)])
    assert only.startswith("diff --git a/src/pump.py")
    assert "+the new seal" in only
    assert "valve" not in only


def test_lines_of_a_hunk_that_look_like_headers_stay_in_it():
    text = "--- a/x.sql\n+++ b/x.sql\n@@ -1,3 +1,3 @@\n one\n--- an old comment\n+++ a new one\n two\n"
    assert parts(text) == [text[text.index("@@") :].rstrip("\n")]


def test_a_hunk_that_breaks_off_ends_there_and_no_newline_goes_with_it():
    text = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-a\n+b\n\\ No newline at end of file\n"
    assert parts(text, sure=True) == [text[text.index("@@") :].rstrip("\n")]


@pytest.mark.parametrize("text", ["", "no diff", "@@ -1 +1 @@", "He said @@ -1,2 +1,2 @@ twice.\n" * 9])
def test_no_diff(text):
    assert cut_diff(text, 0, max_chars=400) is None


def test_a_text_that_quotes_a_diff_is_none_unless_it_is_named_one():
    text = "Look at this.\n\n" + "A line of prose that goes on.\n" * 40 + PATCH
    assert cut_diff(text, 0, max_chars=400) is None
    assert cut_diff(text, 0, max_chars=400, sure=True)


@pytest.mark.parametrize("rate", [0.2, 0.4, 0.7])
def test_what_comes_out_of_the_compressor_is_hunks_of_the_diff(rate):
    text = "".join(
        file(f"src/{name}.py", [(9 * k + 1, f"{name} {word}") for k, word in enumerate(WORDS)])
        for name in ("pump", "gate", "seal")
    )
    out = Compressor.from_preset("edge").compress(text, query="What changed in the seal delta?", rate=rate).text
    assert "+++ b/src/seal.py" in out
    assert "+the new seal delta" in out
    for hunk in re.findall(r"^@@ .*?(?=^@@|^diff|\Z)", out, re.M | re.S):
        assert hunk.rstrip() in text
    assert all(part.kind == "record" for part in segment([Document(text=text)]))
