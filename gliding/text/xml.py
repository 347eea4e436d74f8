"""Whether XML is well formed, asked of expat; entities are neither declared nor fetched."""

from __future__ import annotations

import re
from xml.parsers import expat

_LARGEST = 20_000_000
_SURROGATE = re.compile("[\ud800-\udfff]")


class _Stop(Exception):
    pass


def xml_fault(text: str) -> str:
    """Return why a text is no XML that can be read safely; empty where it is.

    A text that declares entities is none: a few lines of them can stand for gigabytes.

    >>> xml_fault("<a><b/></a>"), xml_fault("<a><b></a>"), xml_fault("<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>")
    ('', 'mismatched tag: line 1, column 8', 'it declares entities')
    """
    if len(text) > _LARGEST:
        return f"it has more than {_LARGEST} characters"
    if _SURROGATE.search(text):
        return "it has a character that no encoding has"

    def declared(*_: object) -> None:
        raise _Stop

    parser = expat.ParserCreate("utf-8")  # the text is decoded already, whatever its first line says
    parser.EntityDeclHandler = declared
    try:
        parser.Parse(text.encode(), True)
    except _Stop:
        return "it declares entities"
    except expat.ExpatError as error:
        return str(error)
    return ""
