"""XML: elements as records inside the tags that they need, so that what comes out is well formed.

Text that is mixed with elements is cut between sentences, never inside of an element or an entity.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from gliding.text.sentences import sentence_spans
from gliding.text.xml import xml_fault
from gliding.types import Frame, Segment, Span

_DEEPEST = 60  # levels that are opened; what is deeper stays together
_LEAD = 80  # characters of a record's first element up to which it goes with every part of the record
_HEAD = 2_000  # characters before the root that are kept with everything
_TOKEN = re.compile(
    r"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|<!DOCTYPE[^>\[]*(?:\[[^\]]*\]\s*)?>"
    r"|<(?P<close>/?)(?P<name>[^\s/>!?]+)(?:[^>\"']|\"[^\"]*\"|'[^']*')*>",
    re.DOTALL,
)
_ROOT = re.compile(r"\ufeff?\s*(?:<\?xml\b[^>]{0,200}\?>|<[A-Za-z_][\w.:-]*[\s/>])")
_PAGE = frozenset("html head body div p span table ul ol li a b i br h1 h2 h3 h4 h5 h6 script style pre code".split())
_ENTITY = re.compile(r"&[^;\s&]{1,40};")


@dataclass(slots=True)
class _Node:
    """An element, or what is none (``name`` empty): a comment, an instruction, a part that is no markup."""

    name: str
    start: int
    opened: int
    closing: int = 0
    end: int = 0
    children: list[_Node] = field(default_factory=list)


def is_xml(text: str, *, said: bool = False) -> bool:
    """Say whether a text is well-formed XML.

    Where nobody has ``said`` so, it begins as XML does, has elements in its root, and is no part of a page of HTML.

    >>> is_xml("<r><b>1</b><c/></r>"), is_xml("<p>One <b>two</b>.</p>"), is_xml("<r>One.</r>"), is_xml("a < b")
    (True, False, False, False)
    """
    found = _ROOT.match(text)
    if found is None or text.rstrip()[-1:] != ">":
        return False
    if not said and not found[0].lstrip("\ufeff \t\r\n").startswith("<?xml"):
        name = re.sub(r"[<\s/>]", "", found[0]).lower()
        if name in _PAGE or text.count("</") + text.count("/>") < 3:
            return False
    return not xml_fault(text)


def cut_xml(text: str, document: int, *, max_chars: int) -> list[Segment] | None:
    """Return the segments of a text for which ``is_xml`` holds; None where its head is longer than what it heads."""
    top = _read(text)
    root = next((node for node in top if node.name), None)
    if root is None:
        return None
    heads = [node for node in top if node.start < root.start and not text.startswith("<!--", node.start)]
    head = heads[-1].end if heads else 0
    if head > _HEAD:
        return None
    around = Frame(Span(0, head), Span(len(text), len(text)))
    segments: list[Segment] = []
    for node in top:
        if node is root:
            segments += _cut(text, root, around, document, max_chars, 0)
        elif node.start >= head:
            span = Span(node.start, node.end)
            segments.append(Segment(document, span, "record", (span,), frame=around))
    return segments


def _read(text: str) -> list[_Node]:
    """The nodes of the outermost level of a well-formed text."""
    top: list[_Node] = []
    above: list[_Node] = []
    for found in _TOKEN.finditer(text):
        level = above[-1].children if above else top
        start, end = found.span()
        if not found["name"]:
            level.append(_Node("", start, start, end, end))
        elif found["close"]:
            node = above.pop()
            node.closing, node.end = start, end
        else:
            node = _Node(found["name"], start, end, end, end)
            level.append(node)
            if text[end - 2] != "/":
                above.append(node)
    return top


def _cut(text: str, node: _Node, parent: Frame, document: int, max_chars: int, depth: int) -> Iterator[Segment]:
    """Yield the segments of an element: one where it is short, else its parts inside its tags."""
    if depth and (node.end - node.start <= max_chars or depth >= _DEEPEST):
        yield _record(document, [Span(node.start, node.end)], parent)
        return
    elements = [child for child in node.children if child.name]
    lead = elements[0] if depth and _names(text, elements) else None
    named = Span(node.start, node.opened) if "=" in text[node.start : node.opened] else None
    frame = Frame(
        Span(node.start, node.opened),
        Span(node.closing, node.end),
        parent=parent,
        name=Span(lead.start, lead.end) if lead else named,
    )
    if not elements or _is_mixed(text, node):
        yield from _text(text, node, frame, parent, document, max_chars)
        return
    yield from _parts(text, node, elements, frame, document, max_chars, depth, lead is not None)


def _parts(
    text: str,
    node: _Node,
    elements: list[_Node],
    frame: Frame,
    document: int,
    max_chars: int,
    depth: int,
    led: bool,
) -> Iterator[Segment]:
    """The elements of an element: those of one name are a segment each, different ones are members of a record."""
    names = Counter(child.name for child in elements)
    listed = 2 * max(names.values()) > len(elements) > 1
    group: list[Span] = []
    leads = int(led and not listed)
    begin = -1  # of the comments before an element
    for child in node.children:
        begin = child.start if begin < 0 else begin
        if not child.name:
            continue
        short = child.end - begin <= max_chars or child.end - child.start <= max_chars
        if short:
            group.append(Span(begin, child.end))
            begin = -1
            if not listed:
                continue
        if group:
            yield _record(document, group, frame, leads)
            group, leads = [], 0
        if not short:
            if begin < child.start:
                yield _record(document, [Span(begin, text.rindex(">", begin, child.start) + 1)], frame)
            yield from _cut(text, child, frame, document, max_chars, depth + 1)
            begin = -1
    if begin >= 0:  # comments below the last element
        group.append(Span(begin, node.children[-1].end))
    if group:
        yield _record(document, group, frame, leads)


def _text(text: str, node: _Node, frame: Frame, parent: Frame, document: int, max_chars: int) -> Iterator[Segment]:
    """The sentences of an element's text."""
    inner = node.children
    start, end = node.opened, node.closing
    if len(inner) == 1 and text.startswith("<![CDATA[", inner[0].start) and not _beside(text, node):
        start, end = inner[0].start + len("<![CDATA["), inner[0].end - len("]]>")
        frame = Frame(Span(node.start, start), Span(end, node.end), parent=parent, name=frame.name)
        inner = []
    inside = [Span(child.start, child.end) for child in inner]
    inside += [Span(*found.span()) for found in _ENTITY.finditer(text, start, end)]
    spans = _unbroken(sentence_spans(text, start, end, max_chars=max_chars), sorted(inside))
    if spans:
        yield _record(document, spans, frame)
    else:
        yield _record(document, [Span(node.start, node.end)], parent)


def _unbroken(sentences: Iterable[Span], inside: list[Span]) -> list[Span]:
    """The sentences, those put together between which an element or an entity goes on."""
    spans: list[Span] = []
    at = 0
    for span in sentences:
        while at < len(inside) and inside[at].end <= span.start:
            at += 1
        if spans and at < len(inside) and inside[at].start < span.start:
            spans[-1] = Span(spans[-1].start, span.end)
        else:
            spans.append(span)
    return spans


def _record(document: int, spans: list[Span], frame: Frame, lead: int = 0) -> Segment:
    return Segment(document, Span(spans[0].start, spans[-1].end), "record", tuple(spans), frame=frame, lead=lead)


def _is_mixed(text: str, node: _Node) -> bool:
    """Whether text stands beside the elements of an element, or a part that is no markup."""
    if any(text.startswith("<![CDATA[", child.start) for child in node.children):
        return True
    return _beside(text, node)


def _beside(text: str, node: _Node) -> bool:
    at = node.opened
    for child in node.children:
        if text[at : child.start].strip():
            return True
        at = child.end
    return bool(text[at : node.closing].strip())


def _names(text: str, elements: list[_Node]) -> bool:
    """Whether the first element of a record can stand for it: short, and with nothing but text in it."""
    return len(elements) > 1 and not elements[0].children and elements[0].end - elements[0].start <= _LEAD
