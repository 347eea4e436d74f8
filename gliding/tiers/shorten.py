"""Shortens sentences along their dependency trees: what only adds goes, the rest stays as the source says it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from gliding.protocols import Parser
from gliding.text.scripts import cjk_share
from gliding.tiers.cuts import Cut, cuts
from gliding.types import Span, Token

_BATCH = 64  # texts that are parsed at a time, and after which ``stop`` is asked
_RULES = "cuts-1"  # a new number where other words go
_FEWEST_LEFT = 4  # words


class SyntacticRewriter:
    """Says sentences in fewer words by leaving some out (a ``Rewriter``); needs no weights beyond the parser's.

    The output is the source's words in their order; only spacing, commas and the capital of the first word are mended.
    Source: ``gliding.tiers.cuts``.
    """

    def __init__(self, parser: Parser) -> None:
        self._parser = parser
        self.fingerprint = f"{_RULES}/{parser.fingerprint}"

    def rewrite(
        self, texts: Sequence[str], *, keep: Sequence[Sequence[Span]], ratio: float, stop: Callable[[], bool]
    ) -> list[str]:
        """Return each text with the least harmful cuts until ``ratio`` of its characters is left, or with all of them.

        A text that is no plain English prose comes back as it is. Facts stay, whether or not they are in ``keep``.
        Raises what the parser raises (``MissingExtra``, ``ModelNotAvailable``).
        """
        short = list(texts)
        asked = [at for at, text in enumerate(texts) if " " in text and cjk_share(text) == 0.0]
        for start in range(0, len(asked), _BATCH):
            if stop():
                break
            batch = asked[start : start + _BATCH]
            for at, tokens in zip(batch, self._parser.parse([texts[at] for at in batch]), strict=True):
                short[at] = _shortened(texts[at], tokens, cuts(texts[at], tokens, keep=keep[at]), ratio)
        return short


def _shortened(text: str, tokens: Sequence[Token], possible: Sequence[Cut], ratio: float) -> str:
    gone: set[int] = set()
    size = len(text)
    for cut in possible:
        if size <= ratio * len(text):
            break
        new = set(range(cut.start, cut.end)) - gone
        gone |= new
        size -= sum(tokens[k].end - tokens[k].start + 1 for k in new)  # with the space after it
    short = without(text, tokens, gone)
    return short if gone and len(short) < len(text) and len(short.split()) >= _FEWEST_LEFT else text


def without(text: str, tokens: Sequence[Token], gone: Collection[int]) -> str:
    """Return a text without some of its tokens; spaces, commas and the first capital as they are written without them.

    >>> words = [(0, 7), (7, 8), (9, 11), (12, 16), (16, 17)]
    >>> tokens = [Token(start, end, 3, "", "", "", "") for start, end in words]
    >>> without("However, we left.", tokens, {0, 1})
    'We left.'
    """
    left = _mended(text, tokens, [k for k in range(len(tokens)) if k not in gone])
    if not left or len(left) == len(tokens):
        return text if left else ""
    parts = [text[: tokens[0].start]]
    for before, k in zip([-1, *left], left, strict=False):
        word = text[tokens[k].start : tokens[k].end]
        if k == before + 1:
            parts.append(text[tokens[before].end : tokens[k].start] if before >= 0 else "")
        elif len(parts) > 1:
            spaced = any(tokens[at].end < tokens[at + 1].start for at in range(before, k))
            closing = word[0] in ",.;:!?)]}%\u2026" and tokens[k - 1].end == tokens[k].start
            parts.append(" " if spaced and not closing else "")
        if k != before + 1 and word.islower() and _opens(text, tokens, before):
            word = word[0].upper() + word[1:]
        parts.append(word)
    return "".join(parts) + text[tokens[-1].end :]


def _opens(text: str, tokens: Sequence[Token], before: int) -> bool:
    """Whether the token after ``before`` starts a sentence."""
    return before < 0 or text[tokens[before].start : tokens[before].end] in (".", "!", "?")


def _mended(text: str, tokens: Sequence[Token], left: Sequence[int]) -> list[int]:
    """Drop the commas that nothing stands in front of or behind any more."""
    kept: list[int] = []
    for k in left:
        word = text[tokens[k].start : tokens[k].end]
        bare = bool(kept) and text[tokens[kept[-1]].start : tokens[kept[-1]].end] == "," and kept[-1] != k - 1
        if bare and word in (",", ".", ";", "!", ")"):
            kept.pop()
        alone = not kept or text[tokens[kept[-1]].start : tokens[kept[-1]].end] in (".", "(", "!", ";")
        if word == "," and alone and (not kept or kept[-1] != k - 1):
            continue
        kept.append(k)
    return kept
