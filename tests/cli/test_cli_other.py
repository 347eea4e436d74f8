import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from gliding import __version__, models, presets, registry
from gliding.cli.main import app
from gliding.errors import ModelCorrupt, ModelNotAvailable
from gliding.registry import Lack

ROOT = Path(__file__).parents[2]


def invoke(*args):
    return CliRunner().invoke(app, list(args))


def test_version():
    assert invoke("--version").stdout == f"gliding {__version__}\n"


def test_help_names_the_commands_and_loads_nothing_heavy():
    code = (
        "import json, sys\n"
        "from gliding.cli.main import run\n"
        "try:\n    run()\nexcept SystemExit:\n    json.dump(sorted(sys.modules), sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code, "--help"], capture_output=True, cwd=ROOT, check=True)
    for command in (b"compress", b"presets", b"models", b"doctor"):
        assert command in done.stdout
    heavy = {"numpy", "pydantic", "tiktoken", "rich", "onnxruntime", "spacy", "faiss"}
    assert heavy.isdisjoint(json.loads(done.stderr))


def test_an_unknown_command_is_a_usage_error():
    assert invoke("compres").exit_code == 2


def test_presets_list():
    lines = invoke("presets", "list").stdout.splitlines()
    assert [line.split()[0] for line in lines] == list(presets.names())


def test_presets_show_is_the_file():
    assert invoke("presets", "show", "edge").stdout == presets.find("edge").read_text(encoding="utf-8")


def test_presets_show_resolved_has_every_setting(tmp_path):
    path = tmp_path / "short.toml"
    path.write_text('name = "short"\ndescription = ""\n', encoding="utf-8")
    done = invoke("presets", "show", str(path), "--resolved")
    assert presets.loads(done.stdout) == presets.load(path)
    assert "max_chars" in done.stdout


def test_presets_show_unknown():
    done = invoke("presets", "show", "egde")
    assert done.exit_code == 3
    assert done.stderr.startswith("error: ")
    assert "hint: " in done.stderr


def test_models_list_and_path():
    ids = [line.split()[0] for line in invoke("models", "list").stdout.splitlines()]
    assert ids == list(models.manifests())


def test_models_path(monkeypatch, tmp_path):
    monkeypatch.setattr(models, "find", lambda model: tmp_path / model)
    assert invoke("models", "path", "m").stdout == f"{tmp_path / 'm'}\n"


def test_models_path_of_an_unknown_model():
    done = invoke("models", "path", "no-such-model")
    assert done.exit_code == ModelNotAvailable.exit_code
    assert "no-such-model" in done.stderr


@pytest.fixture
def three(monkeypatch):
    """One model that is whole, one that is absent, one that is corrupt."""

    def verify(model):
        if model == "absent":
            raise ModelNotAvailable("not there", hint="Run: fetch it")
        if model == "broken":
            raise ModelCorrupt("other bytes")
        return Path("/models") / model

    monkeypatch.setattr(models, "verify", verify)
    monkeypatch.setattr(models, "manifests", lambda: {"absent": None, "whole": None})


def test_models_verify_all_passes_over_what_is_absent(three):
    done = invoke("models", "verify")
    assert done.exit_code == 0
    assert "absent: not found. Run: fetch it" in done.stdout
    assert "whole: whole, in" in done.stdout


@pytest.mark.parametrize("model", ["absent", "broken"])
def test_models_verify_named_fails_and_still_checks_the_rest(three, model):
    done = invoke("models", "verify", model, "whole")
    assert done.exit_code == 5
    assert "whole: whole" in done.stdout


def test_models_fetch_says_where(monkeypatch, tmp_path):
    monkeypatch.setattr(models, "fetch", lambda model, *, to, progress: to / model)
    assert invoke("models", "fetch", "m", "--to", str(tmp_path)).stdout == f"{tmp_path / 'm'}\n"


def test_doctor_names_packages_models_and_presets():
    done = invoke("doctor")
    assert done.exit_code == 0
    for said in ("numpy", *models.manifests(), *presets.names(), "without --preset: "):
        assert said in done.stdout


def test_doctor_says_what_a_preset_lacks_and_the_command(monkeypatch):
    gap = Lack("index faiss", "package faiss", "pip install 'gliding[faiss]'", "faiss")
    monkeypatch.setattr(registry, "lacks", lambda preset: [] if preset.name == "edge" else [gap])
    done = invoke("doctor")
    assert done.exit_code == 0
    assert "index faiss: package faiss. Run: pip install 'gliding[faiss]'" in done.stdout
    assert "without --preset: edge" in done.stdout
