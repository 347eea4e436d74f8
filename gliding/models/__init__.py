"""Models as data: find and verify a model's files, and (only when told) fetch them. Nothing here loads a model.

A model is a folder with a manifest (see ``schema.py``); the manifests are shipped in ``models/``. A
folder in ``$GLIDING_MODELS`` with a manifest of its own adds a model; it never replaces one that is shipped.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from difflib import get_close_matches
from importlib.util import find_spec
from pathlib import Path, PurePosixPath

from gliding.errors import ConfigError, ModelNotAvailable
from gliding.models.schema import FolderSource, Manifest, ModelFile, PackageSource, read_manifest
from gliding.models.transfer import Progress, check_file, download

__all__ = [
    "Manifest",
    "ModelFile",
    "Progress",
    "check_file",
    "data_dir",
    "download",
    "fetch",
    "find",
    "manifest",
    "manifests",
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
    """Return the manifests by id, sorted: those shipped and those in ``$GLIDING_MODELS``.

    Raises:
        ConfigError: a manifest does not follow the schema.
    """
    folders = [data_dir("models"), *_environment_folders()]
    found: dict[str, Manifest] = {}
    for folder in folders:
        for path in sorted(folder.glob("*/manifest.toml")):
            found.setdefault(path.parent.name, read_manifest(path))
    return dict(sorted(found.items()))


def manifest(model: str) -> Manifest:
    """Return the manifest of the model with this id.

    Raises:
        ModelNotAvailable: no manifest has this id.
        ConfigError: a manifest does not follow the schema.
    """
    known = manifests()
    if model not in known:
        near = get_close_matches(model, known, n=1)
        hint = f"Did you mean {near[0]!r}?" if near else f"Known: {', '.join(known)}."
        raise ModelNotAvailable(f"No model is called {model!r}.", hint=hint)
    return known[model]


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
        if all((place / file.name).is_file() for file in spec.files):
            return place
    searched = ", ".join(str(place) for place in places)
    raise ModelNotAvailable(f"The files of model {model!r} were not found. Searched: {searched}.", hint=spec.hint)


def verify(model: str, *, path: str | Path | None = None) -> Path:
    """Check sizes and SHA-256 of the model's files and return their folder.

    Raises:
        ModelCorrupt: a file differs, with both hashes.
        ModelNotAvailable: the files are not found.
        ConfigError: a manifest does not follow the schema.
    """
    spec = manifest(model)
    folder = find(model, path=path)
    for file in spec.files:
        if not file.varies:
            check_file(folder / file.name, file, hint=spec.hint)
    return folder


def fetch(model: str, *, to: str | Path | None = None, progress: Progress | None = None) -> Path:
    """Download the model's files into ``to`` (default: the user's cache folder) and return the folder.

    Files that are there with the right hash stay.

    Raises:
        ModelCorrupt: what came does not have the hash of the manifest; nothing of it is kept.
        ModelNotAvailable: no source could be read, with the reason for each.
        ConfigError: a manifest does not follow the schema.
    """
    spec = manifest(model)
    folder = Path(to).expanduser() if to is not None else user_cache_dir() / "models" / model
    try:
        download(spec.files, spec.sources, to=folder, progress=progress)
    except ModelNotAvailable as error:
        hint = spec.hint if spec.command else error.hint
        raise ModelNotAvailable(f"Model {model!r} could not be fetched. {error.message}", hint=hint) from error
    return folder


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
