"""The local engine: worker processes that each build the compressor once; what kills one costs only the chunk in work.

A worker holds one chunk, or two where chunks are quick, so what is in memory is bounded however long the input is.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import connection
from queue import SimpleQueue
from typing import Any, NamedTuple, Protocol

from gliding.backends.session import available_cores
from gliding.batch.items import Item, Row
from gliding.errors import BatchError

_QUICK = 0.5  # seconds for a chunk, under which a worker would wait for the next one too often
_PATIENCE = 5.0  # seconds for a worker to end by itself
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "GLIDING_THREADS")

Chunk = Sequence[Item]
Done = tuple[Chunk, list[Row], list[float]]


class Task(Protocol):
    """What a worker does with a chunk, as ``CompressTask`` does; it must be picklable."""

    def timed(self, items: Sequence[Item]) -> tuple[list[Row], list[float]]:
        """Return the row of each item and the seconds that it took."""
        ...


class InProcess:
    """An engine without processes, for few documents and for tests: one chunk after another, here."""

    def __init__(self, task: Task) -> None:
        self._task = task

    def map(self, chunks: Iterable[Chunk]) -> Iterator[Done]:
        """Yield each chunk with its rows and the seconds of each."""
        for chunk in chunks:
            rows, seconds = self._task.timed(chunk)
            yield chunk, rows, seconds


class LocalEngine:
    """Runs a task in processes of this machine; ``workers`` is how many, by default one for each core.

    The numeric libraries get the cores divided by the workers as threads, at least one. A worker that is killed, as
    by a machine that is out of memory, is replaced, and the documents of its chunk are tried again one by one; the one
    that kills a worker while it is alone in it has failed.
    """

    def __init__(self, task: Task, *, workers: int | None = None) -> None:
        self._task = task
        self._cores = available_cores()
        self._size = max(1, workers or self._cores)

    def map(self, chunks: Iterable[Chunk]) -> Iterator[Done]:
        """Yield each chunk with its rows and the seconds of each, in the order in which they are done.

        Chunks are taken as they are needed. Whatever ends the iteration ends the workers.

        Raises:
            BatchError: The workers cannot start: most often a script without ``if __name__ == "__main__":``.
            GlidingError: The task cannot work at all; what a single document does is in its row.
        """
        if getattr(multiprocessing.current_process(), "_inheriting", False):
            raise BatchError(
                "The batch was started again by one of its own workers.",
                hint='Put the call of your script under: if __name__ == "__main__":',
            )
        pool = _Pool(self._task, self._size, max(1, self._cores // self._size))
        whole = False
        try:
            yield from pool.run(iter(chunks))
            whole = True
        finally:
            pool.end(kindly=whole)


class _Job(NamedTuple):
    """A chunk, and whether it is one document that is tried again by itself."""

    chunk: Chunk
    alone: bool = False


class _Worker:
    """One process, this end of its pipe, and the jobs that it holds, the one in work first."""

    def __init__(self, task: Task, threads: int) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, other = context.Pipe()
        self.jobs: deque[_Job] = deque()
        self.quick = False
        self.process = context.Process(target=_work, args=(other, task), daemon=True)
        with _environment(threads), _held_back():
            self.process.start()
        other.close()

    def give(self, job: _Job) -> None:
        self.jobs.append(job)
        try:
            self.pipe.send(job.chunk)
        except OSError:
            return  # it is dead, which the next wait shows

    def takes(self) -> bool:
        return not self.jobs or (self.quick and len(self.jobs) == 1 and not self.jobs[0].alone)


class _Pool:
    def __init__(self, task: Task, size: int, threads: int) -> None:
        self._task, self._size, self._threads = task, size, threads
        self._workers: list[_Worker] = []
        self._again: deque[_Job] = deque()
        self._proved = False

    def run(self, chunks: Iterator[Chunk]) -> Iterator[Done]:
        more = True
        while True:
            while (worker := self._free()) is not None or len(self._workers) < self._size:
                job = self._again.popleft() if self._again else None
                if job is None and more:
                    chunk = next(chunks, None)
                    more = chunk is not None
                    job = _Job(chunk) if chunk is not None else None
                if job is None:
                    break
                if worker is None:
                    worker = _Worker(self._task, self._threads)
                    self._workers.append(worker)
                worker.give(job)
            if not any(worker.jobs for worker in self._workers):
                return
            for worker in self._events():
                yield from self._answers(worker)

    def _free(self) -> _Worker | None:
        """The worker that waits; a second chunk goes to one only where no other process may be started."""
        idle = next((worker for worker in self._workers if not worker.jobs), None)
        if idle is None and len(self._workers) == self._size and not self._again:
            return next((worker for worker in self._workers if worker.takes()), None)
        return idle

    def _events(self) -> list[_Worker]:
        ready = connection.wait([place for w in self._workers for place in (w.pipe, w.process.sentinel)])
        return [w for w in self._workers if w.pipe in ready or w.process.sentinel in ready]

    def _answers(self, worker: _Worker) -> Iterator[Done]:
        """What a worker has said; where it is dead, its jobs go back."""
        try:
            while worker.pipe.poll():
                said = worker.pipe.recv()
                if isinstance(said, BaseException):
                    raise _Refused(said)
                self._proved = True
                if said is None:
                    continue  # it has started
                rows, seconds = said
                worker.quick = sum(seconds) < _QUICK
                yield worker.jobs.popleft().chunk, rows, seconds
            if worker.process.is_alive():
                return
        except _Refused as refused:
            raise refused.error from None
        except (EOFError, OSError):
            worker.process.join(_PATIENCE)
        yield from self._buried(worker)

    def _buried(self, worker: _Worker) -> Iterator[Done]:
        self._workers.remove(worker)
        worker.pipe.close()
        if not self._proved:
            raise BatchError(
                f"The workers do not start (exit code {worker.process.exitcode}).",
                hint='In a script of your own, put the call under: if __name__ == "__main__":',
            )
        jobs, worker.jobs = list(worker.jobs), deque()
        if not jobs:
            return
        first, *rest = jobs
        self._again.extend(rest)
        if first.alone:
            code = worker.process.exitcode
            error = f"The worker died of this document (exit code {code}): most often there is too little memory."
            item = first.chunk[0]
            yield first.chunk, [Row(id=item.id, source=item.source, error=error)], [0.0]
        else:
            self._again.extend(_Job([item], alone=True) for item in first.chunk)

    def end(self, *, kindly: bool) -> None:
        for worker in self._workers:
            if kindly:
                worker.pipe.close()  # at the pipe's end a worker ends itself
            else:
                worker.process.kill()
        for worker in self._workers:
            worker.process.join(_PATIENCE)
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()
            worker.pipe.close()
            worker.process.close()


class _Refused(Exception):
    """A worker said that its task cannot work at all."""

    def __init__(self, error: BaseException) -> None:
        super().__init__()
        self.error = error


def _work(pipe: Any, task: Task) -> None:
    """The life of a worker. It ends as soon as the other end of its pipe is gone, whatever it is doing then."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends it
    inbox: SimpleQueue[Chunk] = SimpleQueue()

    def read() -> None:
        # A thread of its own: the pipe is always drained, so that two ends never wait for each other, and the
        # parent's death is seen in the middle of a document too.
        try:
            while True:
                inbox.put(pipe.recv())
        except (EOFError, OSError):
            os._exit(0)

    threading.Thread(target=read, daemon=True).start()
    pipe.send(None)
    while True:
        try:
            answer: object = task.timed(inbox.get())
        except Exception as error:  # noqa: BLE001 - raised again by the parent
            answer = error
        pipe.send(answer)


@contextmanager
def _environment(threads: int) -> Iterator[None]:
    """What a process that is started in the block finds: numeric libraries read these when they are loaded."""
    wanted = {**dict.fromkeys(_THREADS, str(threads)), "TOKENIZERS_PARALLELISM": "false"}
    before = {name: os.environ.get(name) for name in wanted}
    os.environ.update(wanted)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextmanager
def _held_back() -> Iterator[None]:
    """Hold Ctrl-C back while a process is started: the child inherits that, and the parent gets it afterwards."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
