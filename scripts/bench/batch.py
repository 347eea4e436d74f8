"""What a batch costs beside the library call: speed-up by workers, overhead a document, memory, Ray.

    python scripts/bench/batch.py speed FILE ... [--preset balanced] [--documents 64] [--chars 4200]
    python scripts/bench/batch.py ray FILE ... [--preset edge] [--documents 400]
    python scripts/bench/batch.py memory [--documents 100000]

The files' texts are cut into different documents of so many characters; every run has one numeric thread a process and
no cache. Timings are of the machine; what counts are the ratios. The start of workers is told by itself.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
os.environ.update({"GLIDING_THREADS": "1", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"})

from gliding.batch import CompressTask, Item, LocalEngine, Options, Table, run  # noqa: E402
from gliding.batch.events import Event  # noqa: E402
from gliding.batch.runner import Engine  # noqa: E402

QUERY = "What was decided, and why?"


def documents(files: Sequence[Path], count: int, chars: int) -> list[Item]:
    """Return different documents of about so many characters, cut at line ends."""
    found: list[str] = []
    for path in files:
        text = path.read_text(encoding="utf-8", errors="replace")
        while len(text) > chars // 2:
            cut = text.rfind("\n", chars // 2, chars) + 1 or chars
            found.append(text[:cut])
            text = text[cut:]
    found = list(dict.fromkeys(found))[:count]
    if len(found) < count:
        print(f"only {len(found)} documents", file=sys.stderr)
    return [Item(position=n, id=str(n), source="bench", data=text) for n, text in enumerate(found)]


def timed(items: Sequence[Item], options: Options, engine: Engine) -> tuple[float, float]:
    """Return the seconds from the first result on for the other documents, and those until the first result."""
    seen: list[float] = []

    def notify(event: Event) -> None:
        if event.kind in ("done", "failed"):
            seen.append(perf_counter())

    with tempfile.TemporaryDirectory() as folder:
        started = perf_counter()
        run(items, options=options, output=Table(Path(folder) / "out.jsonl"), engine=engine, notify=notify)
    return perf_counter() - started, seen[0] - started


def speed(items: Sequence[Item], options: Options) -> None:
    """Print documents a second of the library call and of one and two workers."""
    task = CompressTask(options)
    task(items[:1])  # loads the models
    started = perf_counter()
    for item in items:
        task([item])
    plain = perf_counter() - started
    print(f"library call  {len(items) / plain:8.2f} documents/s  {plain / len(items) * 1000:8.1f} ms a document")
    rates = {}
    for workers in (1, 2):
        warm = [
            Item(position=-1 - n, id=f"w{n}", source="bench", data=f"Warm {n}. {items[0].data!s}") for n in range(8)
        ]
        short, _ = timed(warm, options, LocalEngine(task, workers=workers))
        whole, first = timed([*warm, *items], options, LocalEngine(task, workers=workers))
        rates[workers] = len(items) / (whole - short)
        print(
            f"{workers} worker{'s' if workers > 1 else ' '}     {rates[workers]:8.2f} documents/s  "
            f"(start {first:.1f} s apart)"
        )
    print(f"overhead of one worker {plain / len(items) * rates[1]:.3f} of the library's speed")
    print(f"speed-up of two {rates[2] / rates[1]:.2f}")


def ray(items: Sequence[Item], options: Options) -> None:
    """Print documents a second of two local workers and of two of Ray's."""
    from gliding.batch.ray import RayEngine

    for name, made in (("local", LocalEngine), ("ray", RayEngine)):
        whole, first = timed(items, options, made(CompressTask(options), workers=2))
        print(f"{name:<6} {len(items) / (whole - first):8.2f} documents/s after the first result at {first:.1f} s")


def memory(count: int) -> None:
    """Print the most memory of this process and of its workers at each tenth of a run over tiny documents."""
    options = Options(preset="edge", max_tokens=8, cache=False)

    def tiny() -> Iterator[Item]:
        for n in range(count):
            yield Item(position=n, id=str(n), source="bench", data=f"Pump {n} failed at noon. Lunch {n} was soup.")

    over = 0

    def notify(event: Event) -> None:
        nonlocal over
        over += event.kind in ("done", "failed")
        if event.kind == "done" and over % (count // 10) == 0:
            here = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
            print(f"{over:>9,} documents  {here:>6} MB", flush=True)

    with tempfile.TemporaryDirectory() as folder:
        output = Table(Path(folder) / "out.jsonl")
        summary = run(tiny(), options=options, output=output, notify=notify)
        print(f"{summary.documents / summary.seconds:.0f} documents/s, {summary.failed} failed")
        workers = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10
        print(f"workers at most {workers} MB, manifest {output.manifest.stat().st_size >> 20} MB")
        with output.path.open() as rows:
            whole = all(int(json.loads(row)["id"]) == n for n, row in enumerate(rows))
        print("every row in its place" if whole and summary.documents == count else "rows are missing or moved")


def main() -> None:
    """Run one of the measurements."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("speed", "ray", "memory"))
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--preset", default="balanced")
    parser.add_argument("--documents", type=int, default=64)
    parser.add_argument("--chars", type=int, default=4200)
    given = parser.parse_args()
    if given.what == "memory":
        memory(given.documents)
        return
    options = Options(preset=given.preset, rate=0.2, query=QUERY, cache=False)
    items = documents(given.files, given.documents, given.chars)
    speed(items, options) if given.what == "speed" else ray(items, options)


if __name__ == "__main__":
    main()
