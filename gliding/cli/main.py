"""The command ``gliding``: the app, its subcommands, and what an error looks like.

Nothing heavy is imported before a command runs, so that ``gliding --help`` answers at once.
"""

from __future__ import annotations

import os
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from gliding import __version__
from gliding.cli import audit, batch, compress, doctor, models, presets, store
from gliding.errors import GlidingError

_INTERRUPTED = 130  # 128 + SIGINT, as a shell reports it
_PIPE_CLOSED = 141  # 128 + SIGPIPE


class _Commands(TyperGroup):
    """Turns what a command raises into one line on stderr and an exit code."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except GlidingError as error:
            typer.echo(f"error: {error.message}", err=True)
            if error.hint:
                typer.echo(f"hint: {error.hint}", err=True)
            raise typer.Exit(error.exit_code) from error
        except KeyboardInterrupt as error:
            raise typer.Exit(_INTERRUPTED) from error
        except BrokenPipeError as error:
            # The reader is gone; what Python still flushes at exit must not complain about it.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(_PIPE_CLOSED) from error


# Help by rich would double the time to the first line.
app = typer.Typer(
    cls=_Commands,
    help="Compress context for language models, wholly on this machine.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("compress")(compress.compress)
app.command("batch")(batch.batch)
app.command("audit")(audit.audit)
app.add_typer(presets.app, name="presets")
app.add_typer(models.app, name="models")
app.add_typer(store.app, name="store")
app.command("doctor")(doctor.doctor)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"gliding {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Compress context for language models, wholly on this machine."""


def run() -> None:
    """Run the command line; the entry point of the installed script."""
    app(prog_name="gliding")
