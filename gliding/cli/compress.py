"""``gliding compress``: files or standard input in, the shorter text on stdout, all else on stderr."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gliding.cli import options
from gliding.errors import InputError

if TYPE_CHECKING:
    from gliding.types import Result

STDIN = "-"


def compress(
    files: Annotated[
        list[str] | None, typer.Argument(metavar="[FILE ...|-]", help="Files to read; - is stdin.")
    ] = None,
    query: Annotated[str, typer.Option("--query", "-q", help="What the reader wants to know.")] = "",
    max_tokens: options.MaxTokens = None,
    rate: options.Rate = None,
    window: options.Window = None,
    used: options.Used = 0,
    criticality: options.Criticality = None,
    reserve: options.Reserve = 0,
    task: options.Task = "",
    tokenizer: options.Tokenizer = None,
    preset: options.PresetName = None,
    setting: options.Setting = None,
    pin: options.Pin = None,
    kind: options.Kind = "",
    deadline: options.Deadline = None,
    audit: Annotated[
        bool, typer.Option("--audit", help="Compare the output with the input: lost, added, broken; in --json too.")
    ] = False,
    no_cache: options.NoCache = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Write the whole result as JSON instead of the text.")
    ] = False,
    report: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the report as JSON to a file.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Write nothing on stderr but errors.")] = False,
) -> None:
    """Shorten documents to a token budget. The text goes to stdout, a one-line report to stderr."""
    paths = files or [STDIN]
    options.check_budget(max_tokens=max_tokens, rate=rate, window=window, used=used, criticality=criticality)
    options.check_kind(kind)
    options.check_unicode(query=query, task=task, pins=pin or [])
    overrides = options.settings(setting or [])
    if report is not None:
        report = _report_target(report, paths)
    if not files and sys.stdin.isatty():
        raise InputError(
            "Nothing to read: no FILE is given and stdin is a terminal.", hint="Give a FILE or pipe text in."
        )

    from gliding import registry
    from gliding.compressor import Compressor
    from gliding.ingest.sources import read_paths

    warnings: list[str] = []
    documents = read_paths(paths, kind=kind, readers=registry.readers(warnings.append))
    with Compressor.from_preset(preset, overrides=overrides, tokenizer=tokenizer, cache=not no_cache) as compressor:
        result = compressor.compress(
            documents,
            query=query,
            max_tokens=max_tokens,
            rate=rate,
            window=window,
            used=used,
            reserve=reserve,
            criticality=criticality,
            task=task,
            pins=tuple(pin or ()),
            deadline=deadline,
            audit=audit,
            warnings=tuple(warnings),
        )
    _write(result, as_json=as_json, report=report)
    if not quiet:
        _tell(result)


def _report_target(report: Path, inputs: list[str]) -> Path:
    """Return the file that a report may be written to, links followed, before any work is done."""
    target = Path(os.path.realpath(report))
    if target.is_dir() or not target.parent.is_dir():
        raise InputError(f"--report {str(report)!r} is not a file in an existing folder.", hint="Name another file.")
    for name in inputs:
        if name != STDIN and target.exists() and os.path.exists(name) and os.path.samefile(name, target):
            raise InputError(f"--report would overwrite the input file {name!r}.", hint="Name another file.")
    return target


def _write(result: Result, *, as_json: bool, report: Path | None) -> None:
    import json

    from gliding.report import to_json

    if report is not None:
        _replace(report, to_json(result.report).encode("utf-8", "backslashreplace"))
    text = json.dumps(result.to_dict(), ensure_ascii=False, indent=2) + "\n" if as_json else result.text
    if not as_json and text and not text.endswith("\n") and sys.stdout.isatty():
        text += "\n"
    # Bytes, because a text stream would translate line ends and the locale's encoding may lack characters.
    stdout = sys.stdout.buffer
    stdout.write(text.encode("utf-8", "backslashreplace"))
    stdout.flush()


def _replace(target: Path, data: bytes) -> None:
    """Write a file whole or not at all."""
    try:
        if target.exists() and not target.is_file():
            target.write_bytes(data)  # a device or a pipe: must not be replaced by a file
            return
        temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
        try:
            temporary.write_bytes(data)
            os.replace(temporary, target)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise InputError(f"--report {str(target)!r} cannot be written: {error.strerror}.") from error


def _tell(result: Result) -> None:
    from gliding.report import audit_line, one_line

    for warning in result.report.warnings:
        typer.echo(f"warning: {warning}", err=True)
    typer.echo(one_line(result.report), err=True)
    if result.audit is not None:
        typer.echo(audit_line(result.audit), err=True)
