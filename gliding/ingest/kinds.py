"""What sort of text a text is, by its content first and its file's name second; only samples of it are looked at."""

from __future__ import annotations

import json
import re
from pathlib import PurePath

from gliding.text.languages import language_signs, named_language

_SAMPLE = 20_000
_LINES = 200
_WHOLE_JSON = 2_000_000
"""Characters up to which JSON is parsed to be sure."""
_FEW = 2

_SUFFIXES = {
    **dict.fromkeys((".html", ".htm", ".xhtml"), "html"),
    **dict.fromkeys((".md", ".markdown", ".rst", ".mdx"), "markdown"),
    **dict.fromkeys((".json", ".ipynb", ".geojson"), "json"),
    **dict.fromkeys((".jsonl", ".ndjson"), "jsonl"),
    **dict.fromkeys((".yaml", ".yml"), "yaml"),
    **dict.fromkeys((".xml", ".rss", ".atom", ".svg", ".plist", ".xsd", ".wsdl", ".pom", ".csproj"), "xml"),
    **dict.fromkeys((".diff", ".patch"), "diff"),
    **dict.fromkeys((".eml", ".mail"), "mail"),
    **{".toml": "toml", ".csv": "csv", ".tsv": "tsv", ".log": "log"},
}
_HTML_START = re.compile(
    r"(?i)\s*(?:<\?xml[^>]{0,200}>\s*)?(?:<!--.{0,2000}?-->\s*){0,3}<(?:!doctype\s+html|html|head|body)\b", re.DOTALL
)
_HTML_TAG = re.compile(
    r"(?i)<(/?)(?:p|div|span|table|tr|td|th|ul|ol|li|h[1-6]|a|br|body|section|article|main|script)\b[^<>]*>"
)
_FENCE = re.compile(r"(?ms)^ {0,3}(?:```|~~~).*?(?:^ {0,3}(?:```|~~~)\s*$|\Z)")
_HEADER = re.compile(
    r"(?i)(?:from|to|cc|date|subject|sent|reply-to|message-id|mime-version|received|return-path|delivered-to|sender"
    r"|content-[\w-]+|x-[\w-]+|dkim-signature|references|in-reply-to|von|an|datum|betreff)\s*:(?:\s|$)"
)
_DIFF = re.compile(r"(?m)^(?:diff --git a/|--- \S.*\n\+\+\+ \S|Index: \S|@@ -\d+(?:,\d+)? \+\d+)")
_HUNK = re.compile(r"(?m)^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@")
_LOG = re.compile(
    r"[\[<(]?\d{4}[-/.]\d\d[-/.]\d\d[T ,]\s?\d\d:\d\d|\[?\d\d:\d\d:\d\d|\w{3}\s+\d{1,2} \d\d:\d\d:\d\d"
    r"|[\[<]?(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL)\b[\]>:]?\s|\S+ \S+ \S+ \[\d+/\w+/\d{4}:"
    r"|[\w./\\+-]+\.\w{1,8}:\d+[:\s]"
)
_YAML_KEY = re.compile(r"(?:- )?[ ]*[\w.\"'/-]+:(?: +\S.*)?$")
_YAML_ITEM = re.compile(r" *- \S")
_TOML_TABLE = re.compile(r"\[\[?[\w.\"' -]+\]\]?\s*(?:#.*)?$")
_TOML_PAIR = re.compile(r"[\w.\"-]+\s*=\s*(?:[\"'\[{]|true|false|[-+]?\d)")
_MARKDOWN = re.compile(
    r"(?m)^ {0,3}(?:#{1,6} \S|```|~~~|\|.*\|\s*$)|\[[^\]\n]{1,100}\]\([^)\s]{1,200}\)|^ {0,3}[-*] \S"
)
_MARKDOWN_SURE = re.compile(r"(?m)^ {0,3}(?:#{1,6} \S|```|\|[ :|-]{5,}\|?\s*$)|\[[^\]\n]{1,100}\]\([^)\s]{1,200}\)")


def kind_of(text: str, *, name: str = "") -> str:
    r"""Return the kind of a text.

    One of ``html``, ``xml``, ``markdown``, ``json``, ``jsonl``, ``yaml``, ``toml``, ``csv``, ``tsv``, ``diff``,
    ``log``, ``code``, ``mail``, ``messages`` (chat messages as JSON) and ``prose``. Where content and name disagree,
    content that can be nothing else wins; the name decides where the content could be several things.

    >>> kind_of("<!DOCTYPE html><p>Hi"), kind_of('{"a": 1}', name="a.txt"), kind_of("From: R\nSubject: x\n\nHi")
    ('html', 'json', 'mail')
    >>> kind_of("a,b\n1,2\n3,4\n"), kind_of("He came. He saw."), kind_of("x = 1", name="a.py"), kind_of("")
    ('csv', 'prose', 'code', 'prose')
    """
    sample = text[:_SAMPLE].lstrip("\ufeff")
    named = kind_of_name(name)
    if not sample.strip():
        return named or "prose"
    lines = [line for line in sample.splitlines()[:_LINES] if line.strip()]
    if named == "code" and not _HTML_START.match(sample):  # a text in a program is no reason to take it for its text
        return "code"
    sure = _sure(text, sample, lines)
    if sure:
        return sure
    if named in ("", "html") and _is_fragment(sample, lines):
        return "html"
    if named in ("json", "jsonl", "diff", "html", "mail"):  # a kind that would have shown
        named = named if named in ("json", "jsonl") and sample.lstrip()[:1] in ("{", "[") else ""
    return named or _likely(sample, lines)


def kind_of_name(name: str) -> str:
    """Return the kind that a file's name says; empty where it says none.

    >>> kind_of_name("a/b.ts"), kind_of_name("c.yml"), kind_of_name("notes.txt")
    ('code', 'yaml', '')
    """
    return "code" if named_language(name) else _SUFFIXES.get(PurePath(name).suffix.lower(), "")


def is_html_page(text: str) -> bool:
    """Return whether a text begins as a whole page does.

    >>> is_html_page("<!DOCTYPE html><p>a"), is_html_page("<html lang=de>"), is_html_page("<p>a</p>")
    (True, True, False)
    """
    return _HTML_START.match(text) is not None


def _sure(text: str, sample: str, lines: list[str]) -> str:
    """The kind of a content that can be nothing else; empty where there is a doubt."""
    if _HTML_START.match(sample):
        return "html"
    found = _json(text, sample, lines)
    if found:
        return found
    if _DIFF.match(sample.lstrip("\n")) or (
        _DIFF.search(sample) and _HUNK.search(sample) and not _FENCE.search(sample)
    ):
        return "diff"
    if _is_mail(sample):
        return "mail"
    if sum(_LOG.match(line) is not None for line in lines) > 0.5 * len(lines) and len(lines) > _FEW:
        return "log"
    return ""


def _likely(sample: str, lines: list[str]) -> str:
    if len(_MARKDOWN_SURE.findall(sample)) >= _FEW and "#!" not in sample[:2] and "#include" not in sample:
        return "markdown"
    if len(lines) >= _FEW and (_TOML_TABLE.match(lines[0]) or sum(map(bool, map(_TOML_TABLE.match, lines)))):
        pairs = sum(_TOML_PAIR.match(line) is not None for line in lines)
        if pairs >= 1 and pairs >= 0.3 * len(lines):
            return "toml"
    signs = language_signs(sample)[1]
    if signs and signs >= 0.05 * len(lines) and not _prose_share(lines) > 0.4:
        return "code"
    if _is_yaml(lines):
        return "yaml"
    for kind, mark in (("tsv", "\t"), ("csv", ","), ("csv", ";")):
        if _is_table(lines, mark):
            return kind
    if len(_MARKDOWN.findall(sample)) >= max(3, 0.1 * len(lines)):
        return "markdown"
    return "prose"


def _json(text: str, sample: str, lines: list[str]) -> str:
    start = sample.lstrip()
    if start[:1] not in ("{", "["):
        return ""
    if len(text) > _WHOLE_JSON:
        looks = re.match(r'[\[{]\s*(?:"|\{|\[|-?\d)', start) is not None
        several = len(lines) > 1 and all(_parses(line) for line in lines[:3])
        return "jsonl" if several else "json" if looks and text.rstrip()[-1:] in ("}", "]") else ""
    try:
        value = json.loads(text.lstrip("\ufeff"))
    except RecursionError:
        return "json" if text.rstrip()[-1:] in ("}", "]") else ""
    except ValueError:
        records = [line for line in lines[:20] if line.lstrip()[:1] in ("{", "[")]
        whole = len(lines) > 1 and len(records) == len(lines[:20]) and all(map(_parses, records[:-1] or records))
        return "jsonl" if whole else ""
    return "messages" if _are_messages(value) else "json"


def _parses(line: str) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _are_messages(value: object) -> bool:
    if isinstance(value, dict):
        value = value.get("messages")
    if not isinstance(value, list) or not value:
        return False
    return all(
        isinstance(item, dict) and isinstance(item.get("role"), str) and ("content" in item or "tool_calls" in item)
        for item in value[:50]
    )


def _is_mail(sample: str) -> bool:
    """Whether a text starts with the headers of a mail, and a blank line ends them."""
    names: set[str] = set()
    lines = sample.lstrip("\r\n").splitlines()
    if lines and lines[0].startswith("From "):
        lines = lines[1:]
    for line in lines[:_LINES]:
        if not line.strip():
            break
        if line[0] in " \t" and names:
            continue
        if _HEADER.match(line) is None and not (names and re.match(r"[A-Za-z][\w-]*:", line)):
            return False
        names.add(line.partition(":")[0].strip().lower())
    else:
        return False
    return len(names) >= _FEW and bool(names & {"from", "von", "received", "return-path", "message-id"})


def _is_fragment(sample: str, lines: list[str]) -> bool:
    """Whether a text is made of HTML: it starts with a tag, and most of its lines hold some."""
    start = sample.lstrip()
    if _HTML_TAG.match(start) is None or _FENCE.search(sample):
        return False
    closing = sum(found[1] == "/" for found in _HTML_TAG.finditer(sample))
    return closing >= _FEW and sum(_HTML_TAG.search(line) is not None for line in lines) >= 0.5 * len(lines)


def _is_yaml(lines: list[str]) -> bool:
    bare = [line for line in lines if not line.lstrip().startswith("#")]
    if len(bare) < _FEW:
        return False
    keys = sum(_YAML_KEY.match(line.lstrip()) is not None for line in bare)
    items = sum(_YAML_ITEM.match(line) is not None for line in bare)
    opened = bare[0].strip() == "---" or _YAML_KEY.match(bare[0]) is not None or _YAML_ITEM.match(bare[0]) is not None
    nested = any(line.rstrip().endswith(":") or line.startswith("  ") for line in bare)
    prose = _prose_share(bare)
    return opened and keys >= 0.6 * len(bare) and keys + items >= 0.8 * len(bare) and nested and prose < 0.1


def _is_table(lines: list[str], mark: str) -> bool:
    if len(lines) < _FEW + (mark != "\t"):
        return False
    counts = [_outside_quotes(line, mark) for line in lines[:50]]
    if counts[0] < 1:
        return False
    same = sum(count == counts[0] for count in counts)
    short = sum(map(len, lines[0].split(mark))) / (counts[0] + 1) < 40
    return same >= 0.9 * len(counts) and short and _prose_share(lines) < 0.3 and not (mark != "\t" and ", " in lines[0])


def _outside_quotes(line: str, mark: str) -> int:
    return sum(part.count(mark) for part in line.split('"')[::2])


def _prose_share(lines: list[str]) -> float:
    ends = sum(line.rstrip().endswith((".", "!", "?", "。", "！", "？")) and line.count(" ") > 3 for line in lines)
    return ends / len(lines) if lines else 0.0
