"""Whether source code still parses, by a parser that is handed in."""

from __future__ import annotations

from collections.abc import Iterator

from gliding.protocols import SyntaxNode, SyntaxTrees
from gliding.text.languages import NAMES, dialects


def broken_code(source: str, output: str, language: str, trees: SyntaxTrees | None) -> Iterator[str]:
    """Yield where an output does not parse any more; nothing where the source does not, or there is no parser."""
    if trees is None:
        return
    for dialect in dialects(language):
        before, after = trees.parse([source, output], language=dialect)
        if before is not None and not before.faulty:
            if after is not None and after.faulty:
                line = output.count("\n", 0, _first_fault(after)) + 1
                yield f"{NAMES[language]} does not parse any more: line {line}"
            return


def _first_fault(node: SyntaxNode) -> int:
    """Where the first part begins that does not parse."""
    while not node.wrong:
        below = next((child for child in node.children if child.faulty or child.wrong), None)
        if below is None:
            break
        node = below
    return node.start
