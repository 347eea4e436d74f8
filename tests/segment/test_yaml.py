"""YAML: where its parts stand, what they need, and what is taken for YAML."""

import time

import pytest

from gliding.assemble import Assembler
from gliding.segment import segment
from gliding.segment.yaml import cut_yaml, is_yaml
from gliding.select.frames import needs
from gliding.types import Document

WORKFLOW = """\
# Licence: free
# for all

name: checks
on:
  push:
    branches: [main]

jobs:
  # runs on each push
  test:
    runs-on: ubuntu
    steps:
    - uses: checkout
      with:
        depth: 1
    - name: Test it
      run: |
        make all

        make test
"""


def parts(text, max_chars=20):
    return cut_yaml(text, 0, max_chars=max_chars)


def kept(text, *wanted, max_chars=1):
    """The output where the sentences that start with these texts are kept, with all that they need."""
    segments = parts(text, max_chars)
    spans = [text[a:b] for part in segments for a, b in part.sentences]
    chosen = [next(k for k, span in enumerate(spans) if span.startswith(start)) for start in wanted]
    joined = Assembler([Document(text=text)], segments).join(sorted(needs(segments).along(chosen)))
    return joined.text


def padded(text):
    """A text with a member so long that a part of a short text is not the whole of it."""
    return text + "long: " + "x" * 4000 + "\n"


def test_a_kept_line_has_the_keys_above_it_and_their_comments():
    text = padded(WORKFLOW.replace("ubuntu", "ubuntu-" + "x" * 400))
    assert kept(text, "runs-on", max_chars=400).startswith("jobs:\n  # runs on each push\n  test:\n    runs-on: ubuntu")


def test_a_record_has_its_dash_and_its_first_member_wherever_a_part_of_it_is():
    text = padded("list:\n-   name: web\n    image: " + "i" * 500 + "\n    port: 80\n-   name: db\n")
    assert kept(text, "port", max_chars=400) == "list:\n-   name: web\n    port: 80"
    (record,) = [part for part in parts(text, 400) if part.lead and len(part.sentences) > 1]
    assert text[slice(*record.frame.name)] == "name: web"


def test_the_dash_stays_where_the_first_member_is_a_mapping_that_goes():
    text = padded("list:\n- first:\n    a: " + "x" * 500 + "\n  other: 1\n")
    assert kept(text, "other", max_chars=400) == "list:\n- \n  other: 1"


def test_lines_of_a_literal_block_stand_behind_their_key_and_the_first_of_them():
    script = "".join(f"    echo {k} {'x' * 30}\n" for k in range(20))
    text = padded("run:\n  script: |2-\n" + script + "  # not a line of it\n  next: 1\n")
    assert kept(text, "echo 7", max_chars=400).splitlines() == [
        "run:",
        "  script: |2-",
        "    echo 0 " + "x" * 30,
        "    echo 7 " + "x" * 30,
    ]


def test_a_deeper_comment_never_becomes_a_line_of_a_block():
    text = padded("a: |\n  one\nb:\n  c: " + "x" * 500 + "\n  # deep\nd: 2\n")
    assert kept(text, "a: |", "d: 2", max_chars=400) == "a: |\n  one\nd: 2"


def test_an_alias_brings_what_it_stands_for_and_nothing_else():
    text = padded(
        "base: &base\n  image: x\nother: &other 1\nsame: *other\nweb:\n  <<: *base\n  run: " + "y" * 500 + "\nlast: 3\n"
    )
    output = kept(text, "web", max_chars=400)
    assert output.startswith("base: &base\n  image: x\nweb:\n  <<: *base\n  run: y")
    assert "other" not in output
    assert kept(text, "last: 3", max_chars=400) == "last: 3"
    assert kept(text, "same", max_chars=400) == "other: &other 1\nsame: *other"


def test_aliases_used_together_bring_each_others_anchors_in_order():
    text = padded("a: &a 1\nb: &b 2\nc: &c 3\nuse: [*a, *c]\n")
    assert kept(text, "use", max_chars=400) == "a: &a 1\nc: &c 3\nuse: [*a, *c]"


def test_documents_keep_their_marker_and_what_they_are():
    one = "kind: Service\nspec:\n  port: 80\n"
    text = padded(one + "---\nkind: Deployment\nmeta:\n  name: x\nspec:\n  image: " + "x" * 500 + "\n  replicas: 3\n")
    assert kept(text, "replicas", max_chars=400) == "---\nkind: Deployment\nspec:\n  replicas: 3"
    text = padded(one + "...\n---\n" + one.replace("80", "81"))
    assert kept(text, "kind: Service", "spec:\n  port: 81", max_chars=400).startswith(
        "kind: Service\n...\n---\nkind: Service"
    )


def test_a_comment_alone_is_never_all_there_is():
    text = padded("# Licence\n# of it\n\n---\nkey:\n  a: " + "x" * 900 + "\nflat: 1\n")
    assert kept(text, "# Licence", max_chars=400) == "# Licence\n# of it\n\n---\nflat: 1"


@pytest.mark.parametrize(
    "text",
    [
        "a: b: c\n",
        "? [1]\n: 2\n",
        "a:\n\tb: 1\n",
        "just words\n",
        "a: [1, 2\n",
        'a: "open\n',
        "  a: 1\nb: 2\n",
        "a: 1\n    b: 2\n",
        "- a\nb: 1\n",
        "%YAML 1.2\na: 1\n--- text\n",
        "a: 1\rb: 2\n",
        "@x: 1\n",
        "",
        "# nothing\n",
    ],
)
def test_what_is_not_surely_understood_is_left_to_others(text):
    assert parts(text) is None


@pytest.mark.parametrize(
    ("text", "so"),
    [
        (WORKFLOW, True),
        ("services:\n  web:\n    image: x\n    ports:\n      - 80:80\n", True),
        ("- name: a\n  vars:\n    x: 1\n- name: b\n", True),
        ("Ruth: hello\nBen: hi\nRuth: how are you?\n", False),
        ("Ruth:\n  Hello there, how are you today?\nBen:\n  I am fine, thank you very much.\n", False),
        ("From: a@b.c\nTo: d@e.f\nSubject: x\n\nHello:\n  all\n", False),
        ("# Head\n\nIt says:\n\n- one\n- two\n", False),
        ("To do today:\n  - buy milk\n  - write home\n", False),
        ("def f():\n    x: int = 1\n    return x\n", False),
        ("a: 1\nb: 2\nc: 3\n", False),
        ("a:\n  b: 1\na:\n  b: 2\n", False),
        ("ERROR: build failed\n  at: line 3\n", False),
        ("---\ntitle: x\ntags:\n  - a\n---\n\nThis is the text of a page.\n", False),
    ],
)
def test_what_is_taken_for_yaml_by_its_content(text, so):
    assert is_yaml(text) is so
    assert any(part.kind == "record" for part in segment([Document(text=text)])) is so


def test_the_kind_or_the_name_is_enough():
    flat = "a: 1\nb: 2\nc: 3\n"
    assert segment([Document(text=flat)])[0].frame is None
    assert segment([Document(text=flat, kind="yaml")])[0].frame is not None
    assert segment([Document(text=flat, id="x/values.yml")])[0].frame is not None
    assert segment([Document(text='{"a":\n [1]}', kind="yaml")])[0].frame.separator == ","


def test_what_stands_for_billions_is_cut_and_never_expanded():
    lines = ["a0: &a0 lol"] + [f"a{k}: &a{k} [{', '.join([f'*a{k - 1}'] * 9)}]" for k in range(1, 40)]
    text = "\n".join(lines) + "\n"
    started = time.process_time()
    segments = parts(text, 400)
    assert time.process_time() - started < 1
    assert [text[slice(*part.span)] for part in segments] == [text.rstrip("\n")]


def test_the_time_is_linear():
    def seconds(records):
        text = "items:\n" + "".join(f"  - name: item{k}\n    ports:\n      - {k}\n" for k in range(records))
        best = []
        for _ in range(3):
            started = time.process_time()
            parts(text, 400)
            best.append(time.process_time() - started)
        return min(best)

    assert seconds(8000) < 12 * seconds(2000)  # were it quadratic, 16
