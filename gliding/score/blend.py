"""The blend: structure names the route, the preset's weights for it turn the signals into one score per sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from gliding.config import ScoreConfig, Weights
from gliding.numeric import scale
from gliding.protocols import EntityExtractor, Extractor
from gliding.score import graph, lexical
from gliding.score.dense import Dense, Similarity
from gliding.score.entities import overlap
from gliding.score.recency import age_order, recency
from gliding.score.route import route
from gliding.score.salience import rarity, salience
from gliding.score.task import Task, asks_cause, cause, failure, task_of
from gliding.score.view import View, view
from gliding.text.scripts import cjk_share
from gliding.text.words import terms
from gliding.types import Document, Route, Scores, Segment

if TYPE_CHECKING:
    from gliding.types import FloatArray

_WINDOW = 40
"""Turns that count as one stretch of talk about one thing."""
_AROUND = (0.5, 0.3, 0.2)
"""What the lines one, two and three places from a failure get of it: a trace belongs to its error."""
_BESIDE = (0.1, 0.05)
"""The same where all failures are asked for: a small one comes before what stands beside a great one."""
_CAUSE = 0.3
"""By how much more a sentence with a word of cause counts where the query asks why."""
_DATED = 0.4
"""What a stretch counts in dialogues with dates, whose sessions are shorter than it."""
_CENTRAL = {"central": 1.0, "centroid": 0.5, "position": 0.5, "heading": 0.2}
_TIE = 1e-6


@dataclass(frozen=True, slots=True)
class Scorer:
    """Measures how much the reader needs each sentence. It holds no state between calls."""

    weights: ScoreConfig
    entities: EntityExtractor
    extractor: Extractor
    dense: Dense | None = None

    def score(
        self,
        documents: Sequence[Document],
        segments: Sequence[Segment],
        query: str,
        *,
        task: str = "",
        stop: Callable[[], bool] = lambda: False,
    ) -> Scores:
        """Score all sentences of all segments, in order.

        Once ``stop`` says True there is no time left, and the scores do without vectors.

        Raises:
            InputError: There is no task of that name.
        """
        seen = view(documents, segments)
        asked = terms(query)
        way = route(documents, segments)
        work = _Work(
            view=seen,
            query=query,
            asked=asked,
            weights=getattr(self.weights, way),
            task=task_of(query, asked, way, task),
            route=way,
            rarity=lexical.idf(asked, seen.terms),
            stop=stop,
        )
        if not seen.size:
            total = np.zeros(0)
        elif not asked or work.task == "summarize":
            total = self._without_query(work)
        else:
            total = self._with_query(work)
            if not total.any():  # nothing in the text answers: what is central is the best there is
                total = self._without_query(work)
        return Scores(
            total=total,
            signals=work.signals,
            segment=seen.segment,
            route=way,
            grain="segment" if work.whole else "sentence",
            coverage=work.rarity,
            similarity=work.similarity.sentences if work.similarity else None,
            alike=work.similarity.alike if work.similarity else {},
            late=work.late,
        )

    def _without_query(self, work: _Work) -> FloatArray:
        seen, weights = work.view, work.weights
        hurt = scale(graph.near(failure(seen.texts), _AROUND)) if weights.failure else np.zeros(seen.size)
        if work.route == "lines":
            total = work.put("rarity", 1.0, rarity(seen.texts)) + work.put("failure", 1.0, hurt)
            return total + 0.5 * self._recency(work, weight=weights.recency)
        signals = salience(seen, self.extractor)
        work.signals.update(signals)
        total = sum((_CENTRAL[name] * values for name, values in signals.items()), np.zeros(seen.size))
        if work.whole:
            total = seen.spread(seen.gather(total))
        return total + work.put("failure", weights.failure, hurt) + self._recency(work, weight=weights.recency)

    def _with_query(self, work: _Work) -> FloatArray:
        total = self._lexical(work)
        weights, seen = work.weights, work.view
        if weights.entities:
            total += work.put("entities", weights.entities, overlap(self.entities.extract([work.query])[0], seen))
        if weights.dense and self.dense is not None and self.dense.speaks(work.query):
            total = scale(total + self._dense(work, self.dense, total))
        if weights.bridge:
            total = self._bridge(work, total)
        if work.task == "debug":
            one = asks_cause(work.query)
            hurt = scale(graph.near(failure(seen.texts), _AROUND if one else _BESIDE))
            total += work.put("failure", weights.failure, hurt)
            if one:
                total += self._recency(work, weight=weights.recency)
        elif work.task == "answer" and asks_cause(work.query):
            total = total * (1 + work.put("cause", _CAUSE, cause(seen.texts)))
        elif work.task == "continue":
            total += self._recency(work, weight=weights.recency)
        return total

    def _lexical(self, work: _Work) -> FloatArray:
        seen, weights = work.view, work.weights
        shares = (weights.near, weights.near / 2)
        sentences = scale(lexical.bm25(work.asked, seen.terms))
        whole = seen.segment_terms()
        segments = scale(lexical.bm25(work.asked, whole))
        if work.whole:
            turns = graph.answers(scale(graph.near(segments, shares)), seen)
            total = seen.spread(scale(turns)) + _TIE * sentences
            work.put("turn", 1.0, seen.spread(scale(turns)))
        else:
            total = work.put("sentence", weights.sentence, scale(graph.near(sentences, shares)))
            total = total + work.put("segment", weights.segment, seen.spread(segments))
        if weights.window:
            stretch = np.arange(len(whole)) // _WINDOW
            talk = [list(chain.from_iterable(whole[k : k + _WINDOW])) for k in range(0, len(whole), _WINDOW)]
            about = scale(lexical.bm25(work.asked, talk))[stretch]
            dated = any(document.time for document in seen.documents)  # short sessions: a stretch spans several
            total = total + work.put("window", weights.window * (_DATED if dated else 1.0), seen.spread(about))
        return scale(total)

    def _bridge(self, work: _Work, total: FloatArray) -> FloatArray:
        seen = work.view
        share = work.weights.bridge * 2 * (1 - self._answered(work, total))
        bridged = scale(graph.titles(total, seen, work.asked, share))
        work.put("title", 1.0, np.maximum(bridged - total, 0))
        if cjk_share(work.query) > 0.3:  # no capital letters: names are not told from other words
            return bridged
        leaders = graph.leading(bridged)
        found = dict(zip(leaders, self.entities.extract([seen.texts[k] for k in leaders]), strict=True))
        hop = scale(graph.names(seen, bridged, found, work.asked))
        return bridged + work.put("hop", share, hop)

    def _answered(self, work: _Work, total: FloatArray) -> float:
        """The largest share of the query's words, by rarity, in one of the three best sentences.

        A query that one sentence has whole asks for no second hop.
        """
        whole = sum(work.rarity.values())
        best = (set(work.view.terms[k]) for k in graph.leading(total, 3))
        said = (sum(weight for term, weight in work.rarity.items() if term in words) for words in best)
        return max(said, default=0.0) / whole if whole else 0.0

    def _dense(self, work: _Work, dense: Dense, total: FloatArray) -> FloatArray:
        seen = work.view
        work.similarity = found = dense.similarity(seen, work.query, total, work.stop)
        if found is None:
            work.late = True
            return np.zeros(seen.size)
        segments = np.maximum(found.segments, 0)
        near = np.where(np.isnan(found.sentences), 0.8 * seen.spread(segments), np.maximum(found.sentences, 0))
        best = np.maximum(seen.gather(near), segments)
        return work.put("dense", work.weights.dense, scale(0.5 * near + 0.5 * seen.spread(best)))

    def _recency(self, work: _Work, *, weight: float) -> FloatArray:
        if not weight:
            return np.zeros(work.view.size)
        ages = age_order(work.view.documents)
        if ages is None:
            return work.put("recency", weight, recency(np.arange(work.view.size, dtype=np.float64)))
        owner = np.fromiter((s.document for s in work.view.segments), np.int64, len(work.view.segments))
        return work.put("recency", weight, recency(work.view.spread(ages[owner])))


@dataclass(slots=True, kw_only=True)
class _Work:
    """One call's inputs and the signals that it gathers."""

    view: View
    query: str
    asked: list[str]
    weights: Weights
    task: Task
    route: Route
    rarity: Mapping[str, float]
    signals: dict[str, FloatArray] = field(default_factory=dict)
    stop: Callable[[], bool]
    similarity: Similarity | None = None
    late: bool = False

    @property
    def whole(self) -> bool:
        """Whether segments are chosen as a whole: half a turn is half an answer."""
        return self.route == "dialogue"

    def put(self, name: str, weight: float, values: FloatArray) -> FloatArray:
        """Note a signal and return its share of the score."""
        self.signals[name] = values
        return weight * values
