"""Words for the guard: where they are, how two of them are the same, and which of them a sentence turns on.

It knows nothing of syntax. Three things come from here: the words of a text with their spans, the marks of a text (its
numbers, names, negations, quantifiers ...) as a multiset, and the closed lists that say what a word does to a sentence.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from gliding import facts
from gliding.text.scripts import CJK
from gliding.text.words import stem
from gliding.tiers.verbs import IRREGULAR


class Word(NamedTuple):
    """A word of a text: its span in characters, and its ``key``, equal for surfaces that say the same."""

    start: int
    end: int
    key: str


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


ARTICLES = _set("a an the")
BE = _set("be is are was were been being am")
# Words that carry no claim of their own; they may be gone wherever they stand.
FILLERS = _set(
    """basically actually essentially literally however moreover furthermore also indeed additionally honestly frankly
    obviously clearly certainly definitely anyway well um uh oh hey please kindly therefore thus hence consequently
    accordingly meanwhile nevertheless nonetheless notably importantly interestingly incidentally overall naturally
    undoubtedly evidently of-course sadly fortunately unfortunately luckily surprisingly remarkably"""
)
DEGREES = _set(
    "very really quite rather extremely highly deeply truly totally absolutely utterly incredibly particularly so "
    "especially somewhat fairly pretty greatly strongly considerably significantly substantially"
)
# Without one of these a statement says more, or another thing.
HEDGES = _set(
    """probably possibly perhaps maybe likely unlikely reportedly allegedly apparently seemingly supposedly
    presumably potentially purportedly ostensibly nearly almost virtually practically partly partially largely
    mostly mainly primarily chiefly generally usually often sometimes occasionally frequently typically normally
    roughly approximately about around estimated expected alleged supposed suspected presumed purported
    potential possible probable so-called would-be former ex fake false failed attempted proposed planned
    intended draft provisional tentative prospective aspiring hypothetical theoretical theoretically nominal
    nominally mock simulated counterfeit imitation artificial preliminary temporary temporarily initially
    originally formerly previously falsely wrongly unsuccessfully half-heartedly yet ever always
    exactly precisely until according partial conditional conditionally hopefully ideally technically officially
    unofficially reputedly rumoured rumored candidate pseudo deputy acting assistant vice toy replica mere
    merely solely exclusively alone purely too enough separately respectively otherwise instead least fewest
    undecided unconfirmed unproven self-described self-proclaimed projected forecast anticipated claimed
    imaginary fictional virtual"""
)
# Adjectives of countries have a capital, and are no names.
DEMONYMS = _set(
    """german french italian spanish british english scottish irish welsh dutch belgian swiss austrian danish swedish
    norwegian finnish polish czech russian ukrainian greek turkish portuguese hungarian romanian american canadian
    mexican brazilian chilean chinese japanese korean indian pakistani australian african asian european western eastern
    egyptian israeli iranian iraqi saudi nigerian kenyan vietnamese thai indonesian roman catholic jewish christian"""
)
QUANTIFIERS = _set(
    """all some most few many several every each any only everyone everybody everything someone somebody something
    anyone anybody anything both either half majority minority entire whole just none much little enough numerous
    everywhere anywhere somewhere"""
)
UNIVERSAL = QUANTIFIERS - _set("some several many numerous someone somebody something somewhere")
COMPARATIVES = _set(
    """more less fewer than better worse higher lower larger smaller bigger greater faster slower
    longer shorter older younger earlier later stronger weaker cheaper safer easier harder closer further farther
    twice double triple exceed
    exceeds exceeded equal equally"""
)
SUPERLATIVES = _set(
    """most least best worst highest lowest largest smallest biggest greatest fastest slowest longest shortest oldest
    youngest earliest latest strongest weakest cheapest safest hardest easiest last final next"""
)
_NUMBER_WORDS = _set(
    """zero one once thrice single first second third fourth fifth sixth seventh eighth ninth tenth
    quarter quarters pair couple dozens scores"""
)
CONDITIONS = _set("if unless until till except whether provided when whenever once where wherever lest")
# Who takes a claim upon himself, and verbs under which a thing need not be so.
ATTRIBUTION = _set(
    """say tell claim report announce state argue allege suggest believe think note add warn deny insist admit hope
    expect suspect fear estimate predict propose confirm write explain acknowledge declare maintain assert testify
    doubt wonder ask reply hear assume suppose imagine know feel conclude find indicate mention reveal promise order
    accord"""
)
DOWNWARD = _set(
    """deny doubt fail refuse avoid prevent prohibit forbid ban reject lack stop cease decline dispute dismiss oppose
    exclude omit ignore miss neglect refrain hesitate cancel void waive exempt"""
)
BOUNDS = _set(
    """about around over under above below nearly almost exactly only just least most than to by from since until
    before after between within every per up past for at of with on in"""
)
TIMES = _set(
    """january february march april may june july august september october november december monday tuesday wednesday
    thursday friday saturday sunday century decade year month week day hour minute morning evening afternoon night
    spring summer autumn winter noon midnight today yesterday tomorrow weekend season"""
)
UNITS = _set(
    "% percent points mm cm m km metre metres meter meters mile miles feet foot inch inches kg g tonnes euros dollars "
    "pounds kb mb gb tb degrees °c litres"
)
_LOOSE = _set("a an the that and of by to which who is are was were be been being has have had do does did")

# Honest short forms, word for word; longer ones come from the trimmer's table.
_SHORT = """approximately/about roughly/about around/about purchase/buy purchases/buys purchased/bought
    purchasing/buying utilize/use utilizes/uses utilized/used utilizing/using utilise/use utilises/uses utilised/used
    utilising/using commence/start commences/starts commenced/started commencing/starting begin/start begins/starts
    began/started beginning/starting terminate/end terminates/ends terminated/ended assist/help assists/helps
    assisted/helped assisting/helping assistance/help obtain/get obtains/gets obtained/got require/need requires/needs
    sufficient/enough upon/on amongst/among whilst/while
    towards/toward attempt/try attempts/tries attempted/tried attempting/trying demonstrate/show demonstrates/shows
    demonstrated/showed individuals/people persons/people automobile/car automobiles/cars physician/doctor
    physicians/doctors residence/home endeavour/try inform/tell informs/tells informed/told reside/live resides/lives
    resided/lived currently/now presently/now n't/not ca/can wo/will 'll/will 've/have 're/are 'm/am an/a
    percent/% prior/before facilitate/help facilitates/helps facilitated/helped acquire/buy acquires/buys
    acquired/bought employees/staff however/but"""
_MAP = dict(pair.split("/") for pair in _SHORT.split())

_WORD = re.compile(
    rf"[{CJK}]|(?:(?!n['\u2019]t\b)[^\W{CJK}])+(?=n['\u2019]t\b)|n['\u2019]t\b|['\u2019](?:s|ll|ve|re|d|m)\b"
    rf"|\d[\d,]*(?:\.\d+)?(?:[^\W{CJK}]|[.\-/:](?=\d))*|[^\W{CJK}]+(?:\.(?=\w)[^\W{CJK}]+)*|[%$€£¥°]"
)
# A sign before a number; facts.find counts it only in some places.
_SIGN = re.compile(r"(?<![\w)\]])[-\u2212+\u00b1<>\u2264\u2265~\u2248](?=\s?[$\u20ac\u00a3]?\d)")
_HANDLE = re.compile(r"(?<![\w.@])@[^\W\d_][\w-]*")
# "Two hours" and "two-hour" are one measure.
_MEASURES = re.compile(r"[- ]?(second|minute|hour|day|week|month|year|met(?:er|re)|mile|page|point|dollar|euro)s?\b")
_BN = ((re.compile(r"(?<=\d)bn\b"), "billion"), (re.compile(r"(?<=\d)m\b"), "m"))
_SPELLED = {
    word: str(number)
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen twenty".split()
    )
}
_CJK_MARKS = re.compile(
    "所有|全部|一些|有些|大多|多数|少数|部分|每|各|都|只|仅|几乎|大约|约|左右|将近|据|称|说|表示|认为|报道|更|最|比|超过|以上|以下"
    "|计划|打算|准备|曾|已|未|之前|之后|以前|以后|前|后|非|假|被|把|向|给|从|对|由|或|与|和|应|须|能|会|要|想|试图|拒绝|否认|涉嫌|疑似"
)
TITLES = _set("mr mrs ms dr prof sir dame lord lady")


def words(text: str) -> list[Word]:
    """Return the words of a text in order; contractions are cut, each Han sign is a word, marks are none.

    >>> [word.key for word in words("He didn't purchase 8,466 pumps; it can't.")]
    ['he', 'did', 'not', 'buy', '8466', 'pumps', 'it', 'can', 'not']
    """
    return list(_words(text))


@lru_cache(maxsize=2_000)  # a pair's texts are read many times
def _words(text: str) -> tuple[Word, ...]:
    found: list[Word] = []
    for match in _WORD.finditer(text):
        surface = match[0].lower().replace("\u2019", "'")
        if surface == "cannot":
            middle = match.start() + 3
            found += (Word(match.start(), middle, "can"), Word(middle, match.end(), "not"))
            continue
        if surface[0].isdigit():
            surface = surface.replace(",", "")
        found.append(Word(*match.span(), _MAP.get(surface, surface)))
    return tuple(found)


@lru_cache(maxsize=20_000)
def canon(lemma: str) -> str:
    """Return what two inflections of a word share: the stem of its (mapped) lemma.

    >>> canon("pumps") == canon("pump"), canon("purchase") == canon("buy")
    (True, True)
    """
    low = lemma.lower()
    low = _MAP.get(low, low)
    low = IRREGULAR.get(low, low)
    return _SPELLED.get(low, stem(low) if low.isalpha() else low.replace(",", ""))


def marks(text: str, *, names: Iterable[str] = ()) -> Counter[tuple[str, str]]:
    """Return the multiset of what a text turns on, as (kind, normal form); ``names`` are words known to be names."""
    found: Counter[tuple[str, str]] = Counter()
    taken: list[tuple[int, int]] = []
    for fact in facts.find(text):
        taken.append(fact.span)
        found.update(_of_fact(fact))
    if not text.isascii():
        found.update(("quantifier", match[0]) for match in _CJK_MARKS.finditer(text))
    found.update(("number", match[0]) for match in _SIGN.finditer(text))
    found.update(("identifier", match[0].lower()) for match in _HANDLE.finditer(text))
    known = set(names)
    at = 0
    for word in words(text):
        while at < len(taken) and taken[at][1] <= word.start:
            at += 1
        if at < len(taken) and taken[at][0] < word.end:
            continue
        kind = kind_of(word.key)
        if kind:
            found[kind, word.key] += 1
        elif word.key in known:
            found["name", word.key] += 1
    found["question", "?"] = text.count("?") + text.count("\uff1f")
    return +found


def kind_of(key: str) -> str:
    """Return the kind of mark that a word is, empty for a plain one."""
    for kind, members in _KINDS:
        if key in members:
            return kind
    return ""


_KINDS = (
    ("number", _NUMBER_WORDS),
    ("comparative", COMPARATIVES),
    ("superlative", SUPERLATIVES),
    ("quantifier", QUANTIFIERS),
    ("hedge", HEDGES),
)


def _of_fact(fact: facts.Fact) -> list[tuple[str, str]]:
    normal = fact.normal
    if fact.kind == "negation" and normal.endswith(("n't", "cannot")):
        modal = {"ca": "can", "cannot": "can", "wo": "will", "sha": "shall"}.get(normal.removesuffix("n't"))
        modal = modal or normal.removesuffix("n't")
        both = [("negation", "not")]
        return [*both, ("modal", modal)] if modal in _MODALS else both
    if fact.kind == "modal" and normal.endswith(" to"):
        normal = {"has to": "have to", "needs to": "need to"}.get(normal, normal)
    if fact.kind == "number":
        normal = _MEASURES.sub(r"\1", _SPELLED.get(normal, normal).lstrip("-+"))
        for pattern, scale in _BN:
            normal = pattern.sub(scale, normal)
    return [(fact.kind, normal)]


_MODALS = _set("can could will would shall should may might must need")
_INITIAL = re.compile(r"(?:^|[.!?:\n]\s+)[\"'“‘(\[]*$")
_PLAIN_STARTS = (
    FILLERS
    | DEGREES
    | _set(
        "the a an this that these those it he she they we you i in on at by for from to of with as if when while "
        "his her its our your their my there here what how why who which after before since during although because "
        "not no and but or so yet then under over despite however last next first once today yesterday tomorrow "
        "according"
    )
)


def capitalised(text: str, found: Sequence[Word]) -> tuple[set[str], set[str]]:
    """Return the capitalised words of a text (keys): those inside sentences, surely names, and those that open one."""
    inside: set[str] = set()
    opening: set[str] = set()
    for word in found:
        surface = text[word.start : word.end]
        if (
            not surface[0].isupper()
            or word.key in TITLES
            or word.key in DEMONYMS
            or surface == "I"
            or kind_of(word.key)
        ):
            continue
        first = _INITIAL.search(text, max(0, word.start - 6), word.start) is not None
        if not first or (surface.isupper() and len(surface) > 1):
            inside.add(word.key)
        elif word.key not in _PLAIN_STARTS:
            opening.add(word.key)
    return inside, opening


def loose(key: str) -> bool:
    """Whether a word may be added by a rewrite without saying anything."""
    return key in _LOOSE
