"""Words of a parsed sentence that may go since another says the same: repeated helpers, subjects and prepositions.

And the clauses that went as a whole, with the negations, modals and comparisons that bind nothing outside them.
"""

from __future__ import annotations

from collections.abc import Sequence

from gliding.tiers.syntax import SUBJECTS, VERBS, Sentence
from gliding.tiers.verbs import forms_of
from gliding.tiers.wording import ARTICLES, BE, CONDITIONS

_RELATIVE = frozenset("who which that".split())
_HELPERS = BE | frozenset("have has had".split())
_ONE = frozenset("he she it".split())
_SAID_ON = frozenset("because since as although though whereas so while".split())
_WHILE = frozenset("while when although though if once until unless where whenever".split())
_LASTING = frozenset("since for always yet ever so".split())  # what has lasted still does
_SPEAKERS = frozenset("i me we us you myself ourselves yourself".split())
_HIM = frozenset("he him his father brother son uncle nephew husband grandfather man boy mr king".split())
_HER = frozenset("she her hers mother sister daughter aunt niece wife grandmother woman girl mrs ms queen".split())
# Nouns that a name or a noun before them says already.
_GENERIC = frozenset("building site area region district city town village season sector facility premises".split())
_SIDES = frozenset("north south east west centre center".split())
_PERSONS = ("er", "or", "ist", "man", "woman", "ian", "ant", "ent", "ee", "ess")


def spared(sentence: Sentence, kept: Sequence[bool]) -> list[bool]:
    """Return which of the words that went only repeat a word that stays, or only join."""
    found = [False] * len(kept)
    for i, gone in enumerate(kept):
        if gone or found[i]:
            continue
        if _relative(sentence, kept, i):
            end = i + 1
            while end < len(kept) and not kept[end] and sentence.low[end] in _HELPERS:
                end += 1
            found[i:end] = [True] * (end - i)
        elif (
            _perfect(sentence, kept, i)
            or _repeated(sentence, kept, i)
            or _elided(sentence, kept, i)
            or _case(sentence, kept, i)
            or _copula(sentence, kept, i)
            or _understood(sentence, kept, i)
            or _then(sentence, i)
        ):
            found[i] = True
    return found


def dropped(sentence: Sentence, kept: Sequence[bool]) -> list[bool]:
    """Return which words stand in a clause or an aside that went as a whole and that the rest does not hang on."""
    found = [False] * len(kept)
    tokens = sentence.tokens
    for i, token in enumerate(tokens):
        if kept[i] or not kept[token.head] or token.head == i:
            if not kept[i] and sentence.aside[i]:
                found[i] = True
            continue
        whole = sentence.subtree(i)
        if any(kept[k] and tokens[k].pos != "PUNCT" for k in whole):
            continue
        first = min(whole)
        comma = bool({",", ";", ":", "\u2014", "\u2013"} & set(sentence.low[max(0, first - 1) : first + 1]))
        opener = {sentence.low[k] for k in (first, first + 1) if k < len(kept)}
        clause = token.pos in VERBS
        conjunct = token.dep == "conj" and clause and tokens[token.head].pos in VERBS and not _or(sentence, i)
        aside = sentence.told_of(i) or (
            comma and (token.dep in ("relcl", "appos", "parataxis") or (token.dep == "acl" and clause))
        )
        listed = token.dep == "conj" and token.pos == "NOUN" and sentence.coordinator(i) in ("and", "&", "but")
        reason = token.dep in ("advcl", "ccomp") and comma and opener & _SAID_ON and not opener & CONDITIONS
        if conjunct or aside or reason or (listed and _shut(sentence, i)):
            for k in whole:
                found[k] = True
    for i, token in enumerate(
        tokens
    ):  # "to cover higher costs": what compares within a thing that went is gone with it
        if token.tag == "JJR" and token.dep == "amod" and not any(kept[k] for k in sentence.subtree(token.head)):
            found[i] = not sentence.children[i] or found[i]
    for i in range(len(tokens)):
        if not kept[i] and any(
            kept[c] and sentence.beside(c) for c in sentence.children[i] if tokens[c].dep == "ccomp"
        ):
            for k in sentence.subtree(i, clauses=False):
                found[k] = not kept[k]
    for i in range(len(kept) - 1):
        if not kept[i] and sentence.low[i] in ("so", "but", "and") and found[i + 1]:
            found[i] = True
    return found


def _shut(sentence: Sentence, i: int) -> bool:
    """Whether one of several things is denied by itself: "two doors and no window", "slow work and a lack of funds"."""
    own = [sentence.low[c] for c in sentence.children[i] if sentence.tokens[c].dep in ("det", "amod")]
    return bool({"no", "little", "few"} & set(own)) or sentence.low[i] == "lack"


def _then(sentence: Sentence, i: int) -> bool:
    """Whether a word is the "later" of "later moved to Rome", which compares nothing."""
    token = sentence.tokens[i]
    plain = token.dep == "advmod" and not sentence.children[i] and sentence.tokens[token.head].pos in VERBS
    return plain and sentence.low[i] in ("later", "earlier") and abs(token.head - i) < 3 and "than" not in sentence.low


def _or(sentence: Sentence, i: int) -> bool:
    return sentence.coordinator(i) not in ("and", "&", "but", ";", "so")


def first_of(sentence: Sentence, i: int) -> int:
    """Return the first of the things that a word is joined to."""
    tokens = sentence.tokens
    while tokens[i].dep == "conj" and tokens[i].head != i:
        i = tokens[i].head
    return i


def _repeated(sentence: Sentence, kept: Sequence[bool], i: int) -> bool:
    """Whether a word of a conjunct stands in the first of what is joined too, and nothing there turns it round."""
    tokens, low = sentence.tokens, sentence.low
    token, head = tokens[i], tokens[i].head
    if token.dep == "conj" and token.pos != "VERB":  # "with food or with water", "is small and is red"
        before = tokens[head]
        same = low[head] == low[i] and kept[head]
        if same and token.pos == before.pos == "ADP":
            return any(kept[c] for c in sentence.children[i])
        return bool(
            same
            and token.pos == before.pos == "AUX"
            and token.lemma == "be"
            and not sentence.has(head, frozenset(("neg",)))
            and any(kept[c] for c in sentence.children[i])
        )
    if token.dep == "prep" and any(kept[c] for c in sentence.children[i]) and i and low[i - 1] in ("and", "or", "but"):
        return any(low[c] == low[i] and kept[c] and c < i for c in sentence.children[head] if tokens[c].dep == "prep")
    gapped = head if token.dep in ("aux", "auxpass") else i
    if _gapped(sentence, kept, gapped):
        return True
    if not kept[head] or tokens[head].dep != "conj":
        return False
    first = first_of(sentence, head)
    if not kept[first]:
        return False
    if token.dep in ("aux", "auxpass"):
        if sentence.has(first, frozenset(("neg",))) or any(low[c] == "never" for c in sentence.children[first]):
            return False
        subject = sentence.child(head, *SUBJECTS)
        if (
            subject >= 0 and kept[subject]
        ):  # "the crane must be stopped and the jib lowered", but not "he may and they use"
            helpers = [c for c in sentence.children[head] if tokens[c].dep in ("aux", "auxpass")]
            if tokens[head].tag != "VBN" or any(kept[c] for c in helpers):
                return False
        return any(low[c] == low[i] and kept[c] for c in sentence.children[first] if tokens[c].dep == token.dep)
    if low[i] in ("no", "neither", "nor"):
        return False
    if token.dep in ("mark", "det", "poss") or (token.dep == "advmod" and low[i] in CONDITIONS):
        return any(low[c] == low[i] and kept[c] for c in sentence.children[first] if tokens[c].dep == token.dep)
    if token.dep in ("nsubj", "nsubjpass"):
        return same_one(sentence, kept, i, first)
    return False


def _gapped(sentence: Sentence, kept: Sequence[bool], i: int) -> bool:
    """Whether a verb with its helpers is that of the clause before: "one train leaves at 7 and another at 8"."""
    tokens, low = sentence.tokens, sentence.low
    first = tokens[i].head
    if kept[i] or tokens[i].dep != "conj" or tokens[i].pos != "VERB" or not kept[first] or low[i] != low[first]:
        return False
    helpers = [
        [low[c] for c in sentence.children[k] if tokens[c].dep in ("aux", "auxpass", "neg", "prt")] for k in (first, i)
    ]
    subject, rest = sentence.child(i, "nsubj", "nsubjpass"), sentence.child(i, "prep", "dobj", "npadvmod", "agent")
    alone = subject >= 0 and kept[subject] and rest >= 0 and kept[rest] and tokens[subject].pos != "PRON"
    gone = not any(kept[c] for c in sentence.children[i] if tokens[c].dep in ("aux", "auxpass", "neg"))
    plain = not {"not", "n't", "never", "no"} & set(low[min(sentence.subtree(first)) : i])
    own = next((tokens[c].dep for c in sentence.children[first] if c > first and kept[c]), "")
    return alone and gone and plain and helpers[0] == helpers[1] and own == tokens[rest].dep


def _elided(sentence: Sentence, kept: Sequence[bool], i: int) -> bool:
    """Whether a word is the "he" or the "was" of "while he was a student"."""
    tokens, low = sentence.tokens, sentence.low
    verb = tokens[i].head if tokens[i].dep in SUBJECTS | {"aux", "auxpass"} else i
    copula = (tokens[verb].lemma == "be" and verb != i) or tokens[i].lemma == "be"
    if tokens[verb].dep != "advcl" or (not copula and tokens[i].dep not in SUBJECTS):
        return False
    opens = any(low[c] in _WHILE and kept[c] for c in sentence.children[verb])
    subject = sentence.child(verb, "nsubj", "nsubjpass")
    helper = verb if tokens[verb].lemma == "be" else sentence.child(verb, "auxpass", "aux")
    if not opens or subject < 0 or helper < 0 or kept[subject] or kept[helper] or tokens[helper].lemma != "be":
        return False
    return i in (subject, helper) and same_one(sentence, kept, subject, tokens[verb].head)


def same_one(sentence: Sentence, kept: Sequence[bool], i: int, verb: int) -> bool:
    """Whether the subject of a later verb is surely that of the first: the same words, or its only pronoun."""
    tokens, low = sentence.tokens, sentence.low
    subject = sentence.child(verb, "nsubj", "nsubjpass")
    if subject < 0:  # "it bears interest and ends in May, unless it is repaid"
        verb = first_of(sentence, verb)
        subject = sentence.child(verb, "nsubj", "nsubjpass")
    if subject < 0 or not kept[subject]:
        return False
    if low[subject] == low[i] and _words(sentence, subject) == _words(sentence, i):
        return True
    if low[i] not in (*_ONE, "they") or tokens[subject].pos == "PRON":
        return False
    many = tokens[subject].tag in ("NNS", "NNPS") or sentence.child(subject, "conj") >= 0
    many = many and tokens[verb].tag != "VBZ"  # "the species feeds"
    if many != (low[i] == "they"):
        return False
    done = sentence.child(tokens[i].head, "dobj")
    if done >= 0 and tokens[done].pos == "PRON":  # "they must change them": of two that one changes, it is the other
        return True
    for child in sentence.children[verb]:  # what else it could stand for
        token = tokens[child]
        if token.dep in ("dobj", "dative", "iobj") and child < i:
            plural = token.tag in ("NNS", "NNPS")
            if low[child] in _SPEAKERS or _of_other_sex(sentence, child, low[i]):
                continue
            person = token.pos in ("PROPN", "PRON") or low[child].endswith(_PERSONS)
            if plural == many and (low[i] in ("it", "they") or person):
                return False
    return True


def _of_other_sex(sentence: Sentence, i: int, pronoun: str) -> bool:
    """Whether a noun is a man where the pronoun is "she", or a woman where it is "he"."""
    other = {"he": _HER, "she": _HIM}.get(pronoun, frozenset[str]())
    near = [i, *(c for c in sentence.children[i] if sentence.tokens[c].dep in ("appos", "compound"))]
    return any(sentence.low[k] in other for k in near)


def _copula(sentence: Sentence, kept: Sequence[bool], i: int) -> bool:
    """Whether a word is the "it" or the "is" of "is shut on Mondays, but it is open on Tuesdays"."""
    tokens, low = sentence.tokens, sentence.low
    be = i if tokens[i].lemma == "be" else tokens[i].head
    if kept[be] or tokens[be].lemma != "be" or tokens[be].dep != "conj" or not _joins(low, be):
        return False
    first = first_of(sentence, be)
    subject = sentence.child(be, *SUBJECTS)
    helpers = [first, *(c for c in sentence.children[first] if tokens[c].dep == "auxpass")]
    if sentence.has(first, frozenset(("neg",))) or not any(low[c] == low[be] and kept[c] for c in helpers):
        return False
    return i in (be, subject) and (subject < 0 or (not kept[subject] and same_one(sentence, kept, subject, first)))


def _joins(low: Sequence[str], be: int) -> bool:
    return bool({"and", "but"} & set(low[max(0, be - 3) : be]))


def _understood(sentence: Sentence, kept: Sequence[bool], i: int) -> bool:
    """Whether a noun goes that the one before it says alone: the "building" of "the headquarters building"."""
    tokens = sentence.tokens
    if not i or tokens[i].pos not in ("NOUN", "PROPN") or not kept[i - 1]:
        return False
    if sentence.low[i - 1] == "more" and tokens[i - 2].pos == "NUM":  # "6 cases and 11 more"
        counted = [k for k in range(i) if any(tokens[c].dep == "nummod" for c in sentence.children[k])]
        return bool(counted) and kept[counted[-1]] and tokens[counted[-1]].lemma == tokens[i].lemma
    if not kept[tokens[i].head]:
        return False
    if tokens[i - 1].dep not in ("compound", "nmod") or tokens[i - 1].head != i:
        return False
    name = sentence.low[i - 1]
    return (
        tokens[i].lemma in _GENERIC
        and name not in _SIDES
        and all(low != name for k, low in enumerate(sentence.low) if k != i - 1)
    )


def _words(sentence: Sentence, i: int) -> list[str]:
    return [sentence.low[k] for k in sorted(sentence.subtree(i)) if sentence.low[k] not in ARTICLES]


def _relative(sentence: Sentence, kept: Sequence[bool], i: int) -> bool:
    """Whether a word opens "that is convenient", of which the rest stays."""
    low, tokens = sentence.low, sentence.tokens
    if low[i] not in _RELATIVE or i + 1 >= len(low) or kept[i + 1] or low[i + 1] not in _HELPERS:
        return False
    verb = tokens[i].head
    if tokens[i].dep not in SUBJECTS or tokens[verb].dep not in ("relcl", "acl", "ccomp"):
        return False
    end = i + 1
    while end < len(low) and not kept[end] and low[end] in _HELPERS:
        end += 1
    return low[end - 1] in BE and end < len(low) and kept[end] and kept[i - 1]


def _perfect(sentence: Sentence, kept: Sequence[bool], i: int) -> bool:
    """Whether a word is the "has" of "has missed": what one has missed, one missed."""
    tokens, verb = sentence.tokens, sentence.tokens[i].head
    alone = sum(tokens[c].dep in ("aux", "auxpass", "neg") for c in sentence.children[verb]) == 1
    finite = tokens[verb].tag == "VBN" and forms_of(tokens[verb].lemma)[2] == sentence.low[verb]
    return (
        sentence.low[i] in ("has", "have")
        and tokens[i].dep == "aux"
        and kept[verb]
        and alone
        and finite
        and not _LASTING & set(sentence.low)
    )


def _case(sentence: Sentence, kept: Sequence[bool], i: int) -> bool:
    """Whether a word is the "those" of "those who", or the "to" of "pay to the owner a deposit"."""
    tokens, low = sentence.tokens, sentence.low
    head = tokens[i].head
    if low[i] in ("those", "these") and tokens[i].dep == "det":
        return kept[head] and any(tokens[c].dep in ("relcl", "acl") for c in sentence.children[head])
    if low[i] == "to" and tokens[i].dep in ("dative", "prep") and kept[head] and tokens[head].pos in VERBS:
        whom, thing = sentence.child(i, "pobj"), sentence.child(head, "dobj")
        return whom >= 0 and kept[whom] and thing > whom and kept[thing]
    return False
