"""What a corpus store costs and finds: build time, bytes a segment, milliseconds a query, recall.

    python scripts/bench/store.py embed SET.jsonl.xz ... --to vectors.npz [--sentences 20000] [--preset balanced]
    python scripts/bench/store.py scale vectors.npz [--segments 60000] [--noise 0.6] [--chars 600]
    python scripts/bench/store.py find SET.jsonl.xz [--items 300] [--preset balanced]

``embed`` keeps vectors of real sentences and questions. ``scale`` fills a store with real sentences whose vectors are
the real ones with gaussian noise, in documents of twenty segments, and compares what it finds with the exact nearest.
``find`` puts the passages of real questions into one store and counts how often those that hold the answer are found.
A set is JSON Lines of ``{"query", "segments": [{"text", "title"}], "evidence": [index]}``.
"""

from __future__ import annotations

import argparse
import json
import lzma
import resource
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from gliding.compressor import Compressor  # noqa: E402
from gliding.store import Store  # noqa: E402
from gliding.store.database import Database  # noqa: E402
from gliding.store.nearest import nearest_of  # noqa: E402
from gliding.text.sentences import sentence_spans  # noqa: E402
from gliding.types import Document  # noqa: E402

_EACH = 20  # segments of a document
_ASKED = 200
_LEAST, _MOST = 40, 300  # characters of a sentence


def rows(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the items of a set."""
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def embed(paths: Sequence[Path], *, to: Path, sentences: int, preset: str) -> None:
    """Embed different sentences, and the sets' questions, once."""
    texts: dict[str, None] = {}
    questions: dict[str, None] = {}
    for path in paths:
        for row in rows(path):
            questions[row["query"]] = None
            for segment in row["segments"]:
                text = segment["text"]
                spans = sentence_spans(text, max_chars=_MOST)
                texts.update((text[a:b], None) for a, b in spans if b - a >= _LEAST)
    chosen = list(texts)[:: max(1, len(texts) // sentences)][:sentences]
    asked = [text for text in questions if len(text) < _MOST][:: max(1, len(questions) // _ASKED)][:_ASKED]
    embedder = Compressor.from_preset(preset, cache=False).parts.embedder
    if embedder is None:
        raise SystemExit(f"{preset} has no embedder")
    started = perf_counter()
    vectors = np.concatenate([embedder.embed(chosen[at : at + 512]) for at in range(0, len(chosen), 512)])
    seconds = perf_counter() - started
    np.savez(to, vectors=vectors, texts=np.array(chosen), questions=embedder.embed(asked))
    print(f"{len(chosen)} of {len(texts)} sentences in {seconds:.0f} s, {len(asked)} questions")


class Drawn:
    """An embedder that gives each new text the next real vector with noise; a question its own."""

    fingerprint = "drawn"

    def __init__(self, vectors: np.ndarray[Any, Any], noise: float) -> None:
        self.dim = vectors.shape[1]
        self._vectors = vectors
        self._noise = noise / self.dim**0.5
        self._random = np.random.default_rng(7)
        self._given = 0
        self.question: np.ndarray[Any, Any] | None = None
        self.seconds = 0.0

    def embed(self, texts: Sequence[str], *, max_pieces: int = 256) -> np.ndarray[Any, Any]:
        """Return ``(len(texts), dim)`` unit vectors."""
        if self.question is not None:
            return self.question[None]
        started = perf_counter()
        places = (self._given + np.arange(len(texts))) % len(self._vectors)
        self._given += len(texts)
        found = self.around(self._vectors[places])
        self.seconds += perf_counter() - started
        return found

    def around(self, vectors: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """Return unit vectors near to others."""
        noisy = vectors + self._noise * self._random.standard_normal(vectors.shape, dtype=np.float32)
        return (noisy / np.linalg.norm(noisy, axis=1, keepdims=True)).astype(np.float32)


def made(texts: Sequence[str], count: int, chars: int) -> Iterator[Document]:
    """Yield documents of twenty paragraphs, each of which becomes a segment: five sentences, drawn anew each time."""
    random = np.random.default_rng(11)
    for number in range(count // _EACH):
        picked = random.integers(0, len(texts), (_EACH, 5))
        parts = [f"## Part {number}.{n}\n\n" + " ".join(texts[k] for k in row)[:chars] for n, row in enumerate(picked)]
        yield Document(text="\n\n".join(parts), id=f"document {number}", kind="markdown")


def scale(path: Path, *, segments: int, noise: float, chars: int, folder: Path) -> None:
    """Fill a store and search it."""
    held = np.load(path)
    embedder = Drawn(held["vectors"], noise)
    compressor = Compressor.from_preset("balanced", embedder=embedder, cache=False)
    with Store.open(folder / "store", create=True, compressor=compressor) as store:
        started = perf_counter()
        changed = store.add(made(held["texts"].tolist(), segments, chars))
        seconds = perf_counter() - started - embedder.seconds
        info = store.info()
        total = sum(info.bytes.values())
        print(f"segments      {info.segments:,} in {changed.documents:,} documents, {info.characters:,} characters")
        print(f"built in      {seconds:.0f} s without embedding, {seconds / info.segments * 1e6:.0f} us a segment")
        for name, size in info.bytes.items():
            print(f"  {name:<22} {size / 1e6:9.1f} MB  {size / info.segments:7.0f} bytes a segment")
        print(f"bytes         {total / info.segments:.0f} a segment, {info.characters / info.segments:.0f} characters")
        print(f"index         {info.indexed:,} vectors, {info.probes} lists, recall {info.recall} measured at building")
        words = held["texts"][:: max(1, len(held["texts"]) // _ASKED)][:_ASKED].tolist()
        near = embedder.around(held["vectors"][:: max(1, len(held["vectors"]) // _ASKED)][:_ASKED])
        for name, asked in (("questions", held["questions"]), ("near ones", near)):
            _asked(store, embedder, folder / "store", name, asked, words)
    print(f"peak memory   {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


def _asked(
    store: Store, embedder: Drawn, folder: Path, name: str, asked: np.ndarray[Any, Any], words: Sequence[str]
) -> None:
    found, times = [], {"vectors": [], "words": [], "both": []}  # type: ignore[var-annotated]
    for by in ("vectors", "words", "both"):
        for vector, text in zip(asked, words, strict=False):
            embedder.question = vector
            started = perf_counter()
            hits = store.search(" ".join(text.split()[:8]), 10, by=by)
            times[by].append(perf_counter() - started)
            if by == "vectors":
                found.append({(hit.document, hit.span.start) for hit in hits})
    db = Database(folder)
    best = nearest_of(asked, _blocks(db, embedder.dim), k=10)
    with db.reading():
        kept = db.segments(np.unique(best).tolist())
        names = db.documents(segment.document for segment in kept.values())
        true = [{(names[kept[n].document].id, kept[n].span.start) for n in row} for row in best.tolist()]
    db.close()
    recall = float(np.mean([len(some & all_) / 10 for some, all_ in zip(found, true, strict=True)]))
    print(f"{name:<13} recall at 10 {recall:.3f}")
    for by, seconds in times.items():
        print(f"  {by:<11} {np.median(seconds) * 1e3:7.1f} ms a query, 95 %: {np.percentile(seconds, 95) * 1e3:.1f}")


def _blocks(db: Database, dim: int) -> Iterator[tuple[Any, Any]]:
    last = 0
    while True:
        numbers, vectors = db.vectors_after(last, dim, most=16_384)
        if not len(numbers):
            return
        yield numbers, vectors
        last = int(numbers[-1])


def find(path: Path, *, items: int, preset: str, folder: Path) -> None:
    """Count the questions one of whose gold passages, and all of whose, are among the first ten."""
    chosen = list(rows(path))[:items]
    passages: dict[tuple[str, str], None] = {}
    for row in chosen:
        passages.update(((segment.get("title") or "", segment["text"]), None) for segment in row["segments"])
    names = {passage: str(number) for number, passage in enumerate(passages)}
    documents = [Document(text=text, title=title, id=names[title, text]) for title, text in passages]
    with Store.open(folder / "found", preset=preset, create=True) as store:
        started = perf_counter()
        changed = store.add(documents)
        seconds = perf_counter() - started
        held = f"{len(documents)} passages in {changed.segments} segments"
        print(f"{path.name}: {len(chosen)} questions, {held}, {seconds:.0f} s")
        for by in ("words", "vectors", "both"):
            one = every = 0
            for row in chosen:
                gold = {
                    names[row["segments"][n].get("title") or "", row["segments"][n]["text"]] for n in row["evidence"]
                }
                found = {hit.document for hit in store.search(row["query"], 10, by=by)}  # type: ignore[arg-type]
                one += bool(gold & found)
                every += gold <= found
            print(f"  {by:<8} one gold passage in 10: {one / len(chosen):.3f}, all of them: {every / len(chosen):.3f}")


def main() -> None:
    """Run a part of the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parts = parser.add_subparsers(dest="part", required=True)
    part = parts.add_parser("embed")
    part.add_argument("sets", nargs="+", type=Path)
    part.add_argument("--to", type=Path, required=True)
    part.add_argument("--sentences", type=int, default=20_000)
    part.add_argument("--preset", default="balanced")
    part = parts.add_parser("scale")
    part.add_argument("vectors", type=Path)
    part.add_argument("--segments", type=int, default=60_000)
    part.add_argument("--noise", type=float, default=0.6)
    part.add_argument("--chars", type=int, default=600, help="of a segment, at most; 250 or more")
    part = parts.add_parser("find")
    part.add_argument("set", type=Path)
    part.add_argument("--items", type=int, default=300)
    part.add_argument("--preset", default="balanced")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if given.part == "embed":
            embed(given.sets, to=given.to, sentences=given.sentences, preset=given.preset)
        elif given.part == "scale":
            scale(given.vectors, segments=given.segments, noise=given.noise, chars=given.chars, folder=Path(folder))
        else:
            find(given.set, items=given.items, preset=given.preset, folder=Path(folder))


if __name__ == "__main__":
    main()
