import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from gliding import errors
from gliding.cli import compress as command
from gliding.cli.main import app
from gliding.score.task import TASKS

ROOT = Path(__file__).parents[2]
REPORT = ROOT / "docs" / "examples" / "incident-report.md"
RUN = [sys.executable, "-c", "from gliding.cli.main import run; run()"]
EDGE = ["compress", "--preset", "edge"]


def invoke(*args, stdin=None):
    return CliRunner().invoke(app, list(args), input=stdin)


def run(*args, stdin=b"", **options):
    return subprocess.run([*RUN, *args], input=stdin, capture_output=True, cwd=ROOT, check=False, **options)


@pytest.fixture
def document(tmp_path):
    path = tmp_path / "in.txt"
    path.write_text("The pump failed on 3 May.\r\n\r\nNobody was hurt. It was café time.", encoding="utf-8", newline="")
    return path


def test_text_alone_on_stdout_and_one_line_on_stderr():
    done = invoke(*EDGE, "-n", "200", "-q", "why did the second compressor not start", str(REPORT))
    assert done.exit_code == 0
    assert 0 < len(done.stdout) < len(REPORT.read_text(encoding="utf-8")) / 4
    assert "tokens" not in done.stdout
    line = done.stderr.splitlines()[-1]
    for said in ("tokens (rate", "kept", "trimmed", "extracted", "dropped", " s, preset edge"):
        assert said in line


def test_quiet():
    done = invoke(*EDGE, "-n", "200", "--quiet", str(REPORT))
    assert done.exit_code == 0
    assert done.stderr == ""
    assert done.stdout


def test_what_fits_comes_out_byte_for_byte(document):
    done = run(*EDGE, "-n", "1000", str(document))
    assert done.stdout == document.read_bytes()


def test_stdin_is_read_with_and_without_a_dash():
    text = b"Nothing to cut here: one line, ten words or fewer.\n"
    assert run(*EDGE, "-n", "100", stdin=text).stdout == text
    assert run(*EDGE, "-n", "100", "-", stdin=text).stdout == text


def test_utf8_on_stdout_in_any_locale(document):
    done = run(*EDGE, "-n", "1000", str(document), env={**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": "ascii"})
    assert "café".encode() in done.stdout


def test_json_holds_the_result(document):
    done = invoke(*EDGE, "-r", "1.0", "--json", str(document))
    data = json.loads(done.stdout)
    assert data["text"].startswith("The pump failed")
    assert data["report"]["preset"] == "edge"


def test_report_file(document, tmp_path):
    report = tmp_path / "report.json"
    report.write_text("old", encoding="utf-8")
    assert invoke(*EDGE, "-n", "1000", "--report", str(report), str(document)).exit_code == 0
    assert json.loads(report.read_text(encoding="utf-8"))["budget"] == 1000
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.txt", "report.json"]


def test_report_follows_a_link_and_keeps_it(document, tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "target")
    assert invoke(*EDGE, "-n", "1000", "--report", str(tmp_path / "link"), str(document)).exit_code == 0
    assert (tmp_path / "link").is_symlink()
    assert json.loads((tmp_path / "target").read_text(encoding="utf-8"))


def test_report_never_overwrites_an_input(document):
    before = document.read_bytes()
    done = invoke(*EDGE, "-n", "1000", "--report", str(document), str(document))
    assert done.exit_code == errors.InputError.exit_code
    assert "would overwrite the input" in done.stderr
    assert document.read_bytes() == before


def test_report_to_a_device_leaves_the_device(document):
    assert invoke(*EDGE, "-n", "1000", "--report", os.devnull, str(document)).exit_code == 0
    assert not Path(os.devnull).is_file()


def test_a_report_that_cannot_be_written_whole_is_not_written_at_all(document, tmp_path, monkeypatch):
    report = tmp_path / "report.json"
    report.write_text("old", encoding="utf-8")

    def full(source, target):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(command.os, "replace", full)
    done = invoke(*EDGE, "-n", "1000", "--report", str(report), str(document))
    assert done.exit_code == errors.InputError.exit_code
    assert done.stdout == ""
    assert report.read_text(encoding="utf-8") == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.txt", "report.json"]


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        ([], 2, "Give --max-tokens N, --rate R or --window W"),
        (["-n", "9", "-r", "0.5"], 2, "--max-tokens and --rate exclude each other"),
        (["-n", "9", "--used", "5"], 2, "--used only counts with --window"),
        (["-r", "0.5", "--criticality", "0.5"], 2, "--criticality only counts with --window"),
        (["-r", "1.5"], 2, "rate"),
        (["-r", "0"], 2, "rate"),
        (["-r", "nan"], 2, "rate"),
        (["-n", "-3"], 2, "--max-tokens"),
        (["--window", "0"], 2, "--window"),
        (["-n", "9", "--report", "no/such/folder/x.json"], 2, "not a file in an existing folder"),
        (["-n", "9", "no-such-file.txt"], 2, "no-such-file.txt"),
        (["-n", "9", "-p", "egde"], 3, "Did you mean 'edge'"),
        (["-n", "9", "--set", "index.hits"], 3, "has no '='"),
        (["-n", "9", "--set", "index.hitz=3"], 3, "Did you mean 'index.hits'"),
        (["-n", "9", "--set", "index.hits=-3"], 3, "index.hits"),
        (["-n", "9", "--set", "index.use=fais"], 3, "Did you mean 'faiss'"),
        (["-n", "9", "--pin", "not in the text"], 2, "not in the text"),
        (["-n", "0"], 6, ""),
        (["-n", "9", "--tokenizer", "no/such/tokenizer.json"], 3, "no/such/tokenizer.json"),
    ],
)
def test_errors_have_a_line_a_hint_and_an_exit_code(args, code, said):
    done = invoke("compress", *(args if "-p" in args else ["-p", "edge", *args]), stdin="One two. Three four. " * 99)
    assert done.exit_code == code
    assert said in done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr


def test_a_terminal_on_stdin_is_a_usage_error(monkeypatch):
    class Terminal:
        def isatty(self):
            return True

    monkeypatch.setattr(command.sys, "stdin", Terminal())
    with pytest.raises(errors.InputError, match="stdin is a terminal"):
        command.compress(max_tokens=9)


def test_an_argument_that_is_not_unicode_is_an_error():
    done = run(*EDGE, "-n", "9", "-q", b"\xff\xfe", stdin=b"x")
    assert done.returncode == errors.InputError.exit_code
    assert b"--query is not valid UTF-8" in done.stderr


def test_an_interrupt_exits_130_and_leaves_nothing_half_written(document, tmp_path, monkeypatch):
    from gliding.compressor import Compressor

    def interrupted(self, *args, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(Compressor, "compress", interrupted)
    done = invoke(*EDGE, "-n", "9", "--report", str(tmp_path / "r.json"), str(document))
    assert (done.exit_code, done.stdout) == (130, "")
    assert [path.name for path in tmp_path.iterdir()] == ["in.txt"]


@pytest.mark.skipif(sys.platform == "win32", reason="signals differ")
def test_a_real_interrupt_exits_130():
    def listen():  # a shell starts what runs in the background with interrupts ignored
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([*RUN, *EDGE, "-n", "9"], cwd=ROOT, preexec_fn=listen, **pipes) as process:
        time.sleep(1.5)  # it waits for stdin by then
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert out == b""
    assert b"Traceback" not in err


@pytest.mark.skipif(sys.platform == "win32", reason="pipes differ")
def test_a_closed_pipe_is_no_traceback(document):
    read, write = os.pipe()
    os.close(read)
    try:
        done = subprocess.run(
            [*RUN, *EDGE, "-n", "1000", str(document)], stdout=write, stderr=subprocess.PIPE, cwd=ROOT, check=False
        )
    finally:
        os.close(write)
    assert done.returncode == 141
    assert b"Traceback" not in done.stderr
    assert b"Exception" not in done.stderr


def test_options_reach_the_compressor(document, monkeypatch):
    from gliding.compressor import Compressor

    seen = {}
    real = Compressor.compress

    def spy(self, source, **options):
        seen.update(options)
        return real(self, source, **options)

    monkeypatch.setattr(Compressor, "compress", spy)
    done = invoke(
        *EDGE, "--window", "4000", "--used", "3000", "--criticality", "0.25", "--reserve", "100", "--task", "debug",
        "--pin", "The pump", "--pin", "café", "-q", "pump", str(document),
    )  # fmt: skip
    assert done.exit_code == 0, done.stderr
    expected = {"window": 4000, "used": 3000, "criticality": 0.25, "reserve": 100, "task": "debug", "query": "pump"}
    assert expected.items() <= seen.items()
    assert seen["pins"] == ("The pump", "café")
    assert seen["max_tokens"] is None
    assert seen["rate"] is None


def test_help_names_every_task():
    shown = invoke("compress", "--help").stdout
    assert [task for task in TASKS if task not in shown] == []


def test_an_unknown_task_names_the_known_ones(document):
    done = invoke(*EDGE, "-n", "8", "-q", "pump", "--task", "debugg", str(document))
    assert done.exit_code == errors.InputError.exit_code
    assert "Did you mean 'debug'" in done.stderr


def test_tokenizer_and_settings_are_used(document):
    done = invoke(*EDGE, "-n", "12", "--tokenizer", "words", "--set", "trim.use=", "--json", str(document))
    data = json.loads(done.stdout)
    assert data["report"]["tokenizer"] == "words"
    assert len(data["text"].split()) <= 12
    assert data["report"]["trimmed"] == 0
    assert data["report"]["preset"] == "edge+set"


def test_same_bytes_twice():
    args = (*EDGE, "-n", "150", "-q", "temperature", str(REPORT))
    assert run(*args).stdout == run(*args).stdout


@pytest.mark.parametrize(
    ("kind", "said"), [("html", "The pump failed."), ("", "The pump failed."), ("prose", "<p>The pump failed.</p>")]
)
def test_the_kind_may_be_given(tmp_path, kind, said):
    page = tmp_path / "page.html"
    page.write_text("<html><body><p>The pump failed.</p><p>Lunch was soup.</p></body></html>", encoding="utf-8")
    done = invoke(*EDGE, "-n", "100", *(["--kind", kind] if kind else []), str(page))
    assert done.exit_code == 0
    assert said in done.stdout
    assert ("<p>" in done.stdout) == (kind == "prose")


def test_an_unknown_kind_names_the_known_ones(document):
    done = invoke(*EDGE, "-n", "9", "--kind", "jsn", str(document))
    assert done.exit_code == 2
    assert "Did you mean 'json'?" in done.stderr


def test_chat_messages_come_out_as_messages_through_stdin():
    messages = [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Why? " * 40}]
    messages += [{"role": "assistant", "content": f"Reason {k} was the seal. " * 9} for k in range(9)]
    messages.append({"role": "user", "content": "Which seal?"})
    done = invoke(*EDGE, "-n", "200", "-", stdin=json.dumps(messages))
    found = json.loads(done.stdout)
    assert (found[0], found[-1]) == (messages[0], messages[-1])
    assert len(found) < len(messages)
