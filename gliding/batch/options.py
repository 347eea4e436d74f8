"""What is asked of every document of a batch, and the keys that say whether a result is still the right one."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from gliding import __version__
from gliding.batch.items import Item

if TYPE_CHECKING:
    from gliding.compressor import Compressor

_KEY = 20
_NOT_IN_RESULTS = ("preset", "overrides", "cache")
"""Options that change a result only by the preset that comes of them, or not at all."""
_READING = (
    "selectolax",
    "pypdf",
    "python-docx",
    "tree-sitter",
    "tree-sitter-c",
    "tree-sitter-cpp",
    "tree-sitter-go",
    "tree-sitter-java",
    "tree-sitter-javascript",
    "tree-sitter-rust",
    "tree-sitter-typescript",
)
"""Packages that read files and cut code where they are there; a preset does not name them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What is asked of every document: plain values that can be pickled and sent to another machine.

    ``preset`` is a name or a path, None is the default; ``overrides`` are settings of it by dotted key. ``query``
    stands where an item has none of its own. The others are those of ``Compressor.compress``; ``kind`` is the kind of
    all documents, empty lets name and content tell. ``cache`` False keeps vectors out of the user's cache folder.
    """

    preset: str | None = None
    overrides: tuple[tuple[str, str], ...] = ()
    tokenizer: str | None = None
    query: str = ""
    max_tokens: int | None = None
    rate: float | None = None
    window: int | None = None
    used: int = 0
    reserve: int = 0
    criticality: float | None = None
    task: str = ""
    pins: tuple[str, ...] = ()
    kind: str = ""
    deadline: float | None = None
    audit: bool = False
    cache: bool = True


def build(options: Options) -> Compressor:
    """Build the compressor that the options name; no model is loaded before its first use.

    Raises:
        ConfigError: The preset or an override is wrong.
        MissingExtra: A part needs a package that is not installed.
        ModelNotAvailable: A part needs a model that is not found.
    """
    from gliding.compressor import Compressor

    return Compressor.from_preset(
        options.preset, overrides=dict(options.overrides), tokenizer=options.tokenizer, cache=options.cache
    )


def fingerprint(options: Options) -> bytes:
    """Return 20 bytes over all that a result depends on but the document.

    That is the package's version, the whole preset with its overrides, the models that it uses, the tokenizer's file,
    the packages that read files, and the options.

    Raises:
        ConfigError: The preset or an override is wrong.
        MissingExtra: A part needs a package that is not installed.
        ModelNotAvailable: A part needs a model that is not found.
    """
    with build(options) as compressor:
        preset, parts = compressor.preset, compressor.parts
        rewriter = getattr(parts.rewriting, "rewriter", None)
        guard = getattr(parts.rewriting, "guard", None)
        used = [parts.embedder, parts.entities, rewriter, getattr(guard, "parser", None)]
        asked = {name: value for name, value in asdict(options).items() if name not in _NOT_IN_RESULTS}
        facts = {
            "version": __version__,
            "preset": preset.model_dump(mode="json"),
            "models": [getattr(part, "fingerprint", "") for part in used],
            "tokenizer": [parts.counter.name, _file_hash(preset.tokens.use)],
            "reading": {name: _version(name) for name in _READING},
            "warnings": compressor.warnings,
            "options": asked,
        }
    return hashlib.blake2b(json.dumps(facts, sort_keys=True).encode(), digest_size=_KEY).digest()


def item_key(item: Item, fingerprint: bytes) -> bytes:
    r"""Return the 20 bytes by which a result is found again: content, kind by name, query, and the fingerprint.

    >>> one = Item(position=0, id="a", source="x", data="text", name="a.txt")
    >>> other = Item(position=7, id="b", source="y", data="text", name="c/b.txt")
    >>> item_key(one, b"") == item_key(other, b""), item_key(one, b"") == item_key(one, b"new")
    (True, False)
    """
    text = isinstance(item.data, str)
    data = item.data.encode("utf-8", "surrogatepass") if isinstance(item.data, str) else item.data
    parts = (told(item.name), item.query, item.error, f"{item.source}\0{item.id}" if item.error else "")
    digest = hashlib.blake2b(fingerprint, digest_size=_KEY)
    for part in (b"text" if text else b"bytes", *(part.encode("utf-8", "surrogatepass") for part in parts), data):
        digest.update(len(part).to_bytes(8, "little"))
        digest.update(part)
    return digest.digest()


def told(name: str) -> str:
    """Return as much of a file's name as a result depends on: its suffix, or the name where that alone says a kind.

    >>> told("docs/Guide.MD"), told("notes.txt"), told("")
    ('document.md', 'document.txt', '')
    """
    from gliding.ingest.kinds import kind_of_name

    base = PurePath(name).name
    if not base:
        return ""
    general = f"document{PurePath(base).suffix.lower()}"
    return general if kind_of_name(general) == kind_of_name(base) else base


def _file_hash(tokenizer: str) -> str:
    path = Path(tokenizer)
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""
