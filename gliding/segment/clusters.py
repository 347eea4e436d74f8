"""Lines that are one thing or stand under another: subtitles, a warning with its source, the hits of a search."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from gliding.types import Frame, Span

_TIMES = re.compile(r"(?:\d+:)?\d\d:\d\d[.,]\d{3}[ \t]+-->[ \t]+(?:\d+:)?\d\d:\d\d[.,]\d{3}")
_TOLD = re.compile(
    r"[^\s:][^\n:]*:\d+(?::\d+)?:\s+(?:fatal )?(?:error|warning|note|remark)\b|(?:error|warning)(?:\[\w+\])?: "
)
_SOURCE = re.compile(r"\s*\d*\s\|(?:\s|$)|\s*-->\s\S+:\d+|\s*\d*\s?= (?:note|help):")
_CARET = re.compile(r"\s*[~ \t]*\^[~^ \t]*\s*$")
_PATH = re.compile(r"(?=\S*[./\\])[\w.~/\\@+:-]*[\w/\\]$")
_HIT = re.compile(r"\s*\d+[:-](?![\d:-]+\s)")
_FEWEST = 2


def has_cues(lines: Sequence[str]) -> bool:
    """Say whether these lines are subtitles: from a fifth of them on tell from when to when."""
    times = sum(_TIMES.match(line.lstrip()) is not None for line in lines)
    return times >= _FEWEST and 5 * times >= len(lines)


def clusters(text: str, spans: Sequence[Span]) -> Iterator[tuple[int, int]]:
    """Yield ``[first, stop)`` of the lines that make no sense one without the other, in order."""
    cues, told = "-->" in text, "warning" in text or "error" in text or "note" in text
    if not (cues or told):
        return
    at = 0
    while at < len(spans):
        end = _cue_end(text, spans, at) if cues else at
        if told and end == at and _TOLD.match(text, *spans[at]):
            end = _source_end(text, spans, at + 1)
        if end > at + 1:
            yield at, end
        at = max(end, at + 1)


def _cue_end(text: str, spans: Sequence[Span], at: int) -> int:
    """The line after a subtitle: its number, its times, and what is said up to the next blank line."""
    times = at
    if not _TIMES.match(text, *spans[at]):
        times = at + 1
        if times >= len(spans) or _apart(text, spans, times) or not _TIMES.match(text, *spans[times]):
            return at
    end = times + 1
    while end < len(spans) and not _apart(text, spans, end):
        end += 1
    return end


def _source_end(text: str, spans: Sequence[Span], at: int) -> int:
    """The line after the lines of source that a compiler shows below a warning."""
    while at < len(spans) and not _apart(text, spans, at):
        if _SOURCE.match(_line(text, spans[at])):
            at += 1
        elif at + 1 < len(spans) and _CARET.match(text, *spans[at + 1]) and not _TOLD.match(text, *spans[at]):
            at += 2
        else:
            break
    return at


def headed(text: str, spans: Sequence[Span]) -> dict[int, Frame]:
    """Return the frame of each line that is a hit of a search below the name of its file, and so is one of a linter."""
    frames: dict[int, Frame] = {}
    at = 0
    while at + 1 < len(spans):
        first = at == 0 or _apart(text, spans, at)
        is_head = first and _PATH.match(text, *spans[at]) and _HIT.match(text, *spans[at + 1])
        stop = at + 1
        while is_head and stop < len(spans) and not _apart(text, spans, stop):
            stop += 1
        if is_head:
            frame = Frame(Span(*spans[at]), Span(spans[stop - 1].end, spans[stop - 1].end), name=Span(*spans[at]))
            frames.update(dict.fromkeys(range(at, stop), frame))
        at = stop
    return frames


def _apart(text: str, spans: Sequence[Span], at: int) -> bool:
    """Whether a blank line stands above a line."""
    return text.count("\n", spans[at - 1].end, spans[at].start) > 1


def _line(text: str, span: Span) -> str:
    """A line with the white space before it."""
    return text[text.rfind("\n", 0, span.start) + 1 : span.end]
