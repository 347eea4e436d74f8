"""A corpus on disk: documents, segments, words and vectors, searched and compressed to a budget.

The public names are loaded on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

_HOMES = {
    "Answer": "gliding.store.answers",
    "Changed": "gliding.store.answers",
    "Cited": "gliding.store.answers",
    "Hit": "gliding.store.answers",
    "Info": "gliding.store.answers",
    "Store": "gliding.store.store",
    "StoreError": "gliding.errors",
}
__all__ = ["Answer", "Changed", "Cited", "Hit", "Info", "Store", "StoreError"]

if TYPE_CHECKING:
    from gliding.errors import StoreError
    from gliding.store.answers import Answer, Changed, Cited, Hit, Info
    from gliding.store.store import Store


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'gliding.store' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
