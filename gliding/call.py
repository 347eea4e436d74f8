"""One call of the compressor: what the steps need to know of each other, counted and timed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cache, cached_property
from heapq import nsmallest
from itertools import islice
from types import MappingProxyType

from gliding.assemble import Assembler, Mark, Text, date_line, label, whole, whole_text
from gliding.audit import KINDS, audit
from gliding.clock import Clock
from gliding.config import Preset
from gliding.errors import BudgetError
from gliding.protocols import SyntaxTrees, TokenCounter, Trimmer
from gliding.segment import segment
from gliding.segment.pins import crossing, cut_out, find_pins, pinned_sentences
from gliding.segment.plain import plain_sentences
from gliding.select.budget import target
from gliding.select.decide import decide
from gliding.select.frames import Needs, frame_costs, needs
from gliding.select.plan import Choice, Costs, choose
from gliding.select.ranking import Ranking
from gliding.text.languages import NAMES, named_language
from gliding.text.prefix import longest_prefix
from gliding.text.words import terms
from gliding.tiers.rewrite import RewriteTier
from gliding.tiers.rewriting import Rewriting
from gliding.types import Audit, Decision, Document, Report, Request, Result, Scores, Segment, SourceSpan, Span, Target


def _kind(document: Document) -> str:
    """The kind of text by which a document's structure is checked; empty lets its content tell."""
    if document.kind in KINDS:
        return document.kind
    language = named_language(document.id) or named_language(document.title)
    if language in NAMES:
        return language
    return "" if document.kind in ("", "code") else "text"


_CHARS_PER_TOKEN = 12
_TRIALS = 200
"""Sentences that are tried by themselves where nothing that was ranked fits."""


@dataclass(frozen=True)
class Draft:
    """The cut documents: segments, their sentences' texts, which of these are pins, and whether headers are shown.

    ``needed`` says what a sentence cannot be without.
    """

    segments: Sequence[Segment]
    texts: Sequence[str]
    pinned: Sequence[int]
    assembler: Assembler
    needed: Needs
    shown: bool = True

    @cached_property
    def fixed(self) -> frozenset[int]:
        """The sentences that no tier may change: pins, and what must stay valid for what it is."""
        return frozenset(self.pinned) | frozenset(self.needed.frames)


class Call:
    """The steps of one request around scoring and ranking. It belongs to one thread and is thrown away."""

    def __init__(
        self,
        request: Request,
        preset: Preset,
        counter: TokenCounter,
        warnings: Sequence[str] = (),
        trees: SyntaxTrees | None = None,
    ) -> None:
        self.request = request
        self.preset = preset
        self.counter = counter
        self._trees = trees
        self._warnings = list(warnings)
        self.clock = Clock(request.deadline)
        self._trimmed: dict[int, str] = {}
        self._rewriting: Rewriting | None = None

    @cached_property
    def source(self) -> str:
        """The input as it is, with its headers."""
        return whole_text(self.request.documents)

    @cached_property
    def tokens_in(self) -> int:
        """Tokens of the input, counted on the joined text."""
        with self.clock.timed("count"):
            return self._count(self.source)

    def control(self) -> Target:
        """Turn budget, rate or window into a target."""
        own = [doc.criticality for doc in self.request.documents if doc.criticality is not None]
        return target(
            self.request.budget,
            self.tokens_in,
            self.source,
            self.preset.control,
            criticality=sum(own) / len(own) if own else None,
        )

    def untouched(self, goal: Target) -> Result:
        """The input itself, where it fits."""
        documents = self.request.documents
        kept = tuple(
            Decision(
                segment=k,
                source=SourceSpan(k, 0, len(doc.text)),
                action="keep",
                reason="fits",
                score=0.0,
                signals={},
                kept=(Span(0, len(doc.text)),),
            )
            for k, doc in enumerate(documents)
        )
        covered = self._coverage(self.source, (), None)
        return self._finish(whole(documents), kept, goal, self.tokens_in, route="none", coverage=covered)

    def cut(self, goal: Target) -> Draft:
        """Segment the documents, and see that the pinned text fits before any model runs."""
        documents = self.request.documents
        pins = find_pins(documents, self.request.pins)
        chars = self.preset.segment.max_chars
        segments = segment(documents, max_chars=chars, trees=self._trees, warn=self._warnings.append)
        if pins:
            if crossed := crossing(segments, pins):
                segments = segment(documents, max_chars=chars, plain=crossed, trees=self._trees)
            segments = cut_out(documents, segments, pins)
        needed = needs(segments)
        pinned = sorted(needed.along(pinned_sentences(segments, pins)))
        assembler = Assembler(documents, segments)
        texts = [documents[s.document].text[a:b] for s in segments for a, b in s.sentences]
        shown = True
        if pinned:
            least = self._count(assembler.text(pinned, shown=False))
            if least > goal.tokens:
                raise BudgetError(
                    f"The pinned text needs {least} tokens and the budget is {goal.tokens}.",
                    hint="Raise --max-tokens or pin less.",
                )
            shown = self._count(assembler.text(pinned)) <= goal.tokens
        for vital in reversed(needed.vital):  # the last message of a chat first, where there is room
            more = sorted(needed.along({*pinned, *vital}))
            if self._count(assembler.text(more, shown=shown)) <= goal.tokens:
                pinned = more
        return Draft(segments, texts, pinned, assembler, needed, shown)

    def trim(self, draft: Draft, goal: Target, trimmer: Trimmer | None) -> Choice | None:
        """Where little is to go, trim every sentence by rules; None where that does not reach the target."""
        if trimmer is None or goal.tier != "trim":
            return None
        safe = draft.fixed
        shorter = trimmer.trim(draft.texts)
        self._trimmed = {
            k: new
            for k, (old, new) in enumerate(zip(draft.texts, shorter, strict=True))
            if new != old and new and k not in safe
        }
        everything = tuple(range(len(draft.texts)))
        if self._measure(draft, everything, self._trimmed) <= goal.tokens:
            return Choice(kept=everything, replaced=self._trimmed)
        return None

    def choose(
        self,
        draft: Draft,
        ranking: Ranking,
        goal: Target,
        trimmer: Trimmer | None,
        rewriting: RewriteTier | None = None,
    ) -> Choice:
        """Fill the budget from the ranking; where not even one sentence fits, keep the front of the best one."""
        safe = draft.fixed
        if rewriting is not None and goal.tier == "rewrite":
            self._rewriting = self._third_tier(draft, rewriting)

        @cache
        def trimmed(k: int) -> tuple[str, int] | None:
            new = trimmer.trim([draft.texts[k]])[0] if trimmer is not None and k not in safe else ""
            return (new, self._count(new) + 1) if new and new != draft.texts[k] else None

        choice = choose(
            ranking,
            self._costs(draft),
            goal.tokens,
            lambda kept, replaced, marks: self._measure(draft, kept, replaced, marks),
            forced=draft.pinned,
            replaced=self._trimmed,
            trimmed=trimmed if trimmer is not None else None,
            rewritten=self._rewriting,
            spare=self._rewriting.spare if self._rewriting else 0.0,
            bare=not draft.shown,
        )
        if choice.kept or not draft.texts:
            return choice
        whole = self._least(draft, ranking, goal)
        if whole:
            return Choice(kept=whole, replaced={}, bare=True)
        cuttable = [k for k in range(len(draft.texts)) if k not in draft.needed.frames]
        if not cuttable:
            least = self._smallest(draft)
            raise BudgetError(
                f"Nothing that stays valid fits a budget of {goal.tokens} tokens: the least is {least}.",
                hint=f"Raise it: --max-tokens {least + self.request.budget.reserve}, or a higher --rate.",
            )
        best = max(cuttable, key=lambda k: (ranking.score[k], -k))
        end = longest_prefix(draft.texts[best], goal.tokens, self.counter)
        if not end:
            raise BudgetError(
                f"Not even one word fits a budget of {goal.tokens} tokens.", hint="Raise --max-tokens or --rate."
            )
        front = draft.texts[best][:end]
        return Choice(kept=(best,), replaced={} if front == draft.texts[best] else {best: front}, bare=True)

    def _least(self, draft: Draft, ranking: Ranking, goal: Target) -> tuple[int, ...]:
        """The best framed sentence that fits with all that it needs, however low it scores; empty where none does."""
        framed = sorted(draft.needed.frames, key=lambda k: (-ranking.score[k], k))
        fitting = (k for k in framed if len(draft.texts[k]) <= _CHARS_PER_TOKEN * goal.tokens)
        for k in islice(fitting, _TRIALS):
            kept = tuple(sorted(draft.needed.along({k})))
            if self._count(draft.assembler.text(kept, shown=False)) <= goal.tokens:
                return kept
        return ()

    def _smallest(self, draft: Draft) -> int:
        """The fewest tokens in which something stays valid, among the sentences that need the fewest characters."""

        def chars(k: int) -> int:
            _, around = draft.needed.frames[k]
            shown = sum(f.opening.end - f.opening.start + f.closing.end - f.closing.start for f in around)
            return shown + sum(len(draft.texts[j]) for j in draft.needed.along({k}))

        shortest = nsmallest(_TRIALS, draft.needed.frames, key=chars)
        return min(self._count(draft.assembler.text(sorted(draft.needed.along({k})), shown=False)) for k in shortest)

    def _third_tier(self, draft: Draft, tier: RewriteTier) -> Rewriting:
        plain = plain_sentences(self.request.documents, draft.segments)
        return Rewriting(
            tier,
            draft.texts,
            allowed=[each and k not in draft.fixed for k, each in enumerate(plain)],
            asked=frozenset(terms(self.request.query)),
            clock=self.clock,
            count=self._count,
        )

    def result(
        self,
        draft: Draft,
        choice: Choice,
        goal: Target,
        *,
        scores: Scores | None = None,
        ranking: Ranking | None = None,
    ) -> Result:
        """Assemble what was chosen and report on it."""
        third = self._rewriting
        rewriting = third.told({k: choice.replaced[k] for k in choice.rewritten}) if third else {}
        if third and third.warning:
            self._warnings.append(third.warning)
        left_out = ["the scores do without vectors"] if scores is not None and scores.late else []
        if self.clock.struck and rewriting:
            left_out.append("some sentences were extracted, not rewritten")
        with self.clock.timed("assemble"):
            shown = draft.shown and not choice.bare
            kept = set(choice.kept)
            marks = (
                {k: Mark(text, ranking.folds[k].folded(kept)) for k, text in choice.marks.items()} if ranking else {}
            )
            joined = draft.assembler.join(
                choice.kept, choice.replaced, rewritten=choice.rewritten, marks=marks, shown=shown
            )
            decisions = decide(
                draft.segments,
                choice,
                scores=scores,
                ranking=ranking,
                pinned=draft.pinned,
                refused=third.refused if third else {},
            )
            covered = self._coverage(joined.text, choice.kept, scores)
        if covered == 0.0:
            self._warnings.append("Nothing that was kept has a word of the query: raise the budget or retrieve more.")
        return self._finish(
            joined,
            decisions,
            goal,
            self._count(joined.text),
            route=scores.route if scores else "none",
            coverage=covered,
            pinned=len(draft.pinned),
            rewriting=rewriting,
            left_out=left_out,
        )

    def _finish(
        self,
        joined: Text,
        decisions: tuple[Decision, ...],
        goal: Target,
        tokens: int,
        *,
        route: str,
        coverage: float | None,
        pinned: int = 0,
        rewriting: Mapping[str, int] = MappingProxyType({}),
        left_out: Sequence[str] = (),
    ) -> Result:
        done = [decision.action for decision in decisions]
        with self.clock.timed("audit") if self.request.audit else nullcontext():
            compared = self._audited(joined) if self.request.audit else None
        if self.clock.late():
            told = " and ".join(left_out) or "no step was left that could have been shortened"
            self._warnings.append(f"The deadline of {self.request.deadline:g} s struck: {told}.")
        report = Report(
            preset=self.preset.name,
            tokenizer=self.counter.name,
            tokens_in=self.tokens_in,
            tokens_out=tokens,
            budget=goal.tokens,
            rule=goal.rule,
            strength=round(goal.strength, 4),
            route=route,
            segments=len(decisions),
            kept=done.count("keep"),
            trimmed=done.count("trim"),
            extracted=done.count("extract"),
            rewritten=done.count("rewrite"),
            folded=done.count("fold"),
            dropped=done.count("drop"),
            pinned=pinned,
            coverage=coverage,
            seconds=self.clock.seconds(),
            rewriting=dict(rewriting),
            late=self.clock.struck,
            warnings=tuple(self._warnings),
        )
        return Result(
            text=joined.text,
            pieces=joined.pieces,
            decisions=decisions,
            documents=self.request.documents,
            report=report,
            audit=compared,
        )

    def _audited(self, joined: Text) -> Audit:
        """Compare what comes out with what went in; of one document without its label, whose structure is checked."""
        documents = self.request.documents
        headers = [piece for piece in joined.pieces if piece.action == "header"]
        own = [piece.text for piece in joined.pieces if piece.action == "frame" and not piece.exact]
        if len(documents) > 1:
            return audit(self.source, joined.text, kind="text", allowed=[piece.text for piece in headers] + own)
        start = headers[-1].output.end + 1 if headers else 0
        source = documents[0].text if documents else ""
        kind = _kind(documents[0]) if documents else "text"
        return audit(source, joined.text[start:], kind=kind, allowed=own, trees=self._trees)

    def _count(self, text: str) -> int:
        return self.counter.count([text])[0]

    def _measure(
        self, draft: Draft, kept: Sequence[int], replaced: Mapping[int, str], marks: Mapping[int, str] | None = None
    ) -> int:
        return self._count(draft.assembler.text(kept, replaced, marks=marks, shown=draft.shown))

    def _costs(self, draft: Draft) -> Costs:
        documents = self.request.documents
        known: dict[int, int] = {}

        def sentence(k: int) -> int:
            if k not in known:
                known[k] = self._count(self._trimmed.get(k, draft.texts[k])) + 1
            return known[k]

        days = [date_line(document) for document in documents]
        labels = [label(document) for document in documents]
        tokens = dict(zip(parts := sorted({*days, *labels}), self.counter.count(parts), strict=True))
        shown = draft.shown
        return Costs(
            sentence=sentence,
            chars=[len(text) for text in draft.texts],
            owner=[s.document for s in draft.segments for _ in s.sentences],
            label=[tokens[text] + 1 if text and shown else 0 for text in labels],
            date=[tokens[text] + 1 if text and shown else 0 for text in days],
            day=days,
            frames=frame_costs(draft.needed, documents, self.counter.count),
            needs=draft.needed.others,
            mark=lambda text: self._count(text) + 1,
        )

    def _coverage(self, text: str, kept: Sequence[int], scores: Scores | None) -> float | None:
        """How well what was kept answers: the query's words by rarity, and the best cosine where there are vectors."""
        weights = scores.coverage if scores else dict.fromkeys(terms(self.request.query), 1.0)
        total = sum(weights.values())
        if not total:
            return None
        said = set(terms(text))
        words = sum(weight for term, weight in weights.items() if term in said) / total
        if scores is None or scores.similarity is None or not kept:
            return round(words, 4)
        near = scores.similarity[list(kept)]
        near = near[near == near]  # NaN: not embedded
        return round((words + max(0.0, float(near.max(initial=0.0)))) / 2, 4)
