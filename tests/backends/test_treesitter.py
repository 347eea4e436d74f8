"""Trees of tree-sitter: places are characters, faults are marked, and what is no code is given up in good time."""

from time import perf_counter

import pytest

from gliding.backends import extras, treesitter
from gliding.errors import MissingExtra

try:
    TREES = treesitter.TreeSitter()
except MissingExtra:
    TREES = None
needs_trees = pytest.mark.skipif(TREES is None, reason="needs gliding[code]")


def nodes(node):
    yield node
    for child in node.children:
        yield from nodes(child)


@needs_trees
@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("c", "int a;"), ("cpp", "class A {};"), ("go", "package a\n"), ("java", "class A {}"),
        ("javascript", "let a = <b/>"), ("rust", "fn a() {}"), ("tsx", "let a: b = <c/>"),
        ("typescript", "let a = <b>c"),
    ],
)  # fmt: skip
def test_every_grammar_loads_and_parses(language, text):
    (root,) = TREES.parse([text], language=language)
    assert not root.faulty
    assert (root.start, root.end) == (0, len(text))


@needs_trees
def test_places_are_characters_also_behind_wide_ones():
    text = "let é = '泵😀\ud800';\nlet next = 1;"
    (root,) = TREES.parse([text], language="javascript")
    assert [text[child.start : child.end] for child in root.children] == ["let é = '泵😀\ud800';", "let next = 1;"]


@needs_trees
def test_faults_are_marked_from_the_top_down():
    (root,) = TREES.parse(["int a; int b = ;"], language="c")
    assert root.faulty
    assert [child.faulty for child in root.children][:1] == [False]
    assert any(node.wrong for node in nodes(root))
    assert any(not node.named for node in nodes(root))


@needs_trees
def test_a_batch_gives_each_text_its_own_tree():
    found = TREES.parse(["int a;", "int b; int c;"], language="c")
    assert [len(root.children) for root in found] == [1, 2]
    assert TREES.parse(["a", "b"], language="cobol") == [None, None]


@needs_trees
def test_what_is_no_code_or_too_long_is_given_up():
    begun = perf_counter()
    assert TREES.parse(["\\x " * 100_000], language="javascript") == [None]
    assert TREES.parse([" " * (treesitter.LARGEST + 1)], language="javascript") == [None]
    assert perf_counter() - begun < 20


def test_a_missing_package_is_named_with_its_command(monkeypatch):
    real = extras.find_spec
    monkeypatch.setattr(extras, "find_spec", lambda name: None if name == "tree_sitter_go" else real("gliding"))
    with pytest.raises(MissingExtra) as caught:
        treesitter.TreeSitter()
    assert "gliding[code]" in caught.value.hint
