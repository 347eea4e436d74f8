"""``gliding models``: list, find, verify, import and export models; only ``fetch`` uses a network."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gliding.errors import GlidingError, InputError, ModelNotAvailable

if TYPE_CHECKING:
    from gliding.models import Manifest

app = typer.Typer(
    help="List, find, verify, fetch, import and export models.", no_args_is_help=True, rich_markup_mode=None
)

_Model = Annotated[str, typer.Argument(metavar="ID", help="A model's id, as in: gliding models list")]


@app.command("list")
def list_models() -> None:
    """List the models, a line each: id, task, licence, megabytes, where it was found."""
    from gliding import models

    for model, spec in models.manifests().items():
        megabytes = sum(file.bytes or 0 for file in spec.files) / 1e6
        typer.echo(f"{model:<21} {spec.task:<9} {spec.licence:<11} {megabytes:6.1f} MB  {place(model)}")


@app.command()
def path(model: _Model) -> None:
    """Write the folder that holds a model's files."""
    from gliding import models

    typer.echo(models.find(model))


@app.command()
def verify(
    ids: Annotated[list[str] | None, typer.Argument(metavar="[ID ...]", help="Default: all that are found.")] = None,
) -> None:
    """Check the SHA-256 of the files of models; the first that differs ends with its error's exit code."""
    from gliding import models

    failures = [error for model in ids or models.manifests() if (error := _check(model, wanted=bool(ids)))]
    if failures:
        raise failures[0]


@app.command()
def fetch(
    model: _Model,
    to: Annotated[Path | None, typer.Option(metavar="FOLDER", help="Default: the user's cache folder.")] = None,
) -> None:
    """Download a model's files, checked by hash. This is the only command that uses the network."""
    from gliding import models

    folder = models.fetch(model, to=to, progress=_progress if sys.stderr.isatty() else None)
    _say_trusted(folder)
    typer.echo(folder)


@app.command("import")
def import_model(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="Holds config.json, model.safetensors, tokenizer.json.")
    ],
    model: Annotated[
        str, typer.Option("--id", metavar="ID", help="Default: the known model whose files they are.")
    ] = "",
) -> None:
    """Check a model's files in a folder and copy them into the user's cache, for a machine without a network."""
    from gliding import models

    target = models.import_folder(folder, model=model, progress=_progress if sys.stderr.isatty() else None)
    _say_trusted(target)
    typer.echo(target)


@app.command()
def export(
    model: Annotated[str, typer.Argument(metavar="ID|DIR", help="A T5 model's id, or the folder of a checkpoint.")],
    to: Annotated[Path | None, typer.Option(metavar="DIR", help="Default: ID-onnx in the user's cache folder.")] = None,
    bits: Annotated[int, typer.Option(metavar="8|32", help="Of a weight: 8 is small and fast, 32 is exact.")] = 8,
) -> None:
    """Convert a T5 checkpoint for ONNX Runtime: it then runs without torch, as the model ID-onnx."""
    from functools import partial
    from importlib import import_module

    from gliding import models

    if bits not in (8, 32):
        raise InputError(f"--bits {bits} is not known.", hint="Known: 8, 32.")
    source, spec = _checkpoint(model)
    name = (spec.id if spec else source.resolve().name).removesuffix("-onnx") + "-onnx"
    description = f"{spec.id if spec else 'A T5 checkpoint'} for ONNX Runtime, {bits} bit"
    licence = spec.licence if spec else "NOASSERTION"
    make = partial(import_module("gliding.backends.t5_graph").export, source, bits=bits)
    typer.echo(models.add(name, make, description=description, licence=licence, to=to))


def place(model: str) -> str:
    """Say where a model's files lie, or the command that brings them."""
    from gliding import models

    try:
        return str(models.find(model))
    except ModelNotAvailable as error:
        return f"not found. {error.hint}"


def _checkpoint(model: str) -> tuple[Path, Manifest | None]:
    """Return the folder of a checkpoint that is named by its id or its path, and its manifest where it has one."""
    from gliding import models

    folder = Path(model).expanduser()
    spec = models.manifests().get(model)
    if spec is None and folder.is_dir():
        return folder, models.record(folder)
    spec = models.manifest(model)
    if spec.task != "rewrite":
        raise InputError(f"{model} is a model of the task {spec.task!r}.", hint="Only T5 models are exported.")
    return models.find(model), spec


def _check(model: str, *, wanted: bool) -> GlidingError | None:
    """Say whether a model is whole; return what is wrong, but not the absence of a model that nobody named."""
    from gliding import models

    try:
        folder = models.verify(model)
        typer.echo(f"{model}: {_whole(model)}, in {folder}")
    except ModelNotAvailable as error:
        typer.echo(f"{model}: not found. {error.hint}")
        return error if wanted else None
    except GlidingError as error:
        typer.echo(f"{model}: {error}")
        return error
    return None


def _whole(model: str) -> str:
    from gliding import models

    spec = models.manifests().get(model)
    unknown = spec.unknown if spec else ()
    return f"there (no hash is known of {', '.join(unknown)})" if unknown else "whole"


def _say_trusted(folder: Path) -> None:
    """Name on stderr the files that nothing but their own arrival vouches for."""
    from gliding import models

    record = models.record(folder)
    for file in record.files if record else ():
        if file.trusted:
            what = f"{file.name}: no hash is known, taken on trust; from now on it is SHA-256 {file.sha256}"
            typer.echo(what, err=True)


def _progress(name: str, done: int, total: int) -> None:
    end = "\n" if total and done >= total else ""
    of = f" of {total / 1e6:.1f}" if total else ""
    typer.echo(f"\r{name}: {done / 1e6:.1f}{of} MB{end}", err=True, nl=False)
