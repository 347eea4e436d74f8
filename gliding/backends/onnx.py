"""Sentence vectors with ONNX Runtime, from a folder with ``model.onnx`` and ``tokenizer.json``."""

from __future__ import annotations

import hashlib
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gliding.backends.caching import NullCache
from gliding.backends.extras import installed_version, require, require_installed
from gliding.backends.session import cores, open_session
from gliding.backends.vectors import CHARACTERS, MARKERS, cached_vectors
from gliding.errors import ModelError, ModelNotAvailable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gliding.protocols import Cache, Float32


class OnnxEmbedder:
    """Encodes texts as unit vectors (an ``Embedder``). The model is loaded at the first text; threads may share it.

    Every text runs alone, on one thread, so a vector never depends on its batch: in a batch ONNX Runtime rounds the
    last bit another way, and one text of some thirty pieces keeps a core as busy as many. Two cores run two texts at a
    time.

    Args:
        model_dir: Folder with ``model.onnx`` (ids and mask in, unit vectors out) and ``tokenizer.json``.
        threads: Texts at a time; 0 means as many as there are cores.
        dim: Components of a vector.
        fingerprint: Names the model's bytes (``Manifest.fingerprint``); empty: the files are hashed.
        cache: Where vectors are kept, by text.

    Raises:
        MissingExtra: ``onnxruntime`` or ``tokenizers`` is not installed.
        ModelNotAvailable: a file is missing in the folder.
    """

    def __init__(
        self,
        model_dir: Path,
        *,
        threads: int = 0,
        dim: int = 384,
        fingerprint: str = "",
        cache: Cache | None = None,
    ) -> None:
        require_installed("onnxruntime", "tokenizers", extra="onnx")
        self.dim = dim
        self._model, self._tokens = model_dir / "model.onnx", model_dir / "tokenizer.json"
        for path in (self._model, self._tokens):
            if not path.is_file():
                raise ModelNotAvailable(f"{path} is missing.", hint="Run: gliding doctor")
        self._threads = threads or cores()
        # the runtime's versions may differ in the last bit of a vector
        self.fingerprint = f"{fingerprint or self._hash()}/onnxruntime-{installed_version('onnxruntime')}"
        self._cache: Cache = cache if cache is not None else NullCache()
        self._loading = threading.Lock()
        self._loaded: tuple[Any, Any] | None = None

    def embed(self, texts: Sequence[str], *, max_pieces: int = 256) -> Float32:
        """Return ``(len(texts), dim) float32`` unit vectors; each text is read to at most ``max_pieces`` word pieces.

        The two markers that the model wants count as pieces. A text without any word piece gets zeros: near to nothing.

        Raises:
            InputError: ``max_pieces`` is outside [3, 512].
            ModelError: the model's file cannot be loaded or gives vectors of another length.
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
        session, tokenizer = self._load()

        def encode(text: str) -> bytes:
            ids: list[int] = tokenizer.encode(text[: max_pieces * CHARACTERS]).ids
            if len(ids) <= MARKERS:
                return bytes(4 * self.dim)
            if len(ids) > max_pieces:
                ids = [*ids[: max_pieces - 1], ids[-1]]
            pieces = np.array([ids], dtype=np.int64)
            (vectors,) = session.run(None, {"input_ids": pieces, "attention_mask": np.ones_like(pieces)})
            return bytes(vectors.astype("<f4").tobytes())

        if self._threads == 1 or len(texts) == 1:
            return [encode(text) for text in texts]
        with ThreadPoolExecutor(min(self._threads, len(texts))) as pool:
            return list(pool.map(encode, texts))

    def _hash(self) -> str:
        return hashlib.sha256(self._model.read_bytes() + self._tokens.read_bytes()).hexdigest()[:24]

    def _load(self) -> tuple[Any, Any]:
        with self._loading:
            if self._loaded is None:
                tokenizer = require("tokenizers", extra="onnx").Tokenizer.from_file(str(self._tokens))
                # the file pads every text to 128 pieces; its way of cutting is one setting for all threads
                tokenizer.no_padding()
                tokenizer.no_truncation()
                self._loaded = self._session(), tokenizer
            return self._loaded

    def _session(self) -> Any:
        session = open_session(self._model)
        if (dim := session.get_outputs()[0].shape[-1]) != self.dim:
            raise ModelError(f"{self._model} gives vectors of {dim} components, not {self.dim}.")
        return session
