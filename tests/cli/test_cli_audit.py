import json

import pytest
from typer.testing import CliRunner

from gliding import errors
from gliding.cli.audit import FAULTY
from gliding.cli.main import app

SOURCE = "The pump did not fail at noon. Nobody paid 12 euros for it. It was naïve. " + "Ann Byrne left 5 tools. " * 12


def invoke(*args, stdin=None):
    return CliRunner().invoke(app, ["audit", *map(str, args)], input=stdin)


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "in.txt"
    path.write_text(SOURCE, encoding="utf-8")
    return path


@pytest.fixture
def written(tmp_path):
    def write(text, name="out.txt"):
        path = tmp_path / name
        path.write_bytes(text.encode("utf-8"))
        return path

    return write


def test_a_clean_output_exits_0_and_counts(source, written):
    done = invoke(source, written("The pump did not fail at noon."))
    assert done.exit_code == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["fact", "source", "kept", "lost", "inside", "gone", "added"]
    assert "negation 2 1 0 1 0".split() in [line.split() for line in lines]
    assert lines[-1] == "clean (checked as text)"
    assert "gone with its sentence" not in done.stdout


def test_what_was_added_exits_1_and_is_named_with_what_stands_around_it(source, written):
    done = invoke(source, written("The pump did fail at noon. Nobody paid 13 euros for it."))
    assert done.exit_code == FAULTY
    assert "number      13 euros  at 39: il at noon. Nobody paid 13 euros for it." in done.stdout
    assert "negation    not  at 13: The pump did not fail at noon. Nobody" in done.stdout
    assert done.stdout.splitlines()[-1] == "1 added, 0 broken (checked as text)"


def test_what_is_broken_exits_1(written):
    done = invoke(written('{"a": 1}', "in.json"), written('{"a": '))
    assert done.exit_code == FAULTY
    assert "broken: JSON does not parse any more" in done.stdout


def test_all_lists_what_went_with_its_sentence(source, written):
    out = written("The pump did not fail at noon.")
    done = invoke(source, out, "--all")
    assert "gone with its sentence:" in done.stdout
    assert "12 euros" in done.stdout
    assert "12 euros" not in invoke(source, out).stdout


def test_many_findings_are_cut_but_for_all(source, written):
    out = written(" ".join(f"It took {k} hours." for k in range(100, 140)))
    assert "and 30 more: see --all" in invoke(source, out).stdout
    assert "139 hours" in invoke(source, out, "--all").stdout


def test_json_is_the_whole_audit(source, written):
    done = invoke(source, written("Nobody paid 13 euros for it."), "--json")
    assert done.exit_code == FAULTY
    data = json.loads(done.stdout)
    assert data["clean"] is False
    assert data["added"] == [{"kind": "number", "text": "13 euros", "span": [12, 20]}]
    assert data["counts"]["negation"] == {"source": 2, "kept": 1}
    assert {"lost", "gone", "broken", "kind"} <= data.keys()


def test_either_side_may_be_stdin_but_not_both(source, written):
    out = written("The pump did not fail at noon.")
    assert invoke(source, "-", stdin="The pump did not fail at noon.").exit_code == 0
    assert invoke("-", out, stdin=SOURCE).exit_code == 0
    both = invoke("-", "-", stdin=SOURCE)
    assert both.exit_code == errors.InputError.exit_code
    assert "named twice" in both.stderr


def test_the_name_and_the_option_say_the_kind(written):
    rows, out = "n,m\n1,2\n", written("1,2\n")
    assert "the header is gone" in invoke(written(rows, "in.csv"), out).stdout
    assert invoke(written(rows, "in.dat"), out).exit_code == 0
    assert "the header is gone" in invoke(written(rows, "in.dat"), out, "--kind", "csv").stdout


def test_what_is_allowed(source, written):
    out = written("[Hall 77] The pump did not fail at noon.")
    assert invoke(source, out).exit_code == FAULTY
    assert invoke(source, out, "--allow", "Hall 77").exit_code == 0


@pytest.mark.parametrize(
    ("args", "said"), [(("no-such-file.txt",), "no-such-file.txt"), (("-k", "csvv", "-"), "Did you mean 'csv'")]
)
def test_errors_are_not_mistaken_for_faults(source, args, said):
    done = invoke(source, *args, stdin="x")
    assert done.exit_code == errors.InputError.exit_code != FAULTY
    assert said in done.stderr
    assert done.stdout == ""


def test_no_error_of_the_package_has_the_code_of_a_fault():
    def below(kind):
        return [kind, *(found for child in kind.__subclasses__() for found in below(child))]

    assert FAULTY not in {kind.exit_code for kind in below(errors.GlidingError)[1:]}


def test_nothing_that_a_terminal_would_obey_is_shown(source, written):
    done = invoke(source, written("It took 99 \x1b[31mhours\x07\n of it."))
    assert "99" in done.stdout
    assert done.stdout.replace("\n", "").isprintable()
