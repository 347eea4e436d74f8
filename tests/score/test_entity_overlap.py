import pytest

from gliding.score.entities import overlap
from gliding.score.view import view
from gliding.segment import segment
from gliding.types import Document


def seen(*texts):
    documents = [Document(text=text) for text in texts]
    return view(documents, segment(documents))


def test_the_share_of_the_entities_that_a_sentence_has():
    sentences = seen("Ruth Okafor came by.", "Valve E-417 is shut.", "Ruth  Okafor shut E-417.", "Nothing here.")
    found = overlap(frozenset({"ruth okafor", "e-417"}), sentences)
    assert found.tolist() == pytest.approx([0.5, 0.5, 1.0, 0.0])


def test_a_rarer_entity_counts_more():
    sentences = seen("Oslo is cold.", "Oslo is wet.", "Oslo is near.", "Bergen is far.")
    oslo, *_, bergen = overlap({"oslo", "bergen"}, sentences)
    assert bergen > oslo > 0


@pytest.mark.parametrize("text", ["The E-4170 valve.", "Valve XE-417."])
def test_a_part_of_a_word_is_no_entity(text):
    assert overlap({"e-417"}, seen(text)).tolist() == [0.0]


def test_what_no_sentence_has_does_not_count():
    sentences = seen("Oslo is cold.", "It rains.")
    assert overlap({"oslo", "narvik"}, sentences).tolist() == [1.0, 0.0]
    assert overlap(frozenset(), sentences).tolist() == [0.0, 0.0]
    assert overlap({"oslo"}, seen()).tolist() == []


@pytest.mark.parametrize(
    ("entity", "text"),
    [
        ("1998年", "该网络于1998年改版。"),
        ("1998年", "该网络于 1998 年 改版。"),
        ("30万元", "共计３０万元整"),
        ("王琳", "由王琳主持。"),
        ("api12", "用API12接口"),
        ("서울", "서울에서 만났다."),
    ],
)
def test_an_entity_in_a_text_without_spaces(entity, text):
    assert overlap({entity}, seen(text)).tolist() == [1.0]


@pytest.mark.parametrize(("entity", "text"), [("98年", "于1998年改版。"), ("api1", "用API12接口")])
def test_a_part_of_a_number_is_no_entity_in_chinese(entity, text):
    assert overlap({entity}, seen(text)).tolist() == [0.0]
