"""Options and keys: whatever changes a result changes its key, and nothing else does."""

from __future__ import annotations

import pickle
from dataclasses import fields, replace

import pytest

from gliding import presets
from gliding.batch.items import Item
from gliding.batch.options import Options, fingerprint, item_key
from gliding.errors import ConfigError, PresetNotFound

PLAIN = Options(preset="edge", max_tokens=8)
OTHER = {
    "overrides": (("segment.max_chars", "300"),),
    "tokenizer": "words",
    "query": "Why?",
    "max_tokens": 9,
    "rate": 0.5,
    "window": 100,
    "used": 5,
    "reserve": 5,
    "criticality": 0.5,
    "task": "debug",
    "pins": ("x",),
    "kind": "log",
    "deadline": 1.0,
    "audit": True,
}


def test_options_can_be_pickled_and_have_no_option_without_a_test():
    assert pickle.loads(pickle.dumps(PLAIN)) == PLAIN
    assert {field.name for field in fields(Options)} == {*OTHER, "preset", "cache"}


@pytest.mark.parametrize("name", OTHER)
def test_each_option_changes_the_fingerprint(name):
    assert fingerprint(replace(PLAIN, **{name: OTHER[name]})) != fingerprint(PLAIN)


def test_the_preset_counts_by_its_content(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(presets.dumps(presets.load("edge")))
    assert fingerprint(replace(PLAIN, preset=str(path))) == fingerprint(PLAIN)
    assert fingerprint(replace(PLAIN, cache=False)) == fingerprint(PLAIN)
    path.write_text(presets.dumps(presets.override(presets.load("edge"), {"embed.segment_pieces": "32"})))
    assert fingerprint(replace(PLAIN, preset=str(path))) != fingerprint(PLAIN)


def test_the_version_and_the_models_count(monkeypatch):
    before = fingerprint(PLAIN)
    monkeypatch.setattr("gliding.batch.options.__version__", "9")
    assert fingerprint(PLAIN) != before


def test_wrong_options_are_told_before_any_work():
    with pytest.raises(PresetNotFound):
        fingerprint(Options(preset="edgy"))
    with pytest.raises(ConfigError):
        fingerprint(Options(preset="edge", overrides=(("nothing", "1"),)))


@pytest.mark.parametrize(
    ("change", "same"),
    [
        ({"position": 4, "id": "b", "source": "t"}, True),
        ({"name": "other/name.TXT"}, True),
        ({"name": "a.py"}, False),
        ({"data": "text2"}, False),
        ({"data": b"text"}, False),
        ({"data": "te\ud800xt"}, False),
        ({"query": "text"}, False),
        ({"error": "gone"}, False),
    ],
)
def test_a_key_is_of_content_kind_and_query(change, same):
    item = Item(position=0, id="a", source="s", data="text", name="a.txt")
    assert (item_key(replace(item, **change), b"f") == item_key(item, b"f")) is same
    assert item_key(item, b"g") != item_key(item, b"f")
