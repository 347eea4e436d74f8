"""Compresses items to rows: the picklable callable that the engines, Dask, Spark and ``multiprocessing`` use."""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any

from gliding.batch.gather import GatheringEmbedder
from gliding.batch.items import Item, Row, RowSpan
from gliding.batch.options import Options, build, told
from gliding.errors import GlidingError, InputError

if TYPE_CHECKING:
    from gliding.compressor import Compressor
    from gliding.types import Document, Report, Result

_log = logging.getLogger(__name__)
_built: dict[tuple[object, ...], Compressor] = {}
_building = threading.Lock()


@dataclass(frozen=True, slots=True)
class CompressTask:
    """Compresses items as the options say; it holds nothing but them, and each process builds its compressor once.

    ``threads`` documents are compressed at a time, and what they want embedded is gathered into one call; the rows
    do not depend on it.

    >>> task = CompressTask(Options(preset="edge", max_tokens=8, tokenizer="words"))
    >>> rows = task(["The pump failed at noon. It rained.", {"id": "b", "text": ""}])
    >>> [(row.id, row.text) for row in rows]
    [('0', 'The pump failed at noon. It rained.'), ('b', '')]
    """

    options: Options
    threads: int = 1

    def __call__(self, items: Sequence[Item | Mapping[str, Any] | str]) -> list[Row]:
        """Return the row of each item, in order; a document that cannot be compressed has an ``error`` in its row.

        Args:
            items: Items, texts, or mappings with ``text`` and maybe ``id``, ``source``, ``name`` and ``query``.

        Raises:
            ConfigError: The preset or an override is wrong.
            MissingExtra: A part needs a package that is not installed.
            ModelNotAvailable: A part needs a model that is not found.
        """
        return self.timed(items)[0]

    def timed(self, items: Sequence[Item | Mapping[str, Any] | str]) -> tuple[list[Row], list[float]]:
        """Return the rows and the seconds that each took; raises as ``__call__`` does."""
        compressor = self._compressor()

        def one(numbered: tuple[int, Item | Mapping[str, Any] | str]) -> tuple[Row, float]:
            started = perf_counter()
            row = _row(_item(*numbered), self.options, compressor)
            return row, perf_counter() - started

        if self.threads == 1 or len(items) == 1:
            found = [one(numbered) for numbered in enumerate(items)]
        else:
            with ThreadPoolExecutor(min(self.threads, len(items) or 1)) as pool:
                found = list(pool.map(one, enumerate(items)))
        return [row for row, _ in found], [seconds for _, seconds in found]

    def _compressor(self) -> Compressor:
        options, gathered = self.options, self.threads > 1
        key = (options.preset, options.overrides, options.tokenizer, options.cache, gathered)
        with _building:
            if key not in _built:
                _built[key] = _gathering(options) if gathered else build(options)
            return _built[key]


def _gathering(options: Options) -> Compressor:
    """A compressor whose embedder gathers; the plain one where it has no embedder."""
    from gliding.compressor import Compressor

    plain = build(options)
    if plain.parts.embedder is None:
        return plain
    return Compressor.from_preset(
        options.preset,
        overrides=dict(options.overrides),
        tokenizer=options.tokenizer,
        embedder=GatheringEmbedder(plain.parts.embedder),
        cache=options.cache,
    )


def _item(position: int, given: Item | Mapping[str, Any] | str) -> Item:
    if isinstance(given, Item):
        return given
    values: Mapping[str, Any] = {"text": given} if isinstance(given, str) else given
    text = values.get("text")
    name = str(values.get("id", position))
    error = "" if isinstance(text, (str, bytes)) else f"'text' is of type {type(text).__name__}, not a string."
    return Item(
        position=position,
        id=name,
        source=str(values.get("source") or ""),
        data=text if isinstance(text, (str, bytes)) else "",
        name=str(values.get("name") or ""),
        query=str(values.get("query") or ""),
        error=error,
    )


def _row(item: Item, options: Options, compressor: Compressor) -> Row:
    """The row of one item; nothing that a document can hold makes this raise."""
    if item.error:
        return Row(id=item.id, source=item.source, error=item.error)
    embedder = compressor.parts.embedder
    try:
        with embedder.document() if isinstance(embedder, GatheringEmbedder) else nullcontext():
            return _compressed(item, options, compressor)
    except GlidingError as error:
        return Row(id=item.id, source=item.source, error=str(error))
    except Exception as error:  # noqa: BLE001 - a fault of ours must not cost the other documents
        _log.exception("%s could not be compressed", item.id)
        return Row(id=item.id, source=item.source, error=f"{type(error).__name__}: {error}")


def _compressed(item: Item, options: Options, compressor: Compressor) -> Row:
    warnings: list[str] = []
    result = compressor.compress(
        _documents(item, options.kind, warnings),
        query=item.query or options.query,
        max_tokens=options.max_tokens,
        rate=options.rate,
        window=options.window,
        used=options.used,
        reserve=options.reserve,
        criticality=options.criticality,
        task=options.task,
        pins=options.pins,
        deadline=options.deadline,
        audit=options.audit,
        warnings=warnings,
    )
    return Row(
        id=item.id,
        source=item.source,
        text=result.text,
        tokens_in=result.report.tokens_in,
        tokens_out=result.report.tokens_out,
        rate=result.rate,
        tier=_tier(result.report),
        spans=_spans(result),
        warnings=result.report.warnings,
        audit=result.audit.to_dict() if result.audit else None,
    )


def _documents(item: Item, kind: str, warnings: list[str]) -> tuple[Document, ...]:
    """The documents of an item. Of its name only what tells the kind is handed on: equal contents, equal rows."""
    from gliding import registry
    from gliding.ingest import sources

    readers = registry.readers(warnings.append)
    name = told(item.name)
    if isinstance(item.data, str):
        return sources.read(item.data, kind=kind or sources.guess_kind(name), readers=readers)
    documents = sources.read_bytes(item.data, name=name or "The document", kind=kind, readers=readers)
    if not documents:
        raise InputError("The file holds no document.")
    return documents


def _tier(report: Report) -> str:
    """The strongest tier that changed the text.

    Folding and dropping choose among what is there, as extraction does.
    """
    if report.rewritten:
        return "rewrite"
    if report.extracted or report.folded or report.dropped:
        return "extract"
    return "trim" if report.trimmed else "none"


def _spans(result: Result) -> tuple[RowSpan, ...]:
    return tuple(
        RowSpan(*piece.output, source.document, source.start, source.end, piece.exact)
        for piece in result.pieces
        for source in piece.sources
    )
