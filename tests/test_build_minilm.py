from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
sys.path.insert(0, str(Path(__file__).parent.parent / "scripts"))

import build_minilm  # noqa: E402

from gliding import models  # noqa: E402


def test_blocks_come_back_within_half_a_step() -> None:
    weight = np.random.default_rng(0).normal(size=(6, 128)).astype(np.float32)
    weight[2, 32:64] = 0
    quantised, scale = build_minilm.quantise_blocks(weight)
    assert (quantised.shape, quantised.dtype, scale.shape) == ((6, 4, 32), np.uint8, (6, 4))
    back = (quantised.astype(np.float32) - 128) * scale[..., None]
    # the end opposite to a block's largest weight lacks one step
    assert (np.abs(back - weight.reshape(6, 4, 32)) <= np.abs(scale[..., None]) * 1.001).all()
    assert np.abs(back - weight.reshape(6, 4, 32)).mean() < np.abs(scale).mean() / 3


def test_rows_come_back_within_half_a_step() -> None:
    table = np.random.default_rng(0).normal(size=(5, 16)).astype(np.float32)
    table[3] = 0
    quantised, scale = build_minilm.quantise_rows(table)
    assert (quantised.dtype, scale.shape) == (np.int8, (5, 1))
    assert (np.abs(quantised * scale - table) <= scale * 0.5001).all()


def test_safetensors_are_read(tmp_path: Path) -> None:
    values = np.arange(6, dtype=np.float32).reshape(2, 3)
    header = {"bert.a": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, "__metadata__": {"format": "pt"}}
    text = json.dumps(header).encode()
    (tmp_path / "m").write_bytes(len(text).to_bytes(8, "little") + text + values.tobytes())
    found = build_minilm.read_safetensors(tmp_path / "m")
    assert list(found) == ["a"]
    assert np.array_equal(found["a"], values)


def test_the_shipped_file_names_no_producer_and_pins_its_versions() -> None:
    model = onnx.load(models.find("minilm-l6-v2") / "model.onnx")
    assert (model.producer_name, model.producer_version, model.ir_version) == ("", "", build_minilm.IR_VERSION)
    assert {opset.domain: opset.version for opset in model.opset_import} == build_minilm.OPSETS
