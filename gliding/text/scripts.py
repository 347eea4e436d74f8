"""Which script a character or a text is written in, and the character classes that other regexes are built from."""

from __future__ import annotations

import re
from typing import Literal

Script = Literal["han", "kana", "hangul", "latin", "greek", "cyrillic", "hebrew", "arabic", "indic", "thai", "other"]

# Bodies of regex character classes: use as f"[{HAN}]".
HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
KANA = "\u3041-\u309f\u30a1-\u30ff\u31f0-\u31ff\uff66-\uff9f"
HANGUL = "\u1100-\u11ff\u3131-\u318e\ua960-\ua97f\uac00-\ud7ff"
LATIN = "A-Za-z\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff\uff21-\uff3a\uff41-\uff5a"
CJK = HAN + KANA
"""Han and kana: scripts without spaces between words. Hangul puts spaces, so it is not among them."""

_CLASSES: dict[Script, str] = {
    "latin": LATIN,
    "han": HAN,
    "kana": KANA,
    "hangul": HANGUL,
    "cyrillic": "\u0400-\u052f\u1c80-\u1c8f\u2de0-\u2dff",
    "greek": "\u0370-\u03ff\u1f00-\u1fff",
    "arabic": "\u0600-\u06ff\u0750-\u077f\u08a0-\u08ff\ufb50-\ufdff\ufe70-\ufeff",
    "hebrew": "\u0590-\u05ff\ufb1d-\ufb4f",
    "indic": "\u0900-\u0dff",
    "thai": "\u0e00-\u0eff",
}
_SCRIPT = re.compile("|".join(f"(?P<{name}>[{body}])" for name, body in _CLASSES.items()))
_CJK_RUN = re.compile(f"[{CJK}]+")
_LETTERS = re.compile(r"[^\W\d_]+")


def script(ch: str) -> Script:
    """Return the script of one character, ``other`` for digits, punctuation and what is not listed.

    >>> [script(ch) for ch in "aжß中ひ한5"]
    ['latin', 'cyrillic', 'latin', 'han', 'kana', 'hangul', 'other']
    """
    found = _SCRIPT.match(ch)
    return found.lastgroup if found else "other"  # type: ignore[return-value]


def is_cjk(ch: str) -> bool:
    """Return whether a character is Han or kana, which are written without spaces between words.

    >>> is_cjk("中"), is_cjk("カ"), is_cjk("한"), is_cjk("。"), is_cjk("")
    (True, True, False, False, False)
    """
    return ch > "\u3004" and _CJK_RUN.match(ch) is not None


def cjk_share(text: str) -> float:
    """Return the share of the letters of a text that are Han or kana, in [0, 1]; 0.0 where there are no letters.

    >>> cjk_share("中文 ab"), cjk_share("abc"), cjk_share("12!")
    (0.5, 0.0, 0.0)
    """
    if text.isascii():
        return 0.0
    letters = sum(map(len, _LETTERS.findall(text)))
    return sum(map(len, _CJK_RUN.findall(text))) / letters if letters else 0.0


_WIDE = re.compile("[\uff01-\uff5e]")
_NARROW = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F) if chr(code).isalnum() or chr(code) in "％．＄"}
_GAP = re.compile(rf"(?<=[{CJK}])\s+|\s+(?=[{CJK}])")


def narrow(text: str) -> str:
    """Return a text with full-width Latin letters, digits, ％ and ．as ASCII, character for character.

    >>> narrow("共１２．５％，ＡＢ")
    '共12.5%，AB'
    """
    return text.translate(_NARROW) if _WIDE.search(text) else text


def tight(text: str) -> str:
    """Return a text without the white space next to Han and kana, where it says nothing.

    >>> tight("2024 年 3 月 in Oslo")
    '2024年3月in Oslo'
    """
    return _GAP.sub("", text)
