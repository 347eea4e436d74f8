"""The forms of English verbs: irregular ones by table, the others by rule; and the adverbs of adjectives."""

from __future__ import annotations

from functools import cache

# Irregular verbs by their forms; those that are forms of two verbs are left out.
_VERBS = (
    """do/did/done go/went/gone say/said write/wrote/written take/took/taken give/gave/given begin/began/begun
    come/came/come become/became/become know/knew/known grow/grew/grown throw/threw/thrown drive/drove/driven
    speak/spoke/spoken break/broke/broken choose/chose/chosen steal/stole/stolen eat/ate/eaten see/saw/seen
    buy/bought bring/brought think/thought teach/taught catch/caught sell/sold tell/told hold/held build/built
    send/sent spend/spent lend/lent lose/lost keep/kept sleep/slept feel/felt meet/met lead/led make/made
    pay/paid hear/heard stand/stood understand/understood win/won run/ran/run sing/sang/sung drink/drank/drunk
    sink/sank/sunk swim/swam/swum draw/drew/drawn fly/flew/flown rise/rose/risen fall/fell/fallen
    hide/hid/hidden get/got get/got/gotten forget/forgot/forgotten shoot/shot sit/sat fight/fought seek/sought
    wear/wore/worn tear/tore/torn bear/bore/borne swear/swore/sworn show/showed/shown freeze/froze/frozen
    wake/woke/woken ride/rode/ridden shake/shook/shaken forbid/forbade/forbidden withdraw/withdrew/withdrawn
    strike/struck find/found leave/left arise/arose/arisen awake/awoke/awoken bend/bent bite/bit/bitten
    bleed/bled blow/blew/blown breed/bred cling/clung creep/crept deal/dealt dig/dug feed/fed flee/fled
    fling/flung foresee/foresaw/foreseen forgive/forgave/forgiven hang/hung kneel/knelt mistake/mistook/mistaken
    overcome/overcame/overcome ring/rang/rung shrink/shrank/shrunk slide/slid spin/spun spring/sprang/sprung
    stick/stuck sting/stung swing/swung sweep/swept tread/trod/trodden undergo/underwent/undergone
    undertake/undertook/undertaken weave/wove/woven weep/wept overtake/overtook/overtaken withhold/withheld
    uphold/upheld oversee/oversaw/overseen rebuild/rebuilt mislead/misled misunderstand/misunderstood
    overthrow/overthrew/overthrown shine/shone prove/proved/proven foretell/foretold lay/laid"""
).split()
_FORMS = (
    """be/is/are/was/were/been/being/am have/has/had/having do/does go/goes man/men woman/women child/children foot/feet
    tooth/teeth mouse/mice"""
).split()
# Forms of two verbs ("found", "left") are of neither here.
IRREGULAR = {
    form: forms.split("/")[0]
    for forms in (*_VERBS, *_FORMS)
    for form in forms.split("/")[1:]
    if form not in ("found", "left", forms.split("/")[0])
}

_DOUBLED = frozenset(
    """put get set cut stop plan run win sit refer admit permit submit occur bid drop quit rob ship begin forget ban
    scrap trim map drag drum grab swap rub sob tap wrap jam ram pin spin tip rip slip skip step top shop chop
    stir star bar scan span plug hug tug beg fit knit spot plot knot regret commit omit equip transfer prefer
    confer infer defer deter compel expel control patrol rebel dip jog log nap dub shun slap
    snap pat nod chat""".split()
)
_PAST = {irregular.split("/")[0]: irregular.split("/")[1:] for irregular in _VERBS}
_UNCHANGED = frozenset("put set cut let hit hurt cost shut bid quit spread burst cast shed rid upset bet read".split())


@cache
def forms_of(lemma: str) -> tuple[str, str, str, str, str]:
    """Return the forms of a verb: plain, with s, past, participle, with ing; of a noun the first two are right.

    >>> forms_of("carry")
    ('carry', 'carries', 'carried', 'carried', 'carrying')
    >>> forms_of("write")
    ('write', 'writes', 'wrote', 'written', 'writing')
    """
    if lemma == "be":
        return ("be", "is", "was", "been", "being")
    if lemma == "have":
        return ("have", "has", "had", "had", "having")
    vowel = lemma[-2:-1] in tuple("aeiou")
    stem_y = lemma.endswith("y") and not vowel
    third = (
        lemma[:-1] + "ies" if stem_y else lemma + ("es" if lemma.endswith(("s", "x", "z", "ch", "sh", "o")) else "s")
    )
    base = lemma + lemma[-1] if lemma in _DOUBLED else lemma
    past = lemma[:-1] + "ied" if stem_y else lemma + "d" if lemma.endswith("e") else base + "ed"
    ing = base if not lemma.endswith("e") or lemma.endswith(("ee", "oe", "ye")) else lemma[:-1]
    known = [lemma] if lemma in _UNCHANGED else _PAST.get(lemma, [past])
    return (lemma, third, known[0], known[-1], ing + "ing")


@cache
def adverb_of(adjective: str) -> str:
    """Return the adverb of an adjective, empty where it has none of its own.

    >>> [adverb_of(word) for word in ("careful", "gentle", "happy", "drastic", "good", "friendly")]
    ['carefully', 'gently', 'happily', 'drastically', 'well', '']
    """
    if adjective in ("good", "fast", "hard", "early", "daily", "weekly", "public", "whole", "true"):
        return {"good": "well", "public": "publicly", "whole": "wholly", "true": "truly"}.get(adjective, adjective)
    if adjective.endswith("ly") or len(adjective) < 3:
        return ""
    if adjective.endswith("le") and adjective[-3] not in "aeiou":
        return adjective[:-1] + "y"
    if adjective.endswith("y") and adjective[-2] not in "aeiou":
        return adjective[:-1] + "ily"
    return adjective + ("ally" if adjective.endswith("ic") else "y" if adjective.endswith("ll") else "ly")
