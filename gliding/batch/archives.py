"""Archives as streams: one member after another, nothing unpacked to disk, no more of one in memory than allowed."""

from __future__ import annotations

import gzip
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, NamedTuple

SUFFIXES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.xz", ".txz", ".tar.bz2", ".tbz2", ".gz")
LARGEST = 256 << 20
"""Bytes of one member beyond which it is not read: a bomb, or nothing that anybody reads as one document."""

_STEP = 1 << 20
_FAULTS = (
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    OSError,
    ValueError,
    NotImplementedError,  # zipfile's, for a version or a method that it does not know
    RuntimeError,  # zipfile's, for a password that it was not given
)


class Member(NamedTuple):
    """A file of an archive; where it could not be read, ``error`` says why."""

    name: str
    data: bytes
    error: str = ""


def is_archive(name: str) -> bool:
    """Say whether a file's name is that of an archive.

    >>> is_archive("a.tar.gz"), is_archive("notes.txt.gz"), is_archive("a.docx")
    (True, True, False)
    """
    return name.lower().endswith(SUFFIXES)


def read_members(path: Path, *, warn: Callable[[str], None], largest: int = LARGEST) -> Iterator[Member]:
    """Yield the files of an archive, in its order; a single file that is packed with gzip is one member.

    What is no file, a link or a device, is left out with a warning. Where the archive itself is damaged, or its rest
    cannot be read, the last member has no name and says so.
    """
    lower = path.name.lower()
    try:
        if lower.endswith(".zip"):
            yield from _zip(path, largest)
        elif lower.endswith(".gz") and not lower.endswith(".tar.gz"):
            with gzip.open(path) as file:
                yield _member(path.stem, file, largest)
        else:
            yield from _tar(path, warn, largest)
    except _FAULTS as error:
        yield Member("", b"", f"The archive cannot be read to its end: {error}")


def _zip(path: Path, largest: int) -> Iterator[Member]:
    with zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            if info.is_dir():
                continue
            if info.flag_bits & 1:
                yield Member(info.filename, b"", "The file is encrypted.")
                continue
            try:
                with archive.open(info) as file:
                    yield _member(info.filename, file, largest)
            except _FAULTS as error:
                yield Member(info.filename, b"", f"The file cannot be unpacked: {error}")


def _tar(path: Path, warn: Callable[[str], None], largest: int) -> Iterator[Member]:
    with tarfile.open(path, "r|*") as archive:
        for info in archive:
            if info.isdir():
                continue
            if not info.isfile():
                warn(f"{path}: {info.name} is a link or a device, and is left out.")
                continue
            file = archive.extractfile(info)
            if file is not None:
                yield _member(info.name, file, largest)


def _member(name: str, file: IO[bytes] | gzip.GzipFile, largest: int) -> Member:
    """Read a member by steps: what a header says of its size may be a lie."""
    parts, size = [], 0
    while part := file.read(_STEP):
        size += len(part)
        if size > largest:
            return Member(name, b"", f"The file unpacks to more than {largest >> 20} MiB.")
        parts.append(part)
    return Member(name, b"".join(parts))
