"""Ray: the batch on Ray Data, whose pool of actors may be on this machine or on a cluster.

``RayEngine`` takes the place of the local engine: the driver reads and writes, so that resuming and the output are the
same. ``distribute`` leaves reading and writing to Ray too, for tables that no driver could hold.
"""

from __future__ import annotations

import logging
import os
import pickle
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from gliding.backends.session import available_cores
from gliding.batch.items import Item, Row
from gliding.batch.local import Chunk, Done, Task
from gliding.batch.options import Options
from gliding.batch.outputs import arrow_values
from gliding.batch.tables import Columns, cells
from gliding.batch.task import CompressTask
from gliding.errors import BatchError, GlidingError, InputError, MissingExtra

_WINDOW = 4096  # documents that are given to Ray at a time
_WINDOW_CHARS = 64 << 20
_TRIES = 2  # times that a chunk, and then a document alone in an actor, is begun
_DIED = "The worker died of this document: most often there is too little memory."
_ROWS = 16  # rows of a table that an actor gets at a time
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "GLIDING_THREADS")


class RayEngine:
    """Runs a task in a pool of Ray's actors, each on one core and ``gpus`` GPUs.

    Without an ``address`` a Ray is started here with as many cores as ``workers`` and ended with the iteration; a Ray
    to which this process is connected already is used as it is. An actor that dies is started again with its chunk; a
    document that keeps killing actors has failed.

    Raises:
        MissingExtra: Ray is not installed.
    """

    def __init__(
        self, task: Task, *, workers: int | None = None, address: str | None = None, gpus: float = 0.0
    ) -> None:
        _import()
        self._task = task
        self._workers = workers or available_cores()
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
            fn_constructor_args=(self._task, _ledger(ray)),
            batch_size=1,
            compute=ray.data.ActorPoolStrategy(size=min(self._workers, len(packed))),
            **_actor(self._gpus),
        )
        left = dict(enumerate(window))
        with _told():
            for row in found.iter_rows():
                said = pickle.loads(row["said"])
                if isinstance(said, Exception):
                    raise said
                yield left.pop(int(row["place"])), *said
        if left:
            raise BatchError(f"Ray gave no answer for {len(left)} chunks.", hint="Run the same command again.")


def distribute(
    source: str,
    target: str,
    *,
    options: Options,
    text_column: str = "",
    id_column: str = "",
    query_column: str = "",
    ordered: bool = False,
    workers: int | None = None,
    address: str | None = None,
    gpus: float = 0.0,
) -> None:
    """Compress a table wherever Ray can read it to a folder of shards wherever Ray can write them.

    Nothing is remembered for a next run, and no row passes through this process. The rows are those of ``RayEngine``.

    Args:
        source: Parquet or JSON Lines: a path or address of a file or a folder, told by its suffix (``.parquet``,
            ``.jsonl``); a folder of Parquet needs none.
        target: A folder's path or address; one that ends in ``.jsonl`` gets JSON Lines, another one Parquet.
        options: What is asked of every document.
        text_column: The column with the text; else ``text``, ``content``, ``document``, ``body`` ...
        id_column: The column that names a row; else ``id``. One of them must be there.
        query_column: The column with a query for each row; else ``query`` or ``question``, where there is one.
        ordered: Whether the shards, by their names, hold the rows in the source's order; it costs time.
        workers: Actors at most.
        address: A running Ray; else one is started here.
        gpus: GPUs of each actor.

    Raises:
        BatchError: Ray cannot be reached, read or write.
        InputError: A column is not there.
        MissingExtra: Ray is not installed.
    """
    count = workers or available_cores()
    with _session(count, address, ordered=ordered) as ray, _told():
        lines = source.endswith((".jsonl", ".ndjson"))
        rows = ray.data.read_json(source, lines=True) if lines else ray.data.read_parquet(source)
        names = rows.columns()
        columns = Columns(text_column, id_column, query_column).found([str(name) for name in names], source)
        if not columns.id:
            raise InputError(f"{source} has no column that names a row.", hint="Name one by id_column.")
        wanted = [name for name in columns if name]
        done = rows.select_columns(wanted).map_batches(
            _Table,
            fn_constructor_args=(CompressTask(options), _ledger(ray), columns, source),
            batch_size=_ROWS,
            batch_format="pyarrow",
            compute=ray.data.ActorPoolStrategy(min_size=1, max_size=count),
            **_actor(gpus),
        )
        if target.endswith((".jsonl", ".ndjson")):
            done.write_json(target, force_ascii=False)
        else:
            done.write_parquet(target, compression="zstd")


class _Ledger:
    """Counts how often a piece of work was begun and not ended: so often it has killed the actor that had it."""

    def __init__(self) -> None:
        self._begun: Counter[object] = Counter()

    def begin(self, work: object) -> int:
        self._begun[work] += 1
        return self._begun[work]

    def end(self, work: object) -> None:
        del self._begun[work]


class _Careful:
    """Runs a task, document by document where a chunk has killed its actors, and without those that did.

    Ray itself would try a document that kills its actor for ever.
    """

    def __init__(self, task: Task, ledger: Any) -> None:
        self._task, self._ledger = task, ledger

    def timed(self, work: object, items: Sequence[Item]) -> tuple[list[Row], list[float]]:
        if self._begin(work) <= _TRIES:
            done = self._task.timed(items)
        else:
            each = [self._alone((work, place), item) for place, item in enumerate(items)]
            done = [row for row, _ in each], [seconds for _, seconds in each]
        self._ledger.end.remote(work)
        return done

    def _alone(self, work: object, item: Item) -> tuple[Row, float]:
        if self._begin(work) > _TRIES:
            return Row(id=item.id, source=item.source, error=_DIED), 0.0
        (row,), (seconds,) = self._task.timed([item])
        self._ledger.end.remote(work)
        return row, seconds

    def _begin(self, work: object) -> int:
        return int(_import().get(self._ledger.begin.remote(work)))


class _Chunks:
    """An actor that compresses pickled chunks."""

    def __init__(self, task: Task, ledger: Any) -> None:
        self._careful = _Careful(task, ledger)

    def __call__(self, batch: Mapping[str, Any]) -> dict[str, Any]:
        chunks = zip(batch["place"].tolist(), map(bytes, batch["items"]), strict=True)
        return {"place": batch["place"], "said": [pickle.dumps(self._said(*chunk)) for chunk in chunks]}

    def _said(self, place: int, items: bytes) -> tuple[list[Row], list[float]] | GlidingError:
        """The rows and seconds of a chunk, or why the task cannot work at all: the driver raises that."""
        try:
            return self._careful.timed(place, pickle.loads(items))
        except GlidingError as error:
            return error


class _Table:
    """An actor that compresses rows of a table."""

    def __init__(self, task: CompressTask, ledger: Any, columns: Columns, source: str) -> None:
        self._careful, self._columns, self._source = _Careful(task, ledger), columns, source

    def __call__(self, batch: Any) -> Any:
        from gliding.backends.parquet import as_table

        items = self._items(batch)
        rows, _ = self._careful.timed(tuple(item.id for item in items), items)
        return as_table(map(arrow_values, rows))

    def _items(self, batch: Any) -> list[Item]:
        rows = [cells(place, self._columns, row) for place, row in enumerate(batch.to_pylist())]
        return [
            Item(position=row.number, id=row.id, source=self._source, data=row.text, query=row.query, error=row.error)
            for row in rows
        ]


def _ledger(ray: Any) -> Any:
    return ray.remote(num_cpus=0, max_restarts=-1, max_task_retries=-1)(_Ledger).remote()


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
def _session(workers: int, address: str | None, *, dying: bool = False, ordered: bool = False) -> Iterator[Any]:
    """A connection to Ray, with its chatter off; one that was there before stays."""
    ray = _import()
    logging.getLogger("ray").setLevel(logging.ERROR)
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    ours = not ray.is_initialized()
    if ours:
        # one more than the actors take: what reads and writes must not wait for them
        here = {"num_cpus": workers + 1, "include_dashboard": False} if address is None else {"address": address}
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
    before = (context.enable_progress_bars, context.execution_options.preserve_order)
    context.enable_progress_bars, context.execution_options.preserve_order = False, ordered
    try:
        yield ray
    finally:
        context.enable_progress_bars, context.execution_options.preserve_order = before
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
