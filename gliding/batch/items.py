"""What goes into a batch and what comes out of it: one ``Item`` a document, one ``Row`` a result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One document of a batch.

    ``position`` is its place in the whole input, from 0. ``id`` names it in the output: a file's path, the id column's
    value, else the number of the row. ``source`` is the file that it is from. ``data`` is a file's bytes or the text of
    a row. ``name`` is the file name by which the kind of text is told, empty for rows. ``query`` stands in place of the
    batch's own where it is not empty. Where the document could not be read, ``error`` says why and ``data`` is empty.
    """

    position: int
    id: str
    source: str
    data: bytes | str
    name: str = ""
    query: str = ""
    error: str = ""


class RowSpan(NamedTuple):
    """Where a part of an output comes from: characters ``[start, end)`` of the output, and of a document of the item.

    ``document`` is 0 but for mails, which become several. ``exact`` says that both texts are the same.
    """

    output_start: int
    output_end: int
    document: int
    source_start: int
    source_end: int
    exact: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One result of a batch; a document that failed has its ``error`` and no text.

    ``tier`` is the strongest tier that changed the text: ``none``, ``trim``, ``extract`` or ``rewrite``. ``audit`` is
    ``Audit.to_dict()`` where it was asked for. Nothing in a row depends on the clock, the machine or the engine.
    """

    id: str
    source: str
    text: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    rate: float = 1.0
    tier: str = "none"
    spans: tuple[RowSpan, ...] = ()
    warnings: tuple[str, ...] = ()
    audit: Mapping[str, Any] | None = None
    error: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the row as plain values, spans as lists in the order of ``RowSpan``'s fields."""
        return {
            "id": self.id,
            "source": self.source,
            "text": self.text,
            "tokens_in": self.tokens_in,
            "tokens_out": self.tokens_out,
            "rate": self.rate,
            "tier": self.tier,
            "spans": [list(span) for span in self.spans],
            "warnings": list(self.warnings),
            "audit": None if self.audit is None else dict(self.audit),
            "error": self.error,
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Row:
        """Return the row that ``to_dict`` gave."""
        given = dict(values)
        given["spans"] = tuple(RowSpan(*span) for span in given["spans"])
        given["warnings"] = tuple(given["warnings"])
        return cls(**given)
