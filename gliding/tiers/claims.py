"""Who does what to whom: the frames of a parsed sentence, and whether those of a rewrite are among its source's.

A frame is a head word with what fills its roles. Passives are turned round, what is joined is shared out, a relative
clause is given the noun that it is about. Frames are compared one by one: a set of pairs would let two clauses with
the same verb swap their parts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from gliding.tiers.syntax import Sentence
from gliding.tiers.wording import ARTICLES, FILLERS, canon

_PASSIVE = frozenset(("nsubjpass", "auxpass", "csubjpass"))
_OBJECTS = frozenset(("dobj", "attr", "acomp", "oprd"))
_WHO = frozenset("that which who whom".split())
_SILENT = frozenset(("DET", "PUNCT", "CCONJ", "PART", "SCONJ", "INTJ", "SPACE", "X", "SYM"))
_Role = tuple[str, str]


class Frame(NamedTuple):
    """A head with its roles, ``(role, filler)``; ``tense`` is empty where the verb has none of its own."""

    head: str
    roles: frozenset[_Role]
    tense: str
    word: str


class Claims(NamedTuple):
    """What a text says: its frames by head, and for each prepositional phrase all that it may hang on."""

    frames: Mapping[str, list[Frame]]
    places: Mapping[_Role, frozenset[str]]
    hung: list[tuple[_Role, str]]


def claims(sentence: Sentence) -> Claims:
    """Return the claims of a parsed sentence."""
    frames: dict[str, list[Frame]] = {}
    places: dict[_Role, set[str]] = {}
    hung: list[tuple[_Role, str]] = []
    for i, token in enumerate(sentence.tokens):
        if token.pos in _SILENT or token.dep in ("aux", "auxpass", "prep", "agent"):
            continue
        head = canon(token.lemma)
        roles = set(_roles(sentence, i))
        frames.setdefault(head, []).append(Frame(head, frozenset(roles), _tense(sentence, i), sentence.low[i]))
        for role, filler, told in _phrases(sentence, i):
            if not told:  # else it is compared as a role
                hung.append(((role, filler), head))
            places.setdefault((role, filler), set()).update(_above(sentence, i))
    return Claims(frames, {key: frozenset(value) for key, value in places.items()}, hung)


def moved(source: Claims, rewrite: Claims) -> tuple[str, str] | None:
    """Return the first claim of the rewrite that the source does not make, as (kind, detail)."""
    for head, found in rewrite.frames.items():
        known = source.frames.get(head, [])
        for frame in found:
            if not frame.roles and not frame.tense:
                continue
            if any(frame.roles <= other.roles and _same_time(frame, other) for other in known):
                continue
            return _difference(frame, known)
    for key, head in rewrite.hung:
        role, filler = key
        if head not in source.places.get(key, ()):
            return ("relation", f"moves {role} {filler} to {head}")
    return None


def _same_time(frame: Frame, other: Frame) -> bool:
    return not frame.tense or frame.tense == other.tense or other.tense == "participle"


def _difference(frame: Frame, known: list[Frame]) -> tuple[str, str]:
    if not known:
        return ("word", f"adds {frame.word}")
    best = min(known, key=lambda other: (len(frame.roles - other.roles), not _same_time(frame, other)))
    extra = sorted(frame.roles - best.roles)
    if extra:
        role, filler = extra[0]
        kind = role if role in ("negation", "modal") else "relation"
        return (kind, f"makes {filler} the {role} of {frame.word}")
    return ("tense", f"says {frame.word} for {best.word}")


def _roles(sentence: Sentence, i: int) -> Iterator[_Role]:
    """The direct roles of a word; prepositional phrases are told apart, since parsers differ on what they hang on."""
    tokens = sentence.tokens
    passive = sentence.has(i, _PASSIVE)
    subjects = _subjects(sentence, i)
    token = tokens[i]
    if token.pos in ("VERB", "AUX"):
        for subject in subjects:
            for filler in _joined(sentence, subject):
                given = passive and sentence.child(i, "dobj") >= 0  # "was given a book"
                yield ("recipient" if given else "object" if passive else "subject", filler)
        if token.dep in ("relcl", "acl") and not subjects and token.tag in ("VBN", "VBG"):
            yield ("object" if token.tag == "VBN" else "subject", canon(tokens[token.head].lemma))
    for child in sentence.children[i]:
        label, word = tokens[child].dep, sentence.low[child]
        if label in _OBJECTS:
            if word in _WHO and token.dep == "relcl":
                yield ("object", canon(tokens[token.head].lemma))
                continue
            for filler in _joined(sentence, child):
                yield ("object", filler)
        elif label == "dative":
            inner = sentence.child(child, "pobj")
            for filler in _joined(sentence, inner if inner >= 0 else child):
                yield ("recipient", filler)
        elif label == "prep" and word == "to" and token.pos in ("VERB", "AUX"):
            inner = sentence.child(child, "pobj")
            if inner >= 0:
                for filler in _joined(sentence, inner):
                    yield ("recipient", filler)
        elif label == "agent" or (passive and label == "prep" and word == "by"):
            inner = sentence.child(child, "pobj")
            if inner >= 0:
                for filler in _joined(sentence, inner):
                    yield ("subject", filler)
        elif label == "neg":
            yield ("negation", "not" if word in ("not", "n't") else word)
        elif label == "aux" and tokens[child].tag == "MD":
            yield ("modal", canon(word))
        elif label in (
            "nummod",
            "quantmod",
            "poss",
            "nmod",
            "xcomp",
            "ccomp",
            "amod",
            "compound",
            "prt",
            "advmod",
            "npadvmod",
        ):
            if word in ARTICLES or word in FILLERS:
                continue
            for filler in _joined(sentence, child):
                yield (
                    "of" if label == "poss" else "quality" if label in ("amod", "compound", "nmod") else label,
                    filler,
                )


def _subjects(sentence: Sentence, i: int) -> list[int]:
    """The subjects of a verb: its own, else those of the verb that it is joined to or the noun that it describes."""
    tokens = sentence.tokens
    for _ in range(len(tokens)):
        own = [c for c in sentence.children[i] if tokens[c].dep in ("nsubj", "nsubjpass", "csubj", "csubjpass")]
        if own:
            return [tokens[i].head if sentence.low[c] in _WHO and tokens[i].dep == "relcl" else c for c in own]
        if tokens[i].dep != "conj" or tokens[i].head == i:
            return []
        i = tokens[i].head
    return []


def _phrases(sentence: Sentence, i: int) -> Iterator[tuple[str, str, bool]]:
    """The prepositional phrases of a word: (preposition, filler, whether it is one of the roles of a verb)."""
    tokens = sentence.tokens
    passive = sentence.has(i, _PASSIVE)
    for child in sentence.children[i]:
        to = sentence.low[child] == "to" and tokens[i].pos in ("VERB", "AUX")
        if tokens[child].dep not in ("prep", "dative") or (passive and sentence.low[child] == "by"):
            continue
        stack = [child]
        while stack:
            top = stack.pop()
            for below in sentence.children[top]:
                if tokens[below].dep in ("pobj", "pcomp"):
                    for filler in _joined(sentence, below):
                        yield (canon(sentence.low[top]), filler, to)
                elif tokens[below].dep == "prep":
                    stack.append(below)


def _above(sentence: Sentence, i: int) -> set[str]:
    """The words that a phrase may hang on: its head and what is above it, up to the verb; and that verb's object."""
    tokens = sentence.tokens
    found = {canon(tokens[i].lemma)}
    verb = sentence.verb(i)
    while i != verb and tokens[i].head != i:
        i = tokens[i].head
        found.add(canon(tokens[i].lemma))
    if tokens[verb].pos in ("VERB", "AUX"):
        for child in sentence.children[verb]:
            if tokens[child].dep in _OBJECTS:
                found.add(canon(tokens[child].lemma))
    return found


def _joined(sentence: Sentence, i: int) -> list[str]:
    """A word and all that is joined to it."""
    found, stack = [], [i]
    while stack:
        top = stack.pop()
        found.append(canon(sentence.tokens[top].lemma))
        stack += [child for child in sentence.children[top] if sentence.tokens[child].dep == "conj"]
    return found


def _tense(sentence: Sentence, i: int) -> str:
    """Return when a verb's claim holds: past, present, future, perfect ..., "participle", or empty for no verb."""
    token = sentence.tokens[i]
    if token.pos not in ("VERB", "AUX"):
        return ""
    helpers = [c for c in sentence.children[i] if sentence.tokens[c].dep in ("aux", "auxpass")]
    if not helpers:
        if token.dep == "xcomp" or token.tag == "VB":
            return "infinitive"
        return {"VBD": "past", "VBP": "present", "VBZ": "present"}.get(token.tag, "participle")
    first = sentence.tokens[helpers[0]]
    if first.tag == "TO":
        return "infinitive"
    words = [sentence.tokens[c].lemma for c in helpers]
    time = {"VBD": "past", "MD": "modal"}.get(first.tag, "present" if first.tag in ("VBP", "VBZ") else "participle")
    perfect = "perfect" if "have" in words else ""
    going = "going" if token.tag == "VBG" and "be" in words else ""
    if perfect and time == "present" and not going:
        return "past"  # "has left" says that someone left
    return " ".join(filter(None, (time, perfect, going)))
