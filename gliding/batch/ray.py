"""Ray: the batch on Ray Data, whose pool of actors may be on this machine or on a cluster.

``RayEngine`` takes the place of the local engine: the driver reads and writes, so that resuming and the output are the
same. ``distribute`` leaves reading and writing to Ray too, for tables that no driver could hold.
"""

from __future__ import annotations

import logging
import os
import pickle
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from gliding.batch.items import Item
from gliding.batch.local import Chunk, Done, Task
from gliding.batch.options import Options
from gliding.batch.outputs import arrow_values
from gliding.batch.tables import Columns, cells
from gliding.batch.task import CompressTask
from gliding.errors import BatchError, InputError, MissingExtra

_WINDOW = 4096  # documents that are given to Ray at a time
_WINDOW_CHARS = 64 << 20
_ROWS = 16  # rows of a table that an actor gets at a time
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "GLIDING_THREADS")


class RayEngine:
    """Runs a task in a pool of Ray's actors, each on one core and ``gpus`` GPUs.

    Without an ``address`` a Ray is started here with as many cores as ``workers`` and ended with the iteration. An
    actor that dies is started again and its chunk with it: Ray sees to that.

    Raises:
        MissingExtra: Ray is not installed.
    """

    def __init__(
        self, task: Task, *, workers: int | None = None, address: str | None = None, gpus: float = 0.0
    ) -> None:
        _import()
        self._task = task
        self._workers = workers or os.cpu_count() or 1
        self._address = address
        self._gpus = gpus

    def map(self, chunks: Iterable[Chunk]) -> Iterator[Done]:
        """Yield each chunk with its rows and the seconds of each, in the order in which they are done.

        Raises:
            BatchError: Ray cannot be reached, or gives up.
        """
        with _session(self._workers, self._address) as ray:
            for window in _windows(chunks):
                yield from self._window(ray, window)

    def _window(self, ray: Any, window: Sequence[Chunk]) -> Iterator[Done]:
        packed = [{"place": place, "items": pickle.dumps(list(chunk))} for place, chunk in enumerate(window)]
        found = ray.data.from_items(packed, override_num_blocks=len(packed)).map_batches(
            _Chunks,
            fn_constructor_args=(self._task,),
            batch_size=1,
            compute=ray.data.ActorPoolStrategy(size=min(self._workers, len(packed))),
            **_actor(self._gpus),
        )
        left = dict(enumerate(window))
        with _told():
            for row in found.iter_rows():
                chunk = left.pop(int(row["place"]))
                rows, seconds = pickle.loads(row["rows"])
                yield chunk, rows, seconds
        if left:
            raise BatchError(f"Ray gave no answer for {len(left)} chunks.", hint="Run the same command again.")


def distribute(
    source: str,
    target: str,
    *,
    options: Options,
    columns: Columns = Columns("text", "id"),  # noqa: B008 - a constant
    workers: int | None = None,
    address: str | None = None,
    gpus: float = 0.0,
) -> None:
    """Compress a table wherever Ray can read it to a folder of shards wherever Ray can write them.

    Nothing is remembered for a next run, and no row passes through this process. The rows are those of ``RayEngine``,
    in no order that is promised.

    Args:
        source: Parquet or JSON Lines: a path or address of a file or a folder, told by its suffix (``.parquet``,
            ``.jsonl``); a folder of Parquet needs none.
        target: A folder's path or address; one that ends in ``.jsonl`` gets JSON Lines, another one Parquet.
        options: What is asked of every document.
        columns: The columns of the text, of the id, which must be there, and, if any, of the query.
        workers: Actors at most.
        address: A running Ray; else one is started here.
        gpus: GPUs of each actor.

    Raises:
        BatchError: Ray cannot be reached, read or write.
        InputError: A column is not there.
        MissingExtra: Ray is not installed.
    """
    count = workers or os.cpu_count() or 1
    with _session(count, address) as ray, _told():
        lines = source.endswith((".jsonl", ".ndjson"))
        rows = ray.data.read_json(source, lines=True) if lines else ray.data.read_parquet(source)
        names = rows.columns()
        columns = columns.found([str(name) for name in names], source)
        if not columns.id:
            raise InputError(f"{source} has no column that names a row.", hint="Name one by id_column.")
        wanted = [name for name in columns if name]
        done = rows.select_columns(wanted).map_batches(
            _Table,
            fn_constructor_args=(CompressTask(options), columns, source),
            batch_size=_ROWS,
            batch_format="pyarrow",
            compute=ray.data.ActorPoolStrategy(min_size=1, max_size=count),
            **_actor(gpus),
        )
        if target.endswith((".jsonl", ".ndjson")):
            done.write_json(target, force_ascii=False)
        else:
            done.write_parquet(target, compression="zstd")


class _Chunks:
    """An actor that compresses pickled chunks."""

    def __init__(self, task: Task) -> None:
        self._task = task

    def __call__(self, batch: Mapping[str, Any]) -> dict[str, Any]:
        done = [pickle.dumps(self._task.timed(pickle.loads(bytes(items)))) for items in batch["items"]]
        return {"place": batch["place"], "rows": done}


class _Table:
    """An actor that compresses rows of a table."""

    def __init__(self, task: CompressTask, columns: Columns, source: str) -> None:
        self._task, self._columns, self._source = task, columns, source

    def __call__(self, batch: Any) -> Any:
        from gliding.backends.parquet import as_table

        return as_table(arrow_values(row) for row in self._task(self._items(batch)))

    def _items(self, batch: Any) -> list[Item]:
        rows = [cells(place, self._columns, row) for place, row in enumerate(batch.to_pylist())]
        return [
            Item(position=row.number, id=row.id, source=self._source, data=row.text, query=row.query, error=row.error)
            for row in rows
        ]


def _windows(chunks: Iterable[Chunk]) -> Iterator[list[Chunk]]:
    window: list[Chunk] = []
    documents = size = 0
    for chunk in chunks:
        window.append(chunk)
        documents += len(chunk)
        size += sum(len(item.data) for item in chunk)
        if documents >= _WINDOW or size >= _WINDOW_CHARS:
            yield window
            window, documents, size = [], 0, 0
    if window:
        yield window


def _actor(gpus: float) -> dict[str, Any]:
    return {"num_cpus": 1, **({"num_gpus": gpus} if gpus else {})}


def _import() -> Any:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # Ray would tell its makers
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    try:
        import ray
        import ray.data
    except ImportError as error:
        raise MissingExtra("Ray is not installed.", hint="Run: pip install 'gliding[ray]'") from error
    return ray


@contextmanager
def _session(workers: int, address: str | None) -> Iterator[Any]:
    """A connection to Ray, with its chatter off; one that was there before stays."""
    ray = _import()
    logging.getLogger("ray").setLevel(logging.ERROR)
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    ours = not ray.is_initialized()
    if ours:
        here = {"num_cpus": workers, "include_dashboard": False} if address is None else {"address": address}
        try:
            ray.init(
                **here,
                log_to_driver=False,
                logging_level=logging.ERROR,
                runtime_env={"env_vars": dict.fromkeys(_THREADS, "1")},
            )
        except (ConnectionError, RuntimeError, ValueError) as error:
            raise BatchError(f"Ray cannot be reached: {error}", hint="Check --address.") from error
    context = ray.data.DataContext.get_current()
    before = context.enable_progress_bars
    context.enable_progress_bars = False
    try:
        yield ray
    finally:
        context.enable_progress_bars = before
        if ours:
            ray.shutdown()


@contextmanager
def _told() -> Iterator[None]:
    """Turn what Ray raises into an error of ours, with its last line: the rest is a trace of Ray's."""
    ray = _import()
    try:
        yield
    except ray.exceptions.RayError as error:
        last = [line for line in str(error).splitlines() if line.strip()][-1:]
        raise BatchError(f"Ray gives up: {' '.join(last)}", hint="Run the same command again.") from error
