"""Syntax trees of source code by tree-sitter (MIT): C, no network; grammars come as wheels, nothing is run."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import cache
from itertools import accumulate
from typing import Any

from gliding.backends.extras import require, require_installed

_GRAMMARS = {
    "c": ("tree_sitter_c", "language"),
    "cpp": ("tree_sitter_cpp", "language"),
    "go": ("tree_sitter_go", "language"),
    "java": ("tree_sitter_java", "language"),
    "javascript": ("tree_sitter_javascript", "language"),
    "rust": ("tree_sitter_rust", "language"),
    "tsx": ("tree_sitter_typescript", "language_tsx"),
    "typescript": ("tree_sitter_typescript", "language_typescript"),
}
PACKAGES = ("tree_sitter", *sorted({package for package, _ in _GRAMMARS.values()}))
LARGEST = 2_000_000
"""Characters of a text that is parsed."""
_CHUNK = 1 << 16
# What is no code costs the parser a hundred times as much. It reports its progress and whether it is recovering from
# an error: source with some faults does so a few times in all. A count, unlike a clock, gives the same every time.
_RECOVERIES = 300


class TreeSitter:
    """Parses source code.

    Raises:
        MissingExtra: ``tree_sitter`` or one of the grammars is not installed.
    """

    def __init__(self) -> None:
        require_installed(*PACKAGES, extra="code")

    def parse(self, texts: Sequence[str], *, language: str) -> list[TreeNode | None]:
        """Return the root of each text's tree; None for one that is too long or no code, or in an unknown language."""
        if language not in _GRAMMARS:
            return [None] * len(texts)
        return [_parsed(text, language) for text in texts]


class TreeNode:
    """A part of a text, as characters ``[start, end)``; see ``protocols.SyntaxNode``."""

    __slots__ = ("_node", "_place", "end", "faulty", "kind", "named", "start", "wrong")

    def __init__(self, node: Any, place: Callable[[int], int]) -> None:
        self._node = node
        self._place = place
        self.kind: str = node.type
        self.start = place(node.start_byte)
        self.end = place(node.end_byte)
        self.named: bool = node.is_named
        self.faulty: bool = node.has_error
        self.wrong: bool = node.is_error or node.is_missing

    @property
    def children(self) -> list[TreeNode]:
        """The parts of this one, in order, signs included."""
        return [TreeNode(child, self._place) for child in self._node.children]


@cache
def _language(language: str) -> Any:
    package, attribute = _GRAMMARS[language]
    tree_sitter: Any = require("tree_sitter", extra="code")
    return tree_sitter.Language(getattr(require(package, extra="code"), attribute)())


def _parsed(text: str, language: str) -> TreeNode | None:
    if len(text) > LARGEST:
        return None
    data = text.encode("utf-8", "replace")  # a lone surrogate has no UTF-8 form
    recoveries = 0

    def too_many(_offset: int, recovering: bool) -> bool:
        nonlocal recoveries
        recoveries += recovering
        return recoveries > _RECOVERIES

    parser = require("tree_sitter", extra="code").Parser(_language(language))
    try:
        tree = parser.parse(lambda offset, _point: data[offset : offset + _CHUNK], progress_callback=too_many)
    except ValueError:  # it was stopped
        return None
    return TreeNode(tree.root_node, _places(text))


def _places(text: str) -> Callable[[int], int]:
    """Return what turns an offset in the bytes of a text into one in its characters."""
    if text.isascii():
        return int
    starts = array("Q", accumulate(map(_width, text), initial=0))
    return lambda offset: bisect_left(starts, offset)


def _width(character: str) -> int:
    """The bytes of a character; a lone surrogate is replaced by a question mark."""
    if character < "\x80" or "\ud800" <= character <= "\udfff":
        return 1
    return 2 if character < "\u0800" else 3 if character < "\U00010000" else 4
