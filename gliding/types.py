"""The nouns: what flows between the steps. Frozen, slotted, and free of behaviour beyond views of themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    FloatArray = npt.NDArray[np.float64]
    IntArray = npt.NDArray[np.int64]

Action = Literal["keep", "trim", "extract", "rewrite", "fold", "drop"]
Route = Literal["passages", "document", "dialogue", "agent", "lines", "code"]
SegmentKind = Literal["paragraph", "heading", "item", "turn", "line", "table", "fence", "record"]


class Span(NamedTuple):
    """Half-open range of characters ``[start, end)`` of a text; never bytes, never tokens."""

    start: int
    end: int


class Token(NamedTuple):
    """One token of a parsed text.

    ``start`` and ``end`` are characters of the text; ``head`` is the index of its head, its own for a root; ``dep`` is
    the label of that edge in the ClearNLP scheme (``nsubj``, ``dobj``, ``neg``, ``relcl`` ...); ``pos`` the Universal
    part of speech, ``tag`` the Penn Treebank one; ``lemma`` in lower case.
    """

    start: int
    end: int
    head: int
    dep: str
    pos: str
    tag: str
    lemma: str


class SourceSpan(NamedTuple):
    """A range of characters of one of the documents of a request."""

    document: int
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One input text, never changed after ingest.

    ``title``, ``role`` (the speaker) and ``time`` are shown in the output once where they change and count in the
    scores. ``turn`` is the caller's number or name of a chat turn. ``kind`` names the sort of text (``prose``,
    ``markdown``, ``log``, ``code``); empty lets the segmenter decide. ``criticality`` in [0, 1] overrides the
    request's for this document: 1 is never shortened more than it must be.
    """

    text: str
    id: str = ""
    title: str = ""
    role: str = ""
    time: str = ""
    turn: str = ""
    kind: str = ""
    criticality: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """What must stand around parts of a document for it to stay what it is: brackets, a table's head, a fence.

    ``opening`` and ``closing`` are spans of the document's text, either may be empty; they come out before the first
    and after the last kept part inside. ``separator`` stands between two parts ("," in JSON), ``gap`` on a line of its
    own where parts were left out ("..." in code). ``parent`` is the frame around it. ``name`` is the text that says
    what the frame holds (a record's id, a signature): its words count in the scores of all that is inside. Frames of
    one document with the same ``tie`` are kept together: a tool call and its answer.
    """

    opening: Span
    closing: Span
    separator: str = ""
    gap: str = ""
    parent: Frame | None = None
    name: Span | None = None
    tie: str = ""

    def chain(self) -> tuple[Frame, ...]:
        """Return the frames around a part inside, the outermost first, this one last."""
        return (*self.parent.chain(), self) if self.parent else (self,)


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece that is chosen as a whole: a paragraph, a heading, a list item, a chat turn, a log line, a record.

    ``sentences`` are spans of the document's text, in order, inside ``span``, that do not overlap and that cover all
    of the segment but white space and, in a frame, separators. ``heading`` is the index (in the list of segments) of
    the nearest heading above, or -1; ``level`` is a heading's own depth, 0 for anything else. ``frame`` is what must
    stand around it; the first ``lead`` of its sentences must stand wherever anything else inside that frame does. What
    is ``vital`` is kept like a pin where there is room for it.
    """

    document: int
    span: Span
    kind: SegmentKind
    sentences: tuple[Span, ...]
    level: int = 0
    heading: int = -1
    frame: Frame | None = None
    lead: int = 0
    vital: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """How long the output may be. At most one of ``max_tokens``, ``rate`` and ``window`` is given.

    ``max_tokens`` is a number of tokens, ``rate`` a share of the input in (0, 1], ``window`` the reader's context
    window in tokens of which ``used`` are taken and ``reserve`` are kept free for the answer; ``criticality`` in
    [0, 1] says how much the text matters to the task. ``reserve`` is taken off ``max_tokens`` too.
    """

    max_tokens: int | None = None
    rate: float | None = None
    window: int | None = None
    used: int = 0
    reserve: int = 0
    criticality: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What the controller decided: at most ``tokens``; ``strength`` in [0, 1] names the lightest ``tier`` to try."""

    tokens: int
    strength: float
    tier: Literal["none", "trim", "extract", "rewrite"]
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One call: documents, what the reader wants to know, the room there is, and the seconds that it may take.

    ``audit`` asks for a comparison of the output with the input.
    """

    documents: tuple[Document, ...]
    query: str = ""
    budget: Budget = field(default_factory=Budget)
    task: str = ""
    pins: tuple[str, ...] = ()
    deadline: float | None = None
    audit: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """Per-sentence scores of all segments, in order.

    ``total`` is ``(n,) float64``, the weighted blend; ``signals`` maps a signal's name to ``(n,) float64`` values
    in about [0, 1]; ``segment`` is ``(n,) int64``, the index of the sentence's segment. ``coverage`` weighs the query's
    words by how rare they are (word -> weight), for the coverage of what is kept; ``similarity`` is ``(n,) float64``,
    the cosine to the query where the sentence was embedded, else NaN; ``late`` says that there was no time for vectors.
    ``grain`` is what is chosen as a whole on this route. ``alike`` maps a segment to those whose vectors are so near to
    its own that they may say the same.
    """

    total: FloatArray
    signals: Mapping[str, FloatArray]
    segment: IntArray
    route: Route
    grain: Literal["sentence", "segment"]
    coverage: Mapping[str, float] = field(default_factory=dict)
    similarity: FloatArray | None = None
    alike: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    late: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What is done with one segment, and why, in words. ``kept`` are the sentences' spans that stay."""

    segment: int
    source: SourceSpan
    action: Action
    reason: str
    score: float
    signals: Mapping[str, float]
    kept: tuple[Span, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A run of output text. Where ``exact``, it equals the source text at its one span in ``sources``.

    ``action`` is ``header`` for what the compressor puts in itself, a title, a speaker, a date line, ``frame`` for what
    stands around and between kept parts: brackets and a table's head are exact, separators and gap marks are not, and
    ``fold`` for a mark that stands for lines like the one before it, which may come from further on.
    """

    text: str
    action: Literal["keep", "trim", "extract", "rewrite", "fold", "frame", "header"]
    exact: bool
    sources: tuple[SourceSpan, ...]
    output: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What happened, in numbers. Times in seconds, lengths in tokens of ``tokenizer``.

    ``rewriting`` counts the sentences that the third tier was given: ``tried``, ``taken``, ``refused: KIND`` for each
    kind of refusal, and the tokens ``saved`` in the sentences that came out; empty where the tier did not run.
    ``late`` says that the deadline struck.
    """

    preset: str
    tokenizer: str
    tokens_in: int
    tokens_out: int
    budget: int
    rule: str
    strength: float
    route: str
    segments: int
    kept: int
    trimmed: int
    extracted: int
    rewritten: int
    folded: int
    dropped: int
    pinned: int
    coverage: float | None
    seconds: Mapping[str, float]
    rewriting: Mapping[str, int] = field(default_factory=dict)
    late: bool = False
    warnings: tuple[str, ...] = ()

    @property
    def rate(self) -> float:
        """Tokens out / tokens in; 1.0 for an empty input."""
        return self.tokens_out / self.tokens_in if self.tokens_in else 1.0

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain values that JSON can hold, with ``rate`` beside the fields."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        plain = {"seconds": dict(self.seconds), "rewriting": dict(self.rewriting), "warnings": list(self.warnings)}
        return {**values, **plain, "rate": self.rate}


class Finding(NamedTuple):
    """One thing that is lost or added; ``span`` is in the source for what is lost, in the output for what is added."""

    kind: str
    text: str
    span: Span

    def to_dict(self) -> dict[str, Any]:
        """Return the finding as plain values that JSON can hold."""
        return {"kind": self.kind, "text": self.text, "span": list(self.span)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """What an output lost and added.

    ``lost`` was lost inside text that came out in part, ``gone`` went with its sentence; ``added`` is not in the
    source; ``broken`` says what is not valid any more; ``kind`` is the kind of text that was checked. ``counts`` has
    for each kind of fact how many the source has and how many of them came out: different ones of numbers, dates,
    identifiers, names and links, each single one of negations, modals and conditions.
    """

    kind: str
    lost: tuple[Finding, ...] = ()
    gone: tuple[Finding, ...] = ()
    added: tuple[Finding, ...] = ()
    broken: tuple[str, ...] = ()
    counts: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    @property
    def clean(self) -> bool:
        """Whether nothing was added and nothing is broken; a shorter text always loses something."""
        return not self.added and not self.broken

    def to_dict(self) -> dict[str, Any]:
        """Return the audit as plain values that JSON can hold."""
        return {
            "clean": self.clean,
            "kind": self.kind,
            "broken": list(self.broken),
            "added": [found.to_dict() for found in self.added],
            "lost": [found.to_dict() for found in self.lost],
            "gone": [found.to_dict() for found in self.gone],
            "counts": {kind: {"source": there, "kept": kept} for kind, (there, kept) in self.counts.items()},
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The shorter text and the evidence for it; ``audit`` where it was asked for."""

    text: str
    pieces: tuple[Piece, ...]
    decisions: tuple[Decision, ...]
    documents: tuple[Document, ...]
    report: Report
    audit: Audit | None = None

    @property
    def tokens(self) -> int:
        """Tokens of ``text`` in the tokenizer that was named."""
        return self.report.tokens_out

    @property
    def rate(self) -> float:
        """Tokens out / tokens in."""
        return self.report.rate

    @property
    def coverage(self) -> float | None:
        """How well what was kept answers the query, in [0, 1]; None without a query. Low: retrieve more."""
        return self.report.coverage

    def explain(self, span: Span | tuple[int, int], *, document: int = 0) -> tuple[Decision, ...]:
        """Return the decisions on the segments that a range of a document's text touches, in order."""
        start, end = span
        return tuple(
            decision
            for decision in self.decisions
            if decision.source.document == document and decision.source.start < end and start < decision.source.end
        )

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the documents as plain values that JSON can hold."""
        return {
            "text": self.text,
            "tokens": self.tokens,
            "rate": self.rate,
            "coverage": self.coverage,
            "pieces": [
                {
                    "action": piece.action,
                    "exact": piece.exact,
                    "sources": [source._asdict() for source in piece.sources],
                    "output": list(piece.output),
                }
                for piece in self.pieces
            ],
            "decisions": [
                {
                    "segment": decision.segment,
                    "source": decision.source._asdict(),
                    "action": decision.action,
                    "reason": decision.reason,
                    "score": decision.score,
                    "signals": dict(decision.signals),
                    "kept": [list(span) for span in decision.kept],
                }
                for decision in self.decisions
            ],
            "report": self.report.to_dict(),
            **({"audit": self.audit.to_dict()} if self.audit else {}),
        }
