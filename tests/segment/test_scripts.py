"""Shell, Makefiles and Dockerfiles: what comes out still runs."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from gliding import Compressor, Document
from gliding.segment import segment
from gliding.segment.scripts import cut_script, script_kind

EDGE = Compressor.from_preset("edge")
BASH = shutil.which("bash")
STEPS = "".join(
    f'step_{n}() {{\n  for f in *.{n}; do\n    echo "$f" | sed "s/a/{n}/"\n  done\n}}\n\n' for n in range(12)
)
SHELL = f"""#!/bin/bash
set -eu
# how to name it
NAME="a
  fi }} b"
{STEPS}
deploy()
{{
  if [ "$1" != "prod" ]; then
    cat <<-EOF
	done }} fi
	EOF
  elif [[ $1 =~ ^(a|b)$ ]] && \\
    true; then
    case "$1" in
      start) echo it\\'s; ;;
      (stop|"x y") echo ${{1#a}} # not "closed
        ;;
    esac
  else
    rsync -a build/ "$1:/srv"
  fi
  # all is done
}}

function clean {{
  while read -r line; do
    rm -f "$line" ||
      echo "cannot remove the old build $line"
  done < <(find build -name "$(date "+%F")")
  x=$(( $# + 1 ))
  echo "{"a" * 60}"
  # nothing else
}}
deploy "$@"
"""


def parses(text: str) -> bool:
    return subprocess.run([str(BASH), "-n"], input=text.encode(), capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(BASH is None, reason="needs bash")
@pytest.mark.parametrize("query", ["", "How does deploy copy the build?", "remove old build", "case stop"])
@pytest.mark.parametrize("rate", [0.1, 0.2, 0.3, 0.5, 0.7])
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_a_script_under_a_budget_still_parses(query: str, rate: float, ends: str) -> None:
    text = SHELL if ends == "\n" else SHELL.replace("<<-EOF\n\tdone } fi\n\tEOF", "/dev/null").replace("\n", "\r\n")
    out = EDGE.compress(Document(text=text, id="deploy.sh"), query=query, rate=rate).text
    assert len(out) < len(text)
    assert parses(out.replace("\r\n", "\n"))


@pytest.mark.skipif(BASH is None, reason="needs bash")
@pytest.mark.parametrize("grain", [1, 60, 400])
def test_every_statement_by_itself_in_its_frames_parses(grain: int) -> None:
    found = cut_script(SHELL, 0, "shell", max_chars=grain)
    assert found is not None
    for part in found:
        assert part.frame is not None
        chain = part.frame.chain()
        for sentence in part.sentences:
            opened = [SHELL[slice(*frame.opening)] for frame in chain]
            closed = [SHELL[slice(*frame.closing)] for frame in reversed(chain)]
            assert parses("\n".join([*opened, SHELL[slice(*sentence)], *closed]))


def test_a_long_loop_is_opened_and_a_branch_is_not() -> None:
    loop = "for f in *; do\n" + "".join(f"  echo {n}\n" for n in range(9)) + "done\n"
    branch = "if true; then\n" + "  echo yes\n" * 9 + "else\n  echo no\nfi\n"
    first, second = cut_script(loop + branch, 0, "shell", max_chars=40) or []
    assert first.frame is not None
    assert len(first.sentences) == 9
    assert loop[slice(*first.frame.opening)].endswith("do")
    assert [(loop + branch)[slice(*s)] for s in second.sentences] == [branch.rstrip()]


@pytest.mark.parametrize("text", ["if true; then\n  ls\n", "ls\n}\n", "echo 'open\nls\n", "cat <<END\nls\n"])
def test_blocks_that_do_not_close_are_no_script(text: str) -> None:
    assert cut_script(text, 0, "shell", max_chars=100) is None


def test_a_recipe_never_stands_without_its_target() -> None:
    rules = "".join(f"t{n}: a{n}.o\n\t$(CC) -o t{n} \\\n\t  a{n}.o\n\tstrip t{n}\n\n" for n in range(12))
    text = f"CC=gcc\n{rules}release: all\n\ttar czf rel.tgz t*\nifdef HOST\n\tscp rel.tgz $(HOST):/srv\nendif\n"
    for rate in (0.1, 0.2, 0.4):
        out = EDGE.compress(Document(text=text, id="Makefile"), query="How is a release made?", rate=rate).text
        assert "release: all\n\ttar czf rel.tgz t*\nifdef HOST\n\tscp rel.tgz $(HOST):/srv\nendif" in out
        for rule in out.split("\n\n"):
            assert not rule.startswith("\t")
            assert rule.startswith(("CC=", "release:")) or rule.strip() in rules


def test_a_long_recipe_is_opened_under_its_target() -> None:
    text = "all: a\n" + "".join(f"\techo step {n}\n" for n in range(40)) + "\nclean:\n\trm -f a\n"
    found = cut_script(text, 0, "make", max_chars=100) or []
    assert [text[slice(*part.frame.opening)] for part in found if part.frame] == ["all: a", ""]
    assert len(found[0].sentences) == 40


def test_steps_of_an_image_stand_below_what_it_begins_from() -> None:
    steps = "".join(f"RUN apt-get install -y p{n} \\\n    && rm -rf /tmp/{n}\nCOPY d{n} /srv/d{n}\n" for n in range(15))
    text = f"ARG V=3\nFROM python:$V AS base\n{steps}FROM scratch\nRUN <<EOT\nset -x\nEOT\nEXPOSE 9443\n"
    out = EDGE.compress(Document(text=text, id="Dockerfile"), query="Which port is exposed?", rate=0.15).text
    assert "FROM scratch\n" in out
    assert out.endswith("EXPOSE 9443")
    assert all(
        line.startswith(("ARG", "FROM", "RUN", "COPY", "EXPOSE", "    &&", "set", "EOT")) for line in out.split("\n")
    )
    assert out.count("    &&") == out.count("RUN apt")


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        (SHELL, "", "shell"),
        ("a: b\n\tc\nd: e\n\tf\n", "", "make"),
        ("FROM a\nRUN b\nCOPY c d\n", "", "docker"),
        ("FROM a\n", "app/Dockerfile.dev", "docker"),
        ("def f(x):\n\treturn x\ndef g(x):\n\treturn x\n", "", None),
        ("From a friend.\nHe said: run.\n", "letter.txt", None),
        (
            "Notes:\n\tone\nMore notes are to be made\nof all that he has said\nin the long year\nof his life\n",
            "",
            None,
        ),
    ],
)
def test_the_kind_is_told_by_name_or_content(text: str, name: str, kind: str | None) -> None:
    assert script_kind(text, name) == kind


def test_a_pin_across_statements_comes_out() -> None:
    pin = "done\n}\n\nstep_3() {"
    assert pin in EDGE.compress(Document(text=SHELL, id="a.sh"), query="deploy", rate=0.3, pins=[pin]).text
    assert segment([Document(text=SHELL, id="a.sh")], plain=[0])[0].frame is None
