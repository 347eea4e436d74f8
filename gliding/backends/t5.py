"""Rewriting with T5: the engine on ONNX Runtime, and the rewriter that runs on any engine of ``decoding.Seq2Seq``."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gliding.backends.caching import NullCache, through_cache
from gliding.backends.decoding import MOST_BEAMS, MakeWords, Seq2Seq, Words, decode, side_by_side
from gliding.backends.extras import installed_version, require, require_installed
from gliding.backends.session import cores, open_session, run_session
from gliding.backends.t5_checkpoint import LAYOUT, file_hash, read_config
from gliding.errors import InputError, ModelError, ModelNotAvailable
from gliding.text.sentences import sentence_spans
from gliding.types import Span

if TYPE_CHECKING:
    from gliding.protocols import Cache, Float32, Int64

# Names the task and the length, as the prompts that FLAN-T5 was tuned on do; the text comes last and whole.
INSTRUCTION = "Shorten to {words} words: {text}"
LONGEST = 512  # pieces that T5 was trained on, the end's among them
_RULES = "rewrite-1"  # a new number where the same model would give another text
_EXPORT = "Run: gliding models export ID"


@dataclass(frozen=True, slots=True)
class _State:
    """Between two steps: the text's cross keys and values with its mask, and the keys and values of the rows so far."""

    cross: Mapping[str, Any]
    past: Mapping[str, Any]


class OnnxT5:
    """A T5 on ONNX Runtime (a ``Seq2Seq``), from a folder that ``t5_graph.export`` has written.

    The model is loaded at the first text, on one thread; threads may share it.

    Args:
        model_dir: Folder with ``encoder.onnx``, ``decoder.onnx``, ``config.json`` and ``export.json``.

    Raises:
        MissingExtra: ``onnxruntime`` is not installed.
        ModelNotAvailable: a file is missing in the folder.
        ModelError: the folder was written by another version of the exporter, or its config is damaged.
    """

    def __init__(self, model_dir: Path) -> None:
        require_installed("onnxruntime", extra="onnx")
        self._folder = model_dir
        for name in ("export.json", "encoder.onnx", "decoder.onnx"):
            if not (model_dir / name).is_file():
                raise ModelNotAvailable(f"{model_dir / name} is missing.", hint=_EXPORT)
        config = read_config(model_dir / "config.json")
        self.start, self.end, self.vocabulary = config.start, config.end, config.vocabulary
        self._empty = np.zeros((1, config.heads, 0, config.head_dim), np.float32)
        self._slots = [f"{part}_{number}" for number in range(config.decoder_layers) for part in "kv"]
        self.fingerprint = f"t5:{_export_hash(model_dir)}/onnxruntime-{installed_version('onnxruntime')}"
        self._loading = threading.Lock()
        self._loaded: tuple[Any, Any] | None = None

    def encode(self, ids: Sequence[int]) -> object:
        """Return the state before the first step for one source text, with one row.

        Raises:
            ModelError: the model's files cannot be loaded.
        """
        encoder, _ = self._load()
        pieces = np.array([ids], np.int64)
        mask = np.ones_like(pieces)
        names = [f"cross_{slot}" for slot in self._slots]
        cross = dict(
            zip(names, run_session(encoder, names, {"input_ids": pieces, "attention_mask": mask}), strict=True)
        )
        return _State({**cross, "attention_mask": mask}, {f"past_{slot}": self._empty for slot in self._slots})

    def step(self, state: object, last: Int64) -> tuple[Float32, object]:
        """Return ``(rows, vocabulary) float32`` logits after the ``(rows,)`` last ids, and the state after them."""
        before = _own(state)
        _, decoder = self._load()
        names = ["logits", *(f"present_{slot}" for slot in self._slots)]
        logits, *present = run_session(decoder, names, {"input_ids": last[:, None], **before.past, **before.cross})
        return logits, _State(before.cross, dict(zip(before.past, present, strict=True)))

    def reorder(self, state: object, rows: Int64) -> object:
        """Return the state whose rows are these rows of the old one."""
        before = _own(state)
        return _State(before.cross, {name: value[rows] for name, value in before.past.items()})

    def _load(self) -> tuple[Any, Any]:
        with self._loading:
            if self._loaded is None:
                encoder, decoder = (open_session(self._folder / f"{side}.onnx", hint=_EXPORT) for side in _SIDES)
                cross = {f"cross_{slot}" for slot in self._slots}
                inputs = {value.name for value in decoder.get_inputs()}
                given = {value.name for value in encoder.get_outputs()}
                widths = {value.name: value.shape[-1] for value in decoder.get_outputs()}
                if widths.get("logits") != self.vocabulary or not inputs >= cross or given != cross:
                    raise ModelError(f"The files in {self._folder} do not belong to its config.json.", hint=_EXPORT)
                self._loaded = encoder, decoder
            return self._loaded


_SIDES = ("encoder", "decoder")


def _own(state: object) -> _State:
    if not isinstance(state, _State):
        raise InputError("The state comes from another engine.")
    return state


def _export_hash(folder: Path) -> str:
    """Hash what the exporter says of the sources and of how it wrote them, which settles the bytes of the model."""
    data = (folder / "export.json").read_bytes()
    try:
        layout = json.loads(data)["layout"]
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise ModelError(f"{folder / 'export.json'} is damaged: {error!r}.", hint=_EXPORT) from error
    if layout != LAYOUT:
        raise ModelError(f"{folder} has the layout {layout}, and {LAYOUT} is wanted: export it again.", hint=_EXPORT)
    return hashlib.sha256(data).hexdigest()[:16]


class _Job(NamedTuple):
    text: str
    keep: tuple[Span, ...]
    ratio: float

    @property
    def key(self) -> str:
        return json.dumps(self)


@dataclass(frozen=True, slots=True)
class _Pieces:
    """A loaded tokenizer: ``ordinary`` ids are those of pieces that a text may consist of."""

    tokenizer: Any
    ordinary: frozenset[int]
    words: Words | None


class T5Rewriter:
    """Says sentences in fewer words with a T5 (a ``Rewriter``). Deterministic; a text never depends on its batch.

    A text that cannot be rewritten comes back as it is: it is too long for the model and has no sentence end to be cut
    at, holds special pieces, would not get shorter or did not come to an end. Nothing is ever cut off.

    Args:
        engine: The model.
        tokenizer_file: Its ``tokenizer.json``.
        instruction: What the model is told, with ``{words}`` (the wished length) and ``{text}``.
        constrain: Bounds what the model may say to the source's words: ``tiers.constrain.SourceWords``; None: it is
            free, ``keep`` is not looked at, and the guard has more to refuse.
        beams: From 1 to 4.
        threads: Texts at a time; 0 means as many as there are cores.
        longest: Most pieces of an input, with the instruction.
        cache: Where rewrites are kept, by content.

    Raises:
        MissingExtra: ``tokenizers`` is not installed.
        ModelNotAvailable: the tokenizer's file is missing.
        InputError: ``beams`` is out of range, or the instruction lacks ``{text}`` or names something else.
    """

    def __init__(
        self,
        engine: Seq2Seq,
        tokenizer_file: Path,
        *,
        instruction: str = INSTRUCTION,
        constrain: MakeWords | None = None,
        beams: int = 1,
        threads: int = 0,
        longest: int = LONGEST,
        cache: Cache | None = None,
    ) -> None:
        require_installed("tokenizers", extra="onnx")
        if not tokenizer_file.is_file():
            raise ModelNotAvailable(f"{tokenizer_file} is missing.", hint="Give the folder of a T5 model.")
        if not 1 <= beams <= MOST_BEAMS:
            raise InputError(f"beams must be from 1 to {MOST_BEAMS}, not {beams}.")
        _check(instruction)
        self._engine, self._file = engine, tokenizer_file
        self._instruction, self._constrain = instruction, constrain
        self._beams, self._threads, self._longest = beams, threads or cores(), longest
        self._cache: Cache = cache if cache is not None else NullCache()
        settings = [_RULES, instruction, constrain.fingerprint if constrain else "free", beams, longest]
        digest = hashlib.sha256((json.dumps(settings) + file_hash(tokenizer_file)).encode()).hexdigest()
        self.fingerprint = f"{engine.fingerprint}/{digest[:16]}"
        self._loading = threading.Lock()
        self._loaded: _Pieces | None = None

    def rewrite(
        self, texts: Sequence[str], *, keep: Sequence[Sequence[Span]], ratio: float, stop: Callable[[], bool]
    ) -> list[str]:
        """Return each text in fewer words; the same string where it cannot.

        Args:
            texts: Sentences, or some of them in a row.
            keep: For each text the spans that must come out. Used where decoding is constrained.
            ratio: Of each text's length, how long the rewrite is to be, in (0, 1): a wish that the instruction names.
            stop: Asked before each step, from the threads that work; once it says True, texts that are not done come
                back as they are.

        Raises:
            InputError: ``keep`` has another length than ``texts``, or ``ratio`` is out of range.
            ModelError: the model cannot be loaded.
        """
        if len(keep) != len(texts) or not 0 < ratio < 1:
            raise InputError(f"{len(texts)} texts with {len(keep)} lists of spans, ratio {ratio}: they do not fit.")
        jobs = [_Job(text, tuple(sorted(spans)), ratio) for text, spans in zip(texts, keep, strict=True)]
        by_key = {job.key: job for job in jobs}

        def compute(new: list[str]) -> list[bytes]:
            return side_by_side(
                lambda key, halted: self._value(by_key[key], halted), new, threads=self._threads, stop=stop
            )

        values = through_cache(
            [job.key for job in jobs],
            cache=_OnlyFinished(self._cache),
            namespace=self.fingerprint,
            compute=compute,
        )
        return [value.decode("utf-8", "surrogatepass") or job.text for value, job in zip(values, jobs, strict=True)]

    def _value(self, job: _Job, halted: Callable[[], bool]) -> bytes:
        """The rewrite as bytes; none where it was cut short."""
        text = job.text
        done: list[str] = []
        at = 0
        for start, end in self._parts(text, job.ratio):
            inside = [Span(max(a, start) - start, min(b, end) - start) for a, b in job.keep if a < end and start < b]
            new = self._part(text[start:end], inside, job.ratio, halted)
            if new is None:
                return b""
            done += (text[at:start], new)
            at = end
        return "".join((*done, text[at:])).encode("utf-8", "surrogatepass")

    def _parts(self, text: str, ratio: float) -> list[Span]:
        """The text in as few parts as the model's length wants, cut at sentence ends."""
        whole = Span(len(text) - len(text.lstrip()), len(text.rstrip()))
        if whole.start >= whole.end or self._fits(text[whole.start : whole.end], ratio):
            return [whole] if whole.start < whole.end else []
        parts: list[Span] = []
        for start, end in sentence_spans(text, max_chars=len(text)):
            if parts and self._fits(text[parts[-1].start : end], ratio):
                parts[-1] = Span(parts[-1].start, end)
            else:
                parts.append(Span(start, end))
        return parts

    def _part(self, text: str, keep: Sequence[Span], ratio: float, halted: Callable[[], bool]) -> str | None:
        """One part in fewer words, as it is where it cannot; None where it was cut short."""
        if halted():
            return None
        loaded, ids = self._load(), self._ids(text, ratio)
        source = self._encode(text)
        if len(ids) > self._longest or not loaded.ordinary.issuperset(source):
            return text
        allowed = loaded.words.constraint(text, keep=keep) if loaded.words else None
        if loaded.words and allowed is None:
            return text
        # a rewrite with more pieces than its source is none, but the same words can be spelled in more
        most = len(source) * (2 if allowed else 1) + 1
        made = decode(self._engine, ids, max_new=most, beams=self._beams, allowed=allowed, stop=halted)
        if not made:
            return None
        said = ""
        if made[-1] == self._engine.end:
            if allowed:
                said = allowed.text(made)
            elif loaded.ordinary.issuperset(made[:-1]):
                said = loaded.tokenizer.decode(made[:-1]).strip()
        return said if said and len(said) < len(text) else text

    def _ids(self, text: str, ratio: float) -> list[int]:
        """The whole input: instruction, text, end."""
        words = max(1, round(ratio * len(text.split())))
        return [*self._encode(self._instruction.format(words=words, text=text)), self._engine.end]

    def _fits(self, text: str, ratio: float) -> bool:
        return len(self._ids(text, ratio)) <= self._longest

    def _encode(self, text: str) -> list[int]:
        clean = text.encode("utf-16", "surrogatepass").decode(
            "utf-16", "replace"
        )  # the library refuses lone surrogates
        ids: list[int] = self._load().tokenizer.encode(clean, add_special_tokens=False).ids
        return ids

    def _load(self) -> _Pieces:
        with self._loading:
            if self._loaded is None:
                self._loaded = self._read()
            return self._loaded

    def _read(self) -> _Pieces:
        library = require("tokenizers", extra="onnx")
        try:
            tokenizer = library.Tokenizer.from_file(str(self._file))
        except Exception as error:  # the library raises nothing more precise
            raise ModelError(f"{self._file} is not a tokenizer: {error}.") from error
        tokenizer.no_padding()
        tokenizer.no_truncation()
        # special pieces and those of single bytes are written <so>, in all tokenizers of this family
        special = {self._engine.start, self._engine.end}
        pieces = {
            piece: id
            for piece, id in tokenizer.get_vocab().items()
            if id < self._engine.vocabulary and id not in special and not (piece[:1] == "<" and piece[-1:] == ">")
        }
        normaliser = tokenizer.normalizer

        def normalise(text: str) -> str:
            return str(normaliser.normalize_str(text)) if normaliser else text

        words = self._constrain(pieces, end=self._engine.end, normalise=normalise) if self._constrain else None
        return _Pieces(tokenizer, frozenset(pieces.values()), words)


class _OnlyFinished:
    """A cache that does not keep empty values: those of texts that were cut short."""

    def __init__(self, cache: Cache) -> None:
        self._cache = cache

    def get_many(self, namespace: str, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        return self._cache.get_many(namespace, keys)

    def put_many(self, namespace: str, items: Iterable[tuple[bytes, bytes]]) -> None:
        self._cache.put_many(namespace, [(key, value) for key, value in items if value])


def _check(instruction: str) -> None:
    try:
        whole = "\0" in instruction.format(words=1, text="\0")
    except (LookupError, ValueError, AttributeError):
        whole = False
    if not whole:
        raise InputError(
            f"The instruction {instruction!r} cannot be used.", hint="Write it with {text}, and {words} where wanted."
        )
