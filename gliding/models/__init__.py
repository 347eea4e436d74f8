"""Models as data: find, verify, import and (only when told) fetch a model's files. Nothing here loads a model.

A model is a folder with a manifest (see ``schema.py``); the manifests are shipped in ``models/``. A folder in
``$GLIDING_MODELS`` or in the user's cache with a manifest of its own adds a model; it never replaces one that is
shipped, but where it is of that very model it adds the hashes that the shipped one does not know.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from importlib.util import find_spec
from pathlib import Path, PurePosixPath

from gliding.errors import ConfigError, InputError, ModelNotAvailable
from gliding.models import imports
from gliding.models.schema import (
    ID,
    MANIFEST,
    FolderSource,
    Manifest,
    ModelFile,
    PackageSource,
    parse_manifest,
    read_manifest,
    write_record,
)
from gliding.models.transfer import Progress, check_file, download, hashed

__all__ = [
    "Manifest",
    "ModelFile",
    "Progress",
    "add",
    "check_file",
    "data_dir",
    "download",
    "fetch",
    "find",
    "import_folder",
    "manifest",
    "manifests",
    "record",
    "user_cache_dir",
    "verify",
]


def data_dir(name: str) -> Path:
    """Return the folder ``name`` (``models``, ``pipelines``) that is shipped with the package, or that of a checkout.

    Raises:
        ConfigError: neither is there.
    """
    package = Path(__file__).parent.parent
    for folder in (package / "_data" / name, package.parent / name):
        if folder.is_dir():
            return folder
    raise ConfigError(f"The package's folder {name!r} is missing.", hint="Run: pip install --force-reinstall gliding")


def user_cache_dir() -> Path:
    """Return the user's cache folder: ``$GLIDING_CACHE``, else the platform's. It is not created."""
    if explicit := os.environ.get("GLIDING_CACHE"):
        return Path(explicit).expanduser()
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or "~/AppData/Local"
    elif sys.platform == "darwin":
        base = "~/Library/Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(base).expanduser() / "gliding"


def manifests() -> dict[str, Manifest]:
    """Return the manifests by id, sorted: those shipped, and those in ``$GLIDING_MODELS`` and in the user's cache.

    Raises:
        ConfigError: a manifest does not follow the schema.
    """
    found: dict[str, Manifest] = {}
    for folder in _manifest_folders():
        for path in sorted(folder.glob(f"*/{MANIFEST}")):
            _add(found, path)
    return dict(sorted(found.items()))


def manifest(model: str) -> Manifest:
    """Return the manifest of the model with this id.

    Raises:
        ModelNotAvailable: no manifest has this id.
        ConfigError: the manifest does not follow the schema.
    """
    found: dict[str, Manifest] = {}
    if re.fullmatch(ID, model):
        # The other models' manifests are not read: one that another version wrote must not stop this one.
        for folder in _manifest_folders():
            if (path := folder / model / MANIFEST).is_file():
                _add(found, path)
    if model in found:
        return found[model]
    known = sorted({path.parent.name for folder in _manifest_folders() for path in folder.glob(f"*/{MANIFEST}")})
    near = get_close_matches(model, known, n=1)
    hint = f"Did you mean {near[0]!r}?" if near else f"Known: {', '.join(known)}."
    base = model.removesuffix("-onnx")
    if base != model and base in known and (spec := manifest(base)).task == "rewrite":
        there = any(_holds(place, spec) for place in _places(spec))
        hint = f"{'Run:' if there else f'{spec.hint} &&'} gliding models export {base}"
    raise ModelNotAvailable(f"No model is called {model!r}.", hint=hint)


def record(folder: Path) -> Manifest | None:
    """Return the manifest that fetch, import or export wrote beside a model's files, None where there is none.

    Raises:
        ConfigError: it does not follow the schema.
    """
    path = folder / MANIFEST
    return parse_manifest(path) if path.is_file() else None


def find(model: str, *, path: str | Path | None = None) -> Path:
    """Return the folder that holds all files of the model; nothing is hashed, written or downloaded.

    The places, in order: ``path`` alone where given, ``$GLIDING_MODELS/ID``, the user's cache folder, the folder
    shipped with the package, an installed package that carries the files.

    Raises:
        ModelNotAvailable: none has all of them, with the searched places and the command that brings them.
        ConfigError: a manifest does not follow the schema.
    """
    spec = manifest(model)
    places = [Path(path).expanduser()] if path is not None else list(_places(spec))
    for place in places:
        if _holds(place, spec):
            return place
    searched = ", ".join(str(place) for place in places)
    raise ModelNotAvailable(f"The files of model {model!r} were not found. Searched: {searched}.", hint=spec.hint)


def verify(model: str, *, path: str | Path | None = None) -> Path:
    """Check sizes and SHA-256 of the model's files, where they are known, and return their folder.

    Raises:
        ModelCorrupt: a file differs, with both hashes.
        ModelNotAvailable: the files are not found.
        ConfigError: a manifest does not follow the schema.
    """
    folder = find(model, path=path)
    spec = _completed(manifest(model), folder)
    for file in spec.files:
        if not file.varies:
            check_file(folder / file.name, file, hint=spec.hint)
    return folder


def fetch(model: str, *, to: str | Path | None = None, progress: Progress | None = None) -> Path:
    """Download the model's files into ``to`` (default: the user's cache folder) and return the folder.

    Files that are there with the right hash stay. A file whose hash is not known is taken on trust, and the hash that
    came is written to a manifest beside the files, so that ``verify`` finds later damage.

    Raises:
        ModelCorrupt: what came does not have the hash of the manifest; nothing of it is kept.
        ModelNotAvailable: no source could be read, with the reason for each.
        ConfigError: a manifest does not follow the schema.
    """
    spec = manifest(model)
    folder = Path(to).expanduser() if to is not None else user_cache_dir() / "models" / model
    spec = _completed(spec, folder)
    try:
        files = download(spec.files, spec.sources, to=folder, progress=progress)
    except ModelNotAvailable as error:
        hint = spec.hint if spec.command else error.hint
        raise ModelNotAvailable(f"Model {model!r} could not be fetched. {error.message}", hint=hint) from error
    if spec.unknown:
        write_record(spec.model_copy(update={"files": files}), folder)
    return folder


def import_folder(source: str | Path, *, model: str = "", progress: Progress | None = None) -> Path:
    """Copy the files of a model from a folder into the user's cache, checked before and while, and return their folder.

    Their hashes must be those that the model's manifest knows. Where it knows none, and for a T5 checkpoint of the
    user's own, the structure is checked: the configuration, the header and shapes of the tensors, the vocabulary.

    Args:
        source: Holds the files, maybe with the record of an earlier import or export. No link out of it is followed.
        model: The id; default: that of the record, or of the only known model whose hashes these are.
        progress: Called while files are copied.

    Raises:
        InputError: the folder cannot be used as it is, or the model has to be named.
        ModelNotAvailable: a file is missing.
        ModelCorrupt: a hash differs from the manifest's, with both.
        ModelError: a file's structure is wrong, or the cache cannot be written.
        ConfigError: a manifest does not follow the schema.
    """
    known: dict[str, Manifest] = {}
    for folder in (data_dir("models"), *_environment_folders()):
        for path in sorted(folder.glob(f"*/{MANIFEST}")):
            _add(known, path)
    source, root = Path(source).expanduser(), user_cache_dir() / "models"
    try:
        return imports.import_folder(source, model=model, known=known, root=root, progress=progress)
    except OSError as error:
        raise InputError(f"{source} cannot be read: {error}", hint="Check the folder and its rights.") from error


def add(
    model: str, make: Callable[[Path], object], *, description: str, licence: str, to: str | Path | None = None
) -> Path:
    """Let ``make`` write the files of a rewriter into a new folder, record their hashes, and return the folder.

    It is put in place whole: ``to``, whose name is then the model's id, or by default the user's cache folder.

    Raises:
        InputError: the name cannot be an id, or ``to`` holds other files.
        ModelError: a file cannot be written.
    """
    target = Path(to).expanduser() if to is not None else user_cache_dir() / "models" / model
    if not target.name:
        raise InputError(f"{to} has no name that could be the model's id.", hint="Name a new folder with --to.")
    imports.check_id(target.name, hint="The folder's name is the model's id: choose another with --to.")
    if to is not None:
        imports.check_replaceable(target)

    def made(folder: Path) -> Manifest:
        make(folder)
        names = sorted(path.name for path in folder.iterdir() if path.is_file())
        files = tuple(hashed(folder / name, name) for name in names)
        return Manifest(id=target.name, task="rewrite", description=description, licence=licence, files=files)

    return imports.put(made, to=target)


def _manifest_folders() -> list[Path]:
    return [data_dir("models"), *_environment_folders(), user_cache_dir() / "models"]


def _add(found: dict[str, Manifest], path: Path) -> None:
    spec = read_manifest(path)
    found[spec.id] = found[spec.id].completed_by(spec) if spec.id in found else spec


def _completed(spec: Manifest, folder: Path) -> Manifest:
    beside = record(folder)
    return spec.completed_by(beside) if beside else spec


def _holds(folder: Path, spec: Manifest) -> bool:
    return all((folder / file.name).is_file() for file in spec.files)


def _environment_folders() -> list[Path]:
    value = os.environ.get("GLIDING_MODELS")
    return [Path(value).expanduser()] if value else []


def _places(spec: Manifest) -> Iterator[Path]:
    for folder in _environment_folders():
        yield folder / spec.id
    yield user_cache_dir() / "models" / spec.id
    yield data_dir("models") / spec.id
    for source in spec.sources:
        if isinstance(source, FolderSource) and not source.files:
            yield source.folder / source.path
        if isinstance(source, PackageSource) and not source.files and (site := _installed(source)):
            yield site / source.path


def _installed(source: PackageSource) -> Path | None:
    """Return the folder that the package's import name lies in; the package is not imported."""
    found = find_spec(PurePosixPath(source.path).parts[0]) if source.path else None
    if found is None or not found.submodule_search_locations:
        return None
    return Path(found.submodule_search_locations[0]).parent
