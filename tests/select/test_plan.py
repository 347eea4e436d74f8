import numpy as np
import pytest

from gliding.config import SelectConfig
from gliding.segment import segment
from gliding.select.folds import Fold
from gliding.select.plan import Costs, choose
from gliding.select.ranking import Ranking, rank
from gliding.types import Document, Scores


def ranking(*units, score=None, size=None, folds=(), later=()):
    units = [range(u, u + 1) if isinstance(u, int) else range(*u) for u in units]
    size = size or max(u.stop for u in units)
    score = np.linspace(1, 0.5, size) if score is None else np.array(score)
    later = [range(k, k + 1) for k in later]
    folds = {fold.head: fold for fold in folds}
    return Ranking(units=units, score=score, duplicate={}, weak=frozenset(), folds=folds, later=later)


class Words:
    """Sentences of so many words each, of documents with labels of so many words; a joiner costs nothing."""

    def __init__(self, *lengths, owner=None, labels=(0,)):
        self.lengths, self.owner, self.labels = lengths, owner or [0] * len(lengths), labels
        self.measured = 0

    def costs(self, joiner=1):
        return Costs(
            sentence=lambda k: self.lengths[k] + joiner,
            chars=[6 * n for n in self.lengths],
            owner=self.owner,
            label=self.labels,
            date=[0] * len(self.labels),
            day=[""] * len(self.labels),
            mark=lambda mark: len(mark.split()) + joiner,
        )

    def measure(self, kept, replaced, marks):
        self.measured += 1
        texts = sum(len(replaced[k].split()) if k in replaced else self.lengths[k] for k in kept)
        texts += sum(len(mark.split()) for mark in marks.values())
        return texts + sum(self.labels[d] for d in {self.owner[k] for k in kept})

    def choose(self, ranked, budget, joiner=1, **options):
        choice = choose(ranked, self.costs(joiner), budget, self.measure, **options)
        assert self.measure(choice.kept, choice.replaced, choice.marks) <= budget
        return choice


def test_the_prefix_that_fits_is_kept_in_the_order_of_the_text():
    choice = Words(4, 5, 6, 7).choose(ranking(2, 0, 3, 1), 12)
    assert (choice.kept, choice.ranked) == ((0, 2), 2)


def test_the_room_that_is_left_is_filled_with_the_next_best_that_fits():
    choice = Words(10, 50, 6, 4).choose(ranking(0, 1, 2, 3), 22)
    assert choice.ranked == 1
    assert choice.kept == (0, 2, 3)


FOLD = Fold(head=1, others=(2, 3, 4), values=(("a7", "x"), ("a8", "y"), ("a9", "x")), key=0, times=("", "", ""))


def test_lines_alike_are_told_as_well_as_there_is_room():
    words, ranked = Words(3, 6, 6, 6, 6), ranking(0, 1, size=5, folds=[FOLD], later=[2, 3, 4])
    assert words.choose(ranked, 13, 0).marks == {1: "[3 more like this]"}
    assert words.choose(ranked, 16, 0).marks == {1: "[3 more like this: a7; a8; a9]"}
    full = words.choose(ranked, 19, 0)
    assert (full.kept, full.marks) == ((0, 1), {1: "[3 more like this: a7 x; a8 y; a9 x]"})
    assert words.choose(ranked, 25, 0).kept == (0, 1, 2)  # then they come whole
    assert words.choose(ranked, 33, 0).marks == {}


def test_a_mark_that_has_no_room_behind_what_is_forced_is_left_out():
    choice = Words(3, 6, 6, 6, 6).choose(ranking(0, 1, size=5, folds=[FOLD], later=[2, 3, 4]), 6, forced=[1])
    assert (choice.kept, choice.marks) == ((1,), {})


def test_a_sentence_of_exactly_the_budget_fits():
    assert Words(10, 3).choose(ranking(0, 1), 10).kept == (0,)


def test_what_is_over_after_the_count_goes_again_the_last_first():
    choice = Words(5, 5, 5, 5).choose(ranking(3, 2, 1, 0), 12, joiner=-3)
    assert choice.kept == (2, 3)
    assert choice.ranked == 2


def test_forced_sentences_stay_and_count():
    choice = Words(5, 5, 5, 5).choose(ranking(0, 1, 2, 3), 12, forced=[3])
    assert choice.kept == (0, 3)
    assert choice.ranked == 1


@pytest.mark.parametrize("joiner", [1, -4])
def test_several_forced_sentences_never_push_the_text_over_the_budget(joiner):
    choice = Words(3, 3, 3, 5, 5).choose(ranking(3, 4, 0, 1, 2), 11, joiner, forced=[0, 1, 2])
    assert set(choice.kept) == {0, 1, 2}
    assert choice.ranked == 0


def test_a_unit_that_holds_a_forced_sentence_is_not_kept_for_its_rank_by_that_alone():
    choice = Words(3, 9, 9).choose(ranking((0, 3)), 11, forced=[0])
    assert choice.kept == (0,)
    assert choice.ranked == 0


def test_a_unit_without_room_gives_its_best_sentence():
    choice = Words(6, 6, 6).choose(ranking((0, 3), score=[0.1, 0.9, 0.2]), 8)
    assert choice.kept == (1,)
    assert choice.ranked == 0


def test_a_sentence_without_room_is_trimmed():
    shorter = {1: "just four words here"}

    def trimmed(k):
        return (shorter[k], 5) if k in shorter else None

    choice = Words(5, 9).choose(ranking(0, 1), 10, trimmed=trimmed)
    assert choice.kept == (0, 1)
    assert choice.replaced == shorter
    assert Words(5, 9).choose(ranking(0, 1), 20, trimmed=trimmed).replaced == {}


def test_text_that_was_replaced_before_counts_as_replaced():
    shorter = {0: "a b c d", 1: "two words"}
    choice = Words(4, 2).choose(ranking(0, 1), 7, replaced=shorter)  # costs count what is said instead, too
    assert (choice.kept, choice.replaced) == ((0, 1), shorter)
    assert Words(4, 2).choose(ranking(0, 1), 4, replaced=shorter).replaced == {0: "a b c d"}


def test_a_label_is_paid_once_and_by_the_first_of_its_document():
    words = Words(3, 3, 3, owner=[0, 0, 1], labels=[2, 20])
    assert words.choose(ranking(2, 0, 1), 11).kept == (0, 1)
    assert words.choose(ranking(2, 0, 1), 60).kept == (0, 1, 2)


def test_a_heading_is_not_filled_in_without_something_below_it():
    units = ranking(0, 2, 1, 3, size=4)
    brought = Ranking(units=units.units, score=units.score, duplicate={}, weak=frozenset(), brought={1: [2, 3]})
    assert Words(5, 2, 50, 9).choose(units, 9).kept == (0, 1)
    assert Words(5, 2, 50, 9).choose(brought, 9).kept == (0,)
    assert Words(5, 2, 50, 9).choose(brought, 20).kept == (0, 1, 3)


def test_bare_keeps_nothing_for_its_rank_but_fills():
    choice = Words(3, 3, 3).choose(ranking(0, 1, 2), 9, forced=[2], bare=True)
    assert choice.ranked == 0
    assert 2 in choice.kept


def test_many_units_that_do_not_fit_cost_few_counts():
    words = Words(*[500] * 3000, 4)
    choice = words.choose(ranking(*range(3001)), 100)
    assert choice.ranked == 0
    assert words.measured < 40


def test_a_larger_budget_keeps_all_that_was_kept_for_its_rank():
    lengths = [(7 * k) % 13 + 1 for k in range(40)]
    order = sorted(range(40), key=lambda k: (11 * k) % 40)
    units = ranking(*order, size=40)
    before = set()
    for budget in range(1, 200):
        choice = Words(*lengths, owner=[k // 4 for k in range(40)], labels=[3] * 10).choose(units, budget)
        assert before <= set(choice.kept)
        before = set(order[: choice.ranked])
    assert len(before) >= 20


# --- the ranking ---


def ranked(texts, total, *, route="document", grain="sentence", documents=None, **config):
    documents = documents or [Document(text=" ".join(texts))]
    segments = segment(documents)
    owner = np.array([k for k, s in enumerate(segments) for _ in s.sentences])
    assert len(owner) == len(total)
    scores = Scores(total=np.array(total, float), signals={}, segment=owner, route=route, grain=grain)
    cut = [documents[s.document].text[a:b] for s in segments for a, b in s.sentences]
    return rank(documents, segments, scores, cut, SelectConfig(**config))


def test_best_first_ties_by_position():
    texts = ["One red gate.", "Two blue pumps.", "Three old seals.", "Four new halls."]
    assert [u.start for u in ranked(texts, [0.5, 1.0, 0.5, 0.7]).units] == [1, 3, 0, 2]


def test_below_the_floor_is_weak_and_left_out():
    texts = ["One red gate.", "Two blue pumps.", "Three old seals."]
    found = ranked(texts, [1.0, 0.09, 0.0], floor=0.1)
    assert [u.start for u in found.units] == [0]
    assert found.weak == {range(1, 2), range(2, 3)}
    assert [u.start for u in ranked(texts, [1.0, 0.09, 0.0], floor=0.0).units] == [0, 1]  # nothing is worth 0


def test_duplicates_give_way_but_not_in_code():
    texts = ["The red valve of hall 7 leaks.", "Nobody was hurt.", "The red valve of hall 7 leaks."]
    found = ranked(texts, [0.5, 0.2, 0.9])
    assert [u.start for u in found.units] == [2, 1]
    assert found.duplicate == {range(0, 1): range(2, 3)}
    assert len(ranked(texts, [0.5, 0.2, 0.9], route="code").units) == 3


def test_turns_are_units_of_a_dialogue():
    turns = [Document(text="Yes. I think so.", role="Ann"), Document(text="No.", role="Ben")]
    found = ranked([], [0.1, 0.9, 0.5], route="dialogue", grain="segment", documents=turns)
    assert list(found.units) == [range(0, 2), range(2, 3)]


def test_a_documents_own_criticality_lifts_or_lowers_it():
    def order(*critical):
        documents = [
            Document(text=t, criticality=c) for t, c in zip(("One gate.", "Two pumps."), critical, strict=True)
        ]
        return [u.start for u in ranked([], [1.0, 0.9], documents=documents).units]

    assert order(None, None) == [0, 1]
    assert order(0.5, 0.9) == [1, 0]
    assert order(None, 0.9) == [1, 0]


def test_nothing_gives_nothing():
    empty = Scores(total=np.zeros(0), signals={}, segment=np.zeros(0, np.int64), route="document", grain="sentence")
    assert rank([], [], empty, [], SelectConfig()).units == []
    assert Words().choose(Ranking(units=[], score=np.zeros(0), duplicate={}, weak=frozenset()), 5).kept == ()


# --- the third tier ---


def shorter(lengths):
    """Says these sentences in so many words, and notes what it was asked for."""
    asked = []

    def rewritten(sentences):
        asked.append(list(sentences))
        return {k: (" ".join(["w"] * lengths[k]), lengths[k] + 1) for k in sentences if k in lengths}

    return rewritten, asked


def test_what_is_kept_is_rewritten_and_the_next_best_goes_into_the_room():
    rewritten, asked = shorter({0: 4, 1: 5})
    choice = Words(10, 10, 9, 3).choose(ranking(0, 1, 2, 3), 22, rewritten=rewritten)
    assert choice.kept == (0, 1, 2, 3)
    assert choice.rewritten == {0, 1}
    assert choice.ranked == 2
    assert asked[0] == [0, 1]
    assert 2 in asked[1]


def test_what_comes_next_may_fit_once_it_is_rewritten():
    rewritten, _ = shorter({0: 5, 1: 4})
    choice = Words(10, 10).choose(ranking(0, 1), 12, rewritten=rewritten)
    assert (choice.kept, choice.ranked, choice.rewritten) == ((0, 1), 1, {0, 1})
    assert set(choice.replaced) == {0, 1}


def test_pinned_sentences_are_not_rewritten():
    rewritten, asked = shorter({0: 1, 1: 5, 2: 2})
    choice = Words(10, 10, 4).choose(ranking(1, 2), 22, forced=[0], rewritten=rewritten)
    assert 0 not in choice.replaced
    assert all(0 not in sentences for sentences in asked)


def test_parts_that_are_shorter_alone_but_not_together_are_given_up():
    class Odd(Words):
        def measure(self, kept, replaced, marks):
            return super().measure(kept, replaced, marks) + 20 * len(replaced)

    rewritten, _ = shorter({0: 4, 1: 5})
    choice = Odd(10, 10).choose(ranking(0, 1), 22, rewritten=rewritten)
    assert (choice.kept, choice.replaced, choice.rewritten) == ((0, 1), {}, frozenset())


def test_a_sentence_is_asked_for_once():
    rewritten, asked = shorter({0: 9})
    Words(10, 10, 10, 10).choose(ranking(0, 1, 2, 3), 34, rewritten=rewritten)
    every = [k for sentences in asked for k in sentences]
    assert len(every) == len(set(every))


def test_the_first_stay_as_they_are():
    rewritten, asked = shorter({0: 2, 1: 2, 2: 2, 3: 2})
    choice = Words(9, 9, 9, 9, 9).choose(ranking(3, 1, 0, 2, 4), 42, rewritten=rewritten, spare=0.5)
    assert asked[0] == [0, 2]
    assert choice.ranked == 4
    assert choice.rewritten == {0, 2}
