"""Mutate real-looking inputs of every kind, compress them, and stop at the first one for which a promise is broken.

    python scripts/fuzz.py --kind json --seconds 60
    python scripts/fuzz.py --inputs 2000                 # of every kind
    python scripts/fuzz.py --kind html --seconds 600 --engine atheris

The promises: nothing but a ``GlidingError`` comes out, the budget holds, exact pieces equal their source, pins come out
verbatim, a second run gives the same, what was valid stays valid, no network is used and no file is written. The plain
engine mutates the seeds in ``tests/data/seeds`` by random numbers that depend on ``--seed`` alone. Atheris looks at
which lines are reached; it is in no extra: ``pip install atheris`` (Linux, Python 3.11 to 3.13). ``--save FOLDER``
keeps the inputs that broke a promise.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))


def _instrumented() -> AbstractContextManager[Any]:
    """Let atheris see which lines of the package are reached, where it is asked for: it does so as modules load."""
    if not any("atheris" in argument for argument in sys.argv[1:]):
        return nullcontext()
    try:
        import atheris
    except ImportError:
        sys.exit("atheris is not installed. Run: pip install atheris")
    context: AbstractContextManager[Any] = atheris.instrument_imports(include=["gliding"])
    return context


with _instrumented():
    from gliding import Compressor, GlidingError, registry
    from gliding.assemble import whole_text
    from gliding.audit import structure
    from gliding.ingest.sources import read_bytes
    from gliding.segment.csv import is_csv
    from gliding.segment.messages import cut_messages
    from gliding.segment.toml import is_toml
    from gliding.segment.yaml import is_yaml
    from gliding.types import Document, Result

SEEDS = ROOT / "tests" / "data" / "seeds"
KINDS: dict[str, tuple[str, ...]] = {
    "prose": ("prose.txt",),
    "markdown": ("report.md",),
    "html": ("page.html",),
    "json": ("orders.json",),
    "jsonl": ("events.jsonl",),
    "messages": ("chat.json", "request.json"),
    "csv": ("parts.csv",),
    "tsv": ("parts.tsv",),
    "yaml": ("pump.yaml",),
    "toml": ("pump.toml",),
    "code": ("pump.py", "pump.js", "pump.c"),
    "log": ("service.log",),
    "diff": ("fix.diff",),
    "mail": ("thread.eml",),
    "zh": ("minutes.zh.txt",),
    "bytes": ("odd.txt", "minutes.zh.txt", "prose.txt", "orders.json", "page.html"),
}
ENCODINGS = (
    *("utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "latin-1", "cp1252", "gb18030", "shift_jis"),
    *("euc-kr", "koi8-r", "utf-7"),
)
QUERIES = ("", "why did the pump fail", "E-417", "密封件 费用", "((", "north " * 50)
RATES = (0.001, 0.03, 0.1, 0.3, 0.6, 0.9, 0.99, 1.0)
ODD: tuple[bytes, ...] = (
    *(b"\x00", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\r", b"\r\n", b"\n\n\n", b" " * 300, b"\t"),
    *(b"{", b"}", b"[", b"]", b'"', b"\\", b'\\"', b"\\u", b"\\ud83d", b",", b":", b"null", b"-", b"1e999", b"NaN"),
    *(b"<", b">", b"</p>", b"<!--", b"<table><tr><td>", b"&#x", b"]]>", b"<script>", b"```", b"~~~", b"| a | b |\n"),
    *(b"|---|---|\n", b"# ", b"- ", b"> ", b"](", b"---\n", b"'''", b'"""', b"#", b"def f():\n", b"return\n", b"@"),
    *(b"diff --git a/x b/x\n", b"@@ -1 +1 @@\n", b"From: a\n", b"--b1\n", b"On 1 May 2024, X wrote:\n", b"&a *a"),
    *("\u200d\u200b\ufeff\u202e".encode(), ("e" + "\u0301" * 50).encode(), "。！？".encode(), "👩‍🚒".encode()),
    *("\u2028\u2029\u0085".encode(), b"<|endoftext|>", b"%s%n", b"a" * 500, b"a " * 300, b"9" * 400),
)


class Broken(Exception):
    """A promise that was not kept."""


# --- what is tried ---


def seeds(kind: str) -> list[tuple[str, bytes]]:
    """Return the seeds of a kind, each with its file's name."""
    return [(name, (SEEDS / name).read_bytes()) for name in KINDS[kind]]


def mutated(data: bytes, chance: Random, other: bytes) -> bytes:
    """Return bytes with one to six changes: cut, copied, moved, flipped, odd ones put in, parts of another seed."""
    out = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 3, 6))):
        at = chance.randrange(len(out) + 1)
        size = min(chance.choice((1, 1, 2, 8, 60, 400)), len(out) - at)
        part = bytes(out[at : at + size])
        change = chance.randrange(9)
        if change == 0:
            del out[at : at + size]
        elif change == 1:
            out[at:at] = part * chance.choice((1, 2, 20))
        elif change == 2:
            out[at:at] = chance.choice(ODD) * chance.choice((1, 1, 1, 5, 60))
        elif change == 3 and at < len(out):
            out[at] ^= 1 << chance.randrange(8)
        elif change == 4:
            del out[at : at + size]
            to = chance.randrange(len(out) + 1)
            out[to:to] = part
        elif change == 5:
            begin = chance.randrange(len(other) + 1)
            out[at:at] = other[begin : begin + chance.choice((8, 80, 800))]
        elif change == 6:
            del out[at:]
        elif change == 7:
            lines = bytes(out).split(b"\n")
            chance.shuffle(lines)
            out = bytearray(b"\n".join(lines))
        else:
            out = bytearray(bytes(out).replace(b"\n", chance.choice((b"\r\n", b"\r", b" ", b"\n\n"))))
    return bytes(out[:20_000])


def drawn(kind: str, chance: Random, every: Sequence[bytes]) -> tuple[str, bytes]:
    """Return a file's name and its mutated bytes; one in twenty is the seed as it is."""
    name, data = chance.choice(seeds(kind))
    if kind == "bytes":
        data = data.decode().encode(chance.choice(ENCODINGS), "ignore")
    return name, data if chance.random() < 0.05 else mutated(data, chance, chance.choice(every))


# --- what must hold ---

_OUTSIDE = (
    "socket.",
    "subprocess.",
    "os.system",
    "os.exec",
    "os.remove",
    "os.mkdir",
    "os.link",
    "os.symlink",
    "urllib.",
)
_watched: list[str] = []
_watching = False


def _is_bytecode(path: object) -> bool:
    """Whether Python keeps a module there that is used for the first time."""
    return "__pycache__" in str(path)


def _audit_hook(event: str, args: tuple[Any, ...]) -> None:
    if not _watching:
        return
    if event == "open":
        outside = bool(args[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)) and not _is_bytecode(args[0])
    elif event == "os.rename":
        outside = not _is_bytecode(args[0])
    else:
        outside = event.startswith(_OUTSIDE)
    if outside:
        _watched.append(f"{event} {args!r}"[:200])


@contextmanager
def watched() -> Iterator[None]:
    """Raise ``Broken`` where the block opens a file to write, a socket or a process."""
    global _watching
    _watched.clear()
    _watching = True
    try:
        yield
    finally:
        _watching = False
    if _watched:
        raise Broken(f"it went outside: {_watched[0]}")


sys.addaudithook(_audit_hook)
EDGE = Compressor.from_preset("edge")
READERS = registry.readers(lambda message: None)


def check(name: str, data: bytes, chance: Random) -> str:
    """Compress bytes under a budget, a query and pins by chance, and return how it ended: ``kept`` or an error's name.

    Raises:
        Broken: A promise was not kept.
    """
    try:
        with watched():
            documents = read_bytes(data, name=name if chance.random() < 0.8 else "", readers=READERS)
    except GlidingError as error:
        return _fair(error)
    text = "".join(document.text for document in documents)
    tokenizer = chance.choice(("chars", "words", "o200k_base"))
    size = EDGE._counter(tokenizer).count([whole_text(documents)])[0]
    budget = max(1, int(chance.choice(RATES) * size))
    pins = _pins(text, chance) if chance.random() < 0.25 else ()
    query = chance.choice(QUERIES)

    def run() -> Result:
        with watched():
            return EDGE.compress(documents, query=query, max_tokens=budget, pins=pins, tokenizer=tokenizer)

    try:
        result = run()
    except GlidingError as error:
        return _fair(error)
    again = run()
    if (again.text, again.pieces, again.decisions) != (result.text, result.pieces, result.decisions):
        raise Broken("a second run gives something else")
    _hold(documents, result, budget, tokenizer, pins)
    return "kept"


def _pins(text: str, chance: Random) -> tuple[str, ...]:
    """One or two parts of a text that are not blank; a part that two documents share is no pin."""
    starts = [chance.randrange(len(text) + 1) for _ in range(chance.choice((1, 2)))]
    pins = [text[start : start + chance.choice((1, 5, 60))] for start in starts]
    return tuple(pin for pin in pins if pin.strip())


def _fair(error: GlidingError) -> str:
    if not error.message or not error.hint:
        raise Broken(f"{error!r} has no message or no hint")
    return type(error).__name__


def _hold(documents: Sequence[Document], result: Result, budget: int, tokenizer: str, pins: Sequence[str]) -> None:
    counted = EDGE._counter(tokenizer).count([result.text])[0]
    if counted > budget or counted != result.tokens:
        raise Broken(f"{counted} tokens, reported {result.tokens}, budget {budget}")
    end = 0
    for piece in result.pieces:
        if piece.output.start < end or result.text[slice(*piece.output)] != piece.text:
            raise Broken(f"the piece at {piece.output} is not where it says")
        end = piece.output.end
        if piece.exact:
            source = piece.sources[0]
            if documents[source.document].text[source.start : source.end] != piece.text:
                raise Broken(f"the exact piece at {piece.output} is not its source")
    for pin in pins:
        if pin not in result.text:
            raise Broken(f"the pin {pin!r} is gone")
    if len(documents) == 1 and not pins and not documents[0].title and (kind := _kind(documents[0])):
        faults = structure.broken(documents[0].text, result.text, kind) if result.text else ()
        if faults:
            raise Broken(f"{kind}: {faults[0]}")


def _kind(document: Document) -> str:
    """The kind that an output must stay valid for: what the text is after its mutations, not what its seed was."""
    text, found = document.text, structure.guess(document.text)
    if document.kind == "code":
        return "python" if found == "python" else ""
    if document.kind:
        return ""
    if found == "messages":  # by a looser rule: any role will do
        return "messages" if cut_messages(text, 0, max_chars=400) else "json"
    taken = {"csv": is_csv, "tsv": is_csv, "yaml": is_yaml, "toml": is_toml}
    return found if found in ("json", "jsonl") or (found in taken and taken[found](text)) else ""


# --- engines ---


def plain(
    kind: str, *, seed: int, inputs: int, seconds: float, failed: Callable[[str, bytes, Exception], None]
) -> Counter[str]:
    """Try mutated seeds of a kind until a number of inputs or of seconds is reached; return how they ended."""
    every = [data for names in KINDS.values() for data in ((SEEDS / name).read_bytes() for name in names)]
    ended: Counter[str] = Counter()
    started = time.monotonic()
    for number in range(inputs):
        if time.monotonic() - started > seconds:
            break
        chance = Random(f"{kind} {seed} {number}")
        name, data = drawn(kind, chance, every)
        begun = time.monotonic()
        try:
            ended[check(name, data, chance)] += 1
        except Exception as error:  # noqa: BLE001 - whatever comes out is what is looked for
            ended["BROKEN"] += 1
            failed(f"{kind} {seed} {number} {name}", data, error)
        spent = time.monotonic() - begun
        if spent > 5:
            ended["slow"] += 1
            print(f"slow: {kind} {seed} {number} {name}: {spent:.1f} s", flush=True)
    return ended


def by_atheris(kind: str, *, seconds: float, seed: int) -> None:
    """Hand over to atheris, which ends the process; the first broken promise is printed with its traceback."""
    import tempfile

    import atheris

    name = KINDS[kind][0]

    def one(data: bytes) -> None:
        check(name, data, Random(len(data)))

    with tempfile.TemporaryDirectory() as folder:
        for seed_name, data in seeds(kind):
            (Path(folder) / seed_name).write_bytes(data)
        atheris.Setup(
            [sys.argv[0], f"-max_total_time={int(seconds)}", f"-seed={seed + 1}", "-max_len=20000", folder], one
        )
        atheris.Fuzz()


def main() -> None:
    """Read the options and run."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kind", choices=[*KINDS, "all"], default="all")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="at most, for each kind")
    parser.add_argument("--inputs", type=int, help="at most, for each kind")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--engine", choices=("plain", "atheris"), default="plain")
    parser.add_argument("--save", type=Path, help="a folder for the inputs that break a promise")
    asked = parser.parse_args()
    if asked.inputs is None and asked.seconds == float("inf"):
        asked.inputs = 1_000
    if asked.engine == "atheris":
        if asked.kind == "all":
            sys.exit("atheris takes one kind: name it with --kind")
        by_atheris(asked.kind, seconds=min(asked.seconds, 10**6), seed=asked.seed)

    def failed(label: str, data: bytes, error: Exception) -> None:
        print(f"BROKEN {label}: {type(error).__name__}: {error}", flush=True)
        if asked.save:
            asked.save.mkdir(parents=True, exist_ok=True)
            (asked.save / label.replace(" ", "-")).write_bytes(data)

    broken = 0
    for kind in KINDS if asked.kind == "all" else (asked.kind,):
        started = time.monotonic()
        ended = plain(kind, seed=asked.seed, inputs=asked.inputs or 10**9, seconds=asked.seconds, failed=failed)
        tried = sum(count for how, count in ended.items() if how != "slow")
        told = ", ".join(f"{how} {count}" for how, count in sorted(ended.items()))
        print(f"{kind}: {tried} inputs in {time.monotonic() - started:.0f} s: {told}", flush=True)
        broken += ended["BROKEN"]
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
