from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from gliding import models
from gliding.backends.onnx import OnnxEmbedder
from gliding.backends.sqlite import SqliteCache
from gliding.errors import InputError, ModelError, ModelNotAvailable

pytest.importorskip("onnxruntime")
FOLDER = models.find("minilm-l6-v2")


@pytest.fixture(scope="module")
def embedder() -> OnnxEmbedder:
    return OnnxEmbedder(FOLDER)


def test_vectors_come_from_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = SqliteCache(tmp_path / "c.sqlite")
    texts = ["one text", "another text"]
    first = OnnxEmbedder(FOLDER, cache=cache).embed(texts)
    again = OnnxEmbedder(FOLDER, cache=cache)
    monkeypatch.setattr(again, "_load", lambda: pytest.fail("everything is cached"))
    assert np.array_equal(again.embed(texts), first)
    monkeypatch.undo()
    assert not np.array_equal(again.embed(["a much longer text than that"], max_pieces=4), again.embed(["a"]))
    cache.close()


def test_pieces_beyond_the_limit_do_not_count(embedder: OnnxEmbedder) -> None:
    short, long = embedder.embed(["one two three four", "one two three four five six"], max_pieces=6)
    assert np.array_equal(short, long)
    full = embedder.embed(["one two three four five six"])[0]
    assert not np.array_equal(long, full)


def test_more_than_the_128_pieces_of_the_tokenizer_file_count(embedder: OnnxEmbedder) -> None:
    text = "river " * 150
    a, b = embedder.embed([text + "stone", text + "music"])
    assert not np.array_equal(a, b)


def test_texts_without_a_piece_are_zero_and_none_at_all_is_empty(embedder: OnnxEmbedder) -> None:
    vectors = embedder.embed(["", " \n\t", "word"])
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([0, 0, 1], abs=1e-6)
    assert embedder.embed([]).shape == (0, 384)


@pytest.mark.parametrize("pieces", [2, 513])
def test_a_limit_that_the_model_cannot_take_is_an_error(embedder: OnnxEmbedder, pieces: int) -> None:
    with pytest.raises(InputError, match=str(pieces)):
        embedder.embed(["a"], max_pieces=pieces)


def test_the_fingerprint_names_the_bytes(embedder: OnnxEmbedder, tmp_path: Path) -> None:
    shutil.copytree(FOLDER, tmp_path / "m")
    with (tmp_path / "m" / "tokenizer.json").open("ab") as file:
        file.write(b" ")
    assert OnnxEmbedder(tmp_path / "m").fingerprint != embedder.fingerprint
    assert OnnxEmbedder(FOLDER, fingerprint="named").fingerprint.startswith("named/")


def test_a_missing_file_and_a_broken_one_are_typed_errors(tmp_path: Path) -> None:
    with pytest.raises(ModelNotAvailable, match=r"model\.onnx"):
        OnnxEmbedder(tmp_path)
    shutil.copy(FOLDER / "tokenizer.json", tmp_path)
    (tmp_path / "model.onnx").write_bytes(b"no protobuf")
    with pytest.raises(ModelError, match="cannot be loaded"):
        OnnxEmbedder(tmp_path).embed(["a"])
    with pytest.raises(ModelError, match="384"):
        OnnxEmbedder(FOLDER, dim=5).embed(["a"])
