"""Compress texts with a plain ``multiprocessing`` pool: ``CompressTask`` is picklable.

python docs/examples/pool_batch.py
"""

from __future__ import annotations

import multiprocessing

from gliding.batch import CompressTask, Options

TEXTS = [f"Report {n}. The pump failed at {n} o'clock, since a seal was worn. Lunch was soup." for n in range(8)]


def main() -> None:
    """Compress eight texts in two processes."""
    task = CompressTask(Options(preset="edge", query="When did the pump fail?", max_tokens=20))
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        for rows in pool.imap(task, [TEXTS[:4], TEXTS[4:]]):
            for row in rows:
                print(row.tokens_out, row.text)


if __name__ == "__main__":
    main()
