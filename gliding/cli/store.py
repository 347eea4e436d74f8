"""``gliding store``: a corpus on disk: add to it, search it, compress what it says to a query, look after it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from gliding.cli import options
from gliding.errors import GlidingError, InputError, StoreError

if TYPE_CHECKING:
    from gliding.batch.items import Item
    from gliding.store import Changed, Hit
    from gliding.types import Document

app = typer.Typer(
    help="A corpus on disk: add, search, compress, compact, check, rebuild.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

_Store = Annotated[Path, typer.Argument(metavar="STORE", help="The store's folder.")]
_Query = Annotated[str, typer.Argument(metavar="QUERY", help="What is looked for.")]
_By = Annotated[
    Literal["both", "words", "vectors"], typer.Option("--by", help="What finds segments; both: fused by their ranks.")
]
_Json = Annotated[bool, typer.Option("--json", help="Write JSON.")]
_Quiet = Annotated[bool, typer.Option("--quiet", help="Write nothing on stderr but errors.")]
_SHOWN = 160  # characters of a segment in a line


@app.command()
def add(
    store: _Store,
    inputs: Annotated[list[str], typer.Argument(metavar="PATH ...", help="Files, folders, tables, archives; - too.")],
    preset: options.PresetName = None,
    kind: options.Kind = "",
    text_column: options.TextColumn = "",
    id_column: options.IdColumn = "",
    glob: options.Glob = None,
    gitignore: options.GitIgnore = False,
    quiet: _Quiet = False,
) -> None:
    """Add documents; the store is made where there is none. Changed ones are replaced, unchanged ones left alone.

    Exit code 2: a document could not be read; the others are added.
    """
    from gliding.batch.inputs import checked, read_items
    from gliding.store import Store

    options.check_kind(kind)
    checked(inputs)
    say = _nothing if quiet else _say
    failed: list[str] = []
    items = read_items(
        inputs, glob=glob or (), gitignore=gitignore, text_column=text_column, id_column=id_column, output=store,
        warn=lambda text: say(f"warning: {text}"),
    )  # fmt: skip
    with Store.open(store, preset=preset, create=True) as corpus:
        changed = corpus.add(_documents(items, kind, failed, say), progress=None if quiet else _progress())
    say(
        f"{changed.added} added, {changed.replaced} replaced, {changed.unchanged} unchanged, "
        f"{changed.segments} segments written, {changed.embedded} embedded"
    )
    if failed:
        raise InputError(f"{len(failed)} documents could not be read.", hint="The others are in the store.")


@app.command()
def remove(store: _Store, ids: Annotated[list[str], typer.Argument(metavar="ID ...", help="Documents.")]) -> None:
    """Remove documents by their ids."""
    from gliding.store import Store

    with Store.open(store) as corpus:
        typer.echo(f"{corpus.remove(ids)} removed", err=True)


@app.command()
def search(
    store: _Store,
    query: _Query,
    k: Annotated[int, typer.Option("-k", min=1, help="Segments that are wanted.")] = 10,
    by: _By = "both",
    as_json: _Json = False,
) -> None:
    """Find the best segments, a line each: document, characters, and how the text begins."""
    from gliding.store import Store

    options.check_unicode(query=query)
    with Store.open(store) as corpus:
        hits = corpus.search(query, k, by=by)
    _write(json.dumps([hit.to_dict() for hit in hits], indent=2) + "\n" if as_json else "".join(map(_line, hits)))


@app.command()
def compress(
    store: _Store,
    query: _Query,
    max_tokens: Annotated[int, typer.Option("--max-tokens", "-n", min=1, help="The most tokens that come out.")],
    by: _By = "both",
    times: Annotated[
        float, typer.Option(min=1.0, help="Of the budget, how much of the best segments is compressed.")
    ] = 4.0,
    reserve: options.Reserve = 0,
    task: options.Task = "",
    tokenizer: options.Tokenizer = None,
    deadline: options.Deadline = None,
    as_json: _Json = False,
    quiet: _Quiet = False,
) -> None:
    """Answer a query in at most so many tokens. The text goes to stdout, its documents and characters to stderr."""
    from gliding.report import one_line
    from gliding.store import Store

    options.check_unicode(query=query, task=task)
    with Store.open(store) as corpus:
        answer = corpus.compress(
            query,
            max_tokens=max_tokens,
            by=by,
            times=times,
            reserve=reserve,
            task=task,
            tokenizer=tokenizer,
            deadline=deadline,
        )
    ending = "\n" if answer.text and not answer.text.endswith("\n") and sys.stdout.isatty() else ""
    _write(json.dumps(answer.to_dict(), indent=2) + "\n" if as_json else answer.text + ending)
    if not quiet:
        for warning in answer.result.report.warnings:
            _say(f"warning: {warning}")
        for name in answer.documents:
            spans = [cited.span for cited in answer.cited if cited.document == name]
            _say(f"{_plain(name)}: {', '.join(f'{start}-{end}' for start, end in spans)}")
        _say(one_line(answer.result.report))


@app.command()
def compact(store: _Store) -> None:
    """Drop what removed documents left behind, index all vectors, and give room back to the disk."""
    from gliding.store import Store

    with Store.open(store) as corpus:
        before = sum(corpus.info().bytes.values())
        corpus.compact()
        after = sum(corpus.info().bytes.values())
    _say(f"{before / 1e6:.1f} MB before, {after / 1e6:.1f} MB after")


@app.command()
def check(store: _Store) -> None:
    """Read all of a store and say what is wrong. Exit code 10: something is."""
    from gliding.store import Store
    from gliding.store.faults import command

    with Store.open(store) as corpus:
        found = corpus.check()
    for problem in found:
        typer.echo(problem)
    if found:
        raise StoreError(f"{store} is damaged.", hint=command("rebuild", store))
    typer.echo("whole")


@app.command()
def rebuild(store: _Store, preset: options.PresetName = None, quiet: _Quiet = False) -> None:
    """Make the indexes anew from the documents, with another preset's embedder if one is named.

    Of a damaged store the documents that can still be read are kept. Exit code 10: some could not.
    """
    from gliding.store import Store

    lost: list[str] = []
    with Store.rebuild(store, preset=preset, progress=None if quiet else _progress(), lost=lost) as corpus:
        held = corpus.info()
    for each in lost:
        _say(f"lost: {each}")
    if not quiet:
        _say(f"{held.documents} documents, {held.segments} segments")
    if lost:
        raise StoreError(f"{len(lost)} documents were lost.", hint="Add them again.")


@app.command()
def info(store: _Store, as_json: _Json = False) -> None:
    """Say what a store holds."""
    from gliding.store import Store

    with Store.open(store) as corpus:
        held = corpus.info()
    if as_json:
        typer.echo(json.dumps(held.to_dict(), indent=2))
        return
    typer.echo(f"documents   {held.documents:,} ({held.characters:,} characters)")
    typer.echo(f"segments    {held.segments:,}, {held.dead:,} removed ones still in the indexes")
    typer.echo(f"preset      {held.preset}, vectors of {held.embedder or 'none'}")
    found = f", finds {held.recall:.1%} of the ten nearest in {held.probes} lists" if held.recall is not None else ""
    typer.echo(f"indexed     {held.indexed:,} vectors{found}; the others are compared one by one")
    typer.echo(f"words       {'BM25 by SQLite FTS5' if held.words else 'none: this SQLite lacks FTS5'}")
    for name, size in held.bytes.items():
        typer.echo(f"{name:<24} {size / 1e6:10.1f} MB")


def _documents(items: Iterator[Item], kind: str, failed: list[str], say: Callable[[str], None]) -> Iterator[Document]:
    """The documents of items; those that cannot be read are told and left out."""
    from gliding import registry
    from gliding.ingest.sources import read, read_bytes

    readers = registry.readers(lambda text: say(f"warning: {text}"))
    for item in items:
        found: tuple[Document, ...] = ()
        error = item.error
        if not error:
            try:
                given: Any = {"text": item.data, "id": item.id, "kind": kind}
                if isinstance(item.data, str):
                    found = read(given, readers=readers)
                else:
                    found = read_bytes(item.data, name=item.id, kind=kind, readers=readers)
            except GlidingError as wrong:
                error = str(wrong)
        if error:
            failed.append(item.id)
            say(f"failed: {_plain(item.id)}: {error}")
        for position, document in enumerate(found):
            yield _named(document, f"{item.id}#{position}" if position else item.id)


def _named(document: Document, name: str) -> Document:
    from dataclasses import replace

    return replace(document, id=name)


def _progress() -> Callable[[Changed], None]:
    """Tell how far it is: on a terminal in one line, else in a line now and then."""
    from time import monotonic

    started = last = monotonic()
    terminal = sys.stderr.isatty()

    def tell(changed: Changed) -> None:
        nonlocal last
        now = monotonic()
        if now - last >= (0.2 if terminal else 5.0):
            last = now
            rate = changed.documents / max(1e-9, now - started)
            text = f"{changed.documents} documents, {changed.embedded} segments embedded, {rate:.1f} documents/s"
            typer.echo(f"\r{text}" if terminal else text, err=True, nl=not terminal)

    return tell


def _line(hit: Hit) -> str:
    text = " ".join(hit.text.split())
    shown = text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
    return f"{hit.document}:{hit.span.start}-{hit.span.end}\t{shown}\n"


def _write(text: str) -> None:
    # Bytes, because a text stream would translate line ends and the locale's encoding may lack characters.
    sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
    sys.stdout.buffer.flush()


def _plain(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()


def _say(text: str) -> None:
    typer.echo(_plain(text), err=True)


def _nothing(text: str) -> None:
    """Say nothing."""
