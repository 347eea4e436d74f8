"""Export a local T5 checkpoint (T5, T5 1.1, FLAN-T5) to ONNX for the rewriting tier, without torch.

    python scripts/export_onnx.py SOURCE TARGET [--bits 8|32] [--check]

SOURCE holds config.json, model.safetensors and tokenizer.json. With --check, and torch installed, the exported model is
run against the checkpoint on torch: logits along the same outputs, and greedy outputs.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from time import perf_counter

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from gliding.backends.decoding import Seq2Seq, decode  # noqa: E402
from gliding.backends.t5 import OnnxT5  # noqa: E402
from gliding.backends.t5_graph import export  # noqa: E402
from gliding.errors import GlidingError  # noqa: E402

LENGTHS, STEPS = (3, 17, 60, 200), 24


def logits(engine: Seq2Seq, ids: list[int], output: list[int]) -> np.ndarray:
    """Return ``(len(output), vocabulary)`` logits, each after the start and the ids of the output before it."""
    state, rows = engine.encode(ids), []
    for last in [engine.start, *output[:-1]]:
        row, state = engine.step(state, np.array([last], np.int64))
        rows.append(row[0])
    return np.stack(rows)


def compare(checkpoint: Path, exported: Path) -> None:
    """Print how far the two engines are apart on texts of random pieces."""
    from gliding.backends.t5_torch import TorchT5

    onnx, torch = OnnxT5(exported), TorchT5(checkpoint, device="cpu")
    chance = np.random.default_rng(0)
    far, likeliest, same = 0.0, [], 0
    for length in LENGTHS:
        ids = [*chance.integers(3, torch.vocabulary, length).tolist(), torch.end]
        output = decode(torch, ids, max_new=STEPS, stop=lambda: False)
        same += output == decode(onnx, ids, max_new=STEPS, stop=lambda: False)
        ours, theirs = (logits(engine, ids, output) for engine in (onnx, torch))
        far = max(far, float(np.abs(ours - theirs).max()))
        likeliest += (ours.argmax(1) == theirs.argmax(1)).tolist()
    print(
        f"against torch: logits at most {far:.2g} apart, the likeliest id agrees at {np.mean(likeliest):.1%} of ",
        end="",
    )
    print(f"{len(likeliest)} steps, {same} of {len(LENGTHS)} outputs are equal")


def main() -> None:
    """Read the command line, export, check."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", type=Path, help="folder of the checkpoint")
    parser.add_argument("target", type=Path, help="folder to write")
    parser.add_argument("--bits", type=int, choices=(8, 32), default=8, help="of the weights (default: 8)")
    parser.add_argument("--check", action="store_true", help="compare with torch")
    options = parser.parse_args()
    started = perf_counter()
    try:
        export(options.source, options.target, bits=options.bits)
        sizes = ", ".join(
            f"{file.name} {file.stat().st_size / 1e6:.1f} MB" for file in sorted(options.target.glob("*.onnx"))
        )
        print(f"{options.target}: {sizes}, {options.bits} bit, {perf_counter() - started:.1f} s")
        if options.check:
            compare(options.source, options.target)
    except GlidingError as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
