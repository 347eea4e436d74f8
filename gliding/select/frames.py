"""What kept sentences cannot be without: frames, the leading sentences of these, and what they are tied to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from gliding.types import Document, Frame, Segment


@dataclass(frozen=True, slots=True)
class Needs:
    """By sentence, numbered through all segments: its document and the frames around it, and the others it needs.

    ``vital`` are the sentences of each segment that is kept where there is room, in order.
    """

    frames: Mapping[int, tuple[int, tuple[Frame, ...]]]
    others: Mapping[int, Sequence[int]]
    vital: Sequence[range]

    def along(self, sentences: Iterable[int]) -> set[int]:
        """Return the sentences with all that they need."""
        wanted = set(sentences)
        return wanted.union(*(self.others.get(k, ()) for k in wanted))


def needs(segments: Sequence[Segment]) -> Needs:
    """Gather what the sentences of all segments need."""
    frames: dict[int, tuple[int, tuple[Frame, ...]]] = {}
    leads: dict[tuple[int, Frame], list[int]] = {}
    ties: dict[tuple[int, str], dict[Frame, int]] = {}
    vital = []
    at = 0
    for segment in segments:
        own = range(at, at := at + len(segment.sentences))
        if segment.vital:
            vital.append(own)
        if segment.frame is None:
            continue
        around = (segment.document, segment.frame.chain())
        frames.update(dict.fromkeys(own, around))
        if segment.lead:
            leads.setdefault((segment.document, segment.frame), []).extend(own[: segment.lead])
        for frame in segment.frame.chain():
            if frame.tie:
                ties.setdefault((segment.document, frame.tie), {}).setdefault(frame, own.start)
    others = {}
    for k, (document, chain) in frames.items() if leads or ties else ():
        wanted = [lead for frame in chain for lead in leads.get((document, frame), ()) if lead != k]
        tied = (ties[document, frame.tie].items() for frame in chain if frame.tie)
        wanted += [other for each in tied for frame, other in each if frame not in chain]
        if wanted:
            others[k] = wanted
    return Needs(frames, others, vital)


def frame_costs(
    needed: Needs, documents: Sequence[Document], count: Callable[[Sequence[str]], list[int]]
) -> Callable[[int], Sequence[tuple[object, int]]]:
    """Return what gives the frames around a sentence, each with its tokens and those of a joiner."""
    known: dict[int, list[tuple[object, int]]] = {}

    def costs(k: int) -> Sequence[tuple[object, int]]:
        if k not in needed.frames:
            return ()
        if k not in known:
            document, chain = needed.frames[k]
            text = documents[document].text
            spent = count([text[slice(*f.opening)] + f.separator + text[slice(*f.closing)] for f in chain])
            known[k] = [(frame, tokens + 1) for frame, tokens in zip(chain, spent, strict=True)]
        return known[k]

    return costs
