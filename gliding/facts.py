"""What a text must not lose: numbers, dates, identifiers, negations, modals, conditions. Found by rules, no model.

Plain words are looked up. Everything else holds a digit, a sign or an inner capital: only the surroundings of those are
searched, from the surest pattern to the vaguest, and what one has taken the next ones do not see. All patterns repeat a
bounded number of times, so the time is linear in the length of the text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import Literal, NamedTuple

from gliding.text import cjk
from gliding.text.abbreviations import ABBREVIATIONS, STARTERS
from gliding.text.scripts import CJK, narrow
from gliding.types import Span

Kind = Literal["number", "date", "identifier", "negation", "modal", "condition"]


class Fact(NamedTuple):
    """One fact of a text. ``normal`` is equal for the ways of writing that mean the same: 8,466 and 8466."""

    kind: Kind
    text: str
    span: Span
    normal: str


def _any(words: str) -> str:
    return "(?:" + "|".join(words.split()) + ")"


_GAP = r"[\s\u00a0\u202f]"
_DIGITS = r"(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?"
_UNIT_WORDS = _any(
    r"""percent per\scent degrees? kilo(?:bytes?|watts?|hertz|grams?|met(?:er|re)s?) (?:mega|giga|tera)(?:bytes?|watts?)
    (?:mega|giga|tera)hertz (?:milli|micro|nano)?seconds? minutes? hours? days? weeks? months? years?
    (?:centi|milli)?met(?:er|re)s? grams?
    miles? feet foot inch(?:es)? yards? acres? hectares? tons? tonnes? pounds? ounces? lit(?:er|re)s? dollars? euros?
    cents? yuan yen tokens? bytes? pages? times points? people
    [kKMGTP]i?[Bb](?:it)?(?:/s|ps)? [kMGT]?Hz [kMG]Wh? [kMG]?Pa secs? mins?
    [num\u00b5\u03bc]s hrs? [kcmnu\u00b5]?m[23]? km/h mph m/s [kmu\u00b5]?g m[lL] lbs? oz ft mi px dB rpm fps mAh?
    [kMm]?V USD EUR GBP CNY RMB JPY s h"""
)
_UNIT = (
    rf"(?:{_GAP}?(?:[%\u2030\u20ac\u00a3\u00a5]|\u00b0{_GAP}?[CFK]?)|(?:{_GAP}|-)?{_UNIT_WORDS}(?:/[a-z]{{1,8}})?\b|[BVWAJKL]\b"
    rf"|[ \u00a0]?{cjk.UNIT})"
)
_SCALE = rf"(?:(?:{_GAP}|-)?(?:[Hh]undred|[Tt]housand|[MmBb]illion|[Tt]rillion|bn)\b|[kKM]\b|{_GAP}?{cjk.SCALE})"
_SMALL = _any(
    """two three four five six seven eight nine ten eleven twelve (?:thir|four|fif|six|seven|eigh|nine)teen
    (?:twen|thir|for|fif|six|seven|eigh|nine)ty hundreds? thousands? millions? billions? dozens? half twice"""
)
_MONTHS = _any("January February March April May June July August September October November December")
_MONTH = rf"(?:{_MONTHS}|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.?)"
_WEEKDAY = "(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
_CLOCK = r"\d{1,2}:\d\d(?::\d\d(?:[.,]\d{1,9})?)?"
_HALF = r"(?:[ap]m\b|[ap]\.m\b\.?)"
_ZONE = r"(?:Z\b| ?(?:UTC|GMT|[ECMP][SD]T|CES?T)\b| ?[+-]\d\d:?\d\d\b)"
_YEAR = r"(?:,?\s\d{4}\b)"
_NARROW_GAP = "[ \u00a0]?"
_CJK_DAY = rf"\d\d?{_NARROW_GAP}月(?:{_NARROW_GAP}\d\d?{_NARROW_GAP}[日号號])?"
_FILES = _any(
    """pyi? ipynb jsx? tsx? c h cc cpp hpp java kt go rs rb php cs sh sql jsonl? ya?ml toml ini cfg conf env txt md rst
    log csv tsv xml html? css pdf docx? xlsx? png jpe?g svg zip tar t?gz xz so dll exe lock onnx"""
)
_PART = r"[\w.@+-]{1,64}"

# (kind, a character without which the pattern cannot match, the pattern)
_TABLE: tuple[tuple[Kind, str, str], ...] = (
    ("identifier", "://", r"\b(?:https?|ftp|ssh|s3|hdfs|file|git)://[!#-;=?-~]{0,2000}[\w/=&#%-]"),
    ("identifier", "@", r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{2,63}){1,5}"),
    ("identifier", "-", r"\b[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b"),
    ("date", "", rf"\b\d{{4}}(?:-\d\d?-|/\d\d?/|\.\d\d?\.)\d\d?(?![-/\d])(?:(?:T| {{1,2}}){_CLOCK}{_ZONE}?)?"),
    ("date", "", r"\b\d\d?(?:/\d\d?/|\.\d\d?\.(?=\d{4}))(?:\d{4}|\d\d)(?![./\d])\b"),
    ("identifier", ".", r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?!\.?\d)(?:/\d{1,2}\b|:\d{1,5}\b)?"),
    ("identifier", "\\", r"\b[A-Za-z]:\\[\w.\\-]{0,250}\w"),
    (
        "identifier",
        "/",
        rf"(?<![\w/.~\\])(?:~|\.{{1,2}})?/(?=[A-Za-z_.]){_PART}(?:/{_PART}){{0,20}}(?<![.@+-])(?::\d+){{0,2}}",
    ),
    ("identifier", "/", rf"(?<![\w/.@+-]){_PART}(?:/{_PART}){{0,20}}/[\w.-]{{0,64}}\.{_FILES}\b(?::\d+){{0,2}}"),
    ("identifier", "/", rf"(?<![\w/.@+-])(?=[\w.@+-]{{0,64}}[A-Za-z]){_PART}(?:/{_PART}){{2,20}}(?<![.@+-])"),
    ("identifier", ".", rf"(?<![\w.-])[\w-]{{1,64}}(?:\.[\w-]{{1,64}}){{0,3}}\.{_FILES}\b(?::\d+){{0,2}}"),
    ("identifier", "0", r"\b0[xX][0-9a-fA-F]+\b"),
    ("identifier", ".", r"(?<![\w.])(?:v\d+(?:\.\d+){1,5}|\d+(?:\.\d+){2,5})(?:[-+][A-Za-z][\w.]{0,20}\b)?(?!\w)"),
    ("identifier", "_", r"(?<![\w.])(?=\w{0,60}[^\W_]_)[^\W\d]\w*(?:\.\w+){0,8}(?:\(\))?"),
    ("identifier", "--", r"(?<![\w-])--[a-z][\w-]{1,40}\b"),
    ("identifier", "-", r"(?<![\w-])[A-Za-z]\w{0,30}(?:-\w{1,16}){0,3}?-(?=[A-Z]{0,3}\d)\w{1,16}(?:-\w{1,16}){0,4}\b"),
    ("identifier", "(", r"\b[A-Za-z_]\w{0,60}(?:\.\w{1,60}){0,6}\(\)"),
    ("identifier", ".", r"(?<![\w.-])[a-z]\w{1,40}(?:\.[a-z_]\w{1,40}){1,8}\b(?!\.\w)"),
    ("identifier", ".", r"(?<![\w.-])[A-Za-z]\w{1,40}(?:\.[A-Za-z]\w{0,40}[a-z]\w{0,40}){2,8}\b(?!\.\w)"),
    ("identifier", "", r"\b(?:[a-z]{1,30}|[A-Z][a-z\d]{1,30})(?:[A-Z][a-z\d]{1,30}|[A-Z]{2,8}\b){1,8}\b"),
    ("date", "Q", rf"\bQ[1-4]\b{_YEAR}?"),
    ("identifier", "", r"\b(?=\d{0,40}[a-f])(?=[a-f]{0,40}\d)[0-9a-f]{7,64}\b"),
    ("identifier", "", r"\b[A-Za-z]{1,20}\d[A-Za-z\d]{0,40}\b|\b\d{1,20}[A-Z][A-Z\d]{2,40}\b|(?<!\w)#\d{1,9}\b"),
    ("date", "", rf"\b(?:{_WEEKDAY},?\s)?\d\d?(?:st|nd|rd|th)?\s(?:of\s)?{_MONTH}{_YEAR}?"),
    ("date", "", rf"\b(?:{_WEEKDAY},?\s)?{_MONTH}\s\d\d?(?:st|nd|rd|th)?\b(?![:.]\d){_YEAR}?"),
    ("date", "", rf"\b{_MONTH},?\s(?:of\s)?\d{{4}}\b|\b(?:1[0-9]|20)\d0s\b"),
    ("date", "", rf"\d{{2,4}}{_NARROW_GAP}年(?:{_NARROW_GAP}{_CJK_DAY})?|{_CJK_DAY}|\d\d?[日号號](?![线線码碼])"),
    ("date", "", rf"\b{_CLOCK}(?:{_GAP}?{_HALF})?{_ZONE}?|\b\d\d?{_GAP}?{_HALF}"),
    (
        "number",
        "",
        rf"(?:\b(?:US|HK|A|C))?(?:[$\u20ac\u00a3\u00a5\u20b9]|\b(?:USD|EUR|GBP)){_GAP}?{_DIGITS}{_SCALE}?"
        rf"|(?:(?<![\w)\]%.-])[-+\u2212])?(?<!\w)(?<!\d[.,]){_DIGITS}(?:(?:st|nd|rd|th)\b|[eE][-+]?\d+\b"
        rf"|(?:{_GAP}?[-\u2013/\u00d7]{_GAP}?{_DIGITS}){{1,3}})?{_SCALE}?{_UNIT}?",
    ),
)

_PATTERNS = tuple((kind, need, re.compile(pattern, re.ASCII)) for kind, need, pattern in _TABLE)
# A character that plain words do not have, the rest of its word, and (looked at only) the three words after it.
_ODD = re.compile(
    r"[\d_@/\\#%$\u20ac\u00a3\u00a5\u20b9A-Z.(-](?:(?<=[^A-Z.(-])|(?<=[a-z][A-Z])|(?<=[.(-])(?=[\w)-]))"
    r"\S*(?=((?:\s\S{1,24}){0,3}))",
    re.ASCII,
)
_TAKEN = "\u2060"  # neither a word's character nor white space
_WALL = "\n\u2060\n"  # between two surroundings: no pattern crosses it

_NEGATIONS = (
    "not never none nobody nothing nowhere neither nor without cannot unable lack lacks lacked lacking hardly barely"
)
_CONDITIONS = "if unless until till except excepting whether otherwise assuming"
_MODALS = "must might shall should can could will would may"
_PHRASES: dict[str, tuple[Kind, str]] = {
    "no": ("negation", r"no(?: longer\b|(?!\.\s?\d)\b)"),
    "provided": ("condition", r"provided that\b"),
    "only": ("condition", r"only (?:when|if|after)\b"),
    **dict.fromkeys(("as", "so"), ("condition", r"(?:as|so) long as\b")),
    "in": ("condition", r"in (?:case|the event)\b"),
    "subject": ("condition", r"subject to\b"),
    "on": ("condition", r"on condition\b"),
    "ought": ("modal", r"ought to\b"),
    **dict.fromkeys(("has", "have", "had"), ("modal", r"ha(?:s|ve|d) to\b")),
    **dict.fromkeys(("need", "needs"), ("modal", r"needs? to\b")),
    "required": ("modal", r"required to\b"),
}
_SPELLED = rf"{_SMALL}\b(?:[ -](?:and )?(?:one|{_SMALL})\b){{0,5}}{_UNIT}?"
_SMALL_WORDS = """two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred hundreds thousand thousands million
    millions billion billions dozen dozens half twice"""
_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday"
_MONTH_NAMES = "January February March April June July August September October November December"


def _lookup() -> dict[str, tuple[Kind, re.Pattern[str] | None]]:
    """What a word may begin, by the word; the pattern says how far, None that it stands alone."""
    table: dict[str, tuple[Kind, re.Pattern[str] | None]] = {}
    singles: tuple[tuple[Kind, str], ...] = (
        ("negation", _NEGATIONS + " scarcely rarely seldom"),
        ("condition", _CONDITIONS),
        ("modal", _MODALS),
    )
    for kind, words in singles:
        table |= dict.fromkeys(words.split(), (kind, None))
    for word, (kind, pattern) in _PHRASES.items():
        table[word] = (kind, re.compile(pattern, re.ASCII | re.IGNORECASE))
    table |= dict.fromkeys(_SMALL_WORDS.split(), ("number", re.compile(_SPELLED, re.ASCII | re.IGNORECASE)))
    table |= {word.capitalize(): entry for word, entry in table.items()} | {
        word.upper(): entry for word, entry in table.items()
    }
    table |= dict.fromkeys((_DAYS + " " + _MONTH_NAMES).split(), ("date", None))
    # Before a word it asks or allows; anywhere else it is the month.
    table["May"] = ("modal", re.compile(r"May(?= (?:[a-z]|I\b))"))
    return table


_WORDS = _lookup()
_WORD = re.compile(r"\b[A-Za-z]+(?:['\u2019]t\b)?", re.ASCII)
_SPACE = re.compile(r"\s+")
_NUMBER_GAPS = re.compile(r"(?<=[\d$\u20ac\u00a3\u00a5\u20b9])\s+|(?<=\d)-(?=[A-Za-z])")
_LETTER = rf"[^\W\d_{CJK}]"
_CAPITALISED = rf"(?:[A-Z]{_LETTER}+(?:['\u2019-]{_LETTER}+){{0,4}}|(?:[A-Z]\.){{1,6}})"
_NAME = re.compile(
    r"((?:Dr|Mrs?|Ms|Prof|Gen|Sen|Gov|Judge|President)\.?\s)?"
    rf"({_CAPITALISED}(?:\s(?:(?:of|de|van|von|der|da|di|la|del|the)\s){{0,3}}{_CAPITALISED}){{0,6}})"
)
_OPENING = re.compile(r"(?:^|[.!?:;\n\u2022>|\"\u201c(\[]['\"\u201d\u2019)\]]*\s*)$")


def find(text: str) -> list[Fact]:
    """Return the facts of a text in order; their spans do not overlap.

    "cannot" and words that end in "n't" are negations, not modals. A month or a weekday alone is a date.

    >>> facts = find("KR-2291-B must not cost $8,466 before 30 April.")
    >>> [(fact.kind, fact.normal) for fact in facts[:3]]
    [('identifier', 'kr-2291-b'), ('modal', 'must'), ('negation', 'not')]
    >>> [(fact.kind, fact.normal) for fact in facts[3:]]
    [('number', '$8466'), ('date', '30 april')]
    """
    plain = text if text.isascii() else narrow(text)
    found = _odd_facts(plain) + _word_facts(plain)
    # Of two that overlap the earlier stays, of two that begin together the longer.
    found.sort(key=lambda item: (item[1], -item[2]))
    facts = []
    done = 0
    for kind, start, end in found:
        if start >= done:
            facts.append(Fact(kind, text[start:end], Span(start, end), _normal(kind, text[start:end])))
            done = end
    return facts


def _odd_facts(text: str) -> list[tuple[Kind, int, int]]:
    """The facts that hold a digit, a sign or an inner capital, pattern by pattern."""
    windows = _windows(text)
    if not windows:
        return []
    offsets = [0]
    for low, high in windows:
        offsets.append(offsets[-1] + high - low + len(_WALL))
    rest = _WALL.join([text[low:high] for low, high in windows])
    found: list[tuple[Kind, int, int]] = []
    for kind, need, pattern in _PATTERNS:
        if need not in rest:
            continue
        pieces: list[str] = []
        done = 0
        for match in pattern.finditer(rest):
            start, end = match.span()
            shift = bisect_right(offsets, start) - 1
            shift = windows[shift][0] - offsets[shift]
            found.append((kind, start + shift, end + shift))
            pieces += (rest[done:start], _TAKEN * (end - start))
            done = end
        if done:
            rest = "".join((*pieces, rest[done:]))
    return found


def _windows(text: str) -> list[tuple[int, int]]:
    """The surroundings of odd characters: the two words before to the three words after, merged where they touch."""
    windows: list[tuple[int, int]] = []
    low = high = 0
    for match in _ODD.finditer(text):
        at = match.start()
        if at > high:
            begin = text.rfind(" ", high, at)
            begin = text.rfind(" ", max(high, begin - 24), begin) if begin > 0 else begin
            begin = text.rfind(" ", max(high, begin - 24), begin) if begin > 0 else begin
            begin = begin if begin >= 0 else max(high, at - 200)
            if begin > high or not high:
                if high:
                    windows.append((low, high))
                low = begin
        high = match.end(1)
    if high:
        windows.append((low, high))
    return windows


def _word_facts(text: str) -> list[tuple[Kind, int, int]]:
    found: list[tuple[Kind, int, int]] = []
    look = _WORDS.get
    for match in _WORD.finditer(text):
        word = match[0]
        entry = look(word)
        if entry is None:
            if word[-1] == "t" and word[-2:-1] in ("'", "\u2019"):
                found.append(("negation", match.start(), match.end()))
            continue
        kind, pattern = entry
        if pattern is None:
            found.append((kind, match.start(), match.end()))
            continue
        phrase = pattern.match(text, match.start())
        if phrase:
            found.append((kind, *phrase.span()))
        elif word == "May":
            found.append(("date", match.start(), match.end()))
    if not text.isascii() and cjk.HAS_CJK.search(text):
        for kind, pattern in cjk.PATTERNS:
            found += [(kind, *match.span()) for match in pattern.finditer(text)]
    return found


def _normal(kind: Kind, text: str) -> str:
    if not text.isascii() and kind != "identifier" and cjk.HAS_CJK.search(text):
        return cjk.normal(text) if kind in ("number", "date") else cjk.surface(text)
    text = text if text.isascii() else narrow(text)
    text = _SPACE.sub(" ", text).lower()
    if kind == "number":
        text = _NUMBER_GAPS.sub("", text.replace(",", "").replace("\u2212", "-").replace("\u2013", "-"))
        return text.replace("per cent", "%").replace("percent", "%").replace(" %", "%")
    return text.replace("\u2019", "'").rstrip(".") if kind in ("date", "negation") else text


class RuleEntities:
    """Entities by rules alone: an ``EntityExtractor`` that needs no model."""

    fingerprint = "rules-2"

    def extract(self, texts: Sequence[str]) -> list[frozenset[str]]:
        """Return for each text its numbers, dates, identifiers and capitalised names, lower-cased, white space single.

        A capitalised word at the start of a sentence counts only where the text also has it inside one.

        >>> sorted(RuleEntities().extract(["Then Ada Byrne paid 12 % for parser_v2 on 3 May."])[0])
        ['12%', '3 may', 'ada byrne', 'parser_v2']
        """
        return [_entities(text) for text in texts]


def _entities(text: str) -> frozenset[str]:
    found = set()
    rest: list[str] = []
    done = 0
    for fact in find(text):
        if fact.kind == "identifier" or fact.kind == "date" or (fact.kind == "number" and _telling(fact.normal)):
            found.add(_said(fact))
        if fact.kind in ("identifier", "date", "number"):
            rest += (text[done : fact.span.start], _TAKEN)
            done = fact.span.end
    rest.append(text[done:])
    plain = "".join(rest)
    found.update(_names(plain))
    if not plain.isascii() and cjk.HAS_CJK.search(plain):
        found.update(cjk.names(plain))
    return frozenset(found)


def _said(fact: Fact) -> str:
    """How an entity is looked for in a text: as it was written where 30万 has another normal form."""
    return cjk.surface(fact.text) if cjk.HAS_CJK.search(fact.text) else fact.normal


def _telling(number: str) -> bool:
    """Whether a number says more than "1" or "two": it has a unit, a scale or two digits."""
    return len(number) > 1 and any(map(str.isdigit, number))


def _names(text: str) -> set[str]:
    """Runs of capitalised words; a single one that opens a sentence only where the text has it elsewhere too."""
    inside: set[str] = set()
    opening: set[str] = set()
    for found in _NAME.finditer(text):
        title, name = found.groups()
        words = name.split()
        start = found.start()
        first = title is None and (start == 0 or _OPENING.search(text, max(0, start - 6), start) is not None)
        if words[0] in STARTERS:
            words, first = words[1:], False
        if not words or (len(words) == 1 and words[0].lower().rstrip(".") in ABBREVIATIONS and not words[0].isupper()):
            continue
        name = " ".join(words).lower().rstrip(".")
        if first and len(words) == 1 and not words[0].isupper():
            opening.add(name)
        elif len(name) > 1:
            inside.add(name)
    return inside | (opening & {word for name in inside for word in (name, *name.split())})
