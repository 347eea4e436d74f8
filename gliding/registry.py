"""Builds the parts that a preset names: the only place that does.

It knows what each part needs (packages of an extra, a model) and says what is missing before anything heavy is loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from gliding import models, presets
from gliding.config import Preset, RewriteConfig
from gliding.errors import MissingExtra, ModelNotAvailable, UnknownComponent
from gliding.ingest.convert import Readers
from gliding.parts import TABLE, Part
from gliding.protocols import (
    Cache,
    Embedder,
    EntityExtractor,
    Extractor,
    Index,
    Parser,
    Rewriter,
    SyntaxTrees,
    TokenCounter,
    Trimmer,
)
from gliding.tiers.constrain import SourceWords
from gliding.tiers.guard import Guard
from gliding.tiers.rewrite import RewriteTier

_MAY_BE_EMPTY = ("embed", "trim", "rewrite")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """The built parts of one preset, ready to be used by several threads; no model is loaded before its first use.

    ``warnings`` say which part another one had to take the place of.
    """

    counter: TokenCounter
    embedder: Embedder | None
    entities: EntityExtractor
    index: Callable[[int], Index]
    extractor: Extractor
    trimmer: Trimmer | None
    rewriting: RewriteTier | None
    cache: Cache
    trees: SyntaxTrees | None = None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Lack:
    """What one part of a preset lacks and the command that brings it, if any; ``extra`` where that is an extra of ours.

    ``instead`` names the part that takes its place meanwhile.
    """

    component: str
    missing: str
    command: str
    extra: str = ""
    instead: str = ""


def build(
    preset: Preset,
    *,
    counter: TokenCounter | None = None,
    embedder: Embedder | None = None,
    entities: EntityExtractor | None = None,
    extractor: Extractor | None = None,
    trimmer: Trimmer | None = None,
    rewriter: Rewriter | None = None,
    cache: bool = True,
) -> Parts:
    """Build the parts that a preset names; an object that is given takes the place of the preset's part.

    Raises:
        UnknownComponent: The preset names a part that is not in the table.
        MissingExtra: A part needs a package that is not installed.
        ModelNotAvailable: A part needs a model whose files are not found.
    """
    preset, warnings = (preset, ()) if rewriter else _available(preset)
    given = {"embed": embedder, "entities": entities, "extract": extractor, "trim": trimmer, "rewrite": rewriter}
    for kind, name, model in _named(preset):
        if given.get(kind) is None:
            _require(kind, name, model)
    store: Cache = _made("cache", preset.cache.use if cache else "")
    if embedder is None and preset.embed.use:
        embedder = _embedder(preset, store)
    return Parts(
        counter=counter or token_counter(preset.tokens.use),
        embedder=embedder,
        entities=entities or _entities(preset.entities.use, store),
        index=partial(_index, preset.index.use),
        extractor=extractor or _extractor(preset.extract.use, embedder),
        trimmer=trimmer or (_made("trim", preset.trim.use) if preset.trim.use else None),
        rewriting=_rewriting(preset.rewrite, rewriter, store),
        cache=store,
        trees=syntax_trees(),
        warnings=warnings,
    )


def readers(warn: Callable[[str], None]) -> Readers:
    """Return what reads files that are not text, as far as its libraries are installed; ``warn`` is told the rest."""
    html = _load("gliding.backends.html:HtmlReader")() if find_spec("selectolax") is not None else None
    office: Any = _load("gliding.backends.office:READERS")
    return Readers(html=html, office=office, warn=warn)


def syntax_trees() -> SyntaxTrees | None:
    """Return what parses source code; None where its packages are not installed."""
    trees: SyntaxTrees | None = None if _lacks_of("trees", "tree-sitter") else _made("trees", "tree-sitter")
    return trees


def token_counter(name: str) -> TokenCounter:
    """Return the counter of a tokenizer's name or of the path of a ``tokenizer.json``.

    Raises:
        UnknownComponent: There is no tokenizer of that name, and no such file.
        MissingExtra: A ``tokenizer.json`` is named and ``tokenizers`` is not installed.
        ConfigError: The file is not a tokenizer.
    """
    counter: TokenCounter = _load("gliding.backends.tokens:load")(name)
    return counter


def lacks(preset: Preset) -> list[Lack]:
    """Return what the parts of a preset lack on this machine, in the preset's order; nothing is imported or loaded.

    Raises:
        UnknownComponent: The preset names a part that is not in the table.
    """
    return [
        replace(lack, instead=preset.rewrite.otherwise if kind == "rewrite" else "")
        for kind, name, model in _named(preset)
        for lack in _lacks_of(kind, name, model)
    ]


def mend(gaps: Iterable[Lack]) -> str:
    """Return one command line that brings all that is missing.

    >>> mend([Lack("index faiss", "package faiss", "pip install 'gliding[faiss]'", "faiss")])
    "pip install 'gliding[faiss]'"
    """
    gaps = list(gaps)
    extras = sorted({gap.extra for gap in gaps if gap.extra})
    commands = [_pip(",".join(extras))] if extras else []
    commands += [gap.command for gap in gaps if gap.command and not gap.extra]
    return " && ".join(dict.fromkeys(commands))


def default_preset() -> tuple[Preset, tuple[str, ...]]:
    """Return ``balanced`` where all its parts are there, else ``edge`` with a warning that names the rest."""
    preset = presets.load("balanced")
    gaps = lacks(preset)
    if not gaps:
        return preset, ()
    missing = ", ".join(dict.fromkeys(gap.missing for gap in gaps))
    return presets.load("edge"), (f"Preset edge is used: balanced lacks {missing}. Run: {mend(gaps)}",)


def _named(preset: Preset) -> list[tuple[str, str, str]]:
    """The parts of a preset: kind, name, and the model where the preset names that."""
    named = [
        ("embed", _engine("embed", preset.embed.use, preset.embed.engine), ""),
        ("entities", preset.entities.use, ""),
        ("index", preset.index.use, ""),
        ("extract", preset.extract.use, ""),
        ("trim", preset.trim.use, ""),
        _rewriter_named(preset.rewrite),
        ("cache", preset.cache.use, ""),
    ]
    return [part for part in named if part[1] or part[0] not in _MAY_BE_EMPTY]


def _engine(kind: str, name: str, engine: str) -> str:
    """The name in the table of a part that several engines can run."""
    if "/" in name:  # a name of ours: the part would be built for one engine and set up for another
        raise UnknownComponent(f"{kind}.use = {name!r} is no part.", hint=f"Set {kind}.engine for the engine.")
    return f"{name}/{engine}" if name and engine != "onnx" and (kind, f"{name}/{engine}") in TABLE else name


def _rewriter_named(config: RewriteConfig) -> tuple[str, str, str]:
    name = _engine("rewrite", config.use, config.engine)
    if config.use != "t5":
        return "rewrite", name, ""
    onnx = config.engine == "onnx" and not _is_folder(config.model)
    return "rewrite", name, f"{config.model}-onnx" if onnx else config.model


def _is_folder(model: str) -> bool:
    """Whether a model is named by its folder, not by its id; a folder of this name elsewhere never takes its place."""
    return Path(model).name != model


def _available(preset: Preset) -> tuple[Preset, tuple[str, ...]]:
    """The preset with the third tier that can work here, and a warning where that is not the one it names."""
    config = preset.rewrite
    gaps = _lacks_of(*_rewriter_named(config)) if config.use and config.otherwise else []
    if not gaps:
        return preset, ()
    done = "extracted, not rewritten" if config.otherwise == "extract" else f"rewritten by {config.otherwise}"
    missing = ", ".join(dict.fromkeys(gap.missing for gap in gaps))
    run = f" Run: {mend(gaps)}" if mend(gaps) else ""
    warning = f"Sentences are {done}: {config.use} lacks {missing}.{run}"
    use = config.otherwise.replace("extract", "")
    return preset.model_copy(update={"rewrite": config.model_copy(update={"use": use})}), (warning,)


def _part(kind: str, name: str) -> Part:
    part = TABLE.get((kind, name))
    if part is None:
        known = [other for sort, other in TABLE if sort == kind and other and "/" not in other]
        close = get_close_matches(name, known, n=1)
        meant = f" Did you mean {close[0]!r}?" if close else ""
        raise UnknownComponent(f"{kind}.use = {name!r} is no part.{meant}", hint=f"Known: {', '.join(known)}.")
    return part


def _lacks_of(kind: str, name: str, model: str = "") -> list[Lack]:
    part = _part(kind, name)
    model = model or part.model
    component = f"{kind} {name}"
    gaps = [
        Lack(component, f"package {package}", _pip(part.extra), part.extra)
        for package in part.packages
        if find_spec(package) is None
    ]
    if model:
        try:
            _folder(model)
        except ModelNotAvailable as error:
            command = error.hint.removeprefix("Run: ") if error.hint.startswith("Run: ") else ""
            told = "" if command else f" ({error.hint.rstrip('.')})"
            extra = part.extra if command == _pip(part.extra) else ""
            gaps.append(Lack(component, f"model {model}{told}", command, extra))
    return gaps


def _require(kind: str, name: str, model: str) -> None:
    part = _part(kind, name)
    absent = [package for package in part.packages if find_spec(package) is None]
    if absent:
        packages = " and ".join(absent)
        raise MissingExtra(f"{kind}.use = {name!r} needs {packages}, not installed.", hint=f"Run: {_pip(part.extra)}")
    if model or part.model:
        _folder(model or part.model)


def _pip(extra: str) -> str:
    return f"pip install 'gliding[{extra}]'"


def _load(target: str) -> Callable[..., Any]:
    module, _, attribute = target.partition(":")
    made: Callable[..., Any] = getattr(import_module(module), attribute)
    return made


def _made(kind: str, name: str) -> Any:
    return _load(_part(kind, name).target)()


def _folder(model: str) -> Path:
    if not _is_folder(model):
        return models.find(model)
    folder = Path(model).expanduser()
    if not folder.is_dir():
        raise ModelNotAvailable(f"There is no folder {model!r}.", hint="Name a model's id or a checkpoint's folder.")
    return folder


def _rewriting(config: RewriteConfig, rewriter: Rewriter | None, cache: Cache) -> RewriteTier | None:
    """The third tier, with a guard that reads as much grammar as there is."""
    if rewriter is None and not config.use:
        return None
    parser: Parser | None = None if _lacks_of("parse", "spacy") else _made("parse", "spacy")
    if rewriter is None:
        rewriter = _t5(config, cache) if config.use == "t5" else _load(_part("rewrite", config.use).target)(parser)
    return RewriteTier(rewriter, Guard(parser), config.ratio, config.spare)


def _t5(config: RewriteConfig, cache: Cache) -> Rewriter:
    kind, name, model = _rewriter_named(config)
    folder = _folder(model)
    make = _load(_part(kind, name).target)
    engine = make(folder) if config.engine == "onnx" else make(folder, device=config.device)
    rewriter: Rewriter = _load("gliding.backends.t5:T5Rewriter")(
        engine,
        folder / "tokenizer.json",
        constrain=SourceWords if config.constrained else None,
        beams=config.beams,
        threads=config.threads if config.engine == "onnx" else 1,  # torch has threads of its own
        cache=cache,
    )
    return rewriter


def _index(name: str, dim: int) -> Index:
    index: Index = _load(_part("index", name).target)(dim)
    return index


def _entities(name: str, cache: Cache) -> EntityExtractor:
    rules: EntityExtractor = _made("entities", "rules")
    if name == "rules":
        return rules
    named = _load(_part("entities", name).target)(cache=cache)
    united: EntityExtractor = _load("gliding.backends.spacy:UnionEntities")(named, rules)
    return united


def _extractor(name: str, embedder: Embedder | None) -> Extractor:
    part = _part("extract", name)
    make = _load(part.target)
    extractor: Extractor
    if name == "clusters":
        if embedder is None:
            raise UnknownComponent("extract.use = 'clusters' needs an embedder.", hint="Name one with embed.use.")
        extractor = make(embedder)
    elif name.startswith("sumy:"):
        extractor = make(name.removeprefix("sumy:"))
    else:
        extractor = make()
    return extractor


def _embedder(preset: Preset, cache: Cache) -> Embedder:
    config = preset.embed
    part = _part("embed", _engine("embed", config.use, config.engine))
    spec = models.manifest(part.model)
    make = _load(part.target)
    if config.engine == "torch":
        make = partial(make, device=config.device)
    embedder: Embedder = make(
        models.find(part.model), threads=config.threads, dim=spec.dim, fingerprint=spec.fingerprint, cache=cache
    )
    return embedder
