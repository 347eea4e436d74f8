"""Trimming is idempotent, never longer, keeps facts, and leaves what is quoted."""

from collections import Counter

from hypothesis import example, given, settings
from hypothesis import strategies as st

from gliding.facts import find
from gliding.tiers import phrases
from gliding.tiers.trim import RuleTrimmer


def trim(text):
    return RuleTrimmer().trim([text])[0]


CLAUSES = [
    "the pump must not run above 3,500 rpm",
    "you should call Dr. Alvarez before 14 May 2024",
    "if the valve is closed, they cannot open it",
    "it costs $8,466 unless parser_v2 is used",
    "never restart KR-2291-B without a backup",
    "some of the tests failed with exit code 137",
    "he wrote \"in fact, it is not\" in `notes.txt`",
    "no key was found in /etc/app/keys.toml",
    "Maria didn't pay 12 % of that",
    "most users may only read from it",
]  # fmt: skip
PHRASES = [
    *(f"{phrase} " for phrase in phrases.ANNOUNCEMENTS),
    *(f"{phrase}, " for phrase in (*phrases.OPENERS, *phrases.HESITATIONS)),
    "",
]
MIDDLES = [
    *(f" {phrase} " for phrase in phrases.SHORTER),
    *(f", {phrase}, " for phrase in phrases.ASIDES),
    "  ",
    " and ",
]
SENTENCES = st.builds(
    lambda front, one, middle, two, end: front + one + middle + two + end,
    st.sampled_from(PHRASES),
    st.sampled_from(CLAUSES),
    st.sampled_from(MIDDLES),
    st.sampled_from(CLAUSES),
    st.sampled_from([". ", "!!! ", ".\n", ".\n\n\n\n", "? "]),
)
PIECES = [
    "\n",
    "\n\n",
    " ",
    "  ",
    "\t",
    '"',
    "'",
    "`",
    "```\n",
    "“",
    "”",
    ". ",
    "!!!",
    "....",
    ".......",
    "\n- ",
    "\n> ",
    "|",
    ";",
    ",",
    "------",
    "the ",
    "Well, ",
    "I mean, ",
    "In order to ",
    "in order to ",
    "not ",
    "Please note that ",
    "In fact, ",
    "of course, ",
    "That is the end of the whole long story. ",
    "All rights reserved.",
    "Page 3 of 10",
    "\nSent from my iPhone\n",
    "ß",
    "İ",
    "é",
    "中文",
    "This message is confidential. ",
    "you know, ",
    "npm ",
    "http://x.y/a",
    "\r\n",
    "3 ",
    "Ada ",
]
TEXTS = st.one_of(st.text(max_size=80), st.lists(st.sampled_from(PIECES), max_size=25).map("".join))


@given(TEXTS)
@settings(max_examples=400, deadline=None)
@example("the \"\n\n' In fact, it is")
def test_idempotent_and_never_longer(text):
    once = trim(text)
    assert len(once) <= len(text)
    assert trim(once) == once
    assert bool(once.strip()) == bool(text.strip())


def facts(text):
    return [(fact.kind, fact.normal) for fact in find(text)]


@given(SENTENCES)
@settings(max_examples=200, deadline=None)
def test_each_fact_is_kept_as_often_as_it_is_said(text):
    assert Counter(facts(trim(text))) == Counter(facts(text))


@given(st.lists(SENTENCES, min_size=2, max_size=4).map("".join))
@settings(max_examples=100, deadline=None)
def test_no_fact_is_lost_or_made_where_sentences_repeat(text):
    assert {*facts(trim(text))} == {*facts(text)}
    assert trim(trim(text)) == trim(text)


@given(st.sampled_from(['"{}"', "“{}”", "`{}`", "```\n{}\n```", "«{}»", "    {}"]), SENTENCES)
@settings(max_examples=200, deadline=None)
def test_what_is_quoted_stays(quote, sentence):
    inner = sentence.strip().replace('"', "").replace("`", "").replace("\n", " ")
    quoted = quote.format(inner)
    assert quoted in trim(f"The text has this and that:\n{quoted}\nThe end of it.")


@given(st.text(alphabet="abcäöüßñéжд中文 ,.!?-=\n", max_size=120))
@settings(max_examples=200, deadline=None)
def test_other_languages_lose_white_space_only(text):
    assert "".join(trim(text).split()) == "".join(text.split())
