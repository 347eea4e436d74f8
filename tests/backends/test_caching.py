from __future__ import annotations

import doctest
from collections.abc import Iterable

import pytest

from gliding.backends import caching, exact, extras, spacy
from gliding.backends.caching import through_cache
from gliding.errors import MissingExtra


class Memory:
    def __init__(self) -> None:
        self.held: dict[tuple[str, bytes], bytes] = {}

    def get_many(self, namespace: str, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        return {key: self.held[namespace, key] for key in keys if (namespace, key) in self.held}

    def put_many(self, namespace: str, items: Iterable[tuple[bytes, bytes]]) -> None:
        self.held.update({(namespace, key): value for key, value in items})


def test_each_new_text_is_computed_once() -> None:
    cache, asked = Memory(), []

    def compute(texts: list[str]) -> list[bytes]:
        asked.append(texts)
        return [text.upper().encode() for text in texts]

    assert through_cache(["a", "b", "a"], cache=cache, namespace="n", compute=compute) == [b"A", b"B", b"A"]
    assert through_cache(["c", "a"], cache=cache, namespace="n", compute=compute) == [b"C", b"A"]
    assert through_cache(["a"], cache=cache, namespace="other", compute=compute) == [b"A"]
    assert through_cache([], cache=cache, namespace="n", compute=compute) == []
    assert asked == [["a", "b"], ["c"], ["a"]]


def test_a_lone_surrogate_has_a_key() -> None:
    assert caching.content_key("\ud800") != caching.content_key("?")


def test_a_missing_package_names_the_command() -> None:
    with pytest.raises(MissingExtra) as caught:
        extras.require("no_such_package_here", extra="onnx")
    assert caught.value.hint == "Run: pip install 'gliding[onnx]'"


@pytest.mark.parametrize("module", [caching, exact, spacy])
def test_docstrings(module) -> None:
    result = doctest.testmod(module)
    assert result.attempted > 0
    assert result.failed == 0
