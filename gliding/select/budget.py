"""The adaptive rate controller: from the window, the budget and the text's own density to a target.

With w the window, r what is left of it and c in [0, 1] how critical the text is:
pressure = 1 - r/w; strength = clip(pressure * (1.5 - c) * density, least, most); rate = 1 - strength;
target = min(rate * size, r - reserve). An explicit budget or rate overrides it.
"""

from __future__ import annotations

import zlib
from typing import Literal

from gliding.config import ControlConfig
from gliding.errors import BudgetError, InputError
from gliding.types import Budget, Target

_SAMPLE = 1 << 16
_TYPICAL = 0.45
_DENSE = 0.7


def target(budget: Budget, size: int, text: str, config: ControlConfig, *, criticality: float | None = None) -> Target:
    """Decide how long the output may be and which tier is the lightest to try.

    Args:
        budget: What the caller asked for.
        size: Tokens of the input.
        text: The input, read for how much it repeats itself.
        config: The preset's thresholds.
        criticality: The documents' own, in [0, 1]; None: the budget's, else the preset's.

    Raises:
        InputError: None or several of budget, rate and window are given, or one is out of range.
        BudgetError: The window has no room left.

    >>> target(Budget(window=1000, used=500), 400, "", ControlConfig()).tokens
    200
    >>> target(Budget(max_tokens=100), 400, "", ControlConfig()).tier
    'rewrite'
    """
    check(budget)
    room = size
    if budget.max_tokens is not None:
        room = budget.max_tokens - budget.reserve
        rule = f"budget of {budget.max_tokens} tokens" + (
            f" less {budget.reserve} in reserve" if budget.reserve else ""
        )
        if room < 1:
            raise BudgetError(f"A reserve of {budget.reserve} leaves nothing of {budget.max_tokens} tokens.",
                              hint="Lower --reserve or raise --max-tokens.")  # fmt: skip
        strength = 1 - min(1.0, room / size) if size else 0.0
    elif budget.rate is not None:
        room = int(budget.rate * size + 1e-9)
        strength = 1 - budget.rate
        rule = f"rate of {budget.rate:g}"
    else:
        return _adaptive(budget, size, text, config, criticality)
    if room >= size:
        return Target(tokens=room, strength=0.0, tier="none", rule=f"{rule}: the input fits")
    return Target(tokens=room, strength=strength, tier=_tier(strength, config), rule=rule)


def check(budget: Budget) -> None:
    """Raise InputError unless exactly one of budget, rate and window is given and all are in range."""
    given = [budget.max_tokens is not None, budget.rate is not None, budget.window is not None]
    if sum(given) != 1:
        wrong = "No budget is given." if not any(given) else "More than one of max_tokens, rate and window is given."
        raise InputError(wrong, hint="Give exactly one: --max-tokens N, --rate R, or --window W with --used U.")
    if budget.max_tokens is not None and budget.max_tokens < 1:
        raise BudgetError(f"max_tokens is {budget.max_tokens}, but no text has less than 1 token.")
    if budget.rate is not None and not 0 < budget.rate <= 1:
        raise InputError(f"rate is {budget.rate:g}, but must be above 0 and at most 1.")
    if budget.window is not None and not 0 <= budget.used <= budget.window:
        raise InputError(f"used is {budget.used}, but must be between 0 and the window of {budget.window}.")
    if budget.window is not None and budget.window < 1:
        raise InputError(f"window is {budget.window}, but must be at least 1.")
    if budget.reserve < 0:
        raise InputError(f"reserve is {budget.reserve}, but must not be negative.")
    if budget.criticality is not None and not 0 <= budget.criticality <= 1:
        raise InputError(f"criticality is {budget.criticality:g}, but must be between 0 and 1.")


def density(text: str) -> float:
    """Return how little a text repeats itself: its size in DEFLATE over its size, at most 1.

    >>> density("ab" * 2000) < 0.02 and density("") == 1.0
    True
    """
    data = text[:_SAMPLE].encode("utf-8", "surrogatepass")
    return min(1.0, len(zlib.compress(data, 6)) / len(data)) if data else 1.0


def _adaptive(budget: Budget, size: int, text: str, config: ControlConfig, own: float | None) -> Target:
    window = budget.window or 1
    left = window - budget.used
    room = left - budget.reserve
    if room < 1:
        raise BudgetError(f"The window of {window} tokens has {left} left, and {budget.reserve} are kept in reserve.",
                          hint="Lower --used or --reserve, or raise --window.")  # fmt: skip
    critical = next(c for c in (own, budget.criticality, config.criticality) if c is not None)
    pressure = 1 - left / window
    dense = density(text) if text else _TYPICAL
    wanted = pressure * (1.5 - critical) * min(1.3, max(0.5, 1 + _TYPICAL - dense))
    strength = min(config.most, max(config.least, wanted))
    rule = f"window {window}, {left} left, criticality {critical:g}, density {dense:.2f}: strength {strength:.2f}"
    if dense > _DENSE and size > 200 and size <= room:
        return Target(tokens=size, strength=0.0, tier="none", rule=f"{rule}; left alone: the text does not compress")
    tokens = min(int((1 - strength) * size), room)
    if tokens == room and room < size:
        strength = max(strength, 1 - room / size)
        rule += "; the room that is left rules"
    return Target(tokens=max(1, tokens) if size else 1, strength=strength, tier=_tier(strength, config), rule=rule)


def _tier(strength: float, config: ControlConfig) -> Literal["trim", "extract", "rewrite"]:
    if strength < config.trim_below:
        return "trim"
    return "extract" if strength < config.extract_below else "rewrite"
