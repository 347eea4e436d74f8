"""Source code by its syntax tree: statements, inside the functions and classes that they need, so that it parses.

The parser is handed in: this knows the names of a grammar's nodes, what a body is and where a part of it may be left
out. Signatures, the ends of blocks and lines such as ``#if`` stand wherever something inside them does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gliding.protocols import SyntaxNode, SyntaxTrees
from gliding.text.languages import dialects
from gliding.text.sentences import sentence_spans
from gliding.types import Frame, Segment, Span

_LONG = 3  # times ``max_chars`` from which a loop, a condition or a table of values is opened
_NOTE = 4  # a comment above longer than ``max_chars`` by this is a sentence of its own, not part of a signature
_DEEPEST = 60  # blocks in blocks that are opened
_FAULTY = 0.3  # the share of a text in statements that do not parse from which it is cut by lines
# A lone carriage return is a line break to Python, not to a grammar.
_UNFIT = re.compile(r"\x00|\r(?!\n)")

_COMMENTS = frozenset(("comment", "line_comment", "block_comment"))
_ABOVE = frozenset(("attribute_item", "decorator"))  # like a comment, but it cannot stand without what is below it
_OPAQUE = frozenset(
    "string template_string string_literal raw_string_literal concatenated_string text_block comment line_comment "
    "block_comment macro_definition token_tree preproc_function_def preproc_def regex".split()
)
_LEADS = frozenset(("package_clause", "access_specifier"))
_FLAT = frozenset(("statement_list", "enum_body_declarations"))
_CONDITIONAL = frozenset(("preproc_if", "preproc_ifdef"))
_BRANCHES = {"preproc_elif": 2, "preproc_elifdef": 2, "preproc_else": 1}  # and the parts of their first line

_FUNCTIONS = frozenset(
    "function_declaration generator_function_declaration method_definition method_declaration function_definition "
    "function_item constructor_declaration compact_constructor_declaration internal_module module".split()
)
_LAMBDAS = frozenset(
    "arrow_function function_expression generator_function func_literal lambda_expression closure_expression".split()
)
_STATEMENTS = frozenset(("statement_block", "block", "compound_statement", "constructor_body"))
_VALUES = frozenset(
    "object array initializer_list literal_value array_initializer array_expression field_initializer_list".split()
)
_OPENED = {  # a body -> times ``max_chars`` from which it is opened
    **dict.fromkeys(("class_body", "declaration_list", "annotation_type_body"), 0),
    **dict.fromkeys(("interface_body", "object_type", "field_declaration_list", "interface_type"), 1),
    **dict.fromkeys(("enum_body", "enumerator_list", "enum_variant_list"), 1),
    **dict.fromkeys(("switch_body", "switch_block", "match_block", "select_statement"), _LONG),
    **dict.fromkeys(("expression_switch_statement", "type_switch_statement"), _LONG),
    **dict.fromkeys(_VALUES, _LONG),
}
# Where lines end statements, one that begins so would go on the statement that comes to stand before it.
_GOES_ON = frozenset("([`+-*/")
_CLOSED = frozenset(
    "function_declaration generator_function_declaration class_declaration abstract_class_declaration if_statement "
    "for_statement for_in_statement while_statement try_statement switch_statement statement_block method_definition "
    "interface_declaration enum_declaration class_static_block".split()
)
_ENDED = ("c", "cpp", "go")  # a line such as ``#include`` or ``package`` needs its end
_LINED = frozenset(("javascript", "tsx", "typescript"))


def cut_tree(
    text: str, document: int, trees: SyntaxTrees, *, language: str, max_chars: int, sure: bool = True
) -> list[Segment]:
    """Return the segments of a source file in a language that has a grammar; none where lines serve it better.

    That is where too much of it does not parse, or, unless it is ``sure`` that this is the language, any of it.
    """
    if _UNFIT.search(text):
        return []
    best: SyntaxNode | None = None
    for name in dialects(language):
        (root,) = trees.parse([text], language=name)
        if root is not None and not root.faulty:
            best = root
            break
        best = best or root
    if best is None or best.wrong or (best.faulty and not sure):
        return []
    cutter = _Cutter(text, document, max_chars, lined=language in _LINED)
    parts = cutter.parts(_Body(0, len(text), best.children, best.kind))
    gap = "" if cutter.begin_lines(part.start for part in parts) else "/* ... */"
    ended = len(text) - (language in _ENDED and text.endswith("\n"))
    whole = Frame(Span(0, 0), Span(ended, len(text)), "", gap)
    cutter.cut(parts, whole, 0, by_blank_lines=True)
    cutter.flush(whole)
    return cutter.segments if cutter.faulty <= _FAULTY * len(text) else []


class _Body(NamedTuple):
    """What may be left out in part: the characters between two braces and the nodes there."""

    start: int
    stop: int
    nodes: Sequence[SyntaxNode]
    kind: str


@dataclass(slots=True)
class _Part:
    """What is kept or left out as a whole, or opened: a statement with the comments above it, a member, a field.

    ``above`` is where these comments end and the rest begins; a ``lead`` stands wherever anything beside it does.
    """

    start: int
    end: int
    above: int
    nodes: list[SyntaxNode]
    lead: bool = False

    @property
    def is_comment(self) -> bool:
        return self.above == self.end

    def joined(self, below: _Part) -> _Part:
        """This part and the next as one."""
        above = below.above if self.is_comment else self.above
        return _Part(self.start, below.end, above, [*self.nodes, *below.nodes], self.lead or below.lead)


class _Cutter:
    """Collects the segments of one file."""

    def __init__(self, text: str, document: int, max_chars: int, *, lined: bool) -> None:
        self.text, self.document, self.max_chars, self.lined = text, document, max_chars, lined
        self.segments: list[Segment] = []
        self.group: list[Span] = []
        self.lead = 0
        self.faulty = 0  # characters of what does not parse

    def cut(self, parts: Sequence[_Part], frame: Frame, depth: int, *, by_blank_lines: bool) -> None:
        """Cut the parts of a body: those with bodies of their own are opened, the others are sentences."""
        for part in parts:
            bodies = (
                list(self.bodies(part.nodes)) if depth < _DEEPEST and not self.is_short(part.start, part.end) else []
            )
            if bodies:
                self.flush(frame)
                self.open(part, bodies, frame, depth)
                continue
            if part.lead or (by_blank_lines and self.group and self.is_apart(self.group[-1].end, part.start)):
                self.flush(frame)
            if part.start < part.above < part.end and (part.lead or part.above - part.start > self.max_chars / _NOTE):
                self.group.append(self.span(part.start, part.above))
                if part.lead:
                    self.flush(frame)
                self.group.append(self.span(part.above, part.end))
            elif any(node.wrong or node.faulty for node in part.nodes):
                self.faulty += part.end - part.start
                self.group += sentence_spans(self.text, part.start, part.end, max_chars=self.max_chars, lines=True)
            else:
                self.group.append(self.span(part.start, part.end))
            self.lead += part.lead

    def open(self, part: _Part, bodies: Sequence[_Body], around: Frame, depth: int) -> None:
        """Cut what is in the bodies of a part; what is around and between them stands wherever some of that does."""
        inside = [self.parts(body) for body in bodies]
        last = bodies[-1]
        starts = [part.above, *(found.start for parts in inside for found in parts), *(body.stop for body in bodies)]
        gap = "// ..." if self.begin_lines(starts) else "/* ... */"
        head = self.span(part.above, bodies[0].start)
        frame = Frame(Span(part.start, part.start), self.span(last.stop, part.end), "", gap, around, head)
        begin = part.start
        if part.above - part.start > self.max_chars / _NOTE:
            self.group.append(self.span(part.start, part.above))
            self.flush(frame)
            begin = part.above
        for number, (body, parts) in enumerate(zip(bodies, inside, strict=True)):
            self.group.append(self.span(bodies[number - 1].stop if number else begin, body.start))
            self.lead = 1
            members = body.kind not in _STATEMENTS
            self.cut(parts, frame, depth + 1, by_blank_lines=members)
            self.flush(frame)

    def flush(self, frame: Frame) -> None:
        """Make a segment of the sentences that were gathered."""
        if self.group:
            whole = Span(self.group[0].start, self.group[-1].end)
            self.segments.append(Segment(self.document, whole, "fence", tuple(self.group), frame=frame, lead=self.lead))
        self.group, self.lead = [], 0

    def parts(self, body: _Body) -> list[_Part]:
        """The parts of a body: a node, the signs and comments behind it on its line, the comments above it."""
        parts: list[_Part] = []
        for node in _flat(body.nodes):
            start, end = self.span(node.start, node.end)
            if start == end:  # a line break, or what is missing
                continue
            note = node.kind in _COMMENTS or node.kind in _ABOVE
            lead = node.kind in _LEADS or (node.kind == ";" and body.kind == "enum_body")
            if not node.named and len(parts) > 1 and parts[-1].is_comment:
                parts[-2:] = [parts[-2].joined(parts[-1])]  # a comment between a member and its comma
            part = _Part(start, end, end if note else start, [node], lead)
            if parts and self.belongs(node, part, parts[-1]):
                parts[-1] = parts[-1].joined(part)
            else:
                parts.append(part)
        return self.going_on(parts) if self.lined and body.kind not in _VALUES else parts

    def belongs(self, node: SyntaxNode, part: _Part, last: _Part) -> bool:
        """Whether a node goes with the part before it."""
        if part.lead:
            return False
        if not node.named:
            return True
        if last.is_comment:
            return last.nodes[-1].kind in _ABOVE or not self.is_apart(last.end, part.start)
        if self.text[last.end - 1] == ":" and not last.lead:
            return True  # "case 1:" and "case 2: run();" are one
        if not self.on_line(last.end, part.start):
            return False
        # In text without line breaks a statement ends at a sign.
        long = last.end - last.start > self.max_chars
        return part.is_comment or not (long and self.text[last.end - 1] in ";},")

    def going_on(self, parts: Sequence[_Part]) -> list[_Part]:
        """The parts; one that would go on an open statement that came to stand before it made one with its own."""
        made: list[_Part] = []
        an_open_one = False
        for part in parts:
            whole, done = part, not an_open_one or part.is_comment or self.text[part.above] not in _GOES_ON
            while made and not done:
                done = not made[-1].is_comment
                whole = made.pop().joined(whole)
            made.append(whole)
            an_open_one = an_open_one or self.is_open(part)
        return made

    def is_open(self, part: _Part) -> bool:
        """Whether nothing but the end of the line ends a statement."""
        last = next((node for node in reversed(part.nodes) if node.kind not in _COMMENTS), None)
        if last is None or self.text[last.end - 1] == ";":
            return False
        return last.kind not in _CLOSED or self.text[last.end - 1] != "}"

    def bodies(self, nodes: Sequence[SyntaxNode]) -> Iterator[_Body]:
        """The outermost bodies that are opened in some nodes, in order."""
        below = [(node, "") for node in reversed(nodes)]
        while below:
            node, parent = below.pop()
            if node.kind in _OPAQUE or self.is_short(node.start, node.end):
                continue
            if node.kind in _CONDITIONAL:
                yield from self.branches(node)
                continue
            body = self.body(node, parent)
            if body is not None:
                yield body
            elif node.kind not in _OPENED and node.kind not in _STATEMENTS:
                below += [(child, node.kind) for child in reversed(node.children)]

    def body(self, node: SyntaxNode, parent: str) -> _Body | None:
        """The inside of a node that is opened; None where it is none or too short for that."""
        times = _OPENED.get(node.kind)
        if node.kind in _STATEMENTS:
            times = 0 if parent in _FUNCTIONS else 1 if parent in _LAMBDAS else _LONG
        if times is None or node.end - node.start <= times * self.max_chars:
            return None
        children = node.children
        first = next((k for k, child in enumerate(children) if child.kind in ("{", "[")), len(children))
        inside = children[first + 1 : -1]
        if not inside or children[-1].kind not in ("}", "]") or children[-1].wrong:
            return None
        return self.without_first_line(_Body(children[first].end, children[-1].start, inside, node.kind))

    def branches(self, node: SyntaxNode) -> Iterator[_Body]:
        """The bodies between the lines ``#if``, ``#elif``, ``#else`` and ``#endif``."""
        head, end = 2, node.children[-1].start if node.children[-1].kind == "#endif" else node.end
        while True:
            children = node.children
            if len(children) <= head:
                return
            branch = next((child for child in reversed(children) if child.kind in _BRANCHES), None)
            stop = branch.start if branch is not None else end
            inside = [child for child in children[head:] if child.end <= stop and child.kind != "#endif"]
            body = self.without_first_line(_Body(children[head - 1].end, stop, inside, node.kind))
            if body is not None:
                yield body
            if branch is None:
                return
            node, head = branch, _BRANCHES[branch.kind]

    def without_first_line(self, body: _Body) -> _Body | None:
        """A body whose comment on the line of its brace stays with that; None where it is one line, or empty."""
        start, nodes = body.start, list(body.nodes)
        while nodes and (nodes[0].kind in _COMMENTS or not self.text[nodes[0].start : nodes[0].end].strip()):
            if not self.on_line(start, nodes[0].start):
                break
            start = max(start, self.span(nodes[0].start, nodes.pop(0).end).end)
        if not nodes or (self.on_line(start, nodes[0].start) and self.is_short(start, body.stop)):
            return None
        return _Body(start, body.stop, nodes, body.kind)

    def is_short(self, start: int, end: int) -> bool:
        """Whether a range lies on one line that is not too long to be looked into."""
        return self.on_line(start, end) and end - start <= _LONG * self.max_chars

    def is_apart(self, end: int, start: int) -> bool:
        return self.text.count("\n", end, start) > 1

    def on_line(self, end: int, start: int) -> bool:
        return self.text.find("\n", end, start) < 0

    def begin_lines(self, starts: Iterable[int]) -> bool:
        """Whether all places are the first of a line but for white space."""
        return all(self.text[max(0, at - 200) : at].rstrip(" \t")[-1:] in ("", "\n") for at in starts)

    def span(self, start: int, end: int) -> Span:
        """A range without the white space around it."""
        inside = self.text[start:end]
        start += len(inside) - len(inside.lstrip())
        return Span(start, max(start, end - (len(inside) - len(inside.rstrip()))))


def _flat(nodes: Sequence[SyntaxNode]) -> Iterator[SyntaxNode]:
    """The nodes, with lists that have no braces of their own replaced by what is in them."""
    for node in nodes:
        if node.kind in _FLAT:
            yield from node.children
        else:
            yield node
