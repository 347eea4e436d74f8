import pytest

from gliding.errors import InputError
from gliding.score.task import TASKS, cause, failure, task_of
from gliding.text.words import terms

LONG = " ".join(f"word{k}" for k in range(30))


@pytest.mark.parametrize(
    ("query", "way", "wanted"),
    [
        ("", "document", "summarize"),
        ("the of", "lines", "summarize"),
        ("", "agent", "continue"),
        (LONG, "agent", "continue"),
        (LONG, "document", "answer"),
        ("who called", "agent", "answer"),
        ("why did the build fail", "lines", "debug"),
        ("为什么失败", "lines", "debug"),
        ("why did the build fail", "document", "answer"),
        ("which port is used", "lines", "answer"),
    ],
)
def test_the_query_and_the_route_suggest_the_task(query, way, wanted):
    assert task_of(query, terms(query), way, "") == wanted


@pytest.mark.parametrize("named", TASKS)
def test_a_task_that_is_named_is_taken(named):
    assert task_of("why did it fail", ["fail"], "lines", named) == named


def test_an_unknown_task_names_the_nearest():
    with pytest.raises(InputError, match="no task 'sumarize'") as caught:
        task_of("", [], "document", "sumarize")
    assert "Did you mean 'summarize'?" in caught.value.hint
    with pytest.raises(InputError) as caught:
        task_of("", [], "document", "qa")
    assert "Did you mean" not in caught.value.hint


def test_words_of_failure():
    texts = ["all is well", "ERROR: no such file", "KeyError at line 3", "验证失败", ""]
    assert failure(texts).tolist() == [0.0, 1.0, 0.5, 0.5, 0.0]


def test_words_of_cause():
    assert cause(["It stopped because the seal was worn.", "Lunch was soup.", "原因是电源"]).tolist() == [1.0, 0.0, 1.0]


def test_one_warning_over_and_over_is_less_of_a_failure():
    lines = [f"W: failed to fetch part {k}" for k in range(8)] + ["Error: no module 'lint'"]
    values = failure(lines)
    assert values[:8].tolist() == [0.25] * 8
    assert values[8] == 0.5
