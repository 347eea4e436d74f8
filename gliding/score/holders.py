"""What a sentence stands in, by name: the keys and ids of the JSON around it, the definitions around a line of code.

A record or a function is cut into parts, and its name stands in the first one only. Text is read as it comes, whole or
cut off. This is for text without frames, turns and passages: a frame names what it holds itself.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence

from gliding.types import Span

_LONGEST = 80
"""Characters of a key or a first member up to which it names what it holds."""
_DEEPEST = 12
"""Levels whose names are given, the innermost."""
_OBJECT = re.compile(r'\{\s{0,40}"|\[\s{0,40}[{\[]')
_MARK = re.compile(r'["{}\[\],]|(?<=[:,\s\[])(?:-?\d[\w.+-]{0,40}|true|false|null)')
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_COLON = re.compile(r"\s{0,40}:")
_KEYWORD = re.compile(r"\b(?:def|function|fn|func|class|struct|enum|interface|trait|impl|namespace)[ \t]+[\w(]")
_DEFINITION = re.compile(
    r"(?:(?:export|default|async|public|private|protected|static|final|abstract|pub|unsafe|const)[ \t]+){0,4}"
    r"(?:(?:def|function|fn)[ \t]+(\w+)[ \t]*[(<\[]|func[ \t]+(?:\([^()\n]{1,80}\)[ \t]*)?(\w+)[ \t]*[(\[]"
    r"|(?:class|struct|enum|interface|trait|impl|namespace)[ \t]+(\w+)[ \t]*(?:[(:{<\n]|extends\b|implements\b|for\b))"
)
_LINE = re.compile(r"^[ \t]*(?=\S)((?:\d+[:|\t])?)([ \t]*)(?=[^\s)\]}])", re.MULTILINE)
"""A line, the number that a viewer put before it, and how deep it then stands; not one that only closes."""


def holders(text: str, sentences: Sequence[Span]) -> list[str]:
    r"""Return for each of some sentences of a text, which are in order, the names of what it begins in, "" for none.

    >>> text = '{"id": "A7", "legs": [{"no": 12, "from": "Oslo", "to": "Bergen"}, {"no": 13}], "paid": true}'
    >>> holders(text, [Span(0, 33), Span(33, 49), Span(66, 76), Span(79, 91)])
    ['', '"id" "A7" "legs" "no" 12', '"id" "A7" "legs"', '"id" "A7"']
    >>> text = "class Pump:\n    def stop(self):\n        self.on = False\nx = 1"
    >>> holders(text, [Span(0, 11), Span(16, 31), Span(40, 55), Span(56, 61)])
    ['', 'Pump', 'Pump stop', '']
    """
    if len(sentences) > 1:
        begin, end = sentences[0].start, sentences[-1].end
        opening = _OBJECT.search(text, begin, end)
        if opening is not None:
            return _records(text, sentences, opening.start(), end)
        if _KEYWORD.search(text, begin, end):
            return _definitions(text, sentences, text.rfind("\n", 0, begin) + 1, end)
    return [""] * len(sentences)


def _records(text: str, sentences: Sequence[Span], begin: int, end: int) -> list[str]:
    """The names of JSON: of each open container its key and its first member, where these are short."""
    names = []
    above: list[str] = []
    fresh = False  # whether the innermost container has no member yet
    key = ""
    mark = _MARK.search(text, begin, end)
    for sentence in sentences:
        while mark is not None and mark.start() < sentence.start:
            said, at = mark[0], mark.end()
            if said == '"':
                string = _STRING.match(text, mark.start(), end)
                if string is None:  # cut off
                    mark = None
                    break
                said, at = string[0], string.end()
            if said in ("{", "["):
                above.append(key)
                key, fresh = "", said == "{"
            elif said in ("}", "]"):
                if above:
                    above.pop()
                key, fresh = "", False
            elif said == ",":
                key = ""
            elif said[0] == '"' and not key and _COLON.match(text, at, end):
                key = said if len(said) <= _LONGEST else '"'
            else:
                if fresh and above and len(said) <= _LONGEST:
                    above[-1] += f" {key} {said}"
                key, fresh = "", False
            mark = _MARK.search(text, at, end)
        names.append(" ".join(" ".join(above[-_DEEPEST:]).split()))
    return names


def _definitions(text: str, sentences: Sequence[Span], begin: int, end: int) -> list[str]:
    """The names of the functions and classes that a line stands deeper than."""
    names = []
    above: list[tuple[int, str]] = []
    line = _LINE.search(text, begin, end)
    for sentence in sentences:
        while line is not None and line.start(1) < sentence.start:
            depth = _depth(line)
            while above and above[-1][0] >= depth:
                above.pop()
            if found := _DEFINITION.match(text, line.end(), end):
                above.append((depth, found[found.lastindex or 0]))
            line = _LINE.search(text, line.end() + 1, end)
        opens = line is not None and line.start(1) == sentence.start
        depth = _depth(line) if line is not None and opens else sys.maxsize
        names.append(" ".join(name for deep, name in above[-_DEEPEST:] if deep < depth))
    return names


def _depth(line: re.Match[str]) -> int:
    return len(line[2]) if line[1] else line.start(1) - line.start()
