"""A T5 checkpoint on disk: its config and its tensors, checked against each other. Knows nothing of ONNX or torch."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np

from gliding.backends.graph import Array, Weights
from gliding.errors import ModelError, ModelNotAvailable
from gliding.models import checkpoint

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
    if not path.is_file():
        raise ModelNotAvailable(f"{path} is missing.", hint="Give the folder of a T5 checkpoint.")
    raw = checkpoint.read_config(path)
    return T5Config(
        vocabulary=raw["vocab_size"],
        dim=raw["d_model"],
        inner=raw["d_ff"],
        heads=raw["num_heads"],
        head_dim=raw["d_kv"],
        encoder_layers=raw["num_layers"],
        decoder_layers=raw["num_decoder_layers"],
        buckets=raw["relative_attention_num_buckets"],
        distance=raw["relative_attention_max_distance"],
        epsilon=float(raw["layer_norm_epsilon"]),
        activation=raw["feed_forward_proj"],
        tied=raw.get("tie_word_embeddings"),
        scaled=raw.get("scale_decoder_outputs"),
        start=raw["decoder_start_token_id"],
        end=raw["eos_token_id"],
    )


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
