import doctest
import importlib
import os
import pkgutil
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import gliding

ROOT = Path(__file__).parents[1]
PAGES = ("README.md", "docs/batch.md", "docs/edge.md", "docs/rewriting.md", "docs/store.md")
# What sets a machine up is run by .ci/run; what needs a network or minutes is no test of the text.
NOT_RUN = ("pip install", "models fetch", "footprint.py")


def blocks(page, language):
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)


def commands(page):
    return [line[2:] for block in blocks(page, "console") for line in block.splitlines() if line.startswith("$ ")]


@pytest.fixture(scope="module")
def tools(tmp_path_factory):
    """A folder with ``gliding`` and ``python`` that run this checkout with this interpreter."""
    folder = tmp_path_factory.mktemp("bin")
    for name, code in (("python", ""), ("gliding", '-c "from gliding.cli.main import run; run()" ')):
        script = folder / name
        script.write_text(f'#!/bin/sh\nexec "{sys.executable}" {code}"$@"\n', encoding="utf-8")
        script.chmod(0o755)
    return folder


@pytest.mark.parametrize("page", PAGES)
def test_python_of_a_page_runs(page, monkeypatch):
    monkeypatch.chdir(ROOT)
    code = "\n".join(blocks(page, "python"))
    assert code or page == "docs/rewriting.md"
    exec(compile(code, page, "exec"), {"__name__": "__main__"})


@pytest.mark.skipif(shutil.which("sh") is None, reason="the pages are written for a POSIX shell")
@pytest.mark.parametrize(
    "command",
    [line for page in PAGES for line in commands(page) if not any(part in line for part in NOT_RUN)],
)
def test_command_of_a_page_runs(command, tools, tmp_path):
    if "--preset deep" in command:
        pytest.importorskip("onnxruntime")
        pytest.importorskip("spacy")
    environment = {
        **os.environ,
        "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "GLIDING_CACHE": str(tmp_path),
    }
    done = subprocess.run(command, shell=True, cwd=ROOT, env=environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout or "--out" in command


def test_the_readme_sets_up_in_two_commands_and_ci_runs_the_second():
    first, second = (line for line in commands("README.md") if "pip install" in line)
    assert "'.[full]'" in first
    assert "gliding compress docs/examples/" in first
    assert "'.[dev]'" in second
    assert second.rpartition("&& .venv/bin/")[2] in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_the_command_line_page_is_up_to_date():
    done = subprocess.run([sys.executable, "scripts/docs.py", "--check"], cwd=ROOT, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()


@pytest.mark.parametrize("page", [*PAGES, "CHANGELOG.md", "docs/cli.md"])
def test_links_lead_somewhere(page):
    path = ROOT / page
    for target in re.findall(r"\]\(([^)#:]+)\)", path.read_text(encoding="utf-8")):
        assert (path.parent / target).exists(), target


def test_edge_app_leaves_room_for_the_answer(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "examples"))
    app = importlib.import_module("edge_app")
    assistant = app.Assistant([ROOT / "docs" / "examples" / "incident-report.md"])
    seen = []
    assert assistant.answer("Who clears an interlock?", lambda prompt: seen.append(prompt) or "done") == "done"
    counter = gliding.Compressor.from_preset("edge").parts.counter
    tokens = counter.count(seen)[0]
    assert app.WINDOW / 2 < tokens <= app.WINDOW - app.ANSWER
    assert "interlock" in seen[0]


MODULES = [
    module.name
    for module in pkgutil.walk_packages(gliding.__path__, "gliding.")
    if not module.name.startswith("gliding._data")
]


@pytest.mark.parametrize("name", MODULES)
def test_docstrings_run(name):
    failed, _ = doctest.testmod(importlib.import_module(name))
    assert failed == 0
