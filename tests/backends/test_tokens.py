from __future__ import annotations

import pickle
import shutil
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from gliding import models
from gliding.backends import tokens
from gliding.errors import ConfigError, MissingExtra, ModelCorrupt, UnknownComponent
from gliding.protocols import TokenCounter


@pytest.fixture(scope="module")
def wordpiece():
    pytest.importorskip("tokenizers")
    return models.find("minilm-l6-v2") / "tokenizer.json"


def test_load_by_name():
    for name in tokens.NAMES:
        counter = tokens.load(name)
        assert isinstance(counter, TokenCounter)
        assert counter.name == name
    assert tokens.load("o200k_base").count(["Hello world", "", "Hello world!"]) == [2, 0, 3]


def test_a_special_token_in_a_text_is_text():
    for name in ("o200k_base", "cl100k_base"):
        assert tokens.load(name).count(["<|endoftext|>"])[0] > 1


def test_unknown_name_says_the_nearest():
    with pytest.raises(UnknownComponent, match="'o200k_base'"):
        tokens.load("o200k")
    with pytest.raises(UnknownComponent, match="'cl100k_base'"):
        tokens.TiktokenCounter("cl100k")
    with pytest.raises(UnknownComponent, match=r"tokenizer\.json"):
        tokens.load("zzz")


@pytest.mark.parametrize("name", ["o200k_base", "cl100k_base"])
@pytest.mark.parametrize(
    "text",
    ["a" * 200_000, "\n" * 200_000, " " * 1_100_000 + "a", "x.\n" + "\u3000" * 1_100_000],
    ids=["letter", "newlines", "spaces-word", "wide-end"],
)
def test_pathological_text_is_counted_in_bounded_time(name, text):
    """Old versions of tiktoken are quadratic here, and all panic at a run of a million blanks before a word."""
    counter = tokens.load(name)
    counter.count([""])
    started = time.process_time()
    (count,) = counter.count([text])
    assert time.process_time() - started < 10
    (half,) = counter.count([text[: len(text) // 2]])
    assert 0.45 * count < half < 0.55 * count + 3


def test_batches_threads_and_pickles_agree():
    counter = tokens.load("cl100k_base")
    texts = [f"Sentence number {i} about item {i * 37}." for i in range(500)]
    expected = counter.count(texts)
    assert expected == [counter.count([text])[0] for text in texts]
    assert pickle.loads(pickle.dumps(counter)).count(texts) == expected
    with ThreadPoolExecutor(8) as pool:
        assert all(found == expected for found in pool.map(counter.count, [texts] * 16))


def test_a_changed_rank_file_is_an_error(monkeypatch, tmp_path):
    folder = tmp_path / "o200k_base"
    shutil.copytree(models.find("o200k_base"), folder)
    path = folder / "o200k_base.tiktoken"
    path.write_bytes(path.read_bytes().replace(b"IQ== 0", b"IQ== 1", 1))
    monkeypatch.setenv("GLIDING_MODELS", str(tmp_path))
    monkeypatch.setattr(tokens, "_encodings", {})
    with pytest.raises(ModelCorrupt):
        tokens.load("o200k_base").count(["a"])


def test_missing_tiktoken_is_typed(monkeypatch):
    monkeypatch.setattr(tokens, "_encodings", {})
    monkeypatch.setitem(sys.modules, "tiktoken", None)
    with pytest.raises(MissingExtra, match="pip install tiktoken"):
        tokens.load("o200k_base").count(["a"])


def test_tokenizer_json_has_no_special_tokens_no_cut_no_padding(wordpiece):
    from tokenizers import Tokenizer

    counter = tokens.load(str(wordpiece))
    # The file itself pads to 128 and cuts at 128.
    assert Tokenizer.from_file(str(wordpiece)).padding is not None
    assert counter.count(["hello world", "", "word " * 1000]) == [2, 0, 1000]
    assert counter.count(["hello"] * 1300) == [1] * 1300
    assert counter.count(["a\ud800b", "\ud83d\ude00"]) == counter.count(["a\ufffdb", "😀"])


def test_tokenizer_json_in_a_folder(wordpiece):
    assert tokens.load(str(wordpiece.parent)).count(["hello world"]) == [2]


def test_bad_tokenizer_files_are_typed(tmp_path):
    pytest.importorskip("tokenizers")
    bad = tmp_path / "tokenizer.json"
    for content in (b"", b"{}", b"\xff\xfe", b'{"model": 1}'):
        bad.write_bytes(content)
        with pytest.raises(ConfigError, match="not a tokenizer"):
            tokens.load(str(bad))
    with pytest.raises(ConfigError, match="cannot be read"):
        tokens.load(str(tmp_path / "nowhere" / "tokenizer.json"))
    with pytest.raises(ConfigError, match="cannot be read"):
        tokens.load("missing.json")


def test_missing_tokenizers_is_typed(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(MissingExtra, match=r"pip install 'gliding\[onnx\]'"):
        tokens.load(str(tmp_path / "tokenizer.json"))


def test_chars_and_words():
    assert tokens.load("chars").count(["", "a b", "👍"]) == [0, 3, 1]
    assert tokens.load("words").count(["", " \n", "a  b\tc"]) == [0, 0, 3]
