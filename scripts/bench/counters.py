"""Compare token counters for o200k_base: exactness on odd text, load time, speed, pathological text, megabytes.

    python scripts/bench/counters.py [gliding|tiktoken|bpe-openai|tokenizers ...]

Each runs in a process of its own. ``tiktoken`` reads the shipped rank file with its own loader, ``gliding`` is our
counter over the same library, ``bpe-openai`` brings its own ranks, ``tokenizers`` stands for any ``tokenizer.json``
(the MiniLM one: its counts are another model's, so only speed and limits are compared). Nothing is downloaded.
"""

from __future__ import annotations

import importlib.metadata
import random
import resource
import subprocess
import sys
import time

from gliding import models
from gliding.backends import tokens

NAME = "o200k_base"
DISTRIBUTIONS = {"gliding": "tiktoken", "tiktoken": "tiktoken", "bpe-openai": "bpe-openai", "tokenizers": "tokenizers"}
SENTENCE = (
    "the plant in Oslo was sold for 25.4 million, see section 3.2(b) and order KR-2291-B; it holds, unless noted. "
)
ODD = {
    "emoji": "👩‍👩‍👧‍👦 👍🏽 🇳🇴",
    "marks": "cafe\u0301 \u0301\u0302",
    "rtl": "שלום עולם مرحبا",
    "cjk": "中文没有空格。日本語",
    "nul": "a\x00b",
    "special": "<|endoftext|>",
    "surrogate": "a\ud800b \ud83d\ude00",
    "blanks": " \n \t\u3000 x\x85\u00a0y  \n",
}
HARD = {
    "1 MB of a": "a" * 10**6,
    "5 MB line": "".join(random.Random(1).choices("abcdefghijklmnopqrstuvwxyz0123456789", k=5 * 10**6)),
    "1 MB spaces": " " * 10**6,
    "1.5 MB spaces, word": " " * 1_500_000 + "a",
    "1 MB newlines": "\n" * 10**6,
}


def make(name):
    """Return the ``count(texts)`` function of a counter, ready to be called."""
    if name == "gliding":
        return tokens.TiktokenCounter(NAME).count
    if name == "tiktoken":
        from tiktoken import Encoding
        from tiktoken.load import load_tiktoken_bpe

        ranks = load_tiktoken_bpe(str(models.find(NAME) / f"{NAME}.tiktoken"))
        encode = Encoding(
            NAME, pat_str=tokens._PATTERNS[NAME], mergeable_ranks=ranks, special_tokens={}
        ).encode_ordinary
        return lambda texts: [len(encode(text)) for text in texts]
    if name == "bpe-openai":
        import bpe_openai._bindings

        bpe = bpe_openai._bindings.tokenizer_for_encoding(NAME)
        return lambda texts: [bpe.count(text) for text in texts]
    return tokens.TokenizerJsonCounter(models.find("minilm-l6-v2")).count


def timed(function, *arguments):
    """Return a result, or the name of what was raised, and seconds."""
    started = time.perf_counter()
    try:
        result = function(*arguments)
    except BaseException as error:  # noqa: BLE001 - a Rust panic is no Exception, and what is raised is the finding
        result = type(error).__name__
    return result, time.perf_counter() - started


def measure(name):
    """Print the rows of one counter."""
    count, load = timed(make, name)
    _, first = timed(count, ["a"])
    size = sum(
        path.locate().stat().st_size for path in importlib.metadata.files(DISTRIBUTIONS[name]) if path.locate().exists()
    )
    print(f"\n{name}: {size / 1e6:.0f} MB installed, load and first count {load + first:.2f} s")
    words = SENTENCE.split()
    choose = random.Random(0)
    short = [" ".join(choose.choices(words, k=25)) for _ in range(5000)]
    for label, texts in (("5,000 short texts", short), ("one text of the same", [" ".join(short)])):
        counts, seconds = min((timed(count, texts) for _ in range(3)), key=lambda pair: pair[1])
        print(f"  {label}: {seconds * 1000:.0f} ms, {sum(counts) / seconds / 1e6:.2f} M tokens/s")
    if name == "tiktoken":
        encode = tokens._encoding(NAME, tokens._PATTERNS[NAME])
        _, seconds = min((timed(encode.encode_ordinary_batch, short) for _ in range(3)), key=lambda pair: pair[1])
        print(f"  5,000 short texts by its own thread pool: {seconds * 1000:.0f} ms")
    print("  odd:", {label: timed(count, [text])[0] for label, text in ODD.items()})
    for label, text in HARD.items():
        result, seconds = timed(count, [text])
        print(f"  {label}: {result} in {seconds:.2f} s")
    print(f"  peak {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    if len(sys.argv) == 2:
        measure(sys.argv[1])
    else:
        for each in sys.argv[1:] or DISTRIBUTIONS:
            subprocess.run([sys.executable, __file__, each], check=False)
