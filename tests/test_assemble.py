import pytest

from gliding import Compressor
from gliding.assemble import Assembler, date_line, label, whole
from gliding.segment import segment
from gliding.types import Document, SourceSpan, Span

TEXT = "The pump failed. It was old.\nLunch was soup.\n\nThe gate was shut."


def assembler(*documents):
    return Assembler(documents, segment(documents))


def joined(kept, replaced=None, *, text=TEXT, **options):
    return assembler(Document(text=text)).join(kept, replaced, **options)


def actions(result):
    return [(piece.action, piece.exact, piece.text) for piece in result.pieces]


def test_neighbours_of_a_segment_are_one_exact_piece():
    result = joined([0, 1])
    assert result.text == "The pump failed. It was old."
    assert actions(result) == [("extract", True, result.text)]
    assert actions(joined([0, 1, 2])) == [("keep", True, "The pump failed. It was old.\nLunch was soup.")]


def test_what_is_left_out_leaves_the_sources_own_white_space():
    assert joined([0, 2]).text == "The pump failed. Lunch was soup."
    assert joined([0, 3]).text == "The pump failed.\n\nThe gate was shut."
    assert joined([0, 1, 2, 3]).text == TEXT
    heading = "# Pumps\n\nOne failed. It was old.\n\nA gate was shut. Nobody was hurt."
    assert joined([0, 2, 4], text=heading).text == "# Pumps\n\nIt was old.\n\nNobody was hurt."
    assert joined([]).text == ""


def test_every_piece_knows_its_place_in_source_and_output():
    result = joined([0, 3])
    (first, second) = result.pieces
    assert first.sources == (SourceSpan(0, 0, 16),)
    assert first.output == Span(0, 16)
    assert second.sources == (SourceSpan(0, TEXT.index("The gate"), len(TEXT)),)
    assert result.text[slice(*second.output)] == "The gate was shut."


def test_another_text_is_trimmed_and_not_exact():
    result = joined([0, 1], {0: "Pump failed."})
    assert result.text == "Pump failed. It was old."
    assert actions(result) == [("trim", False, "Pump failed."), ("extract", True, "It was old.")]
    assert result.pieces[0].sources == (SourceSpan(0, 0, 16),)


def test_the_front_of_a_sentence_is_still_verbatim():
    result = joined([0], {0: "The pump"})
    assert actions(result) == [("trim", True, "The pump")]
    assert result.pieces[0].sources == (SourceSpan(0, 0, 8),)
    assert joined([0, 1], {0: "The pump"}).text == "The pump It was old."


def test_titles_speakers_and_dates_stand_once_where_they_change():
    documents = [
        Document(text="Hello there.", role="Ann", time="2024-05-01"),
        Document(text="How are you?", role="Ann", time="2024-05-01"),
        Document(text="Well.", role="Ben", time="2024-05-01"),
        Document(text="Good.", role="Ben", time="2024-05-02"),
        Document(text="A fact.", title="North gate"),
        Document(text="Another fact."),
    ]
    wanted = (
        "--- 2024-05-01 ---\nAnn: Hello there.\nHow are you?\nBen: Well.\n--- 2024-05-02 ---\nBen: Good.\n"
        "[North gate] A fact.\nAnother fact."
    )
    assert whole(documents).text == wanted
    made = assembler(*documents)
    assert made.join(range(6)).text == wanted
    assert made.join([1, 3]).text == "--- 2024-05-01 ---\nAnn: How are you?\n--- 2024-05-02 ---\nBen: Good."
    assert made.join([1, 3], shown=False).text == "How are you?\nGood."


def test_a_header_is_a_piece_of_its_own_that_stands_for_its_document():
    result = whole([Document(text="A fact.", title="North gate", time="noon")])
    headers = [piece for piece in result.pieces if piece.action == "header"]
    assert [piece.text for piece in headers] == ["--- noon ---", "[North gate]"]
    for piece in headers:
        assert not piece.exact
        assert piece.sources == (SourceSpan(0, 0, 7),)
        assert result.text[slice(*piece.output)] == piece.text


def test_a_document_without_text_leaves_no_trace():
    assert whole([Document(text="", title="A"), Document(text="x"), Document(text="", role="B")]).text == "x"
    assert whole([]).pieces == ()


@pytest.mark.parametrize("text", ["  leading\n", "\n\n", "a\r\nb\x00\u2028c  ", "x" * 5000])
def test_one_text_comes_back_byte_for_byte(text):
    assert whole([Document(text=text)]).text == text


def test_lines_keep_their_lines_and_indentation():
    code = "one {\n    first = 1\n    second = 2\n    return second\n\ntwo {\n    return 2\n"
    documents = [Document(text=code, kind="code")]
    made = assembler(*documents)
    assert made.join([0, 3]).text == "one {\n    return second"
    assert made.join([1, 5]).text == "first = 1\n\n    return 2"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("泵在三月坏了。原因是密封。门关着。", "泵在三月坏了。门关着。"),
        ("泵在三月坏了。 原因是密封。 门关着。", "泵在三月坏了。 门关着。"),
        ("One is here. Two is here. Three is here.", "One is here. Three is here."),
    ],
)
def test_chinese_gets_no_space_that_it_did_not_have(text, wanted):
    assert joined([0, 2], text=text).text == wanted


def test_labels():
    assert label(Document(text="x", title="T", role="r")) == "[T]"
    assert label(Document(text="x", role="r")) == "r:"
    assert label(Document(text="x")) == date_line(Document(text="x")) == ""
    assert date_line(Document(text="x", time="noon")) == "--- noon ---"


def test_line_ends_are_those_of_the_source():
    text = "One.\r\n\r\nTwo.\r\n\r\nThree.\r\n\r\nFour.\r\n"
    documents = [Document(text=text)]
    segments = segment(documents)
    assert Assembler(documents, segments).text([0, 2]) == "One.\r\n\r\nThree."
    lines = "\r\n".join(f"2024-05-11 03:00:{n:02} INFO worker {n} is up" for n in range(20))
    out = Compressor.from_preset("edge").compress(lines, rate=0.4).text
    assert "more like this" in out
    assert out.count("\r\n") == out.count("\n")
