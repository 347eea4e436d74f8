"""``gliding batch``: folders and tables in, one shorter text for each document out; progress on stderr."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from gliding.cli import options, progress
from gliding.errors import InputError

if TYPE_CHECKING:
    from gliding.batch.runner import Engine

STDOUT = "-"


def batch(
    inputs: Annotated[
        list[str],
        typer.Argument(
            metavar="INPUT...",
            help="Folders, files, tables (.jsonl, .csv, .parquet), archives (.zip, .tar.*); - is JSON Lines on stdin.",
        ),
    ],
    out: Annotated[
        str,
        typer.Option(
            "--out",
            "-o",
            metavar="DIR|FILE",
            help="A folder for one file a document; a .jsonl or .parquet file for rows; - for JSON Lines on stdout.",
        ),
    ],
    query: Annotated[str, typer.Option("--query", "-q", help="What the reader wants to know of each document.")] = "",
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
        bool, typer.Option("--audit", help="Compare each output with its input; a column of rows.")
    ] = False,
    no_cache: options.NoCache = False,
    text_column: options.TextColumn = "",
    id_column: options.IdColumn = "",
    query_column: Annotated[
        str, typer.Option(metavar="NAME", help="The column with a query of its own for each row; else query, question.")
    ] = "",
    glob: options.Glob = None,
    gitignore: options.GitIgnore = False,
    workers: Annotated[
        int | None, typer.Option("--workers", "-w", min=1, help="Processes; as many as there are cores, if not given.")
    ] = None,
    engine: Annotated[Literal["local", "ray"], typer.Option(help="Where the work is done.")] = "local",
    address: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="A running Ray, for --engine ray; else one is started here.")
    ] = None,
    gpus: Annotated[float, typer.Option(min=0.0, help="GPUs that each of Ray's workers takes.")] = 0.0,
    force: Annotated[bool, typer.Option("--force", help="Do again what is done, and replace files of others.")] = False,
    max_errors: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="Stop when more documents than this have failed.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Write events as JSON Lines on stdout, no progress.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Write nothing on stderr but errors.")] = False,
) -> None:
    """Shorten many documents, each to the budget. What is done is remembered: the same command again does the rest.

    Exit code 9: a document failed; its row, or the summary, says why.
    """
    from gliding.batch.inputs import checked, count_items, read_items
    from gliding.batch.local import LocalEngine
    from gliding.batch.options import Options
    from gliding.batch.outputs import Folder, Stream, Table, is_table
    from gliding.batch.runner import run
    from gliding.batch.task import CompressTask
    from gliding.errors import BatchError

    options.check_budget(max_tokens=max_tokens, rate=rate, window=window, used=used, criticality=criticality)
    options.check_kind(kind)
    options.check_unicode(query=query, task=task, pins=pin or [])
    if engine == "local" and (address or gpus):
        raise InputError("--address and --gpus only count with --engine ray.", hint="Add --engine ray.")
    if as_json and out == STDOUT:
        raise InputError("--json writes events where --out - writes rows.", hint="Give --out a file.")
    asked = Options(
        preset=preset,
        overrides=tuple(options.settings(setting or []).items()),
        tokenizer=tokenizer,
        query=query,
        max_tokens=max_tokens,
        rate=rate,
        window=window,
        used=used,
        reserve=reserve,
        criticality=criticality,
        task=task,
        pins=tuple(pin or ()),
        kind=kind,
        deadline=deadline,
        audit=audit,
        cache=not no_cache,
    )
    checked(inputs)
    output: Folder | Stream | Table
    if out == STDOUT:
        output = Stream(sys.stdout.buffer)
    elif is_table(out):
        output = Table(out, inputs=inputs, force=force)
    else:
        output = Folder(out, inputs=inputs)
    task_of_all = CompressTask(asked)
    workplace: Engine = LocalEngine(task_of_all, workers=workers)
    if engine == "ray":
        from gliding.batch.ray import RayEngine

        workplace = RayEngine(task_of_all, workers=workers, address=address, gpus=gpus)
    told = progress.teller(events=as_json, quiet=quiet)
    with told:
        items = read_items(
            inputs,
            glob=glob or (),
            gitignore=gitignore,
            text_column=text_column,
            id_column=id_column,
            query_column=query_column,
            output=None if out == STDOUT else Path(out),
            unique=isinstance(output, Folder),
            warn=told.warn,
        )
        summary = run(
            items,
            options=asked,
            output=output,
            engine=workplace,
            force=force,
            max_errors=max_errors,
            total=count_items(inputs, glob=glob or (), gitignore=gitignore, text_column=text_column),
            notify=told.notify,
        )
    told.close(summary)
    if summary.failed:
        raise typer.Exit(BatchError.exit_code)
