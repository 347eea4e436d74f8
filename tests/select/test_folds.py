import numpy as np
import pytest

from gliding.segment import segment
from gliding.select.folds import folds
from gliding.types import Document


def found(*texts, score=None, query=(), **fields):
    documents = [Document(text=text, **fields) for text in texts]
    segments = segment(documents)
    cut = [documents[s.document].text[a:b] for s in segments for a, b in s.sentences]
    score = np.ones(len(cut)) if score is None else np.asarray(score, dtype=float)
    return cut, folds(documents, segments, cut, score, frozenset(query))


def order(n, station=1):
    return f"Order {51000 + 7 * n} for C-{900 + n} was packed at station {station}."


LINES = "\n".join(order(n, n % 2) for n in range(6))


def test_lines_alike_but_for_their_numbers_are_one_group_and_the_last_line_stays():
    _, (fold,) = found(LINES)
    assert (fold.head, fold.others) == (0, (1, 2, 3, 4))
    assert fold.values == (
        ("51007", "C-901", "1"),
        ("51014", "C-902", "0"),
        ("51021", "C-903", "1"),
        ("51028", "C-904", "0"),
    )
    assert fold.mark(()) == "[4 more like this]"
    assert fold.mark((), level=1) == "[4 more like this: 51007; 51014; 51021; 51028]"
    assert fold.mark({2, 3}, level=2) == "[2 more like this: 51007 C-901 1; 51028 C-904 0]"
    assert fold.mark({1, 2, 3, 4}) == ""
    assert fold.levels == (2, 1)


def test_what_is_the_same_in_all_is_not_told_again_and_times_are_told_once():
    lines = [f"2024-05-11 03:00:0{k},817 INFO worker-3 read the file in {k} ms" for k in range(6)]
    _, (fold,) = found("\n".join(lines))
    assert fold.values == (("1",), ("2",), ("3",), ("4",))
    assert fold.mark((), level=2) == "[4 more like this, last 2024-05-11 03:00:04,817: 1; 2; 3; 4]"
    assert fold.levels == (2,)


def test_lines_that_are_the_same_are_counted():
    _, (fold,) = found("\n".join(["03:00:00 connection to the gateway refused"] * 5 + ["03:00:00 done"]))
    assert (fold.mark(()), fold.levels) == ("[4 more like this, last 03:00:00]", ())


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(order(n) for n in range(4)),  # the last one stays, three are too few
        "\n".join(f"{n} {n + 3} {2 * n} 7" for n in range(9)),  # nothing but numbers
        " ".join(order(n) for n in range(9)),  # no lines
        "\n".join(order(n).replace("was", "was not" if n % 2 else "was") for n in range(6)),
        "# Orders\n\n```\n" + LINES + "\n```\nAs said.",
        "| a | b |\n|---|---|\n" + "\n".join(f"| Order for packed {n} | {n} |" for n in range(9)),
        '[{"a": "Order for a packed 1"},\n'
        + "\n".join(f'{{"a": "Order for a packed {n}"}},' for n in range(9))
        + '\n{"a": 1}]',
    ],
    ids=["few", "numbers", "prose", "negated", "fence", "table", "json"],
)
def test_not_folded(text):
    assert found(text)[1] == []


def test_a_line_that_the_query_names_and_one_that_stands_out_stay():
    _, (fold,) = found(LINES + "\n" + LINES, query=["51014"])
    assert 2 not in fold.others
    assert 8 not in fold.others
    score = np.ones(12)
    score[4] = 1.4
    assert 4 not in found(LINES + "\n" + LINES, score=score)[1][0].others
    rising = np.linspace(0.5, 2, 60)  # later lines count more: none of them stands out
    assert found("\n".join([LINES] * 10), score=rising)[1][0].others == tuple(range(1, 59))


def test_lines_that_are_documents_are_folded_but_for_the_last_and_those_under_a_name():
    texts = LINES.split("\n")
    assert found(*texts)[1][0].others == (1, 2, 3, 4)
    assert found(*texts, title="Orders")[1] == []
    assert found(*texts, role="tool")[1] == []


def test_chinese_lines_alike_and_single_letters_are_folded():
    _, (fold,) = found("\n".join(f"订单{50000 + n}已发货，预计三天内到达仓库。" for n in range(7)))
    assert fold.mark((), level=2) == "[5 more like this: 50001; 50002; 50003; 50004; 50005]"
    lines = [f"The valve {letter} is {'not ' if letter == 'E' else ''}open." for letter in "ABCDEFGH"]
    _, (fold,) = found("\n".join(lines))
    assert fold.mark((), level=2) == "[5 more like this: B; C; D; F; G]"


def test_lines_with_as_many_gaps_but_fewer_values_are_no_group():
    lines = [f"{'03:00:00' if n % 2 else n} the gate was opened" for n in range(12)]
    assert sorted(len(fold.others) for fold in found("\n".join(lines))[1]) == [4, 5]
