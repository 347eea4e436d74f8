"""What a run tells while it runs, and what it sums up at its end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple


class Event(NamedTuple):
    """One thing that happened: the run ``started`` (with the ``total`` of documents where it is known) or ``finished``.

    Or one document was ``done``, ``failed`` (with its ``error``) or ``skipped``, since its result is there already.
    ``seconds`` are those that the document took, for ``finished`` those of the run.
    """

    kind: Literal["started", "done", "failed", "skipped", "finished"]
    id: str = ""
    source: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    tier: str = ""
    seconds: float = 0.0
    error: str = ""
    total: int | None = None


class Slow(NamedTuple):
    """A document and the seconds that it took."""

    seconds: float
    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """A run in numbers; tokens and tiers are those of all documents with a result, skipped ones too.

    ``slowest`` are the ten that took longest, the slowest first.
    """

    documents: int = 0
    done: int = 0
    skipped: int = 0
    failed: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    tiers: Mapping[str, int] = field(default_factory=dict)
    slowest: tuple[Slow, ...] = ()
    seconds: float = 0.0

    @property
    def rate(self) -> float:
        """Tokens out / tokens in; 1.0 for no input."""
        return self.tokens_out / self.tokens_in if self.tokens_in else 1.0
