"""The torch encoder: on a small BERT made here, and on the published weights where they are at hand."""

from __future__ import annotations

import json
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from gliding import models
from gliding.backends import torch as backend
from gliding.backends.sqlite import SqliteCache
from gliding.backends.torch import TorchEmbedder
from gliding.errors import ConfigError, InputError, ModelCorrupt, ModelError, ModelNotAvailable
from gliding.protocols import Embedder

pytestmark = pytest.mark.torch

TOKENIZER = models.find("minilm-l6-v2") / "tokenizer.json"
REFERENCE = json.loads((Path(__file__).parent.parent / "contract" / "minilm_reference.json").read_text())
SENTENCES = REFERENCE["sentences"]
TEXTS = [*SENTENCES, "short", SENTENCES[0], "a long one " * 60, "of equal", "in pairs"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BERT of the real vocabulary with random weights: what is tested here does not depend on what it has learnt."""
    import torch
    import transformers

    config = transformers.BertConfig(
        hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64, initializer_range=0.2
    )
    torch.manual_seed(0)
    model = transformers.BertModel(config, add_pooling_layer=False)
    made = tmp_path_factory.mktemp("bert")
    model.save_pretrained(made)
    shutil.copy(TOKENIZER, made)
    return made


@pytest.fixture(scope="module")
def embedder(folder: Path) -> TorchEmbedder:
    return TorchEmbedder(folder, dim=32, device="cpu")


def test_vectors_are_those_of_full_precision() -> None:
    try:
        found = models.find("minilm-l6-v2-fp32")
    except ModelNotAvailable as error:
        pytest.skip(str(error))
    vectors, wanted = TorchEmbedder(found, device="cpu").embed(SENTENCES), np.array(REFERENCE["vectors"])
    assert (vectors * wanted).sum(axis=1).min() > 0.9999
    assert vectors == pytest.approx(wanted, abs=1e-4)


def test_it_is_an_embedder_of_unit_vectors(embedder: TorchEmbedder) -> None:
    vectors = embedder.embed([*TEXTS, "", " \n\t"])
    assert isinstance(embedder, Embedder)
    assert (vectors.shape, vectors.dtype) == ((len(TEXTS) + 2, 32), np.float32)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1] * len(TEXTS) + [0, 0], abs=1e-6)
    assert embedder.embed([]).shape == (0, 32)


def test_a_vector_never_depends_on_its_batch(embedder: TorchEmbedder, folder: Path) -> None:
    alone = np.concatenate([embedder.embed([text]) for text in TEXTS])
    assert np.array_equal(embedder.embed(TEXTS), alone)
    assert np.array_equal(embedder.embed(TEXTS[::-1]), alone[::-1])
    assert np.array_equal(TorchEmbedder(folder, dim=32, threads=3, device="cpu").embed(TEXTS), alone)


def test_full_batches_as_on_a_gpu_give_the_same_vectors(
    embedder: TorchEmbedder, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = embedder.embed(TEXTS)
    batches = TorchEmbedder(folder, dim=32, device="cpu")
    monkeypatch.setattr(batches, "_rows", backend.Rows(4, 32))
    assert batches.embed(TEXTS) == pytest.approx(alone, abs=1e-5)
    assert len({row.tobytes() for row in batches.embed(TEXTS)}) == len(TEXTS) - 1  # one text is there twice


def test_half_precision_gives_nearly_the_same_vectors(
    embedder: TorchEmbedder, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backend, "choose_place", lambda device: backend.Place("cpu", "bfloat16"))
    half = TorchEmbedder(folder, dim=32)
    found, wanted = half.embed(TEXTS), embedder.embed(TEXTS)
    assert half.fingerprint.endswith("/cpu-bfloat16")
    assert not np.array_equal(found, wanted)
    assert (found * wanted).sum(axis=1).min() > 0.99


def test_threads_may_share_it(folder: Path) -> None:
    shared = TorchEmbedder(folder, dim=32, device="cpu")
    jobs = [5, 9, 256] * 4
    with ThreadPoolExecutor(3) as pool:
        found = list(pool.map(lambda pieces: shared.embed(SENTENCES, max_pieces=pieces), jobs))
    wanted = {pieces: shared.embed(SENTENCES, max_pieces=pieces) for pieces in jobs}
    assert all(np.array_equal(vectors, wanted[pieces]) for vectors, pieces in zip(found, jobs, strict=True))


def test_vectors_come_from_the_cache(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = SqliteCache(tmp_path / "c.sqlite")
    first = TorchEmbedder(folder, dim=32, device="cpu", cache=cache).embed(TEXTS)
    again = TorchEmbedder(folder, dim=32, device="cpu", cache=cache)
    monkeypatch.setattr(again, "_load", lambda: pytest.fail("everything is cached"))
    assert np.array_equal(again.embed(TEXTS), first)
    cache.close()


def test_pieces_beyond_the_limit_do_not_count(embedder: TorchEmbedder) -> None:
    short, long = embedder.embed(["one two three four", "one two three four five six"], max_pieces=6)
    assert np.array_equal(short, long)
    assert not np.array_equal(long, embedder.embed(["one two three four five six"])[0])
    text = "river " * 150  # the tokenizer's file cuts at 128
    a, b = embedder.embed([text + "stone", text + "music"])
    assert not np.array_equal(a, b)
    for pieces in (2, 513):
        with pytest.raises(InputError, match=str(pieces)):
            embedder.embed(["a"], max_pieces=pieces)


def test_the_fingerprint_names_bytes_library_device_and_type(embedder: TorchEmbedder, folder: Path) -> None:
    import torch

    assert f"/torch-{torch.__version__.partition('+')[0]}" in embedder.fingerprint
    assert embedder.fingerprint.endswith("/cpu-float32")
    assert TorchEmbedder(folder, fingerprint="named", device="cpu").fingerprint.startswith("named/torch-")


def test_what_cannot_be_loaded_is_a_typed_error(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    with pytest.raises(ModelNotAvailable, match=r"config\.json"):
        TorchEmbedder(tmp_path)
    with pytest.raises(ModelError, match="384"):
        TorchEmbedder(folder, device="cpu").embed(["a"])
    config = json.loads((folder / "config.json").read_text())
    good = {name: (folder / name).read_bytes() for name in backend.FILES}
    bad = (
        ("model.safetensors", b"no header", ModelCorrupt),
        ("config.json", b"{", ModelError),
        ("config.json", json.dumps(config | {"model_type": "t5"}).encode(), ModelError),
        ("config.json", json.dumps(config | {"num_attention_heads": 5}).encode(), ModelError),
        ("config.json", json.dumps(config | {"num_hidden_layers": 3}).encode(), ModelError),
        ("config.json", json.dumps(config | {"hidden_size": "x"}).encode(), ModelError),
        ("tokenizer.json", b"{", ModelError),
    )
    for name, data, kind in bad:
        for other, whole in good.items():
            (tmp_path / other).write_bytes(data if other == name else whole)
        with pytest.raises(kind):
            TorchEmbedder(tmp_path, dim=32, device="cpu").embed(["a"])
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(ConfigError, match="cuda"):
        TorchEmbedder(folder, device="cuda")
