"""Whether an output is still valid for what its source is: JSON, messages, code, YAML, TOML, tables, Markdown.

A source that is not valid itself is never broken. Nothing of a text is run, and nothing in it is expanded.
"""

from __future__ import annotations

import ast
import json
import re
import sys
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module, util
from typing import Any

from gliding.audit import markup
from gliding.audit.code import broken_code
from gliding.protocols import SyntaxTrees
from gliding.text.languages import NAMES as LANGUAGES
from gliding.text.xml import xml_fault

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_DEPTH = 500  # YAML inside YAML: libyaml's time grows with it
_MOST = 4_000_000  # characters of code, YAML and TOML: their parsers need a hundred times that in bytes
_NAMES = {"json": "JSON", "python": "Python", "yaml": "YAML", "toml": "TOML"}
_ROLES = frozenset("system developer user assistant tool function model human ai".split())
_CALLS = {"tool_use": "id", "function_call": "call_id"}
_ANSWERS = {"tool_result": "tool_use_id", "function_call_output": "call_id"}
# tomllib's time grows with the square of the parts of a dotted key.
_LONG_KEY = re.compile(r"(?<![\w.\"'-])[\w\"'-]{1,64}(?:[ \t]?\.[ \t]?[\w\"'-]{1,64}){100}")
_quiet = threading.Lock()


def broken(source: str, output: str, kind: str, *, trees: SyntaxTrees | None = None) -> tuple[str, ...]:
    """Return what is not valid any more in an output of a kind of text, in words; code is parsed by ``trees``.

    >>> broken('{"a": 1}', '{"a": ', "json")
    ('JSON does not parse any more: Expecting value: line 1 column 7 (char 6)',)
    """
    if kind in LANGUAGES:
        return tuple(broken_code(source, output, kind, trees))
    return tuple(_RULES[kind](source, output))


def guess(text: str) -> str:
    r"""Return the kind of a text by its content; ``text`` where it is none of the others.

    >>> [guess(text) for text in ('[{"role": "user", "content": "x"}]', "[a]\nb = 1", "import os", "# Head", "Why?")]
    ['messages', 'toml', 'python', 'markdown', 'text']
    """
    for kind, looks in _LOOKS:
        if looks(text):
            return kind
    return "text"


# --- texts that parse or do not ---


def _error(read: Callable[[str], Any], text: str) -> tuple[Any, str]:
    """Return what a reader makes of a text, and why it cannot read it; empty where it can."""
    try:
        return read(text), ""
    except RecursionError:
        return None, "it is nested too deeply"
    except MemoryError:
        return None, "it is too large"
    except (ValueError, SyntaxError) as error:
        return None, " ".join(str(error).split())[:200] or type(error).__name__


def _parses(read: Callable[[str], Any], text: str) -> bool:
    return not _error(read, text)[1]


def _load(text: str) -> Any:
    # Floats: a whole number of 5,000 digits is valid JSON, and Python refuses to make an int of it.
    return json.loads(text, parse_int=float)


def _json_top(text: str) -> str:
    return _top(_load(text))


def _top(value: object) -> str:
    names = ((dict, "an object"), (list, "an array"), (str, "a string"), (bool, "a truth value"), (float, "a number"))
    return next((name for kind, name in names if isinstance(value, kind)), "null")


def _bounded(text: str) -> str:
    if len(text) > _MOST:
        raise ValueError(f"it has more than {_MOST} characters")
    return text


def _python_top(text: str) -> str:
    with _quiet, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an escape that Python will not like some day is no fault
        if sys.version_info >= (3, 11):
            ast.parse(_bounded(text))
        else:  # ast.parse of Python 3.10 has no limit of depth: a long sum ends the process
            compile(_bounded(text), "<text>", "exec", dont_inherit=True)
    return "a module"


def _toml_top(text: str) -> str:
    if _LONG_KEY.search(text):
        raise ValueError("it has a key of too many parts")
    tomllib.loads(_bounded(text))
    return "a table"


def _yaml_top(text: str) -> str:
    """Read the events of YAML and build nothing of them: an alias that stands for millions stays an alias."""
    yaml = import_module("yaml")
    loader = getattr(yaml, "CLoader", yaml.Loader)
    tops: list[str] = []
    anchors: set[str] = set()
    depth = 0
    try:
        for event in yaml.parse(_bounded(text), Loader=loader):
            name = type(event).__name__
            if name == "AliasEvent" and event.anchor not in anchors:
                raise ValueError(f"the alias {event.anchor!r} has no anchor")
            if name == "DocumentStartEvent":
                anchors.clear()
            if name in _YAML_TOPS and depth == 0:
                tops.append(_YAML_TOPS[name])
            anchors |= {anchor for anchor in (getattr(event, "anchor", None),) if anchor}
            depth += name.endswith(("MappingStartEvent", "SequenceStartEvent"))
            depth -= name.endswith(("MappingEndEvent", "SequenceEndEvent"))
            if depth > _DEPTH:
                raise ValueError("it is nested too deeply")
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from error
    return tops[0] if tops else "nothing"


_YAML_TOPS = {"MappingStartEvent": "a mapping", "SequenceStartEvent": "a sequence", "ScalarEvent": "a scalar"}
_YAML_KINDS = ("a mapping", "a sequence")


def _still_parses(name: str, read: Callable[[str], str]) -> Callable[[str, str], Iterator[str]]:
    def rule(source: str, output: str) -> Iterator[str]:
        top, why = _error(read, source)
        if why:
            return
        now, why = _error(read, output)
        if why:
            yield f"{name} does not parse any more: {why}"
        elif now != top:
            yield f"the top of the {name} is {now}, it was {top}"

    return rule


def _yaml(source: str, output: str) -> Iterator[str]:
    # Any sentence is a scalar of YAML: that is no structure to keep.
    if util.find_spec("yaml") and _error(_yaml_top, source)[0] in _YAML_KINDS:
        yield from _still_parses("YAML", _yaml_top)(source, output)


def _json_lines(source: str, output: str) -> Iterator[str]:
    tops = set()
    for line in filter(str.strip, source.split("\n")):
        top, why = _error(_json_top, line)
        if why:
            return
        tops.add(top)
    faults = []
    for number, line in enumerate(output.split("\n"), 1):
        if tops and line.strip():
            top, why = _error(_json_top, line)
            if why:
                faults.append(f"line {number} is no JSON any more: {why}")
            elif top not in tops:
                faults.append(f"line {number} is {top}, as no line of the source is")
    yield from few(faults)


def few(faults: Sequence[str], most: int = 3) -> Iterator[str]:
    """Yield the first faults, and how many more there are.

    >>> list(few(["a", "b", "c", "d"], 2))
    ['a', 'b (and 2 more)']
    """
    for number, fault in enumerate(faults[:most], 1):
        more = len(faults) - most
        yield f"{fault} (and {more} more)" if number == most and more > 0 else fault


def _xml_top(text: str) -> str:
    if fault := xml_fault(text):
        raise ValueError(fault)
    return "an element"


# --- chat messages ---


def _messages(source: str, output: str) -> Iterator[str]:
    before = _items(_error(_load, source)[0])
    if before is None:
        return
    yield from _still_parses("JSON", _json_top)(source, output)
    value, why = _error(_load, output)
    after = _items(value)
    if after is None:
        if not why:
            yield "there is no list of messages any more"
        return
    roles = _ROLES | {item["role"] for item in before if isinstance(item.get("role"), str)}
    faults = []
    for number, item in enumerate(after):
        if not isinstance(item.get("role"), str):
            if item.get("type") not in (*_CALLS, *_ANSWERS) and all("role" in old for old in before):
                faults.append(f"message {number} has no role")
        elif item["role"] not in roles:
            faults.append(f"message {number} has the unknown role {item['role']!r}")
    known = set(_unpaired(before))
    faults += [fault for fault in _unpaired(after) if fault not in known]
    yield from few(faults)


def _items(value: object) -> list[dict[str, Any]] | None:
    """The messages of a list, or of a request that holds one."""
    if isinstance(value, dict):
        value = value.get("messages")
    if isinstance(value, list) and all(isinstance(item, dict) for item in value):
        return value
    return None


def _unpaired(items: Sequence[dict[str, Any]]) -> list[str]:
    calls: dict[str, None] = {}
    answered: set[str] = set()
    faults = []
    for item in items:
        for name, call in _events(item):
            if call:
                calls[name] = None
            elif name in calls:
                answered.add(name)
            else:
                faults.append(f"the tool's answer {name!r} has no call before it")
    return faults + [f"the tool call {name!r} has no answer" for name in calls if name not in answered]


def _events(item: dict[str, Any]) -> Iterator[tuple[str, bool]]:
    """The tool calls (True) and answers (False) of a message, by their id, in the shapes of several providers."""
    calls = item.get("tool_calls")
    for call in calls if isinstance(calls, list) else ():
        if isinstance(call, dict) and isinstance(call.get("id"), str):
            yield call["id"], True
    if item.get("role") == "tool" and isinstance(item.get("tool_call_id"), str):
        yield item["tool_call_id"], False
    content = item.get("content")
    for block in (item, *(content if isinstance(content, list) else ())):
        if isinstance(block, dict) and isinstance(block.get("type"), str):
            for keys, call in ((_CALLS, True), (_ANSWERS, False)):
                name = block.get(keys.get(block["type"], ""))
                if isinstance(name, str):
                    yield name, call


_RULES: dict[str, Callable[[str, str], Iterator[str]]] = {
    "json": _still_parses("JSON", _json_top),
    "jsonl": _json_lines,
    "messages": _messages,
    "python": _still_parses("Python", _python_top),
    "yaml": _yaml,
    "toml": _still_parses("TOML", _toml_top),
    "xml": _still_parses("XML", _xml_top),
    "csv": lambda source, output: few(list(markup.broken_rows(source, output))),
    "tsv": lambda source, output: few(list(markup.broken_rows(source, output, delimiter="\t"))),
    "markdown": lambda source, output: few(list(markup.broken_markdown(source, output)), 6),
    "text": lambda source, output: iter(()),
}
KINDS = (*_RULES, *LANGUAGES)

# --- found by content ---

_OPENS_JSON = re.compile(r"\s*[\[{]")
_PYTHON = re.compile(r"^(?:(?:async )?def \w+\(|class \w+[(:]|from [\w.]+ import |import \w|@\w)", re.M)
_TOML = re.compile(r"^(?:\[{1,2}[\w.\"' -]+\]{1,2}[ \t]*$|[\w.\"-]+ ?= ?\S)", re.M)
# A key alone on its line and what it holds below it: a transcript ("Ruth: hello") has no such thing.
_YAML = re.compile(r"^( *)(?:- )?[\w.\"'/-]+: *(?:#.*)?\r?\n(?:\1 +\S|\1- )", re.M)


def _looks_messages(text: str) -> bool:
    items = _items(_error(_load, text)[0]) if _OPENS_JSON.match(text) else None
    return bool(items) and any("role" in item and {"content", "tool_calls"} & item.keys() for item in items or ())


def _looks_json_lines(text: str) -> bool:
    if not _OPENS_JSON.match(text):
        return False
    lines = [line for line in text.split("\n") if line.strip()]
    return len(lines) > 1 and all(_OPENS_JSON.match(line) and _parses(_load, line) for line in lines)


def _looks_yaml(text: str) -> bool:
    if not _YAML.search(text) or not util.find_spec("yaml"):
        return False
    return _error(_yaml_top, text)[0] in _YAML_KINDS


_LOOKS: tuple[tuple[str, Callable[[str], bool]], ...] = (
    ("messages", _looks_messages),
    ("json", lambda text: bool(_OPENS_JSON.match(text)) and _parses(_load, text)),
    ("jsonl", _looks_json_lines),
    ("xml", lambda text: text.lstrip("\ufeff \t\r\n").startswith("<?xml") and not xml_fault(text)),
    ("python", lambda text: bool(_PYTHON.search(text)) and _parses(_python_top, text)),
    ("toml", lambda text: bool(_TOML.search(text)) and _parses(_toml_top, text)),
    ("yaml", _looks_yaml),
    ("tsv", lambda text: markup.looks_like_rows(text, delimiter="\t")),
    ("csv", lambda text: markup.looks_like_rows(text)),
    ("markdown", markup.looks_like_markdown),
)
