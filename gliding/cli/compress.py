"""``gliding compress``: files or standard input in, the shorter text on stdout, all else on stderr."""

from __future__ import annotations

import os
import sys
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gliding.errors import ConfigError, InputError

if TYPE_CHECKING:
    from gliding.types import Result

STDIN = "-"
_KINDS = (
    "prose",
    "markdown",
    "html",
    "mail",
    "json",
    "jsonl",
    "messages",
    "csv",
    "tsv",
    "yaml",
    "toml",
    "diff",
    "log",
    "code",
)


def compress(
    files: Annotated[
        list[str] | None, typer.Argument(metavar="[FILE ...|-]", help="Files to read; - is stdin.")
    ] = None,
    query: Annotated[str, typer.Option("--query", "-q", help="What the reader wants to know.")] = "",
    max_tokens: Annotated[
        int | None, typer.Option("--max-tokens", "-n", min=0, help="The most tokens that come out.")
    ] = None,
    rate: Annotated[
        float | None, typer.Option("--rate", "-r", help="Tokens out / tokens in, above 0 and at most 1.")
    ] = None,
    window: Annotated[
        int | None, typer.Option(min=1, help="The reader's context window in tokens; the controller decides.")
    ] = None,
    used: Annotated[int, typer.Option(min=0, help="Tokens of the window that are taken.")] = 0,
    criticality: Annotated[
        float | None, typer.Option(min=0.0, max=1.0, help="How much the text matters to the task, 0 to 1.")
    ] = None,
    reserve: Annotated[int, typer.Option(min=0, metavar="TOKENS", help="Tokens to keep free for the answer.")] = 0,
    task: Annotated[
        str, typer.Option(metavar="NAME", help="answer, debug, continue or summarize; else the query tells.")
    ] = "",
    tokenizer: Annotated[
        str | None, typer.Option(metavar="NAME|PATH", help="o200k_base, cl100k_base, chars, words, a tokenizer.json.")
    ] = None,
    preset: Annotated[
        str | None, typer.Option("--preset", "-p", help="edge, balanced, deep, precise, or the path of a TOML file.")
    ] = None,
    setting: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Change a setting of the preset; repeatable.")
    ] = None,
    pin: Annotated[
        list[str] | None, typer.Option(metavar="TEXT", help="Text that must come out verbatim; repeatable.")
    ] = None,
    kind: Annotated[str, typer.Option(metavar="KIND", help=f"{', '.join(_KINDS)}; else name and content tell.")] = "",
    deadline: Annotated[
        float | None,
        typer.Option(min=0.0, metavar="SECONDS", help="When vectors and rewriting are cut short; the report says so."),
    ] = None,
    audit: Annotated[
        bool, typer.Option("--audit", help="Compare the output with the input: lost, added, broken; in --json too.")
    ] = False,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Neither read nor write the cache of vectors.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Write the whole result as JSON instead of the text.")
    ] = False,
    report: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the report as JSON to a file.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Write nothing on stderr but errors.")] = False,
) -> None:
    """Shorten documents to a token budget. The text goes to stdout, a one-line report to stderr."""
    paths = files or [STDIN]
    _check_budget(max_tokens=max_tokens, rate=rate, window=window, used=used, criticality=criticality)
    _check_kind(kind)
    overrides = _settings(setting or [])
    for option, value in (("--query", query), ("--task", task), *(("--pin", text) for text in pin or [])):
        _check_unicode(option, value)
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


def _check_budget(
    *, max_tokens: int | None, rate: float | None, window: int | None, used: int, criticality: float | None
) -> None:
    given = [
        name
        for name, value in (("--max-tokens", max_tokens), ("--rate", rate), ("--window", window))
        if value is not None
    ]
    if not given:
        raise InputError("No budget is given.", hint="Give --max-tokens N, --rate R or --window W.")
    if len(given) > 1:
        raise InputError(f"{' and '.join(given)} exclude each other.", hint="Give one of them.")
    if window is None and (used or criticality is not None):
        option = "--used" if used else "--criticality"
        raise InputError(f"{option} only counts with --window.", hint="Give --window W, or leave it out.")


def _check_kind(kind: str) -> None:
    if kind and kind not in _KINDS:
        close = get_close_matches(kind, _KINDS, n=1)
        meant = f"Did you mean {close[0]!r}? " if close else ""
        raise InputError(f"There is no kind {kind!r}.", hint=f"{meant}Kinds: {', '.join(_KINDS)}.")


def _check_unicode(option: str, value: str) -> None:
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InputError(f"{option} is not valid UTF-8.", hint="Check the terminal's encoding.") from error


def _settings(pairs: list[str]) -> dict[str, str]:
    settings = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals:
            raise ConfigError(f"--set {pair!r} has no '='.", hint="Write --set score.passages.dense=0.4")
        settings[key.strip()] = value.strip()
    return settings


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
