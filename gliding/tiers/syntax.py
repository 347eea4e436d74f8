"""A parsed sentence as a tree, and what stands under its negations, modals, conditions, quantifiers and comparisons."""

from __future__ import annotations

from collections.abc import Sequence

from gliding.tiers.wording import CONDITIONS, DOWNWARD, UNIVERSAL
from gliding.types import Token

SUBJECTS = frozenset(("nsubj", "nsubjpass", "csubj", "csubjpass", "expl"))
VERBS = frozenset(("VERB", "AUX"))
PERIODS = frozenset("when while as once whenever where wherever".split())
_ON_THE_CLOCK = frozenset(("later", "earlier", "sooner"))
_ATMOST = frozenset(("most", "best", "maximum"))


class Sentence:
    """A parsed text with what stands under what; built once for each source."""

    def __init__(self, text: str, tokens: Sequence[Token]) -> None:
        self.text = text
        self.tokens = tokens = _mended(tokens)
        self.low = [text[token.start : token.end].lower().replace("\u2019", "'") for token in tokens]
        self.children: list[list[int]] = [[] for _ in tokens]
        for i, token in enumerate(tokens):
            if token.head != i:
                self.children[token.head].append(i)
        self.aside = _asides(self.low)

    def subtree(self, root: int, *, clauses: bool = True) -> list[int]:
        """Return a word and all below it; without ``clauses`` not the clauses that stand beside it."""
        found, stack = [], [root]
        while stack:
            i = stack.pop()
            found.append(i)
            stack += [child for child in self.children[i] if clauses or not self.beside(child)]
        return found

    def beside(self, i: int) -> bool:
        """Whether a clause stands beside the one above it, and not in it: "..., so it stays"."""
        token = self.tokens[i]
        if token.dep in ("conj", "parataxis"):
            return self.has(i, SUBJECTS)
        return (
            token.dep == "ccomp"
            and i < token.head
            and self.has(token.head, SUBJECTS)
            and any(self.low[k] in ("so", ";") for k in range(i, token.head))
        )

    def has(self, i: int, deps: frozenset[str]) -> bool:
        """Whether a word has a child with one of these labels."""
        return any(self.tokens[child].dep in deps for child in self.children[i])

    def child(self, i: int, *deps: str) -> int:
        """Return the first child with one of these labels, -1 where there is none."""
        return next((child for child in self.children[i] if self.tokens[child].dep in deps), -1)

    def governs(self, head: int, link: int, last: int) -> bool:
        """Whether the words at these characters are a noun, a preposition, and the noun that it governs."""
        at = {token.start: i for i, token in enumerate(self.tokens)}
        if head not in at or link not in at or last not in at:
            return False
        noun, name, prep = self.tokens[at[head]], self.tokens[at[last]], at[link]
        nouns = noun.pos in ("NOUN", "PROPN") and name.pos in ("NOUN", "PROPN", "NUM")
        return nouns and name.head == prep and (self.low[prep] != "of" or self.tokens[prep].head == at[head])

    def passives(self) -> int:
        """Return how many of its verbs are passive."""
        return sum(token.dep == "auxpass" for token in self.tokens)

    def verb(self, i: int) -> int:
        """Return the nearest verb at or above a word, else the top of its tree."""
        tokens = self.tokens
        while tokens[i].head != i and not (tokens[i].pos in VERBS and tokens[i].dep not in ("aux", "auxpass")):
            i = tokens[i].head
        return i

    def coordinator(self, i: int) -> str:
        """Return the word that joins a coordination which a conjunct belongs to, "and" for a bare comma."""
        tokens = self.tokens
        while tokens[i].dep == "conj" and tokens[i].head != i:
            i = tokens[i].head
        words = []
        stack = [i]
        while stack:
            top = stack.pop()
            for child in self.children[top]:
                if tokens[child].dep == "cc" or tokens[child].dep == "preconj":
                    words.append(self.low[child])
                elif tokens[child].dep == "conj":
                    stack.append(child)
        return next((word for word in words if word not in ("and", "&", "but")), words[0] if words else "and")


def scopes(sentence: Sentence) -> list[frozenset[str]]:
    """Return for each word the kinds of operator under which leaving something out is no weakening."""
    found: list[set[str]] = [set() for _ in sentence.tokens]

    def cover(root: int, kind: str) -> None:
        outside: set[int] = set()
        if kind in ("modal", "duty"):  # who is known is not a matter of what he may do
            subject = sentence.child(root, "nsubj", "nsubjpass")
            if subject >= 0 and sentence.child(subject, "det", "poss") >= 0:
                outside.update(sentence.subtree(subject))
        for i in sentence.subtree(root, clauses=False):
            if i not in outside:
                found[i].add(kind)

    for i, token in enumerate(sentence.tokens):
        word = sentence.low[i]
        if token.dep == "neg" or word in ("not", "n't", "never", "hardly", "barely", "scarcely", "rarely", "seldom"):
            cover(token.head, "negation")
        elif word in ("no", "nobody", "nothing", "none", "neither", "nor", "nowhere", "few", "little"):
            cover(sentence.verb(i), "negation")
        elif word in ("without", "lack", "unable", "except", "unless"):
            cover(i, "negation")
        elif token.lemma in DOWNWARD and token.pos in ("VERB", "NOUN"):
            for child in sentence.children[i]:
                label = sentence.tokens[child].dep
                if label in ("dobj", "xcomp", "ccomp", "nsubjpass", "pcomp") or sentence.low[child] in (
                    "from",
                    "to",
                    "of",
                ):
                    cover(child, "denial")
        elif token.tag == "MD" and word not in ("will", "'ll", "wo"):
            cover(token.head, "duty" if word in ("must", "shall", "should") else "modal")
        elif token.dep == "xcomp" and sentence.tokens[token.head].lemma in ("have", "need", "require"):
            cover(i, "duty")
        elif token.dep == "xcomp" and sentence.tokens[token.head].lemma in ("allow", "want"):
            cover(i, "modal")
        elif word in CONDITIONS and token.dep in ("mark", "advmod", "prep"):
            if word not in PERIODS or timeless(sentence, token.head):
                cover(i if token.dep == "prep" and word != "except" else token.head, "condition")
        elif word in ("only", "just", "alone", "solely", "exclusively"):
            cover(token.head, "quantifier")
        elif word in UNIVERSAL:
            cover(i if token.dep not in ("det", "amod", "predet", "nummod") else token.head, "quantifier")
        elif word == "than" or (
            word == "as" and token.dep == "prep" and sentence.tokens[token.head].pos in ("ADJ", "ADV")
        ):
            if sentence.tokens[token.head].tag != "IN":
                cover(sentence.verb(i), "comparative")
        elif word in _ATMOST and sentence.low[i - 1 : i] == ["at"]:
            cover(sentence.verb(i), "comparative")
        elif token.tag in ("JJR", "RBR"):
            bound = i > 1 and sentence.low[i - 1] == "or" and sentence.low[i - 2][-1:].isdigit()  # "3.9 or later"
            if bound or (word in _ON_THE_CLOCK and not sentence.children[i]):
                continue
            cover(token.head if token.dep == "amod" else sentence.verb(i), "comparative")
        elif token.tag in ("JJS", "RBS"):
            cover(token.head, "comparative")
        elif token.tag == "VB" and token.dep == "ROOT" and not sentence.has(i, SUBJECTS | {"aux"}):
            cover(i, "modal")
        bare = token.tag == "NNS" and not sentence.has(i, frozenset(("det", "poss", "nummod")))
        if bare and token.dep in ("nsubj", "nsubjpass") and timeless(sentence, token.head):
            cover(i, "quantifier")  # "pumps fail" speaks of all pumps
    return [frozenset(kinds) for kinds in found]


def timeless(sentence: Sentence, verb: int) -> bool:
    """Whether a verb is in the present or under a modal: what it says holds whenever."""
    tags = [sentence.tokens[i].tag for i in sentence.children[verb] if sentence.tokens[i].dep in ("aux", "auxpass")]
    first = tags[0] if tags else sentence.tokens[verb].tag
    return first in ("VBP", "VBZ", "MD", "VB")


def _mended(tokens: Sequence[Token]) -> list[Token]:
    """Join "the nurse and the doctor" where the parser gave a verb two subjects, the first with an "and"."""
    mended = list(tokens)
    joined = {token.head for token in tokens if token.dep == "cc"}
    last: dict[tuple[int, str], int] = {}
    for i, token in enumerate(tokens):
        if token.dep in ("nsubj", "nsubjpass", "dobj", "pobj", "attr") and token.head != i:
            first = last.get((token.head, token.dep), -1)
            if first in joined:
                mended[i] = token._replace(head=first, dep="conj")
            last[token.head, token.dep] = i
    return mended


def _asides(low: Sequence[str]) -> list[int]:
    """Return for each token the number of the brackets it stands in, 0 outside; dashes count in pairs."""
    found = [0] * len(low)
    opened = -1
    number = 0
    for i, word in enumerate(low):
        if word in ("(", "[") and opened < 0:
            opened = i
        elif word in (")", "]") and opened >= 0:
            number += 1
            found[opened : i + 1] = [number] * (i + 1 - opened)
            opened = -1
    dashes = [i for i, word in enumerate(low) if word in ("\u2014", "\u2013", "--")]
    for first, last in zip(dashes[::2], dashes[1::2], strict=False):
        if not any(found[first : last + 1]):
            number += 1
            found[first : last + 1] = [number] * (last + 1 - first)
    return found
