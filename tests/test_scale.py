"""Large and odd texts: memory, linear time, and shapes that make careless code quadratic. Run with ``-m slow``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random
from time import process_time

import pytest

from gliding import Compressor

pytestmark = pytest.mark.slow

QUERY = "Why did the pump in the north hall fail?"
ANSWER = "The pump in the north hall failed because a seal was worn."
MEGABYTES = 600
SECONDS = 120  # of processor time for 5 MB; about a tenth of it is used
LARGE = 5_000_000

# The peak of a process of its own. Linux hands a process the peak of the one that started it through getrusage, so the
# process reads its own status where there is one.
_PEAK = """
import sys
from pathlib import Path
from gliding import Compressor
text = Path(sys.argv[1]).read_text(encoding="utf-8")
result = Compressor.from_preset("edge").compress(text, query=sys.argv[2], max_tokens=2000)
status = Path("/proc/self/status")
if status.exists():
    print(next(line for line in status.read_text().splitlines() if line.startswith("VmHWM")).split()[1])
else:
    import resource
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
print(result.text)
"""


def prose(chars: int, joiner: str) -> str:
    """Paragraphs of sentences of made words, with the answer in the middle."""
    random = Random(1)
    words = ["".join(random.choices("etaoinshrdlu", k=random.randint(2, 9))) for _ in range(20_000)]
    weights = [1 / rank for rank in range(2, len(words) + 2)]
    paragraphs, size = [], 0
    while size < chars:
        sentences = [" ".join(random.choices(words, weights, k=14)).capitalize() + "." for _ in range(5)]
        paragraphs.append(" ".join(sentences))
        size += len(paragraphs[-1]) + len(joiner)
    paragraphs.insert(len(paragraphs) // 2, ANSWER)
    return joiner.join(paragraphs)


@pytest.fixture(scope="module")
def edge() -> Compressor:
    return Compressor.from_preset("edge")


def seconds(edge: Compressor, text: str, query: str = QUERY) -> float:
    started = process_time()
    result = edge.compress(text, query=query, max_tokens=500)
    spent = process_time() - started
    assert 0 < result.tokens <= 500
    return spent


@pytest.mark.parametrize("joiner", [" ", "\n\n"], ids=["one line", "many lines"])
def test_five_megabytes_take_little_memory(tmp_path: Path, joiner: str) -> None:
    file = tmp_path / "large.txt"
    file.write_text(prose(LARGE, joiner), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", _PEAK, str(file), QUERY], check=True, capture_output=True, encoding="utf-8"
    )
    peak, _, text = done.stdout.partition("\n")
    assert int(peak) / 1000 < MEGABYTES
    assert ANSWER in text


@pytest.mark.parametrize(
    ("query", "joiner", "size"),
    [
        pytest.param(QUERY, " ", 150_000, id="one line"),
        pytest.param(QUERY, "\n\n", 150_000, id="many lines"),
        # LexRank compares all sentences with each other up to 4,096 of them, then in windows of that size
        pytest.param("", "\n\n", 350_000, id="no query"),
    ],
)
def test_time_is_linear_in_the_size(edge: Compressor, query: str, joiner: str, size: int) -> None:
    small, large = prose(size, joiner), prose(8 * size, joiner)
    once = min(seconds(edge, small, query) for _ in range(3))
    # A square law would take 64 times as long. The best of some runs, and a wide limit: what else a machine does can
    # double the time of one run.
    assert min(seconds(edge, large, query) for _ in range(2)) <= 20 * once


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("ab7-" * (LARGE // 4), id="no spaces"),
        pytest.param("\n".join(f"ok {k}" for k in range(300_000)), id="300,000 short lines"),
        pytest.param("again " * (LARGE // 6), id="one word"),
        pytest.param("Again. " * (LARGE // 70), id="one sentence"),  # a graph in which all are tied to all
        pytest.param("a\n\n" * 300_000, id="short paragraphs"),
    ],
)
def test_odd_shapes_take_bounded_time(edge: Compressor, text: str) -> None:
    assert seconds(edge, text) < SECONDS
