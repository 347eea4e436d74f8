"""A T5 checkpoint on disk: its config and its tensors, checked against each other. Knows nothing of ONNX or torch."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from gliding.backends.graph import Array, Weights
from gliding.errors import ModelError, ModelNotAvailable

LAYOUT = 1
"""Of the exported files: a new number where they change, and the engine reads no other."""

SOURCES = ("config.json", "model.safetensors", "tokenizer.json")
_EMBEDDINGS = ("shared.weight", "encoder.embed_tokens.weight", "decoder.embed_tokens.weight")


class T5Config(NamedTuple):
    """What of a checkpoint's ``config.json`` shapes the graph; ``scaled`` says whether the head's input is."""

    vocabulary: int
    dim: int
    inner: int
    heads: int
    head_dim: int
    encoder_layers: int
    decoder_layers: int
    buckets: int
    distance: int
    epsilon: float
    activation: Literal["relu", "gated-gelu"]
    tied: bool | None
    scaled: bool | None
    start: int
    end: int


def read_config(path: Path) -> T5Config:
    """Read a T5 checkpoint's ``config.json``.

    Raises:
        ModelNotAvailable: it is not there.
        ModelError: it is damaged or not that of a T5 that can be used.
    """
    try:
        raw: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if raw.get("model_type") not in ("t5", "mt5"):
            raise ModelError(f"{path} describes a {raw.get('model_type')!r} model, not a T5.")
        activation = raw.get("feed_forward_proj", "relu")
        if activation not in ("relu", "gated-gelu"):
            raise ModelError(f"{path} names the activation {activation!r}; known are relu and gated-gelu.")
        layers = int(raw["num_layers"])
        end = raw.get("eos_token_id", 1)
        return T5Config(
            vocabulary=int(raw["vocab_size"]),
            dim=int(raw["d_model"]),
            inner=int(raw["d_ff"]),
            heads=int(raw["num_heads"]),
            head_dim=int(raw["d_kv"]),
            encoder_layers=layers,
            decoder_layers=int(raw.get("num_decoder_layers") or layers),
            buckets=int(raw.get("relative_attention_num_buckets", 32)),
            distance=int(raw.get("relative_attention_max_distance", 128)),
            epsilon=float(raw.get("layer_norm_epsilon", 1e-6)),
            activation=activation,
            tied=raw.get("tie_word_embeddings"),
            scaled=raw.get("scale_decoder_outputs"),
            start=int(raw.get("decoder_start_token_id") or 0),
            end=int(end[0] if isinstance(end, list) else end),
        )
    except FileNotFoundError as error:
        raise ModelNotAvailable(f"{path} is missing.", hint="Give the folder of a T5 checkpoint.") from error
    except (ValueError, LookupError, TypeError, AttributeError, OSError) as error:
        raise ModelError(f"{path} is not the config.json of a T5: {error!r}.") from error


def file_hash(path: Path) -> str:
    """Return the SHA-256 of a file in hex digits, read in parts."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while part := file.read(1 << 20):
            digest.update(part)
    return digest.hexdigest()


class Checkpoint:
    """The tensors of a checkpoint, each checked against the shape that the config gives it.

    A head of its own is used as it is. Where the checkpoint has none, the word table is the head, and its input is
    scaled by ``dim ** -0.5`` unless the config says that it is not.

    Raises:
        ModelError: the config unties the head and the checkpoint has none, or a tensor is missing or of another shape.
    """

    def __init__(self, weights: Weights, config: T5Config) -> None:
        self.config = config
        self._weights = weights
        table = next((name for name in _EMBEDDINGS if name in weights), _EMBEDDINGS[0])
        self.words = self.get(table, config.vocabulary, config.dim)
        head = weights.get("lm_head.weight")
        tied = config.tied is not False and (head is None or np.array_equal(head, self.words))
        self.head = self.words if tied else self.get("lm_head.weight", config.vocabulary, config.dim)
        self.scaled = tied if config.scaled is None or not tied else config.scaled

    def get(self, name: str, *shape: int) -> Array:
        """Return a tensor."""
        found = self._weights.get(name)
        if found is None:
            raise ModelError(f"The checkpoint has no tensor {name!r}: it is no T5, or not a whole one.")
        if found.shape != shape:
            raise ModelError(f"The tensor {name!r} has the shape {found.shape}, and the config says {shape}.")
        return found
