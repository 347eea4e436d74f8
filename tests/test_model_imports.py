from __future__ import annotations

import hashlib
import json
import os
import shutil
from pathlib import Path

import pytest
from checkpoints import write_t5

from gliding import models
from gliding.errors import ConfigError, InputError, ModelCorrupt, ModelError, ModelNotAvailable
from gliding.models import imports

NAMES = ("config.json", "model.safetensors", "tokenizer.json")


def toml(source: Path, *, model: str = "known", unknown: tuple[str, ...] = (), task: str = "rewrite") -> str:
    text = f'id = "{model}"\ntask = "{task}"\ndescription = "d"\nlicence = "MIT"\nrevision = "r1"\n'
    for name in NAMES:
        digest = hashlib.sha256((source / name).read_bytes()).hexdigest()
        text += f'[[files]]\nname = "{name}"\n' + ("" if name in unknown else f'sha256 = "{digest}"\n')
    return text + '[[sources]]\nkind = "url"\nurl = "https://example.invalid"\n'


def ship(places: Path, text: str, *, model: str = "known") -> None:
    (places / "shipped" / model).mkdir(parents=True, exist_ok=True)
    (places / "shipped" / model / "manifest.toml").write_text(text)


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a checkpoint, a shipped manifest ``known`` of it, an empty cache."""
    source = write_t5(tmp_path / "source")
    ship(tmp_path, toml(source))
    monkeypatch.setattr(models, "data_dir", lambda name: tmp_path / "shipped")
    monkeypatch.setenv("GLIDING_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("GLIDING_MODELS", raising=False)
    return tmp_path


def cached(places: Path) -> list[str]:
    root = places / "cache"
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())


def test_the_id_is_found_by_the_hashes(places: Path) -> None:
    folder = models.import_folder(places / "source")
    assert folder == places / "cache" / "models" / "known"
    assert models.find("known") == models.verify("known") == folder
    assert cached(places) == sorted(f"models/known/{name}" for name in (*NAMES, "manifest.toml"))
    record = models.record(folder)
    assert record is not None
    assert (record.revision, record.sources) == ("r1", ())
    assert not any(file.trusted for file in record.files)


def test_later_damage_is_found(places: Path) -> None:
    folder = models.import_folder(places / "source")
    (folder / "config.json").write_text("{}")
    with pytest.raises(ModelCorrupt):
        models.verify("known")
    models.import_folder(places / "source")
    assert models.verify("known")


def test_two_known_models_of_the_same_files_are_not_told_apart(places: Path) -> None:
    ship(places, toml(places / "source", model="twin"), model="twin")
    with pytest.raises(InputError, match="no known model") as caught:
        models.import_folder(places / "source")
    assert "--id" in caught.value.hint
    assert models.import_folder(places / "source", model="twin").name == "twin"


def test_files_that_no_hash_vouches_for_are_never_guessed(places: Path) -> None:
    ship(places, toml(places / "source", unknown=NAMES))
    with pytest.raises(InputError, match="no known model"):
        models.import_folder(places / "source")
    assert cached(places) == []


def test_a_file_that_differs_from_the_known_hash(places: Path) -> None:
    right = hashlib.sha256((places / "source" / "config.json").read_bytes()).hexdigest()
    write_t5(places / "source", config={"d_ff": 5})
    wrong = hashlib.sha256((places / "source" / "config.json").read_bytes()).hexdigest()
    with pytest.raises(ModelCorrupt, match=wrong) as caught:
        models.import_folder(places / "source", model="known")
    assert right in caught.value.message
    assert cached(places) == []


def test_where_a_hash_is_not_known_the_structure_is_checked_and_the_hash_recorded(places: Path) -> None:
    ship(places, toml(places / "source", unknown=("config.json",)))
    folder = models.import_folder(places / "source")
    assert [file.trusted for file in models.manifest("known").files] == [True, False, False]
    assert models.verify("known") == folder
    write_t5(places / "source", config={"d_ff": 5})
    with pytest.raises(ModelError, match="asks for"):
        models.import_folder(places / "source", model="known")


def test_a_checkpoint_of_the_users_own(places: Path) -> None:
    write_t5(places / "source", config={"dropout_rate": 0.2})
    with pytest.raises(InputError, match="no known model"):
        models.import_folder(places / "source")
    folder = models.import_folder(places / "source", model="my-t5")
    assert models.find("my-t5") == models.verify("my-t5") == folder
    spec = models.manifests()["my-t5"]
    assert (spec.task, spec.licence) == ("rewrite", "NOASSERTION")
    assert all(file.trusted and file.bytes for file in spec.files)


def test_another_checkpoint_of_the_same_name_replaces_the_first(places: Path) -> None:
    models.import_folder(places / "source", model="my-t5")
    first = models.manifest("my-t5").fingerprint
    write_t5(places / "source", config={"dropout_rate": 0.2})
    models.import_folder(places / "source", model="my-t5")
    assert models.manifest("my-t5").fingerprint != first
    assert models.verify("my-t5")
    assert len(cached(places)) == 4


def test_again_nothing_is_written(places: Path) -> None:
    folder = models.import_folder(places / "source")
    before = {path: path.stat().st_ino for path in folder.iterdir()}
    seen: list[str] = []
    assert models.import_folder(places / "source", progress=lambda name, done, total: seen.append(name)) == folder
    assert {path: path.stat().st_ino for path in folder.iterdir()} == before
    assert seen == []


def test_a_damaged_record_in_the_cache_is_written_anew(places: Path) -> None:
    folder = models.import_folder(places / "source")
    (folder / "manifest.toml").write_text("nonsense")
    models.import_folder(places / "source")
    assert models.verify("known") == folder


def test_an_imported_folder_can_be_imported_elsewhere(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = models.import_folder(places / "source", model="my-t5")
    carried = shutil.copytree(folder, places / "stick")
    monkeypatch.setenv("GLIDING_CACHE", str(places / "other"))
    assert models.import_folder(carried) == places / "other" / "models" / "my-t5"
    assert models.verify("my-t5")
    assert models.import_folder(carried, model="renamed").name == "renamed"
    (carried / "config.json").write_text((carried / "config.json").read_text() + " ")
    with pytest.raises(ModelCorrupt, match=r"config\.json"):
        models.import_folder(carried)


def test_a_record_cannot_name_what_is_not_a_models(places: Path) -> None:
    source = places / "source"
    (source / "evil.bin").write_bytes(b"pickle")
    (source / "sub").mkdir()
    (source / "sub" / "a.json").write_text("{}")
    for name in ("evil.bin", "sub/a.json", "manifest.toml"):
        (source / "manifest.toml").write_text(toml(source, model="own") + f'[[files]]\nname = "{name}"\n')
        with pytest.raises(InputError, match="is not taken"):
            models.import_folder(source)
    (source / "manifest.toml").write_text(toml(source, model="own", task="embed"))
    with pytest.raises(InputError, match="'embed' needs known hashes"):
        models.import_folder(source)
    (source / "manifest.toml").write_text(toml(source, model="own") + '[[files]]\nname = "../a.json"\n')
    with pytest.raises(ConfigError, match="relative path"):
        models.import_folder(source)
    (source / "manifest.toml").write_bytes(b"#" * (2 << 20))
    with pytest.raises(InputError, match="too large"):
        models.import_folder(source)
    assert cached(places) == []


def test_a_record_that_says_it_is_a_known_model_must_be_that(places: Path) -> None:
    write_t5(places / "source", config={"d_ff": 5})
    (places / "source" / "manifest.toml").write_text(toml(places / "source"))
    with pytest.raises(ModelCorrupt):
        models.import_folder(places / "source")


def test_a_manifest_of_the_environment_is_known_too(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_t5(places / "source", config={"dropout_rate": 0.2})
    (places / "env" / "site").mkdir(parents=True)
    (places / "env" / "site" / "manifest.toml").write_text(toml(places / "source", model="site"))
    monkeypatch.setenv("GLIDING_MODELS", str(places / "env"))
    assert models.import_folder(places / "source") == places / "cache" / "models" / "site"
    assert models.find("site")


@pytest.mark.parametrize("name", NAMES)
def test_a_missing_file_is_named(places: Path, name: str) -> None:
    (places / "source" / name).unlink()
    with pytest.raises(ModelNotAvailable, match=name.replace(".", r"\.")):
        models.import_folder(places / "source", model="own")
    with pytest.raises(ModelNotAvailable, match=name.replace(".", r"\.")):
        models.import_folder(places / "source")


def test_a_pickle_is_never_taken(places: Path) -> None:
    source = places / "source"
    (source / "model.safetensors").rename(source / "pytorch_model.bin")
    with pytest.raises(ModelNotAvailable, match=r"pytorch_model\.bin .* pickle"):
        models.import_folder(source, model="own")
    write_t5(source)
    models.import_folder(source)
    assert not any("pytorch" in name for name in cached(places))


@pytest.mark.parametrize("name", [*NAMES, "manifest.toml"])
def test_a_link_out_of_the_folder_is_not_followed(places: Path, name: str) -> None:
    path = places / "source" / name
    outside = places / "outside"
    if path.exists():
        path.rename(outside)
    else:
        outside.write_text(toml(places / "source"))
    path.symlink_to(outside)
    for model in ("", "known", "own"):
        with pytest.raises(InputError, match="link that leads out"):
            models.import_folder(places / "source", model=model)
    assert cached(places) == []


def test_a_link_within_the_folder_is_a_file(places: Path) -> None:
    source = places / "source"
    (source / "blobs").mkdir()
    (source / "config.json").rename(source / "blobs" / "1")
    (source / "config.json").symlink_to("blobs/1")
    folder = models.import_folder(source)
    assert not (folder / "config.json").is_symlink()
    assert models.verify("known")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes are POSIX")
def test_a_pipe_is_not_waited_for(places: Path) -> None:
    (places / "source" / "config.json").unlink()
    os.mkfifo(places / "source" / "config.json")
    with pytest.raises(ModelNotAvailable, match=r"config\.json"):
        models.import_folder(places / "source", model="own")


@pytest.mark.parametrize("name", ["", "missing", "source/config.json"])
def test_what_is_no_folder(places: Path, name: str) -> None:
    with pytest.raises((InputError, ModelNotAvailable)):
        models.import_folder(places / name)


@pytest.mark.parametrize("model", ["../x", "A", "a/b", ".hidden", "a b"])
def test_an_id_that_cannot_be(places: Path, model: str) -> None:
    with pytest.raises(InputError, match="cannot be a model's id"):
        models.import_folder(places / "source", model=model)
    assert cached(places) == []


def test_an_interrupted_import_leaves_what_was_there(places: Path) -> None:
    folder = models.import_folder(places / "source", model="my-t5")
    before = models.manifest("my-t5").fingerprint
    write_t5(places / "source", config={"dropout_rate": 0.2})

    def interrupted(name: str, done: int, total: int) -> None:
        if name == "model.safetensors":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        models.import_folder(places / "source", model="my-t5", progress=interrupted)
    assert models.manifest("my-t5").fingerprint == before
    assert models.verify("my-t5") == folder
    assert [path.name for path in (places / "cache" / "models").iterdir()] == ["my-t5"]


def test_a_move_that_fails_brings_back_what_was_there(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    models.import_folder(places / "source", model="my-t5")
    write_t5(places / "source", config={"dropout_rate": 0.2})
    real = os.replace

    def replace(old: str | Path, new: str | Path) -> None:
        if Path(old).name == "new":
            raise OSError("no space")
        real(old, new)

    monkeypatch.setattr(imports.os, "replace", replace)
    with pytest.raises(ModelError, match="no space"):
        models.import_folder(places / "source", model="my-t5")
    monkeypatch.undo()
    monkeypatch.setenv("GLIDING_CACHE", str(places / "cache"))
    assert models.verify("my-t5")
    assert len(cached(places)) == 4


def test_a_file_that_changes_while_it_is_copied_is_not_taken(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = imports.hashed

    def hashed(path: Path, name: str) -> models.ModelFile:
        found = real(path, name)
        if name == "tokenizer.json":
            path.write_text("{}")
        return found

    monkeypatch.setattr(imports, "hashed", hashed)
    with pytest.raises(ModelCorrupt, match=r"tokenizer\.json"):
        models.import_folder(places / "source", model="known")
    assert cached(places) == []


def test_progress_of_the_copy(places: Path) -> None:
    seen: list[tuple[str, int, int]] = []
    models.import_folder(places / "source", progress=lambda *said: seen.append(said))
    assert [name for name, _, _ in seen] == list(NAMES)
    assert all(done == total for _, done, total in seen)


def graphs(folder: Path) -> None:
    """What an exporter writes."""
    write_t5(folder)
    (folder / "model.safetensors").unlink()
    for name in ("encoder.onnx", "decoder.onnx"):
        (folder / name).write_bytes(b"graph")
    (folder / "export.json").write_text(json.dumps({"bits": 8}))


def test_an_added_model_is_found_verified_and_carried(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = models.add("known-onnx", graphs, description="d", licence="MIT")
    assert folder == models.find("known-onnx") == models.verify("known-onnx")
    carried = shutil.copytree(folder, places / "stick")
    monkeypatch.setenv("GLIDING_CACHE", str(places / "other"))
    assert models.import_folder(carried).name == "known-onnx"
    assert len(models.manifest("known-onnx").files) == 5
    (carried / "manifest.toml").unlink()
    assert models.import_folder(carried, model="bare").name == "bare"
    assert len(models.manifest("bare").files) == 5


def test_an_export_that_fails_leaves_what_was_there(places: Path) -> None:
    models.add("known-onnx", graphs, description="d", licence="MIT")

    def fails(folder: Path) -> None:
        (folder / "encoder.onnx").write_bytes(b"half")
        raise ModelError("not T5")

    with pytest.raises(ModelError, match="not T5"):
        models.add("known-onnx", fails, description="d", licence="MIT")
    assert models.verify("known-onnx")
    assert [path.name for path in (places / "cache" / "models").iterdir()] == ["known-onnx"]


def test_add_never_replaces_a_folder_with_other_files(places: Path) -> None:
    (places / "mine").mkdir()
    models.add("x", graphs, description="d", licence="MIT", to=places / "mine")
    models.add("x", graphs, description="d", licence="MIT", to=places / "mine")
    assert models.record(places / "mine").id == "mine"
    (places / "mine" / "thesis.txt").write_text("years")
    with pytest.raises(InputError, match=r"thesis\.txt"):
        models.add("x", graphs, description="d", licence="MIT", to=places / "mine")
    assert (places / "mine" / "thesis.txt").read_text() == "years"
    with pytest.raises(InputError, match="is a file"):
        models.add("x", graphs, description="d", licence="MIT", to=places / "mine" / "thesis.txt")


def test_the_way_to_an_exported_model_is_said(places: Path) -> None:
    with pytest.raises(ModelNotAvailable) as caught:
        models.find("known-onnx")
    assert caught.value.hint == "Run: gliding models fetch known && gliding models export known"
    models.import_folder(places / "source")
    with pytest.raises(ModelNotAvailable) as caught:
        models.find("known-onnx")
    assert caught.value.hint == "Run: gliding models export known"


def test_a_link_to_itself_is_no_file_and_no_traceback(places: Path) -> None:
    (places / "source" / "config.json").unlink()
    (places / "source" / "config.json").symlink_to("config.json")
    with pytest.raises(ModelNotAvailable, match=r"lacks the file config\.json"):
        models.import_folder(places / "source", model="x")
    (places / "loop").symlink_to("loop")
    with pytest.raises(ModelError, match="could not be written"):
        models.add(
            "x", lambda folder: (folder / "a.onnx").write_bytes(b"a"), description="", licence="", to=places / "loop"
        )


def test_the_folder_that_one_is_in_is_no_target(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(places)
    with pytest.raises(InputError, match="has no name"):
        models.add("x", lambda folder: None, description="", licence="", to=".")


def test_a_damaged_record_of_another_model_stops_nobody(places: Path) -> None:
    (places / "cache" / "models" / "bad").mkdir(parents=True)
    (places / "cache" / "models" / "bad" / "manifest.toml").write_text("id=")
    with pytest.raises(ModelNotAvailable) as caught:
        models.find("known-onnx")
    assert caught.value.hint.endswith("gliding models export known")
    with pytest.raises(ModelNotAvailable):
        models.find("other")
