"""The third tier: what it saves, what the guard refuses, what it costs; and its engines side by side.

    python scripts/bench/rewrite.py tier --eval FOLDER [--sets hotpot,...] [--items N] [--preset deep] [--set KEY=VALUE]
    python scripts/bench/rewrite.py engines [--runs N]
    python scripts/bench/rewrite.py guard [PAIRS.jsonl ...]

tier     on the prose sets of the evaluation harness (``FOLDER`` holds ``bench.py`` and ``dev/``), at 5, 10 and 20 %:
         sentences tried, taken and refused by reason, tokens saved in what came out, seconds for 1,000 kept tokens
engines  torch fp32, ONNX Runtime fp32 and 8 bit on a checkpoint of flan-t5-small's true shape with random weights: 512
         pieces are read and 128 written, the end mark forbidden; needs the extras ``torch`` and ``export``
guard    how many corruptions are caught and how many honest shortenings pass, by kind, with a parser and without

Evidence recall comes from the harness: ``bench.py gliding_system:balanced,gliding_system:deep``.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
PROSE = ("xquad-en", "nq", "hotpot", "musique", "leval", "locomo", "qmsum")
FIELDS = ("text", "title", "role", "time", "turn")
READ, WRITE = 512, 128
SMALL = {  # google/flan-t5-small
    "architectures": ["T5ForConditionalGeneration"],
    "model_type": "t5",
    "vocab_size": 32128,
    "d_model": 512,
    "d_kv": 64,
    "d_ff": 1024,
    "num_layers": 8,
    "num_decoder_layers": 8,
    "num_heads": 6,
    "relative_attention_num_buckets": 32,
    "relative_attention_max_distance": 128,
    "feed_forward_proj": "gated-gelu",
    "layer_norm_epsilon": 1e-6,
    "tie_word_embeddings": False,
    "decoder_start_token_id": 0,
    "pad_token_id": 0,
    "eos_token_id": 1,
}


def tier(arguments: argparse.Namespace) -> None:
    """Run a preset over the prose sets and add up what its reports say of the third tier."""
    from gliding import Compressor

    sys.path.insert(0, str(arguments.eval))
    harness = __import__("bench")
    overrides = dict(pair.split("=", 1) for pair in arguments.set or [])
    made = Compressor.from_preset(arguments.preset, overrides=overrides, tokenizer="cl100k_base", cache=False)
    for warning in made.warnings:
        print(warning)
    print(f"{'set':<10} {'budget':>6} {'tried':>6} {'taken':>6} {'saved':>6} {'of out':>7} {'s/1k':>6}  refused")
    for name in arguments.sets.split(","):
        items = harness.order(harness.load(name, "dev"))[: arguments.items]
        for share in (0.05, 0.1, 0.2):
            done: Counter[str] = Counter()
            for item in items:
                source = [{f: s[f] for f in FIELDS if s.get(f) is not None} for s in item["segments"]]
                report = made.compress(source, query=item["query"], rate=share).report
                done.update(report.rewriting)
                done["out"] += report.tokens_out
                done["ms"] += round(1000 * report.seconds.get("rewrite", 0))
            refused = {key.removeprefix("refused: "): n for key, n in done.items() if key.startswith("refused")}
            out = max(1, done["out"])
            print(
                f"{name:<10} {share:>6} {done['tried']:>6} {done['taken']:>6} {done['saved']:>6} "
                f"{done['saved'] / out:>7.1%} {done['ms'] / out:>6.2f}  "
                + ", ".join(f"{kind} {n}" for kind, n in sorted(refused.items(), key=lambda pair: -pair[1]))
            )


def engines(arguments: argparse.Namespace) -> None:
    """Time each engine on the same random checkpoint; medians, the engines taking turns."""
    from gliding.backends.t5 import OnnxT5
    from gliding.backends.t5_graph import export
    from gliding.backends.t5_torch import TorchT5

    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "source")
        checkpoint(source)
        made: dict[str, Any] = {"torch fp32": TorchT5(source, device="cpu")}
        for bits in (32, 8):
            target = Path(folder, f"onnx-{bits}")
            started = perf_counter()
            export(source, target, bits=bits)
            size = sum(file.stat().st_size for file in target.iterdir()) / 1e6
            print(f"export at {bits} bit: {perf_counter() - started:.1f} s, {size:.0f} MB")
            made[f"ONNX {'fp32' if bits == 32 else '8 bit'}"] = OnnxT5(target)
        ids = np.random.default_rng(0).integers(3, SMALL["vocab_size"], READ).tolist()
        times: dict[str, list[tuple[float, float]]] = defaultdict(list)
        logits = {}
        for _ in range(arguments.runs + 1):
            for name, engine in made.items():
                times[name].append(written(engine, ids))
                logits[name] = first_logits(engine, ids)
        base = None
        heads = f"{f'read {READ}':>9} {f'write {WRITE}':>10} {'both':>7} {'ratio':>6}  cosine of logits"
        print(f"{'engine':<12} {heads}")
        for name, spent in times.items():
            read, write = (median(values) for values in zip(*spent[1:], strict=True))
            both = read + write
            base = base or both
            near = cosine(logits["torch fp32"], logits[name])
            print(f"{name:<12} {read:>8.2f}s {write:>9.2f}s {both:>6.2f}s {both / base:>6.2f}  {near:.6f}")


def checkpoint(folder: Path) -> None:
    """Write a checkpoint of flan-t5-small's shape with random weights, and a tokenizer of its size."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import T5Config, T5ForConditionalGeneration

    torch.manual_seed(0)
    model = T5ForConditionalGeneration(T5Config(**{k: v for k, v in SMALL.items() if k != "architectures"}))
    model.lm_head.weight = torch.nn.Parameter(torch.randn(SMALL["vocab_size"], SMALL["d_model"]) * 0.05)
    folder.mkdir()
    model.save_pretrained(folder, safe_serialization=True)
    (folder / "config.json").write_text(json.dumps(SMALL), encoding="utf-8")
    pieces = [("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0)]
    pieces += [(f"\u2581w{k}", -9.0) for k in range(SMALL["vocab_size"] - len(pieces))]
    tokenizer = Tokenizer(models.Unigram(pieces, unk_id=2, byte_fallback=False))
    tokenizer.pre_tokenizer, tokenizer.decoder = pre_tokenizers.Metaspace(), decoders.Metaspace()
    tokenizer.save(str(folder / "tokenizer.json"))


def written(engine: Any, ids: list[int]) -> tuple[float, float]:
    """Return the seconds of reading a text and of writing greedily after it."""
    started = perf_counter()
    state = engine.encode(ids)
    read = perf_counter() - started
    last = np.array([engine.start], np.int64)
    started = perf_counter()
    for _ in range(WRITE):
        logits, state = engine.step(state, last)
        logits = logits.copy()
        logits[:, engine.end] = -np.inf
        last = logits.argmax(1).astype(np.int64)
    return read, perf_counter() - started


def first_logits(engine: Any, ids: list[int]) -> Any:
    """Return the logits of the first step."""
    return engine.step(engine.encode(ids), np.array([engine.start], np.int64))[0][0]


def cosine(a: Any, b: Any) -> float:
    """Return the cosine of two vectors."""
    return float(a @ b / (np.linalg.norm(a) * np.linalg.norm(b)))


def guard(arguments: argparse.Namespace) -> None:
    """Try the guard on labelled pairs."""
    from gliding.backends.spacy import SpacyParser
    from gliding.tiers.guard import Guard

    files = arguments.pairs or sorted((ROOT / "tests" / "data").glob("guard_*.jsonl"))
    for file in files:
        pairs = [json.loads(line) for line in Path(file).read_text(encoding="utf-8").splitlines()]
        for name, parser in (("spaCy", SpacyParser()), ("no parser", None)):
            checker = Guard(parser)
            checker.check(["It is."], ["It is."])  # loads the pipeline
            started = perf_counter()
            refusals = checker.check([p["source"] for p in pairs], [p["rewrite"] for p in pairs])
            spent = perf_counter() - started
            right: dict[tuple[bool, str], list[bool]] = defaultdict(list)
            for pair, refusal in zip(pairs, refusals, strict=True):
                right[pair["honest"], pair["kind"]].append((refusal is None) == pair["honest"])
            for honest, label in ((False, "corruptions caught"), (True, "honest passed")):
                told = [ok for (kind, _), oks in right.items() if kind == honest for ok in oks]
                print(f"{Path(file).name}, {name}: {label} {sum(told)}/{len(told)} = {sum(told) / len(told):.1%}")
                if arguments.kinds:
                    for (kind, what), oks in sorted(right.items()):
                        if kind == honest:
                            print(f"    {what:<28} {sum(oks)}/{len(oks)}")
            print(f"    {1000 * spent / len(pairs):.1f} ms a pair")
            if arguments.misses:
                for pair, refusal in zip(pairs, refusals, strict=True):
                    if (refusal is None) != pair["honest"]:
                        print(f"  {pair['kind']}: {refusal}\n    {pair['source']}\n    {pair['rewrite']}")


def main() -> None:
    """Run one of the parts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parts = parser.add_subparsers(required=True)
    one = parts.add_parser("tier")
    one.add_argument("--eval", type=Path, required=True)
    one.add_argument("--sets", default=",".join(PROSE))
    one.add_argument("--items", type=int, default=20)
    one.add_argument("--preset", default="deep")
    one.add_argument("--set", action="append")
    one.set_defaults(run=tier)
    two = parts.add_parser("engines")
    two.add_argument("--runs", type=int, default=3)
    two.set_defaults(run=engines)
    three = parts.add_parser("guard")
    three.add_argument("pairs", nargs="*")
    three.add_argument("--kinds", action="store_true", help="a line for each kind")
    three.add_argument("--misses", action="store_true", help="show what was judged wrongly")
    three.set_defaults(run=guard)
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
