"""What may be left out of a parsed sentence without making it say something else.

A sentence that lost words still follows from the whole where what went only made it narrower, and no negation,
condition, modal, quantifier or comparison turns that around (natural-logic monotonicity, MacCartney and Manning 2007).
Every edge of the tree between a word that stays and one that goes is judged; what is not known to be honest is not.
"""

from __future__ import annotations

from collections.abc import Sequence

from gliding.tiers import modifiers
from gliding.tiers.modifiers import after_comma, definite, is_time
from gliding.tiers.repeats import first_of, same_one
from gliding.tiers.syntax import PERIODS, SUBJECTS, VERBS, Sentence, scopes, timeless
from gliding.tiers.wording import (
    ARTICLES,
    ATTRIBUTION,
    CONDITIONS,
    FILLERS,
    kind_of,
)
from gliding.types import Token

_FREE = frozenset(("punct", "cc", "intj", "meta", ""))
_COLLECTIVE = frozenset(
    "between among combine merge mix sum total ratio difference together combination mixture".split()
)
_OBJECT = frozenset(("dobj",))
_REFUSALS = frozenset("reject oppose dismiss deny ban forbid prohibit refuse lack cancel decline dispute".split())
_EACH = frozenset("all any every each".split())
_LEADS = frozenset("so then also but and".split())
_PERSONAL = frozenset("he she it they him her them his hers its their theirs this these those".split())
_GOVERNED = frozenset("base aim lead turn act serve go get look call ask wait".split())
_REASONS = frozenset("because since although though whereas so while".split())
_DROPPED_CLAUSES = frozenset("because since although though while as so after before when whereas to and".split())


def judge(sentence: Sentence, kept: Sequence[bool], free: Sequence[bool]) -> tuple[str, str] | None:
    """Return why the words that went may not go, as (kind, detail), or None where they may.

    ``kept`` says of each token whether it stays, ``free`` whether it belongs to a phrase that says nothing.
    """
    if all(kept):
        return None
    scope = scopes(sentence)
    lonely = _left_alone(sentence, kept)
    if lonely:
        return lonely
    for i, token in enumerate(sentence.tokens):
        if kept[i] or free[i]:
            if kept[i] and token.head != i and not kept[token.head] and not free[token.head]:
                reason = _orphan(sentence, kept, scope, i)
            else:
                reason = None
        elif token.head == i:
            reason = None  # what still hangs on it is judged as orphans
        elif kept[token.head] and _heir(sentence, kept, i) < 0:  # an heir is judged where it stands
            reason = _cut(sentence, kept, scope, i)
        else:
            reason = None
        if reason:
            return reason
    return None


def _left_alone(sentence: Sentence, kept: Sequence[bool]) -> tuple[str, str] | None:
    """Find a pronoun that is left to point to another noun, since the clause before it with its own subject went."""
    gone = ""
    for i, token in enumerate(sentence.tokens):
        if token.pos in ("NOUN", "PROPN"):
            main = sentence.tokens[token.head].dep in ("ROOT", "conj") and token.dep in ("nsubj", "nsubjpass")
            gone = "" if kept[i] else sentence.low[i] if main else gone
        elif gone and kept[i] and sentence.low[i] in _PERSONAL:
            return ("relation", f"loses {gone}, which {sentence.low[i]} may stand for")
    return None


def _cut(sentence: Sentence, kept: Sequence[bool], scope: Sequence[frozenset[str]], i: int) -> tuple[str, str] | None:
    """Judge the loss of a word whose head stays (and with it all below it that goes)."""
    token, word = sentence.tokens[i], sentence.low[i]
    dep, head = token.dep, token.head
    over = scope[head] & scope[i]
    lost = ("scope", f"loses {_phrase(sentence, kept, i)} under a {min(over)}") if over else None
    relation = ("relation", f"loses {_phrase(sentence, kept, i)}")
    if word in ("or", "nor"):
        return (
            None if sentence.aside[i] and sentence.aside[i] != sentence.aside[head] else ("relation", f"loses {word}")
        )
    if after_comma(sentence, i) and (word in modifiers.BESIDE or _remark(sentence, i)):
        return None
    if word in ARTICLES or dep in _FREE or token.pos in ("PUNCT", "SPACE"):
        return None if word != "no" and (word != "yes" or not i) else relation
    if word in FILLERS and token.pos != "VERB":
        return None
    kind = kind_of(word)
    clause = kind == "hedge" and token.pos == "VERB" and dep in ("acl", "advcl", "relcl", "conj")  # "acting as a guide"
    if kind and not clause and not (word == "one" and dep == "appos"):
        return (kind, f"loses {word}")
    if sentence.aside[i] and sentence.aside[i] != sentence.aside[head]:
        return None
    if dep == "appos":
        return None if after_comma(sentence, i) else relation
    if dep == "relcl" or dep == "acl":
        if after_comma(sentence, i):
            return None
        restricts = definite(sentence, head) or scope[head]
        return (lost or relation) if restricts else None
    if dep == "advmod":
        return _refused(sentence, kept, i, modifiers.adverb(sentence, scope, i))
    if dep in ("amod", "compound", "nmod", "npmod"):
        return _refused(sentence, kept, i, modifiers.adjective(sentence, scope, i))
    if dep in ("npadvmod", "dep", "oprd", "dobj") and token.pos == "NOUN" and after_comma(sentence, i):
        return None  # an apposition to a clause goes by many names
    if dep in ("npadvmod", "tmod", "obl"):
        return lost or (relation if sentence.tokens[head].pos in ("ADJ", "ADV", "ADP") else None)
    if dep == "conj":
        return _conjunct(sentence, kept, scope, i)
    if dep == "prep" and word == "including" and after_comma(sentence, i):
        return None  # examples
    if dep in ("prep", "agent") or (dep == "dative" and token.pos == "ADP"):
        return _refused(sentence, kept, i, modifiers.phrase(sentence, scope, kept, i))
    if dep == "advcl":
        mark = next((c for label in ("mark", "aux", "advmod") if (c := sentence.child(i, label)) >= 0), -1)
        opener = sentence.low[mark] if mark >= 0 else ""
        if sentence.told_of(i):
            return None
        if opener in _REASONS and after_comma(sentence, i):
            return None
        if token.tag in ("VBN", "VBG") and _beside_noun(sentence, i):
            return None
        if lost or (opener in CONDITIONS and (opener not in PERIODS or timeless(sentence, i))):
            return lost or ("condition", f"loses {_phrase(sentence, kept, i)}")
        if opener in _DROPPED_CLAUSES or token.tag == "VBG" or (token.tag == "VBN" and after_comma(sentence, i)):
            return relation if opener == "to" and sentence.tokens[head].lemma in _GOVERNED else None
        return None if after_comma(sentence, i) and opener not in ("as", "like") else relation
    if dep == "ccomp" and sentence.beside(i):
        return None  # "it is full, so it must go"
    if dep == "mark" and word == "that":
        return None
    if dep in ("nsubjpass", "dobj", "auxpass", "aux", "nsubj") and sentence.tokens[head].dep == "relcl":
        return None if word in ("that", "which", "who", "whom", "is", "are", "was", "were", "been") else relation
    if dep in ("nsubj", "nsubjpass") and sentence.tokens[head].dep == "conj":
        return None if same_one(sentence, kept, i, first_of(sentence, head)) else relation
    if dep == "preconj":
        return None if word == "both" else ("quantifier", f"loses {word}")
    if dep in ("neg",):
        return ("negation", f"loses {word}")
    return relation


def _refused(sentence: Sentence, kept: Sequence[bool], i: int, found: tuple[str, str] | None) -> tuple[str, str] | None:
    """Say in words why a modifier may not go."""
    if found is None:
        return None
    kind, over = found
    return (kind, f"loses {_phrase(sentence, kept, i)}" + (f" under a {over}" if over else ""))


def _conjunct(
    sentence: Sentence, kept: Sequence[bool], scope: Sequence[frozenset[str]], i: int
) -> tuple[str, str] | None:
    """Judge the loss of one of several things that are joined."""
    tokens = sentence.tokens
    relation = ("relation", f"loses {_phrase(sentence, kept, i)}")
    joined = sentence.coordinator(i)
    first = first_of(sentence, i)
    above = tokens[first].head
    if sentence.low[above] == "including" or (
        sentence.low[above] == "as" and "such" in sentence.low[above - 1 : above]
    ):
        return None  # a list of examples
    own = tokens[i].pos in VERBS and sentence.has(i, SUBJECTS)
    if joined == "so" and sentence.beside(i):
        return None
    if joined not in ("and", "&", "but"):
        return ("relation", f"loses a side of {joined!r}")
    over = scope[first] & scope[i] & {"negation", "denial", "condition", "comparative", "quantifier"}
    nouns = tokens[i].pos == tokens[first].pos == "NOUN" and tokens[first].dep in ("dobj", "nsubjpass")
    if nouns and tokens[above].lemma in _REFUSALS:
        over -= {"denial"}  # who rejects two things rejects each
    if any(sentence.low[c] in _EACH for c in sentence.children[first]) and "only" not in sentence.low:
        over -= {"quantifier"}  # of all of two kinds, so of all of one
    if tokens[i].pos in VERBS and tokens[first].pos in VERBS:
        over -= {"quantifier", "comparative"}
    condition = tokens[first].dep == "advcl" and "condition" in scope[first]  # of two conditions one is not enough
    if condition:
        over |= {"condition"}
    if over and (not own or condition):
        return ("scope", f"loses {_phrase(sentence, kept, i)} under a {min(over)}")
    whole = tokens[above].head if sentence.low[above] in ("of", "between", "among") else above
    return relation if {tokens[k].lemma for k in (first, above, whole)} & _COLLECTIVE else None


def _orphan(
    sentence: Sentence, kept: Sequence[bool], scope: Sequence[frozenset[str]], i: int
) -> tuple[str, str] | None:
    """Judge a word that stays while its head goes: it must not come to belong to something else."""
    tokens = sentence.tokens
    token, head = tokens[i], tokens[i].head
    if (
        token.dep in ("punct", "cc", "intj")
        or not any(c.isalnum() for c in sentence.low[i])
        or sentence.low[i] in ARTICLES
    ):
        return None
    if token.dep == "conj":
        reason = _conjunct(sentence, kept, scope, i)
        if reason:
            return reason
        # "signed and sent it": what came before the first must not slip to the second
        return None
    if token.dep in ("ccomp", "parataxis"):
        told = tokens[head].lemma in ATTRIBUTION and not sentence.has(head, _OBJECT)  # "so he has ordered both"
        beside = i < head and not told and sentence.has(i, SUBJECTS)
        whole = tokens[head].tag == "VB" or sentence.has(head, SUBJECTS)
        if beside and whole and any(sentence.low[k] in ("so", ";") for k in range(i, head)):
            return None
        return ("attribution", f"loses {sentence.low[head]}")
    if token.dep in SUBJECTS or token.dep in ("aux", "auxpass"):
        heir = _heir(sentence, kept, head)
        if heir >= 0:
            same = tokens[heir].tag == tokens[head].tag
            if token.dep in ("aux", "auxpass"):
                taken = sentence.has(heir, frozenset(("aux", "auxpass")))
                return None if same and not taken else ("relation", f"moves {sentence.low[i]} to {sentence.low[heir]}")
            own = sentence.child(heir, *SUBJECTS)
            if own < 0 or (not kept[own] and same_one(sentence, kept, own, head)):
                return None
            return ("relation", f"moves {sentence.low[i]} to {sentence.low[heir]}")
    hung = token.dep == "advmod" or (token.dep in ("prep", "npadvmod") and is_time(sentence, i))
    if hung and i and (kept[i - 1] or token.dep != "advmod") and _above_kept(tokens, kept, i):
        return None  # parsers hang these on the wrong verb of a sentence; what stands before says better
    if sentence.low[i] in _LEADS and _heir(sentence, kept, head) >= 0:
        return None
    if _shared(sentence, kept, i) and not scope[i] & {"negation", "denial"}:
        return None
    if modifiers.slips(sentence, scope, kept, i) or modifiers.said(sentence, kept, i):
        return None
    joined = tokens[head].dep == "conj" and tokens[head].pos == "NOUN" and kept[first_of(sentence, head)]
    if token.dep == "prep" and joined and not scope[i]:
        return None  # "a man and a dog from the house": parsers cannot know whether both were
    if token.dep == "relcl" and kept[i]:
        return ("relation", f"loses {sentence.low[head]}")
    if token.dep in ("xcomp", "pcomp") and tokens[head].lemma in ATTRIBUTION:
        return ("attribution", f"loses {sentence.low[head]}")
    return ("relation", f"moves {sentence.low[i]} away from {sentence.low[head]}")


def _remark(sentence: Sentence, i: int) -> bool:
    """Whether a clause remarks on the whole: ", which is a relief"."""
    first = min(sentence.subtree(i))
    first += sentence.low[first] == ","
    return first > 1 and sentence.low[first] == "which" and sentence.low[first - 1] == ","


def _beside_noun(sentence: Sentence, i: int) -> bool:
    """Whether a participle stands between commas, after a noun and before its verb: "the culture, taken twice, was"."""
    whole = sentence.subtree(i)
    first, last = min(whole), max(whole)
    first += sentence.low[first] == ","
    if first != i or first < 2 or last + 2 >= len(sentence.low):
        return False
    noun, after = sentence.tokens[first - 2], sentence.tokens[last + 2]
    commas = sentence.low[first - 1] == "," and sentence.low[last + 1] == ","
    return commas and noun.pos in ("NOUN", "PROPN") and (after.pos in VERBS)


def _shared(sentence: Sentence, kept: Sequence[bool], i: int) -> bool:
    """Whether a word belongs to what stays as well: "governed by (and built under) the laws", "(and late) by him"."""
    tokens, low = sentence.tokens, sentence.low
    if tokens[i].dep == "pobj":
        before = next((k for k in range(min(sentence.subtree(i)) - 1, -1, -1) if kept[k] and low[k] != ","), -1)
        joined = "and" in low[before + 1 : i]
        return before >= 0 and joined and tokens[before].pos == "ADP" and sentence.child(before, "pobj", "pcomp") < 0
    if low[i] != "by" or tokens[i].dep not in ("agent", "prep"):
        return False
    verb = sentence.verb(i)
    passive = kept[verb] and sentence.has(verb, frozenset(("auxpass",)))
    return passive and not any(low[c] == "by" for c in sentence.children[verb])


def _above_kept(tokens: Sequence[Token], kept: Sequence[bool], i: int) -> bool:
    """Whether the nearest word above that stays is a verb."""
    while tokens[i].head != i:
        i = tokens[i].head
        if kept[i]:
            return tokens[i].pos in VERBS
    return False


def _heir(sentence: Sentence, kept: Sequence[bool], i: int) -> int:
    """Return the first kept conjunct below a word that went, -1 where there is none."""
    seen = 0
    while seen <= len(sentence.tokens):
        i = sentence.child(i, "conj")
        if i < 0 or kept[i]:
            return i
        seen += 1
    return -1


def _phrase(sentence: Sentence, kept: Sequence[bool], i: int) -> str:
    """Return the words that go with a word, for a report; at most five."""
    gone = [j for j in sorted(sentence.subtree(i)) if not kept[j] and sentence.tokens[j].pos != "PUNCT"]
    return repr(" ".join(sentence.low[j] for j in gone[:5]) + (" ..." if len(gone) > 5 else ""))
