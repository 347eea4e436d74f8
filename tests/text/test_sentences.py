"""Sentence ends: a hand-written list of what trips splitters, and the limits of length."""

from __future__ import annotations

import time

import pytest

from gliding.text.sentences import sentence_spans

# A bar stands where a sentence ends and a space follows, two bars where none follows; ~ is a line break.
TRICKY = """
Dr. Lee came.|She left.
Mr. and Mrs. Ames met Prof. Ruiz.|They spoke.
The order, No. 12-345, stands.|It was signed.
See Sec. 3.2(b) of the act.|It applies.
Use fruit, e.g. Spanish oranges, daily.|Peel them.
The limit, i.e. Two tons, holds.|Nothing else does.
The U.S. Senate voted.|It failed.
He moved to the U.S.|He liked it there.
J. K. Rowling wrote it.|The book sold well.
Judge R. B. Ellis held so.|He was firm.
Acme Inc. was sued.|Acme Corp. was not.
He works for Acme Inc.|The firm is old.
Smith vs. Jones was heard.|Jones won.
In Roe v. Acme the court ruled.|It was close.
Fig. 3 shows it.|Fig. 4 does not.
We met at 5 p.m. on Friday.|Then we ate.
It starts at 9 a.m.|The doors open at eight.
It cost 3.50 dollars.|That is cheap.
Version 2.3.1 is out.|Get v2.3.2-rc.1 instead.
Pi is about 3.14159.|E is less.
Wait... what happened?|Nothing.
He paused...|Then he spoke.
"Really?" he asked.|"Yes."
"It is late."|He went home.
(He left early.)|She stayed.
Is it true?!|No way.
"Stop!" she said.|He stopped.
They grew in 1990.[3]|The rest did not.
This is the end.|Next comes more.
Visit example.com/a.html today.|It is free.
Mail a.b@c.org now.|Or call.
The file config.yaml is read.|Then run.sh starts.
On Jan. 5 it rained.|On Feb. 6 it snowed.
See p. 14 and pp. 20-25.|Skip the rest.
Cf. Sec. 4 for more.|Or ask.
Barges of approx. 12.5 m are meant.|Others are not.
Smith et al. (2011) disagree.|So do we.
He has a Ph.D. in physics.|She has an M.A. in law.
The St. Lawrence River froze.|Ships waited.
Gen. Grant won.|Lt. Col. Ames lost.
It is 10 ft. long.|It is heavy.
Apples, pears, etc. are sold.|Bread is not.
We sell apples, etc.|Bread is sold too.
1. First point here.|2. Second point here.
12.8. Amendment is allowed.|C.1. Orders are not.
The score was 3.|Then it rose.
Vol. 2, ch. 7 says so.|Read it.
She said no.|He said yes.
I gave it to him and so did I.|Then we left.
Washington, D.C. is hot.|It is humid.
The embank-~ment broke.|It was rebuilt.
A line that is wrapped~goes on here.|A second one.
Nice .|I think so .|Right .
Done (see note 2).|Next item.
He asked "Why?"|Nobody knew.
It was 40%.|That is a lot.
It rose to $5.|Then it fell.
Yes!|And no!|Maybe?
One.|"Two."|(Three.)|'Four.'
会议改期了。||新的时间是周三！||可以吗？||可以。
他说：“走吧。”||然后走了。
价格是3.5元。||不贵。
甲方付款；||乙方交货。
本当ですか。||はい、そうです。
《你是谁？》是书名。||很好。
“走吧！”他说。||她问：“去哪里？”||没有人回答。
「はい。」と言った。||雨が降った。
他走了很久很久……||然后回来了。||我……我不知道。
（见附件。）||另有一事。
〔附录。〕||下一章。
价格很高.||我们不买.
用v2.3.1和J.K.罗琳的书.||很好！
네.|그렇습니다.|없어요!
That is it,~and no more.|Over.
لماذا؟|لأن.
The A.B.C. Company grew.|It shrank.
Bros. Inc. and Ltd. are suffixes.|The rest is not.
It holds 5 oz. of tea.|Pour it.
Write to the dept. of health.|They answer.
He finished 2nd.|She was 1st.
He was born in 1999.|In 2020 he died.
The value is 0.|It was 1.
Rev. Ames spoke.|Amen.
They came from Gov. Reed's office.|He was out.
The key is “q”.|It opens.
""".strip().splitlines()


@pytest.mark.parametrize("line", TRICKY)
def test_tricky(line: str) -> None:
    line = line.replace("~", "\n")
    text = line.replace("||", "").replace("|", " ")
    assert [text[a:b] for a, b in sentence_spans(text)] == line.replace("||", "|").split("|")


def test_missing_space() -> None:
    text = "This is the end.Next comes more. See asyncio.Queue and node.js."
    assert [text[a:b] for a, b in sentence_spans(text)][:2] == ["This is the end.", "Next comes more."]


def test_lines_of_their_own_end_sentences_and_wrapped_lines_do_not() -> None:
    mail = "From: Ruth\nSubject: Crane\nThe crane is late and the permit ends on Friday evening."
    assert [mail[a:b] for a, b in sentence_spans(mail)] == mail.split("\n")
    wrapped = "The commission found that the old\nEmbankment had been built on soft\nClay and that it would not hold."
    assert len(sentence_spans(wrapped)) == 1


def test_blank_line_ends_a_sentence() -> None:
    text = "no stop here\n\nnor here"
    assert [text[a:b] for a, b in sentence_spans(text)] == ["no stop here", "nor here"]


def test_lines() -> None:
    text = "  a. B c \n\n\td\r\ne"
    assert [text[a:b] for a, b in sentence_spans(text, lines=True)] == ["a. B c", "d", "e"]


def test_part_of_a_text_is_read_alone() -> None:
    text = "Ab. Cd ef. Gh"
    assert [text[a:b] for a, b in sentence_spans(text, 4, 9)] == ["Cd ef"]


def test_long_sentence_is_cut_at_clauses() -> None:
    text = "the first part of it is here, " * 30 + "and the end; of it all."
    pieces = [text[a:b] for a, b in sentence_spans(text, max_chars=200)]
    assert all(100 // 2 <= len(piece) <= 200 for piece in pieces)
    assert all(piece.endswith((",", ";", ".")) for piece in pieces)


def test_no_piece_is_tiny() -> None:
    for size in range(401, 900, 7):
        text = ("word " * 200)[:size].strip()
        assert min(b - a for a, b in sentence_spans(text)) >= 60


def test_word_without_end_is_cut_between_clusters() -> None:
    for text in ("e\u0301" * 500, "\U0001f469\u200d\U0001f680" * 200, "\ud83d\ude00" * 500):
        for a, b in sentence_spans(text, max_chars=101):
            assert b - a <= 101
            assert text[a] not in "\u0301\u200d\ude00"
            assert text[b - 1] not in "\u200d\ud83d"


@pytest.mark.parametrize("unit", ["a", "garden river ", ".", ". ", "\n", "A.", ".[1]", "X\n", '.")', "\u0301", "x \n"])
def test_time_is_linear(unit: str) -> None:
    def seconds(size: int) -> float:
        text = unit * (size // len(unit))
        start = time.process_time()
        sentence_spans(text)
        return time.process_time() - start

    small = min(seconds(50_000) for _ in range(3))
    assert min(seconds(400_000) for _ in range(3)) < 8 * 5 * max(small, 0.002)


def test_agrees_with_spacy_on_plain_prose() -> None:
    spacy = pytest.importorskip("spacy")
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    text = "The gate was moved. Nobody saw it! Who asked for it? Pavel did, on Monday. It cost 3.5 tons of steel."
    assert [text[a:b] for a, b in sentence_spans(text)] == [sent.text.strip() for sent in nlp(text).sents]
