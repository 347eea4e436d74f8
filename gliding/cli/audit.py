"""``gliding audit``: a source and its shortened text in, what was lost, added and broken out as a table or JSON."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gliding.errors import InputError

if TYPE_CHECKING:
    from gliding.types import Audit, Finding

STDIN = "-"
FAULTY = 1  # as diff says it: 0 alike, 1 different, more than 1 trouble. No error of the package has this code.
_MOST = 10  # findings of a sort that are shown without --all
_AROUND = 24  # characters of the text that are shown before and after a finding
_LONGEST = 60
_KINDS = {
    **{".py": "python", ".pyi": "python", ".jsonl": "jsonl", ".ndjson": "jsonl", ".yaml": "yaml", ".yml": "yaml"},
    **dict.fromkeys((".xml", ".rss", ".atom", ".svg", ".plist", ".xsd", ".wsdl", ".pom", ".csproj"), "xml"),
    **{".toml": "toml", ".csv": "csv", ".tsv": "tsv", ".md": "markdown", ".markdown": "markdown"},
}


def audit(
    source: Annotated[str, typer.Argument(metavar="SOURCE", help="The text that was shortened; - is stdin.")],
    output: Annotated[str, typer.Argument(metavar="OUTPUT", help="What came of it; - is stdin.")],
    kind: Annotated[
        str,
        typer.Option(
            "--kind",
            "-k",
            metavar="KIND",
            help="json, jsonl, messages, yaml, csv, markdown, text, python, go ...; else name and content tell.",
        ),
    ] = "",
    allow: Annotated[
        list[str] | None,
        typer.Option(metavar="TEXT", help="A title or marker that may stand in the output; repeatable."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Write the whole audit as JSON.")] = False,
    everything: Annotated[
        bool, typer.Option("--all", help="List every finding, also what went with its whole sentence.")
    ] = False,
) -> None:
    """Say which facts an output lost or added, and what is broken. Exit code 1: something was added or is broken."""
    from gliding import registry
    from gliding.assemble import whole_text
    from gliding.audit import audit as compare
    from gliding.ingest.sources import read_paths
    from gliding.text.languages import NAMES, named_language

    if source == output == STDIN:
        raise InputError("Standard input is named twice.", hint="Give - once.")
    readers = registry.readers(lambda warning: typer.echo(f"warning: {warning}", err=True))
    # as it is compressed: a page of HTML as text, a mail with its speakers
    old = whole_text(read_paths([source], readers=readers))
    new = whole_text(read_paths([output], kind="text"))
    language = named_language(source)
    kind = kind or _KINDS.get(Path(source).suffix.lower(), language if language in NAMES else "")
    trees = registry.syntax_trees()
    if kind in NAMES and trees is None:
        typer.echo("warning: whether it parses is not checked; for that, run: pip install 'gliding[code]'", err=True)
    found = compare(old, new, kind=kind, allowed=tuple(allow or ()), trees=trees)
    if as_json:
        import json

        text = json.dumps(found.to_dict(), ensure_ascii=False, indent=2)
    else:
        text = "\n".join(_lines(found, old, new, everything=everything))
    # Bytes, because the locale's encoding may lack characters.
    sys.stdout.buffer.write((text + "\n").encode("utf-8", "backslashreplace"))
    sys.stdout.buffer.flush()
    if not found.clean:
        raise typer.Exit(FAULTY)


def _lines(found: Audit, source: str, output: str, *, everything: bool) -> Iterator[str]:
    yield f"{'fact':<11} {'source':>7} {'kept':>7} {'lost inside':>12} {'gone':>7} {'added':>7}"
    lost, gone, added = (Counter(one.kind for one in some) for some in (found.lost, found.gone, found.added))
    for kind in dict.fromkeys((*found.counts, *added)):
        there, kept = found.counts.get(kind, (0, 0))
        yield f"{kind:<11} {there:>7} {kept:>7} {lost[kind]:>12} {gone[kind]:>7} {added[kind]:>7}"
    yield from _listed("added, not in the source", found.added, output, everything)
    yield from _listed("lost inside kept text", found.lost, source, everything)
    if everything:
        yield from _listed("gone with its sentence", found.gone, source, everything)
    if found.broken:
        yield ""
        yield from (f"broken: {_shown(fault)}" for fault in found.broken)
    yield ""
    verdict = "clean" if found.clean else f"{len(found.added)} added, {len(found.broken)} broken"
    yield f"{verdict} (checked as {found.kind})"


def _listed(title: str, found: Sequence[Finding], text: str, everything: bool) -> Iterator[str]:
    if not found:
        return
    yield ""
    yield f"{title}:"
    shown = found if everything else found[:_MOST]
    for kind, what, (start, end) in shown:
        around = _shown(text[max(0, start - _AROUND) : min(end, start + _LONGEST) + _AROUND])
        yield f"  {kind:<11} {_cut(_shown(what))}  at {start}: {around}"
    if len(found) > len(shown):
        yield f"  and {len(found) - len(shown)} more: see --all"


def _shown(text: str) -> str:
    """One line that a terminal takes for nothing but text."""
    return " ".join("".join(ch if ch.isprintable() else " " for ch in text).split())


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."
