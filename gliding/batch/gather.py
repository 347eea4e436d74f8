"""Gathers the texts that several documents want embedded at the same time into one call of the embedder.

An embedder's result for a text never depends on its batch (see ``protocols``), so gathering cannot change a result.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from gliding.protocols import Embedder

if TYPE_CHECKING:
    from gliding.protocols import Float32

_FULL = 512
"""Texts that are worth a call of their own, whoever else may come."""


class _Call:
    """What one document waits for."""

    def __init__(self, texts: Sequence[str], max_pieces: int) -> None:
        self.texts = texts
        self.max_pieces = max_pieces
        self.taken = self.done = False
        self.vectors: Float32 | None = None
        self.error: BaseException | None = None


class GatheringEmbedder:
    """An ``Embedder`` around another one: calls meet until every document in work waits, or ``full`` texts are there.

    Each document is compressed by a thread of its own inside ``document()``, so that a document that has ended or
    failed is not waited for. Calls from elsewhere are answered too. One thread at a time is let into ``inner`` for a
    gathered call; where that fails, each document's texts are tried alone, so that only the one at fault fails.
    """

    def __init__(self, inner: Embedder, *, full: int = _FULL) -> None:
        self.fingerprint = inner.fingerprint
        self.dim = inner.dim
        self._inner = inner
        self._full = full
        self._changed = threading.Condition()
        self._documents = 0
        self._waiting: list[_Call] = []

    @contextmanager
    def document(self) -> Iterator[None]:
        """Count a document as in work while the block runs."""
        with self._changed:
            self._documents += 1
        try:
            yield
        finally:
            with self._changed:
                self._documents -= 1
                self._changed.notify_all()

    def embed(self, texts: Sequence[str], *, max_pieces: int = 256) -> Float32:
        """Return ``(len(texts), dim) float32`` unit vectors, those of the embedder inside; its errors come out."""
        call = _Call(texts, max_pieces)
        batch: list[_Call] = []
        with self._changed:
            self._waiting.append(call)
            self._changed.notify_all()
            self._changed.wait_for(lambda: call.taken or self._ready())
            if not call.taken:
                batch, self._waiting = self._waiting, []
                for other in batch:
                    other.taken = True
            else:
                self._changed.wait_for(lambda: call.done)
        if batch:
            self._answer(batch)
        if call.error is not None:
            raise call.error
        if call.vectors is None:
            raise RuntimeError("a gathered call has no answer")
        return call.vectors

    def _ready(self) -> bool:
        return len(self._waiting) >= self._documents or sum(len(call.texts) for call in self._waiting) >= self._full

    def _answer(self, batch: list[_Call]) -> None:
        try:
            for pieces in sorted({call.max_pieces for call in batch}):
                self._embed([call for call in batch if call.max_pieces == pieces], pieces)
        except BaseException as error:  # Ctrl-C in this thread: the others must not wait for ever
            for call in batch:
                if call.vectors is None and call.error is None:
                    call.error = error
            raise
        finally:
            with self._changed:
                for call in batch:
                    call.done = True
                self._changed.notify_all()

    def _embed(self, calls: list[_Call], pieces: int) -> None:
        if len(calls) > 1:
            try:
                vectors = self._inner.embed([text for call in calls for text in call.texts], max_pieces=pieces)
            except Exception:  # noqa: BLE001 - each is tried alone below, where its own error shows
                pass
            else:
                start = 0
                for call in calls:
                    call.vectors = vectors[start : start + len(call.texts)]
                    start += len(call.texts)
                return
        for call in calls:
            self._alone(call)

    def _alone(self, call: _Call) -> None:
        try:
            call.vectors = self._inner.embed(call.texts, max_pieces=call.max_pieces)
        except Exception as error:  # noqa: BLE001 - raised again in the thread that asked
            call.error = error
