"""What was done with each segment, and why, in words."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import accumulate

import numpy as np

from gliding.select.plan import Choice, Ranking
from gliding.types import Action, Decision, Scores, Segment, SourceSpan


def decide(
    segments: Sequence[Segment],
    choice: Choice,
    *,
    scores: Scores | None = None,
    ranking: Ranking | None = None,
    pinned: Collection[int] = (),
) -> tuple[Decision, ...]:
    """Return one decision a segment, in order. Without scores all was kept or trimmed without any being needed."""
    kept, pins = set(choice.kept), set(pinned)
    first = list(accumulate((len(s.sentences) for s in segments), initial=0))
    repeats = _repeats(ranking, scores, first) if ranking and scores else {}
    weak = {k for unit in ranking.weak for k in unit} if ranking else set()
    decisions = []
    for index, segment in enumerate(segments):
        own = range(first[index], first[index + 1])
        held = [k for k in own if k in kept]
        action = _action(len(held), len(own), any(k in choice.replaced for k in held))
        decisions.append(
            Decision(
                segment=index,
                source=SourceSpan(segment.document, *segment.span),
                action=action,
                reason=_reason(action, own, held, pins, weak, repeats.get(index), choice),
                score=_best(scores.total, own) if scores else 0.0,
                signals={name: _best(values, own) for name, values in scores.signals.items()} if scores else {},
                kept=tuple(segment.sentences[k - own.start] for k in held),
            )
        )
    return tuple(decisions)


def _action(held: int, own: int, trimmed: bool) -> Action:
    if not held:
        return "drop"
    if held < own:
        return "extract"
    return "trim" if trimmed else "keep"


def _reason(
    action: Action,
    own: Sequence[int],
    held: Sequence[int],
    pins: Collection[int],
    weak: Collection[int],
    repeats: int | None,
    choice: Choice,
) -> str:
    if any(k in pins for k in held):
        return "pinned" if action == "keep" else "pinned in part"
    if action == "keep":
        return "fits"
    if action == "trim":
        return "fits after trimming"
    if action == "extract":
        return f"{len(held)} of {len(own)} sentences fit" + (
            ", some trimmed" if any(k in choice.replaced for k in held) else ""
        )
    if repeats is not None:
        return f"duplicate of {repeats}"
    return "below the floor" if all(k in weak for k in own) else "no room"


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


def _best(values: np.ndarray, own: range) -> float:  # type: ignore[type-arg]
    return round(float(values[own.start : own.stop].max()), 4) if len(own) else 0.0
