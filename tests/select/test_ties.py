import pytest

from gliding.segment import segment
from gliding.select.ties import bring_along
from gliding.types import Document

TEXT = """# Pumps

The pump failed. It was old. The cause was a seal.

# Gates

However, the gate held. Nobody was hurt."""


def along(*ranked, without=(), text=TEXT):
    segments = segment([Document(text=text)])
    texts = [text[a:b] for s in segments for a, b in s.sentences]
    owner = [k for k, s in enumerate(segments) for _ in s.sentences]
    assert len(texts) == 7
    order, brought = bring_along(ranked, texts, segments, owner, frozenset(without))
    assert set(brought) == set(order) - {k for k in ranked if segments[owner[k]].kind != "heading"}
    assert all(host in ranked for hosts in brought.values() for host in hosts)
    return order


def test_a_sentence_brings_the_heading_above():
    assert along(3) == [3, 0]
    assert along(6, 3) == [6, 4, 3, 0]


def test_a_sentence_that_leans_brings_the_one_before_it():
    assert along(2) == [2, 0, 1]
    assert along(2, 1) == [2, 0, 1]


def test_all_that_bring_a_heading_are_known():
    segments = segment([Document(text=TEXT)])
    texts = [TEXT[a:b] for s in segments for a, b in s.sentences]
    _, brought = bring_along([3, 1, 2, 6], texts, segments, [0, 1, 1, 1, 2, 3, 3], frozenset())
    assert brought == {0: [3, 1, 2], 4: [6]}  # sentence 1, which 2 leans on, has a rank of its own


def test_what_opens_a_paragraph_leans_on_no_other_paragraph():
    assert along(5) == [5, 4]


def test_a_duplicate_is_not_brought_along():
    assert along(2, without=[1]) == [2, 0]


def test_a_heading_has_no_rank_of_its_own():
    assert along(0, 1) == [1, 0]
    assert along(0, 4) == []


@pytest.mark.parametrize(
    ("opening", "leans"), [("It was", True), ("The same", True), ("Items were", False), ("This is", True)]
)
def test_openings_that_lean(opening, leans):
    text = TEXT.replace("It was", opening)
    assert (1 in along(2, text=text)) is leans


def test_the_rule_of_a_table_comes_with_the_row_above_it():
    table = "| item | EUR |\n|---|---|\n| milk | 3 |\n| eggs | 4 |"
    segments = segment([Document(text=table, kind="markdown")], plain={0})
    texts = [table[a:b] for s in segments for a, b in s.sentences]
    owner = [k for k, s in enumerate(segments) for _ in s.sentences]
    assert bring_along([2, 1, 0], texts, segments, owner, frozenset()) == ([2, 0, 1], {1: [0]})


def test_where_no_line_has_a_word_all_keep_their_rank():
    segments = segment([Document(text="--- ***")])
    assert bring_along([0], ["--- ***"], segments, [0], frozenset()) == ([0], {})


def test_a_footnote_comes_with_its_mark():
    text = (
        "Max 40 requests per second[^1].\n\nOther words.\n\nMore of them.\n\n[^1]: Unless the client is on the list.\n"
    )
    documents = [Document(text=text)]
    segments = segment(documents)
    texts = [text[a:b] for part in segments for a, b in part.sentences]
    owner = [k for k, part in enumerate(segments) for _ in part.sentences]
    order, _ = bring_along([0, 1, 2], texts, segments, owner, ())
    assert texts[order[1]].startswith("[^1]: Unless")
