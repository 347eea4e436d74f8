"""Damaged and hostile folders of a T5: each is a ``ModelError`` in one line, never a traceback or a full memory."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from gliding.errors import ModelError

pytest.importorskip("onnxruntime")
pytest.importorskip("onnx")
pytest.importorskip("tokenizers")

TINY = Path(__file__).parent.parent / "data" / "tiny-t5"
TEXT = "Anna basically bought 12 really pumps in Berlin quite on 3 March."


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from gliding.backends.t5_graph import export

    target = tmp_path_factory.mktemp("whole") / "tiny"
    export(TINY, target, bits=8)
    return target


def changed(source: Path, target: Path, name: str, data: bytes | dict[str, Any]) -> Path:
    shutil.copytree(source, target)
    file = target / name
    file.write_bytes(data if isinstance(data, bytes) else json.dumps(json.loads(file.read_bytes()) | data).encode())
    return target


def say(folder: Path) -> str:
    from gliding.backends.t5 import OnnxT5, T5Rewriter

    rewriter = T5Rewriter(OnnxT5(folder), folder / "tokenizer.json", threads=1)
    return rewriter.rewrite([TEXT], keep=[[]], ratio=0.6, stop=lambda: False)[0]


def header(text: bytes) -> bytes:
    return len(text).to_bytes(8, "little") + text + b"0000"


CONFIGS: list[dict[str, Any]] = [
    {"d_model": float("inf")},
    {"num_heads": -1},
    {"num_heads": 5},
    {"num_layers": 10**9, "num_decoder_layers": 10**9},
    {"num_decoder_layers": 1},
    {"relative_attention_max_distance": 10**9},
    {"relative_attention_max_distance": 0},
    {"decoder_start_token_id": 10**9},
    {"eos_token_id": 10**6},
]


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_a_config_that_cannot_be(config: dict[str, Any], exported: Path, tmp_path: Path) -> None:
    from gliding.backends.t5_graph import export

    with pytest.raises(ModelError):
        say(changed(exported, tmp_path / "exported", "config.json", config))
    if config != {"num_decoder_layers": 1}:  # a model with fewer layers
        with pytest.raises(ModelError):
            export(changed(TINY, tmp_path / "source", "config.json", config), tmp_path / "new", bits=8)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("decoder.onnx", b""),
        ("decoder.onnx", b"garbage" * 200),
        ("config.json", b"[" * 100_000),
        ("export.json", b"[" * 100_000),
        ("tokenizer.json", b"{}"),
    ],
)
def test_a_damaged_file_of_an_exported_model(name: str, data: bytes, exported: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=name):
        say(changed(exported, tmp_path / "damaged", name, data))


@pytest.mark.parametrize("side", ["encoder", "decoder"])
def test_the_graph_of_the_other_side(side: str, exported: Path, tmp_path: Path) -> None:
    other = exported / ("decoder.onnx" if side == "encoder" else "encoder.onnx")
    with pytest.raises(ModelError, match=r"do not belong to its config\.json"):
        say(changed(exported, tmp_path / "swapped", f"{side}.onnx", other.read_bytes()))


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("model.safetensors", header(b"[" * 100_000)),
        (
            "model.safetensors",
            header(b'{"shared.weight":{"dtype":"F32","shape":[' + b"9" * 30 + b'],"data_offsets":[0,4]}}'),
        ),
        ("model.safetensors", header(b'{"shared.weight":{"dtype":"F32","shape":[Infinity],"data_offsets":[0,4]}}')),
        ("config.json", b"[" * 100_000),
    ],
    ids=["deep header", "wide shape", "endless shape", "deep config"],
)
def test_a_damaged_checkpoint_is_not_exported(name: str, data: bytes, tmp_path: Path) -> None:
    from gliding.backends.t5_graph import export

    with pytest.raises(ModelError):
        export(changed(TINY, tmp_path / "damaged", name, data), tmp_path / "new", bits=8)
    assert not (tmp_path / "new").exists()


def test_what_the_runtime_cannot_compute_is_a_model_error() -> None:
    from gliding.backends.session import run_session

    class Broken:
        def run(self, names: object, inputs: object) -> object:
            raise RuntimeError("out of memory")

    with pytest.raises(ModelError, match="out of memory"):
        run_session(Broken(), ["logits"], {})
