"""Lines that belong together: subtitles, a warning with its source, hits under their file, clauses, LaTeX, patches."""

from __future__ import annotations

import re

import pytest

from gliding import Compressor, Document
from gliding.errors import BudgetError
from gliding.segment import segment

EDGE = Compressor.from_preset("edge")


def texts(text: str) -> list[str]:
    return [text[slice(*sentence)] for part in segment([Document(text=text)]) for sentence in part.sentences]


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_a_subtitle_is_one(ends: str) -> None:
    cues = [
        f"{n}\n00:00:{n:02d},000 --> 00:00:{n:02d},900\nWe walk past the mill.\nIt is part {n}." for n in range(10, 30)
    ]
    text = "\n\n".join(cues).replace("\n", ends)
    assert texts(text) == [cue.replace("\n", ends) for cue in cues]
    out = EDGE.compress(text, query="part 23", rate=0.2).text
    assert set(out.split(2 * ends)) <= {cue.replace("\n", ends) for cue in cues}
    assert "It is part 23." in out


def test_a_subtitle_of_the_web_may_have_no_number() -> None:
    cues = [f"00:{n}.000 --> 00:{n}.900 line:0\nPart {n} it is." for n in range(10, 20)]
    assert texts("WEBVTT\n\n" + "\n\n".join(cues)) == ["WEBVTT", *cues]


def test_a_warning_has_its_source_with_it() -> None:
    gcc = [
        f"src/f{n}.c:{n}:5: warning: unused 'x{n}'\n   {n} |     int x{n};\n      |         ^~" for n in range(10, 20)
    ]
    clang = ["a.c:3:7: error: use of undeclared 'y'\n  int x = y;\n          ^"]
    rust = ["error[E0382]: borrow of moved value\n --> src/a.rs:4:5\n  |\n4 |     x;\n  |     ^ moved"]
    every = [*gcc, "make: *** [Makefile:12: a.o] Error 1", *clang, *rust]
    assert texts("\n".join(every)) == every


def test_a_hit_stands_under_the_name_of_its_file() -> None:
    hits = {f"src/mod{n}.py": f"{n}:def load_{n}(path):\n{n + 30}-    return load_{n}(p)" for n in range(10, 30)}
    text = "\n\n".join(f"{name}\n{found}" for name, found in hits.items())
    for rate in (0.1, 0.3, 0.5):
        out = EDGE.compress(text, query="where is load_17 defined", rate=rate).text
        assert "src/mod17.py\n17:def load_17(path):" in out
        for block in out.split("\n\n"):
            name, *lines = block.split("\n")
            assert lines
            assert set(lines) <= set(hits[name].split("\n"))
    pin = "load_12(p)\n\nsrc/mod13.py"
    assert pin in EDGE.compress(text, query="load_17", rate=0.3, pins=[pin]).text


def test_a_clause_below_another_brings_that_one() -> None:
    said = ("repair the roof", "keep the garden", "pay the rent")
    clauses = [
        f"{n}. The party named above shall {said[n % 3]}.\n  {n}.1 Costs of {n} are shared.\n  {n}.2 Part {n} is free."
        for n in range(1, 15)
    ]
    out = EDGE.compress("\n".join(clauses), query="Which costs of 6 are shared?", rate=0.3).text
    assert "6.1 Costs of 6" in out
    for number in re.findall(r"(?m)^  (\d+)\.\d", out):
        assert f"{number}. The party" in out


def test_environments_of_latex_stay_balanced() -> None:
    remarks = "\n\n".join(f"Remark {n} is about gardens. It is the {n}th of them." for n in range(30))
    items = "".join(f"\\item The pump of hall {n} is old.\n" for n in range(60))
    text = (
        "\\documentclass{article}\n\\begin{document}\n\\section{Intro}\n"
        + remarks
        + "\n\n\\section{Result}\nThe bound is\n"
        "\\begin{equation}\\label{b}\n  x \\le 4.2\n\\end{equation}\nand holds.\n\n"
        f"\\begin{{itemize}}\n{items}\\end{{itemize}}\n\\end{{document}}\n"
    )
    for query in ("What is the bound x?", "Is the pump of hall 41 old?", "remark 7", ""):
        for rate in (0.05, 0.1, 0.3, 0.6):
            out = EDGE.compress(Document(text=text, id="paper.tex"), query=query, rate=rate).text
            opened: list[str] = []
            for what, name in re.findall(r"\\(begin|end)\{(\w+)\}", out):
                if what == "begin":
                    opened.append(name)
                else:
                    assert opened.pop() == name
            assert not opened
            assert out.startswith("\\documentclass{article}\n\\begin{document}\n")
            assert ("\\item" in out) == ("{itemize}" in out)


def test_who_made_a_patch_and_what_for_leads_it() -> None:
    hunks = "".join(
        f"diff --git a/m{n}.py b/m{n}.py\n--- a/m{n}.py\n+++ b/m{n}.py\n@@ -1,2 +1,2 @@\n-b = {n}\n+b = {n + 1}\n c\n"
        for n in range(30)
    )
    shown = "commit 9f3ab1c7e0\nAuthor: Ada <ada@ex.org>\nDate: 1 May\n\n    Raise the limit\n\n    It was low.\n\n"
    mailed = "From 9f3ab1c7e0 Mon Sep 17 2001\nFrom: Ada <ada@ex.org>\nSubject: [PATCH] Raise the limit\n\nLow.\n---\n"
    for message in (shown, mailed):
        out = EDGE.compress(message + hunks, query="What is b in m17.py?", rate=0.2).text
        assert "Ada <ada@ex.org>" in out
        assert "Raise the limit" in out
        assert "+++ b/m17.py" in out


@pytest.mark.parametrize(
    "text", ["# Heaters\n\nThey are hot.", "- one\n- two", "| a | b |\n| - | - |\n| 1 | 2 |", "```\nx\n```"]
)
def test_what_begins_a_line_in_markdown_stands_below_a_title(text: str) -> None:
    assert EDGE.compress(Document(text=text, title="Heaters & more"), rate=1.0).text == f"[Heaters & more]\n{text}"
    assert EDGE.compress(Document(text="It is.", title="Heaters"), rate=1.0).text == "[Heaters] It is."


def test_room_that_is_left_shows_the_records_beside() -> None:
    text = "id,name,note\n" + "".join(f"{n},Smith,{'refund' if n == 20 else 'fine'} on the line\n" for n in range(40))
    out = EDGE.compress(text, query="Which refund?", rate=0.3)
    kept = [int(line.split(",")[0]) for line in out.text.splitlines()[1:]]
    assert 20 in kept
    assert kept == list(range(min(kept), max(kept) + 1))
    assert out.report.tokens_out > 0.8 * out.report.budget
    assert EDGE.compress(out.text, max_tokens=out.report.budget).text == out.text


def test_an_error_names_the_least_budget_that_fits() -> None:
    source = Document(
        text='[server]\nhost = "a very long host name"\nport = 80\n\n[other]\nport = 8000\nname = "x y z"\n'
    )
    with pytest.raises(BudgetError) as caught:
        EDGE.compress(source, max_tokens=3)
    found = re.search(r"the least is (\d+)", caught.value.message)
    assert found is not None
    least = int(found[1])
    assert f"--max-tokens {least}" in caught.value.hint
    assert EDGE.compress(source, max_tokens=least).tokens <= least
    with pytest.raises(BudgetError):
        EDGE.compress(source, max_tokens=least - 1)
