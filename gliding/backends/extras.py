"""Import an optional library, or say which extra brings it."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from types import ModuleType

from gliding.errors import MissingExtra


def require(module: str, *, extra: str) -> ModuleType:
    """Import and return an optional library.

    Raises:
        MissingExtra: it is not installed, with the pip command.
    """
    require_installed(module, extra=extra)
    return import_module(module)


def require_installed(*modules: str, extra: str) -> None:
    """Check that optional libraries are installed, without the cost of importing them.

    Raises:
        MissingExtra: one is not, with the pip command.
    """
    for module in modules:
        if find_spec(module) is None:
            raise MissingExtra(f"The package {module!r} is not installed.", hint=f"Run: pip install 'gliding[{extra}]'")


def installed_version(package: str) -> str:
    """Return the installed version of a package, ``?`` where it has no metadata."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "?"
