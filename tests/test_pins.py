import pytest

from gliding.errors import InputError
from gliding.segment import segment
from gliding.segment.pins import cut_out, find_pins, pinned_sentences
from gliding.types import Document, SourceSpan

TEXT = "The pump failed at noon. It was old.\n\n# Gates\n\nThe gate was shut. Nobody was hurt.\n"


def pinned(*pins, documents=None):
    documents = documents or [Document(text=TEXT, kind="markdown")]
    spans = find_pins(documents, pins)
    segments = cut_out(documents, segment(documents), spans)
    for part in segments:  # what segmenting promises still holds
        at = part.span.start
        for start, end in part.sentences:
            assert at <= start < end <= part.span.end
            at = end
        assert -1 <= part.heading < len(segments)
        if part.heading >= 0:
            assert segments[part.heading].kind == "heading"
    assert [(s.document, s.span) for s in segments] == sorted((s.document, s.span) for s in segments)
    texts = [documents[s.document].text[a:b] for s in segments for a, b in s.sentences]
    return segments, texts, [texts[k] for k in sorted(pinned_sentences(segments, spans))]


def test_a_pin_becomes_a_sentence_of_its_own():
    segments, texts, held = pinned("pump failed")
    assert held == ["pump failed"]
    assert texts[:4] == ["The", "pump failed", "at noon.", "It was old."]
    assert len(segments) == 3


def test_a_whole_sentence_is_left_as_it_is():
    _, texts, held = pinned("It was old.")
    assert held == ["It was old."]
    assert texts[:2] == ["The pump failed at noon.", "It was old."]


def test_a_pin_keeps_its_white_space():
    assert pinned("old.\n\n# Gates\n")[2] == ["old.\n\n# Gates\n"]
    assert pinned("\nThe gate")[2] == ["\nThe gate"]
    assert pinned(TEXT)[2] == [TEXT]


def test_a_pin_across_segments_makes_them_one():
    segments, texts, held = pinned("It was old.\n\n# Gates")
    assert held == ["It was old.\n\n# Gates"]
    assert segments[0].kind == "paragraph"
    assert texts[0] == "The pump failed at noon."
    assert [part.heading for part in segments] == [-1, -1]  # "# Gates" is a part of a paragraph now


def test_headings_are_followed_when_segments_are_joined():
    text = "# One\n\nFirst thing.\n\nSecond thing.\n\n# Two\n\nThird thing.\n"
    segments, _, held = pinned("thing.\n\nSecond", documents=[Document(text=text, kind="markdown")])
    assert held == ["thing.\n\nSecond"]
    third = segments[-1]
    assert text[slice(*segments[third.heading].span)].strip() == "# Two"


def test_pins_that_overlap_or_touch_are_one():
    assert find_pins([Document(text=TEXT)], ["pump failed", "failed at", " noon"]) == [SourceSpan(0, 4, 23)]
    assert pinned("pump failed", "failed at noon")[2] == ["pump failed at noon"]


def test_the_first_place_counts_in_the_first_document_that_has_it():
    documents = [Document(text="nothing"), Document(text="a gate, a gate"), Document(text="gate")]
    assert find_pins(documents, ["gate"]) == [SourceSpan(1, 2, 6)]
    assert find_pins(documents, ["gate", "nothing"]) == [SourceSpan(0, 0, 7), SourceSpan(1, 2, 6)]
    assert find_pins(documents, []) == []


@pytest.mark.parametrize(("pin", "said"), [("Pump failed", "not in the source"), ("", "empty"), (" \n", "empty")])
def test_what_is_not_there_cannot_be_pinned(pin, said):
    with pytest.raises(InputError, match=said) as caught:
        find_pins([Document(text=TEXT)], [pin])
    assert caught.value.hint


def test_a_long_pin_is_shown_short():
    with pytest.raises(InputError) as caught:
        find_pins([Document(text=TEXT)], ["x" * 500])
    assert len(caught.value.message) < 120
