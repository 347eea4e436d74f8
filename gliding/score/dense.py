"""The dense signal: cosines of small sentence embeddings, computed only where they can still change the choice.

One vector per segment goes into the index, so that a segment without a single word of the query can be found; then the
sentences of the segments that lead are embedded. An embedding costs a hundred times BM25, so most sentences get none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gliding.config import EmbedConfig
from gliding.protocols import Embedder, Index
from gliding.score.view import View
from gliding.text.scripts import cjk_share

if TYPE_CHECKING:
    from gliding.types import FloatArray

_CHARS_PER_PIECE = 5
_LEAST = 8  # sentences that are embedded at least
_EACH = 6  # sentences of one segment that are embedded at most
_HEAD_SHARE = 0.3


@dataclass(frozen=True, slots=True)
class Dense:
    """Measures the likeness of a query and the sentences that may be kept.

    ``hits`` is the number of segments that the index adds to the lexical candidates.
    """

    embedder: Embedder
    index: Callable[[int], Index]
    config: EmbedConfig
    hits: int

    def speaks(self, query: str) -> bool:
        """Whether the embedder knows the query's language: the default one is English."""
        return cjk_share(query) < 0.3

    def similarity(self, view: View, query: str, lexical: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Compare the query with all segments and with the sentences that lead.

        Args:
            view: The sentences.
            query: What the reader wants to know.
            lexical: ``(n,)`` scores so far.

        Returns:
            ``(segments,)`` cosines of the segments, and ``(n,)`` cosines of the sentences, NaN where not embedded.
        """
        chars = _head_chars(view, self.config.segment_pieces)
        heads = self.embedder.embed(
            [_head(view, k, chars) for k in range(len(view.segments))], max_pieces=self.config.segment_pieces
        )
        vector = self.embedder.embed([query])
        index = self.index(self.embedder.dim)
        index.add(heads)
        values, found = index.search(vector, len(view.segments))
        cosines = np.zeros(len(view.segments))
        cosines[found[0]] = values[0]
        chosen = self._candidates(view, lexical, found[0][: self.hits].tolist())
        near = np.full(view.size, np.nan)
        near[chosen] = self.embedder.embed([view.texts[k] for k in chosen]) @ vector[0]
        return cosines, near

    def _candidates(self, view: View, lexical: FloatArray, hits: list[int]) -> list[int]:
        """The sentences to embed, in order: those of the index's hits and of the segments that lead by words."""
        room = max(_LEAST, int(self.config.share * view.size))
        best = np.argsort(-view.gather(lexical), kind="stable").tolist()
        ranked = [k for pair in zip(best, hits, strict=False) for k in pair] + best[len(hits) :]
        chosen: dict[int, None] = {}
        for segment in dict.fromkeys(ranked):
            start, end = int(view.first[segment]), int(view.first[segment + 1])
            inside = np.argsort(-lexical[start:end], kind="stable")[:_EACH] + start
            for k in inside.tolist():
                if len(chosen) == room:
                    return sorted(chosen)
                chosen[k] = None
        return sorted(chosen)


def _head(view: View, segment: int, chars: int) -> str:
    """The title and the first sentences of a segment."""
    piece = view.segments[segment]
    document = view.documents[piece.document]
    title = f"{document.title}. " if document.title else ""
    return title + document.text[piece.span.start : min(piece.span.end, piece.span.start + chars)]


def _head_chars(view: View, pieces: int) -> int:
    """Characters of a segment that go into its vector, so that all heads together stay a part of the whole text."""
    whole = sum(segment.span.end - segment.span.start for segment in view.segments)
    fair = int(_HEAD_SHARE * whole / max(1, len(view.segments)))
    return max(_CHARS_PER_PIECE * 8, min(_CHARS_PER_PIECE * pieces, fair))
