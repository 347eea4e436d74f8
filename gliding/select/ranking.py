"""One ranking of all units, best first. The budget has no say in it, so a larger one keeps all that a smaller keeps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from gliding.config import SelectConfig
from gliding.select.duplicates import duplicates
from gliding.select.folds import Fold, folds
from gliding.select.ties import bring_along
from gliding.types import Document, Scores, Segment

if TYPE_CHECKING:
    from gliding.types import FloatArray

_TYPICAL_CHARS = 80
_SIZE_POWER = 0.15
_RECORD = 2000
"""Characters up to which a record is taken as a whole where it fits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """Units, best first: each a range of sentences that is taken as a whole; those below the floor are left out.

    ``score`` is ``(n,)``, each sentence's score; ``duplicate`` maps a unit to the better one that it repeats;
    ``brought`` maps a sentence that is there for others only (a heading) to those, one of which must be kept before it.
    ``folds`` are the groups of lines alike by the sentence that stands for each, ``later`` the units of the others,
    which add little to it and come after all the rest, but for the records below the floor, the nearest to the others
    first.
    """

    units: Sequence[range]
    score: FloatArray
    duplicate: Mapping[range, range]
    weak: frozenset[range]
    brought: Mapping[int, Sequence[int]] = field(default_factory=dict)
    folds: Mapping[int, Fold] = field(default_factory=dict)
    later: Sequence[range] = ()


def rank(
    documents: Sequence[Document],
    segments: Sequence[Segment],
    scores: Scores,
    texts: Sequence[str],
    config: SelectConfig,
) -> Ranking:
    """Order all units, best first, ties by position. The budget has no say in it.

    A document's own criticality lifts or lowers its sentences. In a document a sentence that leans on the one before it
    ("It was ...") brings it along, right behind itself, and so does each the heading above; a passage has its title.
    Of lines alike the first has the place of the best.
    """
    score = _critical(documents, segments, scores)
    bounds = np.searchsorted(scores.segment, np.arange(len(segments) + 1)).tolist()
    if scores.grain == "segment":
        units = [range(a, b) for a, b in pairwise(bounds) if b > a]
    else:
        units = [unit for k, (a, b) in enumerate(pairwise(bounds)) for unit in _units(segments[k], a, b)]
    worth = np.maximum.reduceat(score, [unit.start for unit in units]) if units else np.zeros(0)
    if scores.grain == "sentence" and scores.route != "lines":
        # score per size, softly: a short sentence leaves room for another; characters, so that no tokenizer has a say
        sizes = np.fromiter((sum(len(texts[k]) for k in unit) for unit in units), np.float64, len(units))
        worth = worth / (1 + sizes / _TYPICAL_CHARS) ** _SIZE_POWER
    alike: list[Fold] = []
    if config.fold and scores.grain == "sentence" and scores.route != "code":
        alike = folds(documents, segments, texts, score, frozenset(scores.coverage))
    place = {unit.start: k for k, unit in enumerate(units)} if alike else {}
    for fold in alike:
        worth[place[fold.head]] = max(worth[place[k]] for k in (fold.head, *fold.others))
    behind = frozenset(place[k] for fold in alike for k in fold.others)
    order = np.argsort(-worth, kind="stable").tolist()
    floor = config.floor * worth.max(initial=0.0)
    weak = frozenset(units[k] for k in order if worth[k] < floor or worth[k] <= 0)
    same: dict[int, int] = {}
    if scores.route != "code":
        whole = [" ".join(texts[unit.start : unit.stop]) for unit in units]
        first = [k for k in order if k not in behind]
        same = duplicates(first, whole, threshold=config.duplicates, alike=_alike(units, scores))
    ranked = [k for k in order if k not in same and k not in behind and units[k] not in weak]
    brought: dict[int, list[int]] = {}
    if scores.grain == "sentence" and scores.route == "document":
        ranked, brought = bring_along(ranked, texts, segments, scores.segment.tolist(), frozenset(same))
    owner = scores.segment[[unit.start for unit in units]].tolist()
    records = [segments[k].kind == "record" for k in owner]
    return Ranking(
        units=[units[k] for k in ranked],
        score=score,
        duplicate={units[k]: units[better] for k, better in same.items()},
        weak=weak,
        brought=brought,
        folds={fold.head: fold for fold in alike},
        later=[units[k] for k in order if k in behind and units[k] not in weak]
        + [units[k] for k in _beside(ranked, [k for k in order if units[k] in weak and k not in same], records)],
    )


def _beside(ranked: Sequence[int], rest: Sequence[int], records: Sequence[bool]) -> list[int]:
    """The records below the floor, the nearest to one above it first: room that is left shows what stands around."""
    strong = np.sort(np.asarray([k for k in ranked if records[k]], np.int64))
    others = np.asarray(sorted(k for k in rest if records[k]), np.int64)
    if not (len(strong) and len(others)):
        return []
    at = np.searchsorted(strong, others)
    above, below = strong[np.maximum(at - 1, 0)], strong[np.minimum(at, len(strong) - 1)]
    far = np.minimum(abs(others - above), abs(below - others))
    order: list[int] = others[np.argsort(far, kind="stable")].tolist()
    return order


def _units(segment: Segment, start: int, stop: int) -> list[range]:
    """The sentences of a segment one by one; a record of moderate size is worth most as a whole."""
    if segment.kind == "record" and segment.span.end - segment.span.start <= _RECORD:
        return [range(start, stop)] if stop > start else []
    return [range(k, k + 1) for k in range(start, stop)]


def _critical(documents: Sequence[Document], segments: Sequence[Segment], scores: Scores) -> FloatArray:
    if all(document.criticality is None for document in documents):
        return scores.total
    own = [0.5 if doc.criticality is None else doc.criticality for doc in documents]
    factor = np.fromiter((0.5 + own[s.document] for s in segments), np.float64, len(segments))
    return np.asarray(scores.total * factor[scores.segment])


def _alike(units: Sequence[range], scores: Scores) -> dict[int, list[int]]:
    """Unit to the units of the segments whose vectors are near its own segment's."""
    if not scores.alike:
        return {}
    inside: dict[int, list[int]] = {}
    for number, unit in enumerate(units):
        inside.setdefault(int(scores.segment[unit.start]), []).append(number)
    return {
        number: [other for near in scores.alike[segment] for other in inside.get(near, ())]
        for segment, numbers in inside.items()
        if segment in scores.alike
        for number in numbers
    }
