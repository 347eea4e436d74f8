"""The shipped encodings count as tiktoken's own do, on odd text and on any text."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

import pytest
import tiktoken
from hypothesis import given, settings
from hypothesis import strategies as st

from gliding import models
from gliding.backends import tokens

# tiktoken's cache names a file by the SHA-1 of its address.
CACHED = {
    "cl100k_base": "9b5ad71b2ce5302211f9c61530b329a4922fc6a4",
    "o200k_base": "fb374d419588a4632f3f557e76b4b70aebbca790",
}

ODD = [
    "",
    " ",
    "\n",
    "\r\n\r\n",
    "\x00\x01\x7f",
    "<|endoftext|>",
    "a<|fim_prefix|>b<|endofprompt|>",
    "👩‍👩‍👧‍👦 👍🏽 🇳🇴 ✅",
    "cafe\u0301 e\u0301\u0302\u0323 \u0301",
    "שלום עולם مرحبا بالعالم",
    "中文没有空格，也没有句号。日本語のテキスト。",
    "ไม่มีช่องว่าง ភាសាខ្មែរ",
    "I'LL don't WE'VE it's 'S\u017f 'ſ",
    "x = 0x7FFE10; // 1234567890 3.14e-10",
    "HelloWorld camelCase XMLHttpRequest \u01c5",
    "!\u0301\n/\n/ a/\n\n  \n b",
    "tab\tnbsp\u00a0ideographic\u3000nel\x85sep\x1cls\u2028ps\u2029",
    " \n \n  \t",
    "\ufeffbom \ufffd \U0010ffff \U000e0041",
    "trailing   ",
    "-" * 300 + "=" * 300,
    "é" * 1000,
]
SURROGATES = ["a\ud800b", "\udfff", "\ud83d\ude00 pair", "\ud83d", " \udc80\n"]
LETTERS = st.text(st.sampled_from("aB1./\n\r \t\u00a0\u3000é\u0301漢'sſ\x1c\x85👍\u200d"), max_size=40)


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], tiktoken.Encoding]:
    folder = tmp_path_factory.mktemp("tiktoken")
    for name, cached in CACHED.items():
        (folder / cached).symlink_to(models.find(name) / f"{name}.tiktoken")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TIKTOKEN_CACHE_DIR", str(folder))
        encodings = {name: tiktoken.get_encoding(name) for name in CACHED}
    return encodings.__getitem__


@pytest.mark.parametrize("name", CACHED)
def test_odd_text_counts_as_in_tiktoken(reference, name):
    texts = ODD + SURROGATES
    expected = [len(reference(name).encode(text, disallowed_special=())) for text in texts]
    assert tokens.TiktokenCounter(name).count(texts) == expected


@pytest.mark.parametrize("name", CACHED)
def test_ids_are_those_of_tiktoken(reference, name):
    ours = tokens._encoding(name, tokens._PATTERNS[name])
    for text in ODD:
        assert ours.encode_ordinary(text) == reference(name).encode_ordinary(text)


@pytest.mark.parametrize("name", CACHED)
@given(texts=st.lists(st.one_of(st.text(), LETTERS), max_size=8))
@settings(max_examples=60, deadline=None)
def test_any_text_counts_as_in_tiktoken(reference, name, texts):
    expected = [len(reference(name).encode_ordinary(text)) for text in texts]
    assert tokens.TiktokenCounter(name).count(texts) == expected


@pytest.mark.parametrize("name", CACHED)
def test_cutting_at_long_blanks_leaves_the_count_exact(reference, name, monkeypatch):
    """The cut, made for runs of 100,000 blanks, is made here for 3, where tiktoken can still be asked."""
    monkeypatch.setattr(tokens, "_LONG", 1)
    short = re.compile(tokens._LONG_BLANK.pattern.replace("{100000,}", "{3,}"))
    assert short.pattern != tokens._LONG_BLANK.pattern
    monkeypatch.setattr(tokens, "_LONG_BLANK", short)
    counter, encode = tokens.TiktokenCounter(name), reference(name).encode_ordinary
    parts = [
        "a",
        "B",
        "1",
        ".",
        "/",
        "\n",
        "\r",
        "é",
        "\u0301",
        "'s",
        "漢",
        "\x1c",
        "\x85",
        "\u3000",
        " ",
        "   ",
        " \t \u00a0",
    ]
    choose = random.Random(name)
    cut = 0
    for _ in range(4000):
        text = "".join(choose.choices(parts, k=choose.randint(1, 12)))
        cut += bool(short.search(text))
        assert counter.count([text]) == [len(encode(text))], repr(text)
    assert cut > 1000


@pytest.mark.parametrize("name", CACHED)
def test_long_blanks_below_what_tiktoken_can_take(reference, name):
    run = " \t\u00a0" * 50_000
    for text in (run, run + "a", "x" + run, "x.\n" + run + "b" + run, run + "\n", run + "\na"):
        assert tokens.TiktokenCounter(name).count([text]) == [len(reference(name).encode_ordinary(text))]
