"""The torch engine against a T5 in numpy (Raffel et al. 2020) that shares no code with it."""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gliding.backends import torch as places
from gliding.backends.decoding import Seq2Seq, decode
from gliding.backends.t5_torch import TorchT5
from gliding.errors import ConfigError, InputError, ModelCorrupt, ModelError, ModelNotAvailable

pytestmark = pytest.mark.torch

TINY = Path(__file__).parent.parent / "data" / "tiny-t5"
# google/flan-t5-small and, with fewer words, t5-small
FLAN = {
    "model_type": "t5",
    "vocab_size": 32128,
    "d_model": 512,
    "d_kv": 64,
    "d_ff": 1024,
    "num_layers": 8,
    "num_decoder_layers": 8,
    "num_heads": 6,
    "feed_forward_proj": "gated-gelu",
    "relative_attention_num_buckets": 32,
    "tie_word_embeddings": False,
    "decoder_start_token_id": 0,
    "eos_token_id": 1,
}
FIRST = {
    "model_type": "t5",
    "vocab_size": 96,
    "d_model": 48,
    "d_kv": 8,
    "d_ff": 64,
    "num_layers": 2,
    "num_heads": 4,
    "decoder_start_token_id": 0,
    "eos_token_id": 1,
}
SOURCE = [*range(5, 75), 8, 13, 1]  # longer than the buckets of single distances
OUTPUT = [0, 3, 9, 27, 3, 9, 81, 40, 2, 7]

Weights = dict[str, np.ndarray]


def make_weights(config: dict[str, Any], *, head: bool) -> Weights:
    """Random weights of sizes that leave every part of the model a say in the logits."""
    chance = np.random.default_rng(0)
    dim, inner, wide = config["d_model"], config["num_heads"] * config["d_kv"], config["d_ff"]

    def normal(*shape: int, std: float) -> np.ndarray:
        return chance.standard_normal(shape, np.float32) * np.float32(std)

    weights = {"shared.weight": normal(config["vocab_size"], dim, std=1.0)}
    if head:
        weights["lm_head.weight"] = normal(config["vocab_size"], dim, std=dim**-0.5)
    parts = ("wi_0", "wi_1") if config.get("feed_forward_proj") == "gated-gelu" else ("wi",)
    for side, kinds in (("encoder", ("SelfAttention",)), ("decoder", ("SelfAttention", "EncDecAttention"))):
        weights[f"{side}.final_layer_norm.weight"] = 1 + normal(dim, std=0.1)
        for block in range(config["num_layers"]):
            for layer, kind in enumerate((*kinds, "DenseReluDense")):
                name = f"{side}.block.{block}.layer.{layer}"
                weights[f"{name}.layer_norm.weight"] = 1 + normal(dim, std=0.1)
                if kind == "DenseReluDense":
                    for part in parts:
                        weights[f"{name}.{kind}.{part}.weight"] = normal(wide, dim, std=dim**-0.5)
                    weights[f"{name}.{kind}.wo.weight"] = normal(dim, wide, std=wide**-0.5)
                    continue
                weights[f"{name}.{kind}.q.weight"] = normal(inner, dim, std=(dim * config["d_kv"]) ** -0.5)
                for part in "kv":
                    weights[f"{name}.{kind}.{part}.weight"] = normal(inner, dim, std=dim**-0.5)
                weights[f"{name}.{kind}.o.weight"] = normal(dim, inner, std=inner**-0.5)
                if block == 0 and kind == "SelfAttention":
                    weights[f"{name}.{kind}.relative_attention_bias.weight"] = normal(32, config["num_heads"], std=1.0)
    return weights


def bucket(distance: int, *, both: bool) -> int:
    """The paper's bucket of one distance, of 32 with the farthest at 128."""
    first, count = 0, 32
    if both:
        count = 16
        first = 16 if distance > 0 else 0
        distance = abs(distance)
    else:
        distance = max(-distance, 0)
    if distance < count // 2:
        return first + distance
    far = count // 2 + int(math.log(distance / (count // 2)) / math.log(128 / (count // 2)) * (count - count // 2))
    return first + min(far, count - 1)


def reference(
    config: dict[str, Any], weights: Weights, source: Sequence[int], output: Sequence[int], *, head: str, scale: float
) -> np.ndarray:
    """Return ``(len(output), vocabulary)`` logits: the whole output at once, so without any cache."""
    heads = config["num_heads"]

    def norm(x: np.ndarray, name: str) -> np.ndarray:
        return x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + 1e-6) * weights[f"{name}.weight"]

    def split(x: np.ndarray) -> np.ndarray:
        return x.reshape(len(x), heads, -1).transpose(1, 0, 2)

    def attend(x: np.ndarray, seen: np.ndarray, name: str, bias: np.ndarray | float) -> np.ndarray:
        parts = (("q", x), ("k", seen), ("v", seen))
        query, key, value = (split(y @ weights[f"{name}.{part}.weight"].T) for part, y in parts)
        scores = query @ key.transpose(0, 2, 1) + bias
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        mixed = scores / scores.sum(axis=-1, keepdims=True) @ value
        return mixed.transpose(1, 0, 2).reshape(len(x), -1) @ weights[f"{name}.o.weight"].T

    def feed(x: np.ndarray, name: str) -> np.ndarray:
        if f"{name}.wi.weight" in weights:
            wide = np.maximum(x @ weights[f"{name}.wi.weight"].T, 0)
        else:
            gate, line = (x @ weights[f"{name}.{part}.weight"].T for part in ("wi_0", "wi_1"))
            wide = gate * (1 + np.tanh(math.sqrt(2 / math.pi) * (gate + 0.044715 * gate**3))) / 2 * line
        return wide @ weights[f"{name}.wo.weight"].T

    def stack(side: str, ids: Sequence[int], memory: np.ndarray | None) -> np.ndarray:
        table = weights[f"{side}.block.0.layer.0.SelfAttention.relative_attention_bias.weight"]
        places = [[bucket(k - q, both=memory is None) for k in range(len(ids))] for q in range(len(ids))]
        bias = table[places].transpose(2, 0, 1)
        if memory is not None:
            bias = np.where(np.tri(len(ids), dtype=bool), bias, -np.inf)
        x = weights["shared.weight"][list(ids)]
        for block in range(config["num_layers"]):
            name = f"{side}.block.{block}.layer"
            y = norm(x, f"{name}.0.layer_norm")
            x = x + attend(y, y, f"{name}.0.SelfAttention", bias)
            if memory is not None:
                x = x + attend(norm(x, f"{name}.1.layer_norm"), memory, f"{name}.1.EncDecAttention", 0.0)
            last = 1 if memory is None else 2
            x = x + feed(norm(x, f"{name}.{last}.layer_norm"), f"{name}.{last}.DenseReluDense")
        return norm(x, f"{side}.final_layer_norm")

    found = stack("decoder", output, stack("encoder", source, None))
    return found * scale @ weights[head].T


def save(folder: Path, config: dict[str, Any], weights: Weights) -> Path:
    from safetensors.numpy import save_file

    folder.mkdir(exist_ok=True)
    (folder / "config.json").write_text(json.dumps(config))
    save_file(weights, folder / "model.safetensors")
    return folder


def steps(engine: Seq2Seq, source: Sequence[int], output: Sequence[int]) -> np.ndarray:
    """Return the engine's logits after each id of the output."""
    state, rows = engine.encode(source), []
    for id in output:
        logits, state = engine.step(state, np.array([id]))
        rows.append(logits[0])
    return np.array(rows)


@pytest.fixture(scope="module")
def tiny() -> TorchT5:
    return TorchT5(TINY, device="cpu")


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Make a folder with a small T5 1.0 and its config changed."""

    def make(*, head: bool = False, **changes: Any) -> Path:
        config = {**FIRST, **changes}
        return save(tmp_path_factory.mktemp("first"), config, make_weights(config, head=head))

    return make


def test_flan_keeps_its_own_head_unscaled(tmp_path: Path) -> None:
    weights = make_weights(FLAN, head=True)
    found = steps(TorchT5(save(tmp_path, FLAN, weights), device="cpu"), SOURCE, OUTPUT)
    wanted = reference(FLAN, weights, SOURCE, OUTPUT, head="lm_head.weight", scale=1.0)
    assert found.dtype == np.float32
    assert found.shape == (len(OUTPUT), 32128)
    assert wanted.std() > 0.5
    assert found == pytest.approx(wanted, abs=2e-4)


def test_the_first_t5_ties_its_head_and_scales_it(first: Callable[..., Path]) -> None:
    weights = make_weights(FIRST, head=False)
    found = steps(TorchT5(first(), device="cpu"), SOURCE, OUTPUT)
    wanted = reference(FIRST, weights, SOURCE, OUTPUT, head="shared.weight", scale=48**-0.5)
    assert wanted.std() > 0.5
    assert found == pytest.approx(wanted, abs=1e-4)


def test_a_tied_head_may_be_unscaled(first: Callable[..., Path]) -> None:
    """How transformers 5 saves a T5 1.1 whose head it has tied."""
    weights = make_weights(FIRST, head=False)
    folder = first(tie_word_embeddings=True, scale_decoder_outputs=False)
    wanted = reference(FIRST, weights, SOURCE, OUTPUT, head="shared.weight", scale=1.0)
    assert steps(TorchT5(folder, device="cpu"), SOURCE, OUTPUT) == pytest.approx(wanted, abs=1e-3)


def test_the_tiny_model_is_as_transformers_runs_it(tiny: TorchT5) -> None:
    import torch
    import transformers

    config = json.loads((TINY / "config.json").read_text())
    model = transformers.T5ForConditionalGeneration.from_pretrained(TINY, local_files_only=True).eval()
    assert not torch.equal(model.lm_head.weight, model.shared.weight)
    with torch.inference_mode():
        wanted = model(input_ids=torch.tensor([SOURCE]), decoder_input_ids=torch.tensor([OUTPUT])).logits[0].numpy()
    assert (tiny.start, tiny.end, tiny.vocabulary) == (0, 1, config["vocab_size"])
    assert steps(tiny, SOURCE, OUTPUT) == pytest.approx(wanted, abs=1e-4)


def test_it_decodes_what_the_tiny_model_has_learnt(tiny: TorchT5) -> None:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(TINY / "tokenizer.json"))
    ids = tokenizer.encode("Shorten to 9 words: Acme really sold 45 pumps you know for 1200 euros.").ids
    for beams in (1, 3):
        found = decode(tiny, ids, max_new=40, beams=beams, stop=lambda: False)
        assert tokenizer.decode(found) == "Acme sold 45 pumps for 1200 euros."


def test_a_step_leaves_the_old_state_as_it_was(tiny: TorchT5) -> None:
    state = tiny.encode(SOURCE)
    _, state = tiny.step(state, np.array([0]))
    first, after = tiny.step(state, np.array([7]))
    tiny.step(after, np.array([9]))
    tiny.step(state, np.array([11]))
    tiny.reorder(state, np.array([0, 0]))
    again, _ = tiny.step(state, np.array([7]))
    assert np.array_equal(first, again)


def test_rows_are_put_in_another_order(tiny: TorchT5) -> None:
    rows = tiny.reorder(tiny.encode(SOURCE), np.array([0]))
    _, rows = tiny.step(rows, np.array([0]))
    rows = tiny.reorder(rows, np.array([0, 0, 0]))
    _, rows = tiny.step(rows, np.array([5, 6, 7]))
    rows = tiny.reorder(rows, np.array([2, 0, 0]))
    found, _ = tiny.step(rows, np.array([8, 8, 9]))
    wanted = [steps(tiny, SOURCE, output)[-1] for output in ([0, 7, 8], [0, 5, 8], [0, 5, 9])]
    assert found == pytest.approx(np.array(wanted), abs=1e-4)


def test_threads_may_share_it() -> None:
    engine = TorchT5(TINY, device="cpu")
    sources = [[*range(3, end), 1] for end in range(6, 30)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda source: steps(engine, source, OUTPUT), sources))
    wanted = [steps(engine, source, OUTPUT) for source in sources]
    assert all(np.array_equal(a, b) for a, b in zip(found, wanted, strict=True))


def test_nothing_is_loaded_before_the_first_text_and_the_fingerprint_names_the_bytes(tmp_path: Path) -> None:
    shutil.copytree(TINY, tmp_path / "m")
    with (tmp_path / "m" / "model.safetensors").open("r+b") as file:
        file.write(b"no header")
    broken = TorchT5(tmp_path / "m", device="cpu")
    assert broken.fingerprint != TorchT5(TINY, device="cpu").fingerprint
    assert TorchT5(TINY, device="cpu", fingerprint="x").fingerprint.startswith("t5:x/torch-")
    assert TorchT5(TINY, device="cpu").fingerprint.endswith("/cpu-float32")
    with pytest.raises(ModelCorrupt, match="damaged"):
        broken.encode([1])


def test_what_is_no_whole_t5_is_a_typed_error(tmp_path: Path, first: Callable[..., Path]) -> None:
    with pytest.raises(ModelNotAvailable, match=r"config\.json"):
        TorchT5(tmp_path)
    with pytest.raises(ModelError, match="bert"):
        TorchT5(first(model_type="bert"))
    with pytest.raises(ModelError, match=r"lm_head\.weight"):
        TorchT5(first(tie_word_embeddings=False), device="cpu").encode([1])
    for change in ({"d_ff": 32}, {"num_heads": 3}, {"num_layers": 3}, {"num_layers": 10**9}, {"d_kv": -8}):
        folder = first()
        config = json.loads((folder / "config.json").read_text())
        (folder / "config.json").write_text(json.dumps(config | change))
        with pytest.raises(ModelError):
            TorchT5(folder, device="cpu").encode([1])


@pytest.mark.parametrize("ids", [[], [-1], [10**6]])
def test_ids_outside_the_vocabulary_and_a_strange_state_are_errors(tiny: TorchT5, ids: list[int]) -> None:
    with pytest.raises(InputError, match="Ids"):
        tiny.encode(ids)
    with pytest.raises(InputError, match="Ids"):
        tiny.step(tiny.encode([1]), np.array(ids, np.int64))
    with pytest.raises(InputError, match="another engine"):
        tiny.step(None, np.array([0]))


def test_that_memory_is_short_is_a_model_error(tiny: TorchT5, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(**arguments: object) -> None:
        raise torch.cuda.OutOfMemoryError("CUDA out of memory")

    import torch

    state = tiny.encode([1])
    monkeypatch.setattr(tiny._load().decoder, "forward", full)
    with pytest.raises(ModelError, match="out of memory"):
        tiny.step(state, np.array([0]))
    monkeypatch.setattr(tiny._load().encoder, "forward", full)
    with pytest.raises(ModelError, match="out of memory"):
        tiny.encode([1])


def test_the_device_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert places.choose_place("auto") == places.choose_place("cpu") == ("cpu", "float32")
    with pytest.raises(ConfigError, match="cuda"):
        TorchT5(TINY, device="cuda")
    with pytest.raises(ConfigError, match="tpu"):
        places.choose_place("tpu")  # type: ignore[arg-type]
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    for generation, dtype in ((7, "float32"), (8, "bfloat16"), (9, "bfloat16")):
        monkeypatch.setattr(torch.cuda, "get_device_capability", lambda generation=generation: (generation, 0))
        assert places.choose_place("auto") == places.choose_place("cuda") == ("cuda", dtype)
        assert places.choose_place("cpu") == ("cpu", "float32")


def test_half_precision_gives_nearly_the_same_logits(monkeypatch: pytest.MonkeyPatch, tiny: TorchT5) -> None:
    monkeypatch.setattr("gliding.backends.t5_torch.choose_place", lambda device: places.Place("cpu", "bfloat16"))
    half = TorchT5(TINY)
    assert half.fingerprint.endswith("/cpu-bfloat16")
    found, wanted = steps(half, SOURCE, OUTPUT), steps(tiny, SOURCE, OUTPUT)
    assert found.dtype == np.float32
    assert not np.array_equal(found, wanted)
    assert np.abs(found - wanted).max() < 0.1 * np.abs(wanted).max()
