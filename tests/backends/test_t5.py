"""T5 on ONNX Runtime: exported without torch, against numbers of transformers.

``tests/contract/t5_reference.json`` holds what transformers gives for two small models of random weights; write it anew
with ``python tests/backends/test_t5.py`` where torch is installed.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gliding.backends.graph import read_safetensors
from gliding.backends.t5 import OnnxT5
from gliding.backends.t5_checkpoint import read_config
from gliding.backends.t5_graph import buckets, export
from gliding.errors import ModelCorrupt, ModelError, ModelNotAvailable

pytest.importorskip("onnxruntime")
pytest.importorskip("onnx")

TESTS = Path(__file__).parent.parent
TINY = TESTS / "data" / "tiny-t5"
REFERENCE = TESTS / "contract" / "t5_reference.json"
SHARED = {
    "model_type": "t5",
    "vocab_size": 40,
    "d_model": 32,
    "d_kv": 8,
    "d_ff": 48,
    "num_layers": 2,
    "num_heads": 3,
    "relative_attention_max_distance": 24,
    "decoder_start_token_id": 0,
    "eos_token_id": 1,
}
MODELS: dict[str, dict[str, Any]] = {
    "t5": {**SHARED},  # as t5-small: relu, the word table is the head, scaled
    "flan": {**SHARED, "num_decoder_layers": 3, "feed_forward_proj": "gated-gelu", "tie_word_embeddings": False},
}
INPUT = [(7 * k) % 37 + 3 for k in range(29)] + [1]  # longer than the farthest bucket
OUTPUT = [5, 9, 33, 9, 12, 1]


def never() -> bool:
    return False


def weights(config: dict[str, Any]) -> dict[str, np.ndarray]:
    """Weights by a frozen generator, large enough for every part of the model to count."""
    chance = np.random.RandomState(7)
    dim, inner, wide = config["d_model"], config["d_kv"] * config["num_heads"], config["d_ff"]

    def some(*shape: int) -> np.ndarray:
        return (chance.standard_normal(shape) * shape[-1] ** -0.5).astype(np.float32)

    made = {"shared.weight": some(config["vocab_size"], dim) * 3}
    if config.get("tie_word_embeddings") is False:
        made["lm_head.weight"] = some(config["vocab_size"], dim) * 2
    gated = config.get("feed_forward_proj") == "gated-gelu"
    for side, layers in (("encoder", 2), ("decoder", config.get("num_decoder_layers", 2))):
        made[f"{side}.block.0.layer.0.SelfAttention.relative_attention_bias.weight"] = some(32, 3) * 2
        made[f"{side}.final_layer_norm.weight"] = 1 + some(dim)
        for number in range(layers):
            kinds = ["SelfAttention", "EncDecAttention"] if side == "decoder" else ["SelfAttention"]
            for k, kind in enumerate(kinds):
                name = f"{side}.block.{number}.layer.{k}"
                made[f"{name}.layer_norm.weight"] = 1 + some(dim)
                made |= {f"{name}.{kind}.{part}.weight": some(inner, dim) for part in "qkv"}
                made[f"{name}.{kind}.o.weight"] = some(dim, inner)
            name = f"{side}.block.{number}.layer.{len(kinds)}"
            made[f"{name}.layer_norm.weight"] = 1 + some(dim)
            made |= {
                f"{name}.DenseReluDense.{p}.weight": some(wide, dim) for p in (("wi_0", "wi_1") if gated else ("wi",))
            }
            made[f"{name}.DenseReluDense.wo.weight"] = some(dim, wide)
    return made


def write_safetensors(path: Path, tensors: dict[str, np.ndarray], dtype: str = "F32") -> None:
    header, parts, at = {}, [], 0
    for name, value in tensors.items():
        raw = np.ascontiguousarray(value)
        data = (raw.view(np.uint32) >> 16).astype(np.uint16) if dtype == "BF16" else raw
        data = raw.astype(np.float16) if dtype == "F16" else data
        header[name] = {"dtype": dtype, "shape": value.shape, "data_offsets": [at, at + data.nbytes]}
        parts.append(data.tobytes())
        at += data.nbytes
    text = json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + b"".join(parts))


def checkpoint(folder: Path, name: str, *, dtype: str = "F32", without: str = "", **changes: Any) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps({**MODELS[name], **changes}))
    (folder / "tokenizer.json").write_text("{}")
    tensors = {key: value for key, value in weights(MODELS[name]).items() if key != without}
    write_safetensors(folder / "model.safetensors", tensors, dtype)
    return folder


def logits(engine: OnnxT5, ids: Sequence[int] = INPUT, output: Sequence[int] = OUTPUT) -> np.ndarray:
    state, rows = engine.encode(ids), []
    for last in [engine.start, *output[:-1]]:
        row, state = engine.step(state, np.array([last]))
        rows.append(row[0])
    return np.stack(rows)


def of_transformers(name: str) -> np.ndarray:
    import torch
    from transformers import T5Config, T5ForConditionalGeneration

    config = T5Config(**MODELS[name])
    tied = MODELS[name].get("tie_word_embeddings", True)
    config.tie_word_embeddings = tied  # version 5 has set it to true
    model = T5ForConditionalGeneration(config).eval()
    tensors = {key: torch.from_numpy(value) for key, value in weights(MODELS[name]).items()}
    left_out = model.load_state_dict(tensors, strict=False)
    assert not left_out.unexpected_keys
    for key in ("shared", "lm_head"):  # version 5 ties them once more while it builds the model
        if f"{key}.weight" in tensors:
            getattr(model, key).weight = torch.nn.Parameter(tensors[f"{key}.weight"])
    model.encoder.embed_tokens = model.decoder.embed_tokens = model.shared
    assert all("embed_tokens" in key or (tied and key == "lm_head.weight") for key in left_out.missing_keys)
    before = torch.tensor([[0, *OUTPUT[:-1]]])
    with torch.no_grad():
        return np.asarray(model(input_ids=torch.tensor([INPUT]), decoder_input_ids=before).logits[0].numpy())


@pytest.mark.parametrize("name", MODELS)
def test_logits_equal_those_of_transformers(name: str, tmp_path: Path) -> None:
    expected = np.array(json.loads(REFERENCE.read_text())[name])
    source = checkpoint(tmp_path / "source", name)
    export(source, tmp_path / "32", bits=32)
    found = logits(OnnxT5(tmp_path / "32"))
    np.testing.assert_allclose(found, expected, atol=2e-4)
    export(source, tmp_path / "8", bits=8)
    near = logits(OnnxT5(tmp_path / "8"))
    assert 0 < np.abs(near - found).max() < 0.2 * np.abs(found).max()
    assert np.corrcoef(near.ravel(), found.ravel())[0, 1] > 0.99


@pytest.mark.torch
@pytest.mark.parametrize("name", MODELS)
def test_the_reference_is_what_transformers_gives(name: str) -> None:
    np.testing.assert_allclose(of_transformers(name), json.loads(REFERENCE.read_text())[name], atol=1e-4)


@pytest.mark.torch
@pytest.mark.parametrize(("count", "longest"), [(32, 128), (32, 64), (16, 20)])
def test_buckets_equal_those_of_transformers(count: int, longest: int) -> None:
    import torch
    from transformers.models.t5.modeling_t5 import T5Attention

    far = np.arange(-300, 301)
    for both in (True, False):
        theirs = T5Attention._relative_position_bucket(torch.from_numpy(far), both, count, longest)
        assert buckets(far, count=count, longest=longest, both=both).tolist() == theirs.tolist()
        near = np.clip(far, -longest, longest)  # the exported table ends there
        assert buckets(near, count=count, longest=longest, both=both).tolist() == theirs.tolist()


@pytest.mark.parametrize("bits", [8, 32])
def test_padding_hides_and_rows_do_not_move_each_other(bits: int, tmp_path: Path) -> None:
    export(checkpoint(tmp_path / "s", "flan"), tmp_path / "x", bits=bits)
    engine = OnnxT5(tmp_path / "x")
    encoder, _ = engine._load()
    batch = np.array([[*INPUT, 0, 0], [5] * 32])
    mask = np.array([[1] * 30 + [0] * 2, [1] * 32])
    names = [output.name for output in encoder.get_outputs()]
    alone = encoder.run(names, {"input_ids": batch[:1, :30], "attention_mask": mask[:1, :30]})
    for name, one, two in zip(
        names, alone, encoder.run(names, {"input_ids": batch, "attention_mask": mask}), strict=True
    ):
        same = two[:1, :, :, :30] if "_k_" in name else two[:1, :, :30]
        np.testing.assert_allclose(one, same, atol=1e-5)
    state = engine.encode(INPUT)
    first, after = engine.step(state, np.array([0]))
    wide, _ = engine.step(engine.reorder(after, np.array([0, 0, 0])), np.array([9, 5, 7]))
    one, _ = engine.step(after, np.array([5]))
    np.testing.assert_allclose(wide[1], one[0], atol=1e-5)
    again, _ = engine.step(state, np.array([0]))
    assert np.array_equal(first, again), "a step must not change the state it began with"


def test_the_same_checkpoint_gives_the_same_bytes(tmp_path: Path) -> None:
    source = checkpoint(tmp_path / "s", "flan")
    for bits in (8, 32):
        for target in ("a", "b"):
            export(source, tmp_path / target, bits=bits)
        for name in ("encoder.onnx", "decoder.onnx", "export.json"):
            assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    assert (tmp_path / "a" / "config.json").read_bytes() == (source / "config.json").read_bytes()


@pytest.mark.parametrize("dtype", ["F16", "BF16"])
def test_half_precision_is_read(dtype: str, tmp_path: Path) -> None:
    values = np.array([[1.0, -2.5], [0.15625, 3e-5]], np.float32)
    write_safetensors(tmp_path / "x", {"a": values}, dtype)
    found = read_safetensors(tmp_path / "x")["a"]
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, values, rtol=2**-7, atol=1e-7)
    assert found[0].tolist() == [1.0, -2.5]


def test_a_head_of_its_own_wins_over_a_config_that_ties_it(tmp_path: Path) -> None:
    made = []
    for name, changes in (("a", {}), ("b", {"tie_word_embeddings": True}), ("c", {"tie_word_embeddings": None})):
        export(checkpoint(tmp_path / name, "flan", **changes), tmp_path / f"{name}x", bits=32)
        made.append(logits(OnnxT5(tmp_path / f"{name}x")))
    assert np.array_equal(made[0], made[1])
    assert np.array_equal(made[0], made[2])


def test_a_tied_head_is_scaled_unless_the_config_says_no(tmp_path: Path) -> None:
    made = []
    for name, changes in (("a", {}), ("b", {"scale_decoder_outputs": False})):
        export(checkpoint(tmp_path / name, "t5", **changes), tmp_path / f"{name}x", bits=32)
        made.append(logits(OnnxT5(tmp_path / f"{name}x")))
    np.testing.assert_allclose(made[0] * 32**0.5, made[1], rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(
    ("without", "changes", "message"),
    [
        ("", {"model_type": "bart"}, "model_type 'bart'"),
        ("", {"feed_forward_proj": "gated-silu"}, "gated-silu"),
        ("", {"d_model": None}, "has d_model None"),
        ("", {"d_kv": 16}, "shape"),
        ("", {"vocab_size": 41}, "shape"),
        ("", {"num_layers": 3}, r"no tensor 'encoder\.block\.2"),
        ("decoder.final_layer_norm.weight", {}, r"no tensor 'decoder\.final_layer_norm"),
        ("lm_head.weight", {}, r"no tensor 'lm_head"),
    ],
)
def test_what_is_no_whole_t5_is_an_error(without: str, changes: dict[str, Any], message: str, tmp_path: Path) -> None:
    source = checkpoint(tmp_path / "s", "flan", without=without, **changes)
    with pytest.raises(ModelError, match=message):
        export(source, tmp_path / "x", bits=8)
    with pytest.raises(ModelNotAvailable):
        OnnxT5(tmp_path / "x")


def test_damaged_and_missing_files_are_typed_errors(tmp_path: Path) -> None:
    source = checkpoint(tmp_path / "s", "t5")
    with pytest.raises(ModelError, match="16"):
        export(source, tmp_path / "x", bits=16)  # type: ignore[arg-type]
    export(source, tmp_path / "x", bits=8)
    for name in ("encoder.onnx", "decoder.onnx"):
        shutil.copytree(tmp_path / "x", tmp_path / name)
        (tmp_path / name / name).write_bytes(b"no protobuf")
        with pytest.raises(ModelError, match=f"{name} cannot be loaded"):
            OnnxT5(tmp_path / name).encode([1])
    (tmp_path / "x" / "export.json").write_text('{"layout": 99}')
    with pytest.raises(ModelError, match="99"):
        OnnxT5(tmp_path / "x")
    (tmp_path / "x" / "export.json").write_text("{")
    with pytest.raises(ModelError, match="damaged"):
        OnnxT5(tmp_path / "x")
    whole = (source / "model.safetensors").read_bytes()
    for damaged in (b"", whole[:100], whole[:-4], b"\xff" * 64):
        (source / "model.safetensors").write_bytes(damaged)
        with pytest.raises(ModelCorrupt, match="damaged"):
            export(source, tmp_path / "y", bits=8)
    (source / "model.safetensors").unlink()
    with pytest.raises(ModelNotAvailable, match=r"model\.safetensors"):
        export(source, tmp_path / "y", bits=8)
    with pytest.raises(ModelNotAvailable, match=r"config\.json"):
        read_config(tmp_path / "config.json")


if __name__ == "__main__":
    rows = {name: of_transformers(name).astype(float).round(5).tolist() for name in MODELS}
    REFERENCE.write_text(json.dumps(rows, indent=None, separators=(",", ":")).replace("]],", "]],\n") + "\n")
