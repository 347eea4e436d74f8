"""The body of a mail to its parts: what its sender wrote, what older mails it quotes, signatures and legal footers.

Knows the marks of common mail programs in English, German, French, Spanish and Chinese. Every line that is not blank
comes out in one part, or is what the part's ``sender``, ``time`` and ``subject`` say.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

PartKind = Literal["new", "quoted", "footer"]

_QUOTE = re.compile(r"[^\S\n]{0,3}(?:>[^\S\n]?)+")
_SIGNATURE = re.compile(
    r"(?i)--\s*$|(?:sent|get) (?:from|outlook for) (?:my |outlook)?\S*.{0,40}$|von meinem .{1,30} gesendet\.?$"
    r"|envoyé (?:de|depuis) mon .{1,30}$|发自我的.{1,20}$"
)
_LEGAL = re.compile(
    r"(?i)(?:\*|_|\s)*(?:(?:this|the) (?:e-?mail|message|communication|information)\b"
    r".{0,160}\b(?:confidential|privileged"
    r"|intended (?:solely|only))|confidentiality notice|disclaimer\s*:"
    r"|diese (?:e-?mail|nachricht)\b.{0,120}\bvertraulich"
    r"|ce (?:message|courriel)\b.{0,120}\bconfidentiel|本(?:电子)?邮件.{0,60}(?:保密|机密))"
)
_SEPARATOR = re.compile(
    r"(?i)[-_\s]{2,}(?:original message|original-nachricht|ursprüngliche nachricht|forwarded message"
    r"|weitergeleitete nachricht"
    r"|message d.origine|message transféré|mensaje original|原始邮件|转发邮件|转发的邮件)[-_\s:]*$"
    r"|begin forwarded message:\s*$|anfang der weitergeleiteten nachricht:\s*$|_{20,}\s*$"
)
_FIELD = re.compile(
    r"(?i)\*{0,2}(?:(?P<sender>from|von|de|expéditeur|发件人|寄件者)|(?P<time>sent|date|gesendet|datum|envoyé|enviado|fecha"
    r"|发送时间|日期|寄件日期)|(?P<subject>subject|betreff|objet|asunto|主题|主旨)|(?P<other>to|cc|bcc|an|kopie|à|para"
    r"|收件人|收件者|抄送|副本|reply-to|importance|attachments?))\*{0,2}\s*[:：]\*{0,2}[^\S\n]*(?P<value>.*)$"
)
_ATTRIBUTION = (
    re.compile(r"(?is)On (?P<rest>.{4,300}?)\s+wrote\s*:$"),
    re.compile(r"(?is)Am (?P<time>.{4,80}?) schrieb (?P<sender>.{1,200}?)\s*:$"),
    re.compile(r"(?is)Le (?P<rest>.{4,300}?)\s+a écrit\s*:$"),
    re.compile(r"(?is)El (?P<rest>.{4,300}?)\s+escribió\s*:$"),
    re.compile(r"(?s)在?\s*(?P<rest>.{0,20}\d{1,4}\s*[年/-].{3,200}?)\s*写道\s*[:：]$"),
    re.compile(r"(?s)(?P<sender>[^于\n]{1,100}?)\s*于\s*(?P<time>\d{4}.{3,80}?)\s*写道\s*[:：]$"),
)
_OPENING = re.compile(r"(?i)(?:On|Am|Le|El)\s.{4}|.*(?:写道|\d年)")
_CLOCK = re.compile(  # what ends with a time of day, and what follows it
    r"(?is)(?P<time>.*?\d{1,2}[:.h]\d{2}(?:[:.]\d{2})?(?:\s*[ap]\.?m\.?)?(?:\s*(?:\([A-Z]{2,5}\)|[A-Z]{3,4}(?=,)|[+-]\d{4}))?)"
    r"[,，]?\s*(?P<sender>[^\W\d].*|[\"'<].*)$"
)
_YEAR = re.compile(r"(?is)(?P<time>.*?(?:\b\d{4}\b|\d{4}年\d+月\d+日))[,，]?\s*(?P<sender>[^\W\d].*|[\"'<].*)$")
_ADDRESS = re.compile(r"\s*[<(\[](?:mailto:)?[^\s<>()\[\]]+@[^<>()\[\]]+[>)\]]")
_LONGEST_LINE = 400
_WRAPPED = 3
_FIELDS = 8


class Part(NamedTuple):
    """A stretch of a mail's body that one person wrote at one time."""

    kind: PartKind
    text: str
    sender: str = ""
    time: str = ""
    subject: str = ""


class _Line(NamedTuple):
    level: int
    text: str


class _Head(NamedTuple):
    sender: str = ""
    time: str = ""
    subject: str = ""


def split_body(body: str) -> list[Part]:
    r"""Return the parts of a mail's body in the order of the text.

    >>> for part in split_body("Yes.\n\nOn 3 March 2026 at 09:10, Ruth wrote:\n> Shall we?\n-- \nIgor"):
    ...     print(part.kind, repr(part.sender), repr(part.time), repr(part.text))
    new '' '' 'Yes.'
    quoted 'Ruth' '3 March 2026 at 09:10' 'Shall we?'
    footer '' '' 'Igor'
    """
    lines = [_unquoted(line) for line in body.replace("\r\n", "\n").replace("\r", "\n").split("\n")]
    return _Splitter(lines).parts()


class _Splitter:
    def __init__(self, lines: Sequence[_Line]) -> None:
        self._lines = lines
        self._parts: list[Part] = []
        self._text: list[str] = []
        self._heads: dict[int, _Head] = {}
        self._level = 0
        self._footer = False
        self._forwarded = False  # below a separator, what is not quoted is old too

    def parts(self) -> list[Part]:
        at = 0
        while at < len(self._lines):
            at = self._take(at)
        self._close()
        return self._parts

    def _take(self, at: int) -> int:
        level, text = self._lines[at]
        if not text.strip():
            if self._text and self._text[-1]:
                self._text.append("")
            return at + 1
        if level != self._level:
            self._close()
            for deeper in [known for known in self._heads if known > level]:
                del self._heads[deeper]
            self._level = level
        if len(text) <= _LONGEST_LINE:
            if (used := self._attribution(at)) or (used := self._fields(at)):
                return at + used
            if _SEPARATOR.match(text) and (text.strip("_ ") or self._is_block(at + 1)):
                self._close()
                self._forwarded = self._forwarded or level == 0
                self._heads[level] = _Head()
                if text.strip("_ -"):
                    self._text.append(text)
                return at + 1
        bare = text.strip()
        if not self._footer and (_SIGNATURE.match(bare) or _LEGAL.match(bare[:_LONGEST_LINE])):
            self._close()
            self._footer = True
            if bare.strip("-"):
                self._text.append(text)
            return at + 1
        self._text.append(text)
        return at + 1

    def _attribution(self, at: int) -> int:
        """Read "On ... wrote:", on up to three lines; the number of lines, 0 where there is none."""
        level = self._lines[at].level
        if _OPENING.match(self._lines[at].text.strip()) is None:
            return 0
        joined = ""
        for used in range(1, _WRAPPED + 1):
            if at + used > len(self._lines) or self._lines[at + used - 1].level != level:
                return 0
            joined = f"{joined} {self._lines[at + used - 1].text.strip()}".strip()
            if len(joined) > _LONGEST_LINE or not joined:
                return 0
            head = _attributed(joined)
            if head is None:
                continue
            below = self._next_level(at + used)
            self._close()
            whole = bool(head.sender and head.time) and _ADDRESS.search(joined) is None
            if below > level:
                self._heads[below], self._level = head, below
            else:  # the program does not mark what it quotes
                self._heads[level] = head
                self._forwarded = self._forwarded or level == 0
            if not whole:
                self._text.append(joined)
            return used
        return 0

    def _fields(self, at: int) -> int:
        """Read a block of From, Sent, To, Subject lines; the number of lines, 0 where there is none."""
        if not self._is_block(at):
            return 0
        self._close(keep_separator=True)
        found: dict[str, str] = {}
        level, kept, used = self._lines[at].level, [], 0
        for line in self._lines[at : at + _FIELDS]:
            field = _FIELD.match(line.text.strip()) if line.level == level else None
            if field is None:
                break
            used += 1
            value = field["value"].strip()
            name = next(key for key in ("sender", "time", "subject", "other") if field[key])
            if name == "other" or name in found or not value or (name == "sender" and _ADDRESS.search(value)):
                kept.append(line.text.strip())
            if name != "other":
                found.setdefault(name, _name(value) if name == "sender" else value)
        self._heads[level] = _Head(found.get("sender", ""), found.get("time", ""), found.get("subject", ""))
        self._forwarded = self._forwarded or level == 0
        self._text += [*kept, ""] if kept else []
        return used

    def _is_block(self, at: int) -> bool:
        while at < len(self._lines) and not self._lines[at].text.strip():
            at += 1
        names: set[str] = set()
        for line in self._lines[at : at + _FIELDS]:
            field = _FIELD.match(line.text.strip()) if len(line.text) <= _LONGEST_LINE else None
            if field is None or (not names and not field["sender"]):
                break
            names.add(next(key for key in ("sender", "time", "subject", "other") if field[key]))
        return len(names) >= 3

    def _next_level(self, at: int) -> int:
        while at < len(self._lines) and not self._lines[at].text.strip():
            at += 1
        return self._lines[at].level if at < len(self._lines) else 0

    def _close(self, *, keep_separator: bool = False) -> None:
        if keep_separator and len(self._text) and all(not t.strip() or _SEPARATOR.match(t) for t in self._text):
            return
        text = "\n".join(self._text).strip("\n")
        if text.strip():
            old = self._level > 0 or self._forwarded
            kind: PartKind = "footer" if self._footer else "quoted" if old else "new"
            head = self._heads.get(self._level, _Head()) if kind == "quoted" else _Head()
            if kind == "quoted" and self._level and not head.sender:  # nothing else would say that it is a quote
                mark = ">" * self._level + " "
                text = "\n".join(f"{mark}{line}" if line else "" for line in text.split("\n"))
            self._parts.append(Part(kind, text, *head))
        self._text = []
        self._footer = False


def _unquoted(line: str) -> _Line:
    found = _QUOTE.match(line)
    if found is None:
        return _Line(0, line.rstrip())
    return _Line(found[0].count(">"), line[found.end() :].rstrip())


def _attributed(line: str) -> _Head | None:
    for pattern in _ATTRIBUTION:
        found = pattern.match(line)
        if found is None:
            continue
        groups = found.groupdict()
        if "rest" in groups:
            split = _CLOCK.match(groups["rest"]) or _YEAR.match(groups["rest"])
            if split is None:
                if not any(character.isdigit() for character in groups["rest"]):
                    return None
                return _Head()
            groups = split.groupdict()
        return _Head(_name(groups["sender"]), groups["time"].strip(" ,，"))
    return None


def _name(value: str) -> str:
    """A sender's name, without the address where there is a name."""
    bare = _ADDRESS.sub("", value).strip(" ,，\"'")
    return (bare or value.strip(" <>"))[:200]
