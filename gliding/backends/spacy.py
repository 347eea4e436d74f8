"""English names and parsed English sentences with spaCy's small pipeline, and the union of several extractors."""

from __future__ import annotations

import re
import threading
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

from gliding import models
from gliding.backends.caching import NullCache, through_cache
from gliding.backends.extras import installed_version, require, require_installed
from gliding.types import Token

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from gliding.protocols import Cache, EntityExtractor

MODEL = "en-core-web-sm"
PARSER = "en-core-web-sm-parser"

_NOT_PARSING = ("ner", "senter")
# what names need is the tokenizer and "ner", which has its own vectors
_EXCLUDED = ("tok2vec", "tagger", "parser", "senter", "attribute_ruler", "lemmatizer")
# numbers with units, dates and money are found by rules, better
_BY_RULES = frozenset({"CARDINAL", "ORDINAL", "PERCENT", "MONEY", "QUANTITY", "DATE", "TIME"})
_RULES = "names-1"  # a new number where what is kept of a name changes
_BATCH = 64  # texts
_LONGEST = 50_000  # characters read at a time; spaCy refuses a million and takes about 1 kB for each
_LEADING = re.compile(r"^(?:the|an?)\s+")
_POSSESSIVE = re.compile(r"(?:['’]s|(?<=s)['’])$")
_EDGES = " \t\n\"'“”‘’.,;:!?()[]{}<>*_`|-–—"


class SpacyEntities:
    """Finds names of people, organisations, places, works, events and laws (an ``EntityExtractor``).

    The pipeline is loaded at the first text; threads take turns. A text longer than 50,000 characters is read in
    parts, cut at white space.

    Args:
        model_dir: Folder of a spaCy pipeline with an ``ner`` part; default: what ``models.find`` finds.
        cache: Where entities are kept, by text.

    Raises:
        MissingExtra: ``spacy`` is not installed.
        ModelNotAvailable: the pipeline is not found.
    """

    def __init__(self, *, model_dir: Path | None = None, cache: Cache | None = None) -> None:
        require_installed("spacy", extra="spacy")
        self._folder = models.find(MODEL, path=model_dir)
        self.fingerprint = f"{models.manifest(MODEL).fingerprint}/spacy-{installed_version('spacy')}/{_RULES}"
        self._cache: Cache = cache if cache is not None else NullCache()
        self._lock = threading.Lock()
        self._pipeline: Any = None

    def extract(self, texts: Sequence[str]) -> list[frozenset[str]]:
        """Return for each text the set of its names, as ``normalised`` gives them."""
        values = through_cache(texts, cache=self._cache, namespace=self.fingerprint, compute=self._compute)
        return [frozenset(filter(None, value.decode("utf-8").split("\n"))) for value in values]

    def _compute(self, texts: list[str]) -> list[bytes]:
        owners, parts = [], []
        for number, text in enumerate(texts):
            for part in _parts(text):
                owners.append(number)
                parts.append(part)
        names: list[set[str]] = [set() for _ in texts]
        with self._lock, _quiet():
            if self._pipeline is None:
                self._pipeline = require("spacy", extra="spacy").load(self._folder, exclude=list(_EXCLUDED))
            with _memory_zone(self._pipeline):
                for number, found in zip(owners, self._pipeline.pipe(parts, batch_size=_BATCH), strict=True):
                    names[number].update(normalised(e.text) for e in found.ents if e.label_ not in _BY_RULES)
        return ["\n".join(sorted(found - {""})).encode("utf-8") for found in names]


class SpacyParser:
    """Parses sentences with spaCy's small English pipeline (a ``Parser``).

    The pipeline is loaded at the first text; threads take turns. Each text is cut to its first 50,000 characters: no
    sentence is that long.

    Args:
        model_dir: Folder of a spaCy pipeline with a ``parser`` part; default: what ``models.find`` finds.

    Raises:
        MissingExtra: ``spacy`` is not installed.
        ModelNotAvailable: the pipeline is not found.
    """

    def __init__(self, *, model_dir: Path | None = None) -> None:
        require_installed("spacy", extra="spacy")
        self._folder = models.find(PARSER, path=model_dir)
        self.fingerprint = f"{models.manifest(PARSER).fingerprint}/spacy-{installed_version('spacy')}"
        self._lock = threading.Lock()
        self._pipeline: Any = None

    def parse(self, texts: Sequence[str]) -> list[tuple[Token, ...]]:
        """Return the tokens of each text, in order; white space is no token."""
        with self._lock, _quiet():
            if self._pipeline is None:
                self._pipeline = require("spacy", extra="spacy").load(self._folder, exclude=list(_NOT_PARSING))
            with _memory_zone(self._pipeline):
                parts = [text[:_LONGEST] for text in texts]
                return [_tokens(parsed) for parsed in self._pipeline.pipe(parts, batch_size=_BATCH)]


def _tokens(parsed: Any) -> tuple[Token, ...]:
    """Plain tokens of a parsed text, without those of white space."""
    number = {token.i: k for k, token in enumerate(t for t in parsed if not t.is_space)}
    found = []
    for token in parsed:
        if token.is_space:
            continue
        head = number.get(token.head.i, number[token.i])
        found.append(
            Token(
                token.idx,
                token.idx + len(token.text),
                head,
                token.dep_,
                token.pos_,
                token.tag_,
                token.lemma_.lower(),
            )
        )
    return tuple(found)


class UnionEntities:
    """All that any of several extractors finds (an ``EntityExtractor``)."""

    def __init__(self, *parts: EntityExtractor) -> None:
        self._parts = parts
        self.fingerprint = "+".join(part.fingerprint for part in parts)

    def extract(self, texts: Sequence[str]) -> list[frozenset[str]]:
        """Return for each text the union of the parts' sets."""
        return [frozenset().union(*sets) for sets in zip(*(part.extract(texts) for part in self._parts), strict=True)]


def normalised(name: str) -> str:
    r"""Return a name in lower case, white space single, without an article, a possessive or marks at its ends.

    What holds no letter becomes empty.

    >>> normalised("The  European\nUnion's"), normalised("James'"), normalised("“Acme Corp.”"), normalised("1,024")
    ('european union', 'james', 'acme corp', '')
    """
    name = " ".join(name.lower().split()).strip(_EDGES)
    name = _POSSESSIVE.sub("", _LEADING.sub("", name)).strip(_EDGES)
    return name if any(character.isalpha() for character in name) else ""


def _parts(text: str) -> Iterable[str]:
    """Cut a text at white space into parts that spaCy takes; what has no white space is cut where it must be."""
    start = 0
    while len(text) - start > _LONGEST:
        cut = max(text.rfind(" ", start + 1, start + _LONGEST), text.rfind("\n", start + 1, start + _LONGEST))
        cut = cut if cut > start else start + _LONGEST
        yield text[start:cut]
        start = cut
    yield text[start:]


def _memory_zone(pipeline: Any) -> Any:
    """Without a zone every new word of every text would stay in the pipeline's memory (spaCy 3.8)."""
    return getattr(pipeline, "memory_zone", nullcontext)()


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence the warnings of spaCy and its parts (deprecations, versions): a user can do nothing about them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
