"""A parsed sentence as a tree, and what stands under its negations, modals, conditions, quantifiers and comparisons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gliding.tiers.wording import ARTICLES, CONDITIONS, DOWNWARD, TIMES, UNITS, UNIVERSAL
from gliding.types import Token

SUBJECTS = frozenset(("nsubj", "nsubjpass", "csubj", "csubjpass", "expl"))
VERBS = frozenset(("VERB", "AUX"))
PERIODS = frozenset("when while as once whenever where wherever".split())
_ON_THE_CLOCK = frozenset(("later", "earlier", "sooner"))
_ATMOST = frozenset(("most", "best", "maximum"))
_LESS = frozenset(("fewer", "less", "lower", "smaller", "shorter", "most", "best", "maximum"))
_CLAUSES = frozenset(("advcl", "ccomp", "relcl", "parataxis", "conj"))
_ASIDE = frozenset("although though whereas while because since".split())
_PLACED = frozenset("in at on from to into near".split())


# "In some cases", "to a certain extent": how far the rest holds.
_PARTIAL = frozenset("some many most certain rare few several other exceptional special numerous individual".split())
_LARGE = frozenset("large small great limited considerable significant greater lesser".split())
FAR = frozenset(
    """case instance extent degree part time occasion condition circumstance respect place situation whole
    rule average general principle theory practice way particular balance measure exception""".split()
)


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
            order = token.tag == "VB" and any(self.low[k] == "so" for k in range(token.head, i))
            return order or self.has(i, SUBJECTS)
        if token.dep == "advcl":
            first = min(self.subtree(i))
            first += self.low[first] == ","
            return first > 0 and self.low[first - 1] == "," and self.low[first] in _ASIDE and self.has(i, SUBJECTS)
        return (
            token.dep == "ccomp"
            and i < token.head
            and (self.tokens[token.head].tag == "VB" or self.has(token.head, SUBJECTS))
            and any(self.low[k] in ("so", ";") for k in range(i, token.head))
        )

    def told_of(self, i: int) -> bool:
        """Whether a clause with "when" or "where" only tells more of the time or place named before its comma."""
        first = min(self.subtree(i))
        first += self.low[first] == ","
        if first < 2 or self.low[first] not in ("when", "where") or self.low[first - 1] != ",":
            return False
        place = self.tokens[first - 2]
        if self.low[first] == "when":
            return self.low[first - 2].rstrip("s") in TIMES
        return place.dep == "pobj" and self.low[place.head] in _PLACED

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

    def vague(self, i: int) -> bool:
        """Whether a noun is one of many: "a lorry"."""
        return any(self.low[c] in ("a", "an") for c in self.children[i])

    def recent(self, i: int) -> bool:
        """Whether "just" says when: "had just won", "just after"."""
        head = self.tokens[i].head
        had = any(self.tokens[c].lemma in ("have", "be") for c in self.children[head] if self.tokens[c].dep == "aux")
        return (self.tokens[head].tag in ("VBN", "VBG") and had) or self.low[i + 1 : i + 2] in (
            ["after"],
            ["before"],
            ["as"],
        )

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

    def mark(covered: Iterable[int], kind: str) -> None:
        for i in covered:
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
            counted = sentence.tokens[token.head]
            if word != "just" or not sentence.recent(i):
                cover(counted.head if counted.pos == "NUM" else token.head, "quantifier")
        elif word in _ATMOST and sentence.low[i - 1 : i] == ["at"]:
            mark(_compared(sentence, i), "comparative")
        elif word == "but" and sentence.low[i - 1] in ("all", "none", "nobody", "nothing", "everyone", "everything"):
            cover(sentence.verb(i), "quantifier")
        elif word in UNIVERSAL:
            told = token.dep in ("det", "amod", "predet", "nummod") or sentence.tokens[token.head].pos == "NUM"
            cover(token.head if told else i, "quantifier")
        elif word == "than" or (
            word == "as" and token.dep == "prep" and sentence.tokens[token.head].pos in ("ADJ", "ADV")
        ):
            if sentence.tokens[token.head].tag != "IN":
                mark(_compared(sentence, i), "comparative")
        elif token.tag in ("JJR", "RBR"):
            bound = i > 1 and sentence.low[i - 1] == "or" and sentence.low[i - 2][-1:].isdigit()  # "3.9 or later"
            if bound or (word in _ON_THE_CLOCK and not sentence.children[i]):
                continue
            if token.dep == "amod" and sentence.tokens[token.head].pos != "NUM":
                cover(token.head, "comparative")
            else:
                mark(_compared(sentence, i), "comparative")
        elif token.tag in ("JJS", "RBS"):
            cover(token.head, "comparative")
        elif token.tag == "VB" and token.dep == "ROOT" and not sentence.has(i, SUBJECTS | {"aux"}):
            cover(i, "modal")
        bare = token.tag == "NNS" and not sentence.has(i, frozenset(("det", "poss", "nummod")))
        if bare and token.dep in ("nsubj", "nsubjpass") and timeless(sentence, token.head):
            cover(i, "quantifier")  # "pumps fail" speaks of all pumps
    return [frozenset(kinds) for kinds in found]


def _compared(sentence: Sentence, i: int) -> set[int]:
    """Return what a comparison binds, by its "than", its second "as" or its comparative.

    A bound ("more than 40 loaves", "no later than noon") binds the phrase that it counts, and the clause only where
    it is an upper bound on who did it or what it was done to. A comparison of two things binds both, and what else
    stands in its clause after it; not other clauses, nor the inside of phrases before it.
    """
    tokens, low = sentence.tokens, sentence.low
    word = tokens[i].head if low[i] in ("than", "as") and tokens[i].dep != "quantmod" else i
    verb = sentence.verb(i)
    counted = next((k for k in _upward(sentence, i) if tokens[k].pos == "NUM"), -1)
    if counted >= 0:
        noun = tokens[counted].head if tokens[counted].dep == "nummod" else counted
        upper = _LESS & set(low[max(0, i - 1) : i + 1]) or {"no", "not"} & set(low[max(0, i - 3) : i])
        if (
            upper
            and tokens[noun].dep in (*SUBJECTS, "dobj", "attr", "pobj")
            and tokens[tokens[noun].head].dep != "prep"
        ):
            return set(sentence.subtree(verb, clauses=False))
        own = [noun, *(c for c in sentence.children[noun] if tokens[c].dep != "conj")]
        return {k for c in own for k in ([c] if c == noun else sentence.subtree(c, clauses=False))}
    link = next((c for c in sentence.children[word] if low[c] in ("than", "as") and c > word), -1)
    if link >= 0 and _measure(sentence, [k for k in sentence.subtree(word) if k > link]):
        return set(sentence.subtree(word))
    found = {verb, *sentence.subtree(word, clauses=False)}
    preps = {low[c] for c in sentence.children[link]} if link >= 0 else set()
    for c in sentence.children[verb]:
        token = tokens[c]
        if token.dep in _CLAUSES and (token.dep != "conj" or c != word):
            continue
        found.add(c)
        known = token.dep in SUBJECTS and not (sentence.vague(c) and not timeless(sentence, verb))
        inner = token.dep not in (*SUBJECTS, "prep", "agent") and (c > verb or token.dep != "npadvmod")
        if known or inner or (token.dep == "prep" and (c > word or low[c] in preps)):
            found.update(sentence.subtree(c, clauses=False))
    return found


def _upward(sentence: Sentence, i: int) -> Iterable[int]:
    """A word and those above it, up to the third."""
    for _ in range(3):
        yield i
        i = sentence.tokens[i].head


def _measure(sentence: Sentence, whole: Sequence[int]) -> bool:
    """Whether what follows "than" is a number, a time or so many units, and nothing that is compared."""
    named = [k for k in whole if sentence.tokens[k].pos in ("NOUN", "PROPN", "PRON")]
    first = min(named, default=-1)
    if first < 0:
        return any(sentence.tokens[k].pos == "NUM" for k in whole)
    return sentence.low[first].rstrip("s") in TIMES or sentence.low[first] in UNITS


def timeless(sentence: Sentence, verb: int) -> bool:
    """Whether a verb is in the present or under a modal: what it says holds whenever."""
    tags = [sentence.tokens[i].tag for i in sentence.children[verb] if sentence.tokens[i].dep in ("aux", "auxpass")]
    first = tags[0] if tags else sentence.tokens[verb].tag
    return first in ("VBP", "VBZ", "MD", "VB")


def partial(sentence: Sentence, i: int) -> bool:
    """Whether a phrase says how far, how often or for how many a statement holds."""
    noun = sentence.child(i, "pobj")
    if noun < 0 or sentence.tokens[sentence.tokens[i].head].pos not in (*VERBS, "ADJ"):
        return _at_large(sentence, i)
    told = {sentence.low[k] for k in (noun, *sentence.children[noun])}
    some = bool(told & _PARTIAL)
    if sentence.tokens[noun].lemma in FAR:
        return some or bool(told & _LARGE) or _at_large(sentence, i)
    return some and timeless(sentence, sentence.verb(i))


def _at_large(sentence: Sentence, i: int) -> bool:
    """Whether a phrase is "in part", "at times", "as a rule", "to a degree": of a preposition and such a noun alone."""
    words = [k for k in sentence.subtree(i) if sentence.low[k] not in ARTICLES and sentence.tokens[k].pos != "PUNCT"]
    far = [k for k in words if sentence.tokens[k].lemma in FAR or sentence.low[k] in _PARTIAL]
    once = [sentence.low[k] for k in far] == ["time"]  # "on time"
    return bool(far) and not once and all(k in far or sentence.tokens[k].pos == "ADP" for k in words)


def _mended(tokens: Sequence[Token]) -> list[Token]:
    """Join "the nurse and the doctor" where the parser gave a verb two subjects, the first with an "and"."""
    mended = list(tokens)
    for i, token in enumerate(tokens):
        if token.dep == "dep" and token.tag == "VB" and any(t.dep == "cc" and t.head == token.head for t in tokens[:i]):
            mended[i] = token._replace(dep="conj")
        if token.dep == "conj" and token.tag == "NNS" and tokens[i - 1].dep == "cc":
            told = any(t.head == i and t.dep in ("acl", "ccomp") and t.tag in ("VBZ", "VBP", "VBD") for t in tokens)
            verb = token.head
            while told and tokens[verb].head != verb and tokens[verb].pos != "VERB":
                verb = tokens[verb].head
            if told and tokens[verb].tag == "VBZ":  # "denies pain but reports that ..."
                mended[i] = token._replace(head=verb, pos="VERB", tag="VBZ")
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
