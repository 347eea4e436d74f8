from gliding.clock import Clock
from gliding.errors import TierError
from gliding.tiers.guard import Refusal
from gliding.tiers.rewrite import Rewritten
from gliding.tiers.rewriting import Rewriting

TEXTS = ["one two three four", "five six seven", "eight nine", "ten"]


class Tier:
    spare = 0.25

    def __init__(self, answers):
        self.answers = answers
        self.given = []

    def rewrite(self, texts, *, asked, stop):
        self.given.append(list(texts))
        if self.answers is None:
            raise TierError("No answer.")
        return [self.answers.get(text, Rewritten()) for text in texts]


def at_work(tier, *, clock=None, allowed=(True, True, True, False)):
    return Rewriting(
        tier, TEXTS, allowed=allowed, asked={"one"}, clock=clock or Clock(), count=lambda text: len(text.split())
    )


def test_shorter_ones_are_given_with_their_tokens_and_the_rest_is_counted():
    tier = Tier({TEXTS[0]: Rewritten("one four"), TEXTS[1]: Rewritten(None, Refusal("number", "loses 6"))})
    third = at_work(tier)
    assert third([0, 1, 2, 3]) == {0: ("one four", 3)}
    assert tier.given == [TEXTS[:3]]
    assert "loses 6" in third.refused[1]
    assert third.told({0: "one four"}) == {"tried": 3, "refused: number": 1, "taken": 1, "saved": 2}


def test_a_rewrite_that_is_no_shorter_is_none():
    assert at_work(Tier({TEXTS[2]: Rewritten("9 8")}))([2]) == {}


def test_a_tier_that_fails_is_not_asked_again():
    tier = Tier(None)
    third = at_work(tier)
    assert third([0]) == third([1]) == {}
    assert len(tier.given) == 1
    assert third.warning.endswith("No answer.")


def test_without_time_none_is_tried_but_it_is_told():
    tier = Tier({})
    third = at_work(tier, clock=Clock(0.0))
    assert third([0]) == {}
    assert tier.given == []
    assert third.told({}) == {"tried": 0, "taken": 0, "saved": 0}


def test_nothing_is_told_where_nothing_was_asked():
    third = at_work(Tier({}), allowed=(False,) * 4)
    assert third([0, 1]) == {}
    assert third.told({}) == {}
