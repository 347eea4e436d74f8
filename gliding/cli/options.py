"""The options that several commands share, and the checks of what is given."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Annotated

import typer

from gliding.errors import ConfigError, InputError

KINDS = (
    "prose",
    "markdown",
    "html",
    "xml",
    "mail",
    "json",
    "jsonl",
    "messages",
    "csv",
    "tsv",
    "yaml",
    "toml",
    "ini",
    "diff",
    "log",
    "code",
)

MaxTokens = Annotated[int | None, typer.Option("--max-tokens", "-n", min=0, help="The most tokens that come out.")]
Rate = Annotated[float | None, typer.Option("--rate", "-r", help="Tokens out / tokens in, above 0 and at most 1.")]
Window = Annotated[
    int | None, typer.Option(min=1, help="The reader's context window in tokens; the controller decides.")
]
Used = Annotated[int, typer.Option(min=0, help="Tokens of the window that are taken.")]
Criticality = Annotated[
    float | None, typer.Option(min=0.0, max=1.0, help="How much the text matters to the task, 0 to 1.")
]
Reserve = Annotated[int, typer.Option(min=0, metavar="TOKENS", help="Tokens to keep free for the answer.")]
Task = Annotated[str, typer.Option(metavar="NAME", help="answer, debug, continue or summarize; else the query tells.")]
Tokenizer = Annotated[
    str | None, typer.Option(metavar="NAME|PATH", help="o200k_base, cl100k_base, chars, words, a tokenizer.json.")
]
PresetName = Annotated[
    str | None, typer.Option("--preset", "-p", help="edge, balanced, deep, precise, or the path of a TOML file.")
]
Setting = Annotated[
    list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Change a setting of the preset; repeatable.")
]
Pin = Annotated[list[str] | None, typer.Option(metavar="TEXT", help="Text that must come out verbatim; repeatable.")]
Kind = Annotated[str, typer.Option(metavar="KIND", help=f"{', '.join(KINDS)}; else name and content tell.")]
Deadline = Annotated[
    float | None,
    typer.Option(min=0.0, metavar="SECONDS", help="When vectors and rewriting are cut short; the report says so."),
]
NoCache = Annotated[bool, typer.Option("--no-cache", help="Neither read nor write the cache of vectors.")]
TextColumn = Annotated[
    str, typer.Option(metavar="NAME", help="The column of a table that holds the text; else text, content, ...")
]
IdColumn = Annotated[
    str, typer.Option(metavar="NAME", help="The column that names a row; else id, else the row's number.")
]
Glob = Annotated[
    list[str] | None, typer.Option(metavar="PATTERN", help="Only these files of a folder, as *.md; repeatable.")
]
GitIgnore = Annotated[bool, typer.Option("--gitignore", help="Leave out what .gitignore files name.")]


def check_budget(
    *, max_tokens: int | None, rate: float | None, window: int | None, used: int, criticality: float | None
) -> None:
    """See that exactly one budget is given, and nothing that only counts with another.

    Raises:
        InputError: None or several are given, or an option has no effect.
    """
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


def check_kind(kind: str) -> None:
    """See that a kind has a name.

    Raises:
        InputError: There is no such kind; the hint has the nearest one.
    """
    if kind and kind not in KINDS:
        close = get_close_matches(kind, KINDS, n=1)
        meant = f"Did you mean {close[0]!r}? " if close else ""
        raise InputError(f"There is no kind {kind!r}.", hint=f"{meant}Kinds: {', '.join(KINDS)}.")


def check_unicode(*, query: str = "", task: str = "", pins: Sequence[str] = ()) -> None:
    """See that what was typed is text: a terminal may give bytes that are none.

    Raises:
        InputError: An option is not valid UTF-8.
    """
    for option, value in (("--query", query), ("--task", task), *(("--pin", text) for text in pins)):
        if any("\ud800" <= char <= "\udfff" for char in value):  # what stands for a byte that is no UTF-8
            raise InputError(f"{option} is not valid UTF-8.", hint="Check the terminal's encoding.")


def settings(pairs: Sequence[str]) -> dict[str, str]:
    """Return what ``--set`` changes, by dotted key.

    Raises:
        ConfigError: A pair has no '='.
    """
    found = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals:
            raise ConfigError(f"--set {pair!r} has no '='.", hint="Write --set score.passages.dense=0.4")
        found[key.strip()] = value.strip()
    return found
