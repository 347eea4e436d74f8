"""JSON and JSON Lines: records that come out whole where they fit, inside the brackets that keep the output JSON.

It reads where values stand, which the standard library's parser does not tell; that parser says first whether the text
is JSON at all.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from gliding.text.sentences import sentence_spans
from gliding.types import Frame, Segment, Span

_LARGEST = 50_000_000  # characters of a text that is looked at
_DEEPEST = 40  # levels that are opened; what is deeper stays together
_MANY = 50_000  # elements from which short ones in a row are one, so that memory grows with the text
_LITTLE = 20  # times that the members which lead an object go into it, at least
_LEAD = 80  # characters of a record's first member up to which it goes with every part of the record
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]:,]|[^\s{}\[\]:,"]+')
_PAYLOAD = re.compile(r"[{\[](?=\s*[\"{\[])")
_PREFIX = 300  # characters of a line before the JSON in it
_SPACE = re.compile(r"\s+")
_LINE = re.compile(r"[^\s](?:[^\n]*[^\s])?")
_DEEP_ESCAPE = re.compile(r'\\[^"nrtu/]')
_ONE_ESCAPE = re.compile(r'\\["nrt]')
_OPAQUE = re.compile(r"[!-\[\]-~]{200}")  # no white space, no escape: a picture, a key
_ESCAPED_BREAK = re.compile(r"(?:\\r)?(?:\\n)+")


@dataclass(slots=True)
class Node:
    """A member or an element: from its key to the end of its value, which begins at ``value``."""

    start: int
    value: int
    end: int = 0
    children: list[Node] = field(default_factory=list)


def is_json(text: str) -> bool:
    """Say whether a text is one JSON object or array.

    >>> is_json('{"a": [1]}'), is_json("[1, 2"), is_json("12")
    (True, False, False)
    """
    body = text.lstrip("\ufeff \t\r\n")
    if body[:1] not in ("{", "[") or len(text) > _LARGEST:
        return False
    try:
        # no number is too long, and no object is kept: only whether it can be read is asked
        json.loads(body, parse_int=str, parse_float=str, object_pairs_hook=lambda pairs: None)
    except (ValueError, RecursionError):
        return False
    return True


def is_json_lines(text: str) -> bool:
    r"""Say whether each line of a text, and more than one, is a JSON object or array.

    >>> is_json_lines('{"a": 1}\n{"a": 2}\n'), is_json_lines('{"a": 1}'), is_json_lines('{"a": 1}\nx')
    (True, False, False)
    """
    if text.lstrip("\ufeff \t\r\n")[:1] not in ("{", "[") or len(text) > _LARGEST:
        return False
    lines = [line for line in text.split("\n") if line.strip()]
    return len(lines) > 1 and all(is_json(line) for line in lines)


def is_json_string(text: str, *, said: bool = False) -> bool:
    r"""Say whether a text is one JSON string; where nobody has ``said`` that it is JSON, an escape has to show it.

    >>> is_json_string(r'"One.\nTwo."'), is_json_string('"Yes," she said.'), is_json_string('"Yes."')
    (True, False, False)
    """
    body = text.strip("\ufeff \t\r\n")
    if not (len(body) > 2 and body[0] == body[-1] == '"') or len(text) > _LARGEST or not (said or "\\" in body):
        return False
    found = _TOKEN.match(body)
    if found is None or found.end() != len(body):
        return False
    try:
        json.loads(body)
    except ValueError:
        return False
    return True


def cut_json(text: str, document: int, *, max_chars: int) -> list[Segment]:
    """Return the segments of a text for which ``is_json`` or ``is_json_string`` holds."""
    begin = len(text) - len(text.lstrip("\ufeff \t\r\n"))
    return list(opened(text, read(text, begin, len(text), least=max_chars), None, document, max_chars, 0))


def cut_json_lines(text: str, document: int, *, max_chars: int) -> list[Segment]:
    """Return the segments of a text for which ``is_json_lines`` holds: one a line, more where it is long."""
    around = Frame(Span(0, 0), Span(len(text), len(text)))
    segments: list[Segment] = []
    for line in _LINE.finditer(text):
        begin, end = line.span()
        begin += text[begin] == "\ufeff"
        # A lone carriage return is white space in JSON, but between kept parts it would end the line.
        if end - begin <= max_chars or "\r" in line[0]:
            segments.append(Segment(document, Span(begin, end), "record", (Span(begin, end),), frame=around))
        else:
            segments += opened(text, read(text, begin, end, least=max_chars), around, document, max_chars, 1)
    return segments


def cut_line_with_json(text: str, document: int, start: int, end: int, *, max_chars: int) -> list[Segment]:
    """Return the segments of a line that ends in JSON: what is before it stands around all of them; else none."""
    found = _PAYLOAD.search(text, start, min(end, start + _PREFIX))
    if found is None or not is_json(text[found.start() : end]):
        return []
    at = found.start()
    around = Frame(Span(start, at), Span(end, end), name=Span(start, at))
    return list(opened(text, read(text, at, end, least=max_chars), around, document, max_chars, 1))


def read_escaped(text: str, start: int, end: int) -> Node | None:
    r"""Return the tree of the JSON that a JSON string holds as its text, or None: "{\"id\": 7}", a tool's answer.

    Strings in it are not opened, and one that has quotes itself is left alone.
    """
    inner = text[start:end]
    if inner[:1] not in ("{", "[") or _DEEP_ESCAPE.search(inner):
        return None
    plain = _ONE_ESCAPE.sub(lambda found: ' "' if found[0][1] == '"' else "  ", inner)
    if not is_json(plain):
        return None
    root = read(plain, 0, len(plain))
    stack = [root]
    while stack:
        node = stack.pop()
        stack += node.children
        quoted, string = plain[node.start] == '"', plain[node.value] == '"'  # their backslash stands before them
        node.start += start - quoted
        node.value += start - string
        node.end += start
    return root


def read(text: str, start: int, end: int, *, least: int = 0) -> Node:
    """Return the tree of the JSON in ``text[start:end]``; containers up to ``least`` characters are not opened."""
    root = Node(start, start, end)
    above: list[Node] = []
    key = -1
    node = root
    for found in _TOKEN.finditer(text, start, end):
        mark = found[0]
        if mark in "}]":
            closed = above.pop()
            closed.end = found.end()
            if closed.end - closed.start <= least and above:
                closed.children = []
        elif mark == ",":
            key = -1
        elif mark != ":":
            if mark[0] == '"' and above and text[above[-1].value] == "{" and key < 0:
                key = found.start()
                continue
            node = root if not above else Node(found.start() if key < 0 else key, found.start(), found.end())
            key = -1
            if above:
                above[-1].children.append(node)
            if mark in "{[":
                above.append(node)
    return root


def opened(text: str, node: Node, parent: Frame | None, document: int, max_chars: int, depth: int) -> Iterator[Segment]:
    """Yield the segments of a container or of a long string, which becomes the frame around them."""
    if text[node.value] == '"':
        yield from _string(text, node, parent, document, max_chars)
        return
    record = text[node.value] == "{"
    lead = node.children[0] if record and _names(text, node.children) else None
    frame = Frame(
        Span(node.start, node.value + 1),
        Span(node.end - 1, node.end),
        separator=",",
        parent=parent,
        name=Span(lead.start, lead.end) if lead else None,
    )
    group: list[Span] = []
    leads = 1 if lead and parent is not None else 0  # what all of a text is in need not be told it again and again
    few = parent is None and record and _few(text, node)
    for child in node.children if len(node.children) < _MANY else _packed(node.children, max_chars):
        if not _is_long(text, child, max_chars) or depth >= _DEEPEST:
            group.append(Span(child.start, child.end))
            if record:
                continue
        leads = len(group) if few else leads
        if group:  # an element is a segment of its own, the members of an object are one
            yield Segment(document, Span(group[0].start, group[-1].end), "record", tuple(group), 0, -1, frame, leads)
            group, leads = [], 0
        if _is_long(text, child, max_chars) and depth < _DEEPEST:
            yield from opened(text, child, frame, document, max_chars, depth + 1)
    if group:
        leads = len(group) if few else leads
        yield Segment(document, Span(group[0].start, group[-1].end), "record", tuple(group), 0, -1, frame, leads)


def _few(text: str, node: Node) -> bool:
    """Whether what stands beside the containers of an object is little, and says what the object is."""
    beside = [member for member in node.children if text[member.value] not in "{["]
    size = sum(member.end - member.start for member in beside)
    return len(beside) < len(node.children) and size <= _LEAD and size * _LITTLE <= node.end - node.start


def _packed(nodes: list[Node], most: int) -> Iterator[Node]:
    """The nodes, those in a row put together up to ``most`` characters."""
    held: Node | None = None
    for node in nodes:
        if held is not None and node.end - held.start <= most:
            held = Node(held.start, held.value, node.end)
        else:
            if held is not None:
                yield held
            held = node
    if held is not None:
        yield held


def _is_long(text: str, node: Node, max_chars: int) -> bool:
    """Whether a value is cut into parts: a container or a string, too long even without its indentation."""
    if node.end - node.start <= max_chars or not (node.children or text[node.value] == '"'):
        return False
    if text[node.value] == '"' and is_opaque(text, node):
        return False
    return len(_SPACE.sub(" ", text[node.start : node.end])) > max_chars


def is_opaque(text: str, node: Node) -> bool:
    """Say whether a string is data and no text, so that a part of it is worth nothing."""
    return _OPAQUE.search(text, node.value, node.end) is not None


def _names(text: str, members: list[Node]) -> bool:
    """Whether the first member of a record can stand for it: short, and no container."""
    return bool(members) and text[members[0].value] not in "{[" and members[0].end - members[0].start <= _LEAD


def _string(text: str, node: Node, parent: Frame | None, document: int, max_chars: int) -> Iterator[Segment]:
    """A long string with its key and quotes around it."""
    start, end = node.value + 1, node.end - 1
    frame = Frame(Span(node.start, start), Span(end, node.end), parent=parent)
    spans = string_spans(text, start, end, max_chars=max_chars)
    if spans:
        yield Segment(document, Span(spans[0].start, spans[-1].end), "record", tuple(spans), frame=frame)


def string_spans(text: str, start: int, end: int, *, max_chars: int) -> list[Span]:
    """Return the sentences and lines of the inside of a JSON string, as it is written; an escape is never cut."""
    spans: list[Span] = []
    stops = [found.end() for found in _ESCAPED_BREAK.finditer(text, start, end) if _whole(text, start, found.start())]
    for a, b in zip([start, *stops], [*stops, end], strict=True):
        for span in sentence_spans(text, a, b, max_chars=max_chars):
            if spans and not _whole(text, start, span.start):
                spans[-1] = Span(spans[-1].start, span.end)
            else:
                spans.append(span)
    return spans


def _whole(text: str, start: int, at: int) -> bool:
    """Whether a place in a string is not inside an escape."""
    low = max(start, at - 6)
    slash = text.rfind("\\", low, at)
    if slash < 0:
        return True
    run = slash
    while run > start and text[run - 1] == "\\":
        run -= 1
    if (slash - run) % 2:  # the last of the backslashes is escaped itself
        return True
    return at >= slash + (6 if text[slash + 1 : slash + 2] == "u" else 2)
