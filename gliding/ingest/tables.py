"""HTML tables to Markdown tables: one row a line, spanned cells repeated, so that a row can be read alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from gliding.ingest.markup import Node

_MOST_COLUMNS = 200
_LONGEST_CELL = 2_000
_PARTS = frozenset(("thead", "tbody", "tfoot", "tr", "td", "th", "caption", "colgroup"))
_CELLS = ("td", "th")
_BLOCKS = frozenset("h1 h2 h3 h4 h5 h6 pre table form section article blockquote".split())


def is_data(node: Node) -> bool:
    """Return whether a table holds data; one that only lays out a page is read as a row of blocks."""
    if node.attributes.get("role", "").lower() in ("presentation", "none"):
        return False
    stack, cells, rows, paragraphs = list(node.children), 0, 0, 0
    length = longest = 0
    while stack:
        found = stack.pop()
        if found.tag in _BLOCKS:
            return False
        rows += found.tag == "tr"
        cells += found.tag in ("td", "th")
        paragraphs += found.tag == "p"
        length += len(found.text)
        longest = max(longest, len(found.text))
        stack.extend(found.children)
    return cells > 1 and cells > rows and paragraphs <= 2 * cells and longest <= _LONGEST_CELL and length > 0


def table(node: Node, text_of: Callable[[Node], str]) -> tuple[str, str]:
    """Return the caption and the rows of a table as Markdown; its first row is the header.

    Args:
        node: The table.
        text_of: What gives a cell's text in one line, bars escaped.
    """
    caption = " ".join(text_of(part) for part in node.children if part.tag == "caption")
    rows: list[list[str]] = []
    pending: dict[int, tuple[int, str]] = {}
    stray: list[str] = []
    for row in _rows(node, stray, text_of):
        cells: list[str] = []
        for part in row:
            if part.tag not in _CELLS:
                stray.append(text_of(part).strip())
                continue
            _fill(cells, pending)
            if len(cells) >= _MOST_COLUMNS:
                cells[-1] = f"{cells[-1]} {text_of(part)}".strip()
                continue
            text = text_of(part)
            down = _number(part.attributes.get("rowspan", ""))
            for k in range(_number(part.attributes.get("colspan", ""))):
                if len(cells) < _MOST_COLUMNS:
                    if down > 1:
                        pending[len(cells)] = (down - 1, text if k == 0 else "")
                    cells.append(text if k == 0 else "")
        _fill(cells, pending)
        if any(cells):
            rows.append(cells)
    return " ".join(filter(None, (caption, *stray))), _markdown(rows)


def _rows(node: Node, stray: list[str], text_of: Callable[[Node], str]) -> Iterator[list[Node]]:
    """The rows of a table or of a part of it; cells that stand in no row make one, and no text is lost."""
    loose: list[Node] = []
    for part in node.children:
        if part.tag in _CELLS:
            loose.append(part)
            continue
        if loose:
            yield loose
            loose = []
        if part.tag == "tr":
            yield part.children
        elif part.tag in ("thead", "tbody", "tfoot", "form"):
            yield from _rows(part, stray, text_of)
        elif part.tag != "caption":
            stray.append(text_of(part).strip())
    if loose:
        yield loose


def _fill(cells: list[str], pending: dict[int, tuple[int, str]]) -> None:
    """Put in what rows above reach down with."""
    while len(cells) in pending:
        left, text = pending.pop(len(cells))
        if left > 1:
            pending[len(cells)] = (left - 1, text)
        cells.append(text)


def _number(value: str) -> int:
    return min(int(value), _MOST_COLUMNS) if value.isdecimal() and 0 < len(value) < 6 and int(value) else 1


def _markdown(rows: list[list[str]]) -> str:
    if not rows:
        return ""
    width = max(map(len, rows))
    while width > 1 and all(len(row) < width or not row[width - 1] for row in rows):
        width -= 1
    lines = ["| " + " | ".join([*row, *[""] * (width - len(row))][:width]) + " |" for row in rows]
    lines.insert(1, "|" + " --- |" * width)
    return "\n".join(lines)
