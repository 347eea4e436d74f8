"""Steps that unfold what is wrapped up: measures and clauses in nouns, orders and judgements in front of a clause.

"Has a height of 9 metres" is "is 9 metres high", "before the start of the trial" is "before the trial started", "it is
necessary for you to sign" is "you must sign". A step is taken only where the rewrite has what it makes.
"""

from __future__ import annotations

from gliding.text.words import STOP_WORDS
from gliding.tiers.sides import Edit, Side
from gliding.tiers.verbs import adverb_of, forms_of
from gliding.tiers.wording import ARTICLES, BE, canon

_MEASURES = {
    "height": ("high", "tall"),
    "length": ("long",),
    "width": ("wide",),
    "breadth": ("wide", "broad"),
    "depth": ("deep",),
    "thickness": ("thick",),
    "age": ("old",),
}
# Nouns of a measure by the verb that says it.
_MEASURED = {
    "weight": ("weigh",),
    "mass": ("weigh",),
    "cost": ("cost",),
    "price": ("cost",),
    "capacity": ("hold", "seat"),
    "area": ("cover",),
    "duration": ("last",),
    "membership": ("have",),
    "population": ("have",),
}
_HAVE = {"has": (1, ("is",)), "have": (0, ("are",)), "had": (2, ("was", "were"))}
_JUDGED = {
    "possible": ("possibly", "perhaps", "maybe"),
    "probable": ("probably", "likely"),
    "likely": ("likely", "probably"),
    "unlikely": (),
    "certain": ("certainly",),
    "apparent": ("apparently",),
}
_MAY = {"was": "may have been", "were": "may have been", "is": "may be", "are": "may be", "has": "may have"}
_MAY |= {"have": "may have", "will": "may", "had": "may have", "can": "may"}
_NEEDED = frozenset("necessary essential vital crucial mandatory compulsory obligatory required imperative".split())
_FREE = frozenset("permitted permissible allowed".split())
_LEADS = ("before", "after", "until", "since", "when", "while", "once", "till")
# Nouns of what happens to their "of", by the verb: "the arrival of the train", "the train arrived".
_HAPPENED = """start start/beginning begin/commencement start/commencement begin/end end/ending end/conclusion end/
    opening open/closing close/closure close/launch launch/arrival arrive/departure depart/departure leave/death die/
    collapse collapse/fall fall/rise rise/failure fail/return return/birth be/expiry expire/expiration expire/
    disappearance disappear/appearance appear/resignation resign/retirement retire/explosion explode/eruption erupt/
    breakdown fail/completion finish/completion end/outbreak start/onset start/onset begin/passing die/sinking sink"""
_DONE = """construction build/building build/purchase buy/purchase purchase/sale sell/election elect/discovery discover/
    destruction destroy/removal remove/release release/publication publish/invention invent/introduction introduce/
    installation install/completion complete/approval approve/adoption adopt/signing sign/capture capture/arrest arrest/
    murder murder/assassination assassinate/demolition demolish/delivery deliver/foundation found/founding found/
    creation create/abolition abolish/appointment appoint/execution execute/loss lose/theft steal/payment pay/
    replacement replace/repair repair/acquisition acquire/cancellation cancel/launch launch/opening open/
    closure close"""
_EVENTS: dict[str, list[str]] = {}
_DEEDS: dict[str, list[str]] = {}
for _table, _lines in ((_EVENTS, _HAPPENED), (_DEEDS, _DONE)):
    for _pair in _lines.split("/"):
        _noun, _verb = _pair.split()
        _table.setdefault(_noun, []).append(_verb)
# What only says that an order is one.
_ORDERS = tuple(
    tuple(part.split())
    for part in """make sure that you/make sure you/make sure to/make certain that you/make certain you/ensure that you/
    ensure you/be sure to/be sure that you/be sure you/be careful to/take care to/take care that you/see that you/
    see to it that you/remember to/remember that you must/remember that you should/be certain to/be certain that you/
    go ahead and/you will need to/you will have to/you need to/you have to/you must/you should/you are to/
    you are required to/you are requested to/you are asked to/you are advised to/you are kindly requested to/
    would you be so kind as to/could you please/would you please/can you please/would you kindly/could you kindly/
    would you mind/i need you to/what you need to do is/all you have to do is/all you need to do is/
    we ask you to/we ask that you/we request that you/we kindly ask you to/i would ask you to/do not forget to/
    don't forget to""".split("/")
)
_HELPERS = BE | frozenset("have has had will would can could may might must shall should do does did".split())


def measures(side: Side, goal: Side) -> list[Edit]:
    """Say "is 9 metres high" for "has a height of 9 metres", "was 6%" for "stood at 6%"."""
    low, spans = side.low, side.spans
    edits: list[Edit] = []
    for i in range(1, len(low) - 2):
        if low[i] in ("stood", "stands", "stand") and low[i + 1] == "at":
            number = _number(side, i + 2)
            for be in ("was", "were") if low[i] == "stood" else ("is", "are"):
                if number and goal.has(be, low[i + 2]) > side.has(be, low[i + 2]):
                    edits.append((spans[i][0], spans[i + 1][1], be))
                    break
        elif low[i] in _HAVE and i + 4 < len(low) and low[i + 1] in ARTICLES and low[i + 3] == "of":
            form, copulas = _HAVE[low[i]]
            noun, end = low[i + 2], _number(side, i + 4)
            amount = side.text[spans[i + 4][0] : spans[end][1]] if end else ""
            size = low[i + 4 : end + 1]
            for adjective in _MEASURES.get(noun, ()):
                said = [verb for verb in copulas if end and goal.has(verb, *size, adjective)]
                edits += [(spans[i][0], spans[end][1], f"{verb} {amount} {adjective}") for verb in said]
            said = [forms_of(name)[form] for name in _MEASURED.get(noun, ())]
            edits += [(spans[i][0], spans[end][1], f"{v} {amount}") for v in said if end and goal.has(v, *size)]
        elif low[i] == "of" and _number(side, i + 1) and low[i - 1] not in STOP_WORDS:
            pair = (low[i - 1], low[i + 1])
            edits += [(*spans[i], "")] if goal.has(*pair) > side.has(*pair) else []
    return edits


def _number(side: Side, i: int) -> int:
    """The last word of a number with its bound and unit that begins here, 0 where there is none."""
    at = i
    while at < len(side.low) and side.low[at] in _BOUNDS:
        at += 1
    if at >= len(side.low):
        return 0
    digits = (
        side.low[at][0].isdigit() or side.low[at] in _SPELLED or side.low[at] in ("$", "€", "£", "eur", "usd", "gbp")
    )
    if not digits:
        return 0
    while at + 1 < len(side.low) and not side.gap(at + 1).strip(" -") and side.low[at + 1] in _UNITS:
        at += 1
    return at


_MONEY = frozenset("$ € £ eur usd gbp".split())
_BOUNDS = frozenset("about around over under nearly almost up to at least most more less than only just some".split())
_SPELLED = frozenset(
    """two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
    nineteen twenty thirty forty fifty sixty seventy eighty ninety""".split()
)
_UNITS = frozenset(
    """metres meters metre meter feet foot inches inch miles mile km m cm mm kilometres kilometers centimetres
    centimeters millimetres millimeters kg kilograms kilos grams tonnes tons pounds euros dollars yen litres liters
    years year months month weeks week days day hours hour minutes minute seconds second hundred thousand million
    billion percent square cubic hectares acres people pages members seats passengers""".split()
)


def wrapped(side: Side, goal: Side) -> list[Edit]:
    """Say "you must sign" for "it is necessary for you to sign", "perhaps" for "it is possible that"."""
    low, spans = side.low, side.spans
    for i in range(len(low) - 4):
        if low[i] != "it" or low[i + 1] not in BE:
            continue
        word, link = low[i + 2], low[i + 3]
        if link == "that" and word in _JUDGED:
            for adverb in _JUDGED[word]:
                edits = _judged(side, goal, i, adverb)
                if edits:
                    return edits
            helper = next((k for k in range(i + 5, min(i + 16, len(low))) if low[k] in _HELPERS), 0)
            may = _MAY.get(low[helper], "") if word == "possible" and helper else ""
            for form in (may, may.replace("may", "might")):
                if form and goal.has(*form.split()):
                    return [(spans[i][0], spans[i + 3][1], ""), (*spans[helper], form)]
        modals = ("must",) if word in _NEEDED else ("may", "can") if word in _FREE else ()
        modals = ("can",) if word == "possible" else modals
        if link == "for" and modals:
            to = next((k for k in range(i + 5, min(i + 14, len(low) - 1)) if low[k] == "to"), 0)
            for modal in modals:
                if to and goal.has(low[to - 1], modal, low[to + 1]):
                    return [(spans[i][0], spans[i + 3][1], ""), (*spans[to], modal)]
    return []


def _judged(side: Side, goal: Side, i: int, adverb: str) -> list[Edit]:
    low, spans = side.low, side.spans
    start, end = spans[i][0], spans[i + 3][1]
    if adverb not in goal.low or (adverb in low and adverb != low[i + 2]):
        return []
    j = goal.low.index(adverb)
    if goal.low[j + 1 : j + 3] == low[i + 4 : i + 6]:
        return [(start, end, adverb)]
    for k in range(i + 5, len(low)):
        if j and low[k - 1] == goal.low[j - 1] and goal.low[j + 1 : j + 2] == low[k : k + 1]:
            return [(start, end, ""), (spans[k][0], spans[k][0], f"{adverb} ")]
    return []


def nominal(side: Side, goal: Side) -> list[Edit]:
    """Say "before the trial started" for "before the start of the trial"."""
    low, spans = side.low, side.spans
    edits: list[Edit] = []
    for i in range(1, len(low) - 3):
        at = i + (low[i] == "the")
        if low[i - 1] not in (*_LEADS, "upon", "on", "following") or low[at + 1] != "of":
            continue
        forms = [forms_of(verb)[k] for verb in _EVENTS.get(low[at], ()) for k in (2, 1, 0)]
        forms += [
            f"{be} {forms_of(verb)[3]}" for verb in _DEEDS.get(low[at], ()) for be in ("was", "were", "is", "are")
        ]
        lead = low[i - 1] if low[i - 1] in _LEADS else "after" if low[i - 1] == "following" else "when"
        for size in range(1, 7):
            thing = low[at + 2 : at + 2 + size]
            if len(thing) < size or thing[-1] in STOP_WORDS:
                continue
            verb = next((form for form in forms if goal.has(lead, *thing, *form.split())), "")
            if verb:
                noun = side.text[spans[at + 2][0] : spans[at + 1 + size][1]]
                edits.append((spans[i - 1][0], spans[at + 1 + size][1], f"{lead} {noun} {verb}"))
                break
    return edits


def orders(side: Side, goal: Side) -> list[Edit]:
    """Say "send it" for "please make sure that you send it": an order stays one."""
    low = side.low
    if not low or not goal.low:
        return []
    first = int(low[0] in ("please", "kindly"))
    for order in _ORDERS:
        end = first + len(order)
        plain = goal.low[int(goal.low[0] in ("please", "kindly")) :]
        told = tuple(low[first:end]) == order and end < len(low) and plain[:1] == low[end : end + 1]
        if told and (low[end] not in _HELPERS | {"not"} or low[end] in ("be", "have", "do")):
            return [(side.spans[first][0], side.spans[end][0], "")]
    return []


def implied(side: Side, goal: Side) -> list[Edit]:
    """Say "opened it" for "managed to open it", "have moved it" for "have taken the liberty of moving it"."""
    low, spans = side.low, side.spans
    edits: list[Edit] = []
    for i in range(len(low) - 2):
        if low[i] not in _DOING:
            continue
        for lead, form in _DOING[low[i]]:
            end = i + len(lead)
            if tuple(low[i:end]) != lead or end >= len(low):
                continue
            stem = canon(low[end])
            if goal.has(*lead) >= side.has(*lead):
                continue
            word = next((w for w in goal.low if canon(w) == stem and w in _shaped(low[end], form)), "")
            if word and goal.has(word) > side.has(word) - (word == low[end]):
                edits.append((spans[i][0], spans[end][1], word))
                break
    return edits


def _shaped(word: str, form: int) -> set[str]:
    """A verb, given plain or with -ing, in one of its forms."""
    stems = {word}
    if word.endswith("ing"):
        stems = {word[:-3], word[:-3] + "e", word[:-4]}
    return {forms_of(stem)[form] for stem in stems if stem}


_DOING: dict[str, list[tuple[tuple[str, ...], int]]] = {}
for (
    _lead
) in """manage to/succeed in/proceed to/take the liberty of/take the step of/take the trouble to/take the time to/
    go on to/go ahead and/get around to/happen to/see fit to/turn out to""".split("/"):
    _verb, *_rest = _lead.split()
    for _form, _shape in enumerate(forms_of(_verb)):
        _DOING.setdefault(_shape, []).append(((_shape, *_rest), _form))


def manners(side: Side, goal: Side) -> list[Edit]:
    """Say "gently" for "in a gentle manner", "serious" for "of a serious nature", "round" for "round in shape"."""
    low, spans = side.low, side.spans
    edits: list[Edit] = []
    for i in range(1, len(low) - 2):
        if low[i] in ("in", "with") and low[i + 1] in ("a", "an"):
            end = next((k for k in range(i + 3, min(i + 7, len(low))) if low[k] in _MANNERS), 0)
            said = " ".join(adverb_of(w) or w if w not in _LINKING else w for w in low[i + 2 : end])
            whole = low[end + 1 : end + 2] not in (["that"], ["of"], ["to"], ["in"])
            if end and whole and said and goal.has(*said.split()) > side.has(*said.split()):
                edits.append((spans[i][0], spans[end][1], said))
        elif low[i] == "of" and low[i + 1] in ("a", "an") and low[i + 3 : i + 4] != [] and low[i + 3] in _NATURES:
            quality, thing = side.text[slice(*spans[i + 2])], low[i - 1]
            if thing in BE or thing in ("more", "less"):
                edits += [(spans[i][0], spans[i + 3][1], quality)] if goal.has(thing, low[i + 2]) else []
            elif goal.has(low[i + 2], thing):
                noun = side.text[slice(*spans[i - 1])]
                edits.append((spans[i - 1][0], spans[i + 3][1], f"{quality} {noun}"))
        elif low[i] == "in" and low[i + 1] in _LOOKS and i > 1 and low[i - 2] in _LINKING | BE and low[i - 1] not in BE:
            if goal.has(low[i - 1]) and not goal.has(low[i - 1], "in", low[i + 1]):
                edits.append((spans[i][0], spans[i + 1][1], ""))
        elif low[i] == "of" and goal.has(_OF.get(low[i + 1 + (low[i + 1] in _WHOSE)], "-"), low[i - 1]):
            end = i + 1 + (low[i + 1] in _WHOSE)
            edits.append((spans[i - 1][0], spans[end][1], f"{_OF[low[end]]} {side.text[slice(*spans[i - 1])]}"))
    return edits


_MANNERS = frozenset("manner way fashion style tone".split())
_NATURES = frozenset("nature kind character sort type".split())
_LOOKS = frozenset("shape colour color size appearance texture taste nature character design".split())
_LINKING = frozenset("and or but very too more most so quite rather".split())
_WHOSE = ARTICLES | frozenset("his her its their".split())
# Adjectives that say no more than the noun that they come from.
_OF = dict(
    pair.split("/")
    for pair in """face/facial heart/cardiac kidney/renal kidneys/renal liver/hepatic lung/pulmonary lungs/pulmonary
    teeth/dental mind/mental nerve/neural nerves/neural muscle/muscular muscles/muscular brain/cerebral sea/marine
    moon/lunar sun/solar coast/coastal law/legal region/regional culture/cultural industry/industrial
    government/governmental environment/environmental parents/parental abdomen/abdominal spine/spinal
    structure/structural nation/national""".split()
)


def pseudo(side: Side, goal: Side) -> list[Edit]:
    """Say "the tool removes files" for "what the tool does is remove files"."""
    low, spans = side.low, side.spans
    if low[:1] != ["what"]:
        return []
    for k in range(2, min(10, len(low) - 3)):
        if low[k] not in ("does", "do", "did") or low[k + 1] not in ("is", "was"):
            continue
        at = k + 2 + (low[k + 2] == "to")
        form = {"do": 0, "does": 1, "did": 2}[low[k]]
        verb = next((w for w in goal.low if canon(w) == canon(low[at]) and w == forms_of(low[at])[form]), "")
        if verb and goal.has(low[k - 1], verb):
            return [(spans[0][0], spans[1][0], ""), (spans[k][0], spans[at][1], verb)]
    return []
