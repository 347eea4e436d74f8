"""What was done with each segment, and why, in words."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence
from itertools import accumulate, chain
from typing import TYPE_CHECKING

import numpy as np

from gliding.select.plan import Choice
from gliding.select.ranking import Ranking
from gliding.types import Action, Decision, Scores, Segment, SourceSpan

if TYPE_CHECKING:
    from gliding.types import FloatArray


def decide(
    segments: Sequence[Segment],
    choice: Choice,
    *,
    scores: Scores | None = None,
    ranking: Ranking | None = None,
    pinned: Collection[int] = (),
    refused: Mapping[int, str] | None = None,
) -> tuple[Decision, ...]:
    """Return one decision a segment, in order. Without scores all was kept or trimmed without any being needed.

    ``refused`` says why the rewrites of some sentences were not taken.
    """
    kept, pins = set(choice.kept), set(pinned)
    first = list(accumulate((len(s.sentences) for s in segments), initial=0))
    repeats = _repeats(ranking, scores, first) if ranking and scores else {}
    folded = _folded(ranking, choice, first) if ranking else {}
    weak = set(chain.from_iterable(ranking.weak)) if ranking else set()
    score = _best(scores.total, first) if scores else [0.0] * len(segments)
    signals = _signals(scores, first) if scores else [{} for _ in segments]
    decisions = []
    for index, segment in enumerate(segments):
        own = range(first[index], first[index + 1])
        held = [k for k in own if k in kept]
        action = "fold" if index in folded and not held else _action(held, own, choice)
        told = [refused[k] for k in held if refused and k in refused]
        decisions.append(
            Decision(
                segment=index,
                source=SourceSpan(segment.document, *segment.span),
                action=action,
                reason=f"folded into {folded[index]}"
                if action == "fold"
                else _reason(action, own, held, pins, weak, repeats.get(index), choice) + _refusals(told),
                score=score[index],
                signals=signals[index],
                kept=tuple(segment.sentences[k - own.start] for k in held),
            )
        )
    return tuple(decisions)


def _action(held: Sequence[int], own: Sequence[int], choice: Choice) -> Action:
    if not held:
        return "drop"
    if any(k in choice.rewritten for k in held):
        return "rewrite"
    if len(held) < len(own):
        return "extract"
    return "trim" if any(k in choice.replaced for k in held) else "keep"


def _refusals(told: Sequence[str]) -> str:
    return f"; as it stood, since a rewrite {'; another '.join(dict.fromkeys(told))}" if told else ""


def _reason(
    action: Action,
    own: Sequence[int],
    held: Sequence[int],
    pins: Collection[int],
    weak: set[int],
    repeats: int | None,
    choice: Choice,
) -> str:
    if pins and any(k in pins for k in held):
        return "pinned" if action == "keep" else "pinned in part"
    if action == "keep":
        return "fits"
    if action == "trim":
        return "fits after trimming"
    if action in ("extract", "rewrite"):
        rewritten = sum(k in choice.rewritten for k in held)
        trimmed = any(k in choice.replaced and k not in choice.rewritten for k in held)
        return (
            f"{len(held)} of {len(own)} sentences fit"
            + (f", {rewritten} rewritten" if rewritten else "")
            + (", some trimmed" if trimmed else "")
        )
    if repeats is not None:
        return f"duplicate of {repeats}"
    return "below the floor" if weak.issuperset(own) else "no room"


def _folded(ranking: Ranking, choice: Choice, first: Sequence[int]) -> dict[int, int]:
    """Segment of one sentence to the segment whose mark stands for it."""
    owner = {k: segment for segment, k in enumerate(first[:-1])}
    groups = [ranking.folds[head] for head in choice.marks]
    return {
        owner[k]: bisect_right(first, fold.head) - 1
        for fold in groups
        for k in fold.others
        if k in owner and first[owner[k] + 1] - k == 1
    }


def _repeats(ranking: Ranking, scores: Scores, first: Sequence[int]) -> Mapping[int, int]:
    """Segment to the segment that it repeats, where all of its units are duplicates."""
    owner = scores.segment
    found: dict[int, int] = {}
    count: dict[int, int] = {}
    for unit, better in ranking.duplicate.items():
        segment = int(owner[unit.start])
        found.setdefault(segment, int(owner[better.start]))
        count[segment] = count.get(segment, 0) + len(unit)
    return {s: other for s, other in found.items() if count[s] == first[s + 1] - first[s]}


def _signals(scores: Scores, first: Sequence[int]) -> list[dict[str, float]]:
    best = {name: _best(values, first) for name, values in scores.signals.items()}
    return [dict(zip(best, row, strict=True)) for row in zip(*best.values(), strict=True)] or [{} for _ in first[1:]]


def _best(values: FloatArray, first: Sequence[int]) -> list[float]:
    """The best value of each segment's sentences; ``first`` is where each begins, and the end of the last."""
    if len(first) < 2:
        return []
    best: list[float] = np.round(np.maximum.reduceat(values, first[:-1]), 4).tolist()
    return best
