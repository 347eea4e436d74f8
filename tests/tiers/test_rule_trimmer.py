"""Texts by hand: what goes, and the traps that must stay."""

import re

import pytest

from gliding.facts import find
from gliding.protocols import Trimmer
from gliding.tiers import phrases
from gliding.tiers.trim import RuleTrimmer


def trim(text):
    return RuleTrimmer().trim([text])[0]


TRIMMED = [
    # announcements
    ("It is important to note that the door is locked.", "The door is locked."),
    ("It is important to note that not all backups ran.", "Not all backups ran."),
    ("It's worth noting that backups run at night.", "Backups run at night."),
    ("Please note that if the disk is full, it stops.", "If the disk is full, it stops."),
    ("He left. Note that he had no key.", "He left. He had no key."),
    ("It is important to\nnote that there is no way back.", "There is no way back."),
    ("(Please note that the price is net.)", "(The price is net.)"),
    ("- Keep in mind that it is cold there.", "- It is cold there."),
    ("Ana: Please be aware that they leave at 9.", "Ana: They leave at 9."),
    ("This is to inform you that your order was sent.", "Your order was sent."),
    ("What I'm trying to say is that we lost.\nIt hurt.", "We lost.\nIt hurt."),
    ("What I’m trying to say is that we lost and you won.", "We lost and you won."),
    # openers
    ("As a matter of fact, the tests pass with it.", "The tests pass with it."),
    ("Basically, 5 of the 6 tests fail.", "5 of the 6 tests fail."),
    ("In fact, npm fails with this.", "npm fails with this."),
    ("Basically, user_id is what they store.", "user_id is what they store."),
    ("As I said, they're late from there.", "They're late from there."),
    ("To be honest, basically, it is broken.", "It is broken."),
    ("In fact, `foo` is not called by it.", "`foo` is not called by it."),
    ("The end came. Needless to say, Maria was not amused by it.", "The end came. Maria was not amused by it."),
    # hesitations
    ("Well, you know, I mean, the server is down.", "The server is down."),
    ("Bob: Well, I did not do it.", "Bob: I did not do it."),
    ("Hmm, you know, that is odd.", "That is odd."),
    # asides
    ("The server, you know, crashed with that.", "The server, crashed with that."),
    ("This is, of course, not allowed.", "This is not allowed."),
    ("And, in fact, we need more of that.", "And we need more of that."),
    ("We sell apples, of course, pears and that.", "We sell apples, pears and that."),
    # in fewer words
    ("You stop it in order to read the log.", "You stop it to read the log."),
    ("In order to win, you must not stop.", "To win, you must not stop."),
    ("We left due to the fact that it rained.", "We left because it rained."),
    ("We left due to the\nfact that it rained.", "We left because it rained."),
    ("Due to the fact that it rained, we left.", "Because it rained, we left."),
    ("They are closed at this point in time.", "They are closed now."),
    ("The shop is closed prior to the feast.", "The shop is closed before the feast."),
    ("Despite the fact that it rained, they came.", "Although it rained, they came."),
    ("It runs on a daily basis and makes use of the cache.", "It runs daily and uses the cache."),
    ("The merge is the end result of that.", "The merge is the result of that."),
    ("It may not be joined together in order to save time.", "It may not be joined to save time."),
    # repeats
    ("The gate is closed at night. The gate is closed at night. Go.", "The gate is closed at night. Go."),
    ("Stop that!!!! Are you there???", "Stop that! Are you there?"),
    ("The end and\n----------\nthe start.", "The end and\n---\nthe start."),
    (
        "This guide is for the operators of the mill.\nA.\n\nThis guide is for the operators of the mill.\nB.",
        "This guide is for the operators of the mill.\nA.\n\nB.",
    ),
    ("The contents and ............ page 3", "The contents and ... page 3"),
    # boilerplate
    ("The price is 5. All rights reserved.", "The price is 5."),
    ("The end of that.\nPage 3 of 10\nThe start of this.", "The end of that.\nThe start of this."),
    ("See you there.\nSent from my iPhone", "See you there."),
    ("This message is confidential. The key is in the box.", "The key is in the box."),
    ("I hope this email finds you well. The key is there.", "The key is there."),
    ("Pay the bill. If you are not the intended recipient, delete it.", "Pay the bill."),
    ("We met there.\nThis e-mail and any attachments are intended solely for him.\nBye.", "We met there.\nBye."),
    # white space
    ("The door  is closed and the   key is there.", "The door is closed and the key is there."),
    ("The door is closed.  The key is there.   ", "The door is closed. The key is there."),
    ("The door.\n\n\n\nThe key.", "The door.\n\nThe key."),
    ("The door.\n \n   \n\t\nThe key.", "The door.\n\nThe key."),
    ("The door.\r\n\r\n\r\n\r\nThe key.", "The door.\r\n\r\nThe key."),
    ("Der Hund  ist im Garten und schläft.", "Der Hund ist im Garten und schläft."),
]

UNTOUCHED = [
    # the phrase is the only content
    "Basically.",
    "Basically",
    "All rights reserved.",
    "Well, you know,",
    "",
    "   ",
    # another reading of the same words
    "I mean business, and you know the answer.",
    "You know the answer and I mean it.",
    "Note that number on this card.",
    "Remember that day in the park with me?",
    "Note that down, and keep it.",
    "It is not important to note that the door is open.",
    "Nobody knows why it is important to note that the door is open.",
    "Is it important to note that the door is open?",
    "He did it not in order to win.",
    "They didn't in order to annoy you.",
    "Well done, you and the team.",
    "The well, you know.",
    "It ships Tuesday. I mean, Wednesday is what they said.",
    "Of course, you may not enter.",
    "Can you do it? Of course not, they said.",
    "You need this at the end of the day.",
    "Actually, it is Thursday and not Friday.",
    "So, the tests fail with that.",
    "Like, comment and subscribe to this.",
    "This is sort of broken and I think it leaks.",
    "Generally speaking, most of the tests pass.",
    "In the event that it rains, stay there.",
    "A weekend-end result and an in-order to-do list are not it.",
    "The order is in order too, they said.",
    "Please Note That The Title Is Not This.",
    # within quotes, code and addresses
    'She said "in order to win, please note that the race is long" and left.',
    "She said “In fact, it is not” and left the room.",
    "He wrote 'please note that it's in order to win' on it.",
    "The sign says «Note that the dog bites» and that is it.",
    'He began, "Please note that the end\nis near in order to scare you.\n\nThe end of it.',
    "Call `in order to` with the flag.",
    'The command is `cut  -d x` and the quote is "two  spaces" here.',
    "See https://example.org/in-fact,basically for this.",
    "```\nPlease note that the  code is kept.\n\n\n\nprior to\n```",
    "~~~\nin order to keep this",
    "    Note that the indented line is kept in order to be code.",
    "> Please note that the quoted line is kept.",
    "| in order to | prior to | and that |",
    "print(in order to); // this and that;",
    # aligned text
    "name      age   town",
    "-rw-r--r-- 1 root root   1106 Nov 30 16:28 the file and that",
    "The apples   12   and   14   of the   25 that   were 9",
    "  two  spaces  at the  start of this",
    "2024-05-11 03:00:00,817 INFO  worker from the pool handled the request",
    "def first(the):\n    return the\n\n\ndef second(and_that):\n    return that",
    "a\tb\t\tc with the tabs and that",
    # repeats that say something
    "No, no, no, that is not it.",
    "The value was 5 at noon today. The value was 5 at noon today.",
    "Reading 17 of the gauge was low.\nReading 17 of the gauge was low.",
    "a ?? b and c !! d with that",
    "Is this it?! And that!? Well...",
    "---",
    "ERROR retry with the host\nERROR retry with the host",
    # boilerplate with content
    "This message is confidential until 3 May.",
    "This message is confidential until the board has met.",
    "All rights reserved for the heirs were sold by them.",
    "See page 3 of 10 for this.",
    "If you are not the owner, delete it.",
    # other languages
    "Um, dois, três: em fato.",
    "Well, das ist gut!!!! In fact, ja.",
    "Por favor, no entre. Basically, no.",
    "这很重要，请注意。In fact, 好。",
]


@pytest.mark.parametrize(("text", "expected"), TRIMMED)
def test_trimmed(text, expected):
    assert trim(text) == expected
    assert trim(expected) == expected


@pytest.mark.parametrize("text", UNTOUCHED)
def test_untouched(text):
    assert trim(text) == text


def test_a_batch_keeps_its_order_and_its_strings():
    texts = ["The key is there.", "In fact, it is.", ""]
    out = RuleTrimmer().trim(texts)
    assert out == ["The key is there.", "It is.", ""]
    assert out[0] is texts[0]
    assert isinstance(RuleTrimmer(), Trimmer)


PHRASES = [
    *phrases.ANNOUNCEMENTS, *phrases.OPENERS, *phrases.HESITATIONS, *phrases.ASIDES, *phrases.SHORTER,
]  # fmt: skip


def test_at_least_a_hundred_phrases_each_once():
    assert len(PHRASES) >= 100
    assert len({*PHRASES}) == len(PHRASES)


@pytest.mark.parametrize("phrase", [*PHRASES, *phrases.SHORTER.values()])
def test_no_phrase_holds_a_fact_a_quantifier_or_a_hedge(phrase):
    assert not [fact for fact in find(phrase) if fact.normal != "until"]
    words = "all some any many most few every each only always often usually maybe perhaps probably think believe first"
    assert not {*re.findall(r"\w+", phrase.lower())} & {*words.split()}


@pytest.mark.parametrize("longer", phrases.SHORTER)
def test_what_is_said_in_fewer_words_is_shorter(longer):
    short = phrases.SHORTER[longer]
    assert len(short) < len(longer)
    assert trim(f"They left {longer} it and that.") == f"They left {short} it and that."
    assert [fact.normal for fact in find(short)] == [fact.normal for fact in find(longer)]


@pytest.mark.parametrize("phrase", phrases.ANNOUNCEMENTS)
def test_every_announcement_goes(phrase):
    assert trim(f"Yes. {phrase} the door is open.") == "Yes. The door is open."


@pytest.mark.parametrize("phrase", phrases.OPENERS)
def test_every_opener_goes(phrase):
    assert trim(f"{phrase}, the door is open.") == "The door is open."
    assert trim(f"{phrase} the door is open.") == f"{phrase} the door is open."


def test_long_texts_take_linear_time():
    import time

    def once(text):
        start = time.process_time()
        trim(text)
        return time.process_time() - start

    def seconds(text):
        return min(once(text) for _ in range(3))

    for unit in ("The cat sat on the mat and ", "a ", "A", "'", '"the ', "\n", " ", "in order ", "!", "; ", "\n- The "):
        small, large = "it is the " + unit * 2_000, "it is the " + unit * 20_000
        assert seconds(large) < 40 * max(seconds(small), 0.002), unit
