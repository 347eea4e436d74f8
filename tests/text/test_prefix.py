from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gliding.text.prefix import longest_prefix, word_ends

LETTERS = st.text(st.sampled_from("ab. \n中。カﾞ\u0301\u200d👍🏽ก\u0e33é\ud83d\ude00\ufe0f"), max_size=60)


class Counter:
    """Counts characters (or any function of the text) and what it was asked."""

    name = "test"

    def __init__(self, function=len):
        self.function = function
        self.lengths: list[int] = []

    def count(self, texts):
        self.lengths += [len(text) for text in texts]
        return [self.function(text) for text in texts]


@pytest.mark.parametrize(
    ("text", "limit", "prefix"),
    [
        ("one two three", 7, "one two"),
        ("one two three", 8, "one two"),
        ("one two three", 12, "one two"),
        ("one two three", 13, "one two three"),
        ("one two three  ", 99, "one two three"),
        ("one", 2, ""),
        ("", 5, ""),
        (" \n ", 5, ""),
        ("  one two", 5, "  one"),
        ("(one), two", 8, "(one),"),
        ("中文没有空格", 4, "中文没有"),
        ("abc中文", 4, "abc中"),
        ("abc中文", 3, "abc"),
        ("abc中文", 2, ""),
        ("カ\u3099キ", 1, ""),
        ("中\u0301文", 1, ""),
        ("中\ufe00文", 2, "中\ufe00"),
        ("中👍🏽文", 1, "中"),
        ("中👍🏽文", 2, "中"),
        ("中👍🏽文", 3, "中👍🏽"),
        ("中\u200d文", 2, ""),
        ("น้ำใจ", 2, ""),
        ("中\ud83d\ude00文", 2, "中"),
    ],
)
def test_ends_at_a_word(text, limit, prefix):
    assert text[: longest_prefix(text, limit, Counter())] == prefix


def test_limit_of_nothing():
    assert longest_prefix("one", 0, Counter()) == 0
    assert longest_prefix("one", -3, Counter()) == 0


@given(text=LETTERS, limit=st.integers(0, 70))
def test_is_the_longest_of_all_word_ends(text, limit):
    fitting = [end for end in word_ends(text, len(text)) if end <= limit]
    assert longest_prefix(text, limit, Counter()) == max(fitting, default=0)


@given(text=LETTERS, stop=st.integers(0, 60))
def test_word_ends_of_a_range_are_those_of_the_text(text, stop):
    assert word_ends(text, stop) == [end for end in word_ends(text, len(text)) if end <= stop]


def test_a_long_text_costs_few_short_counts():
    for text in ("word " * 10**6, "中" * 5_000_000, "x" * 5_000_000):
        counter = Counter()
        longest_prefix(text, 40, counter)
        assert len(counter.lengths) <= 16
        assert max(counter.lengths) <= 1000


def test_goes_on_where_tokens_are_long():
    counter = Counter(lambda text: len(text) // 100)
    text = "word " * 100_000
    assert longest_prefix(text, 1000, counter) == 100_099
    assert len(counter.lengths) < 32


def test_a_word_that_is_cheaper_whole_is_found():
    """A tokenizer may need more tokens for half a word than for the word."""
    counter = Counter(lambda text: sum(1 if word == "w" * 60 else len(word) for word in text.split()))
    text = "w" * 60 + " tail" * 100
    assert longest_prefix(text, 5, counter) == 65
