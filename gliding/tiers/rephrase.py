"""Says a source in the words of its rewrite, by honest steps only, so that what is left to judge is what went.

Each step is from a closed table or a rule of grammar that keeps the claim or makes it weaker ("in the event that" to
"if", "consent of the Client" to "the Client's consent"), and is taken only where it brings the source nearer to the
rewrite. What a step does not reach is judged as it stands.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from gliding.text.words import STOP_WORDS
from gliding.tiers.recast import clefts, grammar, no_for_any, parts, states
from gliding.tiers.reorder import datives, fronted, made_of, patterned, shifted
from gliding.tiers.short_forms import hidden_verbs, light_verbs, phrases, synonyms
from gliding.tiers.sides import Edit, Side, edited, words_of
from gliding.tiers.unfold import implied, manners, measures, nominal, orders, pseudo, wrapped
from gliding.tiers.verbs import adverb_of, forms_of
from gliding.tiers.wording import ARTICLES, canon, kind_of

_LINKS = frozenset("of from in for on at by about with".split())
# A preposition that goes when its noun becomes a verb with an object; not after verbs of giving and speaking.
_CARRIED = frozenset("of into to on about".split())
_NOT_CARRIED = frozenset("offer sell present donate deliver submit object comment agree vote refer reply speak".split())
_MADE = frozenset("made taken given reached carried conducted performed issued held".split())
_COUNTED = frozenset("number amount cost price level city town".split())
_MODALS = frozenset("can could may might must will would should".split())
_OWN = frozenset("his her its their our my your".split())
_WHOM = frozenset("him her us them me you it".split())
_TELLING = frozenset("express voice give make provide submit lodge issue file".split())
# What only leads on to what follows, before a comma.
_OPENERS = frozenset(
    part.strip()
    for part in """
    in addition / on the other hand / on the one hand / in other words / as a result / in contrast / by contrast /
    at the same time / as such / to this end / in turn / in this context / in this regard / to be fair / as you know
    / in short / in summary / to sum up / in conclusion / all in all / as mentioned above / as noted above / as
    mentioned earlier / as noted earlier / as mentioned / as noted / as we all know / sure / right / of course / by
    the way / after all / that said / having said that / that being said / in any case / at any rate / to begin with
    / first of all / last but not least / as always / for example / for instance / as you can see / as you may know
    / as it happens / for your information / as discussed / on top of that / besides / no problem / no worries / as
    a reminder / as a quick reminder / for the record / as an aside / as a side note / on a side note / on a related
    note / long story short / to be clear / just to be clear / to clarify / simply put / put simply / in essence /
    to recap / in brief / let me be clear / to start with / for starters / without further ado / in this respect /
    in that regard / with that in mind / with this in mind / that being the case / as stated above / as i said / as
    i mentioned / as we discussed / as a matter of interest / as everyone knows / at first glance / at first sight /
    what is more / more importantly / thankfully / okay / ok / yes
    """.split("/")
)


def rephrased(source: str, rewrite: str) -> str:
    """Return the source with its phrases in the words of the rewrite, where that is honest; source: the tables.

    >>> rephrased("Sales increased due to the fact that prices dropped.", "Sales rose because prices fell.")
    'Sales rose because prices fell.'
    >>> rephrased("He did not receive any letters.", "He received no letters.")
    'He received no letters.'
    """
    goal = words_of(rewrite)
    side = words_of(source)
    for step in _STEPS:
        edits = step(side, goal)
        if edits:
            side = words_of(edited(side.text, edits))
    return side.text


def compounded(source: str, rewrite: str, *, nouns: Callable[[int, int, int], bool] | None) -> str:
    """Return the source with phrases after nouns before them, as the rewrite has it.

    ``nouns(head, link, last)`` says of the first characters of three words whether they are a noun, a preposition and
    the noun that it governs; None where there is no parse: then only "of" and "'s" are seen.

    >>> compounded("The prior consent of the Client is needed.", "The Client's prior consent is needed.", nouns=None)
    "The Client's prior consent is needed."
    """
    side, goal = words_of(source), words_of(rewrite)
    edits: list[Edit] = []
    for i in range(1, len(side.low) - 1):
        if side.low[i] not in _LINKS or "," in side.gap(i) or side.low[i - 1] in STOP_WORDS or kind_of(side.low[i - 1]):
            continue
        found = _before_noun(side, goal, i)
        if found is None:
            continue
        start, last, text = found
        if nouns is None:
            after = side.low[last + 1 : last + 2]
            closed = not after or after[0] in STOP_WORDS or side.gap(last + 1).strip()
            if side.low[i] != "of" or "'s" not in text.replace("\u2019", "'") or not closed:
                continue
        elif not nouns(side.spans[i - 1][0], side.spans[i][0], side.spans[last][0]):
            continue
        edits.append((side.spans[start][0], side.spans[last][1], text))
    return edited(source, edits)


def _before_noun(side: Side, goal: Side, i: int) -> tuple[int, int, str] | None:
    """Find a rewrite's "B ('s) X A" for the source's "X A of B": (first word, last word, what stands for them)."""
    low = side.low
    begin = i + 1 + (low[i + 1] in ARTICLES)
    head = low[i - 1]
    for size in (4, 3, 2, 1):
        last = begin + size - 1
        if last >= len(low):
            continue
        name = [canon(word) for word in low[begin : last + 1]]
        for at in range(len(goal.low) - size):
            if [canon(word) for word in goal.low[at : at + size]] != name:
                continue
            end = at + size
            owned = goal.low[end : end + 1] == ["'s"]
            if owned and goal.low[end - 1] != low[last]:
                continue
            end += owned
            for before in range(5):
                start = i - 1 - before
                if start < 0 or goal.low[end : end + before + 1] != low[start:i]:
                    continue
                plain = not any(w in STOP_WORDS or "," in side.gap(start + 1 + k) for k, w in enumerate(low[start:i]))
                if plain and goal.low[end + before] == head:
                    chars = goal.text[goal.spans[at][0] : goal.spans[end + before][1]]
                    return start, last, chars
    return None


def _wordy(side: Side, goal: Side) -> list[Edit]:
    """Wordy phrases of the table."""
    table, edits, used = phrases(), [], Counter[tuple[str, ...]]()
    at = 0
    while at < len(side.low):
        size = 1
        for wordy, options in table.get(side.low[at], ()):
            if tuple(side.low[at : at + len(wordy)]) != wordy or goal.has(*wordy) >= side.has(*wordy):
                continue
            if any("," in side.gap(k) for k in range(at + 1, at + len(wordy))):
                continue
            for option in options:
                if at and side.low[at - 1] in ("not", "n't") and option in _MODALS:
                    continue  # "need not" is not "must not"
                run = tuple(words_of(option).low)
                inside = sum(wordy[k : k + len(run)] == run for k in range(len(wordy)))
                of_one = wordy[-1] == "of" and side.low[at + len(wordy) : at + len(wordy) + 1] == ["the"]
                if not run and any(of_one or goal.has(w) >= side.has(w) for w in wordy if w in _COUNTED):
                    continue  # "the number of the clinic" is not "the clinic"
                if run and goal.has(*run) <= side.has(*run) - inside + used[run]:
                    continue
                used[run] += 1
                size = len(wordy)
                edits.append((side.spans[at][0], side.spans[at + size - 1][1], option))
                edits += _adapted(side, goal, at + size, run)
                break
            if size > 1 or (edits and edits[-1][0] >= side.spans[at][0]):
                break
        at += size
    return edits


def _adapted(side: Side, goal: Side, at: int, run: tuple[str, ...]) -> list[Edit]:
    """The form of the word after a phrase: "for the purpose of testing" is "to test", "each of the cats" "each cat"."""
    if at >= len(side.low) or not run:
        return []
    word = side.low[at]
    if run[-1] in _MODALS:  # "has to wash and to dry"
        for k in range(at + 1, len(side.low) - 2):
            if side.gap(k).strip():
                break
            if side.low[k] in ("and", "or") and side.low[k + 1] == "to" and goal.has(side.low[k], side.low[k + 2]):
                return [(*side.spans[k + 1], "")]
    if not word.endswith("ing") and run[-1] not in ("each", "every", "neither"):
        return []
    for one, other in zip(goal.low, goal.low[1:], strict=False):
        if one == run[-1] and other != word and canon(other) == canon(word):
            return [(*side.spans[at], other)]
    return []


def _synonyms(side: Side, goal: Side) -> list[Edit]:
    """Words of one class, the one that stands among the same neighbours first."""
    table = synonyms()
    need, spare = Counter(goal.low) - Counter(side.low), Counter(side.low) - Counter(goal.low)
    edits: list[Edit] = []
    for j, word in enumerate(goal.low):
        classmates = table.get(word)
        if not classmates or need[word] <= 0:
            continue
        places = [
            i for i, low in enumerate(side.low) if low in classmates and spare[low] > 0 and _same_use(side, i, word)
        ]
        if not places:
            continue
        best = max(places, key=lambda i: (_likeness(side, i, goal, j), -i))
        need[word] -= 1
        spare[side.low[best]] -= 1
        edits.append((*side.spans[best], word))
    return edits


def _same_use(side: Side, i: int, word: str) -> bool:
    if i and side.gap(i).strip() == "" and side.text[side.spans[i][0]].isupper():
        return False  # a name
    if "some" in (word, side.low[i]):  # "some 300" is "about 300", "some guests" is not
        return side.low[i + 1 : i + 2] != [] and side.low[i + 1][0].isdigit()
    return True


def _likeness(side: Side, i: int, goal: Side, j: int) -> int:
    return sum(
        1
        for step in (-2, -1, 1, 2)
        if 0 <= i + step < len(side.low) and 0 <= j + step < len(goal.low) and side.low[i + step] == goal.low[j + step]
    )


def _light_verbs(side: Side, goal: Side) -> list[Edit]:
    """A verb in a noun: "carried out an inspection of" is "inspected"."""
    edits: list[Edit] = []
    missing = set(goal.low) - set(side.low)
    if not missing:
        return edits
    for i, light in enumerate(side.low[:-1]):
        verb = light_verbs().get(light, "")
        if not verb:
            continue
        at = i + 1 + (side.low[i + 1] == "out")
        at += side.low[at : at + 1] != [] and side.low[at] in (ARTICLES | _OWN if verb in _TELLING else ARTICLES)
        at, whom = _given(side, i, at) if verb == "give" else (at, "")
        if at >= len(side.low):
            continue
        how = adverb_of(side.low[at]) if side.low[at] not in STOP_WORDS and not kind_of(side.low[at]) else ""
        first, at = (
            at,
            at + bool(how and not _verbs_in(side.low[at]) and _verbs_in(" ".join(side.low[at + 1 : at + 2]))),
        )
        noun, hidden = side.low[at], _verbs_in(side.low[at])
        shapes = [k for k, form in enumerate(forms_of(verb)) if form == light]
        said = (
            {forms_of(name)[k]: name for name in hidden for k in shapes} if at > i + 1 or noun in hidden_verbs() else {}
        )
        word = next((w for w in goal.low if w in missing and w in said), "")
        if not word:
            continue
        end = at
        link = side.low[at + 1 : at + 2]
        if link and link[0] in _CARRIED and said[word] not in _NOT_CARRIED and not goal.has(word, link[0]):
            end = at + 1
        said_so = f"{how} {word}" if at > first else word
        edits.append((side.spans[i][0], side.spans[end][1], f"{said_so} {whom}" if whom else said_so))
        after = side.low[end + 1 : end + 3]
        ing = forms_of(after[1])[4] if len(after) == 2 and after[0] == "to" else ""
        if ing and goal.has(word, ing):  # "made a recommendation to raise", "recommended raising"
            edits.append((side.spans[end + 1][0], side.spans[end + 2][1], ing))
    return edits


def _verbs_in(noun: str) -> frozenset[str]:
    """The verbs that a noun hides, one or many: "copies" as "copy"."""
    table = hidden_verbs()
    return (
        table.get(noun) or table.get(noun.removesuffix("s")) or table.get(noun.removesuffix("ies") + "y", frozenset())
    )


def passive_nouns(side: Side, goal: Side) -> list[Edit]:
    """Say "the board decided" for "a decision was made by the board", of a thing too."""
    low, spans = side.low, side.spans
    for i in range(2, len(low) - 3):
        if low[i] not in ("was", "were") or low[i + 1] not in _MADE:
            continue
        by = i + 2 + (low[i + 2] == "out")
        of = next((k for k in range(max(1, i - 8), i) if low[k] == "of"), 0)
        noun = low[of - 1] if of else low[i - 1]
        start = (of or i) - 1
        start -= start > 0 and low[start - 1] in ARTICLES
        if low[by] != "by" or start:
            continue
        verbs = [forms_of(verb)[2] for verb in hidden_verbs().get(noun, ())]
        for size in range(1, 6):
            who = low[by + 1 : by + 1 + size]
            done = next((verb for verb in verbs if goal.has(*who, verb)), "")
            if len(who) == size and done and low[by + 1 + size : by + 2 + size] != ["and"]:
                doer = side.text[spans[by + 1][0] : spans[by + size][1]]
                thing = f" {side.text[spans[of + 1][0] : spans[i - 1][1]]}" if of else ""
                return [(spans[0][0], spans[by + size][1], f"{doer} {done}{thing}")]
    return []


def _given(side: Side, i: int, at: int) -> tuple[int, str]:
    """Where the noun of "gave the board a warning" stands, and whom it was given."""
    low = side.low
    if low[at : at + 1] and low[at] in hidden_verbs():
        return at, ""
    for k in range(i + 2, min(i + 6, len(low) - 1)):
        if low[k] in ARTICLES and low[k + 1] in hidden_verbs() and k + 1 != at:
            return k + 1, side.text[side.spans[i + 1][0] : side.spans[k - 1][1]]
        if k == i + 2 and low[i + 1] in _WHOM and low[k] in hidden_verbs():
            return k, side.text[slice(*side.spans[i + 1])]
    return at, ""


def _opened(side: Side, goal: Side) -> list[Edit]:
    """Words before the first comma that only lead on to what follows: "in addition", "sure"."""
    for size in range(1, 6):
        opener = " ".join(side.low[:size])
        if opener in _OPENERS and len(side.low) > size and "," in side.gap(size) and goal.low[:size] != side.low[:size]:
            return [(side.spans[0][0], side.spans[size][0], "")]
    return []


_STEPS = (
    _opened,
    orders,
    implied,
    measures,
    wrapped,
    patterned,
    manners,
    _wordy,
    nominal,
    made_of,
    clefts,
    fronted,
    passive_nouns,
    pseudo,
    _light_verbs,
    no_for_any,
    parts,
    states,
    grammar,
    datives,
    _synonyms,
    shifted,
)
