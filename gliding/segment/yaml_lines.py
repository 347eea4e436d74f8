"""Where the members and elements of block YAML stand, read by lines and indentation; no value is ever built.

What it does not surely understand it does not read: complex keys, tabs before a key, documents that are one scalar.
Nothing is resolved, so an alias costs what its name costs.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from gliding.types import Span

Style = Literal["open", "plain", "closed", "literal"]

_LARGEST = 50_000_000  # characters of a text that is looked at
_SPACE = re.compile(r"\s+")
# Line breaks of YAML 1.1 that nobody writes by intent, and a carriage return alone.
_ODD_BREAK = re.compile("[\x00\x85\u2028\u2029]|\r(?!\n)")
_INDENT = re.compile(" *")
_BLANK = re.compile(r"[ \t\r]*(?=\n|\Z)")
_MARKER = re.compile(r"(?:---|\.\.\.)(?=[ \t\r\n]|\Z)")
_REST = re.compile(r"[ \t]*(?:(?<=[ \t])#[^\n]*)?\r?(?=\n|\Z)")  # what may follow a value on its line
_DASH = re.compile(r"-(?: +|(?=[\r\n]|\Z))")
# Each alternative of a loop begins with another character, so this is linear.
_QUOTED = r""""(?:[^"\\]|\\[\s\S])*"|'(?:[^']|'')*'"""
_KEY = re.compile(
    rf"(?:(?:{_QUOTED})[ \t]*|(?:[^\s\"'#\[\]{{}},|>@`%?:-]|[?:-](?=[^\s]))(?:[^\n#:]|:(?=[^\s])|(?<=\S)#)*)"
    r":(?=[ \t\r\n]|\Z)"
)
_PROPERTIES = re.compile(r"(?:[&!][^\s,\[\]{}]*(?:[ \t]+|(?=[\r\n]|\Z)))*")
_BLOCK = re.compile(r"([|>])(?:[1-9][+-]?|[+-][1-9]?)?[ \t]*(?:(?<=[ \t])#[^\n]*)?\r?(?=\n|\Z)")
_NO_VALUE = re.compile(r"[%@`\]},]|[?:-](?:[ \t\r\n]|\Z)")
_STRING = re.compile(_QUOTED)
_FLOW = re.compile(rf"(?<=[\s\[{{,:])(?:{_QUOTED})|(?<=\s)#[^\n]*|[\[\]{{}}]")
_REFERENCE = re.compile(r"(?<![^\s,\[\]{}])([&*])([^\s,\[\]{}]+)")


@dataclass(slots=True, eq=False)
class Node:
    """A member or an element, from the comments right above it at ``start`` to ``end``.

    ``at`` is where its key or dash stands, ``head`` the end of what comes before its children. ``loose`` are comments
    above it that a blank line parts from it; ``size`` are its characters without indentation. A document is a node at
    column -1, with ``closing`` and the comments at its ``tail``; ``plain`` says that it can do without its marker.
    """

    start: int
    at: int
    head: int
    end: int
    column: int = -1
    parent: Node | None = None
    key: Span | None = None
    style: Style = "open"
    tagged: bool = False
    loose: Span | None = None
    size: int = 0
    children: list[Node] = field(default_factory=list)
    closing: Span | None = None
    tail: Span | None = None
    plain: bool = True


class Reference(NamedTuple):
    """An anchor (``&``) or an alias (``*``), or what looks like one, in the lines of a node."""

    node: Node
    mark: str
    name: str


class _Block(NamedTuple):
    column: int
    mark: str
    owner: Node


class _Comment(NamedTuple):
    column: int
    start: int
    end: int
    apart: bool  # a blank line comes after it


class Reader:
    """Reads one text; ``documents`` and ``nodes`` (in order) are right where ``read`` says so."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.nodes: list[Node] = []
        self.documents: list[Node] = []
        self.references: list[Reference] = []
        self._has_aliases = "&" in text and "*" in text
        self._comments: list[_Comment] = []
        self._blocks: list[_Block] = []

    def read(self) -> bool:
        """Read all lines; False where something is not surely understood."""
        text = self.text
        if len(text) > _LARGEST or _ODD_BREAK.search(text):
            return False
        at = int(text.startswith("\ufeff"))
        self._begin(at, at)
        while at < len(text):
            if _BLANK.match(text, at):
                if self._comments:
                    self._comments[-1] = self._comments[-1]._replace(apart=True)
                at = self._next(at)
                continue
            start = _found(_INDENT, text, at)
            column = start - at
            if text[start] == "#":
                self._comments.append(_Comment(column, start, self._line_end(start), False))
                end = start
            elif column == 0 and _MARKER.match(text, at):
                end = self._marker(at)
            elif column == 0 and text[at] == "%":
                end = self._directive(at)
            else:
                end = self._entry(start, column)
            if end < 0:
                return False
            at = self._next(end)
        self._finish()
        return bool(self.documents) and all(document.children for document in self.documents)

    # --- lines ---

    def _next(self, at: int) -> int:
        """The start of the next line."""
        stop = self.text.find("\n", at)
        return stop + 1 if stop >= 0 else len(self.text)

    def _line_end(self, at: int) -> int:
        """The end of a line without the white space there."""
        stop = self.text.find("\n", at)
        stop = stop if stop >= 0 else len(self.text)
        return at + len(self.text[at:stop].rstrip(" \t\r"))

    # --- documents ---

    def _begin(self, start: int, head: int) -> None:
        document = Node(start, start, head, head)
        self.documents.append(document)
        self._blocks = [_Block(-1, "", document)]

    def _marker(self, at: int) -> int:
        """Begin a document, or end one; a marker with something on its line is not read."""
        text, document = self.text, self.documents[-1]
        end = at + 3
        if not _REST.match(text, end):
            return -1
        end = self._line_end(at)
        if text[at] == ".":
            if not document.children or document.closing is not None:
                return -1
            self._tail()
            document.closing = Span(at, end)
            self._begin(end, end)
        elif document.children:
            self._tail()
            self._begin(at, end)
        else:
            start = self._comments[0].start if self._comments else at
            document.start = min(start, document.start) if document.head > document.start else start
            document.head = end
            self._comments = []
        return end

    def _directive(self, at: int) -> int:
        """A directive stands above the first document, which then needs its marker."""
        document = self.documents[-1]
        if len(self.documents) > 1 or document.children or document.head > document.start:
            return -1
        document.plain = False
        end = self._line_end(at)
        self._comments.append(_Comment(0, at, end, False))
        return end

    def _tail(self) -> None:
        """Take the comments below the last member of a document: to that, or as its tail."""
        comments, self._comments = self._comments, []
        deep = max((k for k, comment in enumerate(comments) if comment.column > 0), default=-1)
        if deep >= 0:
            self._extend(comments[deep].end)
        if comments[deep + 1 :]:
            self.documents[-1].tail = Span(comments[deep + 1].start, comments[-1].end)

    def _finish(self) -> None:
        last = self.documents[-1]
        if last.children:
            self._tail()
        elif len(self.documents) > 1:  # a marker, or comments, with no document below
            self.documents.pop()
            end = self._comments[-1].end if self._comments else last.head
            if end > last.start:
                before = self.documents[-1].closing or Span(last.start, end)
                self.documents[-1].closing = Span(before.start, end)
        for node in self.nodes:
            node.size = len(_SPACE.sub(" ", self.text[node.start : node.end]))
        for node in reversed(self.nodes):
            if node.parent is not None:
                node.parent.size += node.size
                node.parent.end = max(node.parent.end, node.end)

    # --- members and elements ---

    def _entry(self, start: int, column: int) -> int:
        """Read a line with all that belongs to its last value; return where that ends, or -1."""
        text = self.text
        at = start
        node: Node | None = None
        if self._goes_on(column) and text.startswith("-", at):
            return self._scalar(at, column)
        while True:
            dash = _DASH.match(text, at)
            key = None if dash else _KEY.match(text, at)
            if not dash and not key:
                break
            if key and "\n" in key[0]:
                return -1
            node = self._child(at, column, "-" if dash else ":")
            if node is None:
                return -1
            if key:
                node.key = Span(at, key.end() - 1)
                self._refer(node, at, key.end())
                return self._value(node, key.end())
            stop = dash.end() if dash else at
            column += stop - at
            at = node.head = node.end = stop
            if _REST.match(text, at):
                return self._value(node, at)
        if node is not None:
            return self._value(node, at)
        return self._scalar(at, column)

    def _goes_on(self, column: int) -> bool:
        """Whether a line in a column goes on with the plain value above it."""
        last = self.nodes[-1] if self.nodes and self.documents[-1].children else None
        return last is not None and last.style == "plain" and column > last.column and not self._comments

    def _scalar(self, at: int, column: int) -> int:
        """A line that is neither member nor element: the value of the line above, or more of it."""
        last = self.nodes[-1] if self.nodes and self.documents[-1].children else None
        if last is not None and self._goes_on(column):
            last.end = self._line_end(at)
            last.style = "closed" if " #" in self.text[at : last.end] else "plain"
            self._refer(last, at, last.end)
            return last.end
        if last is None or column <= last.column or last.style != "open" or self.text[at] in "|>":
            return -1
        self._comments = []
        return self._value(last, at)

    def _child(self, at: int, column: int, mark: str) -> Node | None:
        """Make the node of a key or a dash; None where none can stand there."""
        owner = self._owner(column, mark)
        if owner is None:
            return None
        start, loose = self._above(at, column)
        node = Node(start, at, at, at, column, owner, loose=loose)
        owner.children.append(node)
        self.nodes.append(node)
        return node

    def _owner(self, column: int, mark: str) -> Node | None:
        """Whose child a key or a dash in a column is; opens the block where it is the first."""
        blocks = self._blocks
        while blocks[-1].column > column:
            blocks.pop()
        if blocks[-1].column == column and blocks[-1].mark == "-" and mark == ":":
            blocks.pop()  # the elements stood right below their key
        top = blocks[-1]
        if top.column == column and top.mark == mark:
            return top.owner
        owner = top.owner.children[-1] if top.owner.children else top.owner
        below = top.column < column or (top.column == column and top.mark == ":")
        if not below or owner.children or owner.style != "open" or (owner.parent is None and column > 0):
            return None
        blocks.append(_Block(column, mark, owner))
        return owner

    def _above(self, at: int, column: int) -> tuple[int, Span | None]:
        """Where a node starts with its comments, and the loose ones above; deeper ones go with the node before.

        A comment deeper than what is below could become a line of a block scalar once what is between is left out.
        """
        if not self._comments:
            return at, None
        comments, self._comments = self._comments, []
        if self.documents[-1].children:
            deep = max((k for k, comment in enumerate(comments) if comment.column > column), default=-1)
            if deep >= 0:
                self._extend(comments[deep].end)
                comments = comments[deep + 1 :]
        apart = max((k for k, comment in enumerate(comments) if comment.apart), default=-1)
        loose = Span(comments[0].start, comments[apart].end) if apart >= 0 else None
        return (comments[apart + 1].start if comments[apart + 1 :] else at), loose

    def _extend(self, end: int) -> None:
        last = self.nodes[-1]
        last.end = end
        if last.style == "open":
            last.head = end

    # --- values ---

    def _value(self, node: Node, at: int) -> int:
        """Read the value that begins at a place of a line; return where it ends, or -1."""
        text = self.text
        begin = _skip(text, at)
        at = _found(_PROPERTIES, text, begin)
        node.tagged |= "!" in text[begin:at]
        line = self._line_end(at)
        self._refer(node, begin, at)
        first = text[at : at + 1]
        if _REST.match(text, at):
            node.head = node.end = line
            return line
        if first in "|>":
            return self._block(node, at)
        if first in "\"'[{":
            end = _found(_STRING, text, at) if first in "\"'" else _flow_end(text, at)
            if end < 0 or not _REST.match(text, end):
                return -1
            node.style, node.end = "closed", self._line_end(end)
        elif _NO_VALUE.match(text, at) or _KEY.match(text, at):
            return -1
        else:
            node.style, node.end = "closed" if " #" in text[at:line] else "plain", line
        self._refer(node, at, node.end)
        return node.end

    def _block(self, node: Node, at: int) -> int:
        """A block scalar: all lines below that are blank or deeper than the node."""
        header = _BLOCK.match(self.text, at)
        if header is None:
            return -1
        node.style = "literal" if header[1] == "|" else "closed"
        node.head = node.end = self._line_end(at)
        line = self._next(at)
        while line < len(self.text):
            start = _found(_INDENT, self.text, line)
            if not _BLANK.match(self.text, line):
                if start - line <= node.column:
                    break
                node.end = self._line_end(start)
            line = self._next(line)
        return node.end

    def _refer(self, node: Node, start: int, end: int) -> None:
        if not self._has_aliases:
            return
        for found in _REFERENCE.finditer(self.text, start, end):
            self.references.append(Reference(node, found[1], found[2].rstrip(":")))


def _found(pattern: re.Pattern[str], text: str, at: int) -> int:
    """The end of a match at a place, or -1."""
    match = pattern.match(text, at)
    return match.end() if match else -1


def _skip(text: str, at: int) -> int:
    """The next place that is no blank."""
    while text[at : at + 1] in (" ", "\t"):
        at += 1
    return at


def _flow_end(text: str, at: int) -> int:
    """The end of a collection in brackets, or -1."""
    depth = 0
    for found in _FLOW.finditer(text, at):
        mark = found[0]
        depth += (mark in "[{") - (mark in "]}")
        if depth == 0 and mark in "]}":
            return found.end()
    return -1
