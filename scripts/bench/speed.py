"""Speed and memory, each measured against something that runs beside it in the same process.

    python scripts/bench/speed.py --eval FOLDER [--only peers,cold,warm,memory,growth] [--items N] [--runs N]

``FOLDER`` holds the evaluation harness (``bench.py``, ``baselines.py``, ``dev/``). Machines differ and are shared, so
what is held to a limit is a ratio: two things take turns, and the medians of their times are divided.

peers    ``edge`` / BM25 of the harness, end to end, both with segmenting and counting; each set of the dev data
cold     ``balanced`` without a cache, 10 % budget / embedding all sentences of the text with the same embedder
warm     ``balanced`` with all vectors and entities in the cache / ``edge``
memory   peak megabytes of a process that compresses 5 MB of text
growth   seconds a token at eight or ten times the size / seconds a token before
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import cycle, islice, pairwise
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PROSE = ("hotpot", "musique", "nq", "xquad-en", "leval")
INCIDENT = ROOT / "docs" / "examples" / "incident-report.md"
QUERY = "Why did the pump in the north hall fail?"
LARGE = 5_000_000


@dataclass(frozen=True)
class Row:
    """One line of the table; it holds where ``value`` is at most ``limit``."""

    part: str
    case: str
    value: float
    limit: float
    note: str

    @property
    def holds(self) -> bool:
        """Whether the value is within its limit."""
        return self.value <= self.limit


def ratio(subject: Callable[[], object], peer: Callable[[], object], runs: int) -> tuple[float, float, float]:
    """Return the ratio of the median times of two calls that take turns, and both medians in milliseconds."""
    subject(), peer()  # the first call loads what is loaded once
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(runs):
        for call, spent in zip((subject, peer), times, strict=True):
            started = perf_counter()
            call()
            spent.append(1e3 * (perf_counter() - started))
    ours, theirs = median(times[0]), median(times[1])
    return ours / theirs, ours, theirs


def peers(items: int, runs: int) -> Iterator[Row]:
    """``edge`` against the harness's BM25."""
    import baselines
    import bench
    from gliding_system import edge

    from gliding.text import words

    for name in bench.set_names():
        pairs = []
        for item in bench.order(bench.load(name))[:items]:
            budget = bench.info(item)[0] // 10

            def peer(item: Any = item, budget: int = budget) -> object:
                baselines.reset()
                return baselines.bm25(item["segments"], item["query"], budget)

            def subject(item: Any = item, budget: int = budget) -> object:
                words._memo.clear()  # as at the first text of a process
                return edge(item["segments"], item["query"], budget)

            pairs.append(ratio(subject, peer, runs)[1:])
        ours, theirs = map(sum, zip(*pairs, strict=True))
        yield Row("peers", name, ours / theirs, 4.0, f"edge {ours:.0f} ms, bm25 {theirs:.0f} ms")


def cold(items: int, runs: int) -> Iterator[Row]:
    """``balanced`` without a cache against embedding every sentence."""
    from gliding import Compressor
    from gliding.segment import segment

    balanced = Compressor.from_preset("balanced", tokenizer="cl100k_base", cache=False)
    embedder = balanced.parts.embedder
    if embedder is None:
        raise SystemExit("balanced has no embedder")
    for name, source, query in _prose(items):
        documents = _documents(source)
        sentences = [documents[s.document].text[a:b] for s in segment(documents) for a, b in s.sentences]
        value, ours, theirs = ratio(
            lambda documents=documents, query=query: balanced.compress(documents, query=query, rate=0.1),
            lambda sentences=sentences: embedder.embed(sentences),
            runs,
        )
        note = f"balanced {ours:.0f} ms, {len(sentences)} sentences {theirs:.0f} ms"
        yield Row("cold", name, value, 0.5, note)


def warm(items: int, runs: int) -> Iterator[Row]:
    """``balanced`` with all it needs in the cache against ``edge``."""
    from gliding_system import compressor

    from gliding import Compressor

    with tempfile.TemporaryDirectory() as folder:
        os.environ["GLIDING_CACHE"] = folder
        with Compressor.from_preset("balanced", tokenizer="cl100k_base") as balanced:
            for name, source, query in _prose(items):
                documents = _documents(source)
                value, ours, theirs = ratio(
                    lambda documents=documents, query=query: balanced.compress(documents, query=query, rate=0.1),
                    lambda documents=documents, query=query: compressor("edge").compress(
                        documents, query=query, rate=0.1
                    ),
                    runs,
                )
                yield Row("warm", name, value, 3.0, f"balanced {ours:.0f} ms, edge {theirs:.0f} ms")


def memory(items: int, runs: int) -> Iterator[Row]:
    """Peak memory on a large text, each case in a process of its own."""
    for preset in ("edge", "balanced"):
        for shape in ("paragraphs", "line"):
            command = [sys.executable, __file__, "--peak", preset, shape]
            megabytes, seconds = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
            yield Row("memory", f"{preset}, 5 MB, {shape}", float(megabytes), 600.0, f"MB, in {seconds} s")


def growth(items: int, runs: int) -> Iterator[Row]:
    """Time by size: a token of a longer text costs no more than one and a half of a shorter text's."""
    from gliding_system import compressor

    for preset, sizes in (("edge", (10_000, 100_000, 1_000_000)), ("balanced", (10_000, 100_000))):
        spent = {}
        for size in sizes:
            text = synthetic(5 * size)
            times = []
            for _ in range(3 if size < 1_000_000 else 1):
                started = perf_counter()
                result = compressor(preset).compress(text, query=QUERY, max_tokens=2_000)
                times.append(perf_counter() - started)
            spent[size] = min(times) / result.report.tokens_in
        for before, after in pairwise(sizes):
            note = f"{1e6 * spent[before]:.1f} and {1e6 * spent[after]:.1f} microseconds a token"
            yield Row("growth", f"{preset}, {before:,} to {after:,}", spent[after] / spent[before], 1.5, note)


def synthetic(chars: int, *, joiner: str = "\n\n") -> str:
    """Return about that many characters of sentences of made words, common ones more often, in paragraphs."""
    random = Random(1)
    letters = "etaoinshrdlucmfwypvbgk"
    words = ["".join(random.choices(letters, k=random.randint(2, 9))) for _ in range(20_000)]
    weights = [1 / rank for rank in range(2, len(words) + 2)]
    flow = cycle(random.choices(words, weights, k=max(1_000, chars // 5)))
    paragraphs, size = [], 0
    while size < chars:
        lengths = [random.randint(8, 22) for _ in range(random.randint(2, 7))]
        paragraphs.append(" ".join(" ".join(islice(flow, n)).capitalize() + "." for n in lengths))
        size += len(paragraphs[-1]) + len(joiner)
    paragraphs.insert(len(paragraphs) // 2, "The pump in the north hall failed because a seal was worn.")
    return joiner.join(paragraphs)


def peak(preset: str, shape: str) -> None:
    """Compress a large text and print the process's peak memory in megabytes and the seconds."""
    from gliding import Compressor

    text = synthetic(LARGE, joiner=" " if shape == "line" else "\n\n")
    compressor = Compressor.from_preset(preset, cache=False)
    started = perf_counter()
    compressor.compress(text, query=QUERY, max_tokens=2_000)
    print(f"{_peak_bytes() / 1e6:.0f} {perf_counter() - started:.1f}")


def _peak_bytes() -> int:
    # Linux hands a process the peak of the one that started it, so getrusage would tell the caller's.
    status = Path("/proc/self/status")
    if status.exists():
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM:"))
        return int(line.split()[1]) * 1024
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _prose(items: int) -> Iterator[tuple[str, Any, str]]:
    import bench

    yield "incident-report.md", INCIDENT.read_text(encoding="utf-8"), "Why did the standby compressor not start?"
    for name in PROSE:
        for number, item in enumerate(bench.order(bench.load(name))[:items]):
            yield f"{name} {number}", item["segments"], item["query"]


def _documents(source: Any) -> Any:
    from gliding_system import _FIELDS

    from gliding.ingest.sources import read

    if isinstance(source, str):
        return read(source)
    return read([{name: part[name] for name in _FIELDS if part.get(name) is not None} for part in source])


PARTS: dict[str, Callable[[int, int], Iterable[Row]]] = {
    "memory": memory,
    "peers": peers,
    "cold": cold,
    "warm": warm,
    "growth": growth,
}


def main() -> int:
    """Print the table; 1 where a limit is broken."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--eval", type=Path, default=os.environ.get("BENCH_DATA"), help="the harness's folder")
    parser.add_argument("--only", default=",".join(PARTS), help=f"parts to run, of {', '.join(PARTS)}")
    parser.add_argument("--items", type=int, default=3, help="items of each set")
    parser.add_argument("--runs", type=int, default=5, help="turns of each pair")
    parser.add_argument("--peak", nargs=2, metavar=("PRESET", "SHAPE"), help=argparse.SUPPRESS)
    args = parser.parse_args()
    sys.path[:0] = [str(ROOT), str(Path(__file__).parent), str(args.eval or "")]
    if args.peak:
        peak(*args.peak)
        return 0
    os.environ.setdefault("BENCH_DATA", str(args.eval))
    broken = 0
    print(f"{'part':8} {'case':32} {'value':>8} {'limit':>7}")
    for part in args.only.split(","):
        for row in PARTS[part](args.items, args.runs):
            broken += not row.holds
            mark = "" if row.holds else "  BROKEN"
            print(f"{row.part:8} {row.case:32} {row.value:8.2f} {row.limit:7.1f}  {row.note}{mark}", flush=True)
    return int(broken > 0)


if __name__ == "__main__":
    raise SystemExit(main())
