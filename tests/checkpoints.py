"""Write the files of a very small T5 checkpoint, in numbers all zero: for tests of what looks at a checkpoint."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

CONFIG = {
    "model_type": "t5",
    "vocab_size": 6,
    "d_model": 4,
    "d_kv": 2,
    "d_ff": 3,
    "num_heads": 2,
    "num_layers": 1,
    "num_decoder_layers": 2,
    "feed_forward_proj": "gated-gelu",
    "relative_attention_num_buckets": 8,
    "tie_word_embeddings": False,
}
TOKENIZER = {
    "added_tokens": [{"id": 0, "content": "<pad>"}],
    "model": {"type": "Unigram", "vocab": [["<pad>", 0.0], ["</s>", 0.0], ["<unk>", 0.0], ["▁a", -1.0]]},
}


def shapes() -> dict[str, list[int]]:
    """The tensors of ``CONFIG`` by T5's own names, spelled out."""
    found = {"shared.weight": [6, 4], "lm_head.weight": [6, 4]}
    for block, attentions in (("encoder.block.0", 1), ("decoder.block.0", 2), ("decoder.block.1", 2)):
        for place, attention in enumerate(["SelfAttention", "EncDecAttention"][:attentions]):
            found |= {f"{block}.layer.{place}.{attention}.{name}.weight": [4, 4] for name in "qkvo"}
        for name, shape in (("wi_0", [3, 4]), ("wi_1", [3, 4]), ("wo", [4, 3])):
            found[f"{block}.layer.{attentions}.DenseReluDense.{name}.weight"] = shape
        found |= {f"{block}.layer.{place}.layer_norm.weight": [4] for place in range(attentions + 1)}
    for stack in ("encoder", "decoder"):
        found[f"{stack}.block.0.layer.0.SelfAttention.relative_attention_bias.weight"] = [8, 2]
        found[f"{stack}.final_layer_norm.weight"] = [4]
    return found


def header(tensors: dict[str, list[int]], *, dtype: str = "F32", size: int = 4) -> tuple[dict[str, Any], int]:
    """The header of a safetensors file, and the bytes of data that it names."""
    entries: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    at = 0
    for name, shape in tensors.items():
        count = size
        for number in shape:
            count *= number
        entries[name] = {"dtype": dtype, "shape": shape, "data_offsets": [at, at + count]}
        at += count
    return entries, at


def safetensors(entries: dict[str, Any], data: int) -> bytes:
    text = json.dumps(entries).encode()
    return len(text).to_bytes(8, "little") + text + bytes(data)


def write_t5(folder: Path, *, config: dict[str, Any] | None = None) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(CONFIG | (config or {})), encoding="utf-8")
    (folder / "tokenizer.json").write_text(json.dumps(TOKENIZER), encoding="utf-8")
    (folder / "model.safetensors").write_bytes(safetensors(*header(shapes())))
    return folder
