"""Scripts that no grammar reads: shell, Makefiles, Dockerfiles. Whole statements, so that what comes out still runs.

It knows where blocks open and close, and nothing of what a command means.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import PurePath
from typing import Literal

from gliding.types import Frame, Segment, Span

Script = Literal["shell", "make", "docker"]

_LARGEST = 5_000_000
"""Characters of a script that is looked at."""
_DEEPEST = 100
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_SHEBANG = re.compile(r"#!.*\b(?:ba|da|k|z)?sh\b")
_SHELL = re.compile(r"(?m)^[ \t]*(?:fi|done|esac)[ \t\r]*$|^\w+\(\)[ \t]*\{|^[ \t]*if \[")
_TARGET = re.compile(r"(?![#\s.]\s)[^\s#:=][^#:=\n]*::?(?!=)[^\n]*")
_RECIPES = re.compile(
    r"(?m)^(?!(?:def|class|if|elif|else|for|while|try|except|with)\b)[^\s#:=][^#:=\n]*::?(?!=)[^\n]*\n\t\S"
)
_MAKE_OPENS = re.compile(r"[ \t]*(?:define|ifeq|ifneq|ifdef|ifndef)\b")
_MAKE_CLOSES = re.compile(r"[ \t]*(?:endef|endif)\b")
_DOCKER = re.compile(r"(?:\s*(?:#.*|ARG [^\n]*)?\n)*FROM \S+")
_DOCKER_STEP = re.compile(r"(?m)^(?:RUN|COPY|CMD|ENTRYPOINT|ADD|WORKDIR|EXPOSE|ENV) ")
_CONTINUED = re.compile(r"\\[ \t]*\r?\n?$")
_TOKEN = re.compile(
    r"""(?P<skip>\\\r?\n|\\. | \$?'[^']*' | "(?:[^"\\]|\\[\s\S])*" | \$\{[^}\n]{0,400}\} | \$\#)
      | (?P<comment>\#[^\n]*)
      | <<<
      | <<(?P<tabs>-?)[ \t]*(?P<quote>['"]?)\\?(?P<here>[A-Za-z_]\w*)(?P=quote)
      | (?P<break>\n)
      | (?P<paren>[()])
      | (?P<next>;;&?|;&|&&|\|\||[;&|])
      | (?P<word>(?:[^\s;&|()<>"'\\$\#]|(?<=\S)\#|\$(?![{'\#]))+)""",
    re.VERBOSE,
)
_BEGINS = {"if": "fi", "case": "esac", "for": "done", "while": "done", "until": "done", "select": "done", "{": "}"}
_ENDS = frozenset(_BEGINS.values())
_LEADS_ON = frozenset({"then", "do", "else", "elif", "if", "while", "until", "!", "{", "time"})
"""Words behind which a command begins."""
_OPENER = re.compile(r".*(?:\{|\bdo|\bthen)[ \t]*\r?$")
_CLOSER = re.compile(r"[ \t]*(?:\}|done|fi)[ \t]*\r?$")
_BRANCH = re.compile(r"[ \t]*(?:else|elif)\b")
_NAMED_ALONE = re.compile(r"[ \t]*(?:function[ \t]+)?[\w:.-]+[ \t]*(?:\(\))?[ \t]*\r?\n?$")


@dataclass(slots=True)
class _Row:
    """A line ``[start, end)``; ``depth`` blocks are open after it, and it may ``go_on`` in the next line."""

    start: int
    end: int
    depth: int = 0
    goes_on: bool = False
    low: int = 0


def script_kind(text: str, name: str = "") -> Script | None:
    r"""Return which script a text is by its file's name, or surely by its content; None where it is none.

    >>> script_kind("a: b\n\tc\n", "Makefile"), script_kind("#!/bin/sh\nls\n"), script_kind("He left.")
    ('make', 'shell', None)
    """
    path = PurePath(name.replace("\\", "/")) if name and "\n" not in name else PurePath("-")
    base = path.name.lower()
    if path.suffix.lower() in (".sh", ".bash") or _SHEBANG.match(text):
        return "shell"
    if base in ("makefile", "gnumakefile") or path.suffix == ".mk":
        return "make"
    if base.startswith("dockerfile") or base == "containerfile" or path.suffix == ".dockerfile":
        return "docker"
    sample = text[:20_000]
    if _DOCKER.match(sample) and len(_DOCKER_STEP.findall(sample)) > 1:
        return "docker"
    lines = [line for line in sample.splitlines() if line.strip()]
    recipes = len(_RECIPES.findall(sample))
    if recipes > 1 and 2 * (recipes + sum(line.startswith("\t") for line in lines)) >= len(lines):
        return "make"
    return "shell" if len(_SHELL.findall(sample)) > max(1, len(lines) // 12) else None


def cut_script(text: str, document: int, kind: Script, *, max_chars: int) -> list[Segment] | None:
    """Return the statements of a script, one segment a run without a blank line; None where its blocks do not close.

    A function, a loop, a plain condition and a recipe of more than ``max_chars`` characters are opened: what is kept of
    them stands in a frame.
    """
    if len(text) > _LARGEST:
        return None
    rows = [_Row(*found.span()) for found in _LINE.finditer(text)]
    if not (_read_shell(text, rows) if kind == "shell" else _read_lines(text, rows, kind)):
        return None
    build = _Builder(text, document, rows, kind, max_chars)
    around = Frame(Span(0, 0), Span(len(text), len(text)))
    # An image is nothing without what it begins from: that stands around all steps of a stage.
    stages = [k for k, row in enumerate(rows) if kind == "docker" and text.startswith("FROM ", row.start)]
    build.block(0, stages[0] if stages else len(rows), 0, around)
    for first, stop in pairwise([*stages, len(rows)]):
        build.stage(first, stop, around)
    return build.segments


# --- reading ---


def _read_shell(text: str, rows: list[_Row]) -> bool:
    """Find how deep each line of a shell script stands; False where its blocks or quotes do not close."""
    open_blocks: list[str] = []
    here: list[tuple[str, bool]] = []
    at = line = 0
    starts = True  # a command begins here
    names = False  # a function's name comes
    hanging = False  # an operator at the end of the line wants another command
    low = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            if text[at] in "\"'":  # a quote that never ends
                return False
            at += 1
            continue
        start, at = at, found.end()
        if found["comment"] is not None:
            continue
        if found["here"]:
            here.append((found["here"], bool(found["tabs"])))
        elif found["break"]:
            row = rows[line]
            row.depth, row.low, row.goes_on = len(open_blocks), low, hanging
            line += 1
            while here:
                end, tabs = here.pop(0)
                rows[line - 1].goes_on = True
                while line < len(rows):
                    said = text[rows[line].start : rows[line].end].rstrip("\r\n")
                    rows[line].depth = rows[line].low = len(open_blocks)
                    rows[line].goes_on = True
                    line += 1
                    if (said.lstrip("\t") if tabs else said) == end:
                        break
                else:
                    return False
                rows[line - 1].goes_on = bool(here) or hanging
                at = rows[line - 1].end
            low, starts = len(open_blocks), True
            continue
        elif found["next"]:
            starts = True
            hanging = found["next"] in ("&&", "||", "|")
            continue
        elif found["paren"]:
            in_case = bool(open_blocks) and open_blocks[-1] == "esac"
            if found["paren"] == "(":
                open_blocks.append(")")
            elif open_blocks and open_blocks[-1] == ")":
                open_blocks.pop()
            elif not in_case:
                return False
            starts = True
        elif found["word"]:
            word = found["word"]
            if starts and word in _BEGINS:
                open_blocks.append(_BEGINS[word])
            elif starts and word in _ENDS and (not open_blocks or open_blocks.pop() != word):
                return False
            names, starts = starts and word == "function", names or (starts and word in _LEADS_ON)
            hanging = False
            low = min(low, len(open_blocks))
            continue
        else:
            starts = False
        hanging = False
        low = min(low, len(open_blocks))
        inner = text.count("\n", start, at)  # a quote or a command that goes over lines
        for _ in range(inner):
            rows[line].depth, rows[line].low, rows[line].goes_on = len(open_blocks), low, True
            line += 1
        if len(open_blocks) > _DEEPEST:
            return False
    if line < len(rows):
        rows[line].depth, rows[line].low = len(open_blocks), low
    return not open_blocks


def _read_lines(text: str, rows: list[_Row], kind: Script) -> bool:
    """The same for a Makefile, whose blocks stay whole, and for a Dockerfile, which has none."""
    depth = 0
    ends: list[str] = []
    for row in rows:
        line = text[row.start : row.end]
        row.low = depth
        if ends:
            row.goes_on = True
            if line.strip() == ends[0]:
                ends.pop(0)
                row.goes_on = bool(ends)
            continue
        if kind == "make" and not line.startswith("\t"):
            depth += _MAKE_OPENS.match(line) is not None
            depth -= _MAKE_CLOSES.match(line) is not None
        elif kind == "docker" and line.startswith(("RUN ", "COPY ", "ADD ")):
            ends = re.findall(r"(?<!<)<<-?[\"']?([A-Za-z_]\w*)", line)
        row.depth, row.low = depth, min(row.low, depth)
        row.goes_on = _CONTINUED.search(line) is not None or bool(ends)
        if depth < 0:
            return False
    return not depth and not ends


# --- cutting ---


class _Builder:
    """Collects the segments of a script's statements."""

    def __init__(self, text: str, document: int, rows: Sequence[_Row], kind: Script, max_chars: int) -> None:
        self.text, self.document, self.rows, self.kind, self.max_chars = text, document, rows, kind, max_chars
        self.segments: list[Segment] = []

    def line(self, at: int) -> str:
        return self.text[self.rows[at].start : self.rows[at].end]

    def stage(self, first: int, stop: int, frame: Frame) -> None:
        """Add the steps of one stage of an image; a stage without any is a segment of its own."""
        head = self.end(first, stop, 0)
        opening, end = self.span(first, head), self.rows[stop - 1].end
        before = len(self.segments)
        self.block(head, stop, 0, Frame(opening, Span(end, end), parent=frame, name=opening))
        if len(self.segments) == before:
            self.add([opening], frame)

    def block(self, first: int, stop: int, depth: int, frame: Frame) -> None:
        """Add the statements of the lines ``[first, stop)``, which stand ``depth`` blocks deep."""
        group: list[Span] = []
        at = first
        while at < stop:
            if not self.line(at).strip():
                group = self.add(group, frame)
                at += 1
                continue
            head = self.below_comments(at, stop, frame.parent is not None and self.kind == "shell")
            alone = head > at and (head == stop or not self.line(head).strip())
            end = head if alone else self.end(head, stop, depth)
            inside = None if alone else self.opened(head, end, depth)
            if alone:
                group += [self.span(k, k + 1) for k in range(at, end)]
            elif inside is None:
                group.append(self.span(at, end))
            else:
                group = self.add(group, frame)
                opening = self.span(at, inside[0])
                below = self.rows[end - 1].end
                closing = self.span(inside[1], end) if inside[1] < end else Span(below, below)
                deeper = depth + (self.kind == "shell")
                self.block(*inside, deeper, Frame(opening, closing, parent=frame, name=opening))
            at = end
        self.add(group, frame)

    def below_comments(self, at: int, stop: int, inner: bool) -> int:
        """The line below the comments at ``at``: where a statement stands there, they go with it.

        Inside of a block they never do: a block of comments alone is no block.
        """
        head = at
        while head < stop and (self.is_comment(head) or (inner and not self.line(head).strip())):
            head += 1
        return head

    def is_comment(self, at: int) -> bool:
        return self.line(at).lstrip()[:1] == "#" and not self.line(at).startswith("#!")

    def end(self, at: int, stop: int, depth: int) -> int:
        """The line after the statement that begins at line ``at``."""
        end = at
        while end < stop and (self.rows[end].depth > depth or self.rows[end].goes_on):
            end += 1
        end = min(end + 1, stop)
        if self.kind == "shell" and end == at + 1 < stop and self.line(end).strip() == "{":
            return self.end(end, stop, depth) if _NAMED_ALONE.match(self.line(at)) else end
        if self.kind == "make" and not self.line(at).startswith("\t") and _TARGET.match(self.line(at)):
            return self.recipe_end(end, stop, depth)
        return end

    def recipe_end(self, at: int, stop: int, depth: int) -> int:
        """The line after the recipe that begins at line ``at``: its lines, and conditions around some of them."""
        last = at
        while at < stop:
            opens = _MAKE_OPENS.match(self.line(at)) and at + 1 < stop and self.line(at + 1).startswith("\t")
            recipe = opens or self.line(at).startswith("\t")
            if not recipe and self.line(at).strip() and not self.is_comment(at):
                break
            while at < stop and (self.rows[at].depth > depth or self.rows[at].goes_on):
                at += 1
            at += 1
            last = at if recipe else last
        return min(last, stop)

    def opened(self, at: int, end: int, depth: int) -> tuple[int, int] | None:
        """The lines inside of a long block that may stand with some of them; None where it stays whole."""
        if end - at < 3 or self.rows[end - 1].end - self.rows[at].start <= self.max_chars:
            return None
        if self.kind == "make":
            below = next((k for k in range(at, end) if not self.rows[k].goes_on), end) + 1
            return (below, end) if below < end and self.line(below).startswith("\t") else None
        if self.kind != "shell" or self.rows[at].goes_on or self.rows[at].depth != depth + 1:
            return None
        if not _OPENER.match(self.line(at)) or not _CLOSER.match(self.line(end - 1)):
            return None
        inner = range(at + 1, end - 1)
        if any(self.rows[k].low <= depth for k in inner) or self.rows[end - 2].goes_on:
            return None
        if any(_BRANCH.match(self.line(k)) and self.rows[k].depth == depth + 1 for k in inner):
            return None
        stop = end - 1  # comments below the last statement go with what closes the block
        while stop > at + 1 and not self.rows[stop - 2].goes_on and self.line(stop - 1).lstrip()[:1] in ("", "#"):
            stop -= 1
        return (at + 1, stop) if stop > at + 1 else None

    def add(self, group: list[Span], frame: Frame) -> list[Span]:
        if group:
            whole = Span(group[0].start, group[-1].end)
            self.segments.append(Segment(self.document, whole, "fence", tuple(group), frame=frame))
        return []

    def span(self, first: int, stop: int) -> Span:
        """The lines ``[first, stop)`` without the white space around them."""
        start, end = self.rows[first].start, self.rows[stop - 1].end
        inside = self.text[start:end]
        return Span(start + len(inside) - len(inside.lstrip()), start + len(inside.rstrip()))
