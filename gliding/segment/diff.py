"""Unified diffs: whole hunks under the header of their file, so that what comes out is still a patch."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from gliding.segment.lines import whole
from gliding.types import Frame, Segment, Span

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_HUNK = re.compile(r"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@")
_HEAD = re.compile(
    r"diff -|Index: |index [0-9a-f]+\.\.|--- |\+\+\+ |={20,}$|(?:old|new|deleted file|new file) mode |similarity index "
    r"|dissimilarity index |(?:rename|copy) (?:from|to) |Binary files |GIT binary patch"
)
_FIRST = re.compile(r"diff -|Index: \S")
_SHORT = 400
"""Characters up to which the front of a message is always wanted."""
_SHARE = 0.6
"""The least share of the lines of a text that are a diff's, where nobody says that it is one."""


@dataclass(slots=True)
class _File:
    """A file of a diff: the lines of its header ``[first, stop)`` and those of each hunk."""

    first: int
    stop: int
    hunks: list[tuple[int, int]] = field(default_factory=list)

    @property
    def end(self) -> int:
        return self.hunks[-1][1] if self.hunks else self.stop


def cut_diff(text: str, document: int, *, max_chars: int, sure: bool = False) -> list[Segment] | None:
    """Return the segments of a diff, one a hunk, and paragraphs of what is said between; None where it is no diff.

    A file without hunks (a new name, a new mode, a binary file) is a segment of its own.
    """
    if "@@ -" not in text:
        return None
    lines = [Span(*found.span()) for found in _LINE.finditer(text)]
    files = _files([text[start:end] for start, end in lines])
    inside = sum(file.end - file.first for file in files)
    if not any(file.hunks for file in files) or not (sure or inside >= _SHARE * len(lines)):
        return None
    segments: list[Segment] = []
    done = 0
    for file in files:
        segments += _said(text, document, lines[done : file.first], max_chars)
        head = _span(text, lines[file.first : file.stop])
        if not file.hunks:
            segments.append(Segment(document, head, "record", (head,)))
        end = lines[file.end - 1].end
        frame = Frame(head, Span(end, end), name=head)
        for start, stop in file.hunks:
            hunk = _span(text, lines[start:stop])
            segments.append(Segment(document, hunk, "record", (hunk,), frame=frame))
        done = file.end
    message = sum(segment.span.end <= lines[files[0].first].start for segment in segments)
    segments = [_vital(text, segments, k) if k < min(message, 2) else each for k, each in enumerate(segments)]
    return segments + _said(text, document, lines[done:], max_chars)


def _files(lines: list[str]) -> list[_File]:
    files: list[_File] = []
    at = 0
    while at < len(lines):
        if _FIRST.match(lines[at]) or _opens(lines, at):
            stop = at + 1
            while stop < len(lines) and _HEAD.match(lines[stop]) and not _FIRST.match(lines[stop]):
                stop += 1
            if stop < len(lines) and _FIRST.match(lines[at]) and _opens(lines, stop):
                stop += 2
            files.append(_File(at, stop))
            at = stop
        elif files and files[-1].end == at and (found := _HUNK.match(lines[at])):
            stop = _hunk_end(lines, at + 1, *(1 if n is None else int(n) for n in found.groups()))
            files[-1].hunks.append((at, stop))
            at = stop
        else:
            at += 1
    return files


def _opens(lines: list[str], at: int) -> bool:
    """Whether the header of a file begins that has no line above its two names."""
    return (
        at + 2 < len(lines)
        and lines[at].startswith("--- ")
        and lines[at + 1].startswith("+++ ")
        and _HUNK.match(lines[at + 2]) is not None
    )


def _hunk_end(lines: list[str], at: int, old: int, new: int) -> int:
    """The line after a hunk of so many old and new lines; a hunk that promises more ends where it breaks off."""
    while at < len(lines) and (old > 0 or new > 0):
        sign = lines[at][:1]
        if sign not in " +-\\\n\r\t":
            break
        old -= sign not in "+\\"
        new -= sign not in "-\\"
        at += 1
    return at + 1 if at < len(lines) and lines[at].startswith("\\") else at


def _said(text: str, document: int, lines: list[Span], max_chars: int) -> list[Segment]:
    """Paragraphs of what is no diff: a message above it, a signature below."""
    segments: list[Segment] = []
    start = -1
    for line in [*lines, None]:
        blank = line is None or text[line.start : line.end].isspace()
        if not blank and start < 0 and line is not None:
            start = line.start
        elif blank and start >= 0:
            end = line.start if line is not None else lines[-1].end
            segments += whole(text, document, start, end, kind="paragraph", max_chars=max_chars)
            start = -1
    return segments


def _vital(text: str, segments: list[Segment], k: int) -> Segment:
    """What says who changed something and what for: the front of the message, and the subject below a commit's name."""
    first, span = segments[0].span, segments[k].span
    short = span.end - span.start <= _SHORT
    return replace(segments[k], vital=short and (k == 0 or text.startswith("commit ", first.start)))


def _span(text: str, lines: list[Span]) -> Span:
    """These lines without the break after the last."""
    start, end = lines[0].start, lines[-1].end
    while end > start and text[end - 1] in "\r\n":
        end -= 1
    return Span(start, end)
