"""The seams. Any object with these methods serves: no base class, no registration.

Every method takes a batch and returns a batch, and a result never depends on what else is in the batch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from gliding.types import Span, Token

    Float32 = npt.NDArray[np.float32]
    Float64 = npt.NDArray[np.float64]
    Int64 = npt.NDArray[np.int64]


@runtime_checkable
class TokenCounter(Protocol):
    """Counts tokens exactly as the target model's tokenizer does. ``name`` is shown in the report."""

    name: str

    def count(self, texts: Sequence[str]) -> list[int]:
        """Return the number of tokens of each text, each counted alone, without special tokens."""
        ...


@runtime_checkable
class Embedder(Protocol):
    """Turns texts into unit vectors. ``fingerprint`` names the model and everything that its vectors depend on."""

    fingerprint: str
    dim: int

    def embed(self, texts: Sequence[str], *, max_pieces: int = 256) -> Float32:
        """Return ``(len(texts), dim) float32`` unit vectors; of a text at most ``max_pieces`` word pieces are read."""
        ...


@runtime_checkable
class EntityExtractor(Protocol):
    """Finds what a text speaks about: names, numbers, dates, identifiers. ``fingerprint`` as for an embedder."""

    fingerprint: str

    def extract(self, texts: Sequence[str]) -> list[frozenset[str]]:
        """Return for each text the set of its entities, lower-cased, inner white space single."""
        ...


@runtime_checkable
class Index(Protocol):
    """Inner-product search over unit vectors."""

    def add(self, vectors: Float32) -> None:
        """Append ``(n, dim) float32`` vectors; their ids go on from the number already held."""
        ...

    def search(self, queries: Float32, k: int) -> tuple[Float32, Int64]:
        """Return scores and ids, both ``(len(queries), min(k, held))``, best first, ties by lower id."""
        ...


@runtime_checkable
class Extractor(Protocol):
    """Says how central each sentence of a text is, without a query."""

    def salience(self, sentences: Sequence[str]) -> Float64:
        """Return ``(n,) float64`` values >= 0, higher is more central; ``sentences`` come in the order of the text."""
        ...


@runtime_checkable
class Trimmer(Protocol):
    """Shortens texts by rules without changing what they say."""

    def trim(self, texts: Sequence[str]) -> list[str]:
        """Return each text trimmed; the same string where nothing was to trim. Trimming twice changes nothing."""
        ...


@runtime_checkable
class Parser(Protocol):
    """Parses sentences: who does what to whom. ``fingerprint`` as for an embedder."""

    fingerprint: str

    def parse(self, texts: Sequence[str]) -> list[tuple[Token, ...]]:
        """Return the tokens of each text, in order; heads are indices into the same text's tokens."""
        ...


class SyntaxNode(Protocol):
    """A part of a source text, as characters ``[start, end)``, under tree-sitter's name for what it is.

    ``named`` is False for signs and keywords; ``faulty`` says that something in it does not parse, ``wrong`` that it
    is itself what does not, or stands for what is missing.
    """

    kind: str
    start: int
    end: int
    named: bool
    faulty: bool
    wrong: bool

    @property
    def children(self) -> Sequence[SyntaxNode]:
        """The parts of this one, in order, signs included."""
        ...


@runtime_checkable
class SyntaxTrees(Protocol):
    """Parses source code; what does not parse is marked in the tree."""

    def parse(self, texts: Sequence[str], *, language: str) -> Sequence[SyntaxNode | None]:
        """Return the root of each text's tree; None where there is none: too long, no code, an unknown language."""
        ...


@runtime_checkable
class Rewriter(Protocol):
    """Says sentences in fewer words. What it returns is checked by the guard: it need not be trusted."""

    fingerprint: str

    def rewrite(
        self, texts: Sequence[str], *, keep: Sequence[Sequence[Span]], ratio: float, stop: Callable[[], bool]
    ) -> list[str]:
        """Return each text in fewer words; the same string where it cannot.

        Args:
            texts: Sentences, or some of them in a row.
            keep: For each text the spans that must come out: numbers, names, negations, words of the query.
            ratio: Of each text's length, how long the rewrite is to be, in (0, 1): a wish.
            stop: Asked between steps of work; once it says True, texts that are not done come back as they are.
        """
        ...


@runtime_checkable
class Cache(Protocol):
    """Bytes by content: a broken cache is logged and bypassed, never an error."""

    def get_many(self, namespace: str, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """Return the values that are held of these keys."""
        ...

    def put_many(self, namespace: str, items: Iterable[tuple[bytes, bytes]]) -> None:
        """Store values by key; an existing key keeps its value."""
        ...
