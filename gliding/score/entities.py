"""Entity overlap: which of the query's names, numbers and identifiers a sentence has, whole and in order.

BM25 sees words one by one; "North Gate 7" and "the gate north of hall 7" are alike to it and not to the reader.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

import numpy as np

from gliding.text.scripts import narrow, tight
from gliding.text.words import find_whole

if TYPE_CHECKING:
    from gliding.score.view import View
    from gliding.types import FloatArray


def overlap(entities: Collection[str], view: View) -> FloatArray:
    """Return ``(n,) float64``: the share of the query's entities that each sentence has, rarer ones counting more."""
    found = np.zeros(view.size)
    total = 0.0
    lowered = [_plain(text) for text in view.texts] if entities else []
    for entity in sorted(set(map(_plain, entities))):
        hits = np.fromiter((entity in text and find_whole(text, entity) >= 0 for text in lowered), bool, view.size)
        count = int(hits.sum())
        if count:
            weight = float(np.log(1 + view.size / count))
            found[hits] += weight
            total += weight
    return found / total if total else found


def _plain(text: str) -> str:
    """Lower-cased, white space single; Chinese and Japanese also narrow and without the spaces around numbers."""
    text = " ".join(text.lower().split())
    return text if text.isascii() else tight(narrow(text))
