"""Stack traces among lines: the error, the calls that led to it and what it says stay together."""

from __future__ import annotations

import re
from collections.abc import Sequence

_OPENS = re.compile(
    r"\s*(?:Traceback \(most recent call last\)|Exception in thread|panic: |thread '.*' panicked at|stack backtrace:"
    r"|goroutine \d+ \[|Unhandled exception|Uncaught )"
)
_NAMED = re.compile(r"(?:.*[\s:.])?[\w$]*(?:Error|Exception|Throwable|Fault)\b")
_CALL = re.compile(
    r"\s+at \S+|\s*\.\.\. \d+ more|\s*Caused by: |\s*Suppressed: |\s+File \".*\", line \d+|\s*in [\w.<>$]+ at "
    r"|\s+\d+: +(?:0x[0-9a-f]+ - )?\S+|#\d+ +(?:0x[0-9a-f]+ )?(?:in )?\S+|\s+from \S+:\d+|\t\S+\.go:\d+"
    r"|[\w./*()]+\(.*\)$"
)
_HINT = re.compile(r"Traceback|[Ee]xception|Error|panic|Fault|Throwable|Uncaught|goroutine|backtrace")
_DEEPER = re.compile(r"\s+\S")
_AGAIN = re.compile(r"(?:During handling of the above|The above exception was the direct cause)")
_PYTHON = re.compile(r"\s*(?:[A-Z+| ] *)?Traceback \(most recent call last\)")


def has_trace(text: str) -> bool:
    """Return whether a stack trace may be in a text: a quick look for what every one has."""
    return _HINT.search(text) is not None


def trace_end(lines: Sequence[str], at: int) -> int:
    r"""Return the line after the trace that begins at line ``at``; ``at`` itself where none does.

    A trace is a line that opens one, or that names an exception above a call, then calls and what is indented below
    them, and in Python the line that says what went wrong.

    >>> lines = ["Traceback (most recent call last):", '  File "a.py", line 2, in f', "    g()", "ValueError: x", "."]
    >>> trace_end(lines, 0)
    4
    >>> trace_end(["java.io.IOException: gone", "\tat a.B.read(B.java:12)", "\tat a.C.run(C.java:3)", "next"], 0)
    3
    >>> trace_end(["ValueError: x", "done"], 0)
    0
    """
    end = _one(lines, at)
    while end > at:
        follow = end
        while follow < len(lines) and (not lines[follow].strip() or _AGAIN.match(lines[follow])):
            follow += 1
        chained = follow > end and any(map(_AGAIN.match, lines[end:follow]))
        more = _one(lines, follow) if chained and follow < len(lines) else follow
        if not chained or more == follow:
            break
        end = more
    return end


def _one(lines: Sequence[str], at: int) -> int:
    python = _PYTHON.match(lines[at]) is not None
    opened = _OPENS.match(lines[at]) is not None
    if not (opened or _NAMED.match(lines[at])):
        return at
    end = at + 1
    calls = 0
    while end < len(lines):
        call = _CALL.match(lines[end]) is not None
        inner = _DEEPER.match(lines[end]) and (calls or opened)
        if not (call or inner or (opened and _OPENS.match(lines[end]))):
            break
        calls += call
        end += 1
    if not calls:
        return at
    if python and end < len(lines) and lines[end].strip():
        end += 1
    return end
