"""Open an ONNX model with ONNX Runtime, the same way for every engine: on the CPU, one thread, no telemetry."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from gliding.backends.extras import require
from gliding.errors import ModelError


def open_session(path: Path, *, hint: str = "Run: gliding models verify") -> Any:
    """Return an inference session on one thread: callers run several texts side by side instead.

    Raises:
        MissingExtra: ``onnxruntime`` is not installed.
        ModelError: the file is damaged or holds what this version of the runtime cannot run.
    """
    runtime = require("onnxruntime", extra="onnx")
    state = runtime.capi.onnxruntime_pybind11_state
    runtime.disable_telemetry_events()
    options = runtime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    try:
        return runtime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except (state.Fail, state.InvalidGraph, state.InvalidProtobuf, state.NotImplemented) as error:
        raise ModelError(f"{path} cannot be loaded: {error}", hint=hint) from error


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
