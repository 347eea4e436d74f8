import random

import pytest

from gliding.select.duplicates import duplicates


def same(*texts, order=None, threshold=0.9, alike=None):
    return duplicates(order or range(len(texts)), texts, threshold=threshold, alike=alike)


def test_the_better_ranked_one_stays():
    text, copy = "The red valve of hall 7 leaks.", "the red valve of hall 7 leaks"
    assert same(text, copy) == {1: 0}
    assert same(text, copy, order=[1, 0]) == {0: 1}
    assert same(text, copy, copy) == {1: 0, 2: 0}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The red valve of hall 7 leaks.", "The red valve of hall 8 leaks."),
        ("The gate must be shut at night by the guard.", "The gate must not be shut at night by the guard."),
        ("The guard may shut the gate at night.", "The guard must shut the gate at night."),
        ("The dog bit the old man hard.", "The man bit the old dog hard."),
        ("Yes, it is.", "Yes, it is."),
        ("The request of user 4411 took 12 ms.", "The request of user 4412 took 12 ms."),
    ],
    ids=["number", "negation", "modal", "order", "too short", "id"],
)
def test_what_says_something_else_is_no_duplicate(one, other):
    long = " in the long hall of the harbour depot by the river in the north of the town"
    assert same(one, other) == {}
    if one != other:
        assert same(one.rstrip(".") + long, other.rstrip(".") + long, threshold=0.5) == {}


def test_silent_words_may_differ():
    one = "The seal of the second pump in the north hall was worn on Monday"
    other = "The seal of the second pump in the north hall is worn on Monday"
    assert same(one, other, threshold=0.8) == {1: 0}
    assert same(one, other, threshold=1.0) == {}


def test_near_vectors_allow_twice_the_distance():
    one = "The seal of the second pump in the north hall was worn on Monday"
    other = "In the north hall seal of second pump worn Monday"
    near = "The seal of a second pump of a north hall is worn Monday"
    assert same(one, near, threshold=0.85) == {}
    assert same(one, near, threshold=0.75, alike={1: [0]}) == {1: 0}
    assert same(one, other, threshold=0.75, alike={1: [0]}) == {}  # in another order


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("三号泵的密封圈在周一已经更换。", "三号泵密封圈在周一已经更换了"),
        ("合同金额为３０万元，期限十二个月。", "合同金额为 30 万元，期限十二个月。"),
        ("第三ポンプは月曜日に交換されました。", "第三ポンプは月曜日に交換されましたよ。"),
        ("The pump 三号泵 was replaced 在周一更换。", "the pump 三号泵 is replaced 在周一更换"),
    ],
    ids=["particles", "width", "japanese", "mixed"],
)
def test_chinese_and_japanese_have_near_duplicates(one, other):
    assert same(one, other, threshold=0.8) == {1: 0}
    assert same(one, other, order=[1, 0], threshold=0.8) == {0: 1}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("操作人员在夜间可以打开三号阀门检查。", "操作人员在夜间不可以打开三号阀门检查。"),
        ("操作人员在夜间必须关闭三号阀门检查。", "操作人员在夜间可以关闭三号阀门检查。"),
        ("三号阀门的密封圈已经漏水。", "三号阀门的密封圈未漏水。"),
        ("三号阀门的密封圈已经漏水，需要更换。", "三号阀门的密封圈可能已经漏水，需要更换。"),
        ("如果压力过高就关闭三号阀门和水泵。", "压力过高就关闭三号阀门和水泵。"),
        ("三号阀门在周一更换了密封圈。", "四号阀门在周一更换了密封圈。"),
        ("老李在大会上批评了小王的报告。", "小王在大会上批评了老李的报告。"),
        ("費用は三十万円を超えない見込みである。", "費用は三十万円を超える見込みである。"),
        ("装置は毎日点検しなければならない。", "装置は毎日点検してもよい。"),
        ("밸브를 밤에 열지 않았다고 한다.", "밸브를 밤에 열었다고 한다."),
        ("不行。不行。", "不行。不行。"),
    ],
    ids="negation modal not_yet maybe condition number order ja_negation ja_modal ko_negation short".split(),
)
def test_chinese_and_japanese_that_say_something_else_are_no_duplicates(one, other):
    long = "该记录由北区值班室保存并送交总部备案"
    assert same(one, other, threshold=0.5) == {}
    assert same(other, one, threshold=0.5) == {}
    if one != other:
        assert same(one + long, other + long, threshold=0.5) == {}


@pytest.mark.parametrize("seed", range(10))
def test_candidates_by_prefix_are_all_that_brute_force_finds(seed):
    chance = random.Random(seed)
    bases = [" ".join(chance.choices("abcdefghijklmnop", k=12)) for _ in range(6)]
    texts = []
    for _ in range(60):
        words = chance.choice(bases).split()
        if chance.random() < 0.5:
            words.insert(chance.randrange(len(words)), chance.choice(["the", "of", "x", "not"]))
        texts.append(" ".join(words))
    order = list(range(len(texts)))
    chance.shuffle(order)
    everything = dict.fromkeys(order, order)
    # with a threshold of t for all pairs: 2 * ((1 + t) / 2) - 1
    for threshold in (0.7, 0.9):
        found = same(*texts, order=order, threshold=threshold)
        brute = same(*texts, order=order, threshold=(1 + threshold) / 2, alike=everything)
        assert set(found) == set(brute)
        assert len(found) > 5
