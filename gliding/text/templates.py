"""The template of a log line: what stays the same when its numbers and identifiers change."""

from __future__ import annotations

import re

from gliding.text.scripts import CJK

_VARIABLE = re.compile(r"0x[0-9a-f]+|\b[0-9a-f]{8,}\b|\d+", re.I)
_STAMP = re.compile(
    r"[\[(<]?(?:\d{4}[-/.]\d\d[-/.]\d\d|\w{3}\s{1,2}\d{1,2}|\d\d[/.]\d\d(?:[/.]\d{2,4})?)?[T ]?\d\d:\d\d(?::\d\d)?"
    r"(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?[\])>]?"
)
_SIGNS = ".:/@+#-"
_WORD = re.compile(rf"(?<![^\W{CJK}])(?<![{_SIGNS}])(?:[^\W\d{CJK}]|[{_SIGNS}])*\d(?:[^\W{CJK}]|[{_SIGNS}])*|\b[A-Z]\b")
_ASCII_WORD = re.compile(rf"(?<![A-Za-z0-9_{_SIGNS}])[A-Za-z_{_SIGNS}]*[0-9][A-Za-z0-9_{_SIGNS}]*|\b[A-Z]\b")
"""The same for text in ASCII, which most logs are, in less than half the time."""
_LETTERS = re.compile(rf"[{CJK}]{{2}}|[^\W\d_{CJK}]{{2,}}")
_END = ".:,-/"
_LEAST_WORDS = 2


def template(line: str) -> str:
    """Return a line with its numbers and hexadecimal identifiers left out.

    >>> template("worker-3 took 14 ms at 0x7FFE10")
    'worker-0 took 0 ms at 0'
    """
    return _VARIABLE.sub("0", line)


def split(line: str) -> tuple[str, tuple[str, ...], str] | None:
    r"""Return a line's template, its words that have a digit, and the time that it begins with; None for few words.

    A capital letter by itself counts as such a word: "hall A".

    >>> split("12:30:01 Order 51007 for C-901 was packed at station 2.")
    ('\x00 Order \x00 for \x00 was packed at station \x00.', ('51007', 'C-901', '2'), '12:30:01')
    >>> split("12 7 80 done")
    """
    stamp = _STAMP.match(line)
    time = stamp[0] if stamp else ""
    rest = line[len(time) :]
    values: list[str] = []

    def take(found: re.Match[str]) -> str:
        word = found[0].rstrip(_END)
        values.append(word)
        return "\0" + found[0][len(word) :]

    shape = (_ASCII_WORD if rest.isascii() else _WORD).sub(take, rest)
    if len(_LETTERS.findall(shape)) < _LEAST_WORDS:
        return None
    return ("\0" if time else "") + shape, tuple(values), time
