"""Python source: statements, inside the functions and classes whose signatures they need, so that the output parses.

The standard library's parser reads it; nothing is run. What it does not parse is cut by lines, as other code is.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Sequence

from gliding.types import Frame, Segment, Span

_LARGEST = 2_000_000  # characters of a text that is parsed
_LONG = 3  # times ``max_chars`` from which a loop or a condition is opened
_OPENED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_BLOCKS = (ast.For, ast.AsyncFor, ast.While, ast.If, ast.With, ast.AsyncWith)
_NEWLINE = re.compile(r"\r\n|\r|\n")


def cut_python(text: str, document: int, *, max_chars: int) -> list[Segment] | None:
    """Return the segments of a source file, one a statement of a module or class; None where it is no Python 3."""
    if len(text) > _LARGEST or "\x00" in text or "\f" in text:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a wrong escape in somebody's string
            module = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if not module.body:
        return None
    cutter = _Cutter(text, document, max_chars)
    root = Frame(Span(0, 0), Span(len(text), len(text)))
    cutter.block(module.body, root, 0, len(cutter.lines) - 1)
    return cutter.segments


class _Cutter:
    """Collects the segments of one file; lines are numbered from 0 here."""

    def __init__(self, text: str, document: int, max_chars: int) -> None:
        self.text, self.document, self.max_chars = text, document, max_chars
        self.segments: list[Segment] = []
        breaks = [found.end() for found in _NEWLINE.finditer(text)]
        self.lines = [0, *breaks, len(text)] if not text or breaks[-1:] != [len(text)] else [0, *breaks]

    def block(self, body: Sequence[ast.stmt], frame: Frame, first: int, stop: int, head: Sequence[Span] = ()) -> None:
        """Cut the lines ``[first, stop)`` of a block; a comment goes with the statement below it.

        The statements of a function are one segment with its ``head``; those of a module, one between blank lines.
        """
        group = list(head)
        lead = len(group)
        at = first
        for number, statement in enumerate(body):
            end = statement.end_lineno or statement.lineno
            last = number + 1 == len(body)
            if not last and _first_line(body[number + 1]) < end:
                continue  # "a = 1; b = 2" is one line: it goes with the last of them
            span = self.span(at, stop if last else end)
            inside = self.opened(statement, span)
            apart = frame.parent is None and group and "\n\n" in self.text[group[-1].end : span.start]
            if (inside or apart) and group:
                self.add(group, frame, lead)
                group, lead = [], 0
            if inside:
                below = self.head_end(_first_line(inside[0]))
                name = self.span(statement.lineno - 1, statement.lineno) if isinstance(statement, _OPENED) else None
                inner = Frame(Span(span.start, span.start), Span(span.end, span.end), "", "...", frame, name)
                self.block(inside, inner, below, stop if last else end, [self.span(at, below)])
            elif span.start < span.end:
                group.append(span)
            at = end
        if group:
            self.add(group, frame, lead)

    def head_end(self, below: int) -> int:
        """The line after a signature: comments right above the first statement go with that."""
        while self.text[self.lines[below - 1] : self.lines[below]].strip()[:1] in ("", "#"):
            below -= 1
        return below

    def opened(self, statement: ast.stmt, span: Span) -> list[ast.stmt]:
        """The body of a function, of a class, or of a long block without other branches; empty where it stays whole."""
        long = span.end - span.start > _LONG * self.max_chars
        if not isinstance(statement, _OPENED) and not (isinstance(statement, _BLOCKS) and long):
            return []
        if getattr(statement, "orelse", None):
            return []
        body: list[ast.stmt] = statement.body
        return body if _first_line(body[0]) > statement.lineno - 1 else []

    def add(self, spans: Sequence[Span], frame: Frame, lead: int) -> None:
        whole = Span(spans[0].start, spans[-1].end)
        self.segments.append(Segment(self.document, whole, "fence", tuple(spans), 0, -1, frame, lead))

    def span(self, first: int, stop: int) -> Span:
        """The lines ``[first, stop)`` without the white space around them."""
        start, end = self.lines[first], self.lines[min(stop, len(self.lines) - 1)]
        inside = self.text[start:end]
        start += len(inside) - len(inside.lstrip())
        return Span(start, max(start, end - (len(inside) - len(inside.rstrip()))))


def _first_line(statement: ast.stmt) -> int:
    """The line of a statement's first decorator or of itself, from 0."""
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(decorator.lineno for decorator in decorators)]) - 1
