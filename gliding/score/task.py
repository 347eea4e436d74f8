"""What the query asks for moves the weights: a failure is found by words of failure and by where it stands.

Answer types (a date for "when", a number for "how many", a name for "who") were tried and change nothing: see
``scripts/bench/LOG.md``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Literal

import numpy as np

from gliding.errors import InputError
from gliding.text.templates import template
from gliding.types import Route

if TYPE_CHECKING:
    from gliding.types import FloatArray

Task = Literal["answer", "debug", "continue", "summarize"]
TASKS: tuple[Task, ...] = ("answer", "debug", "continue", "summarize")

_ASKS_WHY = re.compile(
    r"\b(?:fail\w*|errors?|wrong|crash\w*|broke\w*|break\w*|bugs?|exceptions?|problems?|faults?)\b|失败|错误|报错|异常",
    re.I,
)
_FAILURE = re.compile(
    r"\b(?:errors?|fail(?:s|ed|ures?|ing)?|fatal|exceptions?|traceback|panic(?:ked)?|assert\w*|undefined|cannot|can't|"
    r"denied|refused|unable|invalid|missing|not found|no such|conflicts?|abort\w*|killed|timed? ?out|segfault|"
    r"segmentation fault|warn\w*|(?:un)?expected|mismatch|exit(?:ed)? (?:code|status)|returned|critical|crash\w*)\b"
    r"|\b(?-i:\w+(?:Error|Exception|Timeout))\b|[✗✖×]|\bE  |失败|错误|异常|拒绝|超时",
    re.I,
)
# A part of every match, lower-cased: to look for these is many times quicker, and most texts have none.
_HINTS = (
    *("error", "fail", "fatal", "exception", "traceback", "panic", "assert", "undefined", "cannot", "can't", "denied"),
    *("refused", "unable", "invalid", "missing", "not found", "no such", "conflict", "abort", "killed", "time", "seg"),
    *("warn", "expected", "mismatch", "exit", "returned", "critical", "crash", "e  ", "✗", "✖", "×"),
    *("失败", "错误", "异常", "拒绝", "超时"),
)
_ASKS_CAUSE = re.compile(r"\b(?:why|causes?|caused|reasons?|went wrong|root|how come)\b|为什么|原因|为何", re.I)
_GIVES_CAUSE = re.compile(
    r"\b(?:because|caus\w+|due to|reasons?|since|led to|results? (?:of|from|in)|resulted|owing to|so that|therefore|"
    r"thanks to|why)\b|因为|由于|原因|因此|导致",
    re.I,
)
_DESCRIPTION = 25
"""Terms from which on a query describes a piece of work rather than asks for a fact."""


def check_task(named: str) -> None:
    """Raise InputError unless a task of that name exists, or none is named."""
    if named and named not in TASKS:
        close = get_close_matches(named, TASKS, n=1)
        meant = f"Did you mean {close[0]!r}? " if close else ""
        raise InputError(f"There is no task {named!r}.", hint=f"{meant}Tasks: {', '.join(TASKS)}.")


def task_of(query: str, query_terms: Sequence[str], route: Route, named: str) -> Task:
    """Return the task: the one that was named, else the one that the query and the route suggest.

    Raises:
        InputError: There is no task of that name.
    """
    check_task(named)
    for task in TASKS:
        if named == task:
            return task
    if not query_terms:
        return "continue" if route == "agent" else "summarize"
    if route == "agent" and len(query_terms) >= _DESCRIPTION:
        return "continue"
    return "debug" if route in ("lines", "agent") and _ASKS_WHY.search(query) else "answer"


def asks_cause(query: str) -> bool:
    """Whether one cause is asked for, which stands near the end of a log, and not a list of what went wrong."""
    return _ASKS_CAUSE.search(query) is not None


def cause(texts: Sequence[str]) -> FloatArray:
    """Return ``(n,) float64``: 1 where a text has a word that gives a cause, else 0."""
    return np.fromiter((_GIVES_CAUSE.search(text) is not None for text in texts), np.float64, len(texts))


def failure(texts: Sequence[str]) -> FloatArray:
    """Return ``(n,) float64``: 0, 0.5 or 1 for no, one or more words of failure in each text.

    It is divided by the cube root of the number of such texts that differ in numbers only: one warning over and over
    is not the failure.
    """
    low = "\0".join(texts).lower()
    hints = [hint for hint in _HINTS if hint in low]
    found = np.zeros(len(texts))
    shapes: dict[int, str] = {}
    for k, text in enumerate(texts):
        low = text.lower()
        if any(hint in low for hint in hints):
            found[k] = min(2, len(_FAILURE.findall(text))) / 2
            if found[k]:
                shapes[k] = template(text)
    counts = Counter(shapes.values())
    for k, shape in shapes.items():
        found[k] /= counts[shape] ** (1 / 3)
    return found
