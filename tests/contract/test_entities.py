"""Names by the real spaCy pipeline on real sentences."""

from __future__ import annotations

from pathlib import Path

import pytest

from gliding.backends import spacy as backend
from gliding.backends.spacy import SpacyEntities, UnionEntities
from gliding.backends.sqlite import SqliteCache
from gliding.errors import ModelNotAvailable
from gliding.protocols import EntityExtractor

pytest.importorskip("spacy")
TEXTS = [
    "Angela Merkel met Barack Obama in Berlin before the European Union's summit.",
    "",
    "Microsoft opened an office in  New\nYork in May 2019 and paid $3 million for it.",
    "nothing is named in this line",
    "The novel was written by Jane Austen while she lived in Hampshire.",
]


@pytest.fixture(scope="module")
def entities() -> SpacyEntities:
    return SpacyEntities()


def test_names_are_found_and_normalised(entities: SpacyEntities) -> None:
    assert isinstance(entities, EntityExtractor)
    first, empty, second, nothing, third = entities.extract(TEXTS)
    assert {"angela merkel", "barack obama", "berlin", "european union"} <= first
    assert {"microsoft", "new york"} <= second
    assert {"jane austen", "hampshire"} <= third
    assert empty == nothing == frozenset()


def test_what_rules_find_is_left_to_them(entities: SpacyEntities) -> None:
    (found,) = entities.extract([TEXTS[2]])
    assert not any(character.isdigit() for name in found for character in name)


def test_a_result_never_depends_on_the_batch(entities: SpacyEntities) -> None:
    alone = [entities.extract([text])[0] for text in TEXTS]
    assert entities.extract(TEXTS * 30) == alone * 30
    assert entities.extract(TEXTS[::-1]) == alone[::-1]


def test_long_texts_are_read_in_parts(entities: SpacyEntities, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backend, "_LONGEST", 200)
    text = "The weather was mild. " * 30 + TEXTS[0] + " It rained." * 40 + "x" * 450
    assert "".join(backend._parts(text)) == text
    assert max(map(len, backend._parts(text))) <= 200
    (found,) = entities.extract([text])
    assert {"barack obama", "berlin"} & found


def test_names_come_from_the_cache(entities: SpacyEntities, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = SqliteCache(tmp_path / "c.sqlite")
    made = SpacyEntities(cache=cache)
    first = made.extract(TEXTS)
    again = SpacyEntities(cache=cache)
    monkeypatch.setattr(again, "_compute", lambda texts: pytest.fail("everything is cached"))
    assert again.extract(TEXTS) == first == entities.extract(TEXTS)
    cache.close()


def test_a_folder_without_the_pipeline_is_a_typed_error(tmp_path: Path) -> None:
    with pytest.raises(ModelNotAvailable) as caught:
        SpacyEntities(model_dir=tmp_path)
    assert "pip install" in caught.value.hint


def test_the_union_holds_what_either_finds() -> None:
    class Fixed:
        def __init__(self, name: str) -> None:
            self.fingerprint = name

        def extract(self, texts):
            return [frozenset({self.fingerprint, text}) for text in texts]

    both = UnionEntities(Fixed("a"), Fixed("b"))
    assert both.fingerprint == "a+b"
    assert both.extract(["x", "y"]) == [{"a", "b", "x"}, {"a", "b", "y"}]
