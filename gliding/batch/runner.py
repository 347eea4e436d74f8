"""The flow of a batch: read, skip what is done, compute, write, record."""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from time import perf_counter
from typing import Any, Literal, Protocol, runtime_checkable

from gliding.batch.events import Event, Slow, Summary
from gliding.batch.items import Item, Row
from gliding.batch.local import LocalEngine
from gliding.batch.manifest import Entry, Held, Known, Manifest
from gliding.batch.options import Options, fingerprint, item_key
from gliding.batch.task import CompressTask
from gliding.errors import BatchError, GlidingError

_PLANNED = 256  # documents
_PLANNED_CHARS = 1 << 22
_CHUNK = 8  # documents; few, so that workers end at about the same time
_CHUNK_CHARS = 1 << 18
_SLOWEST = 10


class Engine(Protocol):
    """Where the work is done."""

    def map(self, chunks: Iterable[Sequence[Item]]) -> Iterator[tuple[Sequence[Item], list[Row], list[float]]]:
        """Yield each chunk with its rows and seconds, in any order; chunks are taken as they are needed."""
        ...


@runtime_checkable
class Files(Protocol):
    """An output of one file a document."""

    @property
    def root(self) -> Path:
        """The folder."""
        ...

    @property
    def manifest(self) -> Path:
        """The file of what is done."""
        ...

    def place(self, item_id: str, source: str) -> str:
        """Return the name of a document's file."""
        ...

    def write(self, name: str, row: Row) -> Any:
        """Write a file whole or not at all, and return its ``size`` and ``digest``."""
        ...

    def intact(self, name: str, written: Any) -> bool:
        """Say whether the file is as it was written."""
        ...


@runtime_checkable
class Rows(Protocol):
    """An output of all rows in one file."""

    @property
    def manifest(self) -> Path | None:
        """The file of what is done; None where nothing is to be kept."""
        ...

    def write_all(self, rows: Iterable[Row]) -> object:
        """Write all rows, whole or not at all."""
        ...


def run(
    items: Iterable[Item],
    *,
    options: Options,
    output: Files | Rows,
    engine: Engine | None = None,
    force: bool = False,
    max_errors: int | None = None,
    total: int | None = None,
    notify: Callable[[Event], None] | None = None,
) -> Summary:
    """Compress the items to the output and return the run in numbers; what is there from an earlier run stays.

    A result is found again by its document's content, the preset, the models and the options. A document that fails
    has a row with its error, and is tried again by the next run. At most a few chunks of documents are in memory.

    Args:
        items: Read as they are needed; positions differ.
        options: What is asked of every document.
        output: A ``Folder``, a ``Table`` or what has their methods.
        engine: Where the work is done; a ``LocalEngine`` on all cores, if not given.
        force: Compute everything again, and replace files of others in the output folder.
        max_errors: Stop when more documents than this have failed.
        total: How many items there are, for the first event, where it is known.
        notify: Is told what happens.

    Raises:
        BatchError: Another run uses the output, the workers do not start, or too many documents failed.
        GlidingError: The options, the input or the output cannot be used at all.
    """
    mark = fingerprint(options)
    path = output.manifest
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
    with Manifest("" if path is None else path) as manifest:
        flow = _Flow(manifest, output, mark, force=force, max_errors=max_errors, notify=notify)
        return flow.run(items, engine or LocalEngine(CompressTask(options)), total)


class _Flow:
    """One run: what waits for which key, and the numbers so far."""

    def __init__(
        self,
        manifest: Manifest,
        output: Files | Rows,
        mark: bytes,
        *,
        force: bool,
        max_errors: int | None,
        notify: Callable[[Event], None] | None,
    ) -> None:
        self._manifest, self._mark, self._force, self._max_errors = manifest, mark, force, max_errors
        self._rows = output if isinstance(output, Rows) else None
        self._files = output if isinstance(output, Files) and self._rows is None else None
        self._notify = notify or _nobody
        self._waiting: defaultdict[bytes, list[Entry]] = defaultdict(list)
        self._keys: dict[int, bytes] = {}
        self._count: Counter[str] = Counter()
        self._tiers: Counter[str] = Counter()
        self._slowest: list[Slow] = []
        self._untold: list[Event] = []
        self._started = perf_counter()

    def run(self, items: Iterable[Item], engine: Engine, total: int | None) -> Summary:
        self._notify(Event("started", total=total))
        chunks = self._chunks(items)
        first = next(chunks, None)
        if first is not None:  # where all is done, no worker is started
            results = engine.map(chain([first], chunks))
            try:
                for chunk, rows, seconds in results:
                    self._record(chunk, rows, seconds)
            finally:
                if isinstance(results, Generator):
                    results.close()  # ends the workers at once, not when the garbage is collected
        if self._rows is not None:
            self._rows.write_all(self._manifest.rows())
        self._manifest.prune()
        summary = self._summary()
        self._notify(
            Event("finished", tokens_in=summary.tokens_in, tokens_out=summary.tokens_out, seconds=summary.seconds)
        )
        return summary

    def _chunks(self, items: Iterable[Item]) -> Iterator[list[Item]]:
        """Plan the items, and yield those that have to be computed, in chunks."""
        chunk: list[Item] = []
        size = 0
        for batch in _batches(items):
            for item in self._to_do(batch):
                if chunk and size + len(item.data) > _CHUNK_CHARS:
                    yield chunk
                    chunk, size = [], 0
                chunk.append(item)
                size += len(item.data)
                if len(chunk) == _CHUNK:
                    yield chunk
                    chunk, size = [], 0
        if chunk:
            yield chunk

    def _to_do(self, items: list[Item]) -> Iterator[Item]:
        entries = [Entry(item.position, item.id, item.source, item_key(item, self._mark)) for item in items]
        names, foreign = self._places(entries)
        self._manifest.plan(entries, names=[name for name in names.values() if name not in foreign])
        known = self._manifest.known({entry.key for entry in entries})
        held = self._manifest.held(names.values())
        for item, entry in zip(items, entries, strict=True):
            name = names.get(entry.position, "")
            before = known.get(entry.key)
            if name in foreign:
                self._fail(entry, f"{name} is in the output folder already and is not from this batch. Use --force.")
            elif entry.key in self._waiting:
                self._waiting[entry.key].append(entry)
            elif before is not None and self._settled(entry, before, name, held.get(name)):
                pass
            else:
                self._waiting[entry.key].append(entry)
                self._keys[entry.position] = entry.key
                yield item
            self._tell()

    def _places(self, entries: Sequence[Entry]) -> tuple[dict[int, str], set[str]]:
        """The names of the files of these documents, and those of them that others have written."""
        files = self._files
        if files is None:
            return {}, set()
        names = {entry.position: files.place(entry.id, entry.source) for entry in entries}
        if self._force:
            return names, set()
        ours = self._manifest.held(names.values())
        return names, {name for name in names.values() if name not in ours and _exists(files.root / name)}

    def _settled(self, entry: Entry, before: Known, name: str, held: Held | None) -> bool:
        """Whether nothing is to be computed for a document whose result is known; a copy of its file is made here."""
        if not before.fresh and (before.failed or self._force):
            return False
        if before.failed:
            self._fail(entry, before.error)
            return True
        if self._files is None or (
            held is not None and held.key == entry.key and self._files.intact(name, held) and not self._force
        ):
            self._succeed("skipped", entry, before.tokens_in, before.tokens_out, before.tier)
            return True
        for other, there in self._manifest.copies(entry.key):
            if self._files.intact(other, there):
                text = (self._files.root / other).read_bytes().decode("utf-8")
                row = Row(
                    id=entry.id,
                    source=entry.source,
                    text=text,
                    tokens_in=before.tokens_in,
                    tokens_out=before.tokens_out,
                    tier=before.tier,
                )
                self._manifest.record([], self._write([entry], row, 0.0))
                return True
        return False

    def _record(self, chunk: Sequence[Item], rows: Sequence[Row], seconds: Sequence[float]) -> None:
        results, outputs = [], []
        for item, row, took in zip(chunk, rows, seconds, strict=True):
            key = self._keys.pop(item.position)
            results.append((key, row))
            outputs += self._write(self._waiting.pop(key), row, took)
        self._manifest.record(results, outputs, text=self._files is None)
        self._tell()
        if self._max_errors is not None and self._count["failed"] > self._max_errors:
            raise BatchError(
                f"{self._count['failed']} documents failed, more than the {self._max_errors} that were allowed.",
                hint="What is done is kept. See the errors, or raise --max-errors.",
            )

    def _write(self, entries: Sequence[Entry], row: Row, seconds: float) -> list[tuple[str, Held]]:
        """Write a result for each document that has it, and return the files."""
        written = []
        for entry in entries:
            if row.error:
                self._fail(entry, row.error, seconds)
                continue
            if self._files is not None:
                name = self._files.place(entry.id, entry.source)
                try:
                    made = self._files.write(name, replace(row, id=entry.id, source=entry.source))
                except (GlidingError, OSError) as error:
                    self._fail(entry, str(error), seconds)
                    continue
                written.append((name, Held(entry.key, made.size, made.digest)))
            self._succeed("done", entry, row.tokens_in, row.tokens_out, row.tier, seconds)
            seconds = 0.0  # the others have it for nothing
        return written

    def _succeed(
        self,
        kind: Literal["done", "skipped"],
        entry: Entry,
        tokens_in: int,
        tokens_out: int,
        tier: str,
        seconds: float = 0.0,
    ) -> None:
        self._count.update({kind: 1, "tokens_in": tokens_in, "tokens_out": tokens_out})
        self._tiers[tier] += 1
        self._time(entry, seconds)
        self._untold.append(Event(kind, entry.id, entry.source, tokens_in, tokens_out, tier, seconds))

    def _fail(self, entry: Entry, error: str, seconds: float = 0.0) -> None:
        self._count["failed"] += 1
        self._time(entry, seconds)
        self._untold.append(Event("failed", entry.id, entry.source, seconds=seconds, error=error))

    def _tell(self) -> None:
        """Tell what has happened, only now that it is recorded: what is said to be done survives whatever comes."""
        told, self._untold = self._untold, []
        for event in told:
            self._notify(event)

    def _time(self, entry: Entry, seconds: float) -> None:
        if seconds:
            heapq.heappush(self._slowest, Slow(seconds, entry.id))
            if len(self._slowest) > _SLOWEST:
                heapq.heappop(self._slowest)

    def _summary(self) -> Summary:
        count = self._count
        return Summary(
            documents=count["done"] + count["skipped"] + count["failed"],
            done=count["done"],
            skipped=count["skipped"],
            failed=count["failed"],
            tokens_in=count["tokens_in"],
            tokens_out=count["tokens_out"],
            tiers=dict(self._tiers),
            slowest=tuple(sorted(self._slowest, reverse=True)),
            seconds=perf_counter() - self._started,
        )


def _batches(items: Iterable[Item]) -> Iterator[list[Item]]:
    """Items in batches that are worth a transaction and never much of memory."""
    batch: list[Item] = []
    size = 0
    for item in items:
        batch.append(item)
        size += len(item.data)
        if len(batch) == _PLANNED or size > _PLANNED_CHARS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _exists(path: Path) -> bool:
    return path.exists() or path.is_symlink()


def _nobody(event: Event) -> None:
    """Nobody listens."""
