"""Without a query: how central a sentence is, how near to what the whole is about, and where it stands."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from gliding.numeric import scale
from gliding.protocols import Extractor
from gliding.score.recency import primacy
from gliding.score.view import View
from gliding.text.templates import template

if TYPE_CHECKING:
    from gliding.types import FloatArray


def centroid(view: View) -> FloatArray:
    """Return ``(n,) float64``: the cosine of each sentence's tf-idf vector to the sum of all (Radev et al. 2004)."""
    n = view.size
    counts = [Counter(words) for words in view.terms]
    df = Counter(word for count in counts for word in count)
    rarity = {word: float(np.log(1 + n / seen)) for word, seen in df.items()}
    middle: dict[str, float] = defaultdict(float)
    for count in counts:
        for word, times in count.items():
            middle[word] += times * rarity[word]
    dot = np.fromiter((sum(t * rarity[w] * middle[w] for w, t in c.items()) for c in counts), np.float64, n)
    own = np.fromiter((sum((t * rarity[w]) ** 2 for w, t in c.items()) ** 0.5 for c in counts), np.float64, n)
    return np.divide(dot, own, out=np.zeros(n), where=own > 0)


def rarity(texts: Sequence[str]) -> FloatArray:
    """Return ``(n,) float64``: how rare each line's template is (numbers and hex ids left out), its first line most.

    In a log what is said a thousand times is noise, and what is said once is news.

    >>> rarity(["GET /a 200", "GET /a 200", "disk full"]).round(2).tolist()
    [0.71, 0.35, 1.0]
    """
    shapes = [template(text) for text in texts]
    counts = Counter(shapes)
    seen: set[str] = set()
    values = np.zeros(len(texts))
    for k, shape in enumerate(shapes):
        values[k] = counts[shape] ** -0.5 * (0.5 if shape in seen else 1.0)
        seen.add(shape)
    return values


def salience(view: View, extractor: Extractor) -> dict[str, FloatArray]:
    """Return the signals of a request without a query, each ``(n,) float64`` in [0, 1].

    ``central`` is the extractor's, ``centroid`` nearness to the whole, ``position`` the place in the document and in
    the segment, ``heading`` marks headings, which name what follows.
    """
    n = view.size
    places = np.zeros(n)
    offsets = np.arange(n) - view.first[view.segment]
    documents = np.fromiter((segment.document for segment in view.segments), np.int64, len(view.segments))
    opening = np.flatnonzero(np.diff(documents, prepend=-1))
    for start, end in pairwise([*view.first[opening].tolist(), n]):
        places[start:end] = primacy(end - start)
        places[end - 1] = max(places[end - 1], 0.5)  # what a text ends with is often its decision
    heading = np.fromiter((segment.kind == "heading" for segment in view.segments), np.float64, len(view.segments))
    return {
        "central": scale(_central(view.texts, extractor)),
        "centroid": scale(centroid(view)),
        "position": np.maximum(places, 0.6 * primacy(int(offsets.max(initial=0)) + 1)[offsets]),
        "heading": view.spread(heading),
    }


def _central(texts: Sequence[str], extractor: Extractor) -> FloatArray:
    """The extractor's salience, equal sentences seen once: what is said a thousand times is not central for that."""
    number: dict[str, int] = {}
    place = [number.setdefault(text, len(number)) for text in texts]
    return np.asarray(extractor.salience(list(number)))[place]
