"""The third tier at work in one call: which sentences it is asked for, what became of them, and what is told of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence

from gliding.clock import Clock
from gliding.errors import MissingExtra, ModelError, TierError
from gliding.tiers.rewrite import RewriteTier


class Rewriting:
    """Gives the shorter forms of sentences that pass the guard, and counts what became of all.

    It belongs to one call. Where the rewriter fails, or the time is over, sentences stay as they were.

    Args:
        tier: The rewriter and its guard.
        texts: All sentences.
        allowed: By sentence, whether it may be rewritten.
        asked: The terms of the query, which must come out.
        clock: The call's time.
        count: Counts the tokens of a text.
    """

    def __init__(
        self,
        tier: RewriteTier,
        texts: Sequence[str],
        *,
        allowed: Sequence[bool],
        asked: Collection[str],
        clock: Clock,
        count: Callable[[str], int],
    ) -> None:
        self.spare = tier.spare
        self.refused: dict[int, str] = {}
        """Why the rewrite of a sentence was refused, in words."""
        self.warning = ""
        """Why nothing could be rewritten."""
        self._tier, self._texts, self._allowed, self._asked = tier, texts, allowed, asked
        self._clock, self._count = clock, count
        self._counts: Counter[str] = Counter()

    def __call__(self, sentences: Sequence[int]) -> Mapping[int, tuple[str, int]]:
        """Return the shorter forms that there are of these sentences, with their tokens."""
        chosen = [k for k in sentences if self._allowed[k]]
        if not chosen or self.warning:
            return {}
        over = self._clock.late()
        self._counts["tried"] += 0 if over else len(chosen)
        if over:
            return {}
        with self._clock.timed("rewrite"):
            try:
                answers = self._tier.rewrite([self._texts[k] for k in chosen], asked=self._asked, stop=self._clock.late)
            except (TierError, ModelError, MissingExtra) as error:
                self.warning = f"Sentences were extracted, not rewritten: {error.message}"
                return {}
        shorter = {}
        for k, (text, refusal) in zip(chosen, answers, strict=True):
            if refusal is not None:
                self.refused[k] = str(refusal)
                self._counts[f"refused: {refusal.kind}"] += 1
            elif text is not None and self._count(text) < self._count(self._texts[k]):
                shorter[k] = (text, self._count(text) + 1)
        return shorter

    def told(self, taken: Mapping[int, str]) -> dict[str, int]:
        """Return the counts by what became of sentences, with those that were taken and the tokens that it saved."""
        if not self._counts:
            return {}
        saved = sum(self._count(self._texts[k]) - self._count(new) for k, new in taken.items())
        return {**self._counts, "taken": len(taken), "saved": saved}
