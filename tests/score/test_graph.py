import numpy as np
import pytest

from gliding.score import graph
from gliding.score.view import view
from gliding.segment import segment
from gliding.types import Document


def seen(*documents):
    return view(documents, segment(documents))


def test_nearness_never_wraps_around_or_outgrows_the_list():
    assert graph.near(np.array([1.0, 0.0]), (0.5, 0.3, 0.2)).tolist() == [1.0, 0.5]
    assert graph.near(np.zeros(0), (0.5,)).tolist() == []
    values = np.array([0.0, 2.0])
    graph.near(values, (0.5,))
    assert values.tolist() == [0.0, 2.0]


def test_a_question_lifts_the_next_speakers_turn():
    talk = seen(
        Document(text="Which flavour did you like best?", role="Ann"),
        Document(text="Strawberry.", role="Ben"),
        Document(text="Nice.", role="Ben"),
    )
    lifted = graph.answers(np.array([1.0, 0.0, 0.0]), talk)
    assert lifted[0] == 1.0
    assert 0 < lifted[1] < 1
    assert lifted[2] == 0


def test_one_speaker_does_not_answer_himself_and_a_statement_asks_nothing():
    own = seen(Document(text="Which one?", role="Ann"), Document(text="Well.", role="Ann"))
    assert graph.answers(np.array([1.0, 0.0]), own).tolist() == [1.0, 0.0]
    said = seen(Document(text="That one.", role="Ann"), Document(text="Well.", role="Ben"))
    assert graph.answers(np.array([1.0, 0.0]), said).tolist() == [1.0, 0.0]


def test_a_named_title_is_lifted_its_first_sentence_most():
    passages = seen(
        Document(text="The film was made by Ann Lee in Oslo.", title="Red Hill (film)"),
        Document(text="She was born in 1961. She lives in Bergen.", title="Ann Lee (director)"),
        Document(text="She was born in 1902.", title="Ann Leeson"),
    )
    values = np.array([1.0, 0.0, 0.0, 0.0])
    lifted = graph.titles(values, passages, ["film"], 0.5)
    assert lifted[0] == 1.0
    assert lifted[1] == 0.5
    assert 0 < lifted[2] < 0.5
    assert lifted[3] == 0
    known = ["ann", "lee", "leeson", "red", "hill"]
    assert graph.titles(values, passages, known, 0.5).tolist() == values.tolist()


def test_a_title_is_named_in_chinese_without_spaces_and_the_longer_one_hides_the_shorter():
    passages = seen(
        Document(text="这部电影由王琳导演，在React上放映。", title="红山"),
        Document(text="她生于1961年。", title="王琳"),
        Document(text="一个框架。", title="React"),
        Document(text="别的事。", title="王"),
    )
    lifted = graph.titles(np.array([1.0, 0.0, 0.0, 0.0]), passages, [], 0.5)
    assert lifted.tolist() == [1.0, 0.5, 0.5, 0.0]


def test_names_of_the_leaders_find_the_second_hop():
    passages = seen(
        Document(text="The film was made by Ann Lee."),
        Document(text="Ann Lee was born in 1961."),
        Document(text="It rains."),
    )
    scores = graph.names(passages, np.array([1.0, 0.0, 0.0]), {0: {"ann lee"}}, ["film"])
    assert scores[1] > 0
    assert scores[2] == 0
    assert not graph.names(passages, np.array([1.0, 0.0, 0.0]), {0: {"ann lee"}}, ["ann", "lee"]).any()


@pytest.mark.parametrize(
    ("values", "wanted"),
    [([0.0, 2.0, 1.0, 2.0], [1, 3, 2]), ([0.0, 0.0], []), ([], []), ([1.0] * 20, list(range(graph.SOURCES)))],
)
def test_leaders_are_the_best_above_zero_ties_by_position(values, wanted):
    assert graph.leading(np.array(values)) == wanted


def test_a_name_carries_nothing_back_to_where_it_was_found():
    documents = [
        Document(text="Jon Luther led Dunkin Brands.", title="Jon Luther"),
        Document(text="Dunkin Brands is in Canton.", title="Dunkin"),
        Document(text="Lunch was soup."),
    ]
    sentences = view(documents, segment(documents))
    hop = graph.names(sentences, np.array([1.0, 0.2, 0.1]), {0: {"dunkin brands"}}, set())
    assert hop[0] == hop[2] == 0
    assert hop[1] > 0
    both = graph.names(sentences, np.array([1.0, 0.2, 0.1]), {0: {"dunkin brands"}, 1: {"dunkin brands"}}, set())
    assert both[0] > 0  # the other document says it too


def test_passages_of_one_title_are_one_home():
    documents = [
        Document(text="Dunkin Brands was led by Jon Luther.", title="Dunkin"),
        Document(text="Dunkin Brands sells coffee.", title="Dunkin"),
        Document(text="Jon Luther of Dunkin Brands lives in Canton.", title="People"),
    ]
    hop = graph.names(view(documents, segment(documents)), np.ones(3), {0: {"dunkin brands", "jon luther"}}, set())
    assert hop[0] == hop[1] == 0
    assert hop[2] > 0
