"""What the writers of ONNX files share: read safetensors, round weights to 8 bit, collect nodes. Knows no model.

Needs numpy and, to put nodes together, the package ``onnx``; no torch. The same weights give the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from gliding.backends.extras import require
from gliding.errors import ModelCorrupt, ModelError

Array = npt.NDArray[Any]
Weights = dict[str, Array]

RUNTIME = "com.microsoft"  # the operator domain of ONNX Runtime
OPSETS, IR_VERSION = {"": 20, RUNTIME: 1}, 9
_LARGEST = 2**31 - 1  # bytes of one protobuf message
_DTYPES = {"F32": "<f4", "F16": "<f2", "BF16": "<u2"}


def read_safetensors(path: Path) -> Weights:
    """Read the float tensors of a safetensors file as float32; float16 and bfloat16 are widened, which is exact.

    The file is 8 bytes with the length of a JSON header, the header, then the raw bytes. Tensors of other types are
    left out.

    Raises:
        ModelCorrupt: the file is damaged.
    """
    data = np.memmap(path, np.uint8, "r") if path.stat().st_size else np.zeros(0, np.uint8)
    try:
        start = 8 + int.from_bytes(data[:8].tobytes(), "little")
        header = json.loads(data[8:start].tobytes())
        tensors = {}
        for name, entry in header.items():
            if name != "__metadata__" and entry["dtype"] in _DTYPES:
                begin, end = entry["data_offsets"]
                raw = data[start + begin : start + end].view(_DTYPES[entry["dtype"]]).reshape(entry["shape"])
                tensors[name] = _widened(raw, entry["dtype"])
        return tensors
    except (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        raise ModelCorrupt(f"{path} is damaged: {error}.", hint="Fetch the model again.") from error


def _widened(raw: Array, dtype: str) -> Array:
    if dtype == "BF16":  # the upper half of a float32
        return (raw.astype(np.uint32) << 16).view(np.float32)
    return raw.astype(np.float32)


def block_size(columns: int) -> int:
    """Return how many weights share a scale: 32, or 16, whichever divides a row; 0 where neither does.

    >>> block_size(512), block_size(48), block_size(10)
    (32, 16, 0)
    """
    return next((size for size in (32, 16) if columns % size == 0), 0)


def quantise_blocks(weight: Array, size: int) -> tuple[Array, Array]:
    """Round ``(out, in) float32`` weights to 8 bit in blocks along the input, as ONNX Runtime's MatMulNBits reads them.

    Returns ``(out, in / size, size) uint8`` with zero at 128, and ``(out, in / size) float32`` scales. The weight of a
    block that is farthest from zero is mapped to 0, the end that has one step more.

    >>> quantised, scale = quantise_blocks(np.float32([[-2, 1] + 14 * [0]]), 16)
    >>> quantised[0, 0, :3].tolist(), scale.tolist()
    ([0, 192, 128], [[0.015625]])
    """
    blocks = weight.reshape(weight.shape[0], -1, size)
    peak = np.take_along_axis(blocks, np.abs(blocks).argmax(axis=-1, keepdims=True), axis=-1)
    scale = (peak / np.float32(-128)).astype(np.float32)
    scale[scale == 0] = 1
    return np.clip(np.round(blocks / scale) + 128, 0, 255).astype(np.uint8), scale[..., 0]


def quantise_rows(table: Array) -> tuple[Array, Array]:
    """Round a ``(rows, dim) float32`` table to int8 with one float32 scale a row, ``(rows, 1)``.

    >>> rows, scale = quantise_rows(np.float32([[127, -64], [0, 0]]))
    >>> rows.tolist(), scale.tolist()
    ([[127, -64], [0, 0]], [[1.0], [1.0]])
    """
    scale = (np.abs(table).max(axis=1, keepdims=True) / np.float32(127)).astype(np.float32)
    scale[scale == 0] = 1
    return np.round(table / scale).astype(np.int8), scale


class Graph:
    """Collects nodes and constants of an ONNX graph; every method returns the name of what it adds.

    Args:
        bits: 32 for float32 weights; 8 for 8-bit weights in every linear layer (MatMulNBits, activations rounded to
            int8 block by block, so that a row of a batch never moves another) and int8 rows in tables.

    Raises:
        MissingExtra: ``onnx`` is not installed.
    """

    def __init__(self, *, bits: int) -> None:
        self.bits = bits
        self._onnx: Any = require("onnx", extra="export")
        self._helper: Any = require("onnx.helper", extra="export")
        self._numpy: Any = require("onnx.numpy_helper", extra="export")
        self._nodes: list[Any] = []
        self._constants: dict[str, Any] = {}
        self._inputs: list[Any] = []
        self._outputs: list[Any] = []

    def constant(self, name: str, value: Array) -> str:
        """Add a constant; one of the same name stays."""
        if name not in self._constants:
            self._constants[name] = self._numpy.from_array(np.ascontiguousarray(value), name)
        return name

    def integers(self, *values: int) -> str:
        """Add a vector of int64, named by its values."""
        return self.constant(f"int.{'.'.join(map(str, values))}", np.array(values, np.int64))

    def scalar(self, value: float) -> str:
        """Add a float32 number, named by its value."""
        return self.constant(f"float.{value!r}", np.array(value, np.float32))

    def node(self, operator: str, inputs: Sequence[str], output: str, *, domain: str = "", **attributes: object) -> str:
        """Add a node with one output."""
        self._nodes.append(
            self._helper.make_node(operator, list(inputs), [output], name=output, domain=domain, **attributes)
        )
        return output

    def split(self, x: str, outputs: Sequence[str]) -> list[str]:
        """Add a split of the last axis into equal parts."""
        self._nodes.append(
            self._helper.make_node("Split", [x], list(outputs), name=f"{x}.split", axis=-1, num_outputs=len(outputs))
        )
        return list(outputs)

    def floats(self, x: str, output: str) -> str:
        """Add a cast to float32."""
        return self.node("Cast", [x], output, to=self._onnx.TensorProto.FLOAT)

    def linear(self, x: str, weight: Array, output: str) -> str:
        """Add ``x @ weight.T`` for ``(out, in)`` weights, in 8 bit where the graph is."""
        rows, columns = weight.shape
        size = block_size(columns) if self.bits == 8 else 0
        if not size:
            return self.node("MatMul", [x, self.constant(f"{output}.w", weight.T)], output)
        quantised, scale = quantise_blocks(weight, size)
        inputs = [x, self.constant(f"{output}.q", quantised), self.constant(f"{output}.scale", scale.reshape(-1))]
        settings = {"K": columns, "N": rows, "bits": 8, "block_size": size, "accuracy_level": 4}
        return self.node("MatMulNBits", inputs, output, domain=RUNTIME, **settings)

    def lookup(self, table: Array, ids: str, output: str) -> str:
        """Add the rows of a table for ids; 8-bit rows are gathered before they are widened."""
        if self.bits != 8:
            return self.node("Gather", [self.constant(f"{output}.table", table), ids], output)
        rows, scale = quantise_rows(table)
        small = self.node("Gather", [self.constant(f"{output}.table", rows), ids], f"{output}.int8")
        scales = self.node("Gather", [self.constant(f"{output}.scale", scale), ids], f"{output}.scales")
        return self.node("Mul", [self.floats(small, f"{output}.wide"), scales], output)

    def input(self, name: str, shape: Sequence[str | int], *, integer: bool = False) -> str:
        """Declare an input, float32 or int64; a name in the shape is a free length."""
        kind = self._onnx.TensorProto.INT64 if integer else self._onnx.TensorProto.FLOAT
        self._inputs.append(self._helper.make_tensor_value_info(name, kind, list(shape)))
        return name

    def output(self, name: str, shape: Sequence[str | int]) -> None:
        """Declare what a node gives as a float32 output."""
        self._outputs.append(self._helper.make_tensor_value_info(name, self._onnx.TensorProto.FLOAT, list(shape)))

    def write(self, path: Path) -> None:
        """Write the model; the same graph gives the same bytes.

        Raises:
            ModelError: it is too large for one ONNX file (2 GB).
        """
        constants = list(self._constants.values())
        if sum(tensor.ByteSize() for tensor in constants) > _LARGEST:
            raise ModelError(f"{path.name} would be larger than 2 GB.", hint="Export with --bits 8.")
        graph = self._helper.make_graph(self._nodes, path.stem, self._inputs, self._outputs, constants)
        opsets = [self._helper.make_opsetid(domain, version) for domain, version in OPSETS.items()]
        model = self._helper.make_model(graph, opset_imports=opsets, ir_version=IR_VERSION, producer_name="gliding")
        path.write_bytes(model.SerializeToString(deterministic=True))
