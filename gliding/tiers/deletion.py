"""What may be left out of a parsed sentence without making it say something else.

A sentence that lost words still follows from the whole where what went only made it narrower, and no negation,
condition, modal, quantifier or comparison turns that around (natural-logic monotonicity, MacCartney and Manning 2007).
Every edge of the tree between a word that stays and one that goes is judged; what is not known to be honest is not.
"""

from __future__ import annotations

from collections.abc import Sequence

from gliding.tiers.repeats import first_of
from gliding.tiers.syntax import FAR, PERIODS, SUBJECTS, VERBS, Sentence, partial, scopes, timeless
from gliding.tiers.wording import (
    ARTICLES,
    ATTRIBUTION,
    CONDITIONS,
    DEGREES,
    FILLERS,
    TIMES,
    kind_of,
)
from gliding.types import Token

_FREE = frozenset(("punct", "cc", "intj", "meta", ""))
_SETTING = frozenset(
    """in at on during near inside outside across along by with from after before since throughout over under behind
    beside through between within around above below beneath beyond amid among into onto to for via upon next
    alongside because thanks due while per toward off""".split()
)
# Verbs (and "be") that mean little without the phrase that follows them.
_GOVERNED = frozenset(
    """be rely depend focus insist base concentrate count consist result agree differ suffer belong refer lead apply
    amount contribute respond relate object consent commit stem participate specialize specialise engage succeed deal
    believe aim range vary turn act serve remain stay become go get lie look call ask wait care account lack
    live""".split()
)
_COLLECTIVE = frozenset(
    "between among combine merge mix sum total ratio difference together combination mixture".split()
)
_WITHIN = frozenset("in on at near inside outside".split())
_SIDES = frozenset("north south east west northeast northwest southeast southwest upstream downstream".split())
_EACH = frozenset("all any every each".split())
_PERSONAL = frozenset("he she it they him her them his hers its their theirs this these those".split())
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
        return ("relation", f"loses {word}")
    if word in ARTICLES or dep in _FREE or token.pos in ("PUNCT", "SPACE"):
        return None if word != "no" and (word != "yes" or not i) else relation
    if word in FILLERS and token.pos != "VERB":
        return None
    kind = kind_of(word)
    if kind and not (word == "one" and dep == "appos"):
        return (kind, f"loses {word}")
    if sentence.aside[i] and sentence.aside[i] != sentence.aside[head]:
        return None
    if dep == "appos":
        return None if _after_comma(sentence, i) else relation
    if dep == "relcl" or dep == "acl":
        if _after_comma(sentence, i):
            return None
        restricts = _definite(sentence, head) or scope[head]
        return (lost or relation) if restricts else None
    if dep == "advmod":
        if sentence.tokens[head].pos == "NUM" or word in ("up", "out", "off", "down", "away", "back", "ago", "there"):
            return relation
        if word in _SIDES:
            return lost
        if word in DEGREES:
            over -= {"modal", "duty", "quantifier"} | (
                {"comparative"} if sentence.tokens[head].tag in ("JJR", "RBR") else set()
            )
            return lost if over else None
        if word.endswith("ly") or token.head > i or token.pos == "ADV":
            if sentence.tokens[head].lemma in ("be", "live", "behave", "do") and sentence.verb(head) == head:
                return relation if not sentence.has(head, frozenset(("attr", "acomp", "prep", "dobj"))) else lost
            return lost if over - {"quantifier", "duty"} else None
        return lost or relation
    if dep in ("amod", "compound", "nmod", "npmod"):
        named = token.pos == "PROPN" and sentence.text[token.start].isupper()
        how_far = sentence.tokens[head].dep == "pobj" and sentence.tokens[head].lemma in FAR  # "in rare cases"
        if named or how_far or token.tag in ("JJR", "JJS"):
            return relation
        # "the drill" is the drill that was spoken of, also under "failed to" and "must"
        same = sentence.child(head, "det", "poss") >= 0 and _definite(sentence, head)
        if same and sum(other.lemma == sentence.tokens[head].lemma for other in sentence.tokens) > 1:
            return relation  # of two valves it says which
        harmless = (
            {"duty", "denial", "condition"} if same and dep == "amod" else {"duty", "denial"} if same else {"duty"}
        )
        return lost if over - harmless else None
    if dep in ("npadvmod", "dep", "oprd", "dobj") and token.pos == "NOUN" and _after_comma(sentence, i):
        return None  # an apposition to a clause goes by many names
    if dep in ("npadvmod", "tmod", "obl"):
        return lost or (relation if sentence.tokens[head].pos in ("ADJ", "ADV", "ADP") else None)
    if dep == "conj":
        return _conjunct(sentence, kept, scope, i)
    if dep == "prep" and word == "including" and _after_comma(sentence, i):
        return None  # examples
    if dep == "prep" and partial(sentence, i):
        return ("quantifier", f"loses {_phrase(sentence, kept, i)}")
    if dep in ("prep", "agent") or (dep == "dative" and token.pos == "ADP"):
        return lost or _phrase_of(sentence, i, relation)
    if dep == "advcl":
        mark = next((c for label in ("mark", "aux", "advmod") if (c := sentence.child(i, label)) >= 0), -1)
        opener = sentence.low[mark] if mark >= 0 else ""
        if sentence.told_of(i):
            return None
        if opener in _REASONS and _after_comma(sentence, i):
            return None
        if lost or (opener in CONDITIONS and (opener not in PERIODS or timeless(sentence, i))):
            return lost or ("condition", f"loses {_phrase(sentence, kept, i)}")
        if opener in _DROPPED_CLAUSES or token.tag == "VBG" or (token.tag == "VBN" and _after_comma(sentence, i)):
            return relation if opener == "to" and sentence.tokens[head].lemma in _GOVERNED else None
        return None if _after_comma(sentence, i) and opener not in ("as", "like") else relation
    if dep == "mark" and word == "that":
        return None
    if dep in ("nsubjpass", "dobj", "auxpass", "aux", "nsubj") and sentence.tokens[head].dep == "relcl":
        return None if word in ("that", "which", "who", "whom", "is", "are", "was", "were", "been") else relation
    if dep == "preconj":
        return None if word == "both" else ("quantifier", f"loses {word}")
    if dep in ("neg",):
        return ("negation", f"loses {word}")
    return relation


def _phrase_of(sentence: Sentence, i: int, relation: tuple[str, str]) -> tuple[str, str] | None:
    """Judge the loss of a prepositional phrase that stands under no operator."""
    token, word = sentence.tokens[i], sentence.low[i]
    head = sentence.tokens[token.head]
    if head.pos in VERBS:
        if word not in _SETTING:
            return relation
        alone = head.lemma in _GOVERNED and not sentence.has(token.head, frozenset(("dobj", "attr", "acomp")))
        fronted = i < token.head
        return relation if alone and not fronted else None
    if head.pos in ("NOUN", "PROPN"):
        if head.tag in ("NNS", "NNPS") and (_definite(sentence, token.head) or head.dep == "ROOT"):
            # "repeated by the students in a small room": where it was, whatever the parser hung it on
            place = sentence.child(i, "pobj")
            vague = place >= 0 and any(sentence.low[c] in ("a", "an") for c in sentence.children[place])
            verb = sentence.verb(i)
            late = verb < token.head and sentence.tokens[verb].tag in ("VBD", "VBN") and word in _SETTING
            return None if vague and late else relation
        return relation if word in ("without", "than", "like", "as", "against", "except") else None
    return None if head.pos == "ADV" and word in _SETTING else relation


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
    if any(sentence.low[c] in _EACH for c in sentence.children[first]) and "only" not in sentence.low:
        over -= {"quantifier"}  # of all of two kinds, so of all of one
    if tokens[i].pos in VERBS and tokens[first].pos in VERBS:
        over -= {"quantifier", "comparative"}
    condition = tokens[first].dep == "advcl" and "condition" in scope[first]  # of two conditions one is not enough
    if condition:
        over |= {"condition"}
    if over and (not own or condition):
        return ("scope", f"loses {_phrase(sentence, kept, i)} under a {min(over)}")
    return relation if tokens[tokens[first].head].lemma in _COLLECTIVE else None


def _orphan(
    sentence: Sentence, kept: Sequence[bool], scope: Sequence[frozenset[str]], i: int
) -> tuple[str, str] | None:
    """Judge a word that stays while its head goes: it must not come to belong to something else."""
    tokens = sentence.tokens
    token, head = tokens[i], tokens[i].head
    if token.dep in ("punct", "cc") or not any(c.isalnum() for c in sentence.low[i]) or sentence.low[i] in ARTICLES:
        return None
    if token.dep == "conj":
        reason = _conjunct(sentence, kept, scope, i)
        if reason:
            return reason
        # "signed and sent it": what came before the first must not slip to the second
        return None
    if token.dep in ("ccomp", "parataxis"):
        beside = i < head and tokens[head].lemma not in ATTRIBUTION and sentence.has(i, SUBJECTS)
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
            if not sentence.has(heir, SUBJECTS):
                return None
            return ("relation", f"moves {sentence.low[i]} to {sentence.low[heir]}")
    hung = token.dep == "advmod" or (token.dep in ("prep", "npadvmod") and _is_time(sentence, i))
    if hung and i and (kept[i - 1] or token.dep != "advmod") and _above_kept(tokens, kept, i):
        return None  # parsers hang these on the wrong verb of a sentence; what stands before says better
    outer = tokens[head].head
    if token.dep == "prep" and tokens[head].dep == "pobj" and {sentence.low[i], sentence.low[outer]} <= _WITHIN:
        above = tokens[outer].head
        if kept[above] and tokens[above].pos in VERBS and not timeless(sentence, above) and not scope[i]:
            return None  # what is in a place in a place is in the outer one
    joined = tokens[head].dep == "conj" and tokens[head].pos == "NOUN" and kept[first_of(sentence, head)]
    if token.dep == "prep" and joined and not scope[i]:
        return None  # "a man and a dog from the house": parsers cannot know whether both were
    if token.dep == "relcl" and kept[i]:
        return ("relation", f"loses {sentence.low[head]}")
    if token.dep in ("xcomp", "pcomp") and tokens[head].lemma in ATTRIBUTION:
        return ("attribution", f"loses {sentence.low[head]}")
    return ("relation", f"moves {sentence.low[i]} away from {sentence.low[head]}")


def _is_time(sentence: Sentence, i: int) -> bool:
    """Whether a phrase says when."""
    return any(
        sentence.tokens[k].lemma in TIMES or (sentence.low[k][:4].isdigit() and len(sentence.low[k]) in (4, 5))
        for k in sentence.subtree(i)
    )


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


def _definite(sentence: Sentence, i: int) -> bool:
    """Whether a noun speaks of known things, so that what narrows it says which."""
    if sentence.tokens[i].pos == "PRON":
        return True
    opener = next((sentence.low[c] for c in sentence.children[i] if sentence.tokens[c].dep in ("det", "poss")), "")
    if not opener and sentence.tokens[i].tag == "NNS":
        return timeless(sentence, sentence.verb(i))
    return opener not in ("a", "an", "some", "another") and not (opener == "" and sentence.tokens[i].dep == "pobj")


def _after_comma(sentence: Sentence, i: int) -> bool:
    """Whether a phrase is set off: a comma, a dash or a bracket stands before its first word or after its last."""
    span = sentence.subtree(i)
    first, last = min(span), max(span)
    before = sentence.low[first - 1] if first else ","
    after = sentence.low[last + 1] if last + 1 < len(sentence.low) else ""
    marks = (",", "(", "-", "\u2013", "\u2014", "--", ";", ":")
    inner = sentence.low[first]
    return before in marks or inner in marks or (first == 0 and (after == "," or sentence.low[last] == ","))


def _phrase(sentence: Sentence, kept: Sequence[bool], i: int) -> str:
    """Return the words that go with a word, for a report; at most five."""
    gone = [j for j in sorted(sentence.subtree(i)) if not kept[j] and sentence.tokens[j].pos != "PUNCT"]
    return repr(" ".join(sentence.low[j] for j in gone[:5]) + (" ..." if len(gone) > 5 else ""))
