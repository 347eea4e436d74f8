import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gliding import presets
from gliding.config import Preset, TokensConfig, Weights
from gliding.errors import ConfigError, PresetNotFound

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

NAMES = ("balanced", "deep", "edge", "precise")


def test_names():
    assert presets.names() == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_shipped_preset_is_complete_short_and_named_as_its_file(name):
    text = presets.find(name).read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 40
    data = tomllib.loads(text)
    assert set(data) == set(Preset.model_fields)
    assert set(data["score"]) == set(Preset.model_fields["score"].annotation.model_fields)
    assert presets.load(name).name == name


def test_what_the_presets_stand_for():
    edge, balanced, precise = (presets.load(name) for name in ("edge", "balanced", "precise"))
    assert (edge.embed.use, edge.entities.use, edge.index.use, edge.cache.use) == ("", "rules", "exact", "")
    assert (balanced.embed.use, balanced.entities.use, balanced.index.use) == ("minilm-l6-v2", "spacy", "faiss")
    assert (precise.mode, precise.trim.use) == ("verbatim", "")


@pytest.mark.parametrize("name", NAMES)
def test_dumps_reads_back(name):
    preset = presets.load(name)
    assert presets.loads(presets.dumps(preset)) == preset
    assert len(presets.dumps(preset).splitlines()) <= 40


finite = st.floats(allow_nan=False, allow_infinity=False)
text = st.text(st.characters(codec="utf-8"))


@given(name=text, use=text, weight=finite, small=finite)
def test_dumps_reads_back_any_text_and_number(name, use, weight, small):
    score = {"passages": Weights(dense=weight, bridge=small)}
    preset = Preset(name=name, description="", tokens=TokensConfig(use=use), score=score)
    assert presets.loads(presets.dumps(preset)) == preset


def test_find_by_path(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('name = "mine"\ndescription = "x"\n', encoding="utf-8")
    assert presets.load(path).name == presets.load(str(path)).name == "mine"


@pytest.mark.parametrize("name", ["balancd", "", "no/such.toml", "nothing.toml", Path("edge")])
def test_not_found(name):
    with pytest.raises(PresetNotFound) as caught:
        presets.find(name)
    assert all(known in caught.value.hint for known in NAMES)


def test_not_found_names_the_nearest():
    with pytest.raises(PresetNotFound, match="Did you mean 'balanced'"):
        presets.find("balancd")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'name = "a"\ndescription = ""\n[embed]\nthread = 2\n', ["embed.thread", "embed.threads"]),
        (b'name = "a"\ndescription = ""\n[embed]\nshare = 3\n', ["embed.share", "= 3"]),
        (b'name = "a"\n', ["'description' is missing"]),
        (b"name = \n", ["not TOML"]),
        (b'name = "\xff"\n', ["not UTF-8 at byte 8"]),
    ],
)
def test_a_bad_file_names_key_value_and_file(tmp_path, content, said):
    path = tmp_path / "bad.toml"
    path.write_bytes(content)
    with pytest.raises(ConfigError) as caught:
        presets.load(path)
    assert all(part in caught.value.message for part in [*said, str(path)])


def test_override_reads_values_as_toml_or_text():
    preset = presets.override(
        presets.load("edge"),
        {"score.passages.dense": "0.4", "index.hits": "3", "tokens.use": "/a b/tokenizer.json", "trim.use": ""},
    )
    assert preset.score.passages.dense == 0.4
    assert preset.index.hits == 3
    assert preset.tokens.use == "/a b/tokenizer.json"
    assert preset.trim.use == ""
    assert preset.score.document == presets.load("edge").score.document


def test_override_changes_nothing_of_the_preset_it_is_given():
    edge = presets.load("edge")
    presets.override(edge, {"index.hits": "3"})
    assert edge == presets.load("edge")


@pytest.mark.parametrize(
    ("settings", "name"),
    [
        ({"index.hits": "3"}, "edge+set"),
        ({"index.hits": str(presets.load("edge").index.hits)}, "edge"),
        ({"tokens.use": "words"}, "edge"),
        ({"tokens.use": "words", "trim.use": ""}, "edge+set"),
        ({"index.hits": "3", "name": "mine"}, "mine"),
    ],
)
def test_the_name_says_that_settings_were_changed(settings, name):
    changed = presets.override(presets.load("edge"), settings)
    assert changed.name == name
    assert presets.override(changed, {"select.floor": "0.5"}).name == (name if name == "edge+set" else f"{name}+set")


@pytest.mark.parametrize("value", ["nan", "inf"])
def test_override_refuses_what_is_no_number(value):
    with pytest.raises(ConfigError, match=r"score\.passages\.dense"):
        presets.override(presets.load("edge"), {"score.passages.dense": value})


@pytest.mark.parametrize("key", ["score.pasages.dense", "score.passages", "", "score.passages.dense.x", "use"])
def test_override_refuses_an_unknown_key(key):
    with pytest.raises(ConfigError, match="no setting of a preset"):
        presets.override(presets.load("edge"), {key: "1"})


def test_override_names_the_nearest_key():
    with pytest.raises(ConfigError, match=r"Did you mean 'score\.passages\.dense'"):
        presets.override(presets.load("edge"), {"score.pasages.dense": "1"})


@pytest.mark.parametrize("value", ["much", "0.1\nb = 2", "[1]"])
def test_override_refuses_a_value_that_does_not_fit(value):
    with pytest.raises(ConfigError, match=r"select\.floor"):
        presets.override(presets.load("edge"), {"select.floor": value})
