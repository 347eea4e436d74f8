"""T5 on torch: the engine of ``decoding.Seq2Seq`` over the layers of transformers, on the CPU or a GPU.

The head is applied here and not by ``T5ForConditionalGeneration``: whether a checkpoint has a head of its own, and
whether the head's input is scaled, is read from it by ``t5_checkpoint``, one way for all engines and for all versions
of transformers. (Version 5 ties every T5's head to its word table unless both are found to differ.)
"""

from __future__ import annotations

import inspect
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gliding.backends.extras import require, require_installed
from gliding.backends.graph import read_safetensors
from gliding.backends.t5_checkpoint import Checkpoint, T5Config, read_config
from gliding.backends.torch import Device, choose_place, hash_of, put_in, versions
from gliding.errors import InputError, ModelError, ModelNotAvailable

if TYPE_CHECKING:
    from gliding.protocols import Float32, Int64

_WEIGHTS = ("config.json", "model.safetensors")
_WORD_TABLES = ("shared.weight", "encoder.embed_tokens.weight", "decoder.embed_tokens.weight")


class _Model(NamedTuple):
    """The loaded model; ``scale`` is put on the decoder's output before the head, ``cache`` the cache's name."""

    encoder: Any
    decoder: Any
    head: Any
    scale: float
    cache: str


@dataclass(frozen=True, slots=True)
class _State:
    """Between two steps: the source text as the encoder saw it, and the keys and values of the rows so far."""

    memory: Any
    past: Any


class TorchT5:
    """A T5 on torch (a ``Seq2Seq``), from a local checkpoint: T5 1.0, T5 1.1 or FLAN-T5.

    The model is loaded at the first text; threads may share it. It computes in float32 on the CPU, on a GPU in
    bfloat16 where the GPU has it, else in float32. Nothing is downloaded, no code and no pickle of a checkpoint is run.

    Args:
        model_dir: Folder with ``config.json`` and ``model.safetensors``.
        device: ``cpu``, ``cuda``, or ``auto``: the GPU where torch sees one.
        fingerprint: Names the model's bytes (``Manifest.fingerprint``); empty: the files are hashed.

    Raises:
        MissingExtra: ``torch`` or ``transformers`` is not installed.
        ModelNotAvailable: a file is missing in the folder.
        ModelError: the config is not that of a T5.
        ConfigError: ``cuda`` is asked for and torch sees no GPU.
    """

    def __init__(self, model_dir: Path, *, device: Device = "auto", fingerprint: str = "") -> None:
        require_installed("torch", "transformers", extra="torch")
        for name in _WEIGHTS:
            if not (model_dir / name).is_file():
                raise ModelNotAvailable(f"{model_dir / name} is missing.", hint="Give the folder of a T5 checkpoint.")
        self._folder = model_dir
        self._config = read_config(model_dir / "config.json")
        self.start, self.end, self.vocabulary = self._config.start, self._config.end, self._config.vocabulary
        self._place = choose_place(device)
        self.fingerprint = f"t5:{fingerprint or hash_of(model_dir, _WEIGHTS)}/{versions(self._place)}"
        self._loading = threading.Lock()
        self._loaded: _Model | None = None

    def encode(self, ids: Sequence[int]) -> object:
        """Return the state before the first step for one source text, with one row.

        Raises:
            InputError: there are no ids, or one is not of the vocabulary.
            ModelError: the model's files cannot be loaded, or memory is short.
        """
        torch = require("torch", extra="torch")
        pieces = self._checked(np.array(ids, np.int64))[None]
        encoder = self._load().encoder
        with _computing(), torch.inference_mode():
            seen = encoder(input_ids=torch.from_numpy(pieces).to(self._place.device))
        return _State(seen.last_hidden_state, None)

    def step(self, state: object, last: Int64) -> tuple[Float32, object]:
        """Return ``(rows, vocabulary) float32`` logits after the ``(rows,)`` last ids, and the state after them.

        Raises:
            InputError: an id is not of the vocabulary, or the state comes from another engine.
            ModelError: torch cannot compute the step: memory is short.
        """
        before, model = _own(state), self._load()
        torch, transformers = require("torch", extra="torch"), require("transformers", extra="torch")
        newest = torch.from_numpy(self._checked(last)[:, None]).to(self._place.device)
        if before.past is None:
            past = transformers.EncoderDecoderCache(transformers.DynamicCache(), transformers.DynamicCache())
        else:
            past = _fork(before.past)
        memory = before.memory.expand(len(last), -1, -1)
        with _computing(), torch.inference_mode():
            arguments = {"input_ids": newest, "encoder_hidden_states": memory, "use_cache": True, model.cache: past}
            hidden = model.decoder(**arguments).last_hidden_state[:, -1]
            logits = torch.nn.functional.linear(hidden * model.scale, model.head)
            found: Float32 = logits.float().cpu().numpy()
        return found, _State(before.memory, past)

    def reorder(self, state: object, rows: Int64) -> object:
        """Return the state whose rows are these rows of the old one.

        Raises:
            InputError: the state comes from another engine.
        """
        before = _own(state)
        if before.past is None:
            return before
        torch = require("torch", extra="torch")
        past = _fork(before.past)
        with torch.inference_mode():
            past.reorder_cache(torch.as_tensor(rows, device=self._place.device))
        return _State(before.memory, past)

    def _checked(self, ids: Int64) -> Int64:
        """A GPU answers an id outside the table with an error that ends all its work in this process."""
        if not len(ids) or ids.min() < 0 or ids.max() >= self.vocabulary:
            raise InputError(f"Ids from 0 to {self.vocabulary - 1} are wanted, at least one of them.")
        return ids

    def _load(self) -> _Model:
        with self._loading:
            if self._loaded is None:
                self._loaded = self._read()
            return self._loaded

    def _read(self) -> _Model:
        torch = require("torch", extra="torch")
        weights = read_safetensors(self._folder / "model.safetensors")
        config = self._config
        if config.encoder_layers + config.decoder_layers > len(weights):
            raise ModelError(f"{self._folder} has fewer weights than its config.json has layers.")
        checkpoint = Checkpoint(weights, config)
        device, dtype = self._place.device, getattr(torch, self._place.dtype)
        table = torch.as_tensor(checkpoint.words).to(device, dtype)  # one for all its names
        model = _empty(config)
        put_in(model, {**weights, **dict.fromkeys(_WORD_TABLES, table)}, self._place)
        head = table if checkpoint.head is checkpoint.words else torch.as_tensor(checkpoint.head).to(device, dtype)
        scale = config.dim**-0.5 if checkpoint.scaled else 1.0
        return _Model(model.encoder, model.decoder, head, scale, _cache_name(model.decoder))


def _empty(config: T5Config) -> Any:
    """Return the layers without memory for their weights."""
    torch, transformers = require("torch", extra="torch"), require("transformers", extra="torch")
    try:
        settings = transformers.T5Config(
            vocab_size=config.vocabulary,
            d_model=config.dim,
            d_kv=config.head_dim,
            d_ff=config.inner,
            num_layers=config.encoder_layers,
            num_decoder_layers=config.decoder_layers,
            num_heads=config.heads,
            relative_attention_num_buckets=config.buckets,
            relative_attention_max_distance=config.distance,
            layer_norm_epsilon=config.epsilon,
            feed_forward_proj=config.activation,
            dropout_rate=0.0,
        )
        with torch.device("meta"):
            return transformers.T5Model(settings)
    except (ArithmeticError, RuntimeError, TypeError, ValueError) as error:
        raise ModelError(f"The config.json describes no T5 that can be built: {error}.") from error


@contextmanager
def _computing() -> Iterator[None]:
    """Name torch's own error: that a GPU's memory is full must not end a call that can do without the model."""
    try:
        yield
    except RuntimeError as error:
        raise ModelError(f"torch cannot run the model: {error}") from error


def _cache_name(decoder: Any) -> str:
    """Transformers 5 calls the cache ``cache``, versions before ``past_key_values``."""
    known = inspect.signature(type(decoder).forward).parameters
    return "cache" if "cache" in known else "past_key_values"


def _own(state: object) -> _State:
    if not isinstance(state, _State):
        raise InputError("The state comes from another engine.")
    return state


def _fork(part: Any) -> Any:
    """Copy a cache with all its lists but not its tensors, which a cache replaces and never writes into."""
    if isinstance(part, (list, tuple)):
        return type(part)(_fork(value) for value in part)
    if isinstance(part, dict):
        return {key: _fork(value) for key, value in part.items()}
    if not type(part).__module__.startswith("transformers."):
        return part
    fork = copy(part)
    vars(fork).update({name: _fork(value) for name, value in vars(part).items()})
    return fork
