"""Invariants of sentence spans, segments and facts on any text."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from gliding import Compressor
from gliding.errors import BudgetError
from gliding.facts import RuleEntities, find
from gliding.segment import segment
from gliding.text.scripts import is_cjk
from gliding.text.sentences import sentence_spans
from gliding.types import Document

EDGE = Compressor.from_preset("edge")
PIECES = st.sampled_from(
    [
        "Dr. ",
        "No. 12-345 ",
        "the gate was moved",
        ". ",
        "! ",
        "? ",
        "...",
        ".\n",
        "\n",
        "\n\n",
        "\r\n",
        "\f",
        "\u2029",
        "- item ",
        "1. First ",
        "# Head\n",
        "== \n",
        "---\n",
        "> quoted\n",
        "```\n",
        "| a | b |\n",
        "|---|---|\n",
        ",  ",
        "\t",
        "\u3000",
        "。",
        "“走吧！”",
        "会议",
        "2024-05-11 03:00:00 INFO x\n",
        "src/a.c:12: if (x) {\n",
        "\x00",
        "\u0085",
        "def f(x):\n    return x\n",
        "e\u0301",
        "\ud83d",
        "\ude00",
        "\u200d",
        "A.B.C. ",
        "$25.4 billion ",
        "30 April 2024 ",
        "v2.3.1-rc.4 ",
        "https://a.b/c?x=1 ",
        "max_tokens ",
        "not ",
        "除非",
        "「行吗？」",
        "他说",
        "……",
        "不超过三十万元",
        "百分之１２．５",
        "二〇二四年",
        "ません",
        "없",
        "a" * 70,
        "3.2 Title\n",
        "ALL CAPS LINE\n",
        "From: Ruth\n",
        "[1]",
        "(",
        ")",
        "'",
        '"',
    ]
)
TEXT = st.one_of(st.text(max_size=300), st.lists(PIECES, max_size=40).map("".join))


def uncovered(text: str, spans: list[tuple[int, int]], start: int, end: int) -> str:
    rest, at = "", start
    for a, b in spans:
        assert at <= a < b <= end
        assert not text[a].isspace()
        assert not text[b - 1].isspace()
        rest += text[at:a]
        at = b
    return (rest + text[at:end]).strip()


@given(text=TEXT, lines=st.booleans(), max_chars=st.integers(40, 120))
@settings(max_examples=300, deadline=None)
def test_sentences_cover_in_order(text: str, lines: bool, max_chars: int) -> None:
    spans = sentence_spans(text, lines=lines, max_chars=max_chars)
    assert uncovered(text, spans, 0, len(text)).split() == []
    assert all(b - a <= max_chars for a, b in spans)


@given(text=TEXT, cut=st.tuples(st.integers(0, 200), st.integers(0, 300)), lines=st.booleans())
@settings(max_examples=300, deadline=None)
def test_a_part_is_read_as_if_it_were_the_whole(text: str, cut: tuple[int, int], lines: bool) -> None:
    start, end = min(cut[0], len(text)), min(cut[1], len(text))
    spans = sentence_spans(text, start, end, lines=lines)
    assert uncovered(text, spans, start, max(start, end)).split() == []
    alone = sentence_spans(text[start:end], lines=lines)
    assert [(a - start, b - start) for a, b in spans] == alone


DOCUMENTS = st.lists(
    st.builds(
        Document,
        text=TEXT,
        title=st.sampled_from(["", "", "T"]),
        role=st.sampled_from(["", "", "user"]),
        kind=st.sampled_from(["", "", "prose", "markdown", "log", "code", "other"]),
    ),
    max_size=4,
)


@given(documents=DOCUMENTS, max_chars=st.integers(40, 200))
@settings(max_examples=300, deadline=None)
def test_segments_cover_in_order(documents: list[Document], max_chars: int) -> None:
    segments = segment(documents, max_chars=max_chars)
    assert [part.document for part in segments] == sorted(part.document for part in segments)
    for index, document in enumerate(documents):
        own = [part for part in segments if part.document == index]
        text = document.text
        frames = {frame for part in own if part.frame is not None for frame in part.frame.chain()}
        around = [span for frame in frames for span in (frame.opening, frame.closing) if span.start < span.end]
        assert uncovered(text, sorted([*(part.span for part in own), *around]), 0, len(text)).split() == []
        for part in own:
            assert uncovered(text, list(part.sentences), *part.span).split() == []
            assert part.frame is not None or all(b - a <= max_chars for a, b in part.sentences)
            assert (part.kind == "heading") == (part.level > 0)
    for at, part in enumerate(segments):
        assert -1 <= part.heading < at
        if part.heading >= 0:
            above = segments[part.heading]
            assert above.kind == "heading"
            assert above.document == part.document


@given(text=TEXT)
@settings(max_examples=300, deadline=None)
def test_facts_stand_where_they_say_and_do_not_overlap(text: str) -> None:
    at = 0
    for fact in find(text):
        assert at <= fact.span.start < fact.span.end
        assert text[fact.span.start : fact.span.end] == fact.text
        at = fact.span.end


@given(texts=st.lists(TEXT, max_size=4))
@settings(max_examples=100, deadline=None)
def test_entities_do_not_depend_on_the_batch(texts: list[str]) -> None:
    extractor = RuleEntities()
    together = extractor.extract(texts)
    assert together == [extractor.extract([text])[0] for text in texts]
    for entity in frozenset().union(*together):
        assert entity == entity.lower() == " ".join(entity.split())


CJK_TEXT = st.lists(
    st.sampled_from(
        [*"会议预算东西人上。！？；，、：“”「」（）《》…", "React", "v2.3 ", "３０万", " ", "\u3000", "はい", "네. "]
    ),
    min_size=30,
    max_size=120,
).map("".join)


@given(text=CJK_TEXT, query=st.sampled_from(["", "预算", "React 会议"]), rate=st.sampled_from([0.2, 0.5, 0.8]))
@settings(max_examples=100, deadline=None)
def test_no_space_is_put_in_or_taken_away_in_chinese(text: str, query: str, rate: float) -> None:
    try:
        result = EDGE.compress(text, query=query, rate=rate)
    except BudgetError:
        return
    at = 0
    for piece in result.pieces:
        between = result.text[at : piece.output.start]
        assert between.strip() == ""
        if at and between:
            gap = text[result.pieces[0].sources[0].end : piece.sources[0].start]
            assert any(ch.isspace() for ch in gap) or not is_cjk(result.text[at - 1])
        if piece.exact:
            assert piece.text == text[slice(*piece.sources[0][1:])]
        at = piece.output.end
    assert result.text[at:] == ""
