"""Sentence vectors with torch, from a folder with the published weights; and where and how precisely torch runs."""

from __future__ import annotations

import hashlib
import json
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from gliding.backends.caching import NullCache
from gliding.backends.extras import installed_version, require, require_installed
from gliding.backends.graph import read_safetensors
from gliding.backends.t5_checkpoint import file_hash
from gliding.backends.vectors import CHARACTERS, MARKERS, cached_vectors
from gliding.errors import ConfigError, ModelError, ModelNotAvailable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from gliding.protocols import Cache, Float32

Device = Literal["auto", "cpu", "cuda"]

FILES = ("config.json", "model.safetensors", "tokenizer.json")
_AMPERE = 8  # the first generation of GPUs that computes in bfloat16


class Place(NamedTuple):
    """Where torch runs, and in which type; both by torch's own names."""

    device: Literal["cpu", "cuda"]
    dtype: Literal["float32", "bfloat16"]

    def __str__(self) -> str:
        return f"{self.device}-{self.dtype}"


class Rows(NamedTuple):
    """How texts are put into batches: so many in each, filled up with empty ones; lengths are multiples of ``step``."""

    batch: int
    step: int


ALONE = Rows(1, 1)
_ON_GPU = Rows(64, 32)


def choose_place(device: Device) -> Place:
    """Return the place for a setting: ``auto`` is the GPU where torch sees one, else the CPU.

    The CPU computes in float32, a GPU in bfloat16 where it has it, else in float32 too: float16 overflows in the wide
    layers of T5.

    Raises:
        ConfigError: the setting is unknown, or ``cuda`` is asked for and torch sees no GPU.
        MissingExtra: ``torch`` is not installed.
    """
    if device not in ("auto", "cpu", "cuda"):
        raise ConfigError(f"No device is called {device!r}.", hint="Known: auto, cpu, cuda.")
    if device == "cpu":
        return Place("cpu", "float32")
    torch = require("torch", extra="torch")
    if torch.cuda.is_available():
        return Place("cuda", "bfloat16" if torch.cuda.get_device_capability()[0] >= _AMPERE else "float32")
    if device == "cuda":
        build = "was built without CUDA" if torch.version.cuda is None else "sees no GPU"
        raise ConfigError(
            f"The device 'cuda' is asked for, and torch {torch.__version__} {build}.",
            hint='Set device = "auto" or "cpu", or check: python -c \'import torch; print(torch.cuda.is_available())\'',
        )
    return Place("cpu", "float32")


class TorchEmbedder:
    """Encodes texts as unit vectors (an ``Embedder``) with a BERT encoder, the mean over its pieces, and length 1.

    The model (Devlin et al. 2019; pooling of Reimers and Gurevych 2019) is loaded at the first text; threads may share
    it. On the CPU every text runs alone, so that a vector never depends on its batch. On a GPU texts run in batches of
    64, filled up with empty ones, and each padded to the next multiple of 32 pieces: the shape that a text is computed
    in, and so the order of its sums, depends on the text alone.

    Args:
        model_dir: Folder with ``model.safetensors``, ``config.json`` and ``tokenizer.json``.
        threads: Texts at a time on the CPU; 0 means one, since torch spreads each over the cores by itself.
        dim: Components of a vector.
        fingerprint: Names the model's bytes (``Manifest.fingerprint``); empty: the files are hashed.
        cache: Where vectors are kept, by text.
        device: ``cpu``, ``cuda``, or ``auto``: the GPU where torch sees one.

    Raises:
        MissingExtra: ``torch``, ``transformers`` or ``tokenizers`` is not installed.
        ModelNotAvailable: a file is missing in the folder.
        ConfigError: ``cuda`` is asked for and torch sees no GPU.
    """

    def __init__(
        self,
        model_dir: Path,
        *,
        threads: int = 0,
        dim: int = 384,
        fingerprint: str = "",
        cache: Cache | None = None,
        device: Device = "auto",
    ) -> None:
        require_installed("torch", "transformers", "tokenizers", extra="torch")
        for name in FILES:
            if not (model_dir / name).is_file():
                raise ModelNotAvailable(f"{model_dir / name} is missing.", hint="Run: gliding doctor")
        self.dim = dim
        self._folder, self._threads = model_dir, threads or 1
        self._place = choose_place(device)
        self._rows = ALONE if self._place.device == "cpu" else _ON_GPU
        self.fingerprint = f"{fingerprint or hash_of(model_dir, FILES)}/{versions(self._place)}"
        self._cache: Cache = cache if cache is not None else NullCache()
        self._loading = threading.Lock()
        self._loaded: tuple[Any, Any] | None = None

    def embed(self, texts: Sequence[str], *, max_pieces: int = 256) -> Float32:
        """Return ``(len(texts), dim) float32`` unit vectors; each text is read to at most ``max_pieces`` word pieces.

        The two markers that the model wants count as pieces. A text without any word piece gets zeros: near to nothing.

        Raises:
            InputError: ``max_pieces`` is outside [3, 512].
            ModelError: the model's files cannot be loaded or give vectors of another length.
        """
        return cached_vectors(
            texts,
            max_pieces=max_pieces,
            dim=self.dim,
            cache=self._cache,
            fingerprint=self.fingerprint,
            encode=self._encode,
        )

    def _encode(self, texts: list[str], max_pieces: int) -> Iterable[bytes]:
        _, tokenizer = self._load()
        vectors = np.zeros((len(texts), self.dim), dtype="<f4")
        by_length: dict[int, list[tuple[int, list[int]]]] = {}
        for number, text in enumerate(texts):
            ids: list[int] = tokenizer.encode(text[: max_pieces * CHARACTERS]).ids
            if len(ids) > max_pieces:
                ids = [*ids[: max_pieces - 1], ids[-1]]
            if len(ids) > MARKERS:
                length = -(-len(ids) // self._rows.step) * self._rows.step
                by_length.setdefault(length, []).append((number, ids))
        batches = [
            (length, held[start : start + self._rows.batch])
            for length, held in sorted(by_length.items())
            for start in range(0, len(held), self._rows.batch)
        ]

        def run(batch: tuple[int, list[tuple[int, list[int]]]]) -> None:
            length, held = batch
            vectors[[number for number, _ in held]] = self._run([ids for _, ids in held], length)

        if self._threads == 1 or len(batches) == 1 or self._place.device != "cpu":
            for batch in batches:
                run(batch)
        else:
            with ThreadPoolExecutor(min(self._threads, max(1, len(batches)))) as pool:
                list(pool.map(run, batches))
        return [vector.tobytes() for vector in vectors]

    def _run(self, rows: list[list[int]], length: int) -> Float32:
        """Return the unit vectors of one batch, computed as ``(batch, length)`` pieces whatever is in it."""
        torch = require("torch", extra="torch")
        model, _ = self._load()
        ids = np.zeros((self._rows.batch, length), np.int64)
        mask = np.zeros_like(ids)
        mask[:, 0] = 1  # a row that sees nothing at all would divide by zero
        for row, pieces in enumerate(rows):
            ids[row, : len(pieces)] = pieces
            mask[row, : len(pieces)] = 1
        with torch.inference_mode():
            device = self._place.device
            seen = torch.from_numpy(mask).to(device)
            states = model(
                input_ids=torch.from_numpy(ids).to(device),
                attention_mask=seen,
                # given, since the model's own are among what was built without memory
                position_ids=torch.arange(length, device=device).unsqueeze(0),
                token_type_ids=torch.zeros_like(seen),
            )
            weights = seen.unsqueeze(-1).float()
            mean = (states.last_hidden_state.float() * weights).sum(dim=1) / weights.sum(dim=1)
            unit = torch.nn.functional.normalize(mean, dim=1)
            found: Float32 = unit[: len(rows)].cpu().numpy()
        return found

    def _load(self) -> tuple[Any, Any]:
        with self._loading:
            if self._loaded is None:
                path = self._folder / "tokenizer.json"
                try:
                    tokenizer = require("tokenizers", extra="torch").Tokenizer.from_file(str(path))
                except Exception as error:  # the library raises nothing more precise
                    raise ModelError(f"{path} is damaged: {error}.", hint="Run: gliding models verify") from error
                # the file pads every text to 128 pieces; its way of cutting is one setting for all threads
                tokenizer.no_padding()
                tokenizer.no_truncation()
                self._loaded = self._model(), tokenizer
            return self._loaded

    def _model(self) -> Any:
        """Build the encoder from the config and put the weights in: nothing is looked up by name or downloaded."""
        torch, transformers = require("torch", extra="torch"), require("transformers", extra="torch")
        path = self._folder / "config.json"
        weights = read_safetensors(self._folder / "model.safetensors")
        try:
            raw = json.loads(path.read_text(encoding="utf-8"))
            if raw.get("model_type") != "bert":
                raise ModelError(f"{path} describes a {raw.get('model_type')!r} model, not a BERT.")
            settings = {name: kind(raw[name]) for name, kind in _SETTINGS.items() if name in raw}
            if settings["num_hidden_layers"] > len(weights):
                raise ModelError(f"{self._folder} has fewer weights than its config.json has layers.")
            with torch.device("meta"):
                model = transformers.BertModel(transformers.BertConfig(**settings), add_pooling_layer=False)
        except (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError) as error:
            raise ModelError(f"{path} is not the config.json of a BERT: {error!r}.") from error
        if (dim := settings["hidden_size"]) != self.dim:
            raise ModelError(f"{self._folder} gives vectors of {dim} components, not {self.dim}.")
        put_in(model, {name.removeprefix("bert."): value for name, value in weights.items()}, self._place)
        return model


_SETTINGS: Mapping[str, Callable[[Any], Any]] = {
    "vocab_size": int,
    "hidden_size": int,
    "num_hidden_layers": int,
    "num_attention_heads": int,
    "intermediate_size": int,
    "hidden_act": str,
    "max_position_embeddings": int,
    "type_vocab_size": int,
    "layer_norm_eps": float,
}


def put_in(model: Any, weights: Mapping[str, Any], place: Place) -> None:
    """Give a model without memory (torch's device ``meta``) its weights, by name, at the place where it is to run.

    Raises:
        ModelError: a weight is missing or of another shape.
    """
    torch = require("torch", extra="torch")
    state = {}
    for name, wanted in model.state_dict().items():
        found = weights.get(name)
        if found is None or tuple(found.shape) != tuple(wanted.shape):
            shape = "missing" if found is None else f"of shape {tuple(found.shape)}, not {tuple(wanted.shape)}"
            raise ModelError(f"The weight {name!r} is {shape}.", hint="Run: gliding models verify")
        state[name] = torch.as_tensor(found).to(place.device, getattr(torch, place.dtype))
    model.load_state_dict(state, assign=True)
    model.eval().requires_grad_(False)


def versions(place: Place) -> str:
    """Return what the last bits of a result depend on: the libraries, the device and the type."""
    libraries = "/".join(f"{name}-{installed_version(name)}" for name in ("torch", "transformers"))
    return f"{libraries}/{place}"


def hash_of(folder: Path, files: Sequence[str]) -> str:
    """Return 24 hex digits over the bytes of the files."""
    return hashlib.sha256("".join(file_hash(folder / name) for name in files).encode()).hexdigest()[:24]
