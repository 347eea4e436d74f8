"""Whether the lines of a table and of Markdown still fit together: headers, widths, fences, table rows, links."""

from __future__ import annotations

import csv
import io
import re
from collections import defaultdict
from collections.abc import Iterator

_FENCE = re.compile(r" {0,3}(?:> ?)*(?:[-*+] +)?(`{3,}(?=[^`]*$)|~{3,})(.*)$")
_RULE = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?")
_LINK = re.compile(r"\]\(")
_TARGET = re.compile(
    r"\]\([ \t]*(?:<([^<>\n]{0,2000})>|([^\s()]{0,2000}(?:\([^\s()]{0,500}\)[^\s()]{0,2000}){0,4}))"
    r"(?:\s+(?:\"[^\"]{0,500}\"|'[^']{0,500}'))?[ \t]*\)"
)
_REFERENCE = re.compile(r"\]\[([^\]\[\n]{1,200})\]")
_DEFINITION = re.compile(r"^ {0,3}\[([^\]\[\n]{1,200})\]:[ \t]*\S", re.M)
_MARKDOWN = re.compile(r"^(?:#{1,6} \S|`{3}|~{3}|\|?[ \t]*:?-{3,}:?[ \t]*\|)|\]\([^()\s]{1,500}\)", re.M)
_SEPARATORS = ",;|"
_HEADER_CELL = 64


# --- rows of fields ---


def broken_rows(source: str, output: str, *, delimiter: str = "") -> Iterator[str]:
    r"""Yield what is wrong with the rows of an output: the header is gone, or a row's width is one that no row had.

    >>> list(broken_rows("a,b\n1,2\n3,4\n", "a,b\n3\n"))
    ['row 2 has 1 fields, but the header 2']
    """
    delimiter = delimiter or _delimiter(source)
    before = _rows(source, delimiter)
    if not before:
        return
    after = _rows(output, delimiter)
    if after is None:
        yield "the rows do not parse any more"
        return
    header = before[0]
    if not after or after[0] != header:
        yield "the header is gone"
    widths = {len(row) for row in before}
    for number, row in enumerate(after, 1):
        if len(row) not in widths:
            yield f"row {number} has {len(row)} fields, but the header {len(header)}"


def looks_like_rows(text: str, *, delimiter: str = "") -> bool:
    """Return whether all rows are as wide as a header of short, different names; two rows only where they are wide."""
    first = text[: text.find("\n")] if "\n" in text else ""
    delimiter = delimiter or _delimiter(text)
    if delimiter not in first or first.lstrip().startswith(("|", "#")):
        return False
    rows = _rows(text, delimiter)
    if not rows or len(rows) < 2:
        return False
    header = [cell.strip() for cell in rows[0]]
    if len(rows) < 3 and len(header) < 3:
        return False
    named = all(cell and len(cell) <= _HEADER_CELL for cell in header) and len(set(header)) == len(header)
    return len(header) > 1 and named and all(len(row) == len(header) for row in rows)


def _delimiter(text: str) -> str:
    first = text[: text.find("\n")] if "\n" in text else text
    return max(_SEPARATORS, key=first.count)


def _rows(text: str, delimiter: str) -> list[list[str]] | None:
    """The rows that are not blank; None where a quote is left open or what follows it is odd."""
    try:
        return [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True) if row]
    except csv.Error:
        return None


# --- Markdown ---


def looks_like_markdown(text: str) -> bool:
    """Return whether a text has a heading, a fence, a table or a link.

    >>> looks_like_markdown("See [it](a.md)."), looks_like_markdown("a # b")
    (True, False)
    """
    return _MARKDOWN.search(text) is not None


def broken_markdown(source: str, output: str) -> Iterator[str]:
    r"""Yield what is wrong with an output: an open fence, a changed or headless table row, a broken link.

    >>> list(broken_markdown("| a |\n|---|\n| 1 |\n\n[b](c)", "| 1 |\n\n[b](c"))
    ['line 1: a table row stands without its header', 'a link is not closed']
    """
    before, open_before = _prose(source)
    after, open_after = _prose(output)
    if open_after and not open_before:
        yield f"the fence of line {open_after} is not closed"
    yield from _broken_tables(before, after)
    yield from _broken_links("\n".join(before), "\n".join(after))


def _prose(text: str) -> tuple[list[str], int]:
    """The lines, those inside of fences blank, and the number of the line that opens a fence which nothing closes."""
    lines: list[str] = []
    fence = ""
    opened = 0
    for number, line in enumerate(text.splitlines(), 1):
        mark = _FENCE.match(line)
        if fence:
            lines.append("")
            if mark and mark[1][0] == fence[0] and len(mark[1]) >= len(fence) and not mark[2].strip():
                fence = ""
        elif mark:
            lines.append("")
            fence, opened = mark[1], number
        else:
            lines.append(line.strip())
    return lines, opened if fence else 0


def _tables(lines: list[str]) -> Iterator[tuple[int, str, str]]:
    """The lines of tables: the number, the header that the line stands under (empty for none), the line.

    A table is a header, a rule, and rows up to a line without a bar.
    """
    header = ""
    for k, line in enumerate(lines):
        if "|" not in line:
            header = ""
        elif k + 1 < len(lines) and "|" in lines[k + 1] and _RULE.fullmatch(lines[k + 1]) and not _RULE.fullmatch(line):
            header = line
        yield k, header, line


def _broken_tables(before: list[str], after: list[str]) -> Iterator[str]:
    headers: dict[str, set[str]] = defaultdict(set)  # of a row: those that it stands under
    for _, header, line in _tables(before):
        if header:
            headers[line].add(header)
    if not headers:
        return
    outside = {line for _, header, line in _tables(before) if not header}
    for k, header, line in _tables(after):
        if line in headers:
            if header not in headers[line] and line not in outside:
                yield f"line {k + 1}: a table row stands without its header"
        elif (header or line.startswith("|")) and line not in outside:
            yield f"line {k + 1}: the source has no such table row: {line[:60]}"


def _broken_links(before: str, after: str) -> Iterator[str]:
    targets = _targets(before)
    known_targets = set(targets)
    for target in dict.fromkeys(_targets(after)):
        if target and target not in known_targets and any(old.startswith(target) for old in known_targets):
            yield f"the target of a link is cut: {target[:60]}"
    if len(_LINK.findall(after)) - len(_targets(after)) > len(_LINK.findall(before)) - len(targets):
        yield "a link is not closed"
    known = {name.lower() for name in _DEFINITION.findall(before)}
    defined = {name.lower() for name in _DEFINITION.findall(after)}
    for name in sorted({name.lower() for name in _REFERENCE.findall(after)} & known - defined):
        yield f"the link [{name[:60]}] has lost its target"


def _targets(text: str) -> list[str]:
    return [match[1] or match[2] or "" for match in _TARGET.finditer(text)]
