"""Documents to segments: decides by kind, role and content how each document is cut."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from gliding.protocols import SyntaxTrees
from gliding.segment.csv import cut_csv, is_csv
from gliding.segment.diff import cut_diff
from gliding.segment.json import cut_json, cut_json_lines, is_json, is_json_lines, is_json_string
from gliding.segment.lines import cut_code, cut_lines, ends_like_prose, form, is_record, whole
from gliding.segment.messages import cut_messages
from gliding.segment.prose import cut_prose, has_blank_line
from gliding.segment.python import cut_python
from gliding.segment.scripts import cut_script, script_kind
from gliding.segment.toml import cut_ini, cut_toml, is_ini, is_toml
from gliding.segment.trees import cut_tree
from gliding.segment.turn import cut_turn
from gliding.segment.xml import cut_xml, is_xml
from gliding.segment.yaml import cut_yaml
from gliding.text.languages import NAMES, language_signs, named_language
from gliding.text.sentences import sentence_spans
from gliding.types import Document, Segment, Span

_PASSAGE = 8_000
"""Characters up to which a document among others is taken for a passage that was cut by the caller."""

_GRAIN = 160
"""Characters from which what a tool answers in JSON is opened: one member of it is often all that is asked for."""

_KINDS = {"log": "lines", "lines": "lines", "code": "code", "prose": "prose", "markdown": "prose", "text": "prose"}


_NO_TREES = "Code was cut by lines and may not parse any more; for that, run: pip install 'gliding[code]'"


def segment(
    documents: Sequence[Document],
    *,
    max_chars: int = 400,
    plain: Collection[int] = (),
    trees: SyntaxTrees | None = None,
    warn: Callable[[str], None] | None = None,
) -> list[Segment]:
    """Return the segments of all documents, in order.

    Segments do not overlap and cover all but white space and what their frames hold. No sentence is longer than
    ``max_chars`` characters, but for what stays valid only as a whole: a member of a record, a row, a statement. A
    document with a role is one segment of kind ``turn``, but for JSON, fences and tables. Those in ``plain`` are cut
    without frames. ``trees`` parses source code; ``warn`` is told once where it was wanted and is None.
    """
    segments: list[Segment] = []
    told: list[str] = []
    records = _are_records(documents)
    many = len(documents) > 1
    for index, document in enumerate(documents):
        text = document.text
        if not document.kind and named_language(document.id):
            document = replace(document, kind="code")
        if document.role and index not in plain and len(text) > _GRAIN and is_json(text):
            segments += cut_json(text, index, max_chars=min(max_chars, _GRAIN))
        elif document.role:
            segments += cut_turn(text, index, max_chars=max_chars, framed=index not in plain)
        elif index not in plain and (found := _structured(document, index, max_chars)):
            segments += found
        elif "\n" not in text and document.kind not in ("markdown", "code"):
            line = not document.title and (records or document.kind == "log" or is_record(text))
            segments += _one_line(text, index, line=line, max_chars=max_chars)
        else:
            passage = bool(document.title) or (many and len(text) <= _PASSAGE)
            segments += _many_lines(document, index, passage, len(segments), max_chars, index not in plain, trees, told)
    if warn is not None and told:
        warn(told[0])
    return segments


def _structured(document: Document, index: int, max_chars: int) -> list[Segment]:
    """The records of a text that is data; none where it is none."""
    text, kind = document.text, document.kind
    if kind in ("", "json", "messages", "yaml") and is_json(text):
        return cut_messages(text, index, max_chars=max_chars) or cut_json(text, index, max_chars=max_chars)
    said = kind == "json" or document.id.lower().endswith(".json")
    if (said or not kind) and is_json_string(text, said=said):
        return cut_json(text, index, max_chars=max_chars)
    if kind in ("", "xml") and is_xml(text, said=kind == "xml"):
        return cut_xml(text, index, max_chars=max_chars) or []
    if not kind and "\n" not in text and "\r" not in text:
        return []
    if kind in ("", "jsonl") and is_json_lines(text):
        return cut_json_lines(text, index, max_chars=max_chars)
    if kind in ("", "diff") and (found := cut_diff(text, index, max_chars=max_chars, sure=kind == "diff")):
        return found
    if kind in ("csv", "tsv") or (not kind and is_csv(text)):
        return cut_csv(text, index)
    name = "" if kind else document.id.lower()
    if kind == "toml" or name.endswith(".toml") or (not kind and is_toml(text)):
        return cut_toml(text, index, max_chars=max_chars) or cut_ini(text, index, max_chars=max_chars) or []
    named = kind == "yaml" or name.endswith((".yaml", ".yml"))
    if named or not kind:
        found = cut_yaml(text, index, max_chars=max_chars, said=named)
        if named or found is not None:
            return found or []
    if kind == "ini" or (not kind and is_ini(text)):
        return cut_ini(text, index, max_chars=max_chars) or []
    return []


def _are_records(documents: Sequence[Document]) -> bool:
    """Whether the documents are the lines of one log or output, handed over one by one."""
    if len(documents) < 8:
        return False
    plain = [d.text for d in documents[:400] if not (d.title or d.role or "\n" in d.text)]
    if len(plain) < 0.8 * min(len(documents), 400):
        return False
    if sum(1 for text in plain if len(text) > 400) > 0.1 * len(plain):
        return False
    prose = sum(map(ends_like_prose, plain))
    return prose < 0.3 * len(plain) or sum(map(is_record, plain)) > 0.4 * len(plain)


def _one_line(text: str, index: int, *, line: bool, max_chars: int) -> list[Segment]:
    if line and len(text) <= max_chars and text == text.strip() != "":
        whole_line = Span(0, len(text))
        return [Segment(index, whole_line, "line", (whole_line,))]
    sentences = sentence_spans(text, max_chars=max_chars, lines=line)
    if not sentences:
        return []
    span = Span(sentences[0][0], sentences[-1][1])
    return [Segment(index, span, "line" if line else "paragraph", tuple(sentences))]


def _many_lines(
    document: Document,
    index: int,
    passage: bool,
    first: int,
    max_chars: int,
    framed: bool,
    trees: SyntaxTrees | None,
    told: list[str],
) -> list[Segment]:
    text = document.text
    scripted = script_kind(text, document.id) if framed and not passage and document.kind in ("", "code") else None
    if scripted and (statements := cut_script(text, index, scripted, max_chars=max_chars)):
        return statements
    shape = _KINDS.get(document.kind) or form(text)
    if shape == "code":
        if passage and len(text) <= _PASSAGE:
            return whole(text, index, 0, len(text), kind="fence", max_chars=max_chars)
        parsed = _parsed(document, index, max_chars, trees, told) if framed else None
        return parsed or cut_code(text, index, max_chars=max_chars)
    if shape == "lines":
        return cut_lines(text, index, max_chars=max_chars, framed=framed)
    if passage and document.kind != "markdown" and not has_blank_line(text):
        sentences = sentence_spans(text, max_chars=max_chars)
        if not sentences:
            return []
        return [Segment(index, Span(sentences[0][0], sentences[-1][1]), "paragraph", tuple(sentences))]
    return cut_prose(text, index, first=first, max_chars=max_chars, framed=framed)


def _parsed(
    document: Document, index: int, max_chars: int, trees: SyntaxTrees | None, told: list[str]
) -> list[Segment] | None:
    """Source code by its syntax; none where it is in no language that is known, or does not parse."""
    text = document.text
    named = named_language(document.id) or named_language(document.title)
    if named not in NAMES and (found := cut_python(text, index, max_chars=max_chars)):
        return found
    language = named or language_signs(text)[0]
    if language not in NAMES:
        return None
    if trees is None:
        told.append(_NO_TREES)
        return None
    return cut_tree(text, index, trees, language=language, max_chars=max_chars, sure=bool(named))
