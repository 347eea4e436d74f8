"""Mail to Documents: one for each message of the thread as it stands, with its sender, date and subject.

What the newest message says matters most, what it quotes less, signatures and legal footers least. Attachments are
named, not read; of the headers, those that a reader sees stay (From, To, Cc, Date, Subject).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from email import message_from_bytes
from email.errors import HeaderParseError, MessageError
from email.header import decode_header
from email.message import Message
from email.utils import parseaddr, parsedate_to_datetime

from gliding.errors import InputError
from gliding.ingest.decode import decode
from gliding.ingest.quotes import Part, split_body
from gliding.types import Document

NEWEST, OLDER, FOOTER = 0.7, 0.2, 0.05
"""Criticality of the newest message, of what it quotes and who got it, and of signatures and legal footers."""

_HEADERS = ("From", "To", "Cc", "Date", "Subject")
_LONGEST_HEADER = 4_000
_MOST_PARTS = 500
_DEEPEST = 30
_MUCH_LONGER = 5
_STUB = 200
_FOLDED = re.compile(r"\s*[\r\n]+\s*")


def read_mail(
    data: bytes | str, *, name: str = "", html: Callable[[str], str], title: str = ""
) -> tuple[Document, ...]:
    """Return the documents of one mail: its newest message first, then what it quotes, in the order of the text.

    Args:
        data: The mail, headers and all; a ``str`` is one that was decoded already.
        name: The documents' id, and what messages call the mail.
        html: What turns a part of HTML into text.
        title: The title where the mail has no subject.

    Raises:
        InputError: parts that nest deeper than any mail does, or a text part that is binary.
    """
    raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    shown = name or "The mail"
    try:
        message = message_from_bytes(raw)
        found = _Parts(shown, html, decoded=isinstance(data, str))
        found.walk(message, 0)
    except (RecursionError, MessageError) as error:
        raise InputError(
            f"{shown} cannot be read: its parts nest too deep.", hint="Save its text as a file."
        ) from error
    raw_headers = _raw_headers(message)
    headers = {key: _decoded_words(raw_headers.get(key.lower(), "")) for key in _HEADERS}
    sender, address = parseaddr(raw_headers.get("from", ""))  # a name may hold a comma once it is decoded
    role = _decoded_words(sender or address) or headers["From"]
    carried = (role, _date(headers["Date"]), headers["Subject"] or title)
    documents = []
    for body in found.texts:
        documents += [_document(part, name, carried) for part in split_body(body)]
    rest = [f"{key}: {headers[key]}" for key in ("To", "Cc") if headers[key]]
    if role and headers["From"] != role:
        rest.insert(0, f"From: {headers['From']}")
    rest += found.attachments
    if rest or not documents:
        text = "\n".join(rest)
        documents.insert(_after_newest(documents), Document(text=text, id=name, kind="lines", criticality=OLDER))
    return tuple(documents)


def _after_newest(documents: list[Document]) -> int:
    return 1 if documents and documents[0].criticality == NEWEST else 0


def _document(part: Part, name: str, carried: tuple[str, str, str]) -> Document:
    if part.kind == "footer":
        return Document(text=part.text, id=name, criticality=FOOTER)
    if part.kind == "quoted":
        return Document(
            text=part.text, id=name, title=part.subject, role=part.sender, time=part.time, criticality=OLDER
        )
    role, time, title = carried
    return Document(text=part.text, id=name, title=title, role=role, time=time, criticality=NEWEST)


class _Parts:
    """The texts and the names of the attachments of a mail."""

    def __init__(self, shown: str, html: Callable[[str], str], *, decoded: bool) -> None:
        self.texts: list[str] = []
        self.attachments: list[str] = []
        self._shown, self._html, self._decoded = shown, html, decoded
        self._seen = 0

    def walk(self, part: Message, depth: int) -> None:
        self._seen += 1
        if depth > _DEEPEST or self._seen > _MOST_PARTS:
            raise InputError(
                f"{self._shown} has more than {_MOST_PARTS} parts, or they nest too deep.",
                hint="Save the text of the mail as a file.",
            )
        kind = part.get_content_type()
        if kind == "multipart/alternative" and part.is_multipart():
            self._best(part, depth)
        elif part.is_multipart() and not kind.startswith("message/"):
            for inner in part.get_payload():
                if isinstance(inner, Message):
                    self.walk(inner, depth + 1)
        elif depth and (part.get_content_disposition() == "attachment" or not kind.startswith("text/")):
            self.attachments.append(self._named(part, kind))
        elif kind == "text/html":
            self.texts.append(self._html(self._text(part)))
        else:
            self.texts.append(self._text(part))

    def _best(self, part: Message, depth: int) -> None:
        """Of several forms of one text the plain one, unless it is a stub that points to the other."""
        forms: dict[str, _Parts] = {}
        for inner in part.get_payload():
            if not isinstance(inner, Message):
                continue
            form = _Parts(self._shown, self._html, decoded=self._decoded)
            form._seen = self._seen
            form.walk(inner, depth + 1)
            self._seen = form._seen
            if form.texts:
                form_name = "plain" if inner.get_content_type() == "text/plain" else "rich"
                forms.setdefault(form_name, form)
            else:
                self.attachments += form.attachments
        plain, rich = forms.get("plain"), forms.get("rich")
        best = plain if plain is not None else rich
        if plain is not None and rich is not None:
            short, long = (sum(len(text) for text in form.texts) for form in (plain, rich))
            best = rich if short < _STUB and long > _MUCH_LONGER * short else plain
        if best is not None:
            self.texts += best.texts
        for form in forms.values():
            self.attachments += form.attachments

    def _text(self, part: Message) -> str:
        payload = part.get_payload(decode=True)
        if not isinstance(payload, bytes):
            return ""
        charset = part.get_content_charset() or ""
        encoded = str(part.get("Content-Transfer-Encoding", "")).strip().lower() in ("base64", "quoted-printable")
        if charset and not (self._decoded and not encoded):
            try:
                return payload.decode(charset)
            except (LookupError, UnicodeDecodeError):
                pass  # the header is wrong or unknown: judge by the bytes
        return decode(payload, name=self._shown)

    def _named(self, part: Message, kind: str) -> str:
        name = ""
        if all(len(str(part.get(key, ""))) <= _LONGEST_HEADER for key in ("Content-Disposition", "Content-Type")):
            name = _decoded_words(part.get_filename() or "")
        return f"Attachment: {name} ({kind})" if name else f"Attachment: {kind}"


def _raw_headers(message: Message) -> dict[str, str]:
    """The first header of each name, as it stands: bytes that are not ASCII are surrogates."""
    found: dict[str, str] = {}
    for key, value in message.raw_items():
        found.setdefault(key.lower(), str(value)[:_LONGEST_HEADER])
    return found


def _decoded_words(value: str) -> str:
    """A header's text, RFC 2047 words decoded, in one line."""
    parts = []
    try:
        for text, charset in decode_header(value):
            if isinstance(text, str):
                parts.append(text)
            elif charset in (None, "unknown-8bit"):
                parts.append(text.decode("utf-8", "replace"))
            else:
                parts.append(_as(text, charset))
    except (HeaderParseError, ValueError):
        parts = [value]
    raw = "".join(parts).encode("utf-8", "surrogateescape")
    try:
        joined = raw.decode("utf-8")
    except UnicodeDecodeError:
        joined = raw.decode("cp1252", "replace")
    return _FOLDED.sub(" ", joined).strip()


def _as(text: bytes, charset: str) -> str:
    try:
        return text.decode(charset, "replace")
    except LookupError:
        return text.decode("utf-8", "replace")


def _date(value: str) -> str:
    """A Date header as ``2026-03-01 09:10 +01:00``; as it stands where it is no date."""
    if not value:
        return ""
    try:
        when = parsedate_to_datetime(value)
    except (ValueError, TypeError, IndexError, OverflowError):
        return value
    return when.isoformat(sep=" ", timespec="minutes")
