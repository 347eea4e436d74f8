"""Where sentences end: spans of a text, by rules and regexes. Knows nothing of paragraphs, headings or documents.

One regex finds the places where a sentence could end; a few rules on the word before and the character after each of
them decide. What is still too long is cut at a clause or a word. The time is linear in the length of the text.
"""

from __future__ import annotations

import re
import unicodedata

from gliding.text.abbreviations import ABBREVIATIONS, ORDINARY, STARTERS
from gliding.text.scripts import CJK, HAN
from gliding.types import Span

_FINAL = ".!?\u2026\u203c-\u2049\u061f\u06d4\u0964\u0965"  # Latin, Arabic, Devanagari
_WIDE = "\u3002\uff01\uff1f\uff61\uff1b"  # 。！？｡； end a sentence without a space after them
_CLOSERS = "\"')\\]}\u2019\u201d\u00bb\u203a\u300d\u300f\uff09\u3011\u3009\uff3d\u3015\u3017\uff63\uff02*_`"
_BREAKS = "\n\r\f\u0085\u2028\u2029"

# The first class finds candidates fast. The lookahead drops decimals, paths and line breaks inside a sentence, then
# come more stops, closing quotes and footnote marks (group 1), and the white space up to the next character.
_CANDIDATE = re.compile(
    f"[{_FINAL}{_WIDE}{_BREAKS}]"
    rf"(?!(?<=[.!?\n])[a-z]|(?<=[.!?])[0-9_/\\=&@#])"
    rf"((?:(?<=[{_FINAL}{_WIDE}])(?:[{_FINAL}{_WIDE}{_CLOSERS}]+|\[\d{{1,3}}\]){{0,8}})?)"
    r"\s*"
)
_WORD = re.compile(r"[(\[\"'\u201c\u2018\u00ab]*([A-Z](?:[a-z]+(?:'s)?)?)(?=[\s,'\u2019:])")
_NUMERAL = re.compile(r"[(\[]?(?:\d|[IVXLC]+\b|[A-Z]\b|\u00a7)")
_OPENERS = "\"'([{\u201c\u2018\u00ab\u2039\u300c\u300e\uff08\u3010*_`"
_NEVER_FIRST = frozenset(",;:)]}!?.%/\u2026\u3001\uff0c\u300b\uff1a")
_INITIALISM = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]$")
_IS_CJK = re.compile(f"[{CJK}]")
# What goes on after its quote: 「はい。」と言った。 and “走吧！”他说。
_QUOTED = re.compile("と(?=[言思答叫い])")
_SAYS = re.compile(f"{_QUOTED.pattern}|[{HAN}]{{1,3}}?(?:[说說问問喊叫答]道?|表示)(?=[\uff0c\u3002\uff1a])")
_ELLIPSIS_LEAST = 6
"""Characters before …… from which it ends a Chinese sentence; after fewer it is a pause: 我……我不知道。"""
_OWN_LINE = re.compile(r"[-*\u2022>|#+]\s?|\(?\w{1,3}[.)]\s|[A-Z][\w -]{0,24}:\s|\[[ xX]\]")
_LINE = re.compile(r"\S(?:[^\n\r\f\u0085\u2028\u2029]*\S)?")

# Where a long sentence is cut, the best kind of place first; each match ends at a cut in the searched range.
_CUTS = tuple(
    re.compile(f"(?s:.*){place}")
    for place in (
        r"(?:(?<![\"'])[;:](?=\s)|[\uff1b\uff1a])",
        r"(?:,(?=\s)|\)(?=\s)|[\uff0c\u3001])",
        r"\s(?=(?:[\u2013\u2014-]+\s|(?:and|or|but|which|who|that|because|while|where|when|if|so|then|und|et|y)\s))",
        r"\s",
    )
)


def sentence_spans(
    text: str, start: int = 0, end: int | None = None, *, max_chars: int = 400, lines: bool = False
) -> list[Span]:
    """Return the sentences of ``text[start:end]`` as spans of ``text``, in order.

    The spans neither overlap nor begin or end with white space, they cover every other character, and none is longer
    than ``max_chars`` characters. A line break ends a sentence only where the line is a unit of its own; with ``lines``
    each line is a sentence.

    >>> text = "Dr. Lee paid 3.5 m (cf. Sec. 3.2). Why? See v1.2."
    >>> [text[a:b] for a, b in sentence_spans(text)]
    ['Dr. Lee paid 3.5 m (cf. Sec. 3.2).', 'Why?', 'See v1.2.']
    """
    limit = len(text)
    end = limit if end is None else max(0, min(end, limit))
    start = max(0, start)
    spans = _lines(text, start, end) if lines else _sentences(text, start, end)
    for a, b in spans:
        if b - a > max_chars:
            return [piece for span in spans for piece in _cut(text, span, max_chars)]
    return spans


def _lines(text: str, start: int, end: int) -> list[Span]:
    return [Span(*found.span()) for found in _LINE.finditer(text, start, end)]


def _sentences(text: str, start: int, end: int) -> list[Span]:
    spans: list[Span] = []
    begin = start + _indent(text, start, end)
    width = -1
    for found in _CANDIDATE.finditer(text, begin, end):
        follow = found.end()
        if follow >= end:
            break
        at, stop = found.start(), found.end(1)
        mark = text[at]
        if mark in _BREAKS:
            broken, stop = True, at
            ends = False
        else:
            ends = _ends(text, begin, at, stop, follow)
            broken = not ends and "\n" in text[stop:follow] and not _never(text, begin, at)
        if broken:
            if width < 0:
                width = _width(text, start, end)
            ends = _breaks(text, start, stop, follow, end, width)
        if ends:
            if mark in _BREAKS:
                stop = begin + len(text[begin:at].rstrip())
            if stop > begin:
                spans.append(Span(begin, stop))
            begin = follow
    if begin < end:
        stop = begin + len(text[begin:end].rstrip())
        if stop > begin:
            spans.append(Span(begin, stop))
    return spans


def _indent(text: str, start: int, end: int) -> int:
    """Number of white-space characters at ``start``."""
    piece = text[start : start + 64] if end - start > 64 else text[start:end]
    blank = len(piece) - len(piece.lstrip())
    if blank < len(piece) or start + blank >= end:
        return blank
    return end - start - len(text[start:end].lstrip())


def _ends(text: str, begin: int, at: int, stop: int, follow: int) -> bool:
    """Whether the stop at ``at``, closed at ``stop``, ends the sentence from ``begin``."""
    mark, after = text[at], text[follow]
    if after in _NEVER_FIRST:
        return False
    if mark in _WIDE:
        if text[stop - 1] not in "\u201d\u300d\u300f":
            return True
        return not (_SAYS if mark in "\uff01\uff1f" else _QUOTED).match(text, follow)
    if stop == follow:
        return _glued(text, begin, at, stop, follow)
    if after in _OPENERS:
        after = text[follow + 1 : follow + 2]
    if after.islower():
        if mark in "!?":
            return text[stop - 1] in "!?"
        return mark == "." and stop == at + 1 and text[at - 1 : at].isspace()
    if mark != "." or (stop > at + 1 and text[at + 1] == "."):
        return True
    word = _word_before(text, begin, at)
    if not word:
        return True
    known = _class(word)
    if known is None:
        # "3. Third item" and "C.1. Orders" start with their number; "it was 3. Then" ends with it.
        return not (word[-1].isdigit() and len(word) <= 8 and at - len(word) <= begin)
    if known == "never":
        return False
    if known == "number":
        return _NUMERAL.match(text, follow) is None
    if known == "last":
        return after.isupper() or not after.isalnum()
    opens = _WORD.match(text, follow)
    return opens is not None and opens[1] in STARTERS


def _word_before(text: str, begin: int, at: int) -> str:
    """The word that the full stop at ``at`` follows, without brackets and quotes before it; cut at 16 characters."""
    words = text[max(begin, at - 16) : at].split()
    if not words or text[at - 1].isspace():
        return ""
    return words[-1].lstrip("([{\"'\u201c\u2018\u00ab*_`")


def _class(word: str) -> str | None:
    if len(word) == 1:
        return "weak" if word.isupper() else ABBREVIATIONS.get(word)
    key = word.lower()
    known = ABBREVIATIONS.get(key)
    if known is None:
        return "weak" if "." in word and _INITIALISM.match(word) else None
    if word == key and key in ORDINARY and known != "number":
        return None
    return known


def _never(text: str, begin: int, at: int) -> bool:
    return text[at] == "." and _class(_word_before(text, begin, at)) == "never"


def _glued(text: str, begin: int, at: int, stop: int, follow: int) -> bool:
    """Whether a sentence ends although no space follows: "the end.Next", "1990.[2]The", or before Han and kana."""
    mark = text[at]
    if _IS_CJK.match(text, follow) or text[follow] in "\u201c\u300c\u300e\u300a":
        if mark == "\u2026":
            return stop > at + 1 and at - begin >= _ELLIPSIS_LEAST
        return mark in "!?" or (mark == "." and stop == at + 1 and _IS_CJK.match(text, at - 1) is not None)
    if not text[follow].isupper() or not (text[at - 1 : at].isalnum() or stop > at + 1):
        return False
    opens = _WORD.match(text, follow)
    if opens is None or opens[1] not in STARTERS or len(opens[1]) == 1:
        return False
    before = _word_before(text, begin, at)
    return before.isalnum() and (before[-1].islower() or before.isdigit()) and ABBREVIATIONS.get(before.lower()) is None


def _width(text: str, start: int, end: int) -> int:
    """The length that all but a few lines stay under: in wrapped text, about the column it was wrapped at."""
    lengths = sorted(map(len, text[start:end].splitlines()))
    return lengths[len(lengths) * 19 // 20]


def _breaks(text: str, start: int, stop: int, follow: int, end: int, width: int) -> bool:
    """Whether the line break after ``stop`` ends a sentence: a blank line, or a line that need not have ended there."""
    gap = text[stop:follow]
    if gap.count("\n") > 1 or gap.count("\r") > 1 or "\f" in gap or "\u2029" in gap:
        return True
    first = text[follow]
    if first.islower() or first in _NEVER_FIRST:
        return False
    if _OWN_LINE.match(text, follow, end):
        return True
    if text[max(start, stop - 1) : stop] in ("-", ",", "\u2010"):
        return False
    if width > 130:
        return True
    begin = text.rfind("\n", start, stop) + 1 or start
    word = text[follow : min(end, follow + 40)].split(None, 1)[0]
    return stop - begin + 1 + len(word) < width


def _cut(text: str, span: Span, max_chars: int) -> list[Span]:
    """Cut a span into pieces of at most ``max_chars`` characters, none of them tiny where that can be helped."""
    begin, end = span
    pieces = []
    while end - begin > max_chars:
        # Leave at least a quarter for the last piece.
        most = begin + min(max_chars, max(end - begin - max_chars // 4, max_chars // 2))
        at = _best_cut(text, begin, most, max_chars)
        stop = begin + len(text[begin:at].rstrip())
        pieces.append(Span(begin, stop))
        begin = at + _indent(text, at, end)
    if begin < end:
        pieces.append(Span(begin, end))
    return pieces


def _best_cut(text: str, begin: int, most: int, max_chars: int) -> int:
    least = begin + max(1, min(max_chars // 2, (most - begin) // 2))
    for rank, place in enumerate(_CUTS):
        # A plain space may lie earlier than a clause end: a long word must not force a cut inside it.
        found = place.match(text, least if rank < 3 else begin + 1, min(most + 1, len(text)))
        if found and found.end() <= most + (rank == 3):
            return min(found.end(), most)
    at = most
    while at > least and not _separable(text, at):
        at -= 1
    return at if at > least else most


def _separable(text: str, at: int) -> bool:
    """Whether a text may be cut at ``at`` without parting a letter from its mark or the halves of a pair."""
    here, before = text[at], text[at - 1]
    return not (
        unicodedata.category(here)[0] == "M"
        or "\udc00" <= here <= "\udfff"
        or "\U0001f3fb" <= here <= "\U0001f3ff"
        or "\u200d" in (here, before)
    )
