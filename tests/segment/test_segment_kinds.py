"""How documents of each kind are cut."""

from __future__ import annotations

import time

import pytest

from gliding.segment import segment
from gliding.segment.lines import form
from gliding.types import Document, Segment


def cut(text: str, **fields: str) -> list[tuple[str, str]]:
    return [(part.kind, text[slice(*part.span)]) for part in parts(text, **fields)]


def parts(text: str, **fields: str) -> list[Segment]:
    return segment([Document(text=text, **fields)])  # type: ignore[arg-type]


def sentences(text: str, part: Segment) -> list[str]:
    return [text[a:b] for a, b in part.sentences]


MARKDOWN = """# Report

First paragraph. It has two sentences.

## Scores

| name | score |
|---|---|
| Ada | 12 |

- one item
  goes on
- another

> quoted line
> and one more

```python
x = 1

y = 2
```

Setext
------
Last words.
"""


def test_markdown() -> None:
    assert cut(MARKDOWN) == [
        ("heading", "# Report"),
        ("paragraph", "First paragraph. It has two sentences."),
        ("heading", "## Scores"),
        ("table", "| Ada | 12 |"),
        ("item", "- one item\n  goes on"),
        ("item", "- another"),
        ("paragraph", "> quoted line\n> and one more"),
        ("fence", "x = 1\n\ny = 2"),
        ("heading", "Setext\n------"),
        ("paragraph", "Last words."),
    ]


def test_headings_are_known_below_them() -> None:
    found = parts(MARKDOWN)
    assert [part.heading for part in found] == [-1, 0, 0, 2, 2, 2, 2, 2, 2, 8]
    assert [part.level for part in found if part.kind == "heading"] == [1, 2, 2]
    twice = segment([Document(text=MARKDOWN), Document(text=MARKDOWN)])
    assert [part.heading for part in twice[10:]] == [-1, 10, 10, 12, 12, 12, 12, 12, 12, 18]


def test_lines_of_tables_fences_and_quotes_are_sentences() -> None:
    by_kind = {part.kind: sentences(MARKDOWN, part) for part in parts(MARKDOWN)}
    assert by_kind["table"] == ["| Ada | 12 |"]
    assert by_kind["fence"] == ["x = 1", "y = 2"]


def test_heads_of_tables_and_marks_of_fences_stand_around_the_lines() -> None:
    frames = {part.kind: part.frame for part in parts(MARKDOWN) if part.frame is not None}
    around = {kind: (MARKDOWN[slice(*f.opening)], MARKDOWN[slice(*f.closing)]) for kind, f in frames.items()}
    assert around == {"table": ("| name | score |\n|---|---|", ""), "fence": ("```python", "```")}
    assert all(part.frame is None for part in segment([Document(text=MARKDOWN)], plain={0}))


@pytest.mark.parametrize(
    "text", ["Text.\n\n```\nopen", "Text.\n\n```", "Text.\n\n```\n```\n", "| a |\n|---|", "|---|\n| a |"]
)
def test_nothing_of_an_unfinished_fence_or_table_is_lost(text: str) -> None:
    kept = [text[slice(*span)] for part in parts(text) for span in part.sentences]
    kept += [text[slice(*part.frame.opening)] for part in parts(text) if part.frame]
    assert sorted(" ".join(kept).split()) == sorted(text.split())


def test_plain_headings() -> None:
    text = (
        "3.2 Cooling loop\n\nIt was replaced.\n\nRISK FACTORS\n\nThere are many.\n\nThis is not one.\n\n1990 was wet.\n"
    )
    assert [kind for kind, _ in cut(text)] == ["heading", "paragraph", "heading"] + ["paragraph"] * 3
    assert [part.level for part in parts(text)][:3] == [2, 0, 1]


def test_wrapped_prose_is_one_paragraph() -> None:
    text = "The gate was moved on the first\nday, and Igor wrote it down. On\nMonday it passed the test again.\n"
    (only,) = parts(text)
    assert only.kind == "paragraph"
    assert sentences(text, only) == [
        "The gate was moved on the first\nday, and Igor wrote it down.",
        "On\nMonday it passed the test again.",
    ]


def test_long_lines_are_paragraphs() -> None:
    line = "The gate was moved on the first day, and Igor wrote it down for the night shift. " * 4
    assert len(parts(f"{line}\n{line}\n{line}")) == 3


def test_log_lines() -> None:
    text = "".join(f"2024-05-11 03:00:0{i},817 INFO worker-{i} done. Next. 5 ms\n" for i in range(9))
    found = parts(text)
    assert [part.kind for part in found] == ["line"] * 9
    assert all(len(part.sentences) == 1 for part in found)


def test_forms() -> None:
    assert form("src/a.c:1:  if (x)\nsrc/b.c:2:  if (y)\nsrc/c.c:3:  if (z)\n") == "lines"
    assert form("import os\n\n\ndef f(x):\n    y = x + 1\n    return y\n") == "code"
    assert form("A plain text.\nIt has three lines.\nAll end like prose.\n") == "prose"
    assert form("On Monday the import of parts was stopped.\n" * 20) == "prose"
    ci = [
        "$ npm test",
        "npm WARN old",
        "Fetching: rake-12.gem",
        "gcc version 5",
        "  ok 12",
        "Done",
        "travis_fold:end",
        "v8",
    ]
    assert form("\n".join(ci * 3)) == "lines"


def test_code_is_cut_at_blank_lines() -> None:
    text = "use os;\n\n\nfn f(x: i32) {\n    let y = x + 1;\n    return y;\n}\n\n\nfn g(x: i32) {\n    f(x);\n}\n"
    found = parts(text)
    assert [part.kind for part in found] == ["fence"] * 3
    assert sentences(text, found[1]) == ["fn f(x: i32) {", "let y = x + 1;", "return y;", "}"]


def test_a_role_makes_one_turn_but_for_what_stands_in_a_frame() -> None:
    text = "Hello there. I have a question.\n\n- one\n- two\n\n```\na. B\n```"
    turn, fence = parts(text, role="user")
    assert turn.kind == "turn"
    assert sentences(text, turn) == ["Hello there.", "I have a question.", "- one", "- two"]
    assert (fence.kind, sentences(text, fence)) == ("fence", ["a. B"])
    (turn,) = segment([Document(text=text, role="user")], plain={0})
    assert sentences(text, turn)[4:] == ["```", "a. B", "```"]


def test_tool_output_turn_has_lines() -> None:
    text = "\n".join(f"{n}:    x = {n}. Y" for n in range(20))
    (turn,) = parts(text, role="tool")
    assert len(turn.sentences) == 20


def test_a_passage_is_one_paragraph() -> None:
    text = "First line of it\nSecond line. More.\nThird"
    (only,) = parts(text, title="Kept")
    assert only.kind == "paragraph"
    assert len(segment([Document(text=text), Document(text=text)])) == 2


def test_the_kind_that_is_given_is_used() -> None:
    text = "One. Two.\nThree. Four."
    assert [kind for kind, _ in cut(text, kind="log")] == ["line", "line"]
    assert [kind for kind, _ in cut(text, kind="prose")] == ["paragraph"]
    assert [kind for kind, _ in cut(text, kind="code")] == ["fence"]


def test_records_that_come_one_by_one_are_lines() -> None:
    found = segment([Document(text=f"hostname: fe{n}.gce x. Y") for n in range(20)])
    assert {part.kind for part in found} == {"line"}
    assert all(len(part.sentences) == 1 for part in found)
    prose = segment([Document(text=f"The gate {n} was moved. Nobody saw it.") for n in range(20)])
    assert {part.kind for part in prose} == {"paragraph"}
    assert all(len(part.sentences) == 2 for part in prose)


def test_mail() -> None:
    text = "From: Ruth\nSubject: crane permit\n\nIt ends on 30 April.\n\n"
    text += "> On Monday it was moved.\n> It is late.\n\n-- \nRuth Amadi\n"
    assert [kind for kind, _ in cut(text)] == ["paragraph"] * 4
    assert sentences(text, parts(text)[0]) == ["From: Ruth", "Subject: crane permit"]
    assert sentences(text, parts(text)[2]) == ["> On Monday it was moved.", "> It is late."]


def test_blank_documents_have_no_segments() -> None:
    assert segment([]) == []
    assert segment([Document(text=""), Document(text=" \n\t\n"), Document(text="\n", role="user")]) == []


def test_many_short_documents_are_cheap() -> None:
    documents = [Document(text=f"2024-05-11 03:00:00 INFO worker {n} handled it") for n in range(2000)]

    def seconds() -> float:
        start = time.process_time()
        assert len(segment(documents)) == 2000
        return time.process_time() - start

    # The best of several runs: whatever else the process tidies up slows any one of them.
    assert any(seconds() < 0.2 for _ in range(5))


def test_large_documents_take_linear_time() -> None:
    for text in ("word " * 200_000, "A short line. Next\n" * 25_000, "- item\n" * 25_000, "a | b\n" * 25_000):
        start = time.process_time()
        segment([Document(text=text)])
        assert time.process_time() - start < 4


def test_lines_alike_are_lines_without_a_time_or_a_level() -> None:
    lines = [f"worker took job {n * 13} from queue {'red' if n % 2 else 'blue'} and finished it" for n in range(20)]
    assert form("\n".join(lines)) == "lines"
    found = parts("\n".join(lines))
    assert [part.kind for part in found] == ["line"] * 20
    assert form("\n".join(f"- step {n} is done" for n in range(20))) == "prose"


def test_a_line_that_goes_on_after_a_backslash_is_one_sentence() -> None:
    text = "FROM debian\nRUN apt-get update && \\\n    apt-get install -y gcc \\\n    make\nCMD make\n"
    (found,) = segment([Document(text=text, kind="code")])
    assert sentences(text, found) == [
        "RUN apt-get update && \\\n    apt-get install -y gcc \\\n    make",
        "CMD make",
    ]
