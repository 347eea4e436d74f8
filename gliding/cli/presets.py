"""``gliding presets``: which presets there are and what is in them."""

from __future__ import annotations

from typing import Annotated

import typer

app = typer.Typer(help="List presets and show what is in them.", no_args_is_help=True, rich_markup_mode=None)


@app.command("list")
def list_presets() -> None:
    """List the presets that come with the package, a line each."""
    from gliding import presets

    for name in presets.names():
        typer.echo(f"{name:<9} {presets.load(name).description}")


@app.command()
def show(
    preset: Annotated[str, typer.Argument(metavar="NAME|PATH", help="A preset's name, or the path of a TOML file.")],
    resolved: Annotated[
        bool, typer.Option("--resolved", help="Write every setting with its value, defaults too.")
    ] = False,
) -> None:
    """Write a preset as TOML: the file as it is, or every setting with its value."""
    from gliding import presets

    checked = presets.load(preset)
    text = presets.dumps(checked) if resolved else presets.find(preset).read_text(encoding="utf-8")
    typer.echo(text, nl=False)
