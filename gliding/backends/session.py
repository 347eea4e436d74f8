"""Open an ONNX model with ONNX Runtime, the same way for every engine: on the CPU, one thread, no telemetry."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
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
    options.log_severity_level = 4  # what fails is raised, and stderr is the user's
    try:
        return runtime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except (
        state.Fail,
        state.InvalidArgument,
        state.InvalidGraph,
        state.InvalidProtobuf,
        state.NotImplemented,
    ) as error:
        raise ModelError(f"{path} cannot be loaded: {error}", hint=hint) from error


def run_session(session: Any, names: Sequence[str], inputs: Mapping[str, Any]) -> list[Any]:
    """Return the named outputs of a session.

    Raises:
        ModelError: the runtime cannot compute them: the model is not what it seemed, or memory is short.
    """
    try:
        found: list[Any] = session.run(names, inputs)
    except Exception as error:  # the runtime's errors share no base class
        raise ModelError(f"ONNX Runtime cannot run the model: {error}") from error
    return found


def cores() -> int:
    """Return how many cores a model may use: ``$GLIDING_THREADS`` where it is set, as in a batch's workers."""
    given = os.environ.get("GLIDING_THREADS", "")
    return int(given) if given.isdecimal() and int(given) else available_cores()


def available_cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
