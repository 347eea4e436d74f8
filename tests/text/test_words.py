import pytest

from gliding.text.templates import template
from gliding.text.words import STOP_WORDS, stem, terms, words_with


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("licence", "licences"),
        ("notes", "noted"),
        ("cities", "city"),
        ("stopping", "stopped"),
        ("Aschenbrödel", "aschenbrodel"),
        ("Oslo's", "Oslo"),
        ("Oslo’s", "oslo"),
    ],
)
def test_forms_of_a_word_are_one_term(left, right):
    assert terms(left) == terms(right) != []


@pytest.mark.parametrize("word", ["is", "was", "bus", "gas", "ring", "red"])
def test_short_words_keep_their_ends(word):
    assert stem(word) == word


def test_compounds_are_found_whole_and_in_parts():
    assert {"get_user_id", "get", "user", "id"} <= set(terms("get_user_id"))
    assert {"10.0.0.12:8080", "8080"} <= set(terms("10.0.0.12:8080"))
    assert {"httpserver", "http", "server"} <= set(terms("HTTPServer"))
    assert {"non-transferable", *terms("nontransferable")} <= set(terms("non-transferable"))


def test_a_code_of_letters_and_digits_is_one_term():
    assert terms("XAZ3C0") == ["xaz3c0"]


def test_chinese_has_characters_and_pairs_and_keeps_its_numbers():
    assert terms("不超过5000元") == ["不", "超", "过", "不超", "超过", "5000", "元"]


def test_chinese_and_english_in_one_word_are_both_found():
    assert terms("用React框架v2.3.1") == ["用", "react", "框", "架", "框架", "v2.3.1", "v2", "3", "1"]
    assert terms("ＡＰＩ１２") == terms("API12") == ["api12"]
    assert terms("서울에서") == ["서", "울", "에", "서", "서울", "울에", "에서"]


def test_words_with_terms_in_a_run_without_spaces():
    text = "由王琳和React主持 pumps"
    spans = words_with(text, {"王琳", "react", "pump"})
    assert [text[a:b] for a, b in spans] == ["王琳", "React", "pumps"]
    assert words_with(text, {"李"}) == []


def test_stop_words_are_no_terms():
    assert terms("what is the " + " ".join(sorted(STOP_WORDS))) == []


def test_what_a_word_means_does_not_depend_on_what_was_seen_before():
    first = terms("Panel E-417 café")
    for k in range(300):
        terms(f"word{k} E-{k} café{k}")
    assert terms("Panel E-417 café") == first


def test_lines_that_differ_in_numbers_have_one_template():
    assert template("id=3f2a9c1d took 3 ms") == template("id=99aa00ff took 41 ms")
    assert template("disk full") == "disk full"
