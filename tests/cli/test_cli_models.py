import hashlib
import shutil
import sys
from pathlib import Path
from types import ModuleType

import pytest
from checkpoints import write_t5
from typer.testing import CliRunner

from gliding import errors, models
from gliding.cli import models as command
from gliding.cli.main import app

TINY = Path(__file__).parents[1] / "data" / "tiny-t5"


def invoke(*args):
    return CliRunner().invoke(app, ["models", *map(str, args)])


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("GLIDING_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("GLIDING_MODELS", raising=False)
    return tmp_path / "cache" / "models"


@pytest.fixture
def source(tmp_path):
    return write_t5(tmp_path / "source")


@pytest.fixture
def exported(monkeypatch):
    """An exporter that writes four small files; the list says how it was called."""
    calls = []

    def export(source, target, *, bits):
        calls.append((source, bits))
        for name in ("config.json", "tokenizer.json"):
            shutil.copy(source / name, target)
        for name in ("encoder.onnx", "decoder.onnx"):
            (target / name).write_bytes(b"graph")

    module = ModuleType("gliding.backends.t5_graph")
    module.export = export
    monkeypatch.setitem(sys.modules, module.__name__, module)
    return calls


def test_import_writes_the_folder_and_says_what_is_taken_on_trust(source, cache):
    done = invoke("import", source, "--id", "my-t5")
    assert (done.exit_code, done.stdout) == (0, f"{cache / 'my-t5'}\n")
    assert done.stderr.count("taken on trust") == 3
    digest = hashlib.sha256((source / "config.json").read_bytes()).hexdigest()
    assert f"config.json: no hash is known, taken on trust; from now on it is SHA-256 {digest}" in done.stderr
    assert invoke("path", "my-t5").stdout == done.stdout
    assert "my-t5: whole, in" in invoke("verify", "my-t5").stdout
    assert any(line.startswith("my-t5 ") for line in invoke("list").stdout.splitlines())


def test_import_of_other_bytes_than_those_of_a_known_model(source, cache):
    done = invoke("import", source, "--id", "flan-t5-small")
    assert done.exit_code == errors.ModelCorrupt.exit_code
    assert done.stdout == ""
    assert "439aa0fecf5a5546a1def68b1fc45e538e2c94528ce805378daf091e2bf6e4de" in done.stderr
    assert not cache.exists()


def test_import_without_an_id_asks_for_it(source):
    done = invoke("import", source)
    assert done.exit_code == errors.InputError.exit_code
    assert f"gliding models import {source} --id NAME" in done.stderr


def test_a_shipped_model_is_imported_from_its_folder_by_its_hashes(cache):
    done = invoke("import", models.data_dir("models") / "cl100k_base")
    assert (done.exit_code, done.stdout, done.stderr) == (0, f"{cache / 'cl100k_base'}\n", "")
    assert f"cl100k_base: whole, in {cache}" in invoke("verify", "cl100k_base").stdout


def test_export_of_a_model_by_its_id(source, cache, exported):
    invoke("import", source, "--id", "my-t5")
    done = invoke("export", "my-t5")
    assert (done.exit_code, done.stdout) == (0, f"{cache / 'my-t5-onnx'}\n")
    assert exported == [(cache / "my-t5", 8)]
    assert invoke("path", "my-t5-onnx").stdout == done.stdout
    assert "my-t5-onnx: whole, in" in invoke("verify", "my-t5-onnx").stdout
    assert models.manifest("my-t5-onnx").description == "my-t5 for ONNX Runtime, 8 bit"


def test_export_of_a_folder_to_a_folder(source, tmp_path, exported):
    done = invoke("export", source, "--to", tmp_path / "mine", "--bits", "32")
    assert (done.exit_code, done.stdout) == (0, f"{tmp_path / 'mine'}\n")
    assert exported == [(source, 32)]
    assert models.record(tmp_path / "mine").id == "mine"
    assert invoke("export", source).stdout.endswith("source-onnx\n")


@pytest.mark.parametrize(
    ("args", "error", "said"),
    [
        (["no-such-model"], errors.ModelNotAvailable, "no-such-model"),
        (["flan-t5-small"], errors.ModelNotAvailable, "Run: gliding models fetch flan-t5-small"),
        (["minilm-l6-v2"], errors.InputError, "'embed'"),
        (["flan-t5-small", "--bits", "4"], errors.InputError, "Known: 8, 32"),
    ],
)
def test_what_cannot_be_exported(args, error, said, cache, exported):
    done = invoke("export", *args)
    assert done.exit_code == error.exit_code
    assert said in done.stderr
    assert exported == []
    assert not cache.exists()


def test_export_never_replaces_other_files(source, tmp_path, exported):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("years", encoding="utf-8")
    done = invoke("export", source, "--to", tmp_path / "mine")
    assert done.exit_code == errors.InputError.exit_code
    assert "thesis.txt" in done.stderr
    assert exported == []


@pytest.mark.skipif(not TINY.is_dir(), reason="the tiny checkpoint is not there")
def test_the_real_exporter(tmp_path, cache):
    pytest.importorskip("onnx")
    pytest.importorskip("numpy")
    assert invoke("import", TINY, "--id", "tiny").exit_code == 0
    done = invoke("export", "tiny")
    assert done.exit_code == 0, done.stderr
    assert {"config.json", "decoder.onnx", "encoder.onnx", "manifest.toml", "tokenizer.json"} <= {
        path.name for path in (cache / "tiny-onnx").iterdir()
    }
    first = models.manifest("tiny-onnx").fingerprint
    assert invoke("export", "tiny").exit_code == 0
    assert models.manifest("tiny-onnx").fingerprint == first
    assert models.verify("tiny-onnx") == cache / "tiny-onnx"
    shutil.copytree(cache / "tiny-onnx", tmp_path / "stick")
    assert invoke("import", tmp_path / "stick", "--id", "carried").exit_code == 0


def test_fetch_says_what_is_taken_on_trust(tmp_path, monkeypatch, cache):
    (tmp_path / "share").mkdir()
    (tmp_path / "share" / "a").write_bytes(b"a")
    (tmp_path / "env" / "site").mkdir(parents=True)
    share = (tmp_path / "share").as_posix()
    (tmp_path / "env" / "site" / "manifest.toml").write_text(
        'id = "site"\ntask = "embed"\ndescription = "d"\nlicence = "MIT"\n[[files]]\nname = "a"\n'
        f'[[sources]]\nkind = "folder"\nfolder = "{share}"\n',
        encoding="utf-8",
    )
    monkeypatch.setenv("GLIDING_MODELS", str(tmp_path / "env"))
    (tmp_path / "env" / "site" / "a").write_bytes(b"a")
    assert "site: there (no hash is known of a), in" in invoke("verify", "site").stdout
    (tmp_path / "env" / "site" / "a").unlink()
    done = invoke("fetch", "site")
    assert done.stdout == f"{cache / 'site'}\n"
    assert done.stderr == (
        f"a: no hash is known, taken on trust; from now on it is SHA-256 {hashlib.sha256(b'a').hexdigest()}\n"
    )
    assert "site: whole, in" in invoke("verify", "site").stdout


@pytest.mark.parametrize(
    ("total", "shown"),
    [(3_000_000, "\rf: 1.0 of 3.0 MB\rf: 3.0 of 3.0 MB\n"), (0, "\rf: 1.0 MB\rf: 3.0 MB")],
)
def test_progress(total, shown, capsys):
    command._progress("f", 1_000_000, total)
    command._progress("f", 3_000_000, total)
    assert capsys.readouterr().err == shown
