"""What may be cut from a parsed English sentence so that the rest still follows from it; knows no text but the one.

Two kinds of cuts. An aside (a discourse marker, brackets, an apposition, a clause between commas that only adds) says
something of its own: the rest stands without it, whatever it stands in. A modifier (an adverb, a place, an adjective, a
further item) narrows what is said, so it may go only where a broader claim is a weaker one: in a plain statement of
what happened, never under a negation, a modal, a condition, a universal, a comparison or a wish.

Source: deletion in the dependency tree, Filippova and Strube, "Dependency tree based sentence compression", 2008.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gliding.tiers import cutting_words as lists
from gliding.tiers.parsed import SUBJECTS, Tree, finite, plain
from gliding.tiers.scope import Scope, held
from gliding.types import Span, Token

_ENDS = frozenset((".", ";", ")"))
_BEFORE = frozenset((".", "!", "?", ";", ":", ")", "]", '"', "\u201d", "...", "\u2026"))
_DASHES = frozenset(("\u2014", "\u2013", "--"))  # a hyphen between spaces is often a torn compound
_CODE = ("`", "|", "{", "}", "://", "\t", "<", ">", "=", "\\", "_", ";\n")
_FRONTED = frozenset(("advcl", "prep", "npadvmod", "ccomp", "relcl", "acl", "pcomp", "intj", "advmod", "agent"))
_BRACKETS, _DASHED = 1, 2  # ranks
_PAIRING = frozenset(("both", "between", "among", "either", "neither", "respectively", "together"))


class Cut(NamedTuple):
    """Tokens ``[start, end)`` that may go together. A lower ``rank`` harms less."""

    rank: int
    start: int
    end: int


def cuts(text: str, tokens: Sequence[Token], *, keep: Sequence[Span] = ()) -> list[Cut]:
    """Return what may go from a text, each cut by itself or with any others, the least harmful first.

    Nothing comes from what is no plain English statement, and no cut holds a fact (a number, a date, an identifier, a
    negation, a modal, a condition), a quantifier, a comparison, a hedge, a quote, or a span of ``keep``.
    """
    if any(mark in text for mark in _CODE):
        return []
    tree = Tree(text, tokens)
    stays = held(tree, keep)
    found: list[Cut] = []
    done = 0
    for root in (k for k, token in enumerate(tokens) if token.head == k):
        low, high = tree.left[root], tree.right[root]
        # where the text before does not end, the parser has cut a sentence in two
        begins = low == 0 or tree.words[low - 1] in _BEFORE
        if low >= done and begins and tree.whole[root] and plain(tree, root):
            found += (
                cut
                for cut in _Sentence(tree, root).cuts()
                if not any(stays[cut.start : cut.end]) and _balanced(tree.words[cut.start : cut.end])
            )
        done = max(done, high + 1)
    return sorted(set(found))


def _balanced(words: Sequence[str]) -> bool:
    return words.count("(") == words.count(")") and words.count("[") == words.count("]")


class _Sentence:
    """The cuts of one plain sentence."""

    def __init__(self, tree: Tree, root: int) -> None:
        self.tree = tree
        self.low, self.high = tree.left[root], tree.right[root]
        self.scope = Scope(tree, root)

    def cuts(self) -> Iterator[Cut]:
        yield from self._brackets()
        yield from self._dashes()
        for k in range(self.low, self.high + 1):
            token = self.tree.tokens[k]
            if token.head == k or not self.tree.whole[k]:
                continue
            for rank, rule in _RULES:
                span = rule(self, k, token)
                if span is not None:
                    yield Cut(rank, *span)
                    break

    # --- asides ---

    def _brackets(self) -> Iterator[Cut]:
        words = self.tree.words
        depth = opened = 0
        nested = False
        for k in range(self.low, self.high + 1):
            if words[k] == "(":
                opened, nested = (k, False) if depth == 0 else (opened, True)
                depth += 1
            elif words[k] == ")" and depth:
                depth -= 1
                if depth == 0 and not nested and self._bracketed(opened, k):
                    yield Cut(_BRACKETS, opened, k + 1)

    def _bracketed(self, opened: int, closed: int) -> bool:
        """Whether two brackets hold an aside: no label "(a)", no short name "(WHO)", no part of a word or of a name."""
        tokens = self.tree.tokens
        inside = range(opened + 1, closed)
        words = [self._source(at) for at in inside if self.tree.words[at][0].isalpha()]
        if opened == self.low or max(map(len, words), default=0) < 4 or any(tokens[at].head == at for at in inside):
            return False
        if any(sum(map(str.isupper, word)) > 1 for word in words):
            return False
        before, after = self._source(opened - 1)[0], self._source(closed + 1)[0] if closed < self.high else ""
        named = (before.isupper() or before == ")") and (after.isupper() or after == "(")
        return tokens[opened - 1].end < tokens[opened].start and not named

    def _source(self, k: int) -> str:
        return self.tree.text[self.tree.tokens[k].start : self.tree.tokens[k].end]

    def _dashes(self) -> Iterator[Cut]:
        words, tokens = self.tree.words, self.tree.tokens
        places = [
            k
            for k in range(self.low + 1, self.high)
            if words[k] in _DASHES and (words[k] in ("\u2014", "--") or tokens[k - 1].end < tokens[k].start)
        ]
        if len(places) == 2:
            start, end = places
            inside = range(start + 1, end)
            outer = {tokens[at].dep for at in inside if not start < tokens[at].head < end or tokens[at].head == at}
            if len(inside) > 1 and outer.isdisjoint(("ROOT", *SUBJECTS)):
                yield Cut(_DASHED, start, end + 1)

    def _marker(self, k: int, token: Token) -> tuple[int, int] | None:
        """A word such as "however", between commas or in front of one."""
        tree = self.tree
        phrase = " ".join(tree.words[tree.left[k] : tree.right[k] + 1])
        span = self._between(k) if phrase.strip(" ,") in lists.MARKERS else None
        # "provided, however, that" is a condition
        return None if span and tree.words[span[0] - 1] in lists.CONDITIONS else span

    def _apposition(self, k: int, token: Token) -> tuple[int, int] | None:
        tree, head = self.tree, token.head
        if token.dep != "appos" or token.pos != "NOUN" or tree.words[self._first(k)] not in lists.ARTICLES:
            return None
        # a list can be read as an apposition
        listed = any(tree.tokens[at].dep in ("conj", "appos") for at in (head, *tree.children[head]) if at != k)
        # an apposition stands behind a noun
        misread = tree.tokens[head].pos in ("VERB", "AUX", "ADP", "ADJ", "ADV")
        return None if listed or misread else self._between(k)

    def _relative(self, k: int, token: Token) -> tuple[int, int] | None:
        tree = self.tree
        if token.dep != "relcl" or not finite(tree, k):
            return None
        first = self._first(k)
        if first == self.low or tree.words[first - 1] != ",":
            return None
        opening = tree.words[first : first + 2]
        wh = opening[0] in lists.RELATIVES or (tree.tokens[first].dep == "prep" and opening[-1] in lists.RELATIVES)
        return self._between(k) if wh else None

    def _participle(self, k: int, token: Token) -> tuple[int, int] | None:
        tree = self.tree
        if token.dep not in ("advcl", "acl") or token.tag not in ("VBG", "VBN") or token.lemma in lists.SUPPOSING:
            return None
        first = self._first(k)
        # "when asked", "having asked", a subject of its own: more than an aside; under "not" it may be what is denied
        if (
            not self.scope.free(k)
            or first != k
            or any(tree.tokens[at].dep in ("mark", "aux", *SUBJECTS) for at in tree.children[k])
        ):
            return None
        span = self._between(k)
        if span is None or span[0] == self.low or span[1] > self.high or tree.words[span[1]] in _ENDS:
            return span
        # in the middle only between a subject and its verb: anywhere else what follows may be its object
        subject = tree.top(span[0] - 1, span[1]) if tree.words[span[1]] != "," else None
        return span if subject is not None and tree.tokens[subject].dep in SUBJECTS else None

    def _examples(self, k: int, token: Token) -> tuple[int, int] | None:
        """What follows "including" or "such as", between commas."""
        words = self.tree.words
        such = words[k] == "as" and k > self.low and words[k - 1] == "such"
        if token.dep != "prep" or not (such or words[k] == "including") or not self.scope.free(k):
            return None
        return self._between(k, items=True)

    def _first(self, k: int) -> int:
        """The first token under ``k`` that is no comma."""
        return next((at for at in range(self.tree.left[k], k) if self.tree.words[at] != ","), k)

    def _between(self, k: int, *, items: bool = False) -> tuple[int, int] | None:
        """The tokens under ``k`` with the commas that set them off; None where they are not set off by commas.

        One comma stays where it also ends a clause or parts the items of a list. With a comma inside, where the aside
        ends is the parser's guess: it stays, but for a list of ``items`` that ends the sentence.
        """
        tree, words = self.tree, self.tree.words
        start, last = tree.left[k], tree.right[k]
        while start < last and words[start] == ",":
            start += 1
        while last > start and (words[last] == "," or last == self.high):
            last -= 1
        after = last + 1
        closed = after <= self.high and words[after] == ","
        ended = after > self.high or words[after] in _ENDS
        if "," in words[start : last + 1] and not (items and ended):
            return None
        if start == self.low:
            return (start, after + 1) if closed and after < self.high else None
        if words[start - 1] != ",":
            return None
        if not closed:
            return (start - 1, after) if ended and start - 1 > self.low else None
        if after + 1 > self.high or start - 2 < self.low:
            return None
        if tree.tokens[after + 1].dep == "cc" and not self._joins_verbs(after + 1):
            return None  # an item of a list, or one item of the aside itself
        return (start - 1, after) if self._parts(start - 2, after + 1) else (start - 1, after + 1)

    def _joins_verbs(self, joint: int) -> bool:
        head = self.tree.tokens[joint].head
        joined = [self.tree.tokens[at].pos for at in (head, *self.tree.under(head, "conj")) if at == head or at > joint]
        return len(joined) > 1 and all(pos in ("VERB", "AUX") for pos in joined[:2])

    def _parts(self, before: int, behind: int) -> bool:
        """Whether a comma must stay between two tokens: a fronted clause ends there, or an item of a list."""
        tree = self.tree
        if tree.tokens[behind].dep == "cc":
            return True
        ends = tree.top(before, behind)
        begins = tree.top(behind, before)
        return (ends is not None and tree.tokens[ends].dep in _FRONTED) or (
            begins is not None and tree.tokens[begins].dep in ("conj", "advcl", "ccomp")
        )

    # --- modifiers ---

    def _adverb(self, k: int, token: Token) -> tuple[int, int] | None:
        tree = self.tree
        if token.dep != "advmod" or tree.words[k] not in lists.MANNER or tree.children[k] or not self.scope.weaker(k):
            return None
        around = tree.words[max(self.low, k - 1) : k] + tree.words[k + 1 : k + 2]
        joined = any(word in ("and", "or", "but", ",", "-", "so", "very", "too", "as", "how") for word in around)
        return None if joined or k == self.low else (k, k + 1)

    def _adverbial(self, k: int, token: Token) -> tuple[int, int] | None:
        """A time, a place or an occasion of what happened, where the verb does not ask for it."""
        tree = self.tree
        verb = tree.tokens[token.head]
        if token.dep != "prep" or tree.words[k] not in lists.PLACING or verb.pos != "VERB" or not self.scope.weaker(k):
            return None
        nouns = tree.under(k, "pobj")
        if len(nouns) != 1 or tree.tokens[nouns[0]].lemma not in lists.OCCASIONS:
            return None
        if verb.lemma in lists.PLACED or tree.under(nouns[0], "relcl") or tree.under(nouns[0], "acl"):
            return None
        deps = {tree.tokens[at].dep for at in tree.children[token.head]}
        if deps.isdisjoint(("dobj", "nsubjpass", "ccomp")):
            return None
        return self._between(k) or self._bare(k)

    def _bare(self, k: int) -> tuple[int, int] | None:
        """The tokens under ``k`` where they stand without commas; never in front, where one would be missing."""
        tree = self.tree
        start, end = tree.left[k], tree.right[k] + 1
        alone = "," not in tree.words[start:end] and "." not in tree.words[start:end]
        neighbours = (tree.words[start - 1] if start > self.low else "", tree.words[end] if end <= self.high else "")
        joined = any(word in ("and", "or", "but") for word in neighbours)
        return (start, end) if alone and start > tree.tokens[k].head and not joined else None

    def _adjective(self, k: int, token: Token) -> tuple[int, int] | None:
        """One of several modifiers of one thing, from a list of adjectives that only add."""
        tree, noun = self.tree, self.tree.tokens[token.head]
        if (
            token.dep != "amod"
            or k > token.head
            or token.tag != "JJ"
            or tree.words[k] not in lists.ADDING
            or noun.tag != "NN"
        ):
            return None
        beside = [at for at in tree.children[token.head] if tree.tokens[at].dep in ("amod", "compound", "det")]
        others = {tree.words[at] for at in tree.children[token.head]} | {tree.words[k - 1], tree.words[k + 1]}
        special = not others.isdisjoint(lists.SINGLING) or any(tree.tokens[at].tag == "JJS" for at in beside)
        if len(beside) < 3 or tree.children[k] or special or "," in others or not self.scope.weaker(k):
            return None
        if tree.words[k - 1] in ("a", "an") and not _fits(tree.words[k], tree.words[k + 1]):
            return None
        return k, k + 1

    def _further(self, k: int, token: Token) -> tuple[int, int] | None:
        """The second of two objects, or all after the first of several, that "and" joins."""
        tree, first = self.tree, token.head
        head = tree.tokens[first]
        if token.dep != "conj" or head.dep != "dobj" or token.pos != "NOUN" or head.pos != "NOUN":
            return None
        joint = tree.under(first, "cc")
        verb = tree.tokens[head.head]
        if [tree.words[at] for at in joint] != ["and"] or tree.under(first, "preconj") or verb.lemma in lists.JOINING:
            return None
        start, end = joint[0], tree.right[k] + 1
        if (
            not first < start < k
            or end != tree.right[first] + 1
            or not _PAIRING.isdisjoint(tree.words)
            or not self.scope.weaker(k)
        ):
            return None
        start -= tree.words[start - 1] == ","
        return (start, end) if end <= self.high and tree.words[end] in (".", ",", ";") else None


def _fits(old: str, new: str) -> bool:
    """Whether two words take the same article, as far as their letters say; where they do not say, no."""
    odd = ("h", "u", "eu", "one", "once", "x")
    return not new.startswith(odd) and not old.startswith(odd) and (old[0] in "aeio") == (new[0] in "aeio")


# rank and rule, the least harmful first; a token's first rule that fits is its own
_RULES = (
    (0, _Sentence._marker),
    (3, _Sentence._apposition),
    (4, _Sentence._relative),
    (5, _Sentence._participle),
    (6, _Sentence._examples),
    (7, _Sentence._adverb),
    (8, _Sentence._adverbial),
    (9, _Sentence._adjective),
    (10, _Sentence._further),
)
