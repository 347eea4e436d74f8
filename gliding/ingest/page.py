"""The main text of a page: leaves out what is not shown, and menus, footers and banners that show what they are.

Only what names itself is left out (a ``nav`` element, a role, a telling class with little but links in it); where that
would leave next to nothing, it stays. A page whose ``main`` element holds most of the text is that element.
"""

from __future__ import annotations

import re

from gliding.ingest.markup import Node

_UNSEEN = frozenset(
    "script style template noscript iframe object embed canvas audio video svg select datalist button input head "
    "noembed noframes xmp title map progress meter dialog".split()
)
_ASIDE = frozenset(("nav", "aside", "footer", "header"))
_ROLES = frozenset("navigation banner contentinfo search dialog alertdialog complementary menu menubar".split())
_NOTICE = re.compile(
    r"(?i)(?:^|[-_\s])(?:cookies?|consent|gdpr|ccpa|onetrust|cookiebot)(?:$|[-_\s])|cookie-?(?:banner|notice|consent|bar)"
)
_NAVIGATION = re.compile(
    r"(?i)(?:^|[-_\s])(?:nav|navbar|navigation|menu|menubar|sidebar|breadcrumbs?|toc|pagination|pager|related|share|sharing"
    r"|social|newsletter|subscribe|advert|advertisement|ads|promo|skip-?link|site-?(?:header|footer)|footer)(?:$|[-_\s])"
)
_HIDDEN = re.compile(r"(?i)display\s*:\s*none|visibility\s*:\s*hidden")
_MOSTLY_LINKS = 0.5
_NOTICE_LONGEST = 3_000
_LEAST = 100
"""Characters under which a page that was cut is looked at again, uncut."""


def main_text(root: Node) -> list[Node]:
    """Return the nodes that hold the main text of a page, in order; what is left out is taken off their children."""
    nodes, parents = _in_order(root)
    sizes = [sum(map(len, node.text.split())) if not node.tag else 0 for node in nodes]
    unseen = bytearray(len(nodes))
    inside = bytearray(len(nodes))
    for k, (node, above) in enumerate(zip(nodes, parents, strict=True)):
        unseen[k] = unseen[above] or _is_unseen(node)
        inside[k] = inside[above] or _is_main(node) or node.tag == "article"
    text, links = _weights(nodes, parents, sizes, unseen)
    out = bytearray(unseen)
    for k, (node, above) in enumerate(zip(nodes, parents, strict=True)):
        out[k] = out[k] or out[above] or _is_aside(node, bool(inside[k]), text[k], links[k])
    kept, _ = _weights(nodes, parents, sizes, out)
    if kept[0] < _LEAST and text[0] > 2 * kept[0]:
        out, kept = unseen, text
    mains = [k for k, node in enumerate(nodes) if not out[k] and _is_main(node)]
    best = max(mains, key=lambda k: (kept[k], -k), default=0)
    for node in nodes:
        if node.children:
            node.children = []
    for k in range(1, len(nodes)):
        if not out[k]:
            nodes[parents[k]].children.append(nodes[k])
    return [nodes[best] if 2 * kept[best] >= kept[0] > 0 else root]


def title_of(root: Node) -> str:
    """Return the text of the page's ``title`` element, in one line."""
    stack = [root]
    while stack:
        node = stack.pop()
        if node.tag == "title":
            return " ".join("".join(child.text for child in node.children).split())[:300]
        if node.tag not in ("svg", "body"):
            stack.extend(reversed(node.children))
    return ""


def _is_main(node: Node) -> bool:
    return node.tag == "main" or node.attributes.get("role", "").lower() == "main"


def _is_unseen(node: Node) -> bool:
    given = node.attributes
    return node.tag in _UNSEEN or bool(
        given
        and (
            "hidden" in given
            or given.get("aria-hidden", "").lower() == "true"
            or ("style" in given and _HIDDEN.search(given["style"]) is not None)
        )
    )


def _is_aside(node: Node, inside: bool, text: int, links: int) -> bool:
    """Whether an element is about the site, not the page; ``inside`` says that it is a part of the main text."""
    if node.tag in ("", "html", "body", "main"):
        return False
    role = node.attributes.get("role", "").lower()
    if node.tag == "nav" or role in ("navigation", "search", "menu", "menubar", "dialog", "alertdialog"):
        return True
    if (node.tag in _ASIDE or role in _ROLES) and not inside:
        return not (node.tag == "header" and _has_heading(node))
    names = f"{node.attributes.get('class', '')} {node.attributes.get('id', '')}".strip()
    if not names:
        return False
    if _NOTICE.search(names):
        return text <= _NOTICE_LONGEST
    return _NAVIGATION.search(names) is not None and links > _MOSTLY_LINKS * text


def _has_heading(node: Node) -> bool:
    stack = [node]
    for _ in range(500):
        if not stack:
            return False
        found = stack.pop()
        if found.tag == "h1":
            return True
        stack.extend(found.children)
    return False


def _in_order(root: Node) -> tuple[list[Node], list[int]]:
    """All nodes as they stand in the page, and for each the position of the one that it is in (the root: its own)."""
    nodes: list[Node] = []
    parents: list[int] = []
    stack = [(root, 0)]
    while stack:
        node, above = stack.pop()
        here = len(nodes)
        nodes.append(node)
        parents.append(above)
        if node.children:
            stack.extend([(child, here) for child in reversed(node.children)])
    return nodes, parents


def _weights(nodes: list[Node], parents: list[int], sizes: list[int], out: bytearray) -> tuple[list[int], list[int]]:
    """Characters of each node's text, white space aside, and those of them that are links."""
    text, links = list(sizes), [0] * len(nodes)
    for k in range(len(nodes) - 1, -1, -1):
        if out[k]:
            text[k] = links[k] = 0
            continue
        if nodes[k].tag == "a":
            links[k] = text[k]
        if k:
            text[parents[k]] += text[k]
            links[parents[k]] += links[k]
    return text, links
