import numpy as np
import pytest

from gliding.score.salience import centroid, rarity, salience
from gliding.score.view import view
from gliding.segment import segment
from gliding.tiers.lexrank import LexRank
from gliding.types import Document

TEXT = """# The pump

The pump failed because the seal of the pump was worn. A new seal was ordered for the pump.

Lunch was soup. We decided to keep a spare seal for every pump."""


def seen(*texts):
    documents = [Document(text=text) for text in texts]
    return view(documents, segment(documents))


def test_the_centroid_is_near_to_what_the_text_is_about():
    sentences = seen("The pump seal is worn. The pump seal is new. Lunch was soup. ---")
    near = centroid(sentences)
    assert near[0] > near[2]
    assert near[1] > near[2]
    assert near[-1] >= 0
    assert np.isfinite(near).all()


def test_signals_are_between_zero_and_one():
    sentences = seen(TEXT, "Another text. It ends here.")
    signals = salience(sentences, LexRank())
    assert set(signals) == {"central", "centroid", "position", "heading"}
    for values in signals.values():
        assert values.shape == (sentences.size,)
        assert values.min() >= 0
        assert values.max() <= 1
    assert signals["heading"].tolist() == [1.0] + [0.0] * (sentences.size - 1)


def test_position_favours_the_start_of_a_document_and_of_a_segment_and_the_last_sentence():
    five = seen("One is here. Two is here. Three is here. Four is here. Five is here.")
    position = salience(five, LexRank())["position"]
    assert position[0] == 1.0
    assert position[1] > position[2] > position[3]
    assert position[-1] == pytest.approx(0.5)
    second = salience(seen("One is here. Two is here.", "Three is here. Four is here."), LexRank())["position"]
    assert second.tolist() == [1.0, 0.5, 1.0, 0.5]


def test_a_line_that_is_said_once_is_rarer_than_one_that_differs_in_its_numbers_only():
    lines = ["GET /a took 3 ms", "GET /a took 4 ms", "worker 0x7ffe10 ready", "worker 0x7ffe22 ready", "disk full"]
    values = rarity(lines)
    assert values[4] == 1.0
    assert values[0] > values[1]
    assert values[0] == values[2]
    assert rarity([]).shape == (0,)
