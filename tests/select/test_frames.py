import json

import pytest

from gliding.assemble import Assembler
from gliding.segment import segment
from gliding.select.frames import frame_costs, needs
from gliding.types import Document


def cut(text, **options):
    document = Document(text=text, **options)
    segments = segment([document])
    texts = [text[a:b] for part in segments for a, b in part.sentences]
    return document, segments, texts


def test_a_member_needs_the_first_of_its_record_and_a_statement_its_signatures():
    text = json.dumps([{"id": k, "a": "x" * 250, "b": "y" * 250} for k in range(2)])
    _, segments, texts = cut(text)
    needed = needs(segments)
    assert [[texts[other] for other in needed.others.get(k, ())] for k in range(3)] == [[], ['"id": 0'], ['"id": 0']]
    code = "class C:\n    a = 1\n\n    def f(self):\n        return 2\n"
    _, segments, texts = cut(code, kind="code")
    assert [texts[k] for k in sorted(needs(segments).along([texts.index("return 2")]))] == [
        "class C:",
        "def f(self):",
        "return 2",
    ]


def test_a_call_and_its_answer_need_each_others_first_sentence():
    calls = [{"role": "assistant", "content": None, "tool_calls": [{"id": "c"}]}]
    answer = {"role": "tool", "tool_call_id": "c", "content": "One is up. Two is down. " * 40}
    text = json.dumps([{"role": "user", "content": "Go."}, *calls, answer])
    _, segments, _ = cut(text)
    needed = needs(segments)
    assert needed.vital == [range(0, 1)]
    assert needed.others[1] == [2]
    assert {tuple(needed.others[k]) for k in range(2, 50)} == {(1,)}


def test_prose_needs_nothing():
    needed = needs(cut("One. Two.\n\nThree.")[1])
    assert (needed.frames, needed.others, needed.vital) == ({}, {}, [])


@pytest.mark.parametrize("kept", [[0], [0, 1, 2], [3, 4, 5]])
def test_costs_of_frames_cover_what_they_add(kept):
    text = json.dumps({"rows": [{"id": k, "a": "x" * 250, "b": "y" * 250} for k in range(2)]})
    document, segments, texts = cut(text)
    needed = needs(segments)
    costs = frame_costs(needed, [document], lambda parts: [len(part) for part in parts])
    around = {key: tokens for k in kept for key, tokens in costs(k)}
    joined = Assembler([document], segments).text(kept)
    assert json.loads(joined)
    assert len(joined) <= sum(len(texts[k]) + 2 for k in kept) + sum(around.values())
