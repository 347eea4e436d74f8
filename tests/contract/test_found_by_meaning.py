"""With the real models: an answer that shares no word with the query is kept by ``balanced``; words alone miss it."""

from __future__ import annotations

import pytest

from gliding import Compressor
from gliding.text.words import terms

pytest.importorskip("onnxruntime")
pytest.importorskip("faiss")
pytest.importorskip("spacy")

QUERY = "How much does the doctor earn?"
ANSWER = "Her annual salary as a physician is about ninety thousand euros."
FILLER = (
    "The clinic was opened in 1987 by the mayor of the town.",
    "Its garden has forty rose bushes and a small pond.",
    "The bus to the harbour leaves every twenty minutes.",
    "A new roof was put on the east wing last spring.",
    "Visitors can park behind the building after six o'clock.",
    "The kitchen serves soup, bread and fruit at noon.",
    "On Fridays a choir sings in the entrance hall.",
    "The lift was repaired twice during the winter.",
    "Paint for the corridor was chosen by the staff.",
    "Two trees fell in the storm and were sold as firewood.",
    "Every doctor has a locker near the main door.",
    "A doctor parked in the wrong place once again.",
)


@pytest.fixture(scope="module")
def texts():
    found = {}
    for preset in ("edge", "balanced"):
        with Compressor.from_preset(preset, cache=False) as compressor:
            found[preset] = compressor.compress(
                "\n\n".join([*FILLER[:6], ANSWER, *FILLER[6:]]), query=QUERY, max_tokens=60
            )
    return found


def test_the_answer_shares_no_word_with_the_query():
    assert not set(terms(QUERY)) & set(terms(ANSWER))


def test_words_alone_do_not_find_it(texts):
    assert ANSWER not in texts["edge"].text


def test_vectors_find_it(texts):
    assert ANSWER in texts["balanced"].text
    assert texts["balanced"].report.preset == "balanced"
    assert texts["balanced"].report.warnings == ()
