"""Words as the scorers see them: lower-cased, light-stemmed terms; compounds whole and in parts; CJK by one and two.

The stemmer strips English inflections only; it does not know irregular forms or derivation, and leaves words of other
scripts alone. Terms are memoised by word, since a text repeats its words: that is where most of the time would go.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection

from gliding.text.scripts import CJK, HANGUL, is_cjk, narrow, script

_WORD = re.compile(r"[^\W_]+(?:['’_.\-:/@+#]+[^\W_]+)*")
_PARTS = re.compile(r"[_.\-:/@+#]+")
_CAMEL = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2}[a-z]{2}")
_CAMEL_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_CJK_RUN = re.compile(f"[{CJK}{HANGUL}]+")

STOP_WORDS = frozenset(
    "a an the of to in on at for and or but with by from is are was were be been being that this these those it its as "
    "do does did what which who whom whose when where why how have has had there i you he she we they his her hers "
    "their my your yours our me him them us not if so than then also into about can could would should will shall may "
    "might must am any some such more most other no nor only own same too very just s t d ll re ve m".split()
)
_SUFFIXES = ("ingly", "edly", "ings", "ing", "ies", "ied", "ed", "es", "ly", "s")
_MEMO_LIMIT = 200_000
_memo: dict[str, tuple[str, ...]] = {}


def stem(word: str) -> str:
    """Strip an English inflection, and a final e, where at least three letters stay.

    >>> [stem(w) for w in ("builds", "cities", "running", "stopped", "licence", "licences", "is")]
    ['build', 'city', 'run', 'stop', 'licenc', 'licenc', 'is']
    """
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            base = word[: -len(suffix)]
            if suffix in ("ies", "ied"):
                return base + "y"
            if suffix in ("ing", "ed", "ings") and base[-1] == base[-2] and base[-1] not in "lsz":
                return base[:-1]
            word = base
            break
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


def _terms_of(word: str) -> tuple[str, ...]:
    low = _folded(narrow(word).lower())
    if low.isascii() and low.isalpha() and not _CAMEL.search(word):
        return () if low in STOP_WORDS else (stem(low),)
    if _CJK_RUN.search(low):
        return _cjk_terms(low)
    for mark in ("'", "’"):
        if mark in low:  # "Oslo's" is about Oslo; "don't" is a stop word
            low, _, tail = low.partition(mark)
            if len(tail) > 2:
                return (stem(low), stem(tail))
    parts = [part for part in _PARTS.split(low) if part]
    if _CAMEL.search(word) and not word.isupper():  # "XAZ3C0" is one code, "HTTPServer2" is not
        parts += [part.lower() for part in _CAMEL_PARTS.findall(word)]
    if len(parts) == 1:
        return () if low in STOP_WORDS else (stem(low),)
    terms = [low, *(stem(part) for part in parts if part not in STOP_WORDS)]
    if "-" in low:  # "non-transferable" is also written "nontransferable"
        terms.append(stem(low.replace("-", "")))
    return tuple(dict.fromkeys(terms))


def _folded(word: str) -> str:
    """A Latin word without its accents, which a query may leave out; other scripts as they are."""
    if word.isascii():
        return word
    bare = "".join(ch for ch in unicodedata.normalize("NFD", word) if not unicodedata.combining(ch))
    return bare if bare.isascii() else word


def _cjk_terms(word: str) -> tuple[str, ...]:
    terms: list[str] = []
    at = 0
    for run in _CJK_RUN.finditer(word):
        if run.start() > at:
            terms.extend(_terms_of(word[at : run.start()]))
        text = run.group()
        terms.extend(text)
        terms.extend(text[i : i + 2] for i in range(len(text) - 1))
        at = run.end()
    if at < len(word):
        terms.extend(_terms_of(word[at:]))
    return tuple(terms)


def terms(text: str) -> list[str]:
    """Return the terms of a text in order, stop words left out.

    >>> terms("The non-transferable licences of get_user_id")
    ['non-transferable', 'non', 'transferabl', 'nontransferabl', 'licenc', 'get_user_id', 'get', 'user', 'id']
    >>> terms("Aschenbrödel")
    ['aschenbrodel']
    >>> terms("采购预算")
    ['采', '购', '预', '算', '采购', '购预', '预算']
    """
    found: list[str] = []
    for word in _WORD.findall(text):
        known = _memo.get(word)
        if known is None:
            known = _terms_of(word)
            if len(word) <= 64:
                if len(_memo) >= _MEMO_LIMIT:
                    _memo.clear()
                _memo[word] = known
        found += known
    return found


def words_with(text: str, wanted: Collection[str]) -> list[tuple[int, int]]:
    """Return the spans of the words of a text that have one of these terms, in order.

    Of a run without spaces they are the characters and pairs, joined where they touch.

    >>> words_with("Two pumps were pumping.", {"pump"})
    [(4, 9), (15, 22)]
    >>> words_with("采购预算为500元", {"预", "算", "预算"})
    [(2, 4)]
    """
    if not wanted:
        return []
    found: list[tuple[int, int]] = []
    for match in _WORD.finditer(text):
        if set(terms(match[0])).isdisjoint(wanted):
            continue
        if match[0].isascii() or not _CJK_RUN.search(match[0]):
            found.append(match.span())
        else:
            found += _parts_with(match[0], match.start(), wanted)
    return found


def _parts_with(word: str, at: int, wanted: Collection[str]) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    done = 0
    for run in (*_CJK_RUN.finditer(word), None):
        start, end = run.span() if run else (len(word), len(word))
        if start > done and not set(terms(word[done:start])).isdisjoint(wanted):
            spans.append((at + done, at + start))
        for size in (1, 2):
            spans += [(at + k, at + k + size) for k in range(start, end - size + 1) if word[k : k + size] in wanted]
        done = end
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def find_whole(text: str, part: str) -> int:
    """Return where a part stands in a text with no word going on before or after it, -1 where it does not.

    Han and kana need no space around them, and Hangul, whose particles follow a word, none after it.

    >>> [find_whole(each, "e-417") for each in ("valve e-417.", "e-4170", "阀门e-417漏水")]
    [6, -1, 2]
    >>> find_whole("由王琳主持", "王琳"), find_whole("서울에서", "서울")
    (1, 0)
    """
    free_before, free_after = is_cjk(part[:1]), is_cjk(part[-1:])
    at = text.find(part) if part else -1
    while at >= 0:
        end = at + len(part)
        if (free_before or at == 0 or not _goes_on(text[at - 1])) and (
            free_after or end == len(text) or not _goes_on(text[end]) or script(text[end]) == "hangul"
        ):
            return at
        at = text.find(part, at + 1)
    return -1


def _goes_on(ch: str) -> bool:
    return (ch.isalnum() or ch == "_") and not is_cjk(ch)
