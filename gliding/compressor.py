"""The compressor: documents, a query and a budget in; a shorter text with the evidence for it out.

``Compressor.run`` is the flow: count, segment, score, select, assemble, report. Read it first.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from gliding import presets, registry
from gliding.call import Call
from gliding.config import Preset
from gliding.errors import InputError
from gliding.ingest import sources
from gliding.protocols import Embedder, EntityExtractor, Extractor, Rewriter, TokenCounter, Trimmer
from gliding.score.blend import Scorer
from gliding.score.dense import Dense
from gliding.score.task import check_task
from gliding.segment.messages import question
from gliding.segment.pins import find_pins
from gliding.select.ranking import rank
from gliding.types import Budget, Request, Result


class Compressor:
    """Holds the parts of a preset, loaded once and used many times, by several threads if need be.

    Options of one call never change another: everything that a call needs is in its ``Request``.
    """

    def __init__(self, preset: Preset, parts: registry.Parts, *, warnings: Sequence[str] = ()) -> None:
        self.preset = preset
        self.parts = parts
        self.warnings = tuple(warnings)
        self._counters: dict[str, TokenCounter] = {}
        self._scorer = Scorer(
            preset.score,
            parts.entities,
            parts.extractor,
            Dense(parts.embedder, parts.index, preset.embed, preset.index.hits) if parts.embedder else None,
        )

    @classmethod
    def from_preset(
        cls,
        preset: str | Path | Preset | None = None,
        *,
        overrides: Mapping[str, str] | None = None,
        tokenizer: str | TokenCounter | None = None,
        embedder: Embedder | None = None,
        entities: EntityExtractor | None = None,
        extractor: Extractor | None = None,
        trimmer: Trimmer | None = None,
        rewriter: Rewriter | None = None,
        cache: bool = True,
    ) -> Compressor:
        """Build a compressor from a preset's name, file or object.

        Args:
            preset: None: ``balanced`` where all its parts are there, else ``edge`` with a warning in every report.
            overrides: Settings by dotted key, such as ``{"score.passages.dense": "0.3"}``.
            tokenizer: A name, the path of a ``tokenizer.json``, or any ``TokenCounter``.
            embedder: Any object with the protocol's methods, in place of the preset's; the same for the parts below.
            entities: Finds names, numbers and identifiers.
            extractor: Ranks sentences without a query.
            trimmer: Shortens sentences by rules.
            rewriter: Says sentences in fewer words; what it says is checked by the guard. Where it raises a
                ``TierError`` the sentences stay as they are, and the report says so; any other error comes out.
            cache: False keeps vectors and entities out of the user's cache folder, whatever the preset says.

        Raises:
            PresetNotFound: There is no such preset.
            ConfigError: The preset or an override is wrong.
            MissingExtra: A part of a named preset needs a package that is not installed.
            ModelNotAvailable: A part of a named preset needs a model that is not found.
        """
        warnings: tuple[str, ...] = ()
        if preset is None:
            chosen, warnings = registry.default_preset()
        else:
            chosen = preset if isinstance(preset, Preset) else presets.load(preset)
        if overrides:
            chosen = presets.override(chosen, overrides)
        if isinstance(tokenizer, str):
            chosen = presets.override(chosen, {"tokens.use": tokenizer})
        counter = None if isinstance(tokenizer, str) else tokenizer
        parts = registry.build(
            chosen,
            counter=counter,
            embedder=embedder,
            entities=entities,
            extractor=extractor,
            trimmer=trimmer,
            rewriter=rewriter,
            cache=cache,
        )
        return cls(chosen, parts, warnings=(*warnings, *parts.warnings))

    def compress(
        self,
        source: Any,
        *,
        query: str = "",
        max_tokens: int | None = None,
        rate: float | None = None,
        window: int | None = None,
        used: int = 0,
        reserve: int = 0,
        criticality: float | None = None,
        task: str = "",
        pins: Sequence[str] = (),
        tokenizer: str | TokenCounter | None = None,
        deadline: float | None = None,
        audit: bool = False,
        warnings: Sequence[str] = (),
    ) -> Result:
        """Compress a source to a token budget. Give exactly one of ``max_tokens``, ``rate`` and ``window``.

        Args:
            source: Text, a path, a ``Document``, a mapping with ``text``, or a list of those.
            query: What the reader wants to know; empty keeps what is most central.
            max_tokens: Most tokens of the output.
            rate: Tokens out / tokens in, in (0, 1].
            window: The reader's context window in tokens; the controller decides from it and ``used``.
            used: Tokens of the window that are taken.
            reserve: Tokens that are kept free for the answer.
            criticality: How much the text matters to the task, in [0, 1].
            task: ``answer``, ``debug``, ``continue`` or ``summarize``; empty lets the query say.
            pins: Texts that must come out verbatim.
            tokenizer: Another tokenizer than the compressor's, for this call.
            deadline: Seconds after which vectors and rewriting are cut short; the report says so. The steps that no
                result can do without go on.
            audit: Whether the output is compared with the source: what is lost, what is added, what is broken.
            warnings: What the caller has to say of the source; stands first among the report's own.

        Raises:
            InputError: The source, a pin or an option cannot be used.
            BudgetError: Not even the pinned text, or one word, fits.
        """
        budget = Budget(
            max_tokens=max_tokens, rate=rate, window=window, used=used, reserve=reserve, criticality=criticality
        )
        told = list(warnings)
        documents = sources.read(source, readers=registry.readers(told.append))
        pins = (pins,) if isinstance(pins, str) else tuple(pins)
        if deadline is not None and not deadline >= 0:
            raise InputError(f"deadline is {deadline:g}, but must be 0 or more seconds.")
        request = Request(
            documents=documents, query=query, budget=budget, task=task, pins=pins, deadline=deadline, audit=audit
        )
        return self.run(request, counter=self._counter(tokenizer), warnings=told)

    def run(self, request: Request, *, counter: TokenCounter | None = None, warnings: Sequence[str] = ()) -> Result:
        """Compress the documents of a request.

        Raises:
            InputError: A pin or an option cannot be used.
            BudgetError: Not even the pinned text, or one word, fits.
        """
        check_task(request.task)
        given = counter or self.parts.counter
        call = Call(request, self.preset, given, (*warnings, *self.warnings), self.parts.trees)
        goal = call.control()
        if goal.tokens >= call.tokens_in:
            find_pins(request.documents, request.pins)
            return call.untouched(goal)
        verbatim = self.preset.mode == "verbatim"
        trimmer = None if verbatim else self.parts.trimmer
        rewriting = None if verbatim else self.parts.rewriting
        with call.clock.timed("segment"):
            draft = call.cut(goal)
        with call.clock.timed("trim"):
            light = call.trim(draft, goal, trimmer)
        if light is not None:
            return call.result(draft, light, goal)
        with call.clock.timed("score"):
            query = request.query or question(request.documents, draft.segments)
            scores = self._scorer.score(
                request.documents, draft.segments, query, task=request.task, stop=call.clock.late
            )
        with call.clock.timed("select"):
            ranking = rank(request.documents, draft.segments, scores, draft.texts, self.preset.select)
            choice = call.choose(draft, ranking, goal, trimmer, rewriting)
        return call.result(draft, choice, goal, scores=scores, ranking=ranking)

    def _counter(self, tokenizer: str | TokenCounter | None) -> TokenCounter:
        if not isinstance(tokenizer, str):
            return tokenizer or self.parts.counter
        if tokenizer not in self._counters:
            self._counters[tokenizer] = registry.token_counter(tokenizer)
        return self._counters[tokenizer]

    def close(self) -> None:
        """Close the cache. The compressor can still be used; it then works without one."""
        close = getattr(self.parts.cache, "close", None)
        if close is not None:
            close()

    def __enter__(self) -> Compressor:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


_kept: dict[str | None, Compressor] = {}
_keeping = threading.Lock()


def compress(
    source: Any,
    *,
    preset: str | None = None,
    query: str = "",
    max_tokens: int | None = None,
    rate: float | None = None,
    window: int | None = None,
    used: int = 0,
    reserve: int = 0,
    criticality: float | None = None,
    task: str = "",
    pins: Sequence[str] = (),
    tokenizer: str | TokenCounter | None = None,
    deadline: float | None = None,
    audit: bool = False,
) -> Result:
    """Compress a source to a token budget with a preset's compressor, which is built once and kept.

    The arguments are those of ``Compressor.compress``; ``preset`` is a name or a path, None is the default.

    >>> text = "The bus was late. The pump failed at noon, since a seal was worn. Lunch was soup."
    >>> compress(text, query="Why did the pump fail?", max_tokens=12, preset="edge").text
    'The pump failed at noon, since a seal was worn.'
    """
    with _keeping:
        if preset not in _kept:
            _kept[preset] = Compressor.from_preset(preset)
        compressor = _kept[preset]
    return compressor.compress(
        source,
        query=query,
        max_tokens=max_tokens,
        rate=rate,
        window=window,
        used=used,
        reserve=reserve,
        criticality=criticality,
        task=task,
        pins=pins,
        tokenizer=tokenizer,
        deadline=deadline,
        audit=audit,
    )
