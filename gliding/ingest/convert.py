"""Bytes or text of a format that is not plain text, HTML, mail, PDF, DOCX, to Documents of text."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from gliding.ingest.decode import decode
from gliding.ingest.html import Events, Page, html_to_markdown
from gliding.ingest.kinds import is_html_page, kind_of
from gliding.types import Document

_SAMPLE = 20_000
_CHARSET = re.compile(rb"(?i)<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w-]{2,40})")
_DOCX = b"word/"
_NO_PARSER = (
    "{} is HTML and was read without a parser that follows the standard; for that, run: pip install 'gliding[html]'"
)


def _ignore(message: str) -> None:
    """Nobody listens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Readers:
    """What reads formats that are not text.

    ``html`` gives the tags and texts of a page; None: the built-in reader, and a warning. ``office`` maps ``pdf`` and
    ``docx`` to what turns their bytes into text; where one is missing, such a file is an ``InputError``. ``warn`` is
    told, in a sentence, what was read in a lesser way.
    """

    html: Events | None = None
    office: Mapping[str, Callable[..., str]] = field(default_factory=dict)
    warn: Callable[[str], None] = _ignore


def convert_bytes(data: bytes, *, name: str, kind: str, title: str, readers: Readers) -> tuple[Document, ...]:
    """Return the documents of bytes in one of the formats; none where they are plain text, or ``kind`` says so.

    Raises:
        InputError: what cannot be read, with the next step.
        MissingExtra: a library that is needed is not installed.
    """
    office = _office(data)
    if office in readers.office:
        text = readers.office[office](data, name=name)
        return (Document(text=text, id=name, title=title, kind="markdown"),)
    found = kind or kind_of(_sample(data), name=name)
    if found == "html":
        return (_page(_decode_page(data, name), name, title, readers),)
    if found == "mail":
        from gliding.ingest.mail import read_mail  # the library of mail takes longer to load than all else here

        return read_mail(data, name=name, title=title, html=lambda page: _text(page, name, readers))
    return ()


def convert_text(text: str, *, kind: str, readers: Readers) -> tuple[Document, ...]:
    """Return the documents of a text that is a whole page or that ``kind`` calls HTML or mail, else none.

    Raises:
        InputError: a mail that cannot be read.
    """
    if kind == "html" or (not kind and is_html_page(text)):
        return (_page(text, "", "", readers),)
    if kind == "mail":
        from gliding.ingest.mail import read_mail

        return read_mail(text, html=lambda page: _text(page, "", readers))
    return ()


def _sample(data: bytes) -> str:
    """The start of a text, good enough to see tags and headers in it."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data[:_SAMPLE].decode("utf-16", "ignore")
    return data[:_SAMPLE].removeprefix(codecs.BOM_UTF8).decode("latin-1")


def _office(data: bytes) -> str:
    if data.startswith(b"%PDF-"):
        return "pdf"
    return "docx" if data.startswith(b"PK\x03\x04") and _DOCX in data else ""


def _page(html: str, name: str, title: str, readers: Readers) -> Document:
    page = _markdown(html, name, readers)
    own = "" if page.title and page.title in page.text[:1_000] else page.title  # said by its first heading already
    return Document(text=page.text, id=name, title=title or own, kind="markdown")


def _text(html: str, name: str, readers: Readers) -> str:
    return _markdown(html, name, readers).text


def _markdown(html: str, name: str, readers: Readers) -> Page:
    if readers.html is None:
        readers.warn(_NO_PARSER.format(name or "The text"))
        return html_to_markdown(html)
    return html_to_markdown(html, events=readers.html)


def _decode_page(data: bytes, name: str) -> str:
    """The text of a page: what its bytes say, then its ``meta`` element, then what is likely."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        declared = _CHARSET.search(data[:_SAMPLE])
    if declared is not None and b"\x00" not in data[:_SAMPLE]:
        try:
            charset = codecs.lookup(declared[1].decode("ascii"))
            if not charset.name.startswith("utf"):
                return data.decode(charset.name)
        except (LookupError, UnicodeDecodeError):
            pass  # an unknown or a wrong name: judge by the bytes
    return decode(data, name=name)
