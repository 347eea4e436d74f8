"""Batch: folders and tables of documents in, files or tables out, on all cores, resumable, on Ray where need be.

The public names are loaded on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

_HOMES = {
    "BatchError": "gliding.errors",
    "CompressTask": "gliding.batch.task",
    "Folder": "gliding.batch.outputs",
    "Item": "gliding.batch.items",
    "LocalEngine": "gliding.batch.local",
    "Options": "gliding.batch.options",
    "Row": "gliding.batch.items",
    "Table": "gliding.batch.outputs",
    "read_items": "gliding.batch.inputs",
    "run": "gliding.batch.runner",
}
__all__ = [
    "BatchError",
    "CompressTask",
    "Folder",
    "Item",
    "LocalEngine",
    "Options",
    "Row",
    "Table",
    "read_items",
    "run",
]

if TYPE_CHECKING:
    from gliding.batch.inputs import read_items
    from gliding.batch.items import Item, Row
    from gliding.batch.local import LocalEngine
    from gliding.batch.options import Options
    from gliding.batch.outputs import Folder, Table
    from gliding.batch.runner import run
    from gliding.batch.task import CompressTask
    from gliding.errors import BatchError


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'gliding.batch' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
