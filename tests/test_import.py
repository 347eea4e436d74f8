import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
HEAVY = ("numpy", "onnxruntime", "spacy", "faiss", "torch", "pydantic", "tiktoken", "tokenizers", "typer", "sumy")


def python(*args):
    return subprocess.run([sys.executable, *args], capture_output=True, text=True, cwd=ROOT, check=True)


def test_import_loads_nothing_heavy():
    code = f"import gliding, sys; print([name for name in {HEAVY!r} if name in sys.modules])"
    assert python("-c", code).stdout.strip() == "[]"


def import_seconds():
    lines = python("-X", "importtime", "-c", "import gliding").stderr.splitlines()
    line = next(line for line in lines if line.split("|")[-1].strip() == "gliding")
    return int(line.split("|")[1]) / 1e6


def test_import_takes_under_50_ms():
    # The best of several runs: a busy machine slows any one of them.
    assert any(import_seconds() < 0.05 for _ in range(20))


def test_public_names_are_there():
    import gliding

    for name in gliding.__all__:
        assert getattr(gliding, name) is not None
