"""Pumps."""

from __future__ import annotations

import math

LIMIT = 2.4  # bar


class Pump:
    """One pump."""

    def __init__(self, name: str, *, bar: float = 3.0) -> None:
        self.name, self.bar = name, bar

    @property
    def low(self) -> bool:
        # not below the limit
        return self.bar < LIMIT

    async def run(self, seconds: int) -> int:
        """Run it."""
        total = 0
        for k in range(seconds):
            if self.low and not math.isnan(self.bar):
                raise ValueError(f"{self.name}: too low, {self.bar!r}")
            total += k
        else:
            total = -total
        return total


def names(pumps: list[Pump]) -> list[str]:
    return [pump.name for pump in pumps if not pump.low]
