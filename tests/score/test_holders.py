import time

import pytest

from gliding.score.holders import holders
from gliding.score.view import view
from gliding.segment import segment
from gliding.text.words import terms
from gliding.types import Document, Span


def held(text, *parts):
    """What holds each part of a text, which are in order."""
    at = 0
    spans = []
    for part in parts:
        at = text.index(part, at)
        spans.append(Span(at, at + len(part)))
    return holders(text, spans)


def test_parts_of_a_record_are_named_by_its_first_member_and_by_the_keys_around_them():
    text = '{"id": "A7", "seats": {"upper": 4, "lower": 9}, "legs": [{"no": 12, "to": "Oslo"}], "paid": true}'
    parts = ['{"id"', '"upper"', '"lower"', '"legs"', '"no"', '"to"', '"paid"']
    own = '"id" "A7"'
    seats, leg = f'{own} "seats"', f'{own} "legs" "no" 12'
    assert held(text, *parts) == ["", seats, f'{seats} "upper" 4', own, f'{own} "legs"', leg, own]


def test_a_container_or_a_long_text_names_nothing():
    long = "x" * 100
    text = f'[{{"a": {{"b": 1}}, "c": 2, "d": 3}}, {{"e": "{long}", "f": 2, "g": 3}}, {{"{long}": {{"h": 1, "i": 2}}}}]'
    assert held(text, "[", '"d"', '"g"', '"h"', '"i"')[:3] == ["", "", ""]
    assert long not in "".join(held(text, "[", '"i"'))


def test_brackets_and_quotes_in_strings_are_no_structure():
    text = r'{"id": "a}]\"{", "x": "[[", "y": 1}'
    assert held(text, "{", '"x"', '"y"') == ["", r'"id" "a}]\"{"', r'"id" "a}]\"{"']


@pytest.mark.parametrize(
    "text", ['}]}]{"a": 1, "b": 2', '{"a": 1, "b', '{"a": "x', "{{{{[[[[", 'he said {"so": ', "[1, 2"]
)
def test_what_is_cut_off_or_no_json_does_no_harm(text):
    spans = [Span(k, k + 1) for k in range(len(text))]
    assert len(holders(text, spans)) == len(spans)


def test_lines_of_code_are_named_by_the_definitions_around_them():
    text = (
        "class Pump(Device):\n    size = 1\n\n    async def stop(\n        self,\n    ) -> None:\n        halt()\n\n"
        "        wait()\n    def go(self): ...\nother()\n"
    )
    found = held(text, "class", "size", "async", "self", ")", "halt", "wait", "def go", "other")
    assert found == ["", "Pump", "Pump", "Pump stop", "Pump stop", "Pump stop", "Pump stop", "Pump", ""]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("func (p *Pump) Stop(x int) {\n\thalt()\n}", "Stop"),
        ("pub fn stop<T>(x: T) {\n    halt()\n}", "stop"),
        ("export async function stop(x) {\n  halt()\n}", "stop"),
        ("public class Pump extends Device {\n  halt()\n}", "Pump"),
        ("12:def stop(self):\n13:    halt()\n", "stop"),
        ("class of 1990 met\n   halt()", ""),
        ("see function f below\n   halt()", ""),
    ],
)
def test_definitions_of_several_languages(text, name):
    line = next(line for line in text.split("\n") if "halt" in line).strip()
    assert held(text, text.split("\n")[0], line) == ["", name]


def test_each_part_is_found_by_what_holds_it_and_a_segment_has_it_once():
    rows = ", ".join(f'"field_{k}": "value {k} of this long record"' for k in range(40))
    seen = view([document := Document(text=f'{{"id": "E-417", {rows}}}', role="tool")], segment([document], plain={0}))
    assert seen.size > 2
    assert all("e-417" in each for each in seen.terms)
    assert seen.segment_terms()[0].count("e-417") == 1
    assert seen.header == [terms("tool")]
    framed = view([document], segment([document]))
    assert framed.segment_terms()[0].count("e-417") == 1


def test_a_blank_line_does_not_end_a_function():
    text = (
        "import os\n\n\ndef stop(pump):\n    first = pump.read()\n\n    second = first.halt()\n    return second\n" * 2
    )
    documents = [Document(text=text, kind="code")]
    seen = view(documents, segment(documents, plain={0}))
    inside = next(k for k, said in enumerate(seen.texts) if "halt" in said)
    assert "stop" in seen.terms[inside]
    assert "stop" in seen.header[seen.segment[inside]]


@pytest.mark.parametrize(
    "text", ["[" * 60_000, '{"a":' * 20_000, '\\"' * 60_000, "class a:\n" * 15_000, '{"a":"' + "\\" * 90_000]
)
def test_the_time_is_linear(text):
    started = time.process_time()
    holders(text, [Span(k, k + 1) for k in range(0, len(text), 20)])
    assert time.process_time() - started < 3
