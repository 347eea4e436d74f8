from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from checkpoints import CONFIG, TOKENIZER, header, safetensors, shapes, write_t5

from gliding.errors import ModelError
from gliding.models import checkpoint

NAMES = ("config.json", "model.safetensors", "tokenizer.json")


def check(folder: Path) -> None:
    checkpoint.check_rewriter(folder, NAMES)


def test_a_whole_checkpoint_passes(tmp_path: Path) -> None:
    check(write_t5(tmp_path))


def test_a_tied_checkpoint_needs_no_head_and_relu_has_one_matrix(tmp_path: Path) -> None:
    write_t5(tmp_path, config={"tie_word_embeddings": True, "feed_forward_proj": "relu", "num_decoder_layers": None})
    tensors = {
        name.replace("wi_0", "wi"): shape
        for name, shape in shapes().items()
        if "wi_1" not in name and "lm_head" not in name and "decoder.block.1" not in name
    }
    (tmp_path / "model.safetensors").write_bytes(safetensors(*header(tensors, dtype="BF16", size=2)))
    check(tmp_path)


def test_the_end_may_be_a_list_and_mt5_is_of_the_family(tmp_path: Path) -> None:
    check(write_t5(tmp_path, config={"eos_token_id": [1], "model_type": "mt5"}))


def test_the_table_of_words_may_have_the_name_of_a_stack(tmp_path: Path) -> None:
    write_t5(tmp_path)
    tensors = {name.replace("shared", "encoder.embed_tokens"): shape for name, shape in shapes().items()}
    (tmp_path / "model.safetensors").write_bytes(safetensors(*header(tensors)))
    check(tmp_path)


@pytest.mark.parametrize("name", sorted(shapes()))
def test_every_tensor_is_asked_for_in_its_shape(tmp_path: Path, name: str) -> None:
    write_t5(tmp_path)
    tensors = shapes()
    tensors[name] = [*tensors[name][:-1], tensors[name][-1] + 1]
    (tmp_path / "model.safetensors").write_bytes(safetensors(*header(tensors)))
    with pytest.raises(ModelError, match="of shape"):
        check(tmp_path)
    del tensors[name]
    (tmp_path / "model.safetensors").write_bytes(safetensors(*header(tensors)))
    with pytest.raises(ModelError, match=f"lacks the tensor '{name}'"):
        check(tmp_path)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"model_type": "bart"}, "'bart'"),
        ({"model_type": None}, "None"),
        ({"num_layers": 10**9}, "num_layers 1000000000"),
        ({"num_layers": 0}, "num_layers 0"),
        ({"d_model": "4"}, "d_model"),
        ({"d_ff": True}, "d_ff True"),
        ({"num_heads": None}, "num_heads None"),
        ({"vocab_size": 3}, "4 entries"),
        ({"d_model": float("inf")}, "d_model inf"),
        ({"num_heads": -1}, "num_heads -1"),
        ({"vocab_size": 10**12}, "vocab_size 1000000000000"),
        ({"layer_norm_epsilon": float("nan")}, "layer_norm_epsilon nan"),
        ({"relative_attention_max_distance": 10**9}, "relative_attention_max_distance 1000000000"),
        ({"relative_attention_max_distance": 4}, "buckets pass"),
        ({"relative_attention_num_buckets": 1}, "relative_attention_num_buckets 1"),
        ({"decoder_start_token_id": -5}, "decoder_start_token_id -5"),
        ({"eos_token_id": 6}, "not below its vocab_size 6"),
        ({"eos_token_id": []}, "eos_token_id None"),
        ({"feed_forward_proj": "gated-silu"}, "'gated-silu'; known: relu, gated-gelu"),
        ({"tie_word_embeddings": "yes"}, "tie_word_embeddings 'yes'"),
    ],
)
def test_a_configuration_that_cannot_be(tmp_path: Path, change: dict[str, Any], said: str) -> None:
    with pytest.raises(ModelError, match=said):
        check(write_t5(tmp_path, config=change))


@pytest.mark.parametrize(
    "text",
    [b"", b"{", b"[]", b"null", b"\xff\xfe{}", b'{"a": ' * 100_000, b"[" * 100_000, b'{"a": ' + b"9" * 5000 + b"}x"],
    ids=["empty", "cut", "list", "null", "not UTF-8", "deep", "deeper", "long number"],
)
@pytest.mark.parametrize("name", ["config.json", "tokenizer.json"])
def test_json_that_is_none(tmp_path: Path, name: str, text: bytes) -> None:
    (write_t5(tmp_path) / name).write_bytes(text)
    with pytest.raises(ModelError, match=name):
        check(tmp_path)


def test_a_json_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    with (write_t5(tmp_path) / "tokenizer.json").open("r+b") as stream:
        stream.truncate(200_000_000)
    with pytest.raises(ModelError, match="200000000 bytes"):
        check(tmp_path)


@pytest.mark.parametrize(
    "tokenizer",
    [
        {},
        {"model": []},
        {"model": {"vocab": []}},
        {"model": {"vocab": "text"}},
        {"model": {"vocab": {"a": "1"}}},
        {"model": {"vocab": {"a": -1}}},
        {"model": {"vocab": {"a": 1}}, "added_tokens": [7]},
        {"model": {"vocab": {"a": 1}}, "added_tokens": {"id": 1}},
        TOKENIZER | {"added_tokens": [{"id": CONFIG["vocab_size"], "content": "x"}]},
    ],
)
def test_a_vocabulary_that_is_none_or_too_large(tmp_path: Path, tokenizer: dict[str, Any]) -> None:
    (write_t5(tmp_path) / "tokenizer.json").write_text(json.dumps(tokenizer), encoding="utf-8")
    with pytest.raises(ModelError, match=r"tokenizer\.json"):
        check(tmp_path)


def test_a_vocabulary_by_id_is_as_large_as_its_highest_id(tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.json"
    path.write_text(json.dumps({"model": {"vocab": {"a": 0, "b": 9}}, "added_tokens": [{"id": 11}]}), encoding="utf-8")
    assert checkpoint.vocabulary(path) == 12


def entry(begin: Any, end: Any, shape: Any, dtype: Any = "U8") -> dict[str, Any]:
    return {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}


@pytest.mark.parametrize(
    ("entries", "data", "said"),
    [
        ({"a": entry(0, 4, [4]), "b": entry(2, 6, [4])}, 6, "overlap"),
        ({"a": entry(0, 4, [4]), "b": entry(0, 4, [4])}, 4, "overlap"),
        ({"a": entry(0, 4, [4]), "b": entry(5, 6, [1])}, 6, "gap"),
        ({"a": entry(1, 4, [3])}, 4, "gap"),
        ({"a": entry(0, 4, [4])}, 3, "has 3 bytes of data"),
        ({"a": entry(0, 4, [4])}, 9, "has 9 bytes of data"),
        ({"a": entry(0, 4, [5])}, 4, "fit its type"),
        ({"a": entry(0, 4, [4], "F32")}, 4, "fit its type"),
        ({"a": entry(0, 4, [4], "PICKLE")}, 4, "fit its type"),
        ({"a": entry(4, 0, [4], "PICKLE")}, 0, "fit its type"),
        ({"a": entry(0, 4, [4], ["U8"])}, 4, "fit its type"),
        ({"a": entry(-4, 0, [4])}, 0, "damaged entry"),
        ({"a": entry(0, 4, [-4])}, 4, "damaged entry"),
        ({"a": entry(0, 4, [True, 4])}, 4, "damaged entry"),
        ({"a": entry(0, 4, [4.0])}, 4, "damaged entry"),
        ({"a": entry(0, 1, [1] * 9)}, 1, "damaged entry"),
        ({"a": entry(0, 4, None)}, 4, "damaged entry"),
        ({"a": entry(None, 4, [4])}, 4, "damaged entry"),
        ({"a": []}, 0, "damaged entry"),
        ({"a": {"dtype": "U8", "shape": [1], "data_offsets": [0]}}, 1, "damaged entry"),
    ],
)
def test_a_header_that_lies(tmp_path: Path, entries: dict[str, Any], data: int, said: str) -> None:
    path = tmp_path / "model.safetensors"
    path.write_bytes(safetensors(entries, data))
    with pytest.raises(ModelError, match=said):
        checkpoint.read_header(path)


@pytest.mark.parametrize(
    "start",
    [b"", b"\x01", (2**63).to_bytes(8, "little"), (200_000_000).to_bytes(8, "little"), (50).to_bytes(8, "little")],
    ids=["empty", "cut", "huge", "over the limit", "longer than the file"],
)
def test_a_header_of_a_length_that_cannot_be(tmp_path: Path, start: bytes) -> None:
    path = tmp_path / "model.safetensors"
    path.write_bytes(start + b"{}")
    with pytest.raises(ModelError, match=r"model\.safetensors"):
        checkpoint.read_header(path)


def test_the_limit_of_a_header_holds_where_the_file_is_long_enough(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    path.write_bytes((200_000_000).to_bytes(8, "little"))
    with path.open("r+b") as stream:
        stream.truncate(300_000_000)
    with pytest.raises(ModelError, match="header of 200000000 bytes"):
        checkpoint.read_header(path)


def test_the_header_of_a_real_file(tmp_path: Path) -> None:
    safe = pytest.importorskip("safetensors.numpy")
    numpy = pytest.importorskip("numpy")
    path = tmp_path / "model.safetensors"
    safe.save_file({"a": numpy.zeros((2, 3), "float32"), "b": numpy.zeros(5, "int8"), "c": numpy.zeros((), "f2")}, path)
    assert checkpoint.read_header(path) == {"a": (2, 3), "b": (5,), "c": ()}


def test_an_exported_model_needs_both_its_graphs(tmp_path: Path) -> None:
    write_t5(tmp_path)
    names = ["config.json", "tokenizer.json", "encoder.onnx", "decoder.onnx"]
    for name in names[2:]:
        (tmp_path / name).write_bytes(b"graph")
    checkpoint.check_rewriter(tmp_path, names)
    with pytest.raises(ModelError, match=r"lacks decoder\.onnx"):
        checkpoint.check_rewriter(tmp_path, names[:3])
    (tmp_path / "encoder.onnx").write_bytes(b"")
    with pytest.raises(ModelError, match=r"encoder\.onnx is empty"):
        checkpoint.check_rewriter(tmp_path, names)
