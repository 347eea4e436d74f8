"""Presets: find, read, override and write the TOML files of ``pipelines/``."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gliding import models
from gliding.errors import ConfigError, PresetNotFound

if TYPE_CHECKING:
    from gliding.config import Preset

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_SET = "+set"
"""Ends the name of a preset of which some settings were changed."""


def names() -> tuple[str, ...]:
    """Return the names of the presets that come with the package, sorted."""
    return tuple(sorted(path.stem for path in models.data_dir("pipelines").glob("*.toml")))


def find(name_or_path: str | Path) -> Path:
    """Return the file of a preset, by its name or its path (what ends in ``.toml`` or has a folder in it is a path).

    Raises:
        PresetNotFound: With the nearest name and all names.
    """
    path = Path(name_or_path)
    if isinstance(name_or_path, Path) or path.suffix == ".toml" or path.name != name_or_path:
        if path.is_file():
            return path
        raise PresetNotFound(f"No preset file at {str(path)!r}.", hint=f"Presets by name: {', '.join(names())}.")
    known = names()
    if name_or_path in known:
        return models.data_dir("pipelines") / f"{name_or_path}.toml"
    raise PresetNotFound(
        f"No preset is named {name_or_path!r}.{_nearest(name_or_path, known)}",
        hint=f"Known presets: {', '.join(known)}.",
    )


def load(name_or_path: str | Path) -> Preset:
    """Read and check a preset.

    Raises:
        PresetNotFound: Nothing has this name or path.
        ConfigError: The file is not UTF-8 or not TOML, or a key or value is wrong; names key, value and file.
    """
    path = find(name_or_path)
    try:
        return loads(path.read_bytes().decode("utf-8"), origin=str(path))
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: not UTF-8 at byte {error.start}.", hint="Save the preset as UTF-8.") from error


def loads(text: str, *, origin: str = "preset") -> Preset:
    """Check the text of a preset; ``origin`` is named in errors.

    Raises:
        ConfigError: The text is not TOML, or a key or value is wrong.
    """
    try:
        return _checked(tomllib.loads(text), origin)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{origin}: not TOML: {error}.") from error


def override(preset: Preset, settings: Mapping[str, str]) -> Preset:
    """Return the preset with some keys replaced: ``{"score.passages.dense": "0.4"}``.

    A value is read as TOML; what is not TOML is a string, so that names and paths need no quotes. Where a setting but
    the tokenizer (which a report names by itself) really changes, the name says so: ``edge+set``.

    Raises:
        ConfigError: An unknown key, with the nearest one, or a value that does not fit its key.
    """
    data = preset.model_dump()
    known = dict(_leaves(data))
    for key, text in settings.items():
        if key not in known:
            raise ConfigError(
                f"{key!r} is no setting of a preset.{_nearest(key, known)}",
                hint=f"List all settings with: gliding presets show {preset.name.removesuffix(_SET)} --resolved",
            )
        *sections, last = key.split(".")
        table = data
        for section in sections:
            table = table[section]
        table[last] = _value(text)
    changed = _checked(data, f"preset {preset.name} with settings")
    same = changed.model_copy(update={"tokens": preset.tokens}) == preset
    if same or changed.name != preset.name or preset.name.endswith(_SET):
        return changed
    return changed.model_copy(update={"name": f"{preset.name}{_SET}"})


def dumps(preset: Preset) -> str:
    """Return a complete preset as TOML, one line a section; ``loads`` reads it back to an equal preset."""
    data = preset.model_dump()
    plain = {key: value for key, value in data.items() if key != "score"}
    lines = [f"{key} = {_toml(value)}" for key, value in plain.items()]
    lines += ["", "[score]", *(f"{route} = {_toml(weights)}" for route, weights in data["score"].items())]
    return "\n".join(lines) + "\n"


def _checked(data: Mapping[str, Any], origin: str) -> Preset:
    from pydantic import ValidationError

    from gliding.config import Preset

    try:
        return Preset.model_validate(data)
    except ValidationError as error:
        known = dict(_leaves(Preset(name="", description="").model_dump()))
        problems = [_problem(item["loc"], item["type"], item["msg"], item["input"], known) for item in error.errors()]
        raise ConfigError(f"{origin}: {'; '.join(problems)}.") from error


def _problem(place: tuple[int | str, ...], sort: str, message: str, value: object, known: Mapping[str, Any]) -> str:
    key = ".".join(map(str, place))
    if sort == "extra_forbidden":
        return f"unknown key {key!r}{_nearest(key, known).rstrip('.')}"
    if sort == "missing":
        return f"key {key!r} is missing"
    return f"{key} = {value!r}: {message[:1].lower()}{message[1:]}"


def _nearest(name: str, known: Mapping[str, Any] | tuple[str, ...]) -> str:
    """Say which known name is meant, or nothing where none is near.

    >>> _nearest("edgy", ("balanced", "edge"))
    " Did you mean 'edge'?"
    """
    close = get_close_matches(name, known, n=1)
    return f" Did you mean {close[0]!r}?" if close else ""


def _leaves(data: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield dotted keys with their values.

    >>> list(_leaves({"a": 1, "b": {"c": 2}}))
    [('a', 1), ('b.c', 2)]
    """
    for key, value in data.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def _value(text: str) -> object:
    """Read a value as TOML, else as a string.

    >>> _value("0.4"), _value("true"), _value('"0.4"'), _value("minilm-l6-v2"), _value("")
    (0.4, True, '0.4', 'minilm-l6-v2', '')
    """
    try:
        parsed = tomllib.loads(f"value = {text}")
    except tomllib.TOMLDecodeError:
        return text
    return parsed["value"] if len(parsed) == 1 else text


def _toml(value: object) -> str:
    """Write a value of a preset as TOML.

    >>> _toml({"use": "faiss", "share": 0.15, "hits": 8, "on": True})
    '{ use = "faiss", share = 0.15, hits = 8, on = true }'
    """
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {_toml(item)}" for key, item in value.items()) + " }"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        # A JSON string is a TOML basic string but for DEL, which TOML wants escaped.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return repr(value)
