"""Which structure the input has: it names the natural unit and the signals that are worth their weight."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gliding.types import Document, Route, Segment

_CODE_SUFFIXES = (".py", ".js", ".ts", ".tsx", ".jsx", ".go", ".rs", ".java", ".c", ".h", ".cc", ".cpp", ".hpp", ".rb")
_LEVEL = re.compile(r'"(?:level|lvl|severity|levelname|log\.?level)"\s*:', re.I)
_AGENT_ROLES = ("tool", "function", "observation", "system")


def route(documents: Sequence[Document], segments: Sequence[Segment]) -> Route:
    """Return the route of a request.

    ``agent``: turns of which some come from tools; ``dialogue``: turns of people; ``code``: source files;
    ``passages``: titled documents; ``lines``: logs and other line-wise text; ``document``: everything else.
    """
    spoken = [doc.role.lower() for doc in documents if doc.role]
    if 2 * len(spoken) > len(documents):
        return "agent" if any(role.startswith(_AGENT_ROLES) for role in spoken) else "dialogue"
    named = [doc.title or doc.id for doc in documents]
    code = sum(
        doc.kind == "code" or name.lower().endswith(_CODE_SUFFIXES) for doc, name in zip(documents, named, strict=True)
    )
    if 2 * code > len(documents):
        return "code"
    if len(documents) > 1 and 2 * sum(bool(doc.title) for doc in documents) > len(documents):
        return "passages"
    tied = [s.frame is not None and any(frame.tie for frame in s.frame.chain()) for s in segments]
    said = sum(tie or (s.kind == "turn" and s.frame is not None) for s, tie in zip(segments, tied, strict=True))
    if segments and 2 * said > len(segments):
        return "agent" if any(tied) else "dialogue"
    records = sum(segment.kind == "record" for segment in segments)
    if 2 * records > len(segments):
        if _are_logged(documents, segments):
            return "lines"
        return "passages"  # each for itself, as passages are: what stands beside a record is not about it
    lines = sum(segment.kind == "line" for segment in segments)
    return "lines" if 2 * lines > len(segments) else "document"


def _are_logged(documents: Sequence[Document], segments: Sequence[Segment]) -> bool:
    """Whether the records are those of a log: most of the first have a level."""
    sample = [s for s in segments if s.kind == "record"][:50]
    texts = (documents[s.document].text[slice(*s.span)] for s in sample)
    return 2 * sum(_LEVEL.search(text) is not None for text in texts) > len(sample)
