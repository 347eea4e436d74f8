"""Trims by rules: white space, repeats, boilerplate, and phrases whose loss changes no meaning.

It knows nothing of a document's structure beyond its lines. What stands in quotes, backticks, code fences, addresses,
tables and indented lines is left as it is, and so is every text that is not English, but for runs of white space.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from gliding.tiers.phrases import (
    ANNOUNCEMENTS,
    ASIDES,
    BOILERPLATE,
    BOILERPLATE_LINES,
    HESITATIONS,
    OPENERS,
    SHORTER,
)


class RuleTrimmer:
    """Trims texts by rules; a negation, a number, a condition, a name or a quote never changes."""

    def trim(self, texts: Sequence[str]) -> list[str]:
        """Return each text trimmed, never longer; the same string where nothing was to trim or nothing would be left.

        >>> RuleTrimmer().trim(["Please note that the door  is locked in order to keep the heat in.", "Basically."])
        ['The door is locked to keep the heat in.', 'Basically.']
        """
        return [_trim(text) for text in texts]


def _trim(text: str) -> str:
    # What one rule leaves can be the start of another; each round shortens the text, so this ends, and ends idempotent.
    before = text
    while True:
        # A line break in front makes the start of the text the start of a line; every pattern begins with one of a few
        # characters, which is what makes the search fast.
        padded = "\n" + before
        rules = (_spaces, _repeats, _boilerplate, _phrases) if _ENGLISH.search(padded) else (_spaces,)
        for rule in rules:
            padded = _edited(padded, rule(padded))
        after = padded[1:]
        if not after.strip() or after == before:
            return before
        before = after


# (start, end, text that stands there now), of the padded text, in order
_Edit = tuple[int, int, str]

# Words that are common in English and are no words of the other languages written in Latin letters.
_ENGLISH = re.compile(
    r"[\s(](?:[Tt]he|and|[Tt]hat|[Tt]his|[Yy]ou|with|are|have|[Ii]t|[Tt]hey|[Tt]here|from|not|what|which|by)\b"
)

# What no rule may touch: fences, indented and quoted lines, tables, code, quotes, addresses.
_KEPT = re.compile(
    r"[\n`\"“«'‘:](?:"
    r"(?<=\n)[ ]{0,3}(?P<fence>```|~~~)(?:[\s\S]*?\n[ ]{0,3}(?P=fence)[^\n]*|[\s\S]*)"
    r"|(?<=\n)(?:(?:[ ]{2}|\t)[ \t]*\S|[ ]?[>|])[^\n]*"
    r"|(?<=\n)[^\n]*[;{}|][ ]*(?=\n|\Z)"
    r"|(?<=`)[^`\n]*`"
    r"|(?<=[\"“])(?<!\w.)(?=\S)[^\"“”\n]*(?:\n(?![ \t]*\n)[^\"“”\n]*)*(?:[\"”]|(?=\n[ \t]*\n)|\Z)"
    r"|(?<=«)[^»\n]*»"
    r"|(?<=['‘])(?<!\w.)(?=\S)(?:[^'‘’\n]|['’](?=\w))*['’](?!\w)"
    r"|(?<=:)//\S+)"
)


def _edited(padded: str, edits: Iterable[_Edit]) -> str:
    """Return the text after the edits; those that overlap what is kept, or an edit before, are not made."""
    planned = list(edits)
    if not planned:
        return padded
    kept = [match.span() for match in _KEPT.finditer(padded)]
    parts: list[str] = []
    done = at = 0
    for start, end, short in planned:
        while at < len(kept) and kept[at][1] <= start:
            at += 1
        if start < done or (at < len(kept) and kept[at][0] < end):
            continue
        parts += (padded[done:start], short)
        done = end
    return "".join((*parts, padded[done:]))


# --- white space ---

_SPACED = ("  ", "\t", " \n", " \r", "\n\n\n", "\n\r\n\r")
_RUN = re.compile(r"  +")
_BLANK_LINES = re.compile(r"(\r?\n)[ \t]*\r?\n(?:[ \t]*\r?\n)+")
_INDENTED = re.compile(r"\n(?:  |\t)[ \t]*[^\s]")
_MARKED = re.compile(r"[ ]?(?:[-*+•]|\d{1,3}[.)])(?= )|#{1,6}(?= )")


def _spaces(padded: str) -> list[_Edit]:
    """Single the spaces of prose lines, strip the ends of lines, and leave one blank line of several."""
    if not padded.endswith(" ") and not any(mark in padded for mark in _SPACED):
        return []
    edits: list[_Edit] = []
    if not _INDENTED.search(padded):  # two blank lines mean something in code
        edits = [(*match.span(), match[1] * 2) for match in _BLANK_LINES.finditer(padded)]
    start = 0
    for line in padded.split("\n"):
        body = line.rstrip(" ")
        if body:
            if len(body) < len(line):
                edits.append((start + len(body), start + len(line), ""))
            if "  " in body and _is_prose(body):
                edits += [(start + run.start(), start + run.end(), " ") for run in _RUN.finditer(body)]
        start += len(line) + 1
    return sorted(edits)


def _is_prose(line: str) -> bool:
    """Say whether a line's runs of spaces are an accident: columns stand beside digits, signs or few words."""
    if "\t" in line or "|" in line:
        return False
    mark = _MARKED.match(line)  # after "1." or "-" there may be two spaces
    body = line[mark.end() :].strip() if mark else line.strip()
    runs = _RUN.findall(body)
    words = body.split()
    if len(words) < 6 or len(runs) * 2 > len(words) - 1 or max(map(len, runs), default=0) > 3:
        return False
    return all(
        ((before.isalpha() and not before.isupper()) or before in ".,;!?)\"'”’。，、")
        and (after.isalpha() or after in "(\"'“‘")
        for run in _RUN.finditer(body)
        for before, after in [(body[run.start() - 1], body[run.end()])]
    )


# --- repeats ---

# The same sentence twice in a row; one with a digit may be a count or a reading.
_TWICE = re.compile(
    r"[ \n](?:(?<=\n)|(?<=[.!?] ))(?P<once>[A-Z][^.!?\d\n\"“”`]{20,300}[.!?])(?P<again>(?: (?P=once))+)(?=\s|\Z)"
)
_MARKS = re.compile(r"[!?][!?]{2,}(?=\s|\Z)")
_DOTS = re.compile(r"\.\.{4,}")
_RULE = re.compile(r"\n([-=_*])\1{5,}(?=\n|\Z)")
_LINE = re.compile(r"\n(?<![^.!?\n]\n)[A-Z][^\d|:\n]{28,}[.!?](?=\n|\Z)")


def _repeats(padded: str) -> list[_Edit]:
    edits = [(*match.span("again"), "") for match in _TWICE.finditer(padded)]
    edits += [
        (*match.span(), match[0][0])
        for match in _MARKS.finditer(padded)
        if len({*match[0]}) == 1 and padded[match.start() - 1].isalnum()
    ]
    edits += [(*match.span(), "...") for match in _DOTS.finditer(padded)]
    edits += [(match.start() + 1, match.end(), match[1] * 3) for match in _RULE.finditer(padded)]
    # A whole line that is a sentence of its own, since the line above has ended, and that has been read before.
    seen: set[str] = set()
    for match in _LINE.finditer(padded):
        if match[0] in seen:
            edits.append((*match.span(), ""))
        seen.add(match[0])
    return sorted(edits)


# --- boilerplate ---

_NOTICE = re.compile(rf"[ \n](?P<notice>{'|'.join(BOILERPLATE)})(?P<after>[ ]|(?=\n|\Z))")
_NOTICE_LINE = re.compile(rf"\n(?:{'|'.join(BOILERPLATE_LINES)})[ ]*(?=\n|\Z)")


def _boilerplate(padded: str) -> list[_Edit]:
    edits = [
        # with what joins it to the text: the space after it, else the space or the line break before it
        (match.start("notice") - (not match["after"]), match.end(), "")
        for match in _NOTICE.finditer(padded)
        if _starts_sentence(padded, match.start("notice"))
    ]
    edits += [(*match.span(), "") for match in _NOTICE_LINE.finditer(padded)]
    return sorted(edits)


# --- phrases ---


def _trie(phrases: Iterable[str]) -> str:
    r"""Return one regular expression for many phrases, branching letter by letter; a space is also a line break.

    >>> _trie(["to be", "to bet", "no"])
    '(?:no|to[ \\n]be(?:t)?)'
    """
    heads: dict[str, list[str]] = {}
    for phrase in sorted({*phrases}):
        if phrase:
            heads.setdefault(phrase[0], []).append(phrase[1:])
    special = {" ": "[ \\n]", "'": "['’]"}
    branches = [special.get(head, re.escape(head)) + _trie(tails) for head, tails in heads.items()]
    if "" in phrases:
        return f"(?:{'|'.join(branches)})?" if branches else ""
    return branches[0] if len(branches) == 1 else f"(?:{'|'.join(branches)})"


def _flat(phrase: str) -> str:
    return phrase.replace("\n", " ").replace("’", "'")


def _capitalised(phrase: str) -> str:
    return phrase[0].upper() + phrase[1:]


_ANNOUNCES, _OPENS, _HESITATES = frozenset(ANNOUNCEMENTS), frozenset(OPENERS), frozenset(HESITATIONS)
_SHORT = SHORTER | {_capitalised(phrase): _capitalised(short) for phrase, short in SHORTER.items()}
_PHRASE = re.compile(rf"[ \n(](?P<phrase>{_trie([*ANNOUNCEMENTS, *OPENERS, *HESITATIONS, *_SHORT])})(?![\w-])")
_ASIDE = re.compile(rf",[ \n]{_trie(ASIDES)}(?=,[ \n]\w)")
_BOUND = re.compile(r"\b(?:and|but|or|so|because|that|which|is|are|was|were)\Z", re.IGNORECASE)
_MORE = re.compile(rf"(?:,[ \n]{_trie([*HESITATIONS, 'well', 'uh', 'uhm', 'um', 'erm', 'oh', 'ah', 'you know'])})*")
_COMMA = re.compile(r",[ \n](?=[\w`\"“‘(\[])")
# What follows "that" where it opens a clause; a plural noun does too ("that backups", never "that backup").
_CLAUSE = re.compile(
    r"[ \n](?=(?:the|an?|this|these|those|it|we|you|they|there|he|she|its|our|your|their|his|her|my|not|no|all|some|any"
    r"|only|if|when|although|because|while|most|many|each|every|both|such|[a-z]{3,}[^\Wsiu]s)(?![\w'’-]))"
)
# The purpose of what is denied is not a denied act: "not in order to win" is not "not to win".
_DENIED = re.compile(r"(?:not|never|nor|n['’]t)[ \n]\Z", re.IGNORECASE)
_WORD = re.compile(r"[a-z]*")
_NAME_GOES_ON = re.compile(r"[\w/\\@#(\[=:-]|\.\w")
_COMMON = frozenset(
    word
    for line in (
        "a an the this that these those it its i we you they he she there here our your their his her my what how why",
        "who in on at by for from to of with as if when while not no all some any only most many each both such",
        "and but or so yet do does did is are was were be have has had can may must let just also last then very kind",
    )
    for word in line.split()
)


def _phrases(padded: str) -> list[_Edit]:
    edits = [edit for match in _PHRASE.finditer(padded) if (edit := _phrase(padded, *match.span("phrase")))]
    for match in _ASIDE.finditer(padded):
        # "and, in fact, we" needs neither comma; elsewhere one stays, so that a list stays a list
        bound = _BOUND.search(padded, max(0, match.start() - 8), match.start())
        edits.append((match.start(), match.end() + bool(bound), ""))
    return sorted(edits)


def _phrase(padded: str, start: int, end: int) -> _Edit | None:
    """Return what becomes of a phrase where it stands, or None where it must stay."""
    phrase = _flat(padded[start:end])
    if phrase in _SHORT:
        denied = _SHORT[phrase] == "to" and _DENIED.search(padded, max(0, start - 6), start)
        return None if denied else (start, end, _SHORT[phrase])
    if not _starts_sentence(padded, start):
        return None
    if phrase in _ANNOUNCES:
        follows = _CLAUSE.match(padded, end)
    elif phrase in _OPENS:
        follows = _COMMA.match(padded, end)
    else:
        # After a full stop "I mean" corrects what was said; only the first words of a line or a turn are chatter.
        first = padded[start - 1] == "\n" or padded[start - 2] == ":"
        more = _MORE.match(padded, end)
        follows = _COMMA.match(padded, more.end()) if first and more else None
    if not follows:
        return None
    word = _WORD.match(padded, follows.end())
    after = word.end() if word else follows.end()
    return (start, after, _as_start(padded[follows.end() : after], padded, after))


def _starts_sentence(padded: str, start: int) -> bool:
    if padded[start - 1] in "\n(":
        return True
    before = padded[max(0, start - 3) : start - 1]
    return before[-1:] in (*".!?:;",) or before in ('."', '!"', '?"', ".”", ".)", "\n-", "\n*", "\n•")


def _as_start(word: str, padded: str, end: int) -> str:
    """Capitalise a word that now starts a sentence, unless it may be a name: "npm", "src/main.c", "user_id"."""
    is_word = word in _COMMON or len(word) > 4
    return _capitalised(word) if is_word and not _NAME_GOES_ON.match(padded, end) else word
