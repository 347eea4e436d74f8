"""PDF and DOCX to Markdown text, by pypdf (BSD) and python-docx (MIT): headings, tables, page breaks; no network.

Sizes are checked before anything is unpacked. Nothing in a document is run: no macros, no scripts, no links followed.
"""

from __future__ import annotations

import io
import re
import warnings
import zipfile
from collections.abc import Callable, Iterator
from typing import Any

from gliding.backends.extras import require
from gliding.errors import InputError

MOST_BYTES = 200_000_000
"""Bytes that a document may have unpacked, and a file as it is."""
_MOST_FILES = 10_000
_MOST_PAGES = 20_000
_MOST_CHARACTERS = 50_000_000
_PAGE_BREAK = "\n\n---\n\n"
_HEADING = re.compile(r"(?i)(?:heading|überschrift|titre|título|标题)\s*(\d)")
_SPACE = re.compile(r"[^\S\n]+")


def pdf_to_text(data: bytes, *, name: str = "") -> str:
    """Return the text of a PDF file, pages parted by a rule.

    Raises:
        MissingExtra: ``pypdf`` is not installed.
        InputError: encrypted, damaged, too large, or without text (scanned).
    """
    pypdf: Any = require("pypdf", extra="office")
    shown = name or "The PDF file"
    _check_size(len(data), shown)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            reader = pypdf.PdfReader(io.BytesIO(data), strict=False)
            if reader.is_encrypted and not reader.decrypt(""):
                raise InputError(f"{shown} is encrypted.", hint="Run: qpdf --decrypt --password=... FILE OUT.pdf")
            pages = list(_pages(reader, shown))
        except InputError:
            raise
        # pypdf lets errors of many kinds through on damaged files, also those of struct, zlib and its own
        except Exception as error:
            raise InputError(
                f"{shown} cannot be read: {type(error).__name__}.", hint="Repair it with: qpdf FILE OUT.pdf"
            ) from error
    if not any(page.strip() for page in pages):
        raise InputError(f"{shown} holds no text: its pages are images.", hint="Run: ocrmypdf FILE OUT.pdf")
    return _PAGE_BREAK.join(page.strip() for page in pages if page.strip()) + "\n"


def docx_to_text(data: bytes, *, name: str = "") -> str:
    """Return the text of a DOCX file as Markdown: headings, lists, tables, in the order of the body.

    Raises:
        MissingExtra: ``python-docx`` is not installed.
        InputError: not a DOCX file, damaged, or larger unpacked than ``MOST_BYTES``.
    """
    docx: Any = require("docx", extra="office")
    shown = name or "The document"
    _check_size(len(data), shown)
    _check_archive(data, shown)
    try:
        document = docx.Document(io.BytesIO(data))
        blocks = list(_blocks(document))
    except Exception as error:  # as above: errors of zip, XML and packages, KeyError for missing parts
        raise InputError(
            f"{shown} cannot be read: {type(error).__name__}.", hint="Save it again as DOCX, or as plain text."
        ) from error
    if not blocks:
        raise InputError(f"{shown} holds no text.", hint="Give a document with text.")
    return "\n\n".join(blocks) + "\n"


READERS: dict[str, Callable[..., str]] = {"pdf": pdf_to_text, "docx": docx_to_text}
"""What reads bytes of a format, by its name; each takes ``name`` as a keyword."""


def _check_size(size: int, shown: str) -> None:
    if size > MOST_BYTES:
        raise InputError(
            f"{shown} has {size:,} bytes; at most {MOST_BYTES:,} are read.", hint="Split it, or extract its text first."
        )


def _check_archive(data: bytes, shown: str) -> None:
    """Refuse an archive that is none, or that unpacks to more than fits, by what its directory says."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
        raise InputError(f"{shown} is a damaged archive.", hint="Save it again as DOCX, or as plain text.") from error
    if len(entries) > _MOST_FILES:
        raise InputError(f"{shown} holds {len(entries):,} files.", hint="Save it as plain text.")
    _check_size(sum(entry.file_size for entry in entries), f"{shown}, unpacked,")
    if not any(entry.filename == "word/document.xml" for entry in entries):
        raise InputError(
            f"{shown} is a ZIP archive, but no DOCX document.", hint="Unpack it first, or save it as plain text."
        )


def _pages(reader: Any, shown: str) -> Iterator[str]:
    size = 0
    for number, page in enumerate(reader.pages, start=1):
        text = page.extract_text() or ""
        size += len(text)
        if number > _MOST_PAGES or size > _MOST_CHARACTERS:
            raise InputError(f"{shown} is too long: stopped at page {number}.", hint="Split it into several files.")
        yield "\n".join(line.rstrip() for line in text.replace("\x00", "").splitlines())


def _blocks(document: Any) -> Iterator[str]:
    for block in document.iter_inner_content():
        text = _table(block) if hasattr(block, "rows") else _paragraph(block)
        if text:
            yield text


def _paragraph(paragraph: Any) -> str:
    text = _SPACE.sub(" ", paragraph.text).strip()
    style = (paragraph.style.name or "") if paragraph.style is not None else ""
    if not text:
        return ""
    found = _HEADING.match(style)
    if found or style == "Title":
        return "#" * (min(6, max(1, int(found[1]))) if found else 1) + " " + " ".join(text.split())
    return f"- {text}" if style.startswith("List") else text


def _table(table: Any) -> str:
    rows = []
    for row in table.rows:
        seen: set[int] = set()
        cells = []
        for cell in row.cells:
            merged = id(cell._tc) in seen  # a merged cell is given once for each column that it spans
            seen.add(id(cell._tc))
            cells.append("" if merged else " ".join(cell.text.split()).replace("|", "\\|"))
        if any(cells):
            rows.append("| " + " | ".join(cells) + " |")
    if rows:
        rows.insert(1, "|" + " --- |" * (rows[0].replace("\\|", "").count("|") - 1))
    return "\n".join(rows)
