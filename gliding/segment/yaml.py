"""YAML: members and elements under the keys and dashes they need, so that what comes out is YAML with the same values.

A record of a list stands behind its dash and with its first member; a document of several behind its marker. What an
alias stands for is kept wherever the alias is. What ``yaml_lines`` does not surely understand is not cut here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from gliding.segment.lines import ends_like_prose
from gliding.segment.yaml_lines import Node, Reader, Reference
from gliding.types import Frame, Segment, SegmentKind, Span

_DEEPEST = 40  # levels that are opened; what is deeper stays together
_LEAD = 80  # characters of a first member up to which it goes with every part of its record
_PARTS = 10  # into which a text is cut at least, so that some of a short one fits
_LEADS = 2  # members that lead each document of several: what it is, and of which version
_MOST_ANCHORS = 12  # that are used together; where there are more, what holds them stays whole
_FEWEST = 3  # nodes of a text that is taken for YAML by its content
_LINE = re.compile(r"\S(?:[^\n]*\S)?")
# A key alone on its line and something deeper, or an element, below it: a transcript ("Ruth: hello") has no such thing.
_NESTED = re.compile(
    r"(?m)^( *)(?:- +)?[\w.\"'/$@-]+:[ \t]*(?:[&!][\w./-]+[ \t]*)?(?:#.*)?\r?\n(?:[ \t]*(?:#.*)?\r?\n)*\1(?: +\S|- )"
)
_PLAIN_KEY = re.compile(r"""(?:&\w+ +)?[\w./$@*<~-]+ *\Z|["']""")


def is_yaml(text: str) -> bool:
    r"""Say whether a text is surely YAML: keys without spaces, none twice, some above others, and hardly any prose.

    >>> is_yaml("on:\n  push:\n    branches: [main]\n"), is_yaml("Ruth: hello\nBen: hi\nRuth: bye\n")
    (True, False)
    """
    reader = Reader(text)
    return _NESTED.search(text) is not None and reader.read() and _is_sure(reader)


def _is_sure(reader: Reader) -> bool:
    text = reader.text
    if len(reader.nodes) < _FEWEST or not all(map(_is_data, reader.documents)):
        return False
    if not any(node.children for node in reader.nodes):
        return False
    keys = [text[slice(*node.key)] for node in reader.nodes if node.key is not None]
    if not all(map(_PLAIN_KEY.match, keys)) or any(_repeats(text, node) for node in (*reader.documents, *reader.nodes)):
        return False
    values = [text[node.at : node.end] for node in reader.nodes if node.style == "plain"]
    prose = sum("\n" in value or (ends_like_prose(value) and value.count(" ") > 3) for value in values)
    return 2 * prose <= len(values)


def cut_yaml(text: str, document: int, *, max_chars: int, said: bool = True) -> list[Segment] | None:
    """Return the segments of a text, one a member or element that is not opened; None where it is not surely YAML.

    Where nobody ``said`` that it is YAML, its content must tell, as ``is_yaml`` has it.
    """
    if not said and not _NESTED.search(text):
        return None
    reader = Reader(text)
    if not reader.read() or not (said or _is_sure(reader)):
        return None
    cutter = _Cutter(text, document, max_chars, _links(reader.references))
    around = Frame(Span(0, 0), Span(len(text), len(text)))
    for number, node in enumerate(reader.documents):
        cutter.top(node, around, first=number == 0, several=len(reader.documents) > 1)
    return cutter.segments


class _Cutter:
    """Collects the segments of one text."""

    def __init__(self, text: str, document: int, max_chars: int, links: dict[Node, list[tuple[Node, Node]]]) -> None:
        self.text, self.document, self.links = text, document, links
        self.grain = min(max_chars, max(_LEAD, len(text) // _PARTS))
        self.segments: list[Segment] = []

    def top(self, node: Node, around: Frame, *, first: bool, several: bool) -> None:
        """Cut one document; the first can do without its marker, which goes with the comments above it."""
        opening, child = Span(node.start, node.head), node.children[0]
        if first and node.plain and opening.start < opening.end:
            child.loose = Span(opening.start, child.loose.end if child.loose else opening.end)
            opening = Span(node.start, node.start)
        leads = self.leading(node, _LEADS) if several else 0
        name = self.title(node, leads) if leads else None
        frame = Frame(opening, node.closing or Span(node.end, node.end), parent=around, name=name)
        if self.is_bound(node):
            start = child.loose.start if child.loose else child.start
            self.add([Span(start, node.tail.end if node.tail else node.end)], frame)
        else:
            self.members(node, frame, 1, leads=leads)

    def title(self, node: Node, leads: int) -> Span:
        """What names a document of several: what leads it, and the first line below the member after that."""
        last = node.children[leads - 1]
        for after in node.children[leads : leads + 1]:
            last = after.children[0] if after.children else last
        return Span(node.children[0].at, last.head if last.children else last.end)

    def members(self, node: Node, frame: Frame, depth: int, *, leads: int = 0, record: bool = False) -> None:
        """Cut the children of a node inside its frame; the members of a record that stay whole are one segment."""
        defining, using = _shared(self.links.get(node, ()), frame)
        host, beside = None, frame
        if not leads and not record and (node.tail or any(child.loose for child in node.children)):
            # a child that is kept where a comment is, so that comments are never all there is
            host = next((c for c in node.children if c not in using and self.is_whole(c, depth)), None)
            beside = _needed(frame)
        group: list[Span] = []
        lead = leads
        for number, child in enumerate(node.children):
            start = child.start
            whole = self.is_whole(child, depth)
            joined = whole and (record or number < leads)
            apart = child.loose if leads or host is not None else None
            if group and (apart or not joined):
                self.add(group, frame, lead)
                group, lead = [], 0
            if apart:
                self.add([apart], beside)
            elif child.loose:
                start = child.loose.start
            if joined:
                group.append(Span(start, child.end))
                if not record and number + 1 == leads:
                    self.add(group, frame, lead)
                    group = []
            elif child in defining or child is host:
                self.add([Span(start, child.end)], defining.get(child, beside), 1)
            elif whole:
                self.add([Span(start, child.end)], using.get(child, frame))
            else:
                self.opened(child, start, using.get(child, frame), depth)
        if group:
            self.add(group, frame, lead)
        if node.tail and (leads or host is not None):
            self.add([node.tail], beside)

    def opened(self, child: Node, start: int, frame: Frame, depth: int) -> None:
        """Cut a node that is too long: its key or dash becomes the frame around its parts."""
        record = child.key is None and _holds_keys(child)
        leads = self.leading(child, 1) if record else 0
        name = Span(child.children[0].at, child.children[0].end) if leads else child.key
        inner = Frame(Span(start, child.head), Span(child.end, child.end), parent=frame, name=name)
        if child.children:
            self.members(child, inner, depth + 1, leads=leads, record=record)
        else:  # the first line of a block scalar tells how deep it stands
            lines = [Span(*found.span()) for found in _LINE.finditer(self.text, child.head, child.end)]
            self.add(lines, inner, 1, "fence")

    def leading(self, node: Node, most: int) -> int:
        """How many of the first members can stand for a record: short ones with a plain value."""
        count = 0
        if node not in self.links:
            for child in node.children[:most]:
                short = child.size <= _LEAD and child.style in ("plain", "closed")
                if child.key is None or not short or (child.loose and count):
                    break
                count += 1
        return count

    def is_whole(self, child: Node, depth: int) -> bool:
        """Whether a member or an element is never cut."""
        if child.size <= self.grain:
            return True
        if child.children:
            return depth >= _DEEPEST or child.tagged or self.is_bound(child)
        return child.style != "literal"

    def is_bound(self, node: Node) -> bool:
        """Whether children change what their siblings mean: by a merge or a key that comes twice; or share too much."""
        merges = any(self.text.startswith("<<", child.at) for child in node.children)
        if _holds_keys(node) and (merges or _repeats(self.text, node)):
            return True
        links = self.links.get(node, ())
        record = node.parent is not None and node.key is None and _holds_keys(node)
        return bool(links) and (record or max(map(len, _groups(links))) > _MOST_ANCHORS)

    def add(self, spans: Sequence[Span], frame: Frame, lead: int = 0, kind: SegmentKind = "record") -> None:
        whole = Span(spans[0].start, spans[-1].end)
        self.segments.append(Segment(self.document, whole, kind, tuple(spans), 0, -1, frame, lead))


def _holds_keys(node: Node) -> bool:
    return bool(node.children) and node.children[0].key is not None


def _is_data(node: Node) -> bool:
    """Whether a document is a mapping, or a list of mappings."""
    return _holds_keys(node) or all(map(_holds_keys, node.children))


def _repeats(text: str, node: Node) -> bool:
    """Whether a key comes twice in a mapping: the last of them counts, so none may go."""
    keys = [text[slice(*child.key)].strip(" \"'") for child in node.children if child.key is not None]
    return len(set(keys)) < len(keys)


# --- anchors and aliases ---


def _links(references: Sequence[Reference]) -> dict[Node, list[tuple[Node, Node]]]:
    """For each node, those of its children that hold an alias, behind those that hold its anchor.

    A node that has its own alias inside is linked to itself, in its parent.
    """
    links: dict[Node, list[tuple[Node, Node]]] = {}
    known: dict[tuple[Node, str], Node] = {}
    for node, mark, name in references:
        if mark == "&":
            known[_top(node), name] = node
        elif (anchor := known.get((_top(node), name))) is not None:
            above: dict[Node, Node] = {}
            at = anchor
            while at.parent is not None:
                above[at.parent] = at
                at = at.parent
            below = node
            while below.parent is not None and below.parent not in above and below is not anchor:
                below = below.parent
            if below.parent is not None:
                links.setdefault(below.parent, []).append((above[below.parent], below))
    return links


def _top(node: Node) -> Node:
    while node.parent is not None:
        node = node.parent
    return node


def _groups(links: Sequence[tuple[Node, Node]]) -> list[list[Node]]:
    """The children with anchors, those that are used together in one list, in order."""
    leader: dict[Node, Node] = {}

    def lead(node: Node) -> Node:
        leader.setdefault(node, node)
        while leader[node] is not node:
            leader[node] = node = leader[leader[node]]
        return node

    for anchor, user in links:
        leader[lead(user)] = lead(anchor)
    groups: dict[Node, dict[Node, None]] = {}
    for anchor, _ in links:
        groups.setdefault(lead(anchor), {})[anchor] = None
    return [sorted(group, key=lambda node: node.at) for group in groups.values()]


def _shared(links: Sequence[tuple[Node, Node]], frame: Frame) -> tuple[dict[Node, Frame], dict[Node, Frame]]:
    """The frames of the children with anchors, which stand whole and lead in them, and those around all that need them.

    The frames hold no text. Each is inside that of the anchor before it in its group, so that one frame tells of all.
    """
    defining: dict[Node, Frame] = {}
    for group in _groups(links):
        inner = frame
        for anchor in group:
            inner = defining[anchor] = _needed(inner)
    using = dict(defining)
    for anchor, user in links:
        if user not in defining:
            before = using.get(user)
            if before is None or len(before.chain()) < len(defining[anchor].chain()):
                using[user] = defining[anchor]
    return defining, using


def _needed(parent: Frame) -> Frame:
    """A frame without text, for what is needed by all inside it."""
    nothing = Span(parent.opening.end, parent.opening.end)
    return Frame(nothing, nothing, parent=parent)
