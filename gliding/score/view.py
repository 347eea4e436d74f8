"""What the scorers look at: all sentences of all segments with their terms, prepared once for a call."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from gliding.score.holders import holders
from gliding.text.words import terms
from gliding.types import Document, Segment

if TYPE_CHECKING:
    from gliding.types import FloatArray, IntArray


_ESCAPED = re.compile(r"(?:\\u[0-9a-fA-F]{4})+")


@dataclass(frozen=True, slots=True)
class View:
    """The sentences of a request, flat and in order.

    ``segment`` is ``(n,) int64``, the index of each sentence's segment; ``first`` is ``(segments + 1,) int64``, the
    index of each segment's first sentence. ``terms`` holds each sentence's terms, the first ``lead`` of them those of
    its header and of what it stands in; ``header`` holds those of each segment: its title or speaker, its date, the
    heading above it, and the names of what it begins in.
    """

    documents: Sequence[Document]
    segments: Sequence[Segment]
    texts: list[str]
    terms: list[list[str]]
    lead: list[int]
    header: list[list[str]]
    segment: IntArray
    first: IntArray

    @property
    def size(self) -> int:
        """Number of sentences."""
        return len(self.texts)

    def segment_terms(self) -> list[list[str]]:
        """The terms of each segment, its header's once."""
        found = []
        for index, header in enumerate(self.header):
            words = list(header)
            for k in range(self.first[index], self.first[index + 1]):
                words += self.terms[k][self.lead[k] :]
            found.append(words)
        return found

    def spread(self, values: FloatArray) -> FloatArray:
        """Give each sentence the value of its segment: ``(segments,)`` to ``(n,)``."""
        return np.asarray(values)[self.segment]

    def gather(self, values: FloatArray) -> FloatArray:
        """Give each segment the best value of its sentences: ``(n,)`` to ``(segments,)``."""
        if not self.segments:
            return np.zeros(0)
        return np.asarray(np.maximum.reduceat(values, self.first[:-1]))


def view(documents: Sequence[Document], segments: Sequence[Segment]) -> View:
    """Cut the sentences out of the documents and split them into terms."""
    texts = [_plain(documents[s.document].text[a:b]) for s in segments for a, b in s.sentences]
    counts = np.fromiter((len(s.sentences) for s in segments), np.int64, len(segments))
    owner = np.repeat(np.arange(len(segments)), counts)
    headers = _headers(documents, segments)
    names = [terms(held) for held in _held(documents, segments)]
    first = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
    leads = [headers[k] + held for k, held in zip(owner.tolist(), names, strict=True)]
    return View(
        documents=documents,
        segments=segments,
        texts=texts,
        terms=[lead + terms(text) for lead, text in zip(leads, texts, strict=True)],
        lead=list(map(len, leads)),
        header=[leads[k] for k in first[:-1].tolist()],
        segment=owner,
        first=first,
    )


def _plain(text: str) -> str:
    r"""Resolve the escapes of JSON for other letters than ASCII: \u00e9."""
    return _ESCAPED.sub(_resolved, text) if "\\u" in text else text


def _resolved(found: re.Match[str]) -> str:
    units = bytes.fromhex(found[0].replace("\\u", ""))
    return units.decode("utf-16-be", "replace")


def _held(documents: Sequence[Document], segments: Sequence[Segment]) -> Iterator[str]:
    """Yield for each sentence the names of what holds it, "" in a frame, which has its own."""
    for document, group in groupby(segments, key=lambda segment: segment.document):
        parts = list(group)
        free = [sentence for part in parts if part.frame is None for sentence in part.sentences]
        names = iter(holders(documents[document].text, free))
        for part in parts:
            yield from (next(names) if part.frame is None else "" for _ in part.sentences)


def _headers(documents: Sequence[Document], segments: Sequence[Segment]) -> list[list[str]]:
    own = [terms(f"{doc.title or doc.role} {doc.time}") for doc in documents]
    above: dict[int, list[str]] = {-1: []}
    for segment in segments:
        if segment.heading not in above:
            heading = segments[segment.heading]
            above[segment.heading] = terms(documents[heading.document].text[slice(*heading.span)])
    return [
        own[segment.document] + above[segment.heading] + _names(documents[segment.document].text, segment)
        for segment in segments
    ]


def _names(text: str, segment: Segment) -> list[str]:
    """The terms of what names the frames around a segment, where that does not stand in it."""
    if segment.frame is None:
        return []
    names = (frame.name for frame in segment.frame.chain() if frame.name is not None)
    return [term for start, end in names if start < segment.span.start for term in terms(text[start:end])]
