"""Bytes to text: byte order marks, UTF-8, UTF-16 and UTF-32, GB18030, Windows-1252. Anything else is an error.

Line ends stay as they are; a byte order mark is taken off. Where a text is UTF-8 but for a few broken bytes, each
broken sequence becomes U+FFFD, so that the result can always be printed and encoded; offsets are those of the decoded
text.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Sequence

from gliding.errors import InputError

_BOMS = (  # UTF-32 first: its little-endian mark begins with that of UTF-16
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_EXTRACT = "Extract its text first, for instance with: pdftotext FILE -"
_UNPACK = "Unpack it first, and give the text files in it."
_SAVE_AS_TEXT = "Unpack it first, or save the document as plain text."
_GIVE_TEXT = "Give a text file."
_MAGIC = (
    (b"%PDF-", "a PDF file", _EXTRACT),
    (b"PK\x03\x04", "a ZIP archive or an office document", _SAVE_AS_TEXT),
    (b"PK\x05\x06", "an empty ZIP archive", _SAVE_AS_TEXT),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old office document", _SAVE_AS_TEXT),
    (b"\x1f\x8b\x08", "a gzip file", "Run: gzip -dc FILE | gliding compress -"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard file", "Run: zstd -dc FILE | gliding compress -"),
    (b"\xfd7zXZ\x00", "an xz file", "Run: xz -dc FILE | gliding compress -"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", _UNPACK),
    (b"Rar!\x1a\x07", "a RAR archive", _UNPACK),
    (b"\x89PNG\r\n", "a PNG image", _GIVE_TEXT),
    (b"\xff\xd8\xff", "a JPEG image", _GIVE_TEXT),
    (b"GIF87a", "a GIF image", _GIVE_TEXT),
    (b"GIF89a", "a GIF image", _GIVE_TEXT),
    (b"\x7fELF", "a program", _GIVE_TEXT),
    (b"\x00asm", "a program", _GIVE_TEXT),
    (b"SQLite format 3\x00", "an SQLite database", "Export the rows that you need as text first."),
)
_STRIP_NULS = "If it is a text with stray NUL bytes, run: tr -d '\\000' < FILE | gliding compress -"
_CONVERT = "Convert it first: iconv -f ENCODING -t UTF-8 FILE | gliding compress -"

# Control characters that texts do not hold. Left out: bell, backspace, tab, line ends, form feed, escape (terminal
# logs have them), and the old end-of-file mark.
_CONTROL = re.compile(r"[\x00-\x06\x0e-\x19\x1c-\x1f\x7f]")
_CONTROL_SHARE = 0.01
_HIGH_SHARE = 0.3
_FEW = 3
_HIGH_BYTES = bytes(range(0x80, 0x100))
_MULTIBYTE = re.compile("[^\x00-\x7f\ufffd]")
# Two bytes in GB18030 that Chinese is nearly all made of: punctuation and full-width forms, then the 3,755 characters
# of level one. A Western text has its high bytes alone.
_CHINESE_PAIR = re.compile(rb"[\xa1\xa3][\xa1-\xfe]|[\xb0-\xd7][\xa1-\xfe]|[\xd8-\xf7][\xa1-\xfe]")
_HANZI = re.compile("[\u4e00-\u9fff]")
_PAIRED = 0.95
_COMMON_SHARE = 0.3
_FEW_HANZI = 4
_COMMON = frozenset(
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如"
    "都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两"
    "高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比"
    "员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区"
    "保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确"
    "传师观清今切院让识候带导争运元千百亿价单费购采预算批准负责项目址联订客户同款票附统超每供货仓库线测试温标警录修改删除请谢您好"
)
_SAMPLE = 200_000


def decode(data: bytes, *, name: str = "") -> str:
    r"""Return the text of ``data``; ``name`` is what messages call it.

    In this order: a byte order mark, the first bytes of known binary formats, UTF-8, UTF-16 without a mark (every other
    byte of Western text is NUL), GB18030 if its characters are common ones of Chinese, UTF-8 with broken sequences if
    they are not more than the whole ones, Windows-1252 if at most 30 % of the bytes are not ASCII.

    Raises:
        InputError: binary data, or an encoding that is none of these, with the command that converts it.

    >>> decode(b"\xef\xbb\xbfa\r\n"), decode("né".encode("utf-16-le") * 2), decode(b"D\xfcren")
    ('a\r\n', 'néné', 'Düren')
    """
    shown = name or "The input"
    for mark, encoding in _BOMS:
        if data.startswith(mark) and not (encoding == "utf-32-le" and len(data) % 4):
            return _checked(data[len(mark) :].decode(encoding, "replace"), shown)
    for magic, what, hint in _MAGIC:
        if data.startswith(magic):
            raise InputError(f"{shown} is {what}, not text.", hint=hint)
    if b"\x00" in data:
        return _decode_utf16(data, shown)
    try:
        return _checked(data.decode("utf-8"), shown)
    except UnicodeDecodeError:
        return _checked(_decode_broken_or_single_byte(data, shown), shown)


def _decode_utf16(data: bytes, shown: str) -> str:
    half = len(data) // 2
    nuls_even, nuls_odd = data[0::2].count(0), data[1::2].count(0)
    # Western text has a NUL in most units, always on the same side; some letters of other scripts do no harm.
    for encoding, here, there in (("utf-16-le", nuls_odd, nuls_even), ("utf-16-be", nuls_even, nuls_odd)):
        if len(data) % 2 == 0 and here >= 0.4 * half and there == 0:
            try:
                return _checked(data.decode(encoding), shown)
            except UnicodeDecodeError:
                break
    chinese = _chinese_utf16(data)
    if chinese:
        return _checked(chinese, shown)
    raise InputError(f"{shown} is binary: it holds NUL bytes.", hint=_STRIP_NULS)


def _decode_broken_or_single_byte(data: bytes, shown: str) -> str:
    if _is_chinese(data):
        return data.decode("gb18030", "replace")
    chinese = _chinese_utf16(data)
    if chinese:
        return chinese
    replaced = data.decode("utf-8", "replace")
    whole = len(_MULTIBYTE.findall(replaced))
    if whole >= replaced.count("\ufffd"):
        return replaced
    high = len(data) - len(data.translate(None, _HIGH_BYTES))
    if high <= max(_FEW, _HIGH_SHARE * len(data)):
        try:
            return data.decode("cp1252")
        except UnicodeDecodeError:
            pass  # a byte that Windows-1252 leaves open is a control code in Latin-1: not a text in either
    raise InputError(f"{shown} is neither UTF-8 nor UTF-16 nor a Western single-byte text.", hint=_CONVERT)


def _is_chinese(data: bytes) -> bool:
    """Whether bytes that are not UTF-8 are GB18030: nearly all high bytes pair up, and to characters that are common.

    A third of a Chinese text is among the 500 most common characters, of pairs by chance (Cyrillic) a tenth.
    """
    sample = data[:_SAMPLE]
    high = len(sample) - len(sample.translate(None, _HIGH_BYTES))
    pairs = _CHINESE_PAIR.findall(sample)
    if 2 * len(pairs) < _PAIRED * high - 1:
        return False
    return _are_common(b"".join(pair for pair in pairs if pair[0] >= 0xB0).decode("gb18030", "replace"))


def _chinese_utf16(data: bytes) -> str:
    """The text of UTF-16 without a mark that is mostly Chinese, and so has few NULs; empty where it is none."""
    if len(data) % 2:
        return ""
    for encoding in ("utf-16-le", "utf-16-be"):
        sample = data[:_SAMPLE].decode(encoding, "ignore")
        hanzi = _HANZI.findall(sample)
        if len(hanzi) >= _FEW_HANZI and 4 * len(hanzi) >= len(sample) and _are_common(hanzi):
            try:
                return data.decode(encoding)
            except UnicodeDecodeError:
                continue
    return ""


def _are_common(hanzi: Sequence[str]) -> bool:
    common = sum(character in _COMMON for character in hanzi)
    return common >= max(1 if len(hanzi) < _FEW_HANZI else 2, _COMMON_SHARE * len(hanzi))


def _checked(text: str, shown: str) -> str:
    """Refuse a text that holds more control characters than any text does, or a NUL."""
    control = len(_CONTROL.findall(text)) if _CONTROL.search(text) else 0
    if (control > _FEW and control > _CONTROL_SHARE * len(text)) or "\x00" in text:
        raise InputError(f"{shown} is binary: {control} of {len(text)} characters are control codes.", hint=_STRIP_NULS)
    return text
