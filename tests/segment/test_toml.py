"""TOML, INI and .env: pairs under their headers, and what is taken for which by its content."""

import pytest

from gliding.assemble import Assembler
from gliding.segment import segment
from gliding.segment.toml import cut_ini, cut_toml, is_ini, is_toml
from gliding.select.frames import needs
from gliding.types import Document

PROJECT = """\
# about
title = "x"

# loose

[tool.a] # here
# the list
list = [
  "one", # [
  'two',
]
text = \"\"\"
[no.table]
a = 1\"\"\"
on = 1979-05-27 07:32:00

[[part]]
name = "p1"
size.x = 1
[part.more]
deep = true
[[part]]
name = "p2"
"""


def kept(text, *wanted, cut=cut_toml, max_chars=10):
    """The output where the sentences that hold these texts are kept, with all that they need."""
    segments = cut(text, 0, max_chars=max_chars)
    spans = [text[a:b] for part in segments for a, b in part.sentences]
    chosen = [next(k for k, span in enumerate(spans) if word in span) for word in wanted]
    return Assembler([Document(text=text)], segments).join(sorted(needs(segments).along(chosen))).text


def test_a_pair_stands_under_its_header_and_comments_with_what_is_below():
    assert kept(PROJECT, "07:32") == "[tool.a] # here\non = 1979-05-27 07:32:00"
    assert kept(PROJECT, "'two'") == "[tool.a] # here\n# the list\nlist = [\n  \"one\", # [\n  'two',\n]"
    assert kept(PROJECT, "title", "# loose") == '# about\ntitle = "x"\n\n# loose'


def test_a_string_over_several_lines_is_whole():
    assert kept(PROJECT, "no.table") == '[tool.a] # here\ntext = """\n[no.table]\na = 1"""'


def test_a_table_of_an_element_has_the_element_and_its_first_pair_above_it():
    assert kept(PROJECT, "deep") == '[[part]]\nname = "p1"\n[part.more]\ndeep = true'
    assert kept(PROJECT, "size.x") == '[[part]]\nname = "p1"\nsize.x = 1'
    assert kept(PROJECT, "p2", "deep").endswith('deep = true\n[[part]]\nname = "p2"')


def test_a_header_with_nothing_below_is_a_sentence():
    text = "[a]\n[b]\nx = 1\n[[c]]\n[c.d]\ny = 1\n[[c]]\n"
    assert kept(text, "[a]") == "[a]"
    assert kept(text, "y = 1") == "[[c]]\n[c.d]\ny = 1"
    assert kept(text, "[a]", "x = 1", "y = 1", "[[c]]") == text.rstrip("\n")


def test_a_table_that_lies_between_an_element_and_its_own_is_not_cut():
    assert cut_toml("[[x]]\na = 1\n[other]\nb = 1\n[x.y]\nc = 1\n", 0, max_chars=10) is None
    assert cut_toml("[[x]]\n[other]\nb = 1\n[x.y]\nc = 1\n", 0, max_chars=10) is None


@pytest.mark.parametrize(
    ("text", "toml", "ini"),
    [
        (PROJECT, True, False),
        ("[core]\n\tbare = false\n\tname = my repo\n[user]\n\tname = x\n", False, True),
        ("[options]\nrequires =\n    a\n    # why\n    b>=1\nzip = no\n", False, True),
        ("; c\n[a]\nb = c ; d\n", False, True),
        ("A=1\nexport B=two words\nC=\n", False, True),
        ("spring.name=x\nspring.port = 80\nlog.level=INFO here\n", False, True),
        ("A = x\nB = y\nC = z\n", False, False),
        ("level=info msg=hi\nlevel=warn msg=ho\nlevel=info msg=x\n", False, False),
        ("[00:01]\nRuth: hello\n[00:05]\nBen: hi\n", False, False),
        ("[1] As was shown = known.\n", False, False),
        ("a = [1, 2\nb = 2\nc = 3\n", False, False),
        ('a = "open\nb = 2\nc = 3\n', False, False),
        ("A sentence.\n", False, False),
        ("", False, False),
    ],
)
def test_what_is_taken_for_toml_or_settings_by_its_content(text, toml, ini):
    assert is_toml(text) is toml
    assert is_ini(text) is ini or toml
    framed = any(part.frame is not None for part in segment([Document(text=text)]))
    assert framed is (toml or ini)


def test_lines_that_go_on_stay_with_their_setting():
    text = "[options]\nrequires =\n    a\n    # why\n\n    b>=1\nzip = no\nlong = 1 \\\n2\n"
    assert kept(text, "b>=1", cut=cut_ini) == "[options]\nrequires =\n    a\n    # why\n\n    b>=1"
    assert kept(text, "long", cut=cut_ini) == "[options]\nlong = 1 \\\n2"


def test_the_kind_or_the_name_is_enough():
    text = 'a = "x"\n'
    assert segment([Document(text=text + "\n")])[0].frame is None
    assert segment([Document(text=text, kind="toml")])[0].frame is not None
    assert segment([Document(text=text, id="x.toml")])[0].frame is not None


def test_settings_can_be_said_to_be_settings():
    text = "b = c\n"
    assert segment([Document(text=text)])[0].frame is None
    assert segment([Document(text=text, kind="ini")])[0].frame is not None
