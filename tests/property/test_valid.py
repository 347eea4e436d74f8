"""What goes in valid comes out valid: JSON, JSON Lines, chat messages, CSV, Python, Markdown, under any budget."""

import ast
import csv
import io
import json
from random import Random

from generated import EDGE, bounded
from hypothesis import given
from hypothesis import strategies as st

from gliding.assemble import whole
from gliding.errors import BudgetError
from gliding.types import Document

WORDS = 'pump "north" gate\\ failed\n valve é 泵 42 bar not E-417 {a} [b] , : because seal worn 😀'.split(" ")


def compressed(text, *, rate, query="pump failed", kind="", pins=()):
    """The output under a share of the input's characters, or None where nothing fits."""
    try:
        result = EDGE.compress(
            Document(text=text, kind=kind), query=query, max_tokens=max(1, int(rate * len(text))), tokenizer="chars",
            pins=pins,
        )  # fmt: skip
    except BudgetError:
        return None
    for piece in result.pieces:
        if piece.exact:
            ((_, start, end),) = piece.sources
            assert piece.text == text[start:end]
    assert len(result.text) <= max(1, int(rate * len(text)))
    return result.text


def words(chance, most=40):
    return " ".join(chance.choices(WORDS, k=chance.randint(0, most)))


def value(chance, depth=0):
    kind = chance.randrange(7 if depth < 4 else 4)
    if kind < 2:
        return words(chance, 90 if kind else 6)
    if kind == 2:
        return chance.choice([True, None, 3, -1.5e9, 10**30])
    if kind == 3:
        return chance.choice([[], {}, ""])
    if kind == 4:
        return [value(chance, depth + 1) for _ in range(chance.randint(0, 6))]
    return {words(chance, 2) + str(k): value(chance, depth + 1) for k in range(chance.randint(0, 6))}


SEEDS = st.integers(0, 10**9)
RATES = st.sampled_from([0.02, 0.1, 0.3, 0.6, 0.9])
INDENTS = st.sampled_from([None, 0, 1, 4])


def within(part, all_of):
    """Whether a value is the other with members, elements and ends of strings left out."""
    if isinstance(all_of, dict):
        return isinstance(part, dict) and all(k in all_of and within(v, all_of[k]) for k, v in part.items())
    if isinstance(all_of, list):
        rest = iter(all_of)
        return isinstance(part, list) and all(any(within(v, other) for other in rest) for v in part)
    if isinstance(all_of, str):
        return isinstance(part, str) and set(part.split()) <= set(all_of.split())
    return part == all_of


@given(seed=SEEDS, rate=RATES, indent=INDENTS, ascii_only=st.booleans())
@bounded(150)
def test_json_stays_json_of_the_same_shape(seed, rate, indent, ascii_only):
    chance = Random(seed)
    data = [value(chance) for _ in range(12)] if seed % 2 else {f"key{k}": value(chance) for k in range(9)}
    text = json.dumps(data, indent=indent, ensure_ascii=ascii_only)
    output = compressed(text, rate=rate)
    if output is not None:
        assert within(json.loads(output), data)


@given(seed=SEEDS, rate=RATES)
@bounded(80)
def test_json_lines_stay_json_lines(seed, rate):
    chance = Random(seed)
    records = [{"id": k, "note": words(chance, 80), "more": value(chance)} for k in range(15)]
    output = compressed("\n".join(map(json.dumps, records)) + "\n", rate=rate)
    if output is not None:
        for line in output.splitlines():
            record = json.loads(line)
            assert any(within(record, other) for other in records)


@given(seed=SEEDS, rate=RATES, indent=INDENTS, wrapped=st.booleans())
@bounded(100)
def test_messages_stay_messages_with_calls_and_answers_paired(seed, rate, indent, wrapped):
    chance = Random(seed)
    messages = [{"role": "system", "content": "Be careful."}]
    for k in range(8):
        messages.append({"role": "user", "content": words(chance, 90)})
        if chance.random() < 0.5:
            call = {"id": f"c{k}", "type": "function", "function": {"name": "look", "arguments": '{"at": "x"}'}}
            messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
            messages.append({"role": "tool", "tool_call_id": f"c{k}", "content": words(chance, 90)})
        messages.append({"role": "assistant", "content": words(chance, 90)})
    data = {"model": "m", "messages": messages} if wrapped else messages
    output = compressed(json.dumps(data, indent=indent, ensure_ascii=False), rate=rate)
    if output is None:
        return
    found = json.loads(output)
    found = found["messages"] if wrapped else found
    calls = {call["id"] for message in found for call in message.get("tool_calls") or []}
    assert calls == {message["tool_call_id"] for message in found if message["role"] == "tool"}
    rest = iter(messages)
    for message in found:
        source = next(other for other in rest if within(message, other))
        assert set(message) == set(source)


@given(seed=SEEDS, rate=RATES, delimiter=st.sampled_from(",;\t"))
@bounded(80)
def test_csv_keeps_its_header_and_whole_rows(seed, rate, delimiter):
    chance = Random(seed)
    rows = [["id", "note", "city", "amount"]]
    rows += [[str(k), words(chance, 12), chance.choice(["Ghent", "Lyon"]), "12.5"] for k in range(25)]
    held = io.StringIO()
    csv.writer(held, delimiter=delimiter, lineterminator="\n").writerows(rows)
    output = compressed(held.getvalue(), rate=rate, kind="csv")
    if output:
        found = list(csv.reader(io.StringIO(output), delimiter=delimiter))
        assert found[0] == rows[0]
        rest = iter(rows)
        assert all(any(row == other for other in rest) for row in found)


def block(chance, depth, name):
    pad = "    " * depth
    lines = []
    for k in range(chance.randint(1, 5)):
        kind = chance.randrange(7)
        if kind == 0 and depth < 3:
            lines += [f"{pad}@wrapped" if chance.random() < 0.3 else f"{pad}# about {name}", f"{pad}def f{k}(a, b=1):"]
            lines += ([f'{pad}    """Say pump."""'] if chance.random() < 0.5 else []) + block(chance, depth + 1, "f")
        elif kind == 1 and depth < 3:
            lines += [f"{pad}class C{k}:", *block(chance, depth + 1, "c")]
        elif kind == 2:
            lines += [f"{pad}if pump > {k}:", f"{pad}    gate = 'failed'", f"{pad}else:", f"{pad}    gate = ("]
            lines += [f"{pad}        {k},", f"{pad}    )"]
        elif kind == 3:
            lines += [f"{pad}for x in range({k}):", *[f"{pad}    total = pump + {n}  # add" for n in range(40)]]
        elif kind == 4:
            lines += [f"{pad}a = 1; b = 2", f'{pad}text = """pump', "no indent here", f'{pad}"""']
        elif kind == 5:
            lines += [f"{pad}try:", f"{pad}    pump()", f"{pad}except ValueError:", f"{pad}    pass", ""]
        else:
            lines += ["", f"{pad}valve = {k}"]
    return [*lines, f"{pad}pass"]


@given(seed=SEEDS, rate=RATES, crlf=st.booleans())
@bounded(120)
def test_python_still_parses(seed, rate, crlf):
    chance = Random(seed)
    text = "\n".join(["import math", "", *(line for _ in range(3) for line in block(chance, 0, "m"))]) + "\n"
    text = text.replace("\n", "\r\n") if crlf else text
    output = compressed(text, rate=rate, kind="code")
    if output is not None:
        ast.parse(output)


@given(seed=SEEDS, rate=RATES)
@bounded(80)
def test_markdown_keeps_fences_closed_and_tables_under_their_heads(seed, rate):
    chance = Random(seed)
    parts = []
    for k in range(6):
        parts.append(f"## Part {k}\n\nThe pump of part {k} {chance.choice(['failed', 'ran'])} at noon. It was {k}.")
        parts.append("| name | bar |\n|---|---:|\n" + "\n".join(f"| pump {n} | {n * k} |" for n in range(9)))
        parts.append("```python\n" + "\n".join(f"pump_{n} = {k}" for n in range(9)) + "\n```")
    text = "\n\n".join(parts) + "\n"
    output = compressed(text, rate=rate, kind="markdown")
    if output is None:
        return
    assert output.count("```") % 2 == 0
    rows = set(text.splitlines())
    lines = output.splitlines()
    for at, line in enumerate(lines):
        if line.startswith("| pump"):
            assert line in rows
            above = next(other for other in reversed(lines[:at]) if not other.startswith("| pump"))
            assert above == "|---|---:|"


@given(seed=SEEDS, at=st.floats(0, 0.95), size=st.integers(1, 200))
@bounded(80)
def test_pins_come_out_verbatim_whatever_they_cross(seed, at, size):
    chance = Random(seed)
    text = chance.choice(
        [
            json.dumps([value(chance) for _ in range(9)], indent=1),
            "| a | b |\n|---|---|\n" + "\n".join(f"| {k} | {words(chance, 3)!r} |" for k in range(20)),
            "\n".join(["import math", *block(chance, 0, "m")]),
        ]
    )
    pin = text[int(at * len(text)) :][:size]
    if pin.strip() and len(text) > 4 * len(pin):
        output = compressed(text, rate=0.9, pins=[pin])
        assert output is None or pin in output


def test_all_of_it_comes_back_where_it_fits():
    for text in ('{"a": [1, 2, {"b": "c"}]}', "id,a,b\n1,2,3\n4,5,6\n7,8,9\n", "def f():\n    return 1\n"):
        assert EDGE.compress(text, max_tokens=1000).text == text == whole([Document(text=text)]).text
