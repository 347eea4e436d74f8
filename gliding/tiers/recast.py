"""Steps of grammar that bring a source nearer to its rewrite: each says the same in other words or another order.

"Whether" is "if" after verbs of asking, "did not get any" is "got no", "pay a fee to the owner" is "pay the owner a
fee". A step is taken only where the rewrite has what it makes.
"""

from __future__ import annotations

from gliding.text.words import STOP_WORDS
from gliding.tiers.sides import Edit, Side
from gliding.tiers.wording import BE, CONDITIONS, canon, forms_of

_ASKING = frozenset(
    canon(word)
    for word in """ask know remember wonder see check tell decide determine find say sure unclear uncertain discuss
    question verify learn explain recall test examine consider debate doubt clear understand investigate
    inquire establish""".split()
)
_GIVING = frozenset(
    canon(word)
    for word in """give pay send offer show tell lend sell teach bring hand award grant owe pass promise write read
    serve feed leave mail post throw""".split()
)
_ANY = {"any": "no", "a": "no", "an": "no", "anything": "nothing", "anyone": "nobody", "anybody": "nobody"}
_PAIRED = {"either": "or", "both": "and"}
_DO = {"do": (0,), "does": (1,), "did": (2,)}
_TIME = frozenset("second minute hour day week month year".split())
_MANDATES = frozenset(map(canon, "recommend suggest insist demand propose request".split()))
_SETTING = frozenset("on in at during after before".split())
_TURNED = BE | frozenset("do does did has have had can will".split())
_CLAUSES = CONDITIONS | frozenset("and but or that which who whom whose because while as so than not said says".split())
_PUNCTUATION = frozenset(".;:?!")


def no_for_any(side: Side, goal: Side) -> list[Edit]:
    """Say "received no" for "did not receive any"."""
    edits: list[Edit] = []
    for i, word in enumerate(side.low):
        if word not in ("not", "n't"):
            continue
        start = side.spans[i][0]
        any_of = _ANY.get(side.low[i + 2], "") if i + 2 < len(side.low) else ""
        if side.low[i + 1 : i + 2] == ["any"]:
            edits.append((start, side.spans[i + 1][1], ("" if side.gap(i) else " ") + "no"))
        elif any_of and goal.has(any_of) > side.has(any_of):
            verb, helper = side.low[i + 1], side.low[i - 1] if i else ""
            shapes = [forms_of(base)[k] for base in (verb,) for k in _DO.get(helper, (0,))]
            if not goal.has(shapes[0], any_of):
                continue
            start = side.spans[i - 1][0] if helper in _DO else start
            edits.append((start, side.spans[i + 2][1], f"{shapes[0]} {any_of}"))
    return edits


def grammar(side: Side, goal: Side) -> list[Edit]:
    """Words of grammar: "whether" as "if", "either" before "or", reduced relatives, states in the present."""
    edits: list[Edit] = []
    for i, word in enumerate(side.low):
        start, end = side.spans[i]
        following = side.low[i + 1 : i + 2]
        if word == "whether" and goal.has("if") > side.has("if") and not goal.has("whether"):
            asked = any(canon(w) in _ASKING for w in side.low[max(0, i - 4) : i])
            if asked and "," not in side.gap(i) and following != ["or"]:
                edits.append((start, end, "if"))
        elif word in _PAIRED and goal.has(word) < side.has(word) and goal.has(_PAIRED[word]) == side.has(_PAIRED[word]):
            join = next((k for k in range(i + 2, min(i + 14, len(side.low))) if side.low[k] == _PAIRED[word]), 0)
            opens = following[0] != "of" and (word == "either" or following[0] in STOP_WORDS - {"are", "were", "have"})
            if join and opens and not any(_PUNCTUATION & set(side.gap(k)) for k in range(i + 1, join + 1)):
                edits.append((start, end, ""))
        elif word in ("who", "which", "that") and i and following:
            plain = _plain(following[0])
            for ing in (forms_of(plain)[4], f"{plain}{plain[-1]}ing"):
                if following[0] not in BE and goal.has(side.low[i - 1], ing):
                    edits.append((start, side.spans[i + 1][1], ing))
                    break
        elif word in ("has", "have") and following == ["been"] and i + 2 < len(side.low):
            clause = _clause(side, i)
            short = "is" if goal.has("is", side.low[i + 2]) else "are"
            if CONDITIONS & set(clause) and goal.has(short, side.low[i + 2]) and not goal.has(word, "been"):
                edits.append((start, side.spans[i + 1][1], short))
        elif word[0].isdigit() and side.low[i + 1 : i + 4] == ["years", "of", "age"] and goal.has("aged", word):
            first = i - (side.low[i - 1 : i] == ["of"])
            edits.append((side.spans[first][0], side.spans[i + 3][1], f"aged {side.text[start:end]}"))
        elif word == "until" and "from" in side.low[max(0, i - 4) : i] and goal.has("to") > side.has("to"):
            edits.append((start, end, "to"))
        elif word == "at" and following == ["all"] and goal.has("all") < side.has("all"):
            if i + 2 == len(side.low) or side.gap(i + 2).strip():
                edits.append((start, side.spans[i + 1][1], ""))
        elif word == "should" and goal.has(word) < side.has(word) and _MANDATES & {canon(w) for w in _clause(side, i)}:
            edits.append((start, end, ""))
        elif word == "between" and side.low[i + 2 : i + 3] == ["and"] and goal.has(following[0], "to"):
            edits += ((start, end, ""), (*side.spans[i + 2], "to"))
        elif _measure(side, i) and goal.has(side.low[i - 1], following[0]) and not goal.has(side.low[i - 1], word):
            edits.append((start, end, ""))
    return edits


def _measure(side: Side, i: int) -> bool:
    """Whether a word is the "by" of "rose by 8%", the "for" of "for 20 minutes" or the "on" of "on Monday"."""
    word, following = side.low[i], side.low[i + 1 : i + 3]
    if not i or len(following) < 2 - (word == "on") or word not in ("by", "for", "on"):
        return False
    if word == "on":
        return following[0].endswith("day") and following[0][:3] in ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
    number = following[0][0].isdigit()
    return number and (
        following[1] in ("%", "percent", "per", "points") if word == "by" else following[1].rstrip("s") in _TIME
    )


def clefts(side: Side, goal: Side) -> list[Edit]:
    """Unfold what points: "there are cats that bite", "it was Ann who left", "not only", "the reason is that"."""
    low, spans = side.low, side.spans
    edits: list[Edit] = []
    for i, word in enumerate(low[:-3]):
        if (word == "there" or word == "it") and low[i + 1] in BE and goal.has(word) < side.has(word):
            openers = ("who",) if word == "it" else ("who", "that", "which")
            rel = next((k for k in range(i + 3, min(i + 12, len(low) - 1)) if low[k] in openers), 0)
            if rel and goal.has(low[rel - 1], low[rel + 1]) and "," not in side.gap(rel):
                edits += ((spans[i][0], spans[i + 1][1], ""), (*spans[rel], ""))
        elif (
            (word, low[i + 1]) == ("not", "only") and goal.has("only") < side.has("only") and low[i + 2] not in _TURNED
        ):
            but = next((k for k in range(i + 3, len(low) - 1) if low[k] == "but"), 0)
            if but and goal.has("and") > side.has("and"):
                end = but + (low[but + 1] == "also")
                edits += ((spans[i][0], spans[i + 1][1], ""), (spans[but][0], spans[end][1], "and"))
        elif (word, low[i + 1]) == ("the", "reason") and goal.has("because") > side.has("because"):
            first = i + 2 + (low[i + 2] in ("why", "that"))
            joint = next((k for k in range(first + 2, len(low) - 1) if low[k] in BE and low[k + 1] == "that"), 0)
            if joint:
                edits += ((spans[i][0], spans[first - 1][1], ""), (spans[joint][0], spans[joint + 1][1], "because"))
    return edits


def fronted(side: Side, goal: Side) -> list[Edit]:
    """Say "the council met on Tuesday" for "on Tuesday the council met", where there is one clause only."""
    low = side.low
    if not low or low[0] not in _SETTING or _CLAUSES & set(low) or goal.low[:1] == low[:1]:
        return []
    for size in range(2, min(9, len(low) - 2)):
        if goal.low[-size:] == low[:size] and goal.low[:-size] and goal.low[0] == low[size]:
            start, end, last = side.spans[0][0], side.spans[size][0], side.spans[-1][1]
            phrase = side.text[start : side.spans[size - 1][1]]
            return [(start, end, ""), (last, last, f" {phrase[:1].lower()}{phrase[1:]}")]
    return []


def _plain(form: str) -> str:
    """The plain form of a verb in the present, "miss" of "misses"; a past stays as it is: no form in -ing fits it."""
    endings = (form.removesuffix("s"), form.removesuffix("es"), form.removesuffix("ies") + "y")
    return next((base for base in endings if base != form and forms_of(base)[1] == form), form)


def _clause(side: Side, i: int) -> list[str]:
    """The words before a word up to the last comma."""
    found: list[str] = []
    while i and not set(side.gap(i)) & {",", *_PUNCTUATION}:
        i -= 1
        found.append(side.low[i])
    return found


def datives(side: Side, goal: Side) -> list[Edit]:
    """Say "pay the owner a deposit" for "pay a deposit to the owner"."""
    edits: list[Edit] = []
    for i, verb in enumerate(side.low):
        if canon(verb) not in _GIVING:
            continue
        for to in range(i + 2, min(i + 10, len(side.low) - 1)):
            if side.low[to] not in ("to", "for") or "," in side.gap(to):
                continue
            thing = tuple(side.low[i + 1 : to])
            for size in (1, 2, 3, 4):
                who = tuple(side.low[to + 1 : to + 1 + size])
                if len(who) == size and goal.has(verb, *who, *thing) and not side.has(verb, *who, *thing):
                    first, last = side.spans[i + 1][0], side.spans[to + size][1]
                    whom = side.text[side.spans[to + 1][0] : last]
                    edits.append((first, last, f"{whom} {side.text[first : side.spans[to - 1][1]]}"))
                    break
    return edits
