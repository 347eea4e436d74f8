"""HTML to a tree with nothing but the standard library; time and memory grow with the length of the page alone.

``html.parser`` is not used: on a page of unclosed comments its time grows with the square of the length. What a
browser mends by the whole HTML standard (misnested formatting, stray table cells) is mended here in the common cases;
a parser that follows the standard can be given in place of ``events``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from html import unescape

DEEPEST = 1_000
"""Open elements up to which a page may be handed to a parser whose time grows with depth times length."""

VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
_RAW = frozenset("script style iframe noembed noframes xmp textarea title".split())
_UNESCAPED = frozenset(("textarea", "title"))
_OPENS = re.compile(r"<(?=[!?a-zA-Z]|/[a-zA-Z])")
_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>]*)")
_ATTRIBUTE = re.compile(
    r"""[\s/]*(?:([^\s/>=][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"'][^\s>]*)?))?|(>)|(=))"""
)
_END = {name: re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE) for name in _RAW}

_BLOCKS = frozenset(
    "address article aside blockquote center details dialog dir div dl fieldset figure footer form h1 h2 h3 h4 h5 h6 "
    "header hgroup hr main menu nav ol p pre section summary table ul".split()
)
# What a start tag closes when it is still open, and the elements beyond which it does not look.
_CLOSES: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    "li": (frozenset({"li"}), frozenset({"ul", "ol", "menu", "dir", "table"})),
    "dt": (frozenset({"dt", "dd"}), frozenset({"dl", "table"})),
    "dd": (frozenset({"dt", "dd"}), frozenset({"dl", "table"})),
    "tr": (frozenset({"tr", "caption", "colgroup"}), frozenset({"table"})),
    "td": (frozenset({"td", "th"}), frozenset({"tr", "table"})),
    "th": (frozenset({"td", "th"}), frozenset({"tr", "table"})),
    "option": (frozenset({"option"}), frozenset({"select"})),
    **dict.fromkeys(
        ("thead", "tbody", "tfoot"), (frozenset({"thead", "tbody", "tfoot", "caption"}), frozenset({"table"}))
    ),
    **dict.fromkeys(_BLOCKS, (frozenset({"p"}), frozenset({"td", "th", "li", "table", "button", "dd"}))),
}
_LOOK_BACK = 24
"""Open elements that are looked at for one that a start tag closes."""


Event = tuple[str, str, str, tuple[tuple[str, str], ...]]
"""``(kind, name, text, attributes)``; ``kind`` is ``start``, ``end`` or ``text``."""


_NO_ATTRIBUTES: dict[str, str] = {}  # shared: most elements have none, and pages have a million elements


class Node:
    """An element, or a text where ``tag`` is empty."""

    __slots__ = ("attributes", "children", "tag", "text")

    def __init__(self, tag: str, *, text: str = "", attributes: tuple[tuple[str, str], ...] = ()) -> None:
        self.tag = tag
        self.text = text
        self.attributes = dict(attributes) if attributes else _NO_ATTRIBUTES
        self.children: list[Node] = []


def events(html: str) -> Iterator[Event]:
    """Yield the tags and texts of a page in order; comments and declarations are left out.

    >>> [event[:3] for event in events("<p>a &lt; b<!-- c --></P>")]
    [('start', 'p', ''), ('text', '', 'a < b'), ('end', 'p', '')]
    """
    at, size = 0, len(html)
    while at < size:
        opener = _OPENS.search(html, at)
        begin = opener.start() if opener else size
        if begin > at:
            yield "text", "", unescape(html[at:begin]), ()
        if opener is None:
            return
        if html.startswith(("<!--", "<!", "<?"), begin):
            mark = "-->" if html.startswith("<!--", begin) else ">"
            end = html.find(mark, begin + 2)
            at = size if end < 0 else end + len(mark)
            continue
        found = _TAG.match(html, begin)
        if found is None:  # the pattern that found it says that it is a tag
            return
        name = found[2].lower()
        attributes, at = _attributes(html, found.end(), wanted=not found[1])
        if found[1]:
            yield "end", name, "", ()
            continue
        yield "start", name, "", attributes
        if name in _RAW:
            closing = _END[name].search(html, at)
            stop = closing.start() if closing else size
            if name in _UNESCAPED:
                yield "text", "", unescape(html[at:stop]), ()
            yield "end", name, "", ()
            at = html.find(">", stop) + 1 if closing else size
            at = at or size


def _attributes(html: str, at: int, *, wanted: bool) -> tuple[tuple[tuple[str, str], ...], int]:
    """The attributes of a tag whose name ends at ``at``, and its end; a tag that never ends ends the page."""
    kept: list[tuple[str, str]] = []
    while (found := _ATTRIBUTE.match(html, at)) is not None:
        at = found.end()
        if found[5]:
            return tuple(kept), at
        if html[at : at + 1] in ("'", '"') and html[at - 1] == "=":  # a quote that is never closed
            break
        if wanted and found[1]:
            kept.append((found[1].lower(), unescape(found[2] or found[3] or found[4] or "")))
    return tuple(kept), len(html)


def tree(stream: Iterable[Event]) -> Node:
    """Return the tree of a stream of events; end tags that the author left out are put in."""
    root = Node("")
    open_nodes, names = [root], Counter({"": 1})
    for kind, name, text, attributes in stream:
        if kind == "text":
            open_nodes[-1].children.append(Node("", text=text))
        elif kind == "start":
            _close_implied(open_nodes, names, name)
            node = Node(name, attributes=attributes)
            open_nodes[-1].children.append(node)
            if name not in VOID:
                open_nodes.append(node)
                names[name] += 1
        elif name and names[name] and not _beyond_cell(open_nodes, name):
            while open_nodes[-1].tag != name:
                names[open_nodes.pop().tag] -= 1
            names[open_nodes.pop().tag] -= 1
    return root


def _close_implied(open_nodes: list[Node], names: Counter[str], name: str) -> None:
    closed, barrier = _CLOSES.get(name, (frozenset(), frozenset()))
    if not any(names[tag] for tag in closed):
        return
    for depth in range(len(open_nodes) - 1, max(0, len(open_nodes) - _LOOK_BACK), -1):
        tag = open_nodes[depth].tag
        if tag in closed:
            while len(open_nodes) > depth:
                names[open_nodes.pop().tag] -= 1
            return
        if tag in barrier:
            return


def _beyond_cell(open_nodes: list[Node], name: str) -> bool:
    """Whether an end tag would close the table around it: only those of a table's own parts may."""
    if name in ("table", "tr", "td", "th", "thead", "tbody", "tfoot", "body", "html"):
        return False
    for node in reversed(open_nodes[-_LOOK_BACK:]):
        if node.tag == name:
            return False
        if node.tag in ("td", "th", "table"):
            return True
    return False


def deepest(html: str) -> int:
    """Return at most how many elements can be open at once, counted without building anything.

    >>> deepest("<div><p>a<br>b</p></div>"), deepest("<li>a<li>b")
    (2, 2)
    """
    depth = most = 0
    for found in _TAG.finditer(html):
        if found[1]:
            depth -= depth > 0
        elif found[2].lower() not in VOID:
            depth += 1
            most = max(most, depth)
    return most
