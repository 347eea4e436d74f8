"""Gliding as a system of the evaluation harness: ``f(segments, query, budget_tokens) -> str`` for each preset.

    python bench.py gliding_system:edge,gliding_system:balanced --split dev --budgets .05,.1,.2,.3

run with this folder and the checkout on ``PYTHONPATH``. Tokens are those of cl100k_base, as in the harness.
"""

from __future__ import annotations

import os
import tempfile
from functools import cache
from typing import Any

from gliding import Compressor

# The harness takes an item's time from its first call; the other budgets may find the vectors of that one.
os.environ.setdefault("GLIDING_CACHE", tempfile.mkdtemp(prefix="gliding-bench-"))
_FIELDS = ("text", "title", "role", "time", "turn")


@cache
def compressor(preset: str) -> Compressor:
    """A preset's compressor, loaded once; its cache is a new folder, so that no run finds the vectors of another."""
    return Compressor.from_preset(preset, tokenizer="cl100k_base")


def _run(preset: str, segments: list[dict[str, Any]], query: str, budget: int) -> str:
    source = [{name: segment[name] for name in _FIELDS if segment.get(name) is not None} for segment in segments]
    return compressor(preset).compress(source, query=query, max_tokens=budget).text


def edge(segments: list[dict[str, Any]], query: str, budget: int) -> str:
    """No model runtime at all."""
    return _run("edge", segments, query, budget)


def balanced(segments: list[dict[str, Any]], query: str, budget: int) -> str:
    """The full default pipeline."""
    return _run("balanced", segments, query, budget)


def deep(segments: list[dict[str, Any]], query: str, budget: int) -> str:
    """As balanced, with the third tier."""
    return _run("deep", segments, query, budget)


def precise(segments: list[dict[str, Any]], query: str, budget: int) -> str:
    """Verbatim sentences only."""
    return _run("precise", segments, query, budget)
