"""The third tier: sentences that were kept are said in fewer words, and each rewrite is checked against its source.

A rewriter need not be trusted: what the guard refuses stays as it was, with the reason. It does not know budgets.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gliding import facts
from gliding.errors import TierError
from gliding.protocols import Rewriter
from gliding.text.scripts import LATIN
from gliding.text.words import STOP_WORDS, terms, words_with
from gliding.tiers.guard import Guard, Refusal
from gliding.types import Span

_SHORTEST = 40
"""Characters of a sentence below which there is nothing to gain."""
_FOREIGN = 0.1
"""Share of letters that are not Latin from which a text is none that an English model can rewrite."""
_BATCH = 64  # sentences that are rewritten and checked at a time: what is done when the time is over, is done whole
_LATIN = re.compile(f"[{LATIN}]")
_ITEM = re.compile(r"\s*(?:[-*+\u2022]|\d{1,3}[.)])\s+")
_MARKUP = re.compile(rf"{_ITEM.pattern}|#{{1,6}}\s|[>|]|```")
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
        """Say each sentence in fewer words where an honest rewrite is found; the mark of a list item stays before it.

        Args:
            texts: Sentences; those that are short or not in Latin letters stay as they are.
            asked: The terms of the query, which must come out.
            stop: Once it says True, the sentences that are left stay as they are.

        Raises:
            TierError: The rewriter gave something else than one text for each.
        """
        done = [Rewritten()] * len(texts)
        marks = [_ITEM.match(text) for text in texts]
        bodies = [text[mark.end() :] if mark else text for mark, text in zip(marks, texts, strict=True)]
        chosen = [k for k, body in enumerate(bodies) if len(body) >= _SHORTEST and not _is_foreign(body)]
        for start in range(0, len(chosen), _BATCH):
            if stop():
                break
            batch = chosen[start : start + _BATCH]
            for k, made in zip(batch, self._checked([bodies[k] for k in batch], asked, stop), strict=True):
                mark = marks[k]
                done[k] = made._replace(text=mark[0] + made.text) if mark and made.text else made
        return done

    def _checked(self, sources: Sequence[str], asked: Collection[str], stop: Callable[[], bool]) -> list[Rewritten]:
        keep = [must_keep(text, asked) for text in sources]
        answers = self.rewriter.rewrite(sources, keep=keep, ratio=self.ratio, stop=stop)
        whole = isinstance(answers, list | tuple) and len(answers) == len(sources)
        if not whole or not all(isinstance(new, str) for new in answers):
            raise TierError(f"{type(self.rewriter).__name__} did not give one text for each of {len(sources)}.")
        said = [_begun_alike(_in_one_line(new), text) for text, new in zip(sources, answers, strict=True)]
        done = [Rewritten(None, _put_in(text, new)) for text, new in zip(sources, said, strict=True)]
        new = [k for k, made in enumerate(done) if not made.refusal and said[k] != _in_one_line(sources[k])]
        for k, refusal in zip(new, self.guard.check([sources[k] for k in new], [said[k] for k in new]), strict=True):
            done[k] = Rewritten(None, refusal) if refusal else Rewritten(said[k])
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


def _is_foreign(text: str) -> bool:
    letters = sum(map(str.isalpha, text))
    return not text.isascii() and letters - len(_LATIN.findall(text)) >= _FOREIGN * letters


def _in_one_line(text: str) -> str:
    """White space is nothing that a rewriter says: a line break of its own would make an item or a turn of the rest."""
    return " ".join(text.split())


def _put_in(source: str, new: str) -> Refusal | None:
    """What no reader sees, or takes for markup, and the source does not have."""
    strange = sorted({ch for ch in new if unicodedata.category(ch)[0] == "C"} - set(source))
    if strange:
        return Refusal("character", f"adds U+{ord(strange[0]):04X}")
    mark = _MARKUP.match(new)
    return Refusal("markup", f"begins with {mark[0].strip()!r}") if mark and not source.startswith(mark[0]) else None


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
