import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCUMENT = ROOT / "docs" / "examples" / "incident-report.md"
NO_NETWORK = """
import socket

def refuse(*args, **kwargs):
    raise RuntimeError("the network was touched")

socket.socket.connect = socket.socket.connect_ex = socket.create_connection = socket.getaddrinfo = refuse
"""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(ROOT)]
    subprocess.run(command, check=True)
    (path,) = folder.glob("gliding-*.whl")
    return path


@pytest.fixture(scope="module")
def bare(wheel, tmp_path_factory):
    """A function that runs ``gliding`` from the wheel in an environment without extras, with the network cut off."""
    folder = tmp_path_factory.mktemp("bare")
    venv.create(folder / "venv", with_pip=True)
    scripts = folder / "venv" / ("Scripts" if sys.platform == "win32" else "bin")
    subprocess.run([scripts / "python", "-m", "pip", "install", "--quiet", str(wheel)], check=True)
    block = folder / "block"
    block.mkdir()
    (block / "sitecustomize.py").write_text(NO_NETWORK, encoding="utf-8")
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("GLIDING_", "TIKTOKEN_"))}
    environment = {**kept, "PYTHONPATH": str(block), "GLIDING_CACHE": str(folder / "cache")}

    def run(*args):
        command = [scripts / "gliding", *args]
        return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)

    return run


def test_the_wheel_carries_presets_models_and_licences(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    for end in ("_data/pipelines/edge.toml", "_data/models/minilm-l6-v2/manifest.toml", "licenses/LICENSE", "py.typed"):
        assert any(name.endswith(end) for name in names), end
    assert not any(name.startswith(("tests/", "scripts/")) for name in names)


def test_the_network_is_cut_off(bare):
    done = bare("models", "fetch", "minilm-l6-v2")
    assert done.returncode != 0


def test_edge_runs(bare):
    done = bare("compress", "-p", "edge", "-n", "300", "-q", "Why did the standby compressor not start?", str(DOCUMENT))
    assert done.returncode == 0, done.stderr
    assert "interlock" in done.stdout
    assert "preset edge" in done.stderr
    assert "warning" not in done.stderr


def test_the_default_falls_back_to_edge_and_says_so(bare):
    done = bare("compress", "-n", "300", str(DOCUMENT))
    assert done.returncode == 0, done.stderr
    assert "preset edge" in done.stderr
    assert "pip install 'gliding[faiss,onnx,spacy]'" in done.stderr


def test_a_named_preset_is_never_changed(bare):
    done = bare("compress", "-p", "balanced", "-n", "300", str(DOCUMENT))
    assert done.returncode in (4, 5)
    assert "pip install 'gliding[" in done.stderr
    assert done.stdout == ""


def test_doctor_names_the_commands(bare):
    done = bare("doctor")
    assert done.returncode == 0
    assert "pip install 'gliding[faiss]'" in done.stdout
    assert "without --preset: edge" in done.stdout
