"""Put a model's files into a folder of their own, checked and whole: those of a folder (import) or new ones (export).

Only regular files inside the given folder are read, no link is followed out of it, no pickle is taken, nothing is run.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path, PurePosixPath

from gliding.errors import ConfigError, InputError, ModelError, ModelNotAvailable
from gliding.models.checkpoint import check_rewriter
from gliding.models.schema import ID, MANIFEST, Manifest, ModelFile, parse_manifest, write_record
from gliding.models.transfer import Progress, corrupt, hashed, is_right, store

_CHECKPOINT = ("config.json", "model.safetensors", "tokenizer.json")
_EXPORTED = ("config.json", "decoder.onnx", "encoder.onnx", "tokenizer.json")
_SAFE = (".json", ".onnx", ".safetensors", ".toml")  # formats that hold data alone
_PICKLES = (".bin", ".ckpt", ".pickle", ".pkl", ".pt", ".pth")
_LARGEST_RECORD = 1 << 20  # bytes


def import_folder(
    source: Path, *, model: str, known: Mapping[str, Manifest], root: Path, progress: Progress | None
) -> Path:
    """Check the files of a model in ``source`` and copy them to ``root/ID``; see ``gliding.models.import_folder``."""
    if not source.is_dir():
        raise InputError(f"{source} is not a folder.", hint="Name the folder that holds the model's files.")
    carried = _carried(source)
    name = model or (carried.id if carried else "")
    spec = known.get(name) if name else _guessed(source, known.values())
    wanted = spec or carried
    names = [file.name for file in wanted.files] if wanted else _layout(source)
    paths = {each: _inside(source, each) for each in names}
    name = spec.id if spec else name
    check_id(name, hint=f"Name it: gliding models import {source} --id NAME (known: {', '.join(known)})")
    found = {each: hashed(path, each) for each, path in paths.items()}
    for manifest in filter(None, (spec, carried)):
        _check_agrees(source, found, manifest)
    files = tuple(_entry(file, wanted) for file in found.values())
    made = _described(name, wanted, files)
    # A record that came with the files tells of damage, but it does not vouch for them.
    _check_structure(source, made, unvouched=spec.unknown if spec else tuple(found))
    target = root / name
    if _is_there(target, made):
        return target

    def copy(folder: Path) -> Manifest:
        for file in files:
            with paths[file.name].open("rb") as stream:
                store(stream, file, to=folder, progress=progress)
        return made

    return put(copy, to=target)


def put(make: Callable[[Path], Manifest], *, to: Path) -> Path:
    """Let ``make`` fill a new folder, write its manifest there, and move it to ``to`` whole; return ``to``.

    What was at ``to`` before is there until then, and stays where anything fails.

    Raises:
        ModelError: a file cannot be read or written.
    """
    target = Path(os.path.realpath(to))
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{target.name}.") as scratch:
            new, old = Path(scratch, "new"), Path(scratch, "old")
            new.mkdir()
            write_record(make(new), new)
            try:
                if target.exists():
                    os.replace(target, old)
                os.replace(new, target)
            finally:
                if old.exists() and not target.exists():
                    os.replace(old, target)
    except OSError as error:
        raise ModelError(f"{to} could not be written: {error}", hint="Check the space and the rights.") from error
    return to


def check_id(name: str, *, hint: str) -> None:
    """Check that a name can be a model's id.

    Raises:
        InputError: it cannot.
    """
    if not name:
        raise InputError("The files are those of no known model.", hint=hint)
    if not re.fullmatch(ID, name):
        raise InputError(f"{name!r} cannot be a model's id: small letters, digits, '.', '_' and '-'.", hint=hint)


def check_replaceable(folder: Path) -> None:
    """Check that a folder of the user's choice is new, empty, or holds an earlier model of ours and nothing else.

    Raises:
        InputError: it does not.
        ConfigError: its record is damaged.
    """
    if not folder.exists():
        return
    if not folder.is_dir():
        raise InputError(f"{folder} is a file.", hint="Name a new or an empty folder.")
    record = folder / MANIFEST
    own = {MANIFEST, *(file.name for file in parse_manifest(record).files)} if record.is_file() else set()
    if others := sorted({path.name for path in folder.iterdir()} - own):
        raise InputError(f"{folder} holds {others[0]}, which would be lost.", hint="Name a new or an empty folder.")


def _carried(source: Path) -> Manifest | None:
    """Return the record that an export or import wrote beside the files, where there is one."""
    if not (source / MANIFEST).exists():
        return None
    path = _inside(source, MANIFEST)
    if path.stat().st_size > _LARGEST_RECORD:
        raise InputError(f"{path} is too large for a manifest.", hint="Remove it, and name the model with --id.")
    return parse_manifest(path)


def _guessed(source: Path, known: Iterable[Manifest]) -> Manifest | None:
    """Return the one known model whose files these are: all names, and all hashes that are known, at least one."""
    hashes: dict[str, str] = {}

    def is_it(file: ModelFile) -> bool:
        path = source / file.name
        if not path.is_file() or file.bytes not in (None, path.stat().st_size):
            return False
        if file.sha256 and not file.varies and file.name not in hashes:
            hashes[file.name] = hashed(_inside(source, file.name), file.name).sha256
        return not file.sha256 or file.varies or hashes[file.name] == file.sha256

    found = [
        spec
        for spec in known
        if any(file.sha256 and not file.varies for file in spec.files) and all(map(is_it, spec.files))
    ]
    return found[0] if len(found) == 1 else None


def _layout(source: Path) -> tuple[str, ...]:
    """Return the names of the files of a checkpoint, or of an exported model, as the folder has them."""
    names = _EXPORTED if (source / "encoder.onnx").exists() else _CHECKPOINT
    return (*names, "export.json") if (source / "export.json").exists() else names


def _inside(source: Path, name: str) -> Path:
    """Return the path of a file of the folder; a link that leads out of it is not followed."""
    path = source / name
    if not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(source)):  # resolve() breaks on a loop
        raise InputError(
            f"{path} is a link that leads out of the folder.",
            hint=f"Copy it with its links resolved: cp -rL {source} NEW",
        )
    if path.is_file():
        return path
    pickles = sorted(path.name for path in source.iterdir() if path.suffix in _PICKLES)
    if name == "model.safetensors" and pickles:
        raise ModelNotAvailable(
            f"{source} has {pickles[0]} but no {name}. A pickle can run code when it is loaded, and is never taken.",
            hint="Get the checkpoint's model.safetensors.",
        )
    raise ModelNotAvailable(f"{source} lacks the file {name}.", hint=f"A checkpoint has {', '.join(_CHECKPOINT)}.")


def _check_agrees(source: Path, found: Mapping[str, ModelFile], manifest: Manifest) -> None:
    for file in manifest.files:
        there = found.get(file.name)
        if there is None or file.varies:
            continue
        if file.sha256 not in ("", there.sha256) or file.bytes not in (None, there.bytes):
            raise corrupt(str(source / file.name), there, file, hint="It is damaged, or the file of another model.")


def _check_structure(source: Path, made: Manifest, *, unvouched: Collection[str]) -> None:
    """Check what no hash vouches for."""
    if not unvouched:
        return
    for name in unvouched:
        if PurePosixPath(name).suffix not in _SAFE or "/" in name or name == MANIFEST:
            raise InputError(
                f"{source / name} is not taken: no hash of it is known.", hint=f"Taken: *{', *'.join(_SAFE)}."
            )
    if made.task != "rewrite":
        raise InputError(
            f"{source} is not taken: a model of the task {made.task!r} needs known hashes.",
            hint="Only a T5 checkpoint does without.",
        )
    check_rewriter(source, [file.name for file in made.files])


def _entry(found: ModelFile, manifest: Manifest | None) -> ModelFile:
    stated = {file.name: file for file in manifest.files}[found.name] if manifest else ModelFile(name=found.name)
    return found.model_copy(update={"varies": stated.varies, "trusted": stated.trusted or not stated.sha256})


def _described(name: str, like: Manifest | None, files: tuple[ModelFile, ...]) -> Manifest:
    if like is not None:
        return like.model_copy(update={"id": name, "files": files, "sources": (), "recipe": None, "command": ""})
    description = "A T5 checkpoint, imported from a folder"
    return Manifest(id=name, task="rewrite", description=description, licence="NOASSERTION", files=files)


def _is_there(target: Path, made: Manifest) -> bool:
    record = target / MANIFEST
    try:
        same = record.is_file() and parse_manifest(record).files == made.files
    except ConfigError:  # damaged: it is written anew
        return False
    return same and all(is_right(target / file.name, file) for file in made.files)
