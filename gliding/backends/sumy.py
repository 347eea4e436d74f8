"""Sumy's summarisers as extractors, fed with words of ours, so that nothing is downloaded."""

from __future__ import annotations

import difflib
import threading
import warnings
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from gliding.backends.extras import require_installed
from gliding.errors import TierError, UnknownComponent
from gliding.text.words import terms

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Float64 = npt.NDArray[np.float64]

# name -> module, class, most sentences: what takes a few seconds on one core, since their cost is quadratic and worse
_SUMMARISERS = {
    "edmundson": ("edmundson", "EdmundsonSummarizer", 20_000),
    "kl": ("kl", "KLSummarizer", 150),
    "lex-rank": ("lex_rank", "LexRankSummarizer", 500),
    "lsa": ("lsa", "LsaSummarizer", 600),
    "luhn": ("luhn", "LuhnSummarizer", 3_000),
    "reduction": ("reduction", "ReductionSummarizer", 400),
    "sum-basic": ("sum_basic", "SumBasicSummarizer", 2_000),
    "text-rank": ("text_rank", "TextRankSummarizer", 600),
}
# Edmundson's method wants words that speak for a sentence and words that speak against it.
_BONUS = "important significant main key result conclusion conclude show find therefore cause problem solution decide"
_STIGMA = "example instance hardly impossible perhaps incidentally aside anyway"
# catch_warnings changes the state of the whole process
_lock = threading.Lock()


class SumyExtractor:
    """Salience by the sumy summariser ``name``: edmundson, kl, lex-rank, lsa, luhn, reduction, sum-basic or text-rank.

    ``words`` splits a sentence; by default stems without stop words. ``limit`` is the most sentences that are taken;
    by default what the summariser does in a few seconds. Raises ``UnknownComponent`` and ``MissingExtra``.
    """

    def __init__(
        self, name: str, *, words: Callable[[str], Sequence[str]] | None = None, limit: int | None = None
    ) -> None:
        if name not in _SUMMARISERS:
            near = difflib.get_close_matches(name, _SUMMARISERS, n=1, cutoff=0.0)[0]
            known = ", ".join(_SUMMARISERS)
            raise UnknownComponent(f"sumy has no summariser {name!r}.", hint=f"Did you mean {near!r}? Known: {known}.")
        module, attribute, most = _SUMMARISERS[name]
        self.name = name
        self._limit = most if limit is None else limit
        self._tokenizer = _Tokenizer(words or terms)
        require_installed("sumy", "nltk", extra="sumy")
        with _lock, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self._summariser = getattr(import_module(f"sumy.summarizers.{module}"), attribute)()
            self._dom = import_module("sumy.models.dom")
        if name == "edmundson":
            self._summariser.bonus_words = self._tokenizer.to_words(_BONUS)
            self._summariser.stigma_words = self._tokenizer.to_words(_STIGMA)
            self._summariser.null_words = ("the",)  # only counts for headings, which are never handed over

    def salience(self, sentences: Sequence[str]) -> Float64:
        """Return ``(n,) float64`` in [0, 1], the rating over the largest; 1 - rank / n for kl and sum-basic.

        Raises ``TierError`` for more sentences than the limit, or where the summariser fails.
        """
        import numpy as np

        salience = np.zeros(len(sentences))
        filled = [at for at, sentence in enumerate(sentences) if self._tokenizer.to_words(sentence)]
        if len(filled) > self._limit:
            raise TierError(
                f"sumy:{self.name} takes at most {self._limit} sentences, not {len(filled)}.",
                hint='Use the built-in extractor: --set extract.use="lexrank".',
            )
        if filled:
            salience[filled] = self._rate([sentences[at] for at in filled])
        return salience

    def _rate(self, sentences: Sequence[str]) -> Float64:
        import numpy as np

        dom = self._dom
        paragraph = dom.Paragraph([dom.Sentence(sentence, self._tokenizer) for sentence in sentences])
        ratings = np.zeros(len(sentences))

        # Sumy asks a callable count which of the rated sentences to take: the way to see every rating.
        def take(rated: Sequence[Any]) -> Sequence[Any]:
            for info in rated:
                ratings[info.order] = info.rating
            return rated

        with _lock, warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            try:
                self._summariser(dom.ObjectDocumentModel([paragraph]), take)
            except (ArithmeticError, AssertionError, LookupError, ValueError) as error:
                raise TierError(
                    f"sumy:{self.name} failed: {error!r}.", hint='Use --set extract.use="lexrank".'
                ) from error
        if self.name in ("kl", "sum-basic"):  # these give 0, -1, -2 ... in the order of their choice
            ratings += len(ratings)
        ratings = np.maximum(np.nan_to_num(ratings, posinf=0.0), 0.0)
        # Sumy adds in the order of hashed sets: the last digits differ from one process to the next.
        top = ratings.max()
        return np.round(ratings / top, 12) if top > 0 else ratings


class _Tokenizer:
    """What sumy wants of a tokenizer; sentences come cut, so ``to_sentences`` gives the text back."""

    def __init__(self, words: Callable[[str], Sequence[str]]) -> None:
        self._words = words

    def to_sentences(self, text: str) -> tuple[str, ...]:
        return (text,)

    def to_words(self, text: str) -> tuple[str, ...]:
        return tuple(self._words(text))
