"""JSON, JSON Lines, chat messages, CSV and Python: how they are cut, and what stands around their parts."""

import json

import pytest

from gliding import Compressor
from gliding.segment import segment
from gliding.segment.csv import cut_csv
from gliding.segment.json import cut_json, cut_json_lines, is_json, is_json_lines, read_escaped
from gliding.segment.messages import question
from gliding.types import Document

ORDERS = json.dumps(
    {"page": 1, "orders": [{"id": k, "note": "leave it at the door " * 30} for k in range(3)]}, indent=1
)
CALL = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
CHAT = [
    {"role": "system", "content": "Be careful."},
    {"role": "user", "content": "Which pod? " * 60},
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "c1", "content": "pod 1 runs.\npod 2 is down.\n" * 30},
    {"role": "user", "content": "Why?"},
]


def parts(text, **options):
    return segment([Document(text=text, **options)])


def inside(text, span):
    return text[slice(*span)]


def test_a_record_has_its_brackets_its_first_member_and_its_path_around_it():
    record = next(part for part in parts(ORDERS) if inside(ORDERS, part.sentences[0]) == '"id": 1')
    assert (record.kind, record.lead) == ("record", 1)
    frames = [(inside(ORDERS, f.opening), inside(ORDERS, f.closing), f.separator) for f in record.frame.chain()]
    assert frames == [("{", "}", ","), ('"orders": [', "]", ","), ("{", "}", ",")]
    assert inside(ORDERS, record.frame.name) == '"id": 1'


def test_a_long_string_is_cut_at_sentences_inside_its_quotes():
    text = json.dumps({"a": 'One is here.\nTwo \\ is "there". ' * 30})
    (part,) = parts(text)
    assert inside(text, part.frame.opening) == '"a": "'
    assert inside(text, part.frame.closing) == '"'
    for span in part.sentences:
        assert json.loads(f'"{inside(text, span)}"')


@pytest.mark.parametrize(
    ("text", "one", "lines"),
    [
        ('{"a": 1}', True, False),
        ('[1, {"b": 2}]\n', True, False),
        ('\ufeff{"a": 1}', True, False),
        ('{"a": 1}\n{"a": 2}\n', False, True),
        ('{"a": 1}\n\n[2]', False, True),
        ('{"a": 1}\nnot json', False, False),
        ('{"a": 1', False, False),
        ('"text"', False, False),
        ("[" * 100_000 + "]" * 100_000, False, False),
        ('{"n": ' + "9" * 10_000 + "}", True, False),
        ("{nobody: said this is json}", False, False),
        ("[1] As was shown before.", False, False),
        ("", False, False),
    ],
)
def test_what_is_json(text, one, lines):
    assert (is_json(text), is_json_lines(text)) == (one, lines)


def test_messages_are_turns_with_all_their_members_and_calls_are_tied():
    text = json.dumps(CHAT)
    found = parts(text)
    assert [part.kind for part in found] == ["turn"] * 5
    assert [part.vital for part in found] == [True, False, False, False, True]
    assert [part.frame.tie for part in found] == ["", "", "c1", "c1", ""]
    tool = found[3]
    assert inside(text, tool.frame.opening) == '{"role": "tool", "tool_call_id": "c1", "content": "'
    assert inside(text, tool.frame.closing) == '"}'
    assert len(tool.sentences) > 30
    assert question([Document(text=text)], found) == "Why?"


def test_messages_in_a_request_and_in_anthropics_shape():
    use = {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "look", "input": {}}]}
    answer = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "It is down."}]}
    text = json.dumps({"model": "m", "messages": [CHAT[0], use, answer]})
    found = parts(text)
    assert [part.frame.tie for part in found] == ["", "t1", "t1"]
    around = found[0].frame.parent
    assert inside(text, around.opening) == '{"model": "m", "messages": ['
    assert inside(text, around.closing) == "]}"


def test_a_list_of_other_objects_is_no_chat():
    assert {part.kind for part in parts(json.dumps([{"role": "admin", "name": "Ann"}] * 20))} == {"record"}


def test_rows_stand_under_their_header_also_with_line_breaks_in_quotes():
    text = 'id,note,city\n1,"a ""b""\nc",Ghent\n2,x,Lyon\n\n3,y,Oslo\n4,z,Bonn\n'
    found = parts(text)
    assert [inside(text, part.span) for part in found][:2] == ['1,"a ""b""\nc",Ghent', "2,x,Lyon"]
    assert {inside(text, part.frame.opening) for part in found} == {"id,note,city"}
    prose = "Ann, Bob, and Cy left.\nThey ran, hid, and slept.\nNobody, it seems, saw.\nIt was, in short, odd.\n"
    assert {part.kind for part in parts(prose)} != {"record"}


def test_functions_are_segments_with_their_signature_first_and_gaps_inside():
    text = (
        "import os\n\n@wrapped\ndef f(x):\n    # why\n    y = x\n    return y\n\n"
        "class C:\n    a = 1\n\n    def g(self):\n        return 2\n"
    )
    found = [[inside(text, span) for span in part.sentences] for part in parts(text, kind="code")]
    assert found == [
        ["import os"],
        ["@wrapped\ndef f(x):", "# why\n    y = x", "return y"],
        ["class C:", "a = 1"],
        ["def g(self):", "return 2"],
    ]
    gaps = [part.frame.gap for part in parts(text, kind="code")]
    assert gaps == ["", "...", "...", "..."]


@pytest.mark.parametrize("text", ["def f(:\n    pass\n", "x = (\n" * 300, "def f():\n\treturn 1\n        return 2\n"])
def test_what_does_not_parse_is_cut_by_lines(text):
    assert all(part.frame is None for part in parts(text, kind="code"))


def test_a_quote_inside_a_field_opens_nothing():
    rows = ["a,b,c", '1,x "y,2', '3,"z, ""w""\nnext",4', "5,,6"]
    assert [row.span for row in cut_csv("\n".join(rows), 0)] == [(6, 14), (15, 34), (35, 39)]


def test_a_carriage_return_in_a_line_of_json_ends_nothing():
    lines = ['{"a":\r1}', '{"b": ["' + "x " * 300 + '",\r2]}']
    found = cut_json_lines("\n".join(lines), 0, max_chars=100)
    assert [slice(*segment.span) for segment in found] == [slice(0, 8), slice(9, 9 + len(lines[1]))]


def test_very_many_elements_are_put_together():
    numbers = list(range(60_000))
    text = json.dumps([*numbers[:30_000], "x" * 900, *numbers[30_000:]])
    found = cut_json(text, 0, max_chars=400)
    assert len(found) < 2_000
    assert (
        json.loads("[" + ",".join(text[slice(*s.span)] for s in found if s.span.end - s.span.start < 401) + "]")
        == numbers
    )


def test_what_a_tool_answers_in_json_comes_out_as_json():
    answer = {
        "id": "R-1",
        "user": "daiki",
        "passengers": [{"name": f"P{n} Doe", "dob": f"19{n:02}-01-01"} for n in range(30)],
    }
    turns = [
        Document(text="Please look my booking R-1 up, I need a date of birth.", role="user"),
        Document(text=json.dumps(answer), role="tool"),
        Document(text="I have found it. Which passenger is it about?", role="assistant"),
    ]
    out = Compressor.from_preset("edge").compress(turns, query="What is the dob of passenger P17?", max_tokens=90).text
    (line,) = [line for line in out.split("\n") if line.startswith("tool: ")]
    kept = json.loads(line.removeprefix("tool: "))
    assert {"name": "P17 Doe", "dob": "1917-01-01"} in kept["passengers"]
    assert len(kept["passengers"]) < 30


def test_a_fence_in_a_turn_stays_closed_and_a_table_keeps_its_head():
    code = "\n".join(f"step_{n} = run({n})" for n in range(40))
    rows = "\n".join(f"| item {n} | {n * 3} euros |" for n in range(40))
    text = f"The script:\n\n```python\n{code}\n```\n\n| what | price |\n|---|---|\n{rows}\n\nTell me whether it works."
    turns = [Document(text=text, role="tool"), Document(text="Thanks.", role="user")]
    out = (
        Compressor.from_preset("edge")
        .compress(turns, query="What is step_17, and what is the price of item 23?", max_tokens=90)
        .text
    )
    assert "step_17 = run(17)" in out
    assert out.count("```") == 2
    assert "| what | price |\n|---|---|\n" in out
    assert "| item 23 | 69 euros |" in out


EDGE = Compressor.from_preset("edge")


def test_a_tools_answer_that_is_json_in_a_string_stays_json_in_it():
    answer = {"id": 71, "steps": [{"n": n, "what": f"checked valve {n}", "note": "left as it was"} for n in range(40)]}
    call = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    chat = [
        {"role": "system", "content": "Be careful."},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": json.dumps(answer)},
        {"role": "user", "content": "What was checked in valve 23?"},
    ]
    for indent in (None, 2):
        chat[2]["content"] = json.dumps(answer, indent=indent)
        out = json.loads(EDGE.compress(json.dumps(chat), max_tokens=190).text)
        assert [message["role"] for message in out] == ["system", "assistant", "tool", "user"]
        kept = json.loads(out[2]["content"])
        assert {"n": 23, "what": "checked valve 23", "note": "left as it was"} in kept["steps"]
        assert len(kept["steps"]) < 40


@pytest.mark.parametrize("inner", ['{"a": "he said \\"no\\""}', '{"a": "c:\\\\new"}', "{not json}", "no json at all"])
def test_a_string_that_is_not_surely_json_is_text(inner):
    text = json.dumps(inner)
    assert read_escaped(text, 1, len(text) - 1) is None


def test_a_picture_in_a_message_comes_out_whole_or_not_at_all():
    picture = "data:image/png;base64," + "iVBORw0KGgo" * 300
    content = [
        {"type": "text", "text": "Look at the gauge. " * 40},
        {"type": "image_url", "image_url": {"url": picture}},
    ]
    chat = [{"role": "user", "content": content}, {"role": "user", "content": "What does it show?"}]
    for rate in (0.2, 0.5, 0.8, 0.95):
        out = EDGE.compress(json.dumps(chat), rate=rate).text
        assert picture in out or "iVBOR" not in out
        assert json.loads(out)
    record = json.dumps([{"id": n, "photo": picture, "said": "a word. " * 90} for n in range(3)])
    out = EDGE.compress(record, query="What was said in 2?", rate=0.5).text
    assert json.loads(out)
    assert out.count("iVBOR") == 300 * out.count(picture)


def test_escaped_letters_are_read_as_letters():
    records = [{"id": n, "имя": f"Ольга {n}" if n == 17 else f"Игорь {n}"} for n in range(40)]
    out = EDGE.compress(json.dumps(records), query="Ольга", rate=0.2)
    assert records[17] in json.loads(out.text)


def test_what_failed_is_found_in_a_log_of_records():
    lines = [{"lvl": "info", "msg": f"sync of share {n} done", "n": n} for n in range(50)]
    lines[31] = {"lvl": "error", "msg": "disk /dev/sdb1 full", "n": 31}
    out = EDGE.compress("\n".join(map(json.dumps, lines)), query="What failed?", rate=0.15)
    assert "disk /dev/sdb1 full" in out.text
    assert out.report.route == "lines"


def test_what_says_what_an_object_is_stays_beside_its_records():
    note = "dry in summer " * 20
    features = [{"type": "Feature", "id": n, "properties": {"name": f"Well {n}", "note": note}} for n in range(30)]
    out = EDGE.compress(json.dumps({"type": "FeatureCollection", "features": features}), query="Well 17", rate=0.2)
    kept = json.loads(out.text)
    assert kept["type"] == "FeatureCollection"
    assert 17 in [feature["id"] for feature in kept["features"]]


def test_a_small_object_is_not_led_by_what_would_fill_the_room():
    flights = [{"flight": f"HAT{n}", "seat": f"{n}C", "gate": f"B{n}"} for n in range(12)]
    answer = json.dumps({"id": "9EU7CK", "cabin": "basic economy", "user": "noah_muller_9847", "flights": flights})
    turns = [{"role": "tool", "text": answer}, {"role": "user", "text": "Thanks, I see."}]
    out = EDGE.compress(turns, query="gate of flight HAT7", max_tokens=40).text
    assert '"B7"' in out
    assert "basic economy" not in out


@pytest.mark.parametrize("rate", [0.1, 0.3, 0.6])
@pytest.mark.parametrize("kind", ["", "json"])
def test_a_file_that_is_one_string_stays_one(rate, kind):
    told = "".join(f'The "pump" {n} failed at noon.\n' for n in range(40)) + "The seal of pump 7 was worn."
    text = json.dumps(told) + "\n"
    out = EDGE.compress(Document(text=text, kind=kind), query="seal", rate=rate).text
    kept = json.loads(out)
    assert "The seal of pump 7 was worn." in kept
    assert set(kept.splitlines()) <= {line.strip() for line in told.splitlines()}
