"""Which structure the input has: it names the natural unit and the signals that are worth their weight."""

from __future__ import annotations

from collections.abc import Sequence

from gliding.types import Document, Route, Segment

_CODE_SUFFIXES = (".py", ".js", ".ts", ".tsx", ".jsx", ".go", ".rs", ".java", ".c", ".h", ".cc", ".cpp", ".hpp", ".rb")
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
    if segments and 2 * sum(s.kind == "turn" and s.frame is not None for s in segments) > len(segments):
        return "agent" if any(s.frame is not None and s.frame.tie for s in segments) else "dialogue"
    records = sum(segment.kind == "record" for segment in segments)
    if 2 * records > len(segments):
        return "passages"  # each for itself, as passages are: what stands beside a record is not about it
    lines = sum(segment.kind == "line" for segment in segments)
    return "lines" if 2 * lines > len(segments) else "document"
