"""Line-wise text: logs, grep and CI output, stack traces, code. Knows how to tell it from prose and how to cut it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Literal

from gliding.segment.clusters import clusters, has_cues, headed
from gliding.segment.json import cut_line_with_json
from gliding.segment.traces import has_trace, trace_end
from gliding.text.scripts import is_cjk
from gliding.text.sentences import sentence_spans
from gliding.text.templates import template
from gliding.types import Segment, Span

Form = Literal["prose", "lines", "code"]

_SAMPLE = 240
"""Lines of a document that are looked at."""

_ALIKE = 4
"""Lines that differ in numbers only from which on they are no wrapped prose."""

_RECORD = re.compile(
    r"""\s*(?:
      [\[(<]?\d{4}[-/.]\d\d[-/.]\d\d                          # 2024-05-11, [2024/05/11
    | [\[(<]?\d\d:\d\d:\d\d | \d{6}\s\d{6}\s | \[\s*\d+[.:]\d+\] | [\[<]\w{3}\s\w{3}\s{1,2}\d+
    | \w{3}\s{1,2}\d{1,2}\s\d\d:\d\d | [-\d]\s\d{9,}\s | \d{2}/\d\d/\d\d\s\d\d: | \d{10,13}[\s.]
    | [\[<(]?(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL|FAIL|PASS(?:ED)?|FAILED|SUCCESS|OK)\b[\])>:\s]
    | [\w./\\+-]+\.\w{1,8}:\d+[:\s-]                          # src/a.c:695:
    | \d+[:|](?!\d)\s?\S                                      # 12: code
    | at\s[\w.$<>]+\( | File\s" | Traceback\s | Caused\sby: | \.{3}\s\d+\smore
    | (?:\$|>>>)\s\S | C:\\\w | \[[\w./:-]{1,30}\]\s | (?=[\d.]{8})\d{1,3}(?:\.\d{1,3}){3}[\s:]
    | [-\w.]+\[\d+\]: | [\w.-]+=\S+\s+[\w.-]+= | [-dl](?:[r-][w-][xst-]){3}
    )""",
    re.VERBOSE,
)
_CODE = re.compile(
    r"""\s*(?:
      (?:def|class|async\sdef|fn|func|function|pub|impl|struct|enum|interface|namespace|template|typedef|package)\s[\w<(*]
    | (?:import|from|using|require|include)\s[\w"'<{.*] | \#\s*(?:include|define|ifdef|ifndef|endif)\b | @\w+
    | (?:public|private|protected|static|const|let|var|final|export|extern|return|raise|throw|yield|elif|else|try)\b
    | (?:if|for|while|with|switch|catch)\b.*[:{)]\s*$ | [)\]}]+[,;:)]*\s*$ | (?://|/\*|\*/|""\")
    | [\w.\[\]"']+\s*(?:[-+*/|&]?=|:=)\s*\S | [\w.]+\(.*\)?[;,]?\s*$ | .*[;{}]\s*$ | self\.\w
    )""",
    re.VERBOSE,
)
_STRONG = re.compile(
    r"(?m)^\s*(?:(?:async\s+)?def \w+\s*\(|class \w+.*[:{]\s*$|#include\b|import [\w.{*]|from [\w.]+ import "
    r"|func(?:tion)? \w*\(|fn \w+|@\w+"
    r"|(?:pub|public|private|static|const|let|var|export|void|int|struct|package|if|for|while|return)\b.*[;{(]\s*$)"
)
_PROSE_END = re.compile(r"(?<!\.)[.!?\u3002\uff01\uff1f\u061f\u0964][\"')\]\u2019\u201d\u300d\u300f\uff09*_]*\s*$")
_MARKUP = re.compile(r"\s{0,3}(?:#{1,6}\s|>|[-*+\u2022]\s|\d{1,3}[.)]\s|\||```|~~~|=+\s*$|-{3,}\s*$)")
_INNER_BLANK = re.compile(r"\n[^\S\n]*\n\s*")


def is_record(line: str) -> bool:
    """Return whether a line begins like a record of a log or a tool's output.

    >>> is_record("2024-05-11 03:00:00,817 INFO start"), is_record("src/a.c:12: int x"), is_record("In 1990 he left.")
    (True, True, False)
    """
    return _RECORD.match(line) is not None


def ends_like_prose(line: str) -> bool:
    """Return whether a line ends with the mark of a sentence; an ellipsis is none.

    >>> ends_like_prose('He said "go."'), ends_like_prose("hostname: fe713cf3")
    (True, False)
    """
    return _PROSE_END.search(line, max(0, len(line) - 12)) is not None


def form(text: str) -> Form:
    """Return whether a text is prose (markdown and mail too), line-wise, or code, judged by a sample of its lines."""
    lines = [line for line in _sample(text) if line and not line.isspace()]
    count = len(lines)
    if count < 3 or "\\begin{document}" in text:
        return "prose"
    records = sum(map(is_record, lines)) / count
    if records >= 0.5 or has_cues(lines):
        return "lines"
    if _STRONG.search(text, 0, 40_000):
        code = sum(1 for line in lines if _CODE.match(line)) / count
        indented = sum(1 for line in lines if line.startswith(("    ", "\t"))) / count
        if code + indented / 2 >= 0.45:
            return "code"
    if count < 8:
        return "prose"
    return "lines" if _unlike_prose(lines, records) else "prose"


def _unlike_prose(lines: list[str], records: float) -> bool:
    """Whether the lines neither end like prose, nor wrap at a column, nor carry marks of a markup."""
    count = len(lines)
    marked = sum(1 for line in lines if _MARKUP.match(line))
    if marked / count > 0.3:
        return False
    if not marked and sum(n for n in Counter(map(template, set(lines))).values() if n >= _ALIKE) > count / 2:
        return True
    if sum(1 for line in lines if ends_like_prose(line) and line.count(" ") >= 3) / count > 0.2:
        return False
    lengths = sorted(map(len, lines))
    width = lengths[count * 19 // 20]
    if width > 400:
        return records > 0.2
    # In wrapped prose the first word of the next line would not have fitted on this one.
    full = goes_on = 0
    for line, below in pairwise(lines):
        word = below.split(None, 1)[0]
        full += len(line) + 1 + len(word) >= width
        goes_on += word[0].islower() or is_cjk(word[0])
    return width > 130 or full / count < 0.4 or goes_on / count < 0.15


def _sample(text: str) -> list[str]:
    """At most ``_SAMPLE`` lines: of a long text, those of three windows, so that its size costs nothing."""
    if len(text) <= 60_000:
        lines = text.splitlines()
    else:
        size, half = len(text), len(text) // 2
        windows = (text[:20_000], text[half : half + 20_000], text[size - 20_000 :])
        lines = [line for window in windows for line in window.splitlines()[1:-1]]
    step = max(1, len(lines) // _SAMPLE)
    if step == 1:
        return lines[: 2 * _SAMPLE]
    # Pairs of neighbours stay together: wrapping is seen between a line and the next.
    return [line for at in range(0, len(lines) - 1, 2 * step) for line in lines[at : at + 2]]


def cut_lines(text: str, document: int, *, max_chars: int, framed: bool = True) -> list[Segment]:
    """Return one segment of kind ``line`` for each line that is not blank, and one a ``record`` for a stack trace.

    A subtitle and a compiler's warning with its source are one; hits of a search stand under their file's name.
    What is JSON at the end of a long line is cut as such, in the line that it stands in.
    """
    segments: list[Segment] = []
    spans = sentence_spans(text, lines=True, max_chars=len(text) + 1)
    traces = dict(_traces(text, spans))
    joined = dict(clusters(text, spans))
    frames = headed(text, spans) if framed else {}
    at = 0
    while at < len(spans):
        frame = frames.get(at)
        if frame is not None and frame.opening == spans[at]:
            at += 1
            continue
        if end := traces.get(at):
            whole_trace = Span(spans[at][0], spans[end - 1][1])
            segments.append(Segment(document, whole_trace, "record", tuple(spans[at:end]), frame=frame))
            at = end
            continue
        end = joined.get(at, at + 1)
        span = Span(spans[at][0], spans[end - 1][1])
        if end == at + 1 and span.end - span.start > max_chars and frame is None:
            held = cut_line_with_json(text, document, *span, max_chars=max_chars)
            pieces = [] if held else sentence_spans(text, *span, max_chars=max_chars, lines=True)
            segments += held or [Segment(document, span, "line", tuple(pieces))]
        else:
            segments.append(Segment(document, span, "line", (span,), frame=frame))
        at = end
    return segments


def _traces(text: str, spans: list[Span]) -> Iterator[tuple[int, int]]:
    """The lines of each stack trace, with the line of the log right above that it belongs to."""
    if not has_trace(text):
        return
    lines = [_indented(text, span) for span in spans]
    at = 0
    while at < len(lines):
        end = trace_end(lines, at)
        if end > at:
            told = at > 0 and lines[at].startswith("Traceback") and is_record(lines[at - 1])
            yield at - told, end
        at = max(end, at + 1)


def _indented(text: str, span: Span) -> str:
    """A line with the white space before it."""
    return text[text.rfind("\n", 0, span.start) + 1 : span.end]


def cut_code(text: str, document: int, *, max_chars: int) -> list[Segment]:
    """Return one segment of kind ``fence`` for each run of lines between blank lines; its sentences are the lines."""
    segments = []
    begin = 0
    ends = [(gap.start(), gap.end()) for gap in _INNER_BLANK.finditer(text)]
    for stop, follow in [*ends, (len(text), len(text))]:
        segment = whole(text, document, begin, stop, kind="fence", max_chars=max_chars)
        segments.extend(segment)
        begin = stop + text[stop:follow].rfind("\n") + 1 if follow < len(text) else follow
    return segments


def whole(
    text: str, document: int, start: int, end: int, *, kind: Literal["fence", "table", "paragraph"], max_chars: int
) -> list[Segment]:
    """Return ``text[start:end]`` as one segment whose sentences are its lines; none where it is blank."""
    spans = sentence_spans(text, start, end, lines=True, max_chars=max_chars)
    if not spans:
        return []
    if kind == "fence":
        spans = _continued(text, spans)
    return [Segment(document, Span(spans[0][0], spans[-1][1]), kind, tuple(spans))]


def _continued(text: str, spans: list[Span]) -> list[Span]:
    """Put a line of code and what it goes on in after a backslash together."""
    joined: list[Span] = []
    for span in spans:
        if joined and text[joined[-1].end - 1] == "\\":
            joined[-1] = Span(joined[-1].start, span[1])
        else:
            joined.append(Span(*span))
    return joined
