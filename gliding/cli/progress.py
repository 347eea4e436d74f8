"""What a batch shows while it runs: a bar on a terminal, lines elsewhere, events for machines, a table at the end."""

from __future__ import annotations

import json
import sys
from time import monotonic
from types import TracebackType
from typing import IO, TYPE_CHECKING, Protocol

import typer

if TYPE_CHECKING:
    from gliding.batch.events import Event, Summary

_EVERY = 5.0  # seconds between two lines where there is no terminal
_SHOWN = 5  # failures that are told one by one


class Teller(Protocol):
    """Tells of a batch: ``notify`` of each thing that happens, ``warn`` of what is left out, ``close`` at its end."""

    def notify(self, event: Event) -> None:
        """Tell of one event."""
        ...

    def warn(self, text: str) -> None:
        """Tell what was left out."""
        ...

    def close(self, summary: Summary) -> None:
        """Tell how it ended."""
        ...

    def __enter__(self) -> Teller: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


def teller(*, events: bool, quiet: bool) -> Teller:
    """Return what tells of a batch on this terminal, or pipe."""
    if events:
        return Events(sys.stdout)
    if quiet:
        return _Silent()
    return _Bar() if sys.stderr.isatty() else _Lines()


class _Silent:
    """Tells nothing; errors come out by themselves."""

    def __init__(self) -> None:
        self.done = self.skipped = self.failed = self.tokens = 0
        self.total: int | None = None
        self.started = monotonic()

    def notify(self, event: Event) -> None:
        if event.kind == "started":
            self.total = event.total
        self.done += event.kind == "done"
        self.skipped += event.kind == "skipped"
        self.failed += event.kind == "failed"
        self.tokens += event.tokens_in if event.kind == "done" else 0

    def warn(self, text: str) -> None:
        """Nothing."""

    def close(self, summary: Summary) -> None:
        """Nothing."""

    def __enter__(self) -> _Silent:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Nothing to end."""

    @property
    def over(self) -> int:
        """Documents that are over and done with."""
        return self.done + self.skipped + self.failed

    def rates(self) -> str:
        """Documents and tokens a second, counted over what was computed."""
        seconds = max(1e-9, monotonic() - self.started)
        return f"{(self.done + self.failed) / seconds:.1f} documents/s, {self.tokens / seconds:,.0f} tokens/s"


class _Lines(_Silent):
    """Plain lines on stderr, one every few seconds."""

    def __init__(self) -> None:
        super().__init__()
        self._last = self.started

    def notify(self, event: Event) -> None:
        super().notify(event)
        if event.kind == "failed" and self.failed <= _SHOWN:
            self._say(f"failed: {_shown(event.id)}: {_shown(event.error)}")
        if event.kind != "finished" and monotonic() - self._last >= _EVERY:
            self._last = monotonic()
            of = f" of {self.total}" if self.total is not None else ""
            self._say(f"{self.over}{of} documents, {self.failed} failed, {self.rates()}")

    def warn(self, text: str) -> None:
        self._say(f"warning: {_shown(text)}")

    def close(self, summary: Summary) -> None:
        for line in closing(summary):
            self._say(line)

    def _say(self, text: str) -> None:
        typer.echo(text, err=True)


class _Bar(_Lines):
    """A bar on a terminal."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        super().__init__()
        columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"), TimeRemainingColumn())
        self._progress = Progress(*columns, console=Console(stderr=True), transient=True)
        self._task = self._progress.add_task("")

    def notify(self, event: Event) -> None:
        _Silent.notify(self, event)
        if event.kind == "started":
            self._progress.update(self._task, total=event.total)
        failed = f", {self.failed} failed" if self.failed else ""
        self._progress.update(self._task, completed=self.over, description=f"{self.rates()}{failed}")
        if event.kind == "failed" and self.failed <= _SHOWN:
            self._say(f"failed: {_shown(event.id)}: {_shown(event.error)}")

    def _say(self, text: str) -> None:
        self._progress.console.print(text, markup=False, highlight=False)

    def __enter__(self) -> _Bar:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()


class Events(_Silent):
    """One JSON object a line for each event; the last one is the summary."""

    def __init__(self, out: IO[str]) -> None:
        super().__init__()
        self._out = out

    def notify(self, event: Event) -> None:
        """Write an event."""
        if event.kind != "finished":  # the summary says it all
            self._write({name: value for name, value in event._asdict().items() if value not in ("", None)})

    def warn(self, text: str) -> None:
        """Write what was left out."""
        self._write({"kind": "warning", "text": text})

    def close(self, summary: Summary) -> None:
        """Write the summary."""
        self._write(
            {
                "kind": "finished",
                "documents": summary.documents,
                "done": summary.done,
                "skipped": summary.skipped,
                "failed": summary.failed,
                "tokens_in": summary.tokens_in,
                "tokens_out": summary.tokens_out,
                "rate": summary.rate,
                "tiers": dict(summary.tiers),
                "slowest": [slow._asdict() for slow in summary.slowest],
                "seconds": summary.seconds,
            }
        )

    def _write(self, values: dict[str, object]) -> None:
        self._out.write(json.dumps(values) + "\n")
        self._out.flush()


def closing(summary: Summary) -> list[str]:
    """Return the lines of the closing table: documents, tokens, rate, tiers, the slowest."""
    lines = [
        f"documents  {summary.documents:>12,}  ({summary.done:,} done, {summary.skipped:,} as before, "
        f"{summary.failed:,} failed)",
        f"tokens in  {summary.tokens_in:>12,}",
        f"tokens out {summary.tokens_out:>12,}  (rate {summary.rate:.3f})",
        f"seconds    {summary.seconds:>12,.1f}",
    ]
    lines += [f"tier       {summary.tiers[tier]:>12,}  {tier}" for tier in sorted(summary.tiers)]
    lines += [f"slowest    {slow.seconds:>10.2f} s  {_shown(slow.id)}" for slow in summary.slowest]
    if summary.failed:
        lines.append("Run the same command again to try the failed ones again.")
    return lines


def _shown(text: str) -> str:
    """One line that a terminal takes for nothing but text."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())
