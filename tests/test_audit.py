import importlib.util
import json
import time

import pytest

from gliding import errors
from gliding.audit import KINDS, Audit, alignment, audit, markup, structure

needs_yaml = pytest.mark.skipif(importlib.util.find_spec("yaml") is None, reason="PyYAML is not installed")


def lost(source, output, **options):
    return [(found.kind, found.text) for found in audit(source, output, **options).lost]


def added(source, output, **options):
    return [(found.kind, found.text) for found in audit(source, output, **options).added]


def broken(source, output, kind):
    return audit(source, output, kind=kind).broken


# --- what is lost ---

PUMP = (
    "The pump did not fail at noon if the seal held. Nobody else must know of 42 litres. Ruth Okafor left before dawn."
)


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        (PUMP, []),
        ("The pump did fail at noon if the seal held.", [("negation", "not")]),
        ("The pump did not fail at noon.", [("condition", "if")]),
        ("The pump did fail at noon.", [("negation", "not"), ("condition", "if")]),
        ("Nobody else know of 42 litres.", [("modal", "must")]),
        ("Nobody else must know.", [("number", "42 litres")]),
        ("Okafor left before dawn.", [("name", "Ruth Okafor")]),
        ("Ruth Okafor left before dawn.", []),
        ("", []),
        ("Something else altogether.", []),
    ],
)
def test_what_is_lost_inside_kept_text(output, expected):
    assert lost(PUMP, output) == expected


def test_what_goes_with_its_sentence_is_told_apart():
    found = audit(PUMP, "Ruth Okafor left before dawn.")
    assert found.lost == ()
    assert [one.text for one in found.gone] == ["not", "Nobody", "must", "if", "42 litres"]
    assert found.counts == {
        "negation": (2, 0),
        "modal": (1, 0),
        "condition": (1, 0),
        "number": (1, 0),
        "name": (1, 1),
    }


@pytest.mark.parametrize(
    "output",
    ["The pump didn't fail at noon if the seal held.", "Unless the seal held, the pump never did fail at noon."],
)
def test_another_word_of_the_kind_in_the_same_sentence_is_no_loss(output):
    found = audit("The pump did not fail at noon if the seal held.", output)
    assert (found.lost, found.added) == ((), ())


def test_of_two_sentences_that_are_alike_only_the_kept_one_is_looked_at():
    text = "Unit 3 must not be opened by hand. Unit 4 must be opened by hand. Unit 3 must not be opened by hand. "
    assert lost(text, "Unit 4 must be opened by hand.") == []


def test_lines_of_a_log_are_units():
    log = "".join(f"2024-05-11 03:00:{k:02} INFO worker-{k % 4} handled id={9000 + k} in {k} ms\n" for k in range(40))
    found = audit(log, "\n".join(log.splitlines()[::7]))
    assert (found.lost, found.added) == ((), ())
    assert len(found.gone) > 40


def test_chinese():
    text = "乙方不得转让本合同,违约金为5万元。如果逾期,乙方必须支付利息。"
    assert lost(text, text[: text.index("如果")]) == []
    ((_, word),) = lost(text, "乙方得转让本合同,违约金为5万元。")
    assert word.startswith("不")
    assert added(text, "乙方不得转让本合同,违约金为6万元。") == [("number", "6万元")]


# --- what is added ---


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ("It cost $8466 on 30 April 2024.", []),
        ("It cost $8,467 on 30 April 2024.", [("number", "$8,467")]),
        ("It cost €8,466 on 30 April.", [("number", "€8,466")]),
        ("It cost on 30 April", []),
        ("It cost on 31 April", [("date", "31 April")]),
        ("The disk holds 5 MB.", []),
        ("The disk holds 5 GB.", [("number", "5 GB")]),
        ("It fell by -5 MB.", [("number", "-5 MB")]),
        ("Okafor paid for parser_v2.", []),
        ("Ruth Okoro paid for parser_v3.", [("identifier", "parser_v3"), ("name", "Ruth Okoro")]),
        ("See https://a.example/b?c=1 or mail to ann@a.example", []),
        ("See https://a.example/b?c=2 or mail to bob@a.example", 2),
        ("It did not cost $8,466.", [("negation", "not")]),
        ("It might cost $8,466.", [("modal", "might")]),
        ("If it cost $8,466, it was paid.", [("condition", "If")]),
    ],
)
def test_what_is_added(output, expected):
    source = (
        "It cost $8,466 on 30 April 2024. The disk holds 5 MB. It was Ruth Okafor who paid for parser_v2. "
        "See https://a.example/b?c=1 or mail to ann@a.example"
    )
    found = added(source, output)
    assert (len(found) if isinstance(expected, int) else found) == expected


def test_spans_name_the_text_on_their_own_side():
    source, output = "Ann paid 12 euros, not 13 euros.", "Ann paid 14 euros, 13 euros."
    found = audit(source, output)
    assert [source[a:b] for _, _, (a, b) in found.lost] == ["not", "12 euros"]
    assert [output[a:b] for _, _, (a, b) in found.added] == ["14 euros"]


def test_spans_of_json_are_those_of_the_text_as_given():
    source = json.dumps({"a": 'Line one\n"Ünit" 5\nNobody paid 77 euros'})
    output = source.replace("77", "78")
    found = audit(source, output)
    assert [output[a:b] for _, _, (a, b) in found.added] == ["78 euros"]


def test_the_same_json_with_other_escapes_has_the_same_facts():
    value = {"text": "Zoë Müller\nmust not pay 8,466 € before 3 May"}
    plain, escaped = json.dumps(value, ensure_ascii=False), json.dumps(value, indent=1)
    for pair in ((plain, escaped), (escaped, plain)):
        assert audit(*pair) == Audit(kind="json", counts=audit(*pair).counts)


def test_lines_that_come_to_stand_together_add_nothing():
    assert added("core.7571\nx\n- 1120 a\n", "core.7571\n- 1120 a\n", kind="text") == []


def test_what_is_allowed():
    source, output = "The gate is shut.", "--- 2024-05-01 ---\n[No entry for Bob Moss] The gate is shut. (14 more)"
    assert len(added(source, output)) == 4
    allowed = ("2024-05-01", "No entry for Bob Moss", "14 more")
    assert audit(source, output, allowed=allowed).clean
    assert len(added(source, output, allowed="14 more")) == 3


# --- what is broken ---

TABLE = "# T\n\n| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n\n| c | d |\n|---|---|\n| 5 | 6 |\n"
CALL = {"role": "assistant", "content": None, "tool_calls": [{"id": "t1", "function": {}}]}
ANSWER = {"role": "tool", "tool_call_id": "t1", "content": "x"}
USE = {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "n", "input": {}}]}
RESULT = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "x"}]}
HELLO = {"role": "user", "content": "hello"}


@pytest.mark.parametrize(
    ("kind", "source", "output", "said"),
    [
        ("json", '{"a": [1, 2]}', '{"a": [1]}', ""),
        ("json", '{"a": [1, 2]}', '{"a": [1', "JSON does not parse any more"),
        ("json", '{"a": [1, 2]}', "[1, 2]", "the top of the JSON is an array, it was an object"),
        ("json", "9" * 5000, "1", ""),
        ("jsonl", '{"a": 1}\n\n{"a": 2}\n', '{"a": 2}\n', ""),
        ("jsonl", '{"a": 1}\n{"a": 2}\n', '{"a": 1}\n{"a"\n', "line 2 is no JSON any more"),
        ("jsonl", '{"a": 1}\n{"a": 2}\n', '{"a": 1}\n2\n', "line 2 is a number"),
        ("python", "def f():\n    return 1\n", "def f():\n    ...\n", ""),
        ("python", "def f():\n    return 1\n", "def f():\n", "Python does not parse any more"),
        ("python", 'x = "\\d"\n', 'x = "\\d"\n', ""),
        ("toml", "[a]\nb = 1\n", "[a]\n", ""),
        ("toml", "[a]\nb = 1\n", "[a\n", "TOML does not parse any more"),
        ("csv", "n,m\n1,2\n3,4\n", "n,m\n3,4\n", ""),
        ("csv", "n,m\n1,2\n3,4\n", "3,4\n", "the header is gone"),
        ("csv", "n,m\n1,2\n3,4\n", "n,m\n3\n", "row 2 has 1 fields"),
        ("csv", 'n,m\n"a\nb",2\n', 'n,m\n"a\n', "the rows do not parse"),
        ("csv", "n;m\n1;2,5\n3;4,5\n", "n;m\n3;4,5\n", ""),
        ("tsv", "n\tm\n1\t2\n3\t4\n", "n\tm\n3 4\n", "row 2 has 1 fields"),
        ("markdown", TABLE, "| a | b |\n|---|---|\n| 3 | 4 |\n", ""),
        ("markdown", TABLE, "| a | b |\n| 3 | 4 |\n", "stands without its header"),
        ("markdown", TABLE, "| a | b |\n|---|---|\n| 5 | 6 |\n", "line 3: a table row stands without its header"),
        ("markdown", TABLE, "| a | b |\n|---|---|\n| 1 | 4 |\n", "the source has no such table row: | 1 | 4 |"),
        ("markdown", "a\n```py\nx\n```\nb", "a\n```py\nx\n", "the fence of line 2 is not closed"),
        ("markdown", "a\n````\n```\n````\nb", "a\n````\n```\n````\n", ""),
        ("markdown", "[a](b/c.md) d", "[a](b/c.md)", ""),
        ("markdown", "[a](b/c.md) d", "[a](b/c.m)", "the target of a link is cut: b/c.m"),
        ("markdown", "[a](b/c.md) d", "[a](b/c", "a link is not closed"),
        ("markdown", "[a][r] b\n\n[r]: http://c.d\n", "[a][r] b\n", "the link [r] has lost its target"),
        ("messages", json.dumps([HELLO, CALL, ANSWER]), json.dumps([CALL, ANSWER]), ""),
        ("messages", json.dumps([HELLO, CALL, ANSWER]), json.dumps([HELLO, CALL]), "tool call 't1' has no answer"),
        ("messages", json.dumps([HELLO, CALL, ANSWER]), json.dumps([ANSWER]), "'t1' has no call before it"),
        ("messages", json.dumps([HELLO, CALL]), json.dumps([CALL]), ""),
        ("messages", json.dumps([USE, RESULT]), json.dumps([USE]), "tool call 't1' has no answer"),
        ("messages", json.dumps([HELLO]), json.dumps([{**HELLO, "role": "usr"}]), "unknown role 'usr'"),
        ("messages", json.dumps([HELLO]), json.dumps([{"content": "hello"}]), "message 0 has no role"),
        ("messages", json.dumps([HELLO]), "user: hello", "JSON does not parse any more"),
        ("messages", json.dumps({"messages": [HELLO]}), json.dumps({}), "no list of messages"),
        ("text", "(", "[", ""),
    ],
)
def test_what_is_broken(kind, source, output, said):
    found = broken(source, output, kind)
    if said:
        assert all(said in fault or "stands without its header" in fault for fault in found)
        assert said in " ".join(found)
    else:
        assert found == ()


@needs_yaml
@pytest.mark.parametrize(
    ("output", "said"),
    [
        ("a:\n  - c\n", ""),
        ("a: [", "YAML does not parse any more"),
        ("- c\n", "the top of the YAML is a sequence, it was a mapping"),
        ("a: *gone\n", "the alias 'gone' has no anchor"),
    ],
)
def test_yaml(output, said):
    found = broken("a:\n  - b\n  - c\n", output, "yaml")
    assert (said in found[0]) if said else (found == ())


@needs_yaml
def test_a_bomb_of_aliases_is_not_expanded():
    bomb = "a0: &a0 [x, x]\n" + "".join(f"a{k}: &a{k} [*a{k - 1}, *a{k - 1}]\n" for k in range(1, 60))
    started = time.process_time()
    assert broken(bomb, bomb, "yaml") == ()
    assert time.process_time() - started < 2


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ("text", "csv", "tsv", "markdown")])
@pytest.mark.parametrize("source", ["", "(", "[" * 50_000, "x: [\n- {", "\0", "\ud800 = (", "{" * 50_000 + "}"])
def test_a_source_that_is_not_valid_itself_is_never_broken(kind, source):
    if kind == "python" and source == "":
        source = ")"
    if kind in ("toml", "yaml") and source == "":
        source = "= [" if kind == "toml" else "[ {"
    assert broken(source, "{ [ not valid either", kind) == ()


@pytest.mark.parametrize("link", ["1 + ", "a.b(", "not ", "- "])
def test_code_that_is_nested_too_deeply_is_no_crash(link):
    assert broken(link * 100_000 + "1", "x", "python") == ()


def test_few_faults_are_named_and_the_rest_counted():
    source = "".join(f'{{"a": {k}}}\n' for k in range(9))
    assert broken(source, source.replace("}", ""), "jsonl")[-1].endswith("(and 6 more)")


def test_a_very_long_dotted_key_is_not_handed_to_the_parser():
    started = time.process_time()
    key = ".".join(["a"] * 30_000) + " = 1"
    assert broken(key, "x", "toml") == ()
    assert time.process_time() - started < 3


# --- kinds ---


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", "text"),
        ("One sentence. And another, with a comma.\nA third, too.", "text"),
        ("Ruth: hello\nSam: hi, how are you\n", "text"),
        ("Dear Ann,\nhow are you, and\nwhere is he, I ask\n", "text"),
        ('{"a": 1}', "json"),
        ('{"a": 1', "text"),
        ('{"a": 1}\n{"a": 2}\n', "jsonl"),
        (json.dumps([HELLO, CALL]), "messages"),
        (json.dumps({"model": "m", "messages": [HELLO]}), "messages"),
        ('[{"role": "admin", "name": "Ann"}]', "json"),
        ("import os\n\nx = 1\n", "python"),
        ("import duties rose in May.\nSo did taxes.", "text"),
        ("[tool]\nname = 'x'\n", "toml"),
        ("n,m,o\n1,2,3\n", "csv"),
        ("n\tm\n1\t2\n3\t4\n", "tsv"),
        ("# Head\n\nText.", "markdown"),
        ("See [it](a.md).", "markdown"),
        ("| a | b |\n|---|---|\n| 1 | 2 |\n", "markdown"),
    ],
)
def test_kinds_are_found_by_content(text, kind):
    assert structure.guess(text) == kind
    assert audit(text, text).kind == kind
    assert audit(text, text).clean


@needs_yaml
def test_yaml_is_found_by_content():
    assert structure.guess("# how\nservice:\n  image: x\n  ports:\n  - 80\n") == "yaml"


def test_an_unknown_kind_names_the_nearest():
    with pytest.raises(errors.InputError, match="Did you mean 'markdown'"):
        audit("", "", kind="markdwn")


# --- odd input, size ---

ODD = [
    "",
    " ",
    "\0",
    "\ud800",
    "\udc00\ud800 5",
    "5",
    "not",
    "a\u0301",
    "\u2028",
    "😀",
    "](" * 50,
    "```",
    "|",
    '"',
    "\\u",
]


@pytest.mark.parametrize("kind", ["", *KINDS])
def test_odd_input(kind):
    for source in ODD:
        for output in ODD:
            found = audit(source, output, kind=kind)
            json.dumps(found.to_dict())
            if source == output:
                assert (found.lost, found.gone, found.added, found.broken) == ((), (), (), ())


def seconds(size):
    lines = [f"On day {k} the pump of hall {k % 7} did not reach {k * 3} bar, said Ruth Okafor. " for k in range(size)]
    started = time.process_time()
    audit("".join(lines), "".join(lines[::50]))
    return time.process_time() - started


def test_time_is_linear():
    assert any(seconds(3200) < 14 * max(seconds(400), 0.02) for _ in range(4))


def test_the_parts_say_what_they_do_with_plain_values():
    found = alignment.align("a b c d e f", "x c d e y", allowed=["y"])
    assert found.where == [-1, 2, 3, 4, alignment.GIVEN]
    assert list(found.kept) == [0, 0, 2, 2, 2, 0]
    assert list(markup.broken_rows("", "a")) == []
    assert Audit(kind="text").clean
    assert Audit(kind="text").to_dict()["counts"] == {}
