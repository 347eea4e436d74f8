"""Steps that put words where a rewrite has them, or say a phrase by its pattern; the last one needs the tree."""

from __future__ import annotations

import re

from gliding.tiers.repeats import same_one
from gliding.tiers.sides import Edit, Side, words_of
from gliding.tiers.syntax import Sentence
from gliding.tiers.verbs import forms_of
from gliding.tiers.wording import BE, CONDITIONS, canon

_GIVING = frozenset(
    canon(word)
    for word in """give pay send offer show tell lend sell teach bring hand award grant owe pass promise write read
    serve feed leave mail post throw""".split()
)
_GIVEN = {
    form: k
    for verb in ("provide", "supply", "present", "issue", "furnish")
    for k, form in enumerate(forms_of(verb))
    if k != 3
}
_SETTING = frozenset("on in at during after before".split())
_CLAUSES = CONDITIONS | frozenset("and but or that which who whom whose because while as so than not said says".split())
_TIMELY = frozenset("now currently today presently recently soon then later afterwards".split())
_PLAIN_MOVES = frozenset(
    "quickly slowly immediately quietly carefully openly publicly suddenly promptly again also always".split()
)
_BOUND = frozenset("and but or that which who whom whose because while as so than if unless when where".split())


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


def datives(side: Side, goal: Side) -> list[Edit]:
    """Say "pay the owner a deposit" for "pay a deposit to the owner"."""
    edits: list[Edit] = []
    for i, verb in enumerate(side.low):
        form = _GIVEN.get(verb, -1)
        for k in range(i + 2, min(i + 8, len(side.low) - 1) if form >= 0 else 0):
            give = next((w for w in (forms_of("give")[form], "given") if w in goal.low), "gave")
            if side.low[k] == "with" and goal.has(give, *side.low[i + 1 : k], side.low[k + 1]):
                edits += ((*side.spans[i], give), (*side.spans[k], ""))  # "provided them with maps"
                break
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


def made_of(side: Side, goal: Side) -> list[Edit]:
    """Say "rubber bearings" for "bearings made of rubber"."""
    low, spans = side.low, side.spans
    edits: list[Edit] = []
    for i in range(1, len(low) - 2):
        if low[i] in ("made", "built", "constructed") and low[i - 1] not in BE:
            at = i + 1 + (low[i + 1] == "out")
            if low[at] in ("of", "from") and at + 1 < len(low) and goal.has(low[at + 1], low[i - 1]):
                stuff, thing = (side.text[slice(*spans[k])] for k in (at + 1, i - 1))
                edits.append((spans[i - 1][0], spans[at + 1][1], f"{stuff} {thing}"))
    return edits


def shifted(side: Side, goal: Side) -> list[Edit]:
    """Put an adverb where the rewrite has it, inside its clause: "he uses it now", "he now uses it"."""
    low, spans = side.low, side.spans
    for adverb in _TIMELY | _PLAIN_MOVES:
        if low.count(adverb) != 1 or goal.low.count(adverb) != 1:
            continue
        i, j = low.index(adverb), goal.low.index(adverb)
        if j + 1 >= len(goal.low) or low.count(goal.low[j + 1]) != 1 or low[i + 1 : i + 2] == [goal.low[j + 1]]:
            continue
        to = low.index(goal.low[j + 1])
        first, last = sorted((i, to))
        crossed = set(low[first:last]) - {adverb}
        still = adverb in _TIMELY or not crossed & {"not", "n't", "no", "never", "only"}
        if (
            still
            and not crossed & _BOUND
            and not any(set(side.gap(k)) & set(",;:.") for k in range(first + 1, last + 1))
        ):
            word = adverb if to else adverb.capitalize()
            return [(*spans[i], ""), (spans[to][0], spans[to][0], f"{word} ")]
    return []


def patterned(side: Side, goal: Side) -> list[Edit]:
    """Say "up 4%" for "an increase of 4%", "than before" for "than it did before", by patterns."""
    edits: list[Edit] = []
    for pattern, options in _PATTERNS:
        for match in pattern.finditer(side.text):
            for option in options.split("|"):
                said = match.expand(option).strip()
                run = words_of(said).low
                if run and goal.has(*run) > side.has(*run):
                    edits.append((match.start(), match.end(), match.expand(option)))
                    break
    return edits


_COUNT = r"(?=(?:about |around |nearly |almost |more than |over |some )?[\d$\u20ac\u00a3])"


_NOUN = r"((?:(?:the|his|her|their|its|our|my|your|an?) )?[\w'-]+)"


_PATTERNS = tuple(
    (re.compile(rf"\b{wordy}", re.IGNORECASE), plain)
    for wordy, plain in (
        (rf"an? (?:increase|rise|gain|jump) of {_COUNT}", "up "),
        (rf"an? (?:decrease|fall|decline|drop|reduction) of {_COUNT}", "down "),
        (r"(percent|points|million|billion) (?:over|on) (the|last|a)\b", r"\1 from \2"),
        (r"as far as ([\w' -]{1,40}?) (?:is|are) concerned\b", r"as for \1|for \1"),
        (
            r"than (?:it|they|he|she|we|i|you) (?:does|do|did|is|was|are|were|has|have|had) "
            r"(now|before|today|then|yesterday|last \w+|in \d{4})\b",
            r"than \1",
        ),
        (rf"(?:allow|permit) {_NOUN} to (\w+)", r"let \1 \2"),
        (rf"(?:allows|permits) {_NOUN} to (\w+)", r"lets \1 \2"),
        (rf"(?:allowed|permitted) {_NOUN} to (\w+)", r"let \1 \2"),
        (rf"(?:inform|notify|advise) {_NOUN} (?:of|about)\b", r"tell \1 about|tell \1"),
        (rf"(?:informs|notifies|advises) {_NOUN} (?:of|about)\b", r"tells \1 about|tells \1"),
        (rf"(?:informed|notified|advised) {_NOUN} (?:of|about)\b", r"told \1 about|told \1"),
        (r"it is my (?:belief|view|opinion) that\b", "I believe that|I believe|I think that|I think"),
        (r"it is our (?:belief|view|opinion) that\b", "we believe that|we believe|we think that|we think"),
        (r"it is their (?:belief|view|opinion) that\b", "they believe that|they believe|they think that|they think"),
        (r"the (date|day|year|month|week|time|moment|night) (?:on|in|at) which\b (\w+)", r"the \1 \2|when \2"),
        (r"an? ([\w-]+) (?:period|length) of time\b", r"a \1 time|a \1 period"),
    )
)


_TURNED = frozenset(("neg", "auxpass"))
_BEFORE = frozenset("before after while when since".split())
_VOWS = frozenset("promise hope agree decide threaten vow swear pledge expect".split())
_GERUNDS = frozenset("report deny admit recall remember mention regret acknowledge".split())
_JUDGING = frozenset("consider deem find judge think believe prove declare".split())


def bare(sentence: Sentence, goal: Side) -> list[Edit]:
    """Say "find it good" for "find it to be good"."""
    edits: list[Edit] = []
    tokens, low = sentence.tokens, sentence.low
    for i in range(len(low) - 2):
        verb = tokens[i].head
        if low[i] != "to" or low[i + 1] != "be" or goal.has("to", "be", low[i + 2]):
            continue
        judged = {tokens[verb].head, tokens[tokens[verb].head].head}
        if any(tokens[k].lemma in _JUDGING for k in judged) and (low[verb] == "be" or tokens[verb].tag == "VBN"):
            edits.append((tokens[i].start, tokens[i + 1].end, ""))
    return edits


def nonfinite(sentence: Sentence, goal: Side) -> list[Edit]:
    """Say "before leaving" for "before she left" where the subject is surely that of the clause above."""
    edits = bare(sentence, goal)
    tokens, low = sentence.tokens, sentence.low
    for i, opener in enumerate(low[:-2]):
        verb, subject = tokens[i].head, i + 1
        if opener == "that" and tokens[verb].dep == "ccomp" and tokens[tokens[verb].head].lemma in _GERUNDS:
            words = [k for k in range(subject + 1, verb) if tokens[k].dep != "aux"]
            ing = forms_of(tokens[verb].lemma)[4]
            sure = tokens[subject].pos == "PRON" and tokens[subject].head == verb and not sentence.has(verb, _TURNED)
            same = sure and same_one(sentence, [True] * len(tokens), subject, tokens[verb].head)
            if same and goal.has(*(low[k] for k in words), ing):
                edits.append((tokens[i].start, tokens[verb].end, " ".join([*(low[k] for k in words), ing])))
            continue
        if opener == "that" and tokens[verb].dep == "ccomp" and tokens[tokens[verb].head].lemma in _VOWS:
            told, aux = tokens[verb].head, i + 2
            agrees = aux < verb and low[aux] in ("would", "will") and tokens[subject].dep == "nsubj"
            if (
                agrees
                and goal.has(low[told], "to", low[aux + 1])
                and same_one(sentence, [True] * len(tokens), subject, told)
            ):
                edits.append((tokens[i].start, tokens[aux].end, "to"))
            continue
        if opener not in _BEFORE or tokens[verb].dep != "advcl" or tokens[subject].dep != "nsubj":
            continue
        between = range(subject + 1, verb)
        if tokens[subject].head != verb or any(tokens[k].lemma != "have" or tokens[k].dep != "aux" for k in between):
            continue
        pairs = zip(goal.low, goal.low[1:], strict=False)
        stem = canon(tokens[verb].lemma)
        ing = next((w for one, w in pairs if one == opener and w.endswith("ing") and canon(w) == stem), "")
        if ing and same_one(sentence, [True] * len(tokens), subject, tokens[verb].head):
            edits.append((tokens[subject].start, tokens[verb].end, ing))
    return edits
