"""Export a T5 checkpoint to ONNX with numpy and onnx alone: no torch, a second for a small model, the same bytes again.

``encoder.onnx``: ``input_ids`` and ``attention_mask``, ``(texts, pieces) int64`` -> for each decoder layer the cross
attention's keys ``cross_k_N (texts, heads, d_kv, pieces)`` and values ``cross_v_N (texts, heads, pieces, d_kv)``.

``decoder.onnx``, one step: ``input_ids (rows, 1) int64``, ``past_k_N`` and ``past_v_N (rows, heads, past, d_kv)`` where
``past`` may be 0, the cross keys and values, and ``attention_mask (texts, pieces)`` -> ``logits (rows, vocabulary)``,
``present_k_N`` and ``present_v_N``. ``texts`` is ``rows``, or 1 where all rows are continuations of one text.

Source: Raffel et al., "Exploring the Limits of Transfer Learning with a Unified Text-to-Text Transformer", JMLR 2020
(RMS norm without mean or bias, no scaling of attention, a bias by bucket of distance); the gated activation of T5 1.1
is from Shazeer, "GLU Variants Improve Transformer", 2020.
"""

from __future__ import annotations

import json
import math
import shutil
from pathlib import Path
from typing import Literal

import numpy as np

from gliding.backends.extras import require_installed
from gliding.backends.graph import Array, Graph, read_safetensors
from gliding.backends.t5_checkpoint import LAYOUT, SOURCES, Checkpoint, file_hash, read_config
from gliding.errors import ModelError, ModelNotAvailable

_MASKED = -1e9


def export(source_dir: Path, target_dir: Path, *, bits: Literal[8, 32]) -> None:
    """Write a T5 checkpoint as ``encoder.onnx``, ``decoder.onnx``, its tokenizer and config, and ``export.json``.

    Args:
        source_dir: Folder with ``config.json``, ``model.safetensors`` and ``tokenizer.json`` of T5, T5 1.1 or FLAN-T5.
        target_dir: Where the files go; made if it is not there.
        bits: 32 for float32; 8 for 8-bit linear layers and tables (see ``Graph``).

    Raises:
        MissingExtra: ``onnx`` is not installed.
        ModelNotAvailable: one of the three files is missing.
        ModelError: the checkpoint is no T5, lacks tensors, or has others than its config says; or a file would be
            larger than 2 GB.
    """
    if bits not in (8, 32):
        raise ModelError(f"A model is exported with 8 or 32 bits, not {bits}.")
    require_installed("onnx", extra="export")
    for name in SOURCES:
        if not (source_dir / name).is_file():
            raise ModelNotAvailable(f"{source_dir / name} is missing.", hint="Give the folder of a T5 checkpoint.")
    config = read_config(source_dir / "config.json")
    checkpoint = Checkpoint(read_safetensors(source_dir / "model.safetensors"), config)
    target_dir.mkdir(parents=True, exist_ok=True)
    (target_dir / "export.json").unlink(missing_ok=True)  # written last: a folder without it is not whole
    _Stack(checkpoint, bits, "encoder").encoder().write(target_dir / "encoder.onnx")
    _Stack(checkpoint, bits, "decoder").decoder().write(target_dir / "decoder.onnx")
    if source_dir.resolve() != target_dir.resolve():
        for name in ("config.json", "tokenizer.json"):
            shutil.copyfile(source_dir / name, target_dir / name)
    hashes = {name: file_hash(source_dir / name) for name in SOURCES}
    about = {"layout": LAYOUT, "bits": bits, "sources": hashes}
    (target_dir / "export.json").write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")


def buckets(distances: Array, *, count: int, longest: int, both: bool) -> Array:
    """Return the bucket of each distance (key's place minus query's): exact when near, by its logarithm when far.

    ``both`` is for the encoder, where half of the buckets are for keys to the right; else only keys to the left count.
    The logarithm is taken in float32 as the models were trained, since a bucket's edge is a matter of its last bit.

    >>> buckets(np.array([-200, -9, -1, 0, 1, 9, 200]), count=32, longest=128, both=True).tolist()
    [15, 8, 1, 0, 17, 24, 31]
    >>> buckets(np.array([-200, -17, -3, 0]), count=32, longest=128, both=False).tolist()
    [31, 16, 3, 0]
    """
    base: Array = np.zeros_like(distances)
    if both:
        count //= 2
        base = np.where(distances > 0, count, 0)
        far = np.abs(distances)
    else:
        far = np.maximum(-distances, 0)
    exact = count // 2
    ratio = np.log(np.maximum(far, 1).astype(np.float32) / np.float32(exact)) / np.float32(math.log(longest / exact))
    coarse = np.minimum(exact + (ratio * np.float32(count - exact)).astype(np.int64), count - 1)
    return np.asarray(base + np.where(far < exact, far, coarse))


class _Stack:
    """Writes one of the two graphs; every method returns the name of what it adds."""

    def __init__(self, checkpoint: Checkpoint, bits: int, side: Literal["encoder", "decoder"]) -> None:
        self.graph = Graph(bits=bits)
        self.checkpoint = checkpoint
        self.config = checkpoint.config
        self.side = side

    def encoder(self) -> Graph:
        """Write the encoder, with the projections that the decoder's cross attention makes of its output."""
        graph, config = self.graph, self.config
        for name in ("input_ids", "attention_mask"):
            graph.input(name, ["texts", "pieces"], integer=True)
        self._mask()
        length = graph.node("Shape", ["input_ids"], "length", start=1, end=2)
        places = self._range(graph.integers(0), length, 1, "places")
        rows = graph.node("Unsqueeze", [places, graph.integers(1)], "places.rows")
        self._bias(graph.node("Sub", [places, rows], "distances"))
        x = graph.lookup(self.checkpoint.words, "input_ids", "words")
        for number in range(config.encoder_layers):
            block = f"encoder.block.{number}.layer"
            normed = self._norm(x, f"{block}.0.layer_norm")
            query, key, value = self._projections(normed, f"{block}.0.SelfAttention")
            key = graph.node("Transpose", [key], f"{block}.keys", perm=[0, 1, 3, 2])
            scores = graph.node("MatMul", [query, key], f"{block}.scores")
            scores = graph.node("Add", [scores, "bias"], f"{block}.biased")
            scores = graph.node("Add", [scores, "mask"], f"{block}.masked")
            x = self._attend(x, scores, value, f"{block}.0.SelfAttention")
            x = self._feed_forward(x, f"{block}.1")
        x = self._norm(x, "encoder.final_layer_norm")
        for number in range(config.decoder_layers):
            block = f"decoder.block.{number}.layer.1.EncDecAttention"
            for part, perm in (("k", [0, 2, 3, 1]), ("v", [0, 2, 1, 3])):
                heads = self._heads(graph.linear(x, self._attention(block, part), f"{block}.{part}"))
                graph.node("Transpose", [heads], f"cross_{part}_{number}", perm=perm)
                graph.output(f"cross_{part}_{number}", self._cross_shape(part))
        return graph

    def decoder(self) -> Graph:
        """Write one step of the decoder."""
        graph, config = self.graph, self.config
        graph.input("input_ids", ["rows", 1], integer=True)
        graph.input("attention_mask", ["texts", "pieces"], integer=True)
        for number in range(config.decoder_layers):
            for part in "kv":
                graph.input(f"past_{part}_{number}", ["rows", config.heads, "past", config.head_dim])
                graph.input(f"cross_{part}_{number}", self._cross_shape(part))
        self._mask()
        # the newest key has the distance 0, the one before it -1: places from -past to 0
        past = graph.node("Shape", ["past_k_0"], "past.length", start=2, end=3)
        self._bias(self._range(graph.node("Neg", [past], "past.first"), graph.integers(1), 1, "distances"), step=True)
        x = graph.lookup(self.checkpoint.words, "input_ids", "words")
        for number in range(config.decoder_layers):
            x = self._decoder_layer(x, number)
        x = self._norm(x, "decoder.final_layer_norm")
        if self.checkpoint.scaled:
            x = graph.node("Mul", [x, graph.scalar(config.dim**-0.5)], "scaled")
        x = graph.node("Reshape", [x, graph.integers(-1, config.dim)], "last")
        head = self.checkpoint.head
        if graph.bits == 32 and head is self.checkpoint.words:
            graph.node("Gemm", [x, graph.constant("words.table", head)], "logits", transB=1)  # one table serves both
        else:
            graph.linear(x, head, "logits")
        graph.output("logits", ["rows", config.vocabulary])
        return graph

    def _decoder_layer(self, x: str, number: int) -> str:
        graph, config, block = self.graph, self.config, f"decoder.block.{number}.layer"
        query, *new = self._projections(self._norm(x, f"{block}.0.layer_norm"), f"{block}.0.SelfAttention")
        for part, fresh in zip("kv", new, strict=True):
            graph.node("Concat", [f"past_{part}_{number}", fresh], f"present_{part}_{number}", axis=2)
            graph.output(f"present_{part}_{number}", ["rows", config.heads, "present", config.head_dim])
        keys = graph.node("Transpose", [f"present_k_{number}"], f"{block}.keys", perm=[0, 1, 3, 2])
        scores = graph.node("MatMul", [query, keys], f"{block}.scores")
        scores = graph.node("Add", [scores, "bias"], f"{block}.biased")
        x = self._attend(x, scores, f"present_v_{number}", f"{block}.0.SelfAttention")
        cross = f"{block}.1.EncDecAttention"
        query = graph.linear(self._norm(x, f"{block}.1.layer_norm"), self._attention(cross, "q"), f"{cross}.q")
        query = graph.node("Transpose", [self._heads(query)], f"{cross}.query", perm=[0, 2, 1, 3])
        scores = graph.node("MatMul", [query, f"cross_k_{number}"], f"{cross}.scores")
        scores = graph.node("Add", [scores, "mask"], f"{cross}.masked")
        x = self._attend(x, scores, f"cross_v_{number}", cross)
        return self._feed_forward(x, f"{block}.2")

    def _cross_shape(self, part: str) -> list[str | int]:
        heads, size = self.config.heads, self.config.head_dim
        return ["texts", heads, size, "pieces"] if part == "k" else ["texts", heads, "pieces", size]

    def _range(self, first: str, limit: str, step: int, output: str) -> str:
        """Add whole numbers from one vector of length 1 to another."""
        shape = self.graph.constant("no.axes", np.zeros(0, np.int64))
        ends = [self.graph.node("Reshape", [end, shape], f"{output}.{end}") for end in (first, limit)]
        return self.graph.node("Range", [*ends, self.graph.constant("step", np.array(step, np.int64))], output)

    def _mask(self) -> None:
        """Add ``mask (texts, 1, 1, pieces)``: 0 where the attention mask is 1, else a number that hides a key."""
        graph = self.graph
        seen = graph.floats("attention_mask", "mask.float")
        hidden = graph.node("Sub", [graph.scalar(1.0), seen], "mask.hidden")
        hidden = graph.node("Mul", [hidden, graph.scalar(_MASKED)], "mask.flat")
        graph.node("Unsqueeze", [hidden, graph.integers(1, 2)], "mask")

    def _bias(self, distances: str, *, step: bool = False) -> None:
        """Add ``bias (1, heads, queries, keys)`` by a lookup in a table of all distances that differ."""
        graph, config = self.graph, self.config
        name = f"{self.side}.block.0.layer.0.SelfAttention.relative_attention_bias.weight"
        by_bucket = self.checkpoint.get(name, config.buckets, config.heads)
        reach = np.arange(-config.distance, config.distance + 1)
        chosen = buckets(reach, count=config.buckets, longest=config.distance, both=self.side == "encoder")
        limits = [graph.constant(f"reach.{k}", reach[k].reshape(())) for k in (0, -1)]
        near = graph.node("Clip", [distances, *limits], "distances.near")
        row = graph.node("Add", [near, graph.integers(config.distance)], "distances.row")
        bias = graph.node("Gather", [graph.constant("bias.table", by_bucket[chosen]), row], "bias.rows")
        if step:  # one query: (keys, heads)
            bias = graph.node("Unsqueeze", [bias, graph.integers(0)], "bias.query")
        bias = graph.node("Transpose", [bias], "bias.heads", perm=[2, 0, 1])
        graph.node("Unsqueeze", [bias, graph.integers(0)], "bias")

    def _norm(self, x: str, name: str) -> str:
        """Add ``x / sqrt(mean(x ** 2) + epsilon) * weight``."""
        graph = self.graph
        square = graph.node("Mul", [x, x], f"{name}.square")
        mean = graph.node("ReduceMean", [square, graph.integers(-1)], f"{name}.mean")
        mean = graph.node("Add", [mean, graph.scalar(self.config.epsilon)], f"{name}.safe")
        unit = graph.node("Div", [x, graph.node("Sqrt", [mean], f"{name}.root")], f"{name}.unit")
        weight = self.checkpoint.get(f"{name}.weight", self.config.dim)
        return graph.node("Mul", [unit, graph.constant(f"{name}.weight", weight)], f"{name}.out")

    def _attention(self, name: str, part: str) -> Array:
        """Return the weights of a projection: ``(heads * d_kv, dim)``, the output's the other way round."""
        shape = (self.config.heads * self.config.head_dim, self.config.dim)
        return self.checkpoint.get(f"{name}.{part}.weight", *(shape if part != "o" else shape[::-1]))

    def _heads(self, x: str) -> str:
        return self.graph.node(
            "Reshape", [x, self.graph.integers(0, 0, self.config.heads, self.config.head_dim)], f"{x}.heads"
        )

    def _projections(self, x: str, name: str) -> list[str]:
        """Add query, key and value, ``(n, heads, places, d_kv)`` each, from one matrix product."""
        joined = np.concatenate([self._attention(name, part) for part in "qkv"])
        parts = self.graph.split(self.graph.linear(x, joined, f"{name}.qkv"), [f"{name}.{part}" for part in "qkv"])
        return [self.graph.node("Transpose", [self._heads(part)], f"{part}.out", perm=[0, 2, 1, 3]) for part in parts]

    def _attend(self, x: str, scores: str, values: str, name: str) -> str:
        """Add the mean of the values by the softmax of the scores, projected, onto ``x``."""
        graph = self.graph
        shares = graph.node("Softmax", [scores], f"{name}.shares", axis=-1)
        seen = graph.node("MatMul", [shares, values], f"{name}.seen")
        seen = graph.node("Transpose", [seen], f"{name}.merged", perm=[0, 2, 1, 3])
        flat = graph.node("Reshape", [seen, graph.integers(0, 0, -1)], f"{name}.flat")
        return graph.node("Add", [x, graph.linear(flat, self._attention(name, "o"), f"{name}.o")], f"{name}.sum")

    def _feed_forward(self, x: str, name: str) -> str:
        graph, config, dense = self.graph, self.config, f"{name}.DenseReluDense"
        normed = self._norm(x, f"{name}.layer_norm")

        def wide(part: str) -> str:
            shape = (config.inner, config.dim)
            return graph.linear(normed, self.checkpoint.get(f"{dense}.{part}.weight", *shape), f"{dense}.{part}")

        if config.activation == "relu":
            active = graph.node("Relu", [wide("wi")], f"{dense}.active")
        else:
            gate = graph.node("Gelu", [wide("wi_0")], f"{dense}.gate", approximate="tanh")
            active = graph.node("Mul", [gate, wide("wi_1")], f"{dense}.active")
        weight = self.checkpoint.get(f"{dense}.wo.weight", config.dim, config.inner)
        narrow = graph.linear(active, weight, f"{dense}.wo")
        return graph.node("Add", [x, narrow], f"{name}.sum")
