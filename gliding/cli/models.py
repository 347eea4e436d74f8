"""``gliding models``: which models there are, where they lie, whether they are whole; only ``fetch`` uses a network."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from gliding.errors import GlidingError, ModelNotAvailable

app = typer.Typer(help="List, find, verify and fetch models.", no_args_is_help=True, rich_markup_mode=None)

_Model = Annotated[str, typer.Argument(metavar="ID", help="A model's id, as in: gliding models list")]


@app.command("list")
def list_models() -> None:
    """List the models, a line each: id, task, licence, megabytes, where it was found."""
    from gliding import models

    for model, spec in models.manifests().items():
        megabytes = sum(file.bytes for file in spec.files) / 1e6
        typer.echo(f"{model:<16} {spec.task:<9} {spec.licence:<11} {megabytes:6.1f} MB  {place(model)}")


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
    typer.echo(folder)


def place(model: str) -> str:
    """Say where a model's files lie, or the command that brings them."""
    from gliding import models

    try:
        return str(models.find(model))
    except ModelNotAvailable as error:
        return f"not found. {error.hint}"


def _check(model: str, *, wanted: bool) -> GlidingError | None:
    """Say whether a model is whole; return what is wrong, but not the absence of a model that nobody named."""
    from gliding import models

    try:
        typer.echo(f"{model}: whole, in {models.verify(model)}")
    except ModelNotAvailable as error:
        typer.echo(f"{model}: not found. {error.hint}")
        return error if wanted else None
    except GlidingError as error:
        typer.echo(f"{model}: {error}")
        return error
    return None


def _progress(name: str, done: int, total: int) -> None:
    end = "\n" if done >= total else ""
    typer.echo(f"\r{name}: {done / 1e6:.1f} of {total / 1e6:.1f} MB{end}", err=True, nl=False)
