"""Token counters: tiktoken with the shipped rank files, any ``tokenizer.json``, characters, words. Downloads nothing.

All are exact, safe to use from several threads, and load nothing before their first count (a ``tokenizer.json`` is
read when its counter is made, so that a bad file is an error there). Special tokens are off: ``<|endoftext|>`` in a
text is ordinary text for tiktoken. A ``tokenizer.json`` decides that for itself, and its decision is kept, since the
budget is the target model's. A lone surrogate counts as U+FFFD, which is what it becomes in any encoding.
"""

from __future__ import annotations

import re
from binascii import a2b_base64
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from gliding import models
from gliding.errors import ConfigError, MissingExtra, UnknownComponent
from gliding.protocols import TokenCounter

if TYPE_CHECKING:
    from tiktoken import Encoding
    from tokenizers import Tokenizer

# The patterns that cut a text into the pieces which byte pairs are then merged in, as OpenAI publishes them.
_UPPER, _LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
_SUFFIX = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
_PATTERNS = {
    "cl100k_base": (
        r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"
        r"|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
    ),
    "o200k_base": (
        rf"[^\r\n\p{{L}}\p{{N}}]?{_UPPER}*{_LOWER}+{_SUFFIX}|[^\r\n\p{{L}}\p{{N}}]?{_UPPER}+{_LOWER}*{_SUFFIX}"
        r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
    ),
}
_SPACES_ONLY = r"\s+"
NAMES = (*sorted(_PATTERNS), "chars", "words")

# White space of Unicode but for the line ends: str.isspace and \s of ``re`` hold more (U+001C to U+001F).
_BLANKS = "\\t\\x0b\\x0c \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000"
_LONG = 100_000
# The look-behind keeps the search linear: a run is tried at its first character only.
_LONG_BLANK = re.compile(f"(?<![{_BLANKS}])[{_BLANKS}]{{{_LONG},}}(?![{_BLANKS}\\r\\n])")

_encodings: dict[tuple[str, str], Encoding] = {}
_lock = Lock()


class TiktokenCounter:
    """Counts as tiktoken's ``o200k_base`` or ``cl100k_base`` does, from the rank file that comes with the package.

    Args:
        name: ``o200k_base`` or ``cl100k_base``.

    Raises:
        UnknownComponent: no such encoding, with the nearest name.
    """

    def __init__(self, name: str) -> None:
        if name not in _PATTERNS:
            raise _unknown(name, sorted(_PATTERNS))
        self.name = name

    def count(self, texts: Sequence[str]) -> list[int]:
        """Return the number of tokens of each text, each counted alone.

        Raises:
            MissingExtra: tiktoken is not installed.
            ModelNotAvailable: the rank file is not found.
            ModelCorrupt: the rank file has another hash than its manifest states.
        """
        # A plain loop: tiktoken's own batch call uses threads and is slower (scripts/bench/counters.py).
        encode = _encoding(self.name, _PATTERNS[self.name]).encode_ordinary
        return [len(encode(text)) if len(text) < _LONG else self._count_long(text) for text in texts]

    def _count_long(self, text: str) -> int:
        r"""Count a text that may have a run of blanks too long for the pattern's ``\s+(?!\S)`` (about a million).

        A run without a line end in it or right after it always starts a piece, whatever stands before, and that piece
        goes to the last blank but one before a word, or to the end of the text. Cutting there leaves the count exact.
        """
        encode = _encoding(self.name, _PATTERNS[self.name]).encode_ordinary
        total = start = 0
        for run in _LONG_BLANK.finditer(text):
            last = run.end() == len(text)
            if last and self.name == "cl100k_base":
                break  # its \s++$ takes the run together with line ends before it, and takes any length
            end = run.end() if last else run.end() - 1
            blanks = _encoding(self.name, _SPACES_ONLY).encode_ordinary(text[run.start() : end])
            total += len(encode(text[start : run.start()])) + len(blanks)
            start = end
        return total + len(encode(text[start:]))


class TokenizerJsonCounter:
    """Counts as the model does whose ``tokenizer.json`` is given: no special tokens around it, no cut, no padding.

    Args:
        path: A ``tokenizer.json``, or a folder that holds one.

    Raises:
        MissingExtra: tokenizers is not installed.
        ConfigError: the file is not there or not a tokenizer.
    """

    _BATCH = 512  # an encoding takes memory for each token until the batch is counted

    def __init__(self, path: str | Path) -> None:
        self.name = str(path)
        self._tokenizer = _read_tokenizer(Path(path).expanduser())

    def count(self, texts: Sequence[str]) -> list[int]:
        """Return the number of tokens of each text, each counted alone."""
        counts: list[int] = []
        for start in range(0, len(texts), self._BATCH):
            batch = [_encodable(text) for text in texts[start : start + self._BATCH]]
            counts.extend(map(len, self._tokenizer.encode_batch_fast(batch, add_special_tokens=False)))
        return counts


class CharCounter:
    """Counts characters (Unicode code points).

    >>> CharCounter().count(["", "né"])
    [0, 2]
    """

    name = "chars"

    def count(self, texts: Sequence[str]) -> list[int]:
        """Return the number of characters of each text."""
        return [len(text) for text in texts]


class WordCounter:
    """Counts words: runs of characters that are not white space.

    >>> WordCounter().count(["", " two  words "])
    [0, 2]
    """

    name = "words"

    def count(self, texts: Sequence[str]) -> list[int]:
        """Return the number of words of each text."""
        return [len(text.split()) for text in texts]


def load(spec: str) -> TokenCounter:
    """Return the counter of a name (``o200k_base``, ``cl100k_base``, ``chars``, ``words``) or of a tokenizer's path.

    What ends in ``.json`` or has a folder in it is a path; so is the name of a folder that holds a ``tokenizer.json``.

    Raises:
        UnknownComponent: neither a name nor a path, with the nearest name.
        ConfigError: the file is not there or not a tokenizer.
        MissingExtra: a path is given and tokenizers is not installed.

    >>> load("words").count(["one two"])
    [2]
    """
    if spec in _PATTERNS:
        return TiktokenCounter(spec)
    if spec == "chars":
        return CharCounter()
    if spec == "words":
        return WordCounter()
    path = Path(spec).expanduser()
    if path.suffix == ".json" or path.name != spec or (path / "tokenizer.json").is_file():
        return TokenizerJsonCounter(spec)
    raise _unknown(spec, NAMES)


def _unknown(name: str, known: Sequence[str]) -> UnknownComponent:
    near = get_close_matches(name, known, n=1)
    guess = f" Did you mean {near[0]!r}?" if near else ""
    return UnknownComponent(
        f"No tokenizer is named {name!r}.{guess}",
        hint=f"Known: {', '.join(known)}, or the path of a tokenizer.json.",
    )


def _encoding(name: str, pattern: str) -> Encoding:
    """Return the encoding, built once in a process: the shipped ranks are the same for all counters."""
    found = _encodings.get((name, pattern))
    if found is not None:
        return found
    try:
        from tiktoken import Encoding
    except ImportError as error:
        raise MissingExtra("Counting tokens needs tiktoken.", hint="Run: pip install tiktoken") from error
    with _lock:
        if (name, pattern) not in _encodings:
            _encodings[name, pattern] = Encoding(name, pat_str=pattern, mergeable_ranks=_ranks(name), special_tokens={})
        return _encodings[name, pattern]


def _ranks(name: str) -> dict[bytes, int]:
    """Read a rank file: lines of a token in base64 and its rank, which is the line's number in both files.

    The hash is checked first, so nothing is left to check in the lines, and a third of tiktoken's own time is enough.
    """
    data = (models.verify(name) / f"{name}.tiktoken").read_bytes()
    tokens = data.split()[::2]
    return dict(zip(map(a2b_base64, tokens), range(len(tokens)), strict=True))


def _read_tokenizer(path: Path) -> Tokenizer:
    if path.is_dir():
        path = path / "tokenizer.json"
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ConfigError(
            f"The tokenizer {str(path)!r} cannot be read: {error.strerror}.", hint="Give the path of a tokenizer.json."
        ) from error
    try:
        from tokenizers import Tokenizer
    except ImportError as error:
        raise MissingExtra(
            f"Counting with {path.name} needs tokenizers.", hint="Run: pip install 'gliding[onnx]'"
        ) from error
    try:
        tokenizer = Tokenizer.from_buffer(data)
    except Exception as error:  # the library raises nothing more precise
        raise ConfigError(
            f"{str(path)!r} is not a tokenizer: {error}.", hint="Give a tokenizer.json as Hugging Face models have it."
        ) from error
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def _encodable(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
