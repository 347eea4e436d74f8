"""Every error that Gliding raises on purpose.

GlidingError                 exit code 1
├── InputError               2   a document, a pin or an option of a call cannot be used
├── ConfigError              3   a preset or a setting is wrong
│   ├── PresetNotFound
│   └── UnknownComponent         names the nearest known part
├── MissingExtra             4   an optional dependency is not installed
├── ModelError               5   weights
│   ├── ModelNotAvailable        names the places that were searched
│   └── ModelCorrupt             names both hashes
├── BudgetError              6   not even the pinned text, or one word, fits
├── TierError                7   a tier could not do its work and nothing below it could either
├── SessionError             8   a session's state cannot be read or used
├── BatchError               9   a batch cannot start or go on, or documents of it failed
└── StoreError              10   a corpus store is damaged, in use, or of another version or embedder

Each carries a ``hint``: one sentence with the next step, a command where there is one.
"""

from __future__ import annotations


class GlidingError(Exception):
    """Base of all errors of the package.

    Args:
        message: What is wrong, in one sentence.
        hint: The next step, in one sentence; empty where there is none.
    """

    exit_code = 1

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()


class InputError(GlidingError):
    """A document, a pin or an option of a call cannot be used."""

    exit_code = 2


class ConfigError(GlidingError):
    """A preset or a setting is wrong."""

    exit_code = 3


class PresetNotFound(ConfigError):
    """No preset has this name and no file lies at this path."""


class UnknownComponent(ConfigError):
    """A preset names a part that the registry does not have."""


class MissingExtra(GlidingError):
    """A part needs a package that is not installed."""

    exit_code = 4


class ModelError(GlidingError):
    """Something is wrong with model weights."""

    exit_code = 5


class ModelNotAvailable(ModelError):
    """A model's files are in none of the places that are searched."""


class ModelCorrupt(ModelError):
    """A model's file does not have the hash that its manifest states."""


class BudgetError(GlidingError):
    """Not even the pinned text, or a single word, fits the token budget."""

    exit_code = 6


class TierError(GlidingError):
    """A tier could not do its work."""

    exit_code = 7


class SessionError(GlidingError):
    """A session's state cannot be read or used."""

    exit_code = 8


class BatchError(GlidingError):
    """A batch cannot start or go on: its output is in use, its workers do not start, too many documents failed."""

    exit_code = 9


class StoreError(GlidingError):
    """A corpus store cannot be used: damaged, in use by another writer, of another version or embedder."""

    exit_code = 10
