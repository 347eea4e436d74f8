"""A parsed sentence as a tree, and what stands under its negations, modals, conditions, quantifiers and comparisons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gliding.tiers.mending import asides, mended
from gliding.tiers.wording import CONDITIONS, DOWNWARD, TIMES, UNITS, UNIVERSAL
from gliding.types import Token

SUBJECTS = frozenset(("nsubj", "nsubjpass", "csubj", "csubjpass", "expl"))
VERBS = frozenset(("VERB", "AUX"))
PERIODS = frozenset("when while as once whenever where wherever until till".split())
_MODALS = dict.fromkeys(("must", "shall", "should"), "duty") | dict.fromkeys(
    ("could", "might", "would", "'d"), "chance"
)
_REASONS = frozenset("because due owing thanks despite".split())
_ON_THE_CLOCK = frozenset(("later", "earlier", "sooner"))
_ATMOST = frozenset(("most", "best", "maximum"))
_LESS = frozenset(("fewer", "less", "lower", "smaller", "shorter", "most", "best", "maximum"))
_CLAUSES = frozenset(("advcl", "ccomp", "relcl", "parataxis", "conj"))
_ASIDE = frozenset("although though whereas while because since".split())
_DENIED = frozenset("from to of on against".split())
_WHICH = frozenset("which who whose whom".split())
_PRESUMED = frozenset("when while before after as".split())
_PLACED = frozenset("in at on from to into near".split())


class Sentence:
    """A parsed text with what stands under what; built once for each source."""

    def __init__(self, text: str, tokens: Sequence[Token]) -> None:
        self.text = text
        self.tokens = tokens = mended(tokens)
        self.low = [text[token.start : token.end].lower().replace("\u2019", "'") for token in tokens]
        self.children: list[list[int]] = [[] for _ in tokens]
        for i, token in enumerate(tokens):
            if token.head != i:
                self.children[token.head].append(i)
        self.aside = asides(self.low)

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

    def cover(root: int, kind: str, *, helper: bool = False) -> None:
        outside = _beyond(sentence, root, kind, helper=helper)
        if kind in ("modal", "duty", "chance"):  # who is known is not a matter of what he may do
            subject = sentence.child(root, "nsubj", "nsubjpass")
            if subject >= 0 and sentence.child(subject, "det", "poss") >= 0:
                outside.update(sentence.subtree(subject))
        whole = sentence.subtree(root, clauses=False)
        for i in whole:  # why it is so is told, whatever is denied
            if sentence.low[i] in _REASONS and sentence.tokens[i].dep == "prep":
                outside.update(k for k in sentence.subtree(i) if k != i)
        for i in whole:
            if i not in outside:
                found[i].add(kind)

    def mark(covered: Iterable[int], kind: str) -> None:
        for i in covered:
            found[i].add(kind)

    for i, token in enumerate(sentence.tokens):
        word = sentence.low[i]
        if word in ("few", "little") and sentence.low[i - 1 : i] == ["a"]:
            pass  # "a few shareholders" are some
        elif token.dep == "neg" or word in ("not", "n't", "never", "hardly", "barely", "scarcely", "rarely", "seldom"):
            cover(token.head, "negation", helper=word in ("not", "n't"))
        elif word in ("no", "nobody", "nothing", "none", "neither", "nor", "nowhere", "few", "little"):
            cover(sentence.verb(i), "negation")
            if token.dep in ("det", "amod") and sentence.tokens[token.head].dep == "conj":
                free = set(_joined_before(sentence, token.head))  # "local fish, herbs and little salt"
                if sentence.coordinator(token.head) in ("and", "but"):
                    for k in free:
                        found[k].discard("negation")
        elif word in ("without", "lack", "unable", "except", "unless"):
            cover(i, "negation")
        elif token.lemma in DOWNWARD and token.pos in ("VERB", "NOUN"):
            for child in sentence.children[i]:
                label = sentence.tokens[child].dep
                if label in ("dobj", "xcomp", "ccomp", "nsubjpass", "pcomp") or sentence.low[child] in _DENIED:
                    cover(child, "denial")
        elif token.tag == "MD" and word not in ("will", "'ll", "wo"):
            cover(token.head, _MODALS.get(word, "modal"), helper=True)
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
            if token.dep == "amod" and (sentence.tokens[token.head].pos != "NUM" or sentence.low[token.head] == "one"):
                cover(token.head, "comparative")
            else:
                mark(_compared(sentence, i), "comparative")
        elif token.tag in ("JJS", "RBS"):
            cover(token.head, "comparative")
        elif token.tag == "VB" and token.dep == "ROOT" and not sentence.has(i, SUBJECTS | {"aux"}):
            cover(i, "order")
        bare = token.tag == "NNS" and not sentence.has(i, frozenset(("det", "poss", "nummod")))
        if bare and token.dep in ("nsubj", "nsubjpass") and generic(sentence, token.head):
            cover(i, "quantifier")  # "pumps fail" speaks of all pumps
    return [frozenset(kinds) for kinds in found]


def _beyond(sentence: Sentence, root: int, kind: str, *, helper: bool) -> set[int]:
    """Return what below a word an operator does not reach.

    A clause with "which" after a comma only adds, and what is told of a past "when" or "before" was so. A verb that is
    finite by itself does not stand under the helper of the verb before: "did not fit and were sold".
    """
    tokens, low = sentence.tokens, sentence.low
    outside: set[int] = set()
    for i in sentence.subtree(root, clauses=False):
        token = tokens[i]
        if token.dep == "relcl" and i != root:
            first = min(sentence.subtree(i))
            first += low[first] == ","
            if low[first - 1] == "," and low[first] in _WHICH:
                outside.update(sentence.subtree(i))
        elif token.dep == "advcl" and kind == "negation" and not timeless(sentence, i):
            if any(low[c] in _PRESUMED for c in sentence.children[i]):
                outside.update(k for k in sentence.subtree(i) if k != i)
        elif helper and token.dep == "conj" and token.head == root:
            aux = [tokens[c] for c in sentence.children[i] if tokens[c].dep in ("aux", "auxpass")]
            if (
                (aux[0] if aux else token).tag in ("VBD", "VBZ", "VBP")
                and token.tag[:2] == "VB"
                and _split(sentence, root, i)
            ):
                outside.update(sentence.subtree(i))
    return outside


def _split(sentence: Sentence, root: int, i: int) -> bool:
    """Whether the helper of one verb cannot be that of another: "did not meet", "were sold"."""
    tokens = sentence.tokens
    own = any(tokens[c].dep in ("aux", "auxpass") for c in sentence.children[i])
    return own or (tokens[root].tag == "VB" and tokens[i].tag in ("VBD", "VBZ"))


def _joined_before(sentence: Sentence, i: int) -> list[int]:
    """The words of the things that a noun is joined to, those before it."""
    first = i
    while sentence.tokens[first].dep == "conj" and sentence.tokens[first].head != first:
        first = sentence.tokens[first].head
    own = set(sentence.subtree(i))
    return [k for k in sentence.subtree(first) if k not in own]


def generic(sentence: Sentence, verb: int) -> bool:
    """Whether a verb may speak of a whole kind: "pumps fail", but not "officials have denied it"."""
    helpers = [sentence.tokens[c] for c in sentence.children[verb] if sentence.tokens[c].dep in ("aux", "auxpass")]
    done = len(helpers) == 1 and helpers[0].lemma == "have" and sentence.tokens[verb].tag == "VBN"
    return timeless(sentence, verb) and not done


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
