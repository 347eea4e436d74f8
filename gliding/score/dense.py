"""The dense signal: cosines of small sentence embeddings, computed only where they can still change the choice.

One vector per segment goes into the index, so that a segment without a single word of the query can be found; then the
sentences of the segments that lead are embedded. An embedding costs a hundred times BM25, so most sentences get none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gliding.config import EmbedConfig
from gliding.protocols import Embedder, Index
from gliding.score.view import View
from gliding.text.scripts import cjk_share

if TYPE_CHECKING:
    from gliding.protocols import Float32
    from gliding.types import FloatArray, IntArray

_CHARS_PER_PIECE = 5
_LEAST = 3  # sentences that are embedded at least
_EACH = 6  # sentences of one segment that are embedded at most
_ALIKE = 0.95  # cosine from which two segments may say the same; words have the last say
_ALIKE_MOST = 4
_ALIKE_ROWS = 512
_HEAD_SHARE = 0.15
_SHORTEST = 40  # characters of a segment below which a vector says little
_HEADS = 1024  # segments that all get a vector, however short they are
_MOST_HEADS = 4096  # beyond a book's length words alone say which segments and sentences get a vector
_MOST = 2048
_BATCH = 64  # texts between two looks at the clock


@dataclass(frozen=True, slots=True)
class Similarity:
    """Cosines to the query: ``(segments,)``, and ``(n,)`` with NaN where not embedded; ``alike`` as in ``Scores``."""

    segments: FloatArray
    sentences: FloatArray
    alike: Mapping[int, tuple[int, ...]]


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

    def similarity(self, view: View, query: str, lexical: FloatArray, stop: Callable[[], bool]) -> Similarity | None:
        """Compare the query with the segments and with the sentences that lead, and the segments with each other.

        Args:
            view: The sentences.
            query: What the reader wants to know.
            lexical: ``(n,)`` scores so far.
            stop: Asked between batches; once it says True, None is returned: half of the cosines would be worse.
        """
        count, chars = _head_room(view, self.config.segment_pieces)
        held = np.sort(np.argsort(-view.gather(lexical), kind="stable")[:count])
        heads = self._embed([_head(view, k, chars) for k in held.tolist()], stop, self.config.segment_pieces)
        if heads is None:
            return None
        vector = self.embedder.embed([query])
        index = self.index(self.embedder.dim)
        index.add(heads)
        values, places = index.search(vector, len(held))
        found = held[places[0]]
        cosines = np.zeros(len(view.segments))
        cosines[found] = values[0]
        chosen = self._candidates(view, lexical, found[: self.hits].tolist())
        near = np.full(view.size, np.nan)
        sentences = self._embed([view.texts[k] for k in chosen], stop)
        if sentences is None:
            return None
        near[chosen] = sentences @ vector[0]
        return Similarity(cosines, near, _alike(index, heads, held, places[0]))

    def _embed(self, texts: Sequence[str], stop: Callable[[], bool], max_pieces: int = 256) -> Float32 | None:
        parts = [np.zeros((0, self.embedder.dim), np.float32)]
        for start in range(0, len(texts), _BATCH):
            if stop():
                return None
            parts.append(self.embedder.embed(texts[start : start + _BATCH], max_pieces=max_pieces))
        return np.concatenate(parts)

    def _candidates(self, view: View, lexical: FloatArray, hits: list[int]) -> list[int]:
        """The sentences to embed, in order: those of the index's hits and of the segments that lead by words."""
        room = self.config.share * sum(map(len, view.texts))
        best = np.argsort(-view.gather(lexical), kind="stable").tolist()
        ranked = [k for pair in zip(best, hits, strict=False) for k in pair] + best[len(hits) :]
        chosen: dict[int, None] = {}
        for segment in dict.fromkeys(ranked):
            start, end = int(view.first[segment]), int(view.first[segment + 1])
            inside = np.argsort(-lexical[start:end], kind="stable")[:_EACH] + start
            for k in inside.tolist():
                full = 2 * room < len(view.texts[k])  # more than half of it would be over
                if (full and len(chosen) >= _LEAST) or len(chosen) == _MOST:
                    return sorted(chosen)
                chosen[k] = None
                room -= len(view.texts[k])
        return sorted(chosen)


def _alike(index: Index, heads: Float32, held: IntArray, places: IntArray) -> dict[int, tuple[int, ...]]:
    """The segments that may say the same, for those that lead: nobody misses the others' likeness."""
    rows = np.sort(places[:_ALIKE_ROWS])
    values, near = index.search(heads[rows], _ALIKE_MOST)
    found: dict[int, tuple[int, ...]] = {}
    for row, cosines, others in zip(rows.tolist(), values, near, strict=True):
        alike = tuple(held[others[(cosines >= _ALIKE) & (others != row)]].tolist())
        if alike:
            found[int(held[row])] = alike
    return found


def _head(view: View, segment: int, chars: int) -> str:
    """The title and the first sentences of a segment, the title no more than half of it."""
    piece = view.segments[segment]
    document = view.documents[piece.document]
    title = f"{document.title}. "[: chars // 2] if document.title else ""
    return title + document.text[piece.span.start : min(piece.span.end, piece.span.start + chars - len(title))]


def _head_room(view: View, pieces: int) -> tuple[int, int]:
    """How many segments get a vector, and of how many characters, so that all heads together stay a part of the text.

    All of them do but in very large texts of short segments, where those that lead by words do.
    """
    whole = _HEAD_SHARE * sum(segment.span.end - segment.span.start for segment in view.segments)
    fair = int(whole / max(1, len(view.segments)))
    chars = max(_SHORTEST, min(_CHARS_PER_PIECE * pieces, fair))
    return min(_MOST_HEADS, max(_HEADS, int(whole / chars))), chars
