"""What parsers get wrong, put right by rule, and the brackets and dashes that they do not tell."""

from __future__ import annotations

from collections.abc import Sequence

from gliding.types import Token


def mended(tokens: Sequence[Token]) -> list[Token]:
    """Join "the nurse and the doctor" where the parser gave a verb two subjects, the first with an "and"."""
    found = list(tokens)
    for i, token in enumerate(tokens):
        if token.dep == "dep" and token.tag == "VB" and any(t.dep == "cc" and t.head == token.head for t in tokens[:i]):
            found[i] = token._replace(dep="conj")
        if token.dep == "conj" and token.tag == "NNS" and tokens[i - 1].dep == "cc":
            told = any(t.head == i and t.dep in ("acl", "ccomp") and t.tag in ("VBZ", "VBP", "VBD") for t in tokens)
            verb = token.head
            while told and tokens[verb].head != verb and tokens[verb].pos != "VERB":
                verb = tokens[verb].head
            if told and tokens[verb].tag == "VBZ":  # "denies pain but reports that ..."
                found[i] = token._replace(head=verb, pos="VERB", tag="VBZ")
    for i, token in enumerate(tokens):  # "unpaid rent and cleaning costs" are two things: the first has an adjective
        j = next((k for k, t in enumerate(tokens) if t.dep == "conj" and t.head == i), -1)
        h = token.head
        nouns = token.dep == "nmod" and token.pos == "NOUN" and i < j == h - 1 and tokens[j].pos == "NOUN"
        if nouns and {"amod", "cc"} <= {t.dep for t in tokens if t.head == i}:
            found[i] = token._replace(dep=tokens[h].dep, head=tokens[h].head)
            found[h] = tokens[h]._replace(dep="conj", head=i)
            found[j] = tokens[j]._replace(dep="compound", head=h)
    joined = {token.head for token in tokens if token.dep == "cc"}
    last: dict[tuple[int, str], int] = {}
    for i, token in enumerate(tokens):
        if token.dep in ("nsubj", "nsubjpass", "dobj", "pobj", "attr") and token.head != i:
            first = last.get((token.head, token.dep), -1)
            if first in joined:
                found[i] = token._replace(head=first, dep="conj")
            last[token.head, token.dep] = i
    return found


def asides(low: Sequence[str]) -> list[int]:
    """Return for each token the number of the brackets it stands in, 0 outside; dashes count in pairs."""
    found = [0] * len(low)
    opened = -1
    number = 0
    for i, word in enumerate(low):
        if word in ("(", "[") and opened < 0:
            opened = i
        elif word in (")", "]") and opened >= 0:
            number += 1
            found[opened : i + 1] = [number] * (i + 1 - opened)
            opened = -1
    dashes = [i for i, word in enumerate(low) if word in ("\u2014", "\u2013", "--")]
    for first, last in zip(dashes[::2], dashes[1::2], strict=False):
        if not any(found[first : last + 1]):
            number += 1
            found[first : last + 1] = [number] * (last + 1 - first)
    return found
