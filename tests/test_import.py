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
    # Of the processor, not of the clock: other work of the machine does not count.
    code = "import time; start = time.process_time(); import gliding; print(time.process_time() - start)"
    return float(python("-c", code).stdout)


def test_import_takes_under_50_ms():
    assert any(import_seconds() < 0.05 for _ in range(5))


def test_public_names_are_there():
    import gliding

    for name in gliding.__all__:
        assert getattr(gliding, name) is not None
