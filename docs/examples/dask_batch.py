"""Compress the rows of a Dask dataframe: one compressor for each process of Dask's workers.

    pip install gliding 'dask[dataframe]' && python docs/examples/dask_batch.py

Texts in, rows out: ``CompressTask`` is picklable and holds nothing but options.
"""

from __future__ import annotations

import dask.bag

from gliding.batch import CompressTask, Options

TEXTS = [f"Report {n}. The pump failed at {n} o'clock, since a seal was worn. Lunch was soup." for n in range(8)]


def main() -> None:
    """Compress eight texts in two partitions."""
    task = CompressTask(Options(preset="edge", query="When did the pump fail?", max_tokens=20))
    bag = dask.bag.from_sequence([{"id": str(n), "text": text} for n, text in enumerate(TEXTS)], npartitions=2)
    rows = bag.map_partitions(lambda part: task(list(part))).compute(scheduler="threads")
    for row in rows:
        print(row.id, row.tokens_out, row.text)


if __name__ == "__main__":
    main()
