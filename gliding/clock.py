"""The time of one call: seconds by step, and whether its deadline is over."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter


class Clock:
    """Starts when it is made. ``deadline`` is the seconds that the call may take; None is no limit."""

    def __init__(self, deadline: float | None = None) -> None:
        self.struck = False
        """Whether anybody has been told that the time is over."""
        self._deadline = deadline
        self._seconds: dict[str, float] = {}
        self._started = perf_counter()

    @contextmanager
    def timed(self, step: str) -> Iterator[None]:
        """Add the seconds of the block to a step."""
        started = perf_counter()
        try:
            yield
        finally:
            self._seconds[step] = self._seconds.get(step, 0.0) + perf_counter() - started

    def late(self) -> bool:
        """Say whether the call's time is over; once it is, ``struck`` says so."""
        if not self.struck and self._deadline is not None and perf_counter() - self._started >= self._deadline:
            self.struck = True
        return self.struck

    def seconds(self) -> dict[str, float]:
        """Return the seconds of each step, and ``total`` so far."""
        return {**self._seconds, "total": perf_counter() - self._started}
