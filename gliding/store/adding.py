"""Documents into a store: cut, embedded in full batches across documents, and written some at a time."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from gliding import registry
from gliding.compressor import Compressor
from gliding.ingest import sources
from gliding.store.answers import Changed
from gliding.store.checking import content_key
from gliding.store.cutting import cut
from gliding.store.database import Database, packed
from gliding.text.words import terms
from gliding.types import Document, Span

if TYPE_CHECKING:
    from gliding.protocols import Embedder

_FULL = 512  # segments that are embedded and written together, but for one document that has more
_CHARACTERS = 4_000_000  # of texts that wait, at most, but for one document that has more
_TITLE = 120  # characters of a title that stand before each segment's text for the embedder


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A document that is not yet written: the old version's number where there is one, and its segments."""

    document: Document
    key: bytes
    old: int | None
    spans: list[Span]


class Adder:
    """Adds documents through the connection of the one that holds the writer's lock."""

    def __init__(self, db: Database, compressor: Compressor) -> None:
        self._db = db
        self._embedder: Embedder | None = compressor.parts.embedder
        self._trees = compressor.parts.trees
        self._max_chars = compressor.preset.segment.max_chars

    def add(self, source: Iterable[Any], progress: Callable[[Changed], None] | None = None) -> Changed:
        """Add documents; each commit is told to ``progress``. See ``Store.add``."""
        total = Changed()
        for some, unchanged in self._chunks(source):
            total = _sum(total, self._write(some), Changed(unchanged=unchanged))
            if progress is not None:
                progress(total)
        return total

    def _chunks(self, source: Iterable[Any]) -> Iterator[tuple[list[_Waiting], int]]:
        """What is written together, and how many documents before it were there already."""
        waiting: dict[str, _Waiting] = {}
        unchanged = segments = characters = 0
        for document in _documents(source):
            if document.id in waiting or segments >= _FULL or characters >= _CHARACTERS or unchanged >= _FULL:
                yield list(waiting.values()), unchanged
                waiting = {}
                unchanged = segments = characters = 0
            key = content_key(document)
            known = self._db.key(document.id)
            if known and known[1] == key:
                unchanged += 1
                continue
            spans = cut(document, max_chars=self._max_chars, trees=self._trees)
            waiting[document.id] = _Waiting(document, key, known[0] if known else None, spans)
            segments += len(spans)
            characters += len(document.text)
        if waiting or unchanged:
            yield list(waiting.values()), unchanged

    def _write(self, some: Sequence[_Waiting]) -> Changed:
        """Write documents, all or none of them."""
        changed = Changed()
        if not some:
            return changed
        with self._db.writing():
            removed = 0
            known: dict[bytes, bytes] = {}
            for each in some:
                if each.old is not None:
                    known.update(self._db.held_vectors(each.old))
            vectors, embedded = self._vectors(some, known)
            for each in some:
                if each.old is not None:
                    removed += self._db.delete(each.old)
                title = each.document.title
                texts = [each.document.text[slice(*span)] for span in each.spans]
                keys = [segment_key(title, text) for text in texts]
                self._db.insert(
                    each.document,
                    each.key,
                    list(zip(each.spans, keys, strict=True)),
                    [terms(f"{title} {text}") for text in texts],
                    [vectors[key] for key in keys] if self._embedder else None,
                )
            if removed:
                self._db.set("removed", int(self._db.get("removed") or 0) + removed)
        replaced = sum(each.old is not None for each in some)
        return replace(
            changed,
            added=len(some) - replaced,
            replaced=replaced,
            segments=sum(len(each.spans) for each in some),
            embedded=embedded,
        )

    def _vectors(self, some: Sequence[_Waiting], known: dict[bytes, bytes]) -> tuple[dict[bytes, bytes], int]:
        """The vectors of all segments by their keys, and how many were made: equal texts and unchanged ones are not."""
        if self._embedder is None:
            return {}, 0
        wanted: dict[bytes, str] = {}
        for each in some:
            for span in each.spans:
                text = each.document.text[slice(*span)]
                key = segment_key(each.document.title, text)
                if key not in known:
                    wanted[key] = embedded_text(each.document.title, text)
        known.update(embedded(self._embedder, wanted))
        return known, len(wanted)


def embedded(embedder: Embedder, texts: dict[bytes, str]) -> Iterator[tuple[bytes, bytes]]:
    """Yield the packed vector of each text, by its key."""
    keys = list(texts)
    for start in range(0, len(keys), _FULL):
        some = keys[start : start + _FULL]
        yield from zip(some, packed(embedder.embed([texts[key] for key in some])), strict=True)


def embedded_text(title: str, text: str) -> str:
    """Return what is embedded for a segment.

    >>> embedded_text("Pumps", "A seal was worn.")
    'Pumps. A seal was worn.'
    """
    return f"{title[:_TITLE]}. {text}" if title else text


def segment_key(title: str, text: str) -> bytes:
    """Return 16 bytes over what is embedded for a segment."""
    data = embedded_text(title, text).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(data, digest_size=16).digest()


def _documents(source: Iterable[Any]) -> Iterator[Document]:
    """The documents of a stream, one source after another; one without an id is named by its content."""
    readers = registry.readers(lambda _: None)
    single = isinstance(source, (str, bytes, Document, dict))
    for item in (source,) if single else source:
        found = (item,) if isinstance(item, Document) else sources.read(item, readers=readers)
        for position, document in enumerate(found):
            if not document.id:
                yield replace(document, id=content_key(document).hex())
            else:  # a mail is several documents of one name
                yield replace(document, id=f"{document.id}#{position}") if position else document


def _sum(*parts: Changed) -> Changed:
    names = Changed.__slots__
    return Changed(**{name: sum(getattr(part, name) for part in parts) for name in names})
