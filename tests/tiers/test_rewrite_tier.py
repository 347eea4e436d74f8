from itertools import pairwise

import pytest

from gliding.errors import TierError
from gliding.tiers.guard import Guard
from gliding.tiers.rewrite import RewriteTier, must_keep

LONG = "The committee really did approve the budget of 40 euros for the new pump in the hall."


class Scripted:
    """Answers what it was told to, and notes what it was asked."""

    fingerprint = "scripted"

    def __init__(self, answers=None):
        self.answers, self.calls = answers or {}, []

    def rewrite(self, texts, *, keep, ratio, stop):
        kept = [[text[a:b] for a, b in spans] for text, spans in zip(texts, keep, strict=True)]
        self.calls.append((list(texts), kept, ratio))
        return [text if stop() else self.answers.get(text, text) for text in texts]


def run(rewriter, texts, *, asked=(), stop=lambda: False):
    return RewriteTier(rewriter, Guard(), ratio=0.5).rewrite(texts, asked=frozenset(asked), stop=stop)


def test_an_honest_rewrite_is_taken_and_a_false_one_refused_with_the_reason():
    honest = LONG.replace("really did approve", "did approve")
    false = LONG.replace("40", "400")
    taken, refused, same = run(Scripted({LONG: honest, LONG + " ": false}), [LONG, LONG + " ", LONG + "!"])
    assert (taken.text, taken.refusal) == (honest, None)
    assert (refused.text, refused.refusal.kind) == (None, "number")
    assert (same.text, same.refusal) == (None, None)


def test_the_rewriter_is_told_what_to_keep_and_how_short():
    rewriter = Scripted()
    run(rewriter, [LONG], asked={"pump"})
    assert rewriter.calls == [([LONG], [["40 euros", "pump"]], 0.5)]


def test_short_and_chinese_sentences_are_not_given_to_it():
    rewriter = Scripted()
    chinese = "委员会批准了四十万元的预算，用于采购大厅里的新泵，并且要求在三月之前完成全部的安装工作，不得延期。"
    texts = ["The pump failed.", chinese]
    assert [done.text for done in run(rewriter, texts)] == [None, None]
    assert rewriter.calls == []


def test_once_time_is_over_sentences_stay():
    assert run(Scripted({LONG: "The committee did approve."}), [LONG], stop=lambda: True)[0].text is None


@pytest.mark.parametrize(
    ("text", "asked", "kept"),
    [
        ("It must not run at 30 km after 3 May 2024 in mode_x.", (), ["must", "not", "30 km", "3 May 2024", "mode_x"]),
        ("Anna Byrne left, and Corvex paid.", (), ["Anna", "Byrne", "Corvex"]),
        ("Yesterday the pump stood still, said NASA.", {"pump"}, ["pump", "NASA"]),
        ("NASA paid.", (), ["NASA"]),
        ("The pumps were pumping.", {"pump"}, ["pumps", "pumping"]),
        ("", {"pump"}, []),
        ("nothing to keep here", (), ["nothing"]),
    ],
)
def test_what_must_be_kept(text, asked, kept):
    spans = must_keep(text, asked)
    assert [text[a:b] for a, b in spans] == kept
    assert all(a.end <= b.start for a, b in pairwise(spans))


def test_a_rewrite_begins_with_a_capital_where_its_source_does():
    cut = "committee approved the budget of 40 euros for the new pump in the hall."
    text = "Basically committee approved the budget of 40 euros for the new pump in the hall."
    assert run(Scripted({text: cut}), [text])[0].text == cut.capitalize()
    low = "ideally committee approved the budget of 40 euros for the new pump in the hall."
    assert run(Scripted({low: low.replace("new ", "")}), [low])[0].text in (None, low.replace("new ", ""))


def test_what_is_not_in_latin_letters_is_not_given_to_it():
    rewriter = Scripted()
    run(rewriter, ["Насос в северном зале вчера в полдень не отказал, сказал он.", LONG.replace("hall", "Höhle")])
    assert rewriter.calls[0][0] == [LONG.replace("hall", "Höhle")]


def test_the_mark_of_an_item_stays_where_it_is():
    short = LONG.replace("really did approve", "did approve")
    rewriter = Scripted({LONG: short})
    texts = [f"- {LONG}", f"  12. {LONG}", f"* {LONG}"]
    assert [done.text for done in run(rewriter, texts)] == [f"- {short}", f"  12. {short}", f"* {short}"]
    assert rewriter.calls[0][0] == [LONG] * 3


def test_white_space_is_nothing_that_a_rewriter_says():
    short = LONG.replace("really did approve", "did approve")
    wrapped = LONG.replace(" budget", "\nbudget")
    texts = [LONG, wrapped]
    done = run(Scripted({LONG: "\n\n" + short.replace(" ", " \n\t") + "\n", wrapped: LONG}), texts)
    assert [made.text for made in done] == [short, None]


@pytest.mark.parametrize(
    ("added", "kind"),
    [("\0", "character"), ("\u202e", "character"), ("\u200b", "character"), ("\ud800", "character")]
    + [(mark, "markup") for mark in ("- ", "1. ", "# ", "> ", "| ", "```")],
)
def test_what_no_reader_sees_or_takes_for_markup_is_not_put_in(added, kind):
    short = LONG.replace("really did approve", "did approve")
    new = added + short if kind == "markup" else short.replace("euros", f"euros{added}")
    (done,) = run(Scripted({LONG: new}), [LONG])
    assert (done.text, done.refusal.kind) == (None, kind)


@pytest.mark.parametrize("answers", [None, [], ["a", "b"], [None], [1], [b"a"], "a", {"a": 1}], ids=repr)
def test_a_rewriter_that_gives_no_text_for_a_sentence_is_an_error(answers):
    class Wrong:
        def rewrite(self, texts, *, keep, ratio, stop):
            return answers

    with pytest.raises(TierError, match="Wrong did not give one text for each of 1"):
        run(Wrong(), [LONG])


def test_it_stops_between_batches_and_what_is_done_stays_done():
    short = LONG.replace("really did approve", "did approve")
    rewriter = Scripted({LONG: short})
    asked = iter([False] * 65)  # before the first batch, and for each of its texts
    done = run(rewriter, [LONG] * 200, stop=lambda: next(asked, True))
    assert len(rewriter.calls) == 1
    assert [made.text for made in done] == [short] * 64 + [None] * 136
