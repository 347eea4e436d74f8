"""A page of HTML to Markdown text: headings, lists, tables, links and code of its main text; nothing is run or fetched.

Emphasis is left out (it costs tokens and breaks where a sentence is cut), struck text and powers are marked, since they
change what is said. The walk is a loop, not a recursion: a page may nest as deep as it likes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from gliding.ingest import markup
from gliding.ingest.markup import Event, Node
from gliding.ingest.page import main_text, title_of
from gliding.ingest.tables import is_data, table

Events = Callable[[str], Iterable[Event]]

_BLOCKS = frozenset(
    "address article aside blockquote body center caption dd details dialog div dl dt fieldset figcaption figure "
    "footer form h1 h2 h3 h4 h5 h6 header hgroup html legend li main menu nav ol p pre section summary table tbody "
    "td tfoot th thead tr ul".split()
)
_HEADINGS = {f"h{level}": "#" * level + " " for level in range(1, 7)}
_CODE = frozenset(("code", "kbd", "samp", "tt", "var"))
_STRUCK = frozenset(("del", "s", "strike"))
_LANGUAGE = re.compile(r"(?:^|[\s-])(?:lang|language|highlight|brush:|source)-?\s*([a-z0-9+#]{1,12})(?:\s|$)", re.I)
_SPACE = re.compile(r"[\s\u00a0]+")
_INVISIBLE = dict.fromkeys((0x00AD, 0x200B, 0xFEFF))
_ANCHOR = frozenset(("¶", "#", "§", "🔗", "link", "permalink", ""))
_DEEPEST_LIST = 6
_LONGEST_URL = 1_000


class Page(NamedTuple):
    """The Markdown text of a page, and its title."""

    text: str
    title: str


def html_to_markdown(html: str, *, events: Events = markup.events) -> Page:
    r"""Return the main text of a page as Markdown.

    Args:
        html: The page.
        events: What reads its tags; where elements nest deeper than ``markup.DEEPEST``, ``markup.events`` does.

    >>> html_to_markdown("<title>T</title><h1>Fares</h1><p>See <a href='/x'>all</a>.<script>x()</script>")
    Page(text='# Fares\n\nSee [all](/x).\n', title='T')
    """
    if events is not markup.events and markup.deepest(html) > markup.DEEPEST:
        events = markup.events
    root = markup.tree(events(html))
    title = title_of(root)
    writer = _Writer()
    for node in main_text(root):
        writer.walk(node)
    return Page(writer.text(), title)


class _Link(NamedTuple):
    start: int
    url: str
    flushed: int


class _Writer:
    """Writes blocks of Markdown; inline text is collected until a block begins or ends."""

    def __init__(self, *, inline: bool = False) -> None:
        self._inline_only = inline
        self._blocks: list[str] = []
        self._tight: list[bool] = []  # whether no blank line stands before the block
        self._buffer: list[str] = []
        self._lists: list[list[int]] = []  # per open list: number of the next item, or 0 for bullets
        self._marker = ""
        self._quotes = 0
        self._heading = ""
        self._glued = False
        self._spoken = False  # whether the buffer holds more than white space
        self._link: _Link | None = None
        self._item = False

    def text(self) -> str:
        self._flush()
        parts: list[str] = []
        for block, tight in zip(self._blocks, self._tight, strict=True):
            if parts:
                parts.append("\n" if tight else "\n\n")
            parts.append(block)
        return "".join(parts) + "\n" if parts else ""

    def inline(self) -> str:
        """The text in one line, as a table's cell has it."""
        return _SPACE.sub(" ", "".join(self._buffer)).strip()

    def walk(self, root: Node) -> None:
        stack: list[tuple[Node, bool]] = [(root, False)]
        while stack:
            node, leaving = stack.pop()
            if not node.tag and not node.children:
                self._say(node.text)
            elif leaving:
                self._leave(node)
            elif self._enter(node):
                stack.append((node, True))
                stack.extend((child, False) for child in reversed(node.children))

    def _say(self, text: str) -> None:
        text = _SPACE.sub(" ", text.translate(_INVISIBLE))
        if text.strip():
            self._glued = False
            self._spoken = True
        if text:
            self._buffer.append(text)

    def _enter(self, node: Node) -> bool:
        """Begin an element; False where its children are done with already."""
        tag = node.tag
        if tag == "br":
            self._buffer.append(" " if self._inline_only or self._heading else "\n")
        elif tag == "hr":
            self._flush()
        elif tag == "img":
            self._image(node)
        elif tag == "pre":
            return self._code_block(node)
        elif tag in _CODE:
            return self._code(node)
        elif tag == "a":
            return self._open_link(node)
        elif tag in _STRUCK:
            self._buffer.append("~~")
        elif tag == "sup":
            self._power(node)
        elif tag == "table":
            return self._table(node)
        elif tag in _BLOCKS:
            self._open_block(node)
        return True

    def _open_block(self, node: Node) -> None:
        tag = node.tag
        if self._inline_only:
            self._part()
            return
        if not self._glued or tag == "dt":
            self._flush()
        if tag in _HEADINGS:
            self._heading = _HEADINGS[tag]
        elif tag == "blockquote":
            self._quotes += 1
        elif tag in ("ul", "ol", "menu"):
            first = node.attributes.get("start", "1")
            self._lists.append([int(first) if first.isdecimal() and len(first) < 7 else 1] if tag == "ol" else [0])
        elif tag == "li":
            self._marker = "- "
            if self._lists and self._lists[-1][0]:
                self._marker = f"{self._lists[-1][0]}. "
                self._lists[-1][0] += 1

    def _leave(self, node: Node) -> None:
        tag = node.tag
        if tag == "a":
            self._close_link()
        elif tag in _STRUCK:
            self._buffer.append("~~")
        elif tag in _BLOCKS:
            self._close_block(tag)

    def _close_block(self, tag: str) -> None:
        if self._inline_only:
            self._part()
            return
        if tag == "dt" and self._spoken and not self._glued:
            self._buffer.append(": ")
            self._glued = True
            return
        if not self._glued:
            self._flush()
        if tag in _HEADINGS:
            self._heading = ""
        elif tag == "blockquote":
            self._quotes -= 1
        elif tag in ("ul", "ol", "menu") and self._lists:
            self._lists.pop()
            self._item = bool(self._lists)
            self._marker = ""
        elif tag == "li":
            self._marker = ""

    def _part(self) -> None:
        """Between two blocks of a cell."""
        if self._buffer and "".join(self._buffer[-2:]).strip() and not self._buffer[-1].endswith("; "):
            self._buffer.append("; ")

    def _flush(self) -> None:
        self._glued = self._spoken = False
        self._fold_link()
        lines = [" ".join(line.split(" ")).strip() for line in _lines("".join(self._buffer))]
        self._buffer.clear()
        text = "\n".join(line for line in lines if line)
        if text:
            self._block(self._heading + " ".join(text.split("\n")) if self._heading else text)

    def _block(self, text: str) -> None:
        depth = min(len(self._lists), _DEEPEST_LIST)
        tight = bool(self._marker) and self._item and bool(self._blocks)
        if self._lists or self._marker:
            marker = self._marker
            indent = "  " * max(0, depth - 1)
            first = indent + (marker or "  ")
            text = first + text.replace("\n", "\n" + indent + " " * len(marker or "  "))
            self._item = True
        else:
            self._item = False
        self._marker = ""
        if self._quotes:
            text = "> " + text.replace("\n", "\n> ")
        self._blocks.append(text)
        self._tight.append(tight)

    def _image(self, node: Node) -> None:
        alt = _SPACE.sub(" ", node.attributes.get("alt", "")).strip()
        source = _url(node.attributes.get("src", ""))
        if alt:
            self._glued, self._spoken = False, True
            self._buffer.append(alt if self._link else f"![{alt}]({source})" if source else f"[{alt}]")

    def _open_link(self, node: Node) -> bool:
        names = f"{node.attributes.get('class', '')} {node.attributes.get('rel', '')}"
        if "headerlink" in names or (self._heading and _plain(node).strip().lower() in _ANCHOR):
            return False
        if self._link is None:
            self._link = _Link(len(self._buffer), _url(node.attributes.get("href", "")), len(self._blocks))
        return True

    def _close_link(self) -> None:
        self._fold_link()
        self._link = None

    def _fold_link(self) -> None:
        """Put what a link holds so far in brackets: a link around several blocks is that of the first."""
        link = self._link
        if link is None or not link.url:
            return
        inside = "".join(self._buffer[link.start :])
        text = _SPACE.sub(" ", inside).strip("; " if self._inline_only else " ")
        if not text:
            return
        lead = " " if inside[:1].isspace() else ""
        tail = " " if inside[-1:].isspace() else ""
        shown = text if text == link.url else f"[{text}]({link.url})"
        self._buffer[link.start :] = [f"{lead}{shown}{tail}"]
        self._link = _Link(len(self._buffer), "", len(self._blocks))

    def _power(self, node: Node) -> None:
        raised = _plain(node).strip()
        if re.fullmatch(r"[-+\u2212]?[\dn]+", raised) and not any(child.tag == "a" for child in node.children):
            before = "".join(self._buffer[-1:])
            if before[-1:].isalnum() or before[-1:] == ")":
                self._buffer.append("^")

    def _code(self, node: Node) -> bool:
        text = _SPACE.sub(" ", _plain(node)).strip()
        if text:
            self._glued, self._spoken = False, True
            fence = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=0))
            pad = " " if text[0] == "`" or text[-1] == "`" else ""
            self._buffer.append(f"{fence}{pad}{text}{pad}{fence}")
        return False

    def _code_block(self, node: Node) -> bool:
        text = _plain(node).replace("\r\n", "\n").strip("\n").rstrip()
        if self._inline_only:
            return self._code(node)
        self._flush()
        if text:
            names = " ".join(n.attributes.get("class", "") for n in (node, *node.children[:3]))
            language = _LANGUAGE.search(names)
            fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
            self._block(f"{fence}{language[1].lower() if language else ''}\n{text}\n{fence}")
        return False

    def _table(self, node: Node) -> bool:
        if self._inline_only:
            self._part()
            return True
        self._flush()
        if not is_data(node):
            return True
        caption, rows = table(node, _cell)
        for block in filter(None, (caption, rows)):
            self._block(block)
        return False


def _cell(node: Node) -> str:
    writer = _Writer(inline=True)
    for child in node.children if node.tag else (node,):  # a text that stands between cells
        writer.walk(child)
    return writer.inline().rstrip("; ").replace("|", "\\|")


def _lines(text: str) -> list[str]:
    return [_SPACE.sub(" ", line) for line in text.split("\n")]


def _plain(node: Node) -> str:
    """The text of an element as it stands, a line for each ``br``."""
    parts, stack = [], [node]
    while stack:
        found = stack.pop()
        if found.tag == "br":
            parts.append("\n")
        elif not found.tag:
            parts.append(found.text)
        stack.extend(reversed(found.children))
    return "".join(parts)


def _url(given: str) -> str:
    """What a link shows: empty for scripts, data, places on the same page, and what is too long to be read."""
    url = "".join(given.split("\n")).strip().replace("\t", "").replace("\r", "")
    scheme = url[:20].partition(":")[0].lower() if ":" in url[:20] else ""
    if scheme in ("javascript", "data", "vbscript", "blob") or url.startswith("#") or len(url) > _LONGEST_URL:
        return ""
    url = url.replace(" ", "%20")
    return url if url.count("(") == url.count(")") else url.replace("(", "%28").replace(")", "%29")
