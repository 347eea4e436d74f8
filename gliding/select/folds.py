"""Lines alike but for numbers and identifiers: one of them stands, and a mark says how many more there are.

Where there is room the mark says in what each of them differs, so that no identifier is lost (templates as in log
compression: Zhu et al. 2019, "Tools and Benchmarks for Automated Log Parsing").
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from gliding.text.templates import split
from gliding.text.words import terms
from gliding.types import Document, Segment

if TYPE_CHECKING:
    from gliding.types import FloatArray

_LEAST = 4
"""Lines of one template from which on they are folded."""
_STANDS_OUT = 1.3
"""How many times the median of those around it in its group a line must score to stand by itself."""
_AROUND = 8
"""Lines of a group on each side of one that are around it."""
_REST = re.compile(r"[^\S\n]*(?:\n|\Z)")
_KINDS = ("line", "paragraph", "item")


@dataclass(frozen=True)
class Fold:
    """Sentences that say the same but for some values, ascending: ``head`` stands for the others.

    ``values`` has for each of the others what differs in the group, ``key`` the place of the value by which they are
    told apart, -1 where there is none; ``times`` what each begins with.
    """

    head: int
    others: tuple[int, ...]
    values: tuple[tuple[str, ...], ...]
    key: int
    times: tuple[str, ...]

    @property
    def levels(self) -> tuple[int, ...]:
        """The levels of ``mark`` that say more than the count, the most telling first."""
        if not self.values[0]:
            return ()
        return (2, 1) if self.key >= 0 and len(self.values[0]) > 1 else (2,)

    def mark(self, kept: Collection[int], *, level: int = 0) -> str:
        """Return what stands behind the head for those of the others that are not kept; empty where all are.

        It says their count; at ``level`` 1 by what they are told apart, at 2 all values that differ.
        """
        count = len(self.others) - sum(k in self._all for k in kept)
        if not count:
            return ""
        final = next(k for k in reversed(range(len(self.others))) if self.others[k] not in kept)
        last = f", last {self.times[final]}" if self.times[final] else ""
        told = zip(self.others, self.values, strict=True) if level else ()
        rows = [" ".join(row) if level == 2 else row[self.key] for other, row in told if other not in kept]
        return f"[{count:,} more like this{last}{': ' if rows else ''}{'; '.join(rows)}]"

    @cached_property
    def _all(self) -> frozenset[int]:
        return frozenset(self.others)

    def folded(self, kept: Collection[int]) -> tuple[int, ...]:
        """Return those of the others for which the mark stands."""
        return tuple(k for k in self.others if k not in kept)


def folds(
    documents: Sequence[Document],
    segments: Sequence[Segment],
    texts: Sequence[str],
    score: FloatArray,
    query: Collection[str],
) -> list[Fold]:
    """Return the groups of lines that are alike, by their heads.

    A line that the query names by one of its values, or that scores far better than those of its group around it (it
    answers, or stands next to what does), stays by itself, and so does the last line of a document. Only what is a line
    of its own is folded, in no frame and under no title or speaker.

    Args:
        documents: All documents.
        segments: All segments.
        texts: All sentences.
        score: ``(n,)``, each sentence's score.
        query: The query's terms.
    """
    groups: dict[tuple[str, int], list[tuple[int, tuple[str, ...], str]]] = defaultdict(list)
    for k in _lines(documents, segments):
        found = split(texts[k])
        if found is not None:
            # a time and a number leave the same gap: only lines with as many values are alike
            groups[found[0], len(found[1])].append((k, found[1], found[2]))
    made = []
    for group in groups.values():
        if len(group) < _LEAST:
            continue
        own = score[[k for k, _, _ in group]]
        low = own <= _STANDS_OUT * _median(own)
        low[0] = True  # it stands for the others, whatever lifted it
        inside = [each for each, alike in zip(group, low, strict=True) if alike]
        if query:
            inside = [each for each in inside if not _named(each[1], query)]
        if len(inside) >= _LEAST:
            made.append(_fold(inside))
    return sorted(made, key=lambda fold: fold.head)


def _named(values: Sequence[str], query: Collection[str]) -> bool:
    """Whether the query has one of the values, by what of it has a digit."""
    return any(term in query for value in values for term in terms(value) if any(map(str.isdigit, term)))


def _median(values: FloatArray) -> FloatArray:
    """The median of each value with those around it."""
    padded = np.pad(values, _AROUND, mode="reflect") if len(values) > _AROUND else np.pad(values, _AROUND, mode="edge")
    windows = np.lib.stride_tricks.sliding_window_view(padded, 2 * _AROUND + 1)
    return np.asarray(np.median(windows, axis=1))


def _lines(documents: Sequence[Document], segments: Sequence[Segment]) -> list[int]:
    """The sentences that are lines of their own, but for the last one of a document of several lines, or of all."""
    found: list[int] = []
    several = ["\n" in document.text.strip() for document in documents]
    ends = [len(document.text.rstrip()) for document in documents]
    k = 0
    for number, segment in enumerate(segments):
        document = documents[segment.document]
        plain = segment.kind in _KINDS and segment.frame is None
        if plain and not (document.title or document.role or document.time):
            last = number + 1 == len(segments) or several[segment.document]
            for n, (start, end) in enumerate(segment.sentences):
                if _alone(document.text, start, end) and not (last and end >= ends[segment.document]):
                    found.append(k + n)
        k += len(segment.sentences)
    return found


def _alone(text: str, start: int, end: int) -> bool:
    while start and text[start - 1] != "\n" and text[start - 1].isspace():
        start -= 1
    return (start == 0 or text[start - 1] == "\n") and _REST.match(text, end) is not None


def _fold(group: Sequence[tuple[int, tuple[str, ...], str]]) -> Fold:
    columns = list(zip(*(values for _, values, _ in group), strict=True))
    differing = [column for column in columns if len(set(column)) > 1]
    keys = (c for c, column in enumerate(differing) if len(set(column)) == len(column))
    return Fold(
        head=group[0][0],
        others=tuple(k for k, _, _ in group[1:]),
        values=tuple(zip(*differing, strict=True))[1:] if differing else ((),) * (len(group) - 1),
        key=next(keys, -1),
        times=tuple(time for _, _, time in group[1:]),
    )
