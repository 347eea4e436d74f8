"""Pages read as the HTML standard says, by selectolax (Lexbor, MIT): C, no network, no dependencies of its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gliding.backends.extras import require, require_installed

_WITHOUT_TEXT = frozenset(("-comment", "-doctype", "!doctype", "-document", "-undef"))
Tag = tuple[str, str, str, tuple[tuple[str, str], ...]]


class HtmlReader:
    """Gives the tags and texts of a page in order, after the standard's repairs.

    Its time grows with length times depth where elements nest: the caller bounds the depth.

    Raises:
        MissingExtra: ``selectolax`` is not installed.
    """

    def __init__(self) -> None:
        require_installed("selectolax", extra="html")

    def __call__(self, html: str) -> Iterator[Tag]:
        """Yield ``(kind, name, text, attributes)``; ``kind`` is ``start``, ``end`` or ``text``."""
        parser: Any = require("selectolax.lexbor", extra="html")
        # A lone surrogate has no UTF-8 form, and NUL ends a C string.
        clean = html.encode("utf-8", "replace").decode("utf-8").replace("\x00", "\ufffd")
        node: Any = parser.LexborHTMLParser(clean).root
        depth = 0
        while node is not None:
            name = node.tag
            if name == "-text":
                yield "text", "", node.text_content or "", ()
            elif name not in _WITHOUT_TEXT:
                given = tuple((key, value or "") for key, value in node.attributes.items())
                yield "start", name, "", given
                below = node.child
                if below is not None:
                    node = below
                    depth += 1
                    continue
                yield "end", name, "", ()
            while node is not None and node.next is None:
                if depth == 0:
                    return
                node = node.parent
                depth -= 1
                yield "end", node.tag, "", ()
            node = node.next if node is not None else None
