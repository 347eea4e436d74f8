"""The third tier: sentences that were kept are said in fewer words, and each rewrite is checked against its source.

A rewriter need not be trusted: what the guard refuses stays as it was, with the reason. It does not know budgets.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gliding import facts
from gliding.protocols import Rewriter
from gliding.text.scripts import cjk_share
from gliding.text.words import STOP_WORDS, terms, words_with
from gliding.tiers.guard import Guard, Refusal
from gliding.types import Span

_SHORTEST = 40
"""Characters of a sentence below which there is nothing to gain."""
_FOREIGN = 0.1
"""Share of Chinese, Japanese or Korean characters from which a text is none that an English model can rewrite."""
_CAPITAL = re.compile(r"[^\W\d_]\w*(?:['’.&-]\w+)*")


class Rewritten(NamedTuple):
    """What became of one sentence: ``text`` in fewer words, or None where it stays, and why a rewrite was refused."""

    text: str | None = None
    refusal: Refusal | None = None


@dataclass(frozen=True, slots=True)
class RewriteTier:
    """A rewriter and the guard that checks it.

    ``ratio`` is how long a rewrite is to be, of its sentence's length; ``spare`` is the share of what is kept for its
    rank that is not rewritten: the first, which carry most.
    """

    rewriter: Rewriter
    guard: Guard
    ratio: float = 0.6
    spare: float = 0.5

    def rewrite(self, texts: Sequence[str], *, asked: Collection[str], stop: Callable[[], bool]) -> list[Rewritten]:
        """Say each sentence in fewer words where an honest rewrite is found.

        Args:
            texts: Sentences; those that are short or not in Latin letters stay as they are.
            asked: The terms of the query, which must come out.
            stop: Once it says True, the sentences that are left stay as they are.
        """
        done = [Rewritten()] * len(texts)
        chosen = [k for k, text in enumerate(texts) if len(text) >= _SHORTEST and cjk_share(text) < _FOREIGN]
        sources = [texts[k] for k in chosen]
        keep = [must_keep(text, asked) for text in sources]
        answers = self.rewriter.rewrite(sources, keep=keep, ratio=self.ratio, stop=stop)
        said = [_begun_alike(new.strip(), texts[k]) for k, new in zip(chosen, answers, strict=True)]
        changed = {k: new for k, new in zip(chosen, said, strict=True) if new != texts[k].strip()}
        refusals = self.guard.check([texts[k] for k in changed], list(changed.values()))
        for (k, new), refusal in zip(changed.items(), refusals, strict=True):
            done[k] = Rewritten(None, refusal) if refusal else Rewritten(new)
        return done


def must_keep(text: str, asked: Collection[str]) -> list[Span]:
    """Return what a rewrite must hold, in order: facts, names, words of the query; the spans do not overlap.

    >>> text = "Yesterday the pump, a Corvex model, did not reach 30 km."
    >>> [text[a:b] for a, b in must_keep(text, {"pump"})]
    ['pump', 'Corvex', 'not', '30 km']
    """
    spans = [fact.span for fact in facts.find(text)] + [Span(*span) for span in words_with(text, asked)]
    words = list(_CAPITAL.finditer(text))
    for at, word in enumerate(words):
        if word[0][0].isupper() and (at or _is_name(words, at)):
            spans.append(Span(*word.span()))
    merged: list[Span] = []
    for span in sorted(spans):
        if merged and span.start < merged[-1].end:
            merged[-1] = Span(merged[-1].start, max(span.end, merged[-1].end))
        else:
            merged.append(span)
    return merged


def _begun_alike(new: str, source: str) -> str:
    """Give the rewrite the capital with which its source begins: the first word may have gone."""
    return new[:1].upper() + new[1:] if source[:1].isupper() else new


def _is_name(words: Sequence[re.Match[str]], at: int) -> bool:
    """Whether a capital at the start of a sentence is more than that: in the word itself, or in the one after it."""
    word = words[at][0]
    if word.lower() in STOP_WORDS or not terms(word):
        return False
    if any(letter.isupper() for letter in word[1:]):
        return True
    return at + 1 < len(words) and words[at + 1][0][0].isupper() and words[at + 1].start() == words[at].end() + 1
