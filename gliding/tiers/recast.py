"""Steps of grammar that bring a source nearer to its rewrite: each says the same in other words or another order.

"Whether" is "if" after verbs of asking, "did not get any" is "got no", "pay a fee to the owner" is "pay the owner a
fee". A step is taken only where the rewrite has what it makes.
"""

from __future__ import annotations

from gliding.text.words import STOP_WORDS
from gliding.tiers.sides import Edit, Side
from gliding.tiers.verbs import forms_of
from gliding.tiers.wording import BE, CONDITIONS, canon

_ASKING = frozenset(
    canon(word)
    for word in """ask know remember wonder see check tell decide determine find say sure unclear uncertain discuss
    question verify learn explain recall test examine consider debate doubt clear understand investigate
    inquire establish""".split()
)
_ANY = {"any": "no", "a": "no", "an": "no", "anything": "nothing", "anyone": "nobody", "anybody": "nobody"}
_PAIRED = {"either": "or", "both": "and"}
_DO = {"do": (0,), "does": (1,), "did": (2,)}
_TIME = frozenset("second minute hour day week month year".split())
_MANDATES = frozenset(map(canon, "recommend suggest insist demand propose request".split()))
_SETTING = frozenset("on in at during after before".split())
# Nouns that only say of what kind a name or a sign is.
_KINDS = frozenset(
    """file command function method class option field variable package directory folder value parameter flag branch
    drug river city town village module library""".split()
)
# What happened, or how it was, and not who did it: "a crash that occurred" is "a crash occurring".
_EVENTS = frozenset(
    map(
        canon, "occur happen appear arise result involve contain include affect concern relate last cover exist".split()
    )
)
_CHANGES = frozenset(
    map(
        canon,
        """rise fall drop grow settle sink shrink increase decrease decline climb slip move shift narrow widen swell
        advance retreat slide gain jump plunge dip soar lengthen shorten""".split(),
    )
)
_SOME = frozenset("some many several few most two three four five six seven eight nine ten".split())
_NONE = frozenset("none some all most many both each neither several few half one".split())
_BECOME = {"grown": "", "become": "", "got": "", "gotten": ""}
_WAS = {"measured": ("was", "were"), "measures": ("is",), "measure": ("are",)}
_WAS |= {"weighed": _WAS["measured"], "weighs": ("is",), "weigh": ("are",)}
_OWNED = frozenset("report reports reported deny denies denied mention mentions mentioned describe describes".split())
_OWNED |= frozenset("described noted notes complains complained complain".split())
_ABOUT = frozenset("less more about around nearly almost only over under roughly approximately up at to least".split())
_HAVE = frozenset("has have had".split())
_BEEN = (BE | _HAVE | frozenset(("already",))) - {"being"}
_FINITE = BE | _HAVE | frozenset("can cannot could will would must may might shall should do does did and or".split())
_SPELLED = frozenset("two three four five six seven eight nine ten eleven twelve fifteen twenty thirty".split())
_THE = frozenset("the these those".split())
_OUR = _THE | frozenset("our its their his her my your".split())
_IS = {"has": "is", "have": "are"}
_TURNED = BE | frozenset("do does did has have had can will".split())
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
        elif word in ("who", "which", "that") and i and following and _having(side, goal, i):
            edits += _having(side, goal, i)
        elif word in ("who", "which", "that") and i and following:
            plain = _plain(following[0])
            for ing in (forms_of(plain)[4], f"{plain}{plain[-1]}ing"):
                if following[0] not in BE and goal.has(side.low[i - 1], ing):
                    edits.append((start, side.spans[i + 1][1], ing))
                    break
            else:
                edits += _eventful(side, goal, i) or _done(side, goal, i)
        elif word in ("has", "have") and following == ["already"] and side.low[i + 2 : i + 3] == ["been"]:
            if goal.has(_IS[word], "already"):
                edits += ((start, end, _IS[word]), (*side.spans[i + 2], ""))
        elif word in ("has", "have") and following == ["been"] and i + 2 < len(side.low):
            clause = _clause(side, i)
            short = "is" if goal.has("is", side.low[i + 2]) else "are"
            now = side.low[i + 2] in ("already", "now")
            if (now or CONDITIONS & set(clause)) and goal.has(short, side.low[i + 2]) and not goal.has(word, "been"):
                edits.append((start, side.spans[i + 1][1], short))
        elif word[0].isdigit() and side.low[i + 1 : i + 4] == ["years", "of", "age"] and goal.has("aged", word):
            first = i - (side.low[i - 1 : i] == ["of"])
            edits.append((side.spans[first][0], side.spans[i + 3][1], f"aged {side.text[start:end]}"))
        elif word == "since" and "," in side.gap(i) and following != ["then"]:
            reason = next((w for w in ("because", "as") if goal.has(w) > side.has(w)), "")
            if reason and following and not following[0][0].isdigit():
                edits.append((start, end, reason))
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


def _having(side: Side, goal: Side, i: int) -> list[Edit]:
    """Say "patients with asthma" for "patients who have asthma", "the first to climb" for "the first who climbed"."""
    low = side.low
    negated = low[i + 1] in _DO and low[i + 2 : i + 3] in (["not"], ["n't"])
    at = i + 1 + 2 * negated
    link = "without" if negated else "with"
    if at + 1 < len(low) and low[at] in (("have",) if negated else ("have", "has", "had")):
        last = at + (negated and low[at + 1] in ("any", "an", "a") and not goal.has(link, low[at + 1]))
        if last + 1 < len(low) and goal.has(low[i - 1], link, low[last + 1]):
            return [(side.spans[i][0], side.spans[last][1], link)]
    verb = low[i + 1]
    if i > 1 and low[i - 2] in ("first", "last", "only", "second", "third", "next"):
        plain = next(
            (
                goal.low[k + 1]
                for k, w in enumerate(goal.low[:-1])
                if w == "to" and k > 0 and goal.low[k - 1] == low[i - 1] and canon(goal.low[k + 1]) == canon(verb)
            ),
            "",
        )
        if plain and plain != verb:
            return [(side.spans[i][0], side.spans[i + 1][1], f"to {plain}")]
    return []


def _eventful(side: Side, goal: Side, i: int) -> list[Edit]:
    """Say "a crash occurring" for "a crash that occurred"."""
    verb = side.low[i + 1]
    if canon(verb) not in _EVENTS:
        return []
    noun = side.low[i - 1]
    pairs = zip(goal.low, goal.low[1:], strict=False)
    ing = next((w for n, w in pairs if n == noun and w.endswith("ing") and canon(w) == canon(verb)), "")
    return [(side.spans[i][0], side.spans[i + 1][1], ing)] if ing else []


def _done(side: Side, goal: Side, i: int) -> list[Edit]:
    """Say "deleted projects" for "projects that have been deleted", where the clause ends with it."""
    end = i + 1
    while end < len(side.low) and side.low[end] in _BEEN:
        end += 1
    if end == i + 1 or end >= len(side.low) or side.low[end - 1] not in BE:
        return []
    noun, done = side.low[i - 1], side.low[end]
    after = side.low[end + 1 : end + 2]
    closed = not after or side.gap(end + 1).strip() or after[0] in _FINITE
    if not closed or "," in side.gap(i) or goal.has(done, noun) <= side.has(done, noun):
        return []
    (start, last), tail = side.spans[i - 1], side.spans[end]
    return [(start, tail[1], f"{side.text[tail[0] : tail[1]]} {side.text[start:last]}")]


def parts(side: Side, goal: Side) -> list[Edit]:
    """Parts of a whole: "some of our customers" is "some customers", "nearly all of which were" is "nearly all"."""
    low, spans = side.low, side.spans
    edits: list[Edit] = []
    for i in range(1, len(low) - 2):
        if low[i] != "of":
            continue
        part, of = low[i - 1], low[i + 1]
        if of in ("which", "whom") and low[i + 2] in BE and part in _NONE and i + 3 < len(low):
            if goal.has(part, low[i + 3]) > side.has(part, low[i + 3]):
                edits.append((spans[i][0], spans[i + 2][1], ""))
        elif part in _SOME and of in _OUR and (part != "most" or of in _THE):
            if goal.has(part, low[i + 2]) > side.has(part, low[i + 2]):
                edits.append((spans[i][0], spans[i + 1][1], ""))
        elif part in _NONE and of in _THE | {"them", "these"}:
            last = i + 1 + (of != "them")
            before = {canon(word) for word in low[: i - 1]}
            named = of == "them" or canon(low[last]) in before
            if named and last + 1 < len(low) and goal.has(part, low[last + 1]) > side.has(part, low[last + 1]):
                edits.append((spans[i][0], spans[last][1], ""))
    return edits


def states(side: Side, goal: Side) -> list[Edit]:
    """What one has or is: "reports that he has pain", "has grown larger", "measured 3 cm", "a further period of"."""
    low, spans = side.low, side.spans
    edits: list[Edit] = []
    for i in range(1, len(low) - 1):
        following = low[i + 1]
        if low[i] in _HAVE and following in _BECOME and i + 2 < len(low):
            short = {"has": "is", "have": "are", "had": "was"}[low[i]]
            for be in (short, "were") if short == "was" else (short,):
                if goal.has(be, low[i + 2]) > side.has(be, low[i + 2]):
                    edits.append((spans[i][0], spans[i + 1][1], be))
                    break
        elif low[i] in _WAS and following[0].isdigit():
            be = next((be for be in _WAS[low[i]] if goal.has(be, following) > side.has(be, following)), "")
            if be:
                edits.append((*spans[i], be))
        elif low[i] == "period" and following == "of" and low[i - 1] in ("further", "additional", "extra", "second"):
            if i + 2 < len(low) and goal.has(low[i - 1], low[i + 2]):
                edits.append((spans[i][0], spans[i + 1][1], ""))
        elif low[i] == "the" and following in _KINDS and i + 2 < len(low) and goal.has(low[i - 1], low[i + 2]):
            name = side.text[slice(*spans[i + 2])]
            if not name.islower() or not name.isalpha():
                edits.append((spans[i][0], spans[i + 1][1], ""))
        elif low[i : i + 2] in (["date", "of"], ["sum", "of"]) and low[i - 1] == "the" and low[i + 2 : i + 3] != []:
            if low[i + 2][0].isdigit() or low[i + 2] == "$":
                edits.append((spans[i - 1][0], spans[i + 1][1], ""))
        elif low[i + 1 : i + 3] == ["in", "writing"] and goal.has("written", low[i]):
            edits.append((spans[i][0], spans[i + 2][1], f"written {low[i]}"))
        elif low[i] in _OWNED:
            at = i + 1 + (following == "that")
            if low[at : at + 1] == [] or low[at] not in ("he", "she", "they", "it") or at + 2 >= len(low):
                continue
            if low[at + 1] in _HAVE and "," not in side.gap(at):
                of = low[i].startswith("complain")
                if goal.has(low[i], "of", low[at + 2]) if of else goal.has(low[i], low[at + 2]):
                    edits.append((spans[i + 1][0], spans[at + 1][1], "of" if of else ""))
    return edits


def _measure(side: Side, i: int) -> bool:
    """Whether a word is the "by" of "rose by 8%", the "for" of "for 20 minutes" or the "on" of "on Monday"."""
    word, following = side.low[i], side.low[i + 1 : i + 3]
    if not i or len(following) < 2 - (word == "on") or word not in ("by", "for", "on"):
        return False
    if word == "on":
        return following[0].endswith("day") and following[0][:3] in ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
    at = i + 1
    while word == "by" and at < len(side.low) and side.low[at] in _ABOUT | {"than"}:
        at += 1
    number = at < len(side.low) and (side.low[at][0].isdigit() or (word == "for" and side.low[at] in _SPELLED))
    changed = canon(side.low[i - 1]) in _CHANGES and side.low[i - 2 : i - 1] != [] and side.low[i - 2] not in BE
    if number and word == "by" and changed:
        return True
    return (
        at == i + 1
        and number
        and (following[1] in ("%", "percent", "per", "points") if word == "by" else following[1].rstrip("s") in _TIME)
    )


def clefts(side: Side, goal: Side) -> list[Edit]:
    """Unfold what points: "there are cats that bite", "it was Ann who left", "not only", "the reason is that"."""
    low, spans = side.low, side.spans
    edits: list[Edit] = []
    for i, word in enumerate(low[:-3]):
        if (word == "there" or word == "it") and low[i + 1] in BE and goal.has(word) < side.has(word):
            openers = ("who",) if word == "it" else ("who", "that", "which")
            if word == "it" and (low[i + 2] in _SETTING or goal.has(low[i + 2], low[i + 3])):
                openers = ("that", "who", "which")
            rel = next((k for k in range(i + 3, min(i + 16, len(low) - 1)) if low[k] in openers), 0)
            told = rel and goal.has(low[rel - 1], low[rel + 1])
            if rel and word == "it" and low[i + 2] in _SETTING and rel + 2 < len(low):  # "it was in May that he left"
                told = told or (goal.has(*low[i + 2 : rel]) and goal.has(low[rel + 1], low[rel + 2])) > 0
            if told and "," not in side.gap(rel):
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
