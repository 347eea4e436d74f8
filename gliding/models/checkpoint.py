"""Check the structure of a checkpoint whose hashes are not known; no weights are loaded and nothing in it is run.

It knows the safetensors header, T5's configuration and tensors, and the vocabulary of a ``tokenizer.json``.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from math import prod
from pathlib import Path
from typing import Any

from gliding.errors import ModelError

Shapes = Mapping[str, tuple[int, ...]]

_MOST = 100_000_000  # bytes of a header or a JSON file: the limit of the safetensors format itself
_DTYPES = {"BOOL": 1, "U8": 1, "I8": 1, "F8_E4M3": 1, "F8_E5M2": 1, "I16": 2, "U16": 2, "F16": 2, "BF16": 2}
_DTYPES |= {"I32": 4, "U32": 4, "F32": 4, "F64": 8, "I64": 8, "U64": 8}
_WEIGHTS, _GRAPHS = ("model.safetensors",), ("encoder.onnx", "decoder.onnx")
_DIMENSIONS = 8  # of a tensor: more are an attack
_FAMILY, _ACTIVATIONS = ("t5", "mt5"), ("relu", "gated-gelu")
_DEFAULTS: dict[str, Any] = {
    "relative_attention_num_buckets": 32,
    "relative_attention_max_distance": 128,
    "layer_norm_epsilon": 1e-6,
}
_DEFAULTS |= {"feed_forward_proj": "relu", "decoder_start_token_id": 0, "eos_token_id": 1}
_SIZE, _LAYERS = (1, 10_000_000), (1, 1_000)  # beyond what any model has: a damaged file must not fill the memory
_RANGES = dict.fromkeys(("vocab_size", "d_model", "d_kv", "d_ff", "num_heads"), _SIZE)
_RANGES |= dict.fromkeys(("num_layers", "num_decoder_layers"), _LAYERS)
_RANGES |= {"relative_attention_num_buckets": (4, 10_000), "relative_attention_max_distance": (2, 1_000_000)}
_RANGES |= dict.fromkeys(("decoder_start_token_id", "eos_token_id"), (0, _SIZE[1]))
_EMBEDDINGS = ("shared.weight", "encoder.embed_tokens.weight", "decoder.embed_tokens.weight")  # one table, three names


def check_rewriter(folder: Path, names: Collection[str]) -> None:
    """Check the named files of a T5 model: a checkpoint (``model.safetensors``) or an exported one (``*.onnx``).

    Raises:
        ModelError: a file is damaged, is not of a T5 model, or does not fit the configuration, or too few are named.
    """
    weights = _WEIGHTS if _WEIGHTS[0] in names else _GRAPHS
    if missing := [name for name in ("config.json", "tokenizer.json", *weights) if name not in names]:
        raise _wrong(folder, f"lacks {missing[0]} among the model's files")
    sizes = read_config(folder / "config.json")
    words = vocabulary(folder / "tokenizer.json")
    if words > sizes["vocab_size"]:
        raise _wrong(
            folder / "tokenizer.json", f"has {words} entries; the model's table has {sizes['vocab_size']} rows"
        )
    for path in (folder / name for name in weights):
        if path.suffix == ".safetensors":
            check_tensors(path, read_header(path), sizes)
        elif not path.stat().st_size:
            raise _wrong(path, "is empty")


def read_config(path: Path) -> dict[str, Any]:
    """Return the settings of a T5 ``config.json``, with the defaults of those that may be left out.

    Raises:
        ModelError: it is not the configuration of a T5 model that can be built.
    """
    settings = _json(path)
    if settings.get("model_type") not in _FAMILY:
        raise _wrong(path, f"has model_type {settings.get('model_type')!r:.40}; known: {', '.join(_FAMILY)}")
    defaults = {**_DEFAULTS, "num_decoder_layers": settings.get("num_layers")}
    sizes = {**defaults, **{key: value for key, value in settings.items() if value is not None}}
    if isinstance(sizes["eos_token_id"], list):
        sizes["eos_token_id"] = next(iter(sizes["eos_token_id"]), None)
    for key, (least, most) in _RANGES.items():
        if type(sizes.get(key)) is not int or not least <= sizes[key] <= most:
            raise _wrong(path, f"has {key} {sizes.get(key)!r:.40}; it is a number from {least} to {most}")
    for key in ("decoder_start_token_id", "eos_token_id"):
        if sizes[key] >= sizes["vocab_size"]:
            raise _wrong(path, f"has {key} {sizes[key]}, which is not below its vocab_size {sizes['vocab_size']}")
    epsilon = sizes["layer_norm_epsilon"]
    if type(epsilon) not in (int, float) or not 0 <= epsilon < 1:
        raise _wrong(path, f"has layer_norm_epsilon {epsilon!r:.40}; it is a number from 0 to below 1")
    if sizes["relative_attention_max_distance"] <= sizes["relative_attention_num_buckets"] // 2:
        raise _wrong(path, "has a relative_attention_max_distance that its relative_attention_num_buckets pass")
    if sizes["feed_forward_proj"] not in _ACTIVATIONS:
        known = ", ".join(_ACTIVATIONS)
        raise _wrong(path, f"has feed_forward_proj {sizes['feed_forward_proj']!r:.40}; known: {known}")
    for key in ("tie_word_embeddings", "scale_decoder_outputs"):
        if not isinstance(sizes.get(key, False), bool):
            raise _wrong(path, f"has {key} {sizes[key]!r:.40}; it is true or false")
    return sizes


def read_header(path: Path) -> Shapes:
    """Return the shapes of the tensors of a safetensors file, by name; their data is not read.

    Raises:
        ModelError: the header is damaged, or names bytes that are not there, twice, or by nothing.
    """
    with path.open("rb") as stream:
        length = int.from_bytes(stream.read(8), "little")
        data = path.stat().st_size - 8 - length
        if length > _MOST or data < 0:
            raise _wrong(path, f"has a header of {length} bytes; the file or the format does not allow that")
        text = stream.read(length)
    header = _parsed(path, text)
    header.pop("__metadata__", None)
    ranges: list[tuple[int, int]] = []
    shapes: dict[str, tuple[int, ...]] = {}
    for name, entry in header.items():
        begin, end, shape = _entry(path, name, entry)
        ranges.append((begin, end))
        shapes[name] = shape
    at = 0
    for begin, end in sorted(ranges):
        if begin != at:
            raise _wrong(path, f"has tensors that overlap or leave a gap at byte {min(begin, at)} of its data")
        at = end
    if at != data:
        raise _wrong(path, f"has {data} bytes of data; its tensors take {at}")
    return shapes


def check_tensors(path: Path, shapes: Shapes, sizes: Mapping[str, Any]) -> None:
    """Check that the tensors that a T5 configuration asks for are there, with the right shapes.

    Raises:
        ModelError: one is missing or has another shape.
    """
    table = (sizes["vocab_size"], sizes["d_model"])
    expected = dict(_tensors(sizes))
    if not any(name in shapes for name in _EMBEDDINGS):
        raise _wrong(path, f"lacks the tensor {_EMBEDDINGS[0]!r}")
    if sizes.get("tie_word_embeddings") is False:
        expected["lm_head.weight"] = table
    expected.update({name: table for name in (*_EMBEDDINGS, "lm_head.weight") if name in shapes})
    for name, shape in expected.items():
        if name not in shapes:
            raise _wrong(path, f"lacks the tensor {name!r}")
        if shapes[name] != shape:
            raise _wrong(path, f"has {name!r} of shape {shapes[name]}; its config.json asks for {shape}")


def vocabulary(path: Path) -> int:
    """Return one more than the highest id of a ``tokenizer.json``.

    Raises:
        ModelError: it is not a tokenizer with a vocabulary.
    """
    data = _json(path)
    model, added = data.get("model"), data.get("added_tokens") or []
    pieces = model.get("vocab") if isinstance(model, dict) else None
    if not isinstance(pieces, list | dict) or not pieces or not isinstance(added, list):
        raise _wrong(path, "has no vocabulary")
    # Unigram lists its pieces in the order of their ids; the other models map each piece to its id.
    ids = [len(pieces) - 1] if isinstance(pieces, list) else list(pieces.values())
    ids += [token.get("id") if isinstance(token, dict) else None for token in added]
    if any(type(number) is not int or number < 0 for number in ids):
        raise _wrong(path, "has an id that is not a number")
    return int(max(ids)) + 1


def _tensors(sizes: Mapping[str, Any]) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Give the names and shapes of the tensors of T5 (Raffel et al. 2020) but for its embeddings and its head."""
    wide, inner, hidden = sizes["d_model"], sizes["num_heads"] * sizes["d_kv"], sizes["d_ff"]
    gated = sizes["feed_forward_proj"] != "relu"
    for stack, layers in (("encoder", sizes["num_layers"]), ("decoder", sizes["num_decoder_layers"])):
        attentions = ("SelfAttention",) if stack == "encoder" else ("SelfAttention", "EncDecAttention")
        for number in range(layers):
            block = f"{stack}.block.{number}.layer"
            for place, attention in enumerate(attentions):
                for name in "qkv":
                    yield f"{block}.{place}.{attention}.{name}.weight", (inner, wide)
                yield f"{block}.{place}.{attention}.o.weight", (wide, inner)
            for name in ("wi_0", "wi_1") if gated else ("wi",):
                yield f"{block}.{len(attentions)}.DenseReluDense.{name}.weight", (hidden, wide)
            yield f"{block}.{len(attentions)}.DenseReluDense.wo.weight", (wide, hidden)
            for place in range(len(attentions) + 1):
                yield f"{block}.{place}.layer_norm.weight", (wide,)
        buckets = (sizes["relative_attention_num_buckets"], sizes["num_heads"])
        yield f"{stack}.block.0.layer.0.SelfAttention.relative_attention_bias.weight", buckets
        yield f"{stack}.final_layer_norm.weight", (wide,)


def _entry(path: Path, name: str, entry: object) -> tuple[int, int, tuple[int, ...]]:
    """Return where a tensor's bytes begin and end, and its shape."""
    fields = entry if isinstance(entry, dict) else {}
    shape, offsets = _numbers(fields.get("shape")), _numbers(fields.get("data_offsets"))
    if shape is None or offsets is None or len(offsets) != 2:
        raise _wrong(path, f"has a damaged entry for the tensor {name!r:.80}")
    size = _DTYPES.get(str(fields.get("dtype")), 0)
    if offsets[1] - offsets[0] != prod(shape) * size:
        raise _wrong(path, f"has the tensor {name!r:.80} with bytes that do not fit its type and shape")
    return offsets[0], offsets[1], shape


def _numbers(value: object) -> tuple[int, ...] | None:
    if not isinstance(value, list) or len(value) > _DIMENSIONS:
        return None
    return tuple(value) if all(type(number) is int and number >= 0 for number in value) else None


def _json(path: Path) -> dict[str, Any]:
    size = path.stat().st_size
    if size > _MOST:
        raise _wrong(path, f"has {size} bytes; no more than {_MOST} are read")
    return _parsed(path, path.read_bytes())


def _parsed(path: Path, text: bytes) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _wrong(path, f"does not hold JSON that can be read ({type(error).__name__})") from error
    if not isinstance(value, dict):
        raise _wrong(path, "does not hold a JSON object")
    return value


def _wrong(path: Path, what: str) -> ModelError:
    return ModelError(f"{path} {what}.", hint="Get the file anew: it is damaged, or of another model.")
