"""Chat messages as JSON, in the shapes of OpenAI and Anthropic: messages in, messages out.

A message stays with its role and all its members; only its longest text is cut, into sentences or, where it is JSON,
into the records of that. A tool call and its
answer are tied, so that one is never kept without the other.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from gliding.segment.json import Node, is_opaque, opened, read, read_escaped, string_spans
from gliding.types import Document, Frame, Segment, Span

_ROLES = frozenset("system developer user assistant tool function model".split())
_CALLS = ("tool_call_id", "tool_use_id", "call_id")


def cut_messages(text: str, document: int, *, max_chars: int) -> list[Segment] | None:
    """Return the segments of a JSON text that holds messages, one a message; None where it holds none.

    The messages are the whole text or the member ``messages`` of an object, whose other members come out as they are.
    """
    if '"role"' not in text:
        return None
    begin = len(text) - len(text.lstrip("\ufeff \t\r\n"))
    data = json.loads(text[begin:], parse_int=str, parse_float=str)
    root = read(text, begin, len(text.rstrip()))
    held = root
    if isinstance(data, dict) and isinstance(data.get("messages"), list):
        names = list(data)
        if len(names) != len(root.children):  # a name that comes twice
            return None
        held, data = root.children[names.index("messages")], data["messages"]
    if not isinstance(data, list) or not data or not all(map(_is_message, data)):
        return None
    around = Frame(Span(root.start, held.value + 1), Span(held.end - 1, root.end), ",")
    ties = _ties(data)
    last = max((k for k, message in enumerate(data) if message["role"] == "user"), default=-1)
    segments: list[Segment] = []
    for k, (node, message) in enumerate(zip(held.children, data, strict=True)):
        vital = k == last or message["role"] in ("system", "developer")
        segments += _message(text, node, around, ties.get(k, ""), document, max_chars, vital)
    return segments


def question(documents: Sequence[Document], segments: Sequence[Segment]) -> str:
    """Return what the last vital message asks, where it is the user's and plain text; else nothing."""
    last = next((segment for segment in reversed(segments) if segment.vital), None)
    if last is None:
        return ""
    message = json.loads(documents[last.document].text[slice(*last.span)])
    content = message.get("content")
    return content if message["role"] == "user" and isinstance(content, str) else ""


def _is_message(value: Any) -> bool:
    return isinstance(value, dict) and value.get("role") in _ROLES and ("content" in value or "tool_calls" in value)


def _message(
    text: str, node: Node, around: Frame, tie: str, document: int, max_chars: int, vital: bool
) -> list[Segment]:
    """The segment of a message, several where its text is JSON."""
    texts = (found for found in _strings(text, node) if not is_opaque(text, found))
    body = max(texts, key=lambda found: found.end - found.value, default=None)
    name = Span(node.children[0].start, node.children[0].end)
    if body is not None and not vital and node.end - node.start > max_chars:
        start, end = body.value + 1, body.end - 1
        frame = Frame(Span(node.start, start), Span(end, node.end), parent=around, name=name, tie=tie)
        if held := read_escaped(text, start, end):
            return list(opened(text, held, frame, document, max_chars, 1))
        if spans := string_spans(text, start, end, max_chars=max_chars):
            return [Segment(document, Span(spans[0].start, spans[-1].end), "turn", tuple(spans), frame=frame)]
    whole = Span(node.start, node.end)
    frame = Frame(Span(whole.start, whole.start), Span(whole.end, whole.end), parent=around, name=name, tie=tie)
    return [Segment(document, whole, "turn", (whole,), frame=frame, vital=vital)]


def _strings(text: str, node: Node) -> Iterator[Node]:
    """The strings below a node."""
    stack = list(node.children)
    while stack:
        below = stack.pop()
        if text[below.value] == '"':
            yield below
        stack += below.children


def _ties(messages: list[dict[str, Any]]) -> dict[int, str]:
    """Message to a name that those share which call a tool and answer that call."""
    found: dict[str, list[int]] = {}
    for k, message in enumerate(messages):
        for call in _calls(message):
            found.setdefault(call, []).append(k)
    tie: dict[int, str] = {}
    for call, numbers in found.items():
        if len(numbers) > 1:
            shared = next((tie[k] for k in numbers if k in tie), call)
            old = {tie[k] for k in numbers if k in tie}
            tie.update(dict.fromkeys(numbers, shared))
            tie.update({k: shared for k, name in tie.items() if name in old})
    return tie


def _calls(message: dict[str, Any]) -> list[str]:
    """The ids of the tool calls that a message makes or answers."""
    calls = message.get("tool_calls")
    parts = [part for part in (calls if isinstance(calls, list) else []) if isinstance(part, dict)]
    content = message.get("content")
    parts += [
        part
        for part in (content if isinstance(content, list) else [])
        if isinstance(part, dict) and str(part.get("type", "")).startswith("tool")
    ]
    ids = [part.get(key) for part in parts for key in ("id", *_CALLS)]
    ids += [message.get(key) for key in _CALLS]
    return [value for value in dict.fromkeys(ids) if isinstance(value, str) and value]
