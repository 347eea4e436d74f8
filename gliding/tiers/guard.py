"""The guard: says whether a rewrite says nothing that its source does not say, and if not, why.

Three looks, each of which can refuse: what a sentence turns on (numbers, names, negations ...) is compared as a
multiset; every word must be one of the source's; and what went, or moved, is judged on the dependency parse. Where the
rewrite is the source with words left out, only the source's parse is used, since that of a shortened sentence is noisy.
Without a parser only what is surely no claim may go. It checks, it does not prove.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from gliding.text.scripts import cjk_share
from gliding.tiers import wording
from gliding.tiers.align import aligned, fronted, in_order, matched, others, simplified
from gliding.tiers.claims import claims, moved
from gliding.tiers.deletion import judge
from gliding.tiers.reorder import bare, nonfinite
from gliding.tiers.repeats import dropped, spared
from gliding.tiers.rephrase import compounded, rephrased
from gliding.tiers.sides import edited, words_of
from gliding.tiers.surface import gone_unparsed
from gliding.tiers.syntax import Sentence
from gliding.tiers.wording import Word

if TYPE_CHECKING:
    from gliding.protocols import Parser
    from gliding.types import Token

_RULES = "guard-4"  # a new number where a verdict may change
# What must come out wherever it stood; the other kinds may go with a phrase that they belong to.
_HARD = ("number", "date", "identifier", "name", "question")
# The same, but a clause that goes as a whole may take its own with it.
_ONE = ("number", "one")  # "one of the oldest" counts nothing, and goes with its phrase
_SOFT = ("negation", "modal", "condition", "comparative")
_SIGNS = re.compile(r"[%$€£¥°<>=≤≥~^±+*/]|(?<![^\W\d_])[-\u2212\u2013.:](?=\s?\d)")
_NO_NAMES = wording.TITLES | wording.DEMONYMS
_UNITS = frozenset(map(wording.canon, wording.UNITS | wording.TIMES))
_FUNCTION = frozenset(("DET", "AUX", "ADP", "PART", "SCONJ", "CCONJ", "PUNCT", "PRON"))


class Refusal(NamedTuple):
    """Why a rewrite is not used: its ``kind``, and in a few words what it loses, adds or moves."""

    kind: str
    detail: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.detail}"


class Guard:
    """Checks rewrites against their sources.

    Args:
        parser: Parses English; without one the guard goes by words and their order and refuses more.
    """

    def __init__(self, parser: Parser | None = None) -> None:
        self._parser = parser
        self.fingerprint = f"{_RULES}/{parser.fingerprint if parser else 'unparsed'}"

    def check(self, sources: Sequence[str], rewrites: Sequence[str]) -> list[Refusal | None]:
        """Return for each pair why the rewrite is refused, or None where it says nothing but what its source says.

        >>> found = Guard().check(["The pump did not fail.", "Please note it."], ["The pump did fail.", "Note it."])
        >>> str(found[0]), found[1]
        ('negation: loses not', None)
        """
        pairs = [_Pair(source, rewrite) for source, rewrite in zip(sources, rewrites, strict=True)]
        open_pairs = [pair for pair in pairs if not pair.settled]
        if self._parser is None:
            for pair in open_pairs:
                pair.refusal = pair.by_words()
        elif open_pairs:
            for pair in open_pairs:
                pair.refusal = pair.before_parse()
            open_pairs = [pair for pair in open_pairs if pair.refusal is None]
            trees = self._parsed([pair.source for pair in open_pairs], {})
            for pair in open_pairs:
                pair.reword(Sentence(pair.source, trees[pair.source]))
            trees = self._parsed([text for pair in open_pairs for text in pair.texts()], trees)
            for pair in open_pairs:
                pair.refusal = pair.by_parse([trees[text] for text in pair.texts()])
        return [pair.refusal for pair in pairs]

    def _parsed(self, texts: Sequence[str], known: dict[str, Sequence[Token]]) -> dict[str, Sequence[Token]]:
        new = [text for text in dict.fromkeys(texts) if text not in known]
        if not new or self._parser is None:
            return known
        return known | dict(zip(new, self._parser.parse(new), strict=True))


class _Pair:
    """One source and its rewrite on their way through the checks."""

    def __init__(self, source: str, rewrite: str) -> None:
        self.source, self.rewrite = source, rewrite
        self.refusal: Refusal | None = None
        self.settled = source == rewrite
        if self.settled:
            return
        self.words, self.new = wording.words(source), wording.words(rewrite)
        if [word.key for word in self.words] == [word.key for word in self.new]:
            self.settled = source.count("?") == rewrite.count("?") and _signs(source) == _signs(rewrite)
        if not self.new and self.words:
            self.settled, self.refusal = True, Refusal("empty", "says nothing")
        self.keys: list[int] | None = None
        self.size = len(self.words)
        if not self.settled:
            self.chinese = cjk_share(source) > 0.3
            self.state(source if self.chinese else rephrased(source, rewrite))

    def state(self, source: str) -> None:
        """Take the source as said in other words."""
        if source != self.source:
            self.source, self.words = source, wording.words(source)
        self.free, new_free = simplified(source, self.words), simplified(self.rewrite, self.new)
        self.old = [word for word, free in zip(self.free.words, self.free.free, strict=True) if not free]
        self.left = [word for word, free in zip(new_free.words, new_free.free, strict=True) if not free]
        self.where = [i for i, free in enumerate(self.free.free) if not free]
        self.keys = None

    def reword(self, tree: Sentence) -> None:
        """Put nouns before the nouns that they belong to where the rewrite does."""
        if self.keys is None and not self.chinese:
            source = compounded(self.source, self.rewrite, nouns=tree.governs)
            if source == self.source:  # else the tree is of another text
                source = edited(source, nonfinite(tree, words_of(self.rewrite)))
            self.state(source)
            self.keys = aligned(self.old, self.left, self.source)
        elif self.keys is not None and not self.chinese:
            source = edited(self.source, bare(tree, words_of(self.rewrite)))
            if source != self.source:
                self.state(source)
                self.keys = aligned(self.old, self.left, self.source)

    def texts(self) -> list[str]:
        """What must be parsed: the source, and the rewrite where it is more than the source with words left out."""
        return [self.source] if self.keys is not None else [self.source, self.rewrite]

    def before_parse(self) -> Refusal | None:
        """Check what needs no tree but the names that open a sentence."""
        refusal = self._marks(_HARD) or self._strange_words(owner=True)
        if refusal is None:
            self.keys = aligned(self.old, self.left, self.source)
            if self.chinese:
                return self.by_words()
        return refusal

    def by_words(self) -> Refusal | None:
        """Check without a parse."""
        if not self.chinese:
            self.state(compounded(self.source, self.rewrite, nouns=None))
        refusal = self._marks(()) or self._strange_words()
        if refusal:
            return refusal
        keys = aligned(self.old, self.left, self.source)
        if keys is None:
            return Refusal("relation", "puts words in another order")
        if self.chinese:
            return None
        reason = gone_unparsed(self.source, self.old, frozenset(keys))
        return Refusal(*reason) if reason else None

    def by_parse(self, trees: Sequence[Sequence[Token]]) -> Refusal | None:
        """Check on the parse of the source, and of the rewrite where there is one."""
        source = Sentence(self.source, trees[0])
        reason = self._names(source)
        if reason:
            return Refusal(*reason)
        strange = self._strange_words()
        if strange:
            return strange
        exact = self.keys is not None
        if self.chinese:
            return None
        if not exact:
            rewrite = Sentence(self.rewrite, trees[1])
            reason = _plural(source, rewrite) or moved(claims(source), claims(rewrite)) or self._order(source, rewrite)
            if reason is None and len(self.new) > self.size:
                reason = ("longer", "is longer than its source")
            return Refusal(*reason) if reason else self._left_out(source, matched(self.old, self.left), exact=False)
        keys = self.keys or []
        refusal = self._left_out(source, keys, exact=True)
        if refusal and any(self._left_out(source, way, exact=True) is None for way in others(self.old, keys)):
            return None
        return refusal

    def _left_out(self, source: Sentence, keys: Sequence[int], *, exact: bool) -> Refusal | None:
        """Judge what went where these of the source's words stay."""
        kept, free = self._on_tokens(source, {self.where[i] for i in keys})
        if not exact:
            _loosen(source, kept)
        free = [one or other for one, other in zip(free, spared(source, kept), strict=True)]
        gone = [one or other for one, other in zip(free, dropped(source, kept), strict=True)]
        lost = self._marks((*_HARD, *_SOFT), without=[source.tokens[i] for i, away in enumerate(gone) if away])
        if lost:
            return lost
        reason = judge(source, kept, free)
        return Refusal(*reason) if reason else None

    def _strange_words(self, *, owner: bool = False) -> Refusal | None:
        """Find a word that the source does not have, by its stem."""
        known = {wording.canon(word.key) for word in self.words} | {word.key for word in self.words}
        known |= {wording.canon(word.key) for word in self.old}
        known |= {wording.canon(verb) for form, verb in (("left", "leave"), ("found", "find")) if form in known}
        for word in self.left:
            if word.key in known or wording.loose(word.key) or wording.canon(word.key) in known:
                continue
            if owner and word.key == "'s":
                continue
            surface = self.rewrite[word.start : word.end]
            kind = _kind(surface, word.key)
            return Refusal(kind, f"adds {surface}")
        return None

    def _marks(self, kinds: Sequence[str], *, without: Sequence[Token] | None = None) -> Refusal | None:
        """Compare the multisets of marks: none may be added, none of ``kinds`` lost but those in ``without``."""
        inside, opening = wording.capitalised(self.source, self.words)
        new_inside, _ = wording.capitalised(self.rewrite, self.new)
        lower = {word.key for word in self.new if self.rewrite[word.start].islower()}
        lower |= {word.key for word in self.words if self.source[word.start].islower()}
        names = (inside | (new_inside & (inside | opening))) - lower
        source = _blanked(self.source, self.free.words, self.free.free)
        before, after = wording.marks(source, names=names), wording.marks(self.rewrite, names=names)
        if without:
            kept = wording.marks(_blanked(source, without, [True] * len(without)), names=names)
            before = after | (kept & before) | Counter({mark: n for mark, n in before.items() if mark[0] in _HARD[:5]})
            before[_ONE] = max(after[_ONE], kept[_ONE])
        return _compared(before, after, kinds)

    def _names(self, source: Sentence) -> tuple[str, str] | None:
        """Find a name at the start of a sentence that is lost: only the parse knows it for one."""
        left = Counter(wording.canon(word.key) for word in self.new)
        for i, token in enumerate(source.tokens):
            surface = self.source[token.start : token.end]
            if token.pos == "PROPN" and surface[0].isupper() and source.low[i].rstrip(".") not in _NO_NAMES:
                key = wording.canon(source.low[i])
                if not left[key] and not wording.kind_of(source.low[i]) and key.isalnum():
                    return ("name", f"loses {surface}")
        return None

    def _order(self, source: Sentence, rewrite: Sentence) -> tuple[str, str] | None:
        """Find words that changed places without a reason: a turned passive, or a phrase that went to the front."""
        numbers = [[w.key for w in side if w.key[:1].isdigit()] for side in (self.old, self.left)]
        if numbers[0] != numbers[1]:
            return ("number", "puts numbers in another order")
        if [w.key for w in self.left].count("or") != [w.key for w in self.old].count("or"):
            return ("relation", "changes what is joined by or")
        if in_order(self.old, self.left) or source.passives() != rewrite.passives():
            return None
        return None if fronted(self.old, self.left, self.source, self.rewrite) else ("relation", "moves words")

    def _on_tokens(self, source: Sentence, kept_words: set[int]) -> tuple[list[bool], list[bool]]:
        """Carry what is kept, and what is free, from the words to the tokens of the parse; marks stay."""
        kept, free = [True] * len(source.tokens), [False] * len(source.tokens)
        at = 0
        words = self.free.words
        for i, token in enumerate(source.tokens):
            while at < len(words) and words[at].end <= token.start:
                at += 1
            inside = [k for k in range(at, min(at + 8, len(words))) if words[k].start < token.end]
            if inside:
                kept[i] = any(k in kept_words for k in inside)
                free[i] = not kept[i] and all(self.free.free[k] for k in inside)
        return kept, free


def _plural(source: Sentence, rewrite: Sentence) -> tuple[str, str] | None:
    """Find a noun that is one where it was many, or many where it was one."""
    known = {(wording.canon(token.lemma), token.tag[-1]) for token in source.tokens if token.pos in ("NOUN", "PROPN")}
    nouns = {noun for noun, _ in known}
    for i, token in enumerate(rewrite.tokens):
        noun = wording.canon(token.lemma)
        same = rewrite.low[i] in source.low or (noun in _UNITS and i and rewrite.tokens[i - 1].pos == "NUM")
        if token.pos in ("NOUN", "PROPN") and noun in nouns and (noun, token.tag[-1]) not in known and not same:
            return ("number", f"says {rewrite.low[i]} in another number")
    return None


def _kind(surface: str, key: str) -> str:
    if any(character.isdigit() for character in key):
        return "number"
    found = next(iter(wording.marks(surface)), ("", ""))[0] or wording.kind_of(key)
    return found or ("name" if surface[0].isupper() else "word")


def _signs(text: str) -> list[str]:
    """The signs that change a number or a unit; words do not show them."""
    return [match[0] for match in _SIGNS.finditer(text)]


def _blanked(text: str, words: Sequence[Word | Token], free: Sequence[bool]) -> str:
    """Return a text with the words of phrases that say nothing made blank."""
    if not any(free):
        return text
    parts: list[str] = []
    done = 0
    for word, gone in zip(words, free, strict=True):
        if gone:
            parts += (text[done : word.start], " " * (word.end - word.start))
            done = word.end
    return "".join((*parts, text[done:]))


def _compared(
    before: Counter[tuple[str, str]], after: Counter[tuple[str, str]], kinds: Sequence[str]
) -> Refusal | None:
    lost, added = before - after, after - before
    for verb, found in (("adds", added), ("loses", lost)):
        for kind, normal in sorted(found):
            if verb == "adds" or not kinds or (kind in kinds and (normal != "one" or kinds is not _HARD)):
                swap = [other for same, other in sorted(lost) if same == kind]
                if verb == "adds" and swap:
                    return Refusal(kind, f"says {normal} for {swap[0]}")
                return Refusal(kind, f"{verb} {normal}")
    return None


def _loosen(source: Sentence, kept: list[bool]) -> None:
    """In a paraphrase function words come and go with what they belong to."""
    for i in sorted(range(len(kept)), key=lambda k: -k):
        token = source.tokens[i]
        if not kept[i] and token.pos in _FUNCTION:
            kept[i] = any(kept[child] for child in source.children[i]) or (
                token.head != i and kept[token.head] and not source.children[i]
            )
