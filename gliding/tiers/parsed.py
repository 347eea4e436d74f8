"""A parsed text as a tree: what hangs under which token, and whether a sentence of it is a plain English statement."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gliding.text.words import STOP_WORDS
from gliding.types import Token

QUOTES = frozenset(('"', "\u201c", "\u201d", "``", "''", "\u00ab", "\u00bb"))
SUBJECTS = frozenset(("nsubj", "nsubjpass", "csubj", "csubjpass", "expl"))
_CLAUSES = frozenset(("ROOT", "ccomp", "xcomp", "advcl", "relcl", "acl", "pcomp", "csubj", "csubjpass", "parataxis"))
_FEWEST = 8  # words of a sentence that is looked at: a shorter one has nothing to spare
_MOST = 120  # tokens: a longer one is a list or was not cut right, and its parse is a guess


class Tree:
    """A parsed text: its tokens, their words in lower case, and the range of tokens under each."""

    def __init__(self, text: str, tokens: Sequence[Token]) -> None:
        count = len(tokens)
        self.text = text
        self.tokens = tokens
        self.words = [text[token.start : token.end].lower() for token in tokens]
        self.children: list[list[int]] = [[] for _ in tokens]
        self.left = list(range(count))
        self.right = list(range(count))
        size = [1] * count
        for k, token in enumerate(tokens):
            if token.head != k:
                self.children[token.head].append(k)
            for above in self.above(k):
                self.left[above] = min(self.left[above], k)
                self.right[above] = max(self.right[above], k)
                size[above] += 1
        # what hangs under a token with a hole in it is never cut
        self.whole = [size[k] == self.right[k] - self.left[k] + 1 for k in range(count)]

    def above(self, k: int) -> Iterator[int]:
        """Yield the heads of a token up to its root; ends on a parse that goes round in circles too."""
        for _ in self.tokens:
            head = self.tokens[k].head
            if head == k:
                return
            yield head
            k = head

    def clause(self, k: int) -> int:
        """Return the head of the clause that a token belongs to; a coordinated verb heads its own."""
        for at in (k, *self.above(k)):
            token = self.tokens[at]
            if token.dep in _CLAUSES or (token.dep == "conj" and token.pos in ("VERB", "AUX")):
                return at
            k = at
        return k

    def top(self, k: int, other: int) -> int | None:
        """Return the highest token from ``k`` upwards that ``other`` is not under; None where it is under ``k``."""
        found = None
        for at in (k, *self.above(k)):
            if self.left[at] <= other <= self.right[at]:
                break
            found = at
        return found

    def under(self, k: int, dep: str) -> list[int]:
        """Return the tokens right under ``k`` with a label."""
        return [child for child in self.children[k] if self.tokens[child].dep == dep]


def plain(tree: Tree, root: int) -> bool:
    """Say whether a sentence is a plain English statement: a finite verb, its subject, function words, a stop."""
    low, high = tree.left[root], tree.right[root]
    words = [k for k in range(low, high + 1) if tree.words[k][0].isalpha()]
    if len(words) < _FEWEST or high - low >= _MOST or "?" in tree.words[low : high + 1]:
        return False
    if tree.tokens[root].pos not in ("VERB", "AUX") or not finite(tree, root):
        return False
    if not any(tree.tokens[child].dep in SUBJECTS for child in tree.children[root]):
        return False
    if sum(word in QUOTES for word in tree.words[low : high + 1]) % 2:
        return False
    last = high
    while last > low and tree.words[last] in (*QUOTES, ")", "'", "\u2019", "]"):
        last -= 1
    english = sum(tree.words[k] in STOP_WORDS for k in words)
    return tree.words[last] in (".", "!", ";") and english >= max(2, len(words) // 6)


def finite(tree: Tree, verb: int) -> bool:
    """Say whether a verb or one of its auxiliaries has a tense or is a modal."""
    tags = {tree.tokens[k].tag for k in (verb, *tree.under(verb, "aux"), *tree.under(verb, "auxpass"))}
    return not tags.isdisjoint(("VBD", "VBZ", "VBP", "MD"))
