"""What a store gives back: hits, answers with the places that they come from, what changed, what there is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from gliding.types import Result, Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A segment that a search found; ``span`` are its characters in the stored document.

    ``score`` is the sum of the reciprocal ranks (see ``search.fused``). ``cosine`` is to the query, None where only
    words found it; ``rank`` is its place by words, from 1, None where only vectors did.
    """

    document: str
    title: str
    span: Span
    text: str
    score: float
    cosine: float | None = None
    rank: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the hit as plain values that JSON can hold."""
        return {**asdict(self), "span": list(self.span)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Cited:
    """Where a part of an answer comes from: ``output`` in its text, ``span`` in the stored document.

    ``exact`` says that both texts are the same.
    """

    output: Span
    document: str
    span: Span
    exact: bool

    def to_dict(self) -> dict[str, Any]:
        """Return the citation as plain values that JSON can hold."""
        return {**asdict(self), "output": list(self.output), "span": list(self.span)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a store says to a query, in the budget: the text, and for each part of it where it comes from.

    ``result`` is the compressor's own; its documents are the excerpts that it was given.
    """

    text: str
    cited: tuple[Cited, ...]
    result: Result

    @property
    def documents(self) -> tuple[str, ...]:
        """The ids of the documents that the text is from, in the order of the text."""
        return tuple(dict.fromkeys(cited.document for cited in self.cited))

    @property
    def tokens(self) -> int:
        """Tokens of ``text`` in the tokenizer that was named."""
        return self.result.tokens

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as plain values that JSON can hold."""
        return {
            "text": self.text,
            "tokens": self.tokens,
            "documents": list(self.documents),
            "cited": [cited.to_dict() for cited in self.cited],
            "report": self.result.report.to_dict(),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """What adding documents changed, in documents; ``embedded`` counts the segments whose vectors had to be made."""

    added: int = 0
    replaced: int = 0
    unchanged: int = 0
    segments: int = 0
    embedded: int = 0

    @property
    def documents(self) -> int:
        """Documents that were read."""
        return self.added + self.replaced + self.unchanged


@dataclass(frozen=True, slots=True, kw_only=True)
class Info:
    """What a store holds.

    ``indexed`` vectors are in the FAISS index, which finds ``recall`` of the ten nearest, measured when it was built;
    the rest is compared one by one. ``dead`` entries stay in the indexes of words and vectors until the store is
    compacted. ``bytes`` are those of all files.
    """

    preset: str
    embedder: str
    words: bool
    documents: int
    segments: int
    characters: int
    indexed: int
    recall: float | None
    probes: int
    dead: int
    bytes: Mapping[str, int]

    def to_dict(self) -> dict[str, Any]:
        """Return the facts as plain values that JSON can hold."""
        return {name: getattr(self, name) for name in self.__slots__ if name != "bytes"} | {"bytes": dict(self.bytes)}
