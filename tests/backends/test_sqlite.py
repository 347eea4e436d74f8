from __future__ import annotations

import logging
import multiprocessing
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from gliding.backends import sqlite
from gliding.backends.caching import NullCache
from gliding.backends.sqlite import SqliteCache
from gliding.protocols import Cache


def fill(path: str, worker: int) -> int:
    cache = SqliteCache(path)
    for number in range(20):
        cache.put_many("n", [(f"{worker}/{number}".encode(), b"value")])
    return len(cache.get_many("n", [f"{worker}/{number}".encode() for number in range(20)]))


@pytest.fixture
def cache(tmp_path: Path):
    made = SqliteCache(tmp_path / "deep" / "cache.sqlite")
    yield made
    made.close()


def test_what_is_put_is_got_by_namespace_and_key(cache: SqliteCache) -> None:
    assert isinstance(cache, Cache)
    assert isinstance(NullCache(), Cache)
    cache.put_many("a", [(b"1", b"one"), (b"2", b"")])
    assert cache.get_many("a", [b"1", b"2", b"3"]) == {b"1": b"one", b"2": b""}
    assert cache.get_many("b", [b"1"]) == {}


def test_an_existing_key_keeps_its_value(cache: SqliteCache) -> None:
    cache.put_many("a", [(b"1", b"old")])
    cache.put_many("a", [(b"1", b"new")])
    assert cache.get_many("a", [b"1"]) == {b"1": b"old"}


def test_more_keys_than_one_statement_takes(cache: SqliteCache) -> None:
    items = [(str(number).encode(), bytes([number % 256])) for number in range(3 * sqlite._MANY + 1)]
    cache.put_many("a", items)
    assert cache.get_many("a", [key for key, _ in items]) == dict(items)


def test_values_outlive_the_object_and_nothing_is_opened_before_use(tmp_path: Path) -> None:
    path = tmp_path / "c.sqlite"
    first = SqliteCache(path)
    assert not path.exists()
    first.put_many("a", [(b"1", b"one")])
    first.close()
    second = SqliteCache(path)
    assert second.get_many("a", [b"1"]) == {b"1": b"one"}
    second.close()
    assert path.stat().st_mode & 0o077 == 0


def test_the_default_file_lies_in_the_users_cache_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GLIDING_CACHE", str(tmp_path))
    assert SqliteCache().path == tmp_path / "cache.sqlite"


def test_threads_share_one_cache(cache: SqliteCache) -> None:
    def work(worker: int) -> int:
        for number in range(50):
            cache.put_many("t", [(f"{worker}/{number}".encode(), b"v")])
        return len(cache.get_many("t", [f"{worker}/{number}".encode() for number in range(50)]))

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(work, range(4))) == [50] * 4


def test_processes_share_one_file(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = str(tmp_path / "c.sqlite")
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        assert pool.starmap(fill, [(path, worker) for worker in range(2)]) == [20, 20]
    cache = SqliteCache(path)
    assert len(cache.get_many("n", [f"{w}/{n}".encode() for w in range(2) for n in range(20)])) == 40
    cache.close()


def test_the_oldest_go_when_it_is_full(tmp_path: Path) -> None:
    cache = SqliteCache(tmp_path / "c.sqlite", max_bytes=300_000)
    keys = [str(number).encode() for number in range(1000)]
    for key in keys:
        cache.put_many("a", [(key, key.rjust(1000))])
    held = cache.get_many("a", keys)
    assert 100 < len(held) < 300
    assert set(held) == set(keys[-len(held) :])
    assert cache.path.stat().st_size < 400_000
    cache.close()


@pytest.mark.parametrize("trouble", ["corrupt", "no folder", "locked"])
def test_trouble_is_logged_once_and_bypassed(
    trouble: str, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "_WAIT", 0.05)
    path, holder = tmp_path / "c.sqlite", None
    if trouble == "corrupt":
        path.write_bytes(b"not a database, but long enough to be read as one" * 100)
    elif trouble == "no folder":
        (tmp_path / "file").write_text("")
        path = tmp_path / "file" / "c.sqlite"
    else:
        holder = sqlite3.connect(path, isolation_level=None)
        holder.execute("BEGIN EXCLUSIVE")
    cache = SqliteCache(path)
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            cache.put_many("a", [(b"1", b"one")])
            assert cache.get_many("a", [b"1"]) == {}
    assert len(caplog.records) == 1
    assert str(path) in caplog.text
    cache.close()
    if holder is not None:
        holder.close()


def test_the_null_cache_holds_nothing() -> None:
    cache = NullCache()
    cache.put_many("a", [(b"1", b"one")])
    assert cache.get_many("a", [b"1"]) == {}
