"""Greedy and small-beam decoding over any sequence-to-sequence engine, and the seam that the engines share.

A text is decoded by itself and never in a batch with others: no padding, no rows that wait for the longest, and a
result that cannot depend on the batch. (Measured with ONNX Runtime 1.32 at flan-t5-small's shape, 32 and 8 bit: rows of
a padded batch were equal to the texts alone bit for bit on one machine; no runtime promises that for the next.) Several
texts run side by side on threads instead.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

import numpy as np

from gliding.errors import InputError

if TYPE_CHECKING:
    from gliding.protocols import Float32, Float64, Int64
    from gliding.types import Span

MOST_BEAMS = 4

_Item = TypeVar("_Item")
_Value = TypeVar("_Value")


class Seq2Seq(Protocol):
    """An encoder and a decoder. ``start`` is the decoder's first id, ``end`` ends a text, ids are < ``vocabulary``.

    ``fingerprint`` names the model and everything that its logits depend on. Threads may share an engine.
    """

    fingerprint: str
    start: int
    end: int
    vocabulary: int

    def encode(self, ids: Sequence[int]) -> object:
        """Return the state before the first step for one source text, with one row."""
        ...

    def step(self, state: object, last: Int64) -> tuple[Float32, object]:
        """Return ``(rows, vocabulary) float32`` logits after the ``(rows,)`` last ids, and the state after them.

        The old state stays as it was.
        """
        ...

    def reorder(self, state: object, rows: Int64) -> object:
        """Return the state whose rows are these rows of the old one; a row may come twice or not at all."""
        ...


class Constraint(Protocol):
    """What a decoding may say: states are immutable, and from each at least one id leads on to the end."""

    @property
    def first(self) -> Any:
        """The state before the first id."""
        ...

    def allowed(self, state: Any) -> Sequence[int]:
        """Return the ids that may come next, ascending; the end's among them where the text may end here."""
        ...

    def advance(self, state: Any, id: int) -> Any:
        """Return the state after one of the allowed ids."""
        ...


class TextConstraint(Constraint, Protocol):
    """A constraint that also gives the text of a decoding."""

    def text(self, ids: Iterable[int]) -> str:
        """Return what a whole decoding says; empty where it is not allowed."""
        ...


class Words(Protocol):
    """Makes the constraints of texts: ``tiers.constrain.SourceWords``."""

    def constraint(self, text: str, *, keep: Sequence[Span]) -> TextConstraint | None:
        """Return what a rewrite of the text may say; None where that cannot be spelled."""
        ...


class MakeWords(Protocol):
    """Makes ``Words`` for a tokenizer; ``fingerprint`` names its rules."""

    @property
    def fingerprint(self) -> str:
        """Another one where the same ids would be allowed no longer."""
        ...

    def __call__(self, pieces: Mapping[str, int], *, end: int, normalise: Callable[[str], str]) -> Words:
        """Take piece -> id of all ordinary pieces, the end's id, and what the tokenizer does to characters."""
        ...


class _Hypothesis(NamedTuple):
    ids: tuple[int, ...]
    score: float  # sum of the log-probabilities; for one beam the last logit
    rule: Any


def decode(
    engine: Seq2Seq,
    ids: Sequence[int],
    *,
    max_new: int,
    beams: int = 1,
    allowed: Constraint | None = None,
    stop: Callable[[], bool],
) -> list[int]:
    """Return the ids that the engine gives for one source text, with the end's id last.

    One beam takes the likeliest id at each step. With more, the likeliest ``beams`` beginnings go on side by side, and
    a text ends where its end is among the likeliest ``beams`` continuations. Of the ended ones the highest mean log-
    probability an id wins, once no beginning has a higher one. Ties go to the lower id, then to the better beginning.
    Log-probabilities are over the whole vocabulary, also where ``allowed`` leaves few ids.

    Args:
        engine: The model.
        ids: The source text, with its end.
        max_new: Most ids to give. Where none of the texts has ended by then, the best beginning is returned: its last
            id is not the end's.
        beams: From 1 to 4.
        allowed: What may be said; None: anything.
        stop: Asked before each step; once it says True the result is empty.

    Raises:
        InputError: ``beams`` is out of range.
    """
    if not 1 <= beams <= MOST_BEAMS:
        raise InputError(f"beams must be from 1 to {MOST_BEAMS}, not {beams}.")
    if stop():
        return []
    state = engine.encode(ids)
    held = [_Hypothesis((), 0.0, allowed.first if allowed else None)]
    ended: list[_Hypothesis] = []
    for _ in range(max_new):
        if stop():
            return []
        last = np.array([hypothesis.ids[-1] if hypothesis.ids else engine.start for hypothesis in held], np.int64)
        logits, state = engine.step(state, last)
        scores = logits.astype(np.float64) if beams == 1 else _log_probabilities(logits)
        going: list[_Hypothesis] = []
        rows: list[int] = []
        for rank, (score, chosen, row) in enumerate(_best(held, scores, 2 * beams, beams, allowed)):
            before = held[row]
            if chosen == engine.end:
                if rank < beams:
                    ended.append(_Hypothesis((*before.ids, chosen), score, None))
            elif len(going) < beams:
                rule = allowed.advance(before.rule, chosen) if allowed else None
                going.append(_Hypothesis((*before.ids, chosen), score, rule))
                rows.append(row)
        if not going or (ended and max(map(_mean, ended)) >= _mean(going[0])):
            break
        if rows != list(range(len(held))):
            state = engine.reorder(state, np.array(rows, np.int64))
        held = going
    if not ended:
        return list(held[0].ids)
    return list(max(ended, key=_mean).ids)


def _mean(hypothesis: _Hypothesis) -> float:
    return hypothesis.score / len(hypothesis.ids)


def _best(
    held: Sequence[_Hypothesis], scores: Float64, most: int, beams: int, allowed: Constraint | None
) -> Iterable[tuple[float, int, int]]:
    """Return the ``most`` best continuations as (score, id, row), ties by lower id, then lower row."""
    found: list[tuple[float, int, int]] = []
    for row, hypothesis in enumerate(held):
        before = 0.0 if beams == 1 else hypothesis.score
        options = np.array(allowed.allowed(hypothesis.rule), np.int64) if allowed else np.arange(scores.shape[1])
        values = scores[row, options]
        if len(values) > most:
            near = np.flatnonzero(values >= np.partition(values, -most)[-most])  # all ties with the last one too
            options, values = options[near], values[near]
        found += [(before + float(value), int(id), row) for value, id in zip(values, options, strict=True)]
    found.sort(key=lambda item: (-item[0], item[1], item[2]))
    return found[:most]


def _log_probabilities(logits: Float32) -> Float64:
    wide = logits.astype(np.float64)
    wide -= wide.max(axis=1, keepdims=True)
    return np.asarray(wide - np.log(np.exp(wide).sum(axis=1, keepdims=True)))


def side_by_side(
    work: Callable[[_Item, Callable[[], bool]], _Value],
    items: Sequence[_Item],
    *,
    threads: int,
    stop: Callable[[], bool],
) -> list[_Value]:
    """Return ``work(item, halted)`` of each item, in order; ``halted`` says True once ``stop`` does.

    An error or Ctrl-C in the caller's thread comes out at once: what has not begun never begins, and ``halted`` tells
    what has begun to give up at its next step; nobody waits for it.

    >>> side_by_side(lambda item, halted: item + 1, [1, 2, 3], threads=2, stop=lambda: False)
    [2, 3, 4]
    """
    over = threading.Event()

    def halted() -> bool:
        return over.is_set() or stop()

    if threads == 1 or len(items) < 2:
        return [work(item, halted) for item in items]
    pool = ThreadPoolExecutor(min(threads, len(items)))
    try:
        return list(pool.map(lambda item: work(item, halted), items))
    finally:
        over.set()
        pool.shutdown(wait=False, cancel_futures=True)
