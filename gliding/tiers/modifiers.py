"""Whether what narrows a word may go: adjectives, adverbs and phrases with a preposition, and what governs them.

A modifier goes freely unless something makes the shorter sentence say more, or another thing: an operator that turns
the order of strength round, a thing that only the modifier tells from its like, a verb that is nothing without it, or
a place in the sentence that makes it the point of the whole.
"""

from __future__ import annotations

from collections.abc import Sequence

from gliding.tiers.syntax import VERBS, Sentence, generic, timeless
from gliding.tiers.wording import ARTICLES, ATTRIBUTION, DEGREES, QUANTIFIERS, TIMES

# Operators under which a weaker statement still follows from a stronger one: "could kill a man", "must hop fast".
_UPWARD = frozenset(("duty", "chance"))
# Adjectives that say which of several: what is forbidden of the one is not forbidden of all.
_TELLING = frozenset(
    """left right front back rear upper lower inner outer top bottom middle first second third last next previous
    other main side same different wrong new old current original final full own certain specific particular
    individual red green blue yellow black white orange brown grey gray hot cold warm wet dry small large big
    little long short high low heavy light wide narrow thick thin open closed empty written valid signed prior
    express full-time part-time public private internal external primary secondary local foreign domestic male
    female adult young elderly registered licensed authorised authorized qualified certified electric manual
    automatic spare emergency night day""".split()
)
_SIDED = frozenset("left right front back rear upper lower inner outer first second last other red green".split())
_PARTS = frozenset("half part rest majority minority percent % number proportion share quarter third fraction".split())
# Prepositions without which another thing is said, whatever stands under them.
_TURNING = frozenset("of against without than except like unlike as versus but minus instead".split())
# Verbs (and "be") that mean little without the phrase that follows them.
_GOVERNED = frozenset(
    """be rely depend focus insist base concentrate count consist result agree differ suffer belong refer lead apply
    amount contribute respond relate object consent commit stem participate specialize specialise engage succeed deal
    believe aim range vary turn act serve remain stay become go get lie look call ask wait care account lack
    live""".split()
)
# What one does for a living or a while: "worked as a cook" says that one worked.
_OCCUPIED = frozenset(
    "work study train travel volunteer live tour play practise practice perform stay begin start".split()
)
_SIDES = frozenset("north south east west northeast northwest southeast southwest upstream downstream".split())
_WITHIN = frozenset("in on at near inside outside".split())
_EVENT = frozenset("in on at near inside outside during".split())
_COUNTING = frozenset("consecutive successive straight running additional further extra".split())
# What such a thing is not: a cancelled concert is none.
_PRIVATIVE = frozenset(
    """cancelled canceled aborted foiled thwarted averted prevented near dummy decoy bogus phoney phony pretend apparent
    would-be invalid unsigned unfinished incomplete unborn toy""".split()
)
# What one feels about a thing; no thing is told from its like by it.
_PRAISING = frozenset(
    """boring dull lovely famous renowned celebrated picturesque charming splendid magnificent gorgeous wonderful
    terrible awful horrible dreadful silly beloved notorious infamous sad unfortunate lavish ill-fated impressive
    delightful dreary quaint stately venerable illustrious proud bustling sleepy legendary tragic humble""".split()
)
# "As a token of his thanks" says why, not what it was.
_WHY = frozenset("token sign mark gesture gift reward symbol tribute reminder favour favor compliment joke".split())
_TOTAL = frozenset("all every each any no none both everyone everything nobody nothing always never".split())
BESIDE = frozenset("unlike contrary because due owing thanks despite notwithstanding besides given".split())
_PARTICLES = frozenset("up out off down away back ago there".split())


def adverb(sentence: Sentence, scope: Sequence[frozenset[str]], i: int) -> tuple[str, str] | None:
    """Return (kind, what stands over it) where an adverb may not go, else None."""
    tokens, word, head = sentence.tokens, sentence.low[i], sentence.tokens[i].head
    over = scope[head] & scope[i]
    following = sentence.low[i + 1 : i + 2]
    if tokens[head].pos == "NUM" or word in _PARTICLES or (following[:1] and following[0] in _TOTAL):
        return ("relation", "")
    if word == "so" and tokens[head].pos in VERBS:
        return None  # it leads on
    if word in _SIDES:
        return _under(over)
    if word in DEGREES:
        harmless = {"modal", "order", "quantifier", *_UPWARD}
        return _under(over - harmless - ({"comparative"} if tokens[head].tag in ("JJR", "RBR") else set()))
    if not (word.endswith("ly") or head > i or tokens[i].pos == "ADV"):
        return _under(over) or ("relation", "")
    if tokens[head].lemma in ("be", "live", "behave", "do") and sentence.verb(head) == head:
        whole = sentence.has(head, frozenset(("attr", "acomp", "prep", "dobj")))
        return _under(over) if whole else ("relation", "")
    over -= {"quantifier", *_UPWARD}
    if i < head or sentence.has(head, frozenset(("dobj",))):
        over -= {"order"}
    if i < head and tokens[head].pos in VERBS:
        over -= {"modal"}  # before its verb it is not what is allowed: "may quietly close", but "may drive slowly"
    return _under(over)


def adjective(sentence: Sentence, scope: Sequence[frozenset[str]], i: int) -> tuple[str, str] | None:
    """Return (kind, what stands over it) where an adjective or a noun before a noun may not go, else None."""
    tokens = sentence.tokens
    token, head = tokens[i], tokens[i].head
    named = token.pos == "PROPN" and sentence.text[token.start].isupper()
    how_far = tokens[head].dep == "pobj" and tokens[head].lemma in _FAR  # "in rare cases"
    if named or how_far or token.tag in ("JJR", "JJS") or sentence.low[i] in _COUNTING | _PRIVATIVE:
        return ("relation", "")
    known = sentence.child(head, "det", "poss") >= 0 and definite(sentence, head)
    if known and sum(other.lemma == tokens[head].lemma for other in tokens) > 1:
        return ("relation", "")  # of two valves it says which
    over = scope[head] & scope[i]
    if known and sentence.low[i] in _PRAISING:
        return None  # it never says which
    if known and refers(sentence, head) and sentence.low[i] not in _TELLING:
        return None  # "the drill" is the drill that was spoken of, also under "failed to" and "must"
    harmless = {"duty", "denial"} if known else {"duty"}
    if sentence.vague(head):
        harmless.add("chance")  # "could cause a mild rash", but not "could harm small suppliers"
    if known and token.dep == "amod" and sentence.low[i] not in _SIDED:
        harmless.add("condition")
    return _under(over - harmless)


def phrase(sentence: Sentence, scope: Sequence[frozenset[str]], kept: Sequence[bool], i: int) -> tuple[str, str] | None:
    """Return (kind, what stands over it) where a phrase with a preposition may not go, else None."""
    tokens, head = sentence.tokens, sentence.tokens[i].head
    if _partial(sentence, i):
        return ("quantifier", "")
    if sentence.low[i] in BESIDE and after_comma(sentence, i):
        return None
    over = scope[head] & scope[i]
    if over == {"negation"} and _once(sentence, i):
        return None
    under = _under(over - {"chance"})
    if under:
        return under
    word, above = sentence.low[i], tokens[head]
    if word == "as" and tokens[sentence.verb(head)].lemma in _OCCUPIED:
        return None
    if above.pos in VERBS:
        if word == "as" and {tokens[c].lemma for c in sentence.children[i]} & _WHY:
            return None
        if word in _TURNING:
            return ("relation", "")
        return ("relation", "") if above.lemma in _GOVERNED and i > head and _alone(sentence, kept, i) else None
    if above.pos in ("NOUN", "PROPN"):
        if above.tag in ("NNS", "NNPS") and (definite(sentence, head) or above.dep == "ROOT"):
            # "repeated by the students in a small room": where it was, whatever the parser hung it on
            place = sentence.child(i, "pobj")
            verb = sentence.verb(head)
            late = verb < head and tokens[verb].tag in ("VBD", "VBN") and word not in _TURNING
            return None if place >= 0 and sentence.vague(place) and late else ("relation", "")
        return ("relation", "") if word in _TURNING - {"of"} else None
    return None if above.pos == "ADV" and word not in _TURNING else ("relation", "")


def _once(sentence: Sentence, i: int) -> bool:
    """Whether a phrase between commas tells of one event before: "the court, after a long trial, has not decided"."""
    noun, verb = sentence.child(i, "pobj"), sentence.verb(i)
    whole = sentence.subtree(i)
    first, last = min(whole), max(whole)
    closed = first > 1 and last + 1 < len(sentence.low) and sentence.low[first - 1] == sentence.low[last + 1] == ","
    past = not timeless(sentence, verb) or not generic(sentence, verb)
    return closed and past and noun >= 0 and sentence.low[i] in ("after", "following") and sentence.vague(noun)


def _alone(sentence: Sentence, kept: Sequence[bool], i: int) -> bool:
    """Whether a verb is left without what it needs: an object, a clause, or the first phrase after it."""
    head = sentence.tokens[i].head
    if sentence.has(head, frozenset(("dobj", "attr", "acomp", "xcomp", "ccomp"))):
        return False
    preps = [c for c in sentence.children[head] if c > head and sentence.tokens[c].dep in ("prep", "agent")]
    return not preps or preps[0] == i or not kept[preps[0]]


def slips(sentence: Sentence, scope: Sequence[frozenset[str]], kept: Sequence[bool], i: int) -> bool:
    """Whether a phrase that stays does not say another thing although the phrase that it hangs on went.

    What was at a lecture in Lisbon was in Lisbon, and what was said at a talk on Tuesday was said on Tuesday.
    """
    tokens, low = sentence.tokens, sentence.low
    head = tokens[i].head
    if tokens[i].dep != "prep" or tokens[head].dep != "pobj" or scope[i]:
        return False
    outer = tokens[head].head
    above = tokens[outer].head
    if low[outer] not in _EVENT or not kept[above]:
        return False
    if tokens[above].pos not in VERBS:
        done = tokens[above].dep in ("dobj", "nsubjpass") and tokens[tokens[above].head].pos in VERBS
        return done and kept[tokens[above].head] and (is_time(sentence, i) or low[outer] in ("at", "during"))
    ahead = any(low[c] in ("will", "'ll") for c in sentence.children[above])
    return low[i] in _WITHIN and (ahead or not timeless(sentence, above))


def said(sentence: Sentence, kept: Sequence[bool], i: int) -> bool:
    """Whether a clause is what was told, though the parser hung it on a noun: "told them in a whisper that he ..."."""
    tokens = sentence.tokens
    head = tokens[i].head
    first = min(sentence.subtree(i))
    outer = tokens[head].head
    above = tokens[outer].head
    return (
        tokens[i].dep in ("relcl", "acl", "ccomp")
        and sentence.low[first] == "that"
        and sentence.child(i, "nsubj", "nsubjpass") > first
        and tokens[head].dep == "pobj"
        and not kept[outer]
        and kept[above]
        and tokens[above].lemma in ATTRIBUTION
    )


def _under(over: frozenset[str]) -> tuple[str, str] | None:
    return ("scope", min(over)) if over else None


def refers(sentence: Sentence, i: int) -> bool:
    """Whether a noun speaks of one known thing, so that no operator reaches what is said of it: "the chapel"."""
    tokens, low = sentence.tokens, sentence.low
    if tokens[i].tag not in ("NN", "NNP"):
        return False
    if any(low[c] in QUANTIFIERS or tokens[c].dep in ("predet", "nummod") for c in sentence.children[i]):
        return False
    above = tokens[i].head
    if tokens[i].dep != "pobj" or low[above] != "of":
        return True
    whole = tokens[above].head  # "few of the staff" are told apart by what the staff is
    return not (low[whole] in QUANTIFIERS | _PARTS or tokens[whole].pos in ("NUM", "DET", "PRON"))


def after_comma(sentence: Sentence, i: int) -> bool:
    """Whether a phrase is set off: a comma, a dash or a bracket stands before its first word or after its last."""
    span = sentence.subtree(i)
    first, last = min(span), max(span)
    before = sentence.low[first - 1] if first else ","
    after = sentence.low[last + 1] if last + 1 < len(sentence.low) else ""
    marks = (",", "(", "-", "\u2013", "\u2014", "--", ";", ":")
    inner = sentence.low[first]
    return before in marks or inner in marks or (first == 0 and (after == "," or sentence.low[last] == ","))


def is_time(sentence: Sentence, i: int) -> bool:
    """Whether a phrase says when."""
    return any(
        sentence.tokens[k].lemma in TIMES or (sentence.low[k][:4].isdigit() and len(sentence.low[k]) in (4, 5))
        for k in sentence.subtree(i)
    )


def definite(sentence: Sentence, i: int) -> bool:
    """Whether a noun speaks of known things, so that what narrows it says which."""
    if sentence.tokens[i].pos == "PRON":
        return True
    opener = next((sentence.low[c] for c in sentence.children[i] if sentence.tokens[c].dep in ("det", "poss")), "")
    if not opener and sentence.tokens[i].tag == "NNS":
        return generic(sentence, sentence.verb(i))
    return opener not in ("a", "an", "some", "another") and not (opener == "" and sentence.tokens[i].dep == "pobj")


# "In some cases", "to a certain extent": how far the rest holds.
_PARTIAL = frozenset("some many most certain rare few several other exceptional special numerous individual".split())
_LARGE = frozenset("large small great limited considerable significant greater lesser".split())
_FAR = frozenset(
    """case instance extent degree part time occasion condition circumstance respect place situation whole
    rule average general principle theory practice way particular balance measure exception""".split()
)


def _partial(sentence: Sentence, i: int) -> bool:
    """Whether a phrase says how far, how often or for how many a statement holds."""
    noun = sentence.child(i, "pobj")
    if noun < 0 or sentence.tokens[sentence.tokens[i].head].pos not in (*VERBS, "ADJ"):
        return _at_large(sentence, i)
    told = {sentence.low[k] for k in (noun, *sentence.children[noun])}
    some = bool(told & _PARTIAL)
    if sentence.tokens[noun].lemma in _FAR:
        return some or bool(told & _LARGE) or _at_large(sentence, i)
    return some and timeless(sentence, sentence.verb(i))


def _at_large(sentence: Sentence, i: int) -> bool:
    """Whether a phrase is "in part", "at times", "as a rule", "to a degree": of a preposition and such a noun alone."""
    words = [k for k in sentence.subtree(i) if sentence.low[k] not in ARTICLES and sentence.tokens[k].pos != "PUNCT"]
    far = [k for k in words if sentence.tokens[k].lemma in _FAR or sentence.low[k] in _PARTIAL]
    once = [sentence.low[k] for k in far] == ["time"]  # "on time"
    return bool(far) and not once and all(k in far or sentence.tokens[k].pos == "ADP" for k in words)
