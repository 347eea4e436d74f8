from __future__ import annotations

import codecs
import gzip
import io
import zipfile
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gliding.errors import InputError
from gliding.ingest.decode import decode

GERMAN = "Die Prüfung der Großanlage in Düren ergab Mängel. " * 3
RUSSIAN = "Съешь же ещё этих мягких французских булок. " * 3


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", ""),
        (b" \n\t\n", " \n\t\n"),
        (b"a\r\nb\rc\n", "a\r\nb\rc\n"),
        ("né 中文 👍🏽 שלום".encode(), "né 中文 👍🏽 שלום"),
        (codecs.BOM_UTF8 + "né".encode(), "né"),
        (codecs.BOM_UTF16_LE + "né\n".encode("utf-16-le"), "né\n"),
        (codecs.BOM_UTF16_BE + "中".encode("utf-16-be"), "中"),
        (codecs.BOM_UTF32_LE + "né👍".encode("utf-32-le"), "né👍"),
        (codecs.BOM_UTF32_BE + "né".encode("utf-32-be"), "né"),
        (codecs.BOM_UTF16_LE + b"a\x00b", "a\ufffd"),
        (GERMAN.encode("utf-16-le"), GERMAN),
        (GERMAN.encode("utf-16-be"), GERMAN),
        (GERMAN.encode("cp1252"), GERMAN),
        ("“Ünit” – it costs only 5 €…".encode("cp1252"), "“Ünit” – it costs only 5 €…"),
        (b"\xe9", "é"),
        (b"\x1b[31merror\x1b[0m\x08\x0c", "\x1b[31merror\x1b[0m\x08\x0c"),
        (GERMAN.encode()[:-1] + "ü".encode()[:1], GERMAN[:-1] + "\ufffd"),
        ("中文".encode() + b"\xff" + "中文".encode(), "中文\ufffd中文"),
    ],
)
def test_text(data, text):
    assert decode(data) == text


def zipped() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a.txt", "text")
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("data", "what", "hint"),
    [
        (b"%PDF-1.7\nplain so far", "PDF", "pdftotext"),
        (zipped(), "ZIP", "plain text"),
        (gzip.compress(b"text", mtime=0), "gzip", "gzip -dc"),
        (b"\x89PNG\r\n\x1a\n", "PNG", "text file"),
        (b"\x7fELF\x02\x01", "program", "text file"),
        (b"text\x00text", "NUL", "tr -d"),
        (bytes(range(256)) * 4, "NUL", "tr -d"),
        (b"\x00" * 100, "NUL", "tr -d"),
        (bytes(range(1, 32)) * 4, "control codes", "tr -d"),
        (codecs.BOM_UTF16_LE + b"a\x00\x00\x00", "control codes", "tr -d"),
        (RUSSIAN.encode("koi8-r"), "neither", "iconv"),
        ("안녕하세요 회의는 오후에 시작합니다".encode("euc_kr"), "neither", "iconv"),
        (b"a text with a byte \x81 that no Western encoding has", "neither", "iconv"),
    ],
)
def test_not_text(data, what, hint):
    with pytest.raises(InputError, match=what) as caught:
        decode(data, name="thing.bin")
    assert hint in caught.value.hint
    assert caught.value.message.startswith("thing.bin is ")


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1))
def test_utf8_comes_back(text):
    if not text.startswith(("\ufeff", "%PDF-")):
        assert decode(text.encode()) == text


@given(st.binary(max_size=200))
def test_any_bytes_are_printable_text_or_an_input_error(data):
    with suppress(InputError):
        decode(data).encode("utf-8")


@pytest.mark.parametrize(
    "text",
    [
        "采购预算不超过五千元",
        "Error 500 at /api/v1/order: 数据库连接超时 retry=3\n" * 3,
        "A long English text. " * 500 + "会议",
        "a" * 500 + " 张三说不行",
        "中文。",
        "你好，世界！This is mixed text, mostly English with one 词",
        "１２３万元，Ａ型，“引号”——完",
    ],
)
def test_chinese_of_any_share(text):
    assert decode(text.encode("gb18030")) == text


@pytest.mark.parametrize(
    "text",
    [
        GERMAN,
        "ÄÖÜ",
        "Åsa Öberg bor på Östermalm i Malmö och äter kött",
        "Le café à Orléans était très cher, où l’été est déjà là",
        "¿Dónde está el niño? «Aquí», dijo Íñigo Ñúñez",
        "20 °C ± 2 µm, ½ × ¾, §5, ©2020, naïve",
        "It costs 5 €… “quoted”",
    ],
)
def test_western_texts_do_not_become_chinese(text):
    assert decode(text.encode("cp1252")) == text


def test_utf16_of_chinese_without_a_mark():
    text = "采购预算不超过五千元，会议在下午开始。\r\nOK"
    assert decode(text.encode("utf-16-le")) == text
    assert decode(text.encode("utf-16-be")) == text
    assert decode("我们在下午开会".encode("utf-16-be")) == "我们在下午开会"


def test_a_few_broken_bytes_in_chinese():
    data = "采购预算不超过五千元，我们在下午开会。".encode()
    assert decode(data[:30] + data[31:]).count("\ufffd") <= 2
    assert decode("采购预算不超过五千元".encode("gb18030")[:-1]) == "采购预算不超过五千\ufffd"
