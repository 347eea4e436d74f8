"""Gliding: a context compressor that runs wholly on your own machine.

The public names are loaded on first use, so that ``import gliding`` costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOMES = {
    "Budget": "gliding.types",
    "BudgetError": "gliding.errors",
    "Compressor": "gliding.compressor",
    "Document": "gliding.types",
    "GlidingError": "gliding.errors",
    "Result": "gliding.types",
    "compress": "gliding.compressor",
}
__all__ = ["Budget", "BudgetError", "Compressor", "Document", "GlidingError", "Result", "__version__", "compress"]

if TYPE_CHECKING:
    from gliding.compressor import Compressor, compress
    from gliding.errors import BudgetError, GlidingError
    from gliding.types import Budget, Document, Result


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'gliding' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
