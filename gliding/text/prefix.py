"""The longest beginning of a text that fits a token limit and ends where a word ends, for any token counter."""

from __future__ import annotations

import re
from unicodedata import category

from gliding.protocols import TokenCounter
from gliding.text.scripts import CJK

# Scripts without spaces between words, and their punctuation: every character may end a prefix. Thai, Lao, Tibetan,
# Myanmar and Khmer have spaces between phrases only.
_UNSPACED = CJK + "\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u3001-\u3003\u3008-\u3020\uff01-\uff65"
_IS_UNSPACED = re.compile(f"[{_UNSPACED}]")
_WORD_END = re.compile(rf"\S(?:(?!\S)|(?=[{_UNSPACED}]))|[{_UNSPACED}]")

_ZWJ = "\u200d"
# What belongs to the character before it though it is no mark: joiners, Thai and Lao AM, half-width voicing signs,
# the skin tones of emoji, the second half of a surrogate pair.
_EXTENDS = re.compile("[\u200c\u200d\u0e33\u0eb3\uff9e\uff9f\U0001f3fb-\U0001f3ff\udc00-\udfff]")

_LOOK_AHEAD = 256


def longest_prefix(text: str, limit: int, counter: TokenCounter) -> int:
    """Return the end (in characters) of the longest prefix of at most ``limit`` tokens that ends at a word; 0 if none.

    A word ends before white space and at the end of the text; in scripts without spaces (Chinese, Japanese, Thai ...)
    at every character, but never inside a cluster (combining marks, joined emoji, surrogate pairs). The prefix has no
    white space at its end. It doubles a first guess, then bisects, so it makes about ``log2(len(text))`` counts of at
    most about twice what fits, however long the text is. What is returned was counted; that nothing longer fits is
    sure where a longer prefix never has fewer tokens, as for all tokenizers that cut at words first.

    >>> from types import SimpleNamespace
    >>> words = SimpleNamespace(name="words", count=lambda texts: [len(text.split()) for text in texts])
    >>> longest_prefix("one two  three", 2, words), longest_prefix("one", 0, words)
    (7, 0)
    """
    if limit <= 0:
        return 0
    ends = word_ends(text, _reach(text, limit, counter))
    fitting, stop = 0, len(ends)
    while fitting < stop:
        middle = (fitting + stop) // 2
        if counter.count([text[: ends[middle]]])[0] <= limit:
            fitting = middle + 1
        else:
            stop = middle
    return ends[fitting - 1] if fitting else 0


def word_ends(text: str, stop: int) -> list[int]:
    """Return the offsets of ``text[:stop]`` at which a word ends, in order.

    >>> word_ends("ab, c 中文e\u0301", 9)
    [3, 5, 7, 8]
    >>> word_ends("cut", 2)
    []
    """
    ends = (found.end() for found in _WORD_END.finditer(text, 0, stop))
    return [end for end in ends if _is_word_end(text, end)]


def _is_word_end(text: str, end: int) -> bool:
    left, right = text[end - 1], text[end : end + 1]
    if not right or right.isspace():
        return True
    if not (_IS_UNSPACED.match(left) or _IS_UNSPACED.match(right)):
        return False  # the regex saw the end of its range here, not the end of a word
    return left != _ZWJ and not _EXTENDS.match(right) and category(right)[0] != "M"


def _reach(text: str, limit: int, counter: TokenCounter) -> int:
    """Return an offset up to which a prefix is too long already, or the text's length."""
    size = 16 + 4 * limit
    while size < len(text):
        # A cut inside a word may have more tokens than the word: go on to its end where that is near.
        near = _WORD_END.search(text, size, size + _LOOK_AHEAD)
        size = near.end() if near else size
        if counter.count([text[:size]])[0] > limit:
            return size
        size *= 2
    return len(text)
