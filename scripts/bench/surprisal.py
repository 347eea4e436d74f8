"""Does a small language model's surprisal tell which words inside kept sentences can go? An experiment.

    pip install gguf accelerate
    python scripts/bench/surprisal.py build --gguf FOLDER/SmolLM2-135M-Instruct.Q4_1.gguf --out MODELS
    python scripts/bench/surprisal.py run --eval DIR --model MODELS/int8.onnx --out FILE [--sets a,b] [--limit N]
    python scripts/bench/surprisal.py report FILE ...

``DIR`` holds the evaluation harness (``bench.py``, ``dev/``). ``edge`` keeps sentences for 1.15, 1.3 or 1.5 times the
target; words go until the text fits, never a fact, a name or a word of the query (``phrases`` spares only the last,
since hardly a phrase holds none of the others). Which go first:

words     least surprisal, summed over the word's pieces (as Selective Context does it, Li et al. 2023)
phrases   whole stretches between punctuation, least mean surprisal first; those with a fact or a name last
frequent  control, no model: the words that the input has most often
random    control: by a hash of the place

Beside them ``edge`` at the target, and ``rules``: the rule trimmer on all that ``edge`` keeps, from the largest budget
whose trimmed text fits. Where an output does not get down to the target, ``edge``'s own is scored and counted as such.
EV (evidence, by word trigrams) punishes every gap, so EW, the share of the evidence's content words in the output,
stands beside it; AR is answer retention.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from itertools import zip_longest
from pathlib import Path
from statistics import fmean, stdev
from time import perf_counter, process_time
from typing import Any

import numpy as np

from gliding import Compressor
from gliding.facts import find
from gliding.text.words import STOP_WORDS, terms
from gliding.tiers.trim import RuleTrimmer
from gliding.types import Piece, Result

PROSE = "xquad-en,nq,hotpot,qmsum,leval,locomo"
FACTORS = (1.5, 1.3, 1.15)  # the widest first: its text is the context in which all words are scored
WINDOW, OVERLAP = 512, 64
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_PHRASE = re.compile(r"[^,;:.!?()\n]+[,;:.!?)]*\s*")
_LAST = 1e6
_FIELDS = ("text", "title", "role", "time", "turn")

Place = tuple[int, int]
"""A document's number and the character at which a word starts in it."""


class Surprisal:
    """SmolLM2's surprisal in nats, on one thread of ONNX Runtime."""

    def __init__(self, model: Path) -> None:
        import onnxruntime
        from tokenizers import Tokenizer

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
        self._tokenizer = Tokenizer.from_file(str(model.parent / "tokenizer.json"))
        self._start = self._tokenizer.token_to_id("<|endoftext|>")
        self.tokens = 0
        self.seconds = 0.0

    def of_words(self, text: str) -> dict[int, float]:
        """Return the start of each word of a text with its surprisal, the sum over its pieces."""
        started = process_time()
        encoding = self._tokenizer.encode(text)
        ids, owner = encoding.ids, np.full(len(text) + 1, -1)
        for word in _WORD.finditer(text):
            owner[word.start() : word.end()] = word.start()
        total: dict[int, float] = defaultdict(float)
        step = WINDOW - OVERLAP
        for low in range(0, len(ids), step):
            before = max(0, low - OVERLAP)
            window = np.array([[self._start, *ids[before : low + step]]], dtype=np.int64)
            logprob = self._session.run(None, {"input_ids": window})[0][0]
            self.tokens += window.shape[1]
            for at, value in enumerate(logprob[low - before :], low):
                word_start = int(owner[encoding.offsets[at][1] - 1])  # a piece may begin with the space before its word
                if word_start >= 0:
                    total[word_start] -= float(value)
        self.seconds += process_time() - started
        return total


@dataclass(slots=True)
class Item:
    """One item of a set: its query, its source for Gliding, and what is known of its words."""

    query: str
    source: list[dict[str, Any]]
    asked: frozenset[str]
    counts: Counter[str]
    surprisal: dict[Place, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Cut:
    """A stretch that may go: the piece that it is in, its characters, and its place among what goes (least first)."""

    piece: int
    start: int
    end: int
    rank: float


def words_of(piece: Piece) -> Iterator[tuple[re.Match[str], Place]]:
    """Yield the words of an exact piece with their places in the source."""
    span = piece.sources[0]
    for word in _WORD.finditer(piece.text):
        yield word, (span.document, span.start + word.start())


def learn(model: Surprisal, item: Item, result: Result) -> None:
    """Score the words that have no surprisal yet: at first the whole text, later the few pieces that are new."""
    exact = [piece for piece in result.pieces if piece.exact]
    new = [piece for piece in exact if any(place not in item.surprisal for _, place in words_of(piece))]
    if not new:
        return
    fresh = len(new) == len(exact)
    text = result.text if fresh else "\n".join(piece.text for piece in new)
    found = model.of_words(text)
    at = 0
    for piece in new:
        shift = piece.output.start if fresh else at
        for word, place in words_of(piece):
            item.surprisal[place] = found.get(shift + word.start(), float("inf"))
        at += len(piece.text) + 1


def free_words(item: Item, piece: Piece) -> list[tuple[re.Match[str], Place]]:
    """The words of a piece that may go: no fact, no name, no word of the query."""
    held = {k for fact in find(piece.text) for k in range(*fact.span)}
    return [
        (word, place)
        for word, place in words_of(piece)
        if not held.intersection(range(*word.span()))
        and not (word[0][0].isupper() and word[0].lower() not in STOP_WORDS)
        and item.asked.isdisjoint(terms(word[0]))
    ]


def word_cuts(item: Item, result: Result, rank: Callable[[str, Place], float]) -> list[Cut]:
    """Every word that may go."""
    return [
        Cut(k, *word.span(), rank(word[0], place))
        for k, piece in enumerate(result.pieces)
        if piece.exact
        for word, place in free_words(item, piece)
    ]


def phrase_cuts(item: Item, result: Result) -> list[Cut]:
    """Every phrase without a word of the query; one that holds a fact or a name goes after all that hold none."""
    cuts = []
    for k, piece in enumerate(result.pieces):
        if not piece.exact:
            continue
        free = {place for _, place in free_words(item, piece)}
        words = [(word.start(), place) for word, place in words_of(piece)]
        for phrase in _PHRASE.finditer(piece.text):
            places = [place for at, place in words if phrase.start() <= at < phrase.end()]
            if places and item.asked.isdisjoint(terms(phrase[0])):
                last = _LAST * (not free.issuperset(places))
                cuts.append(Cut(k, *phrase.span(), last + fmean(item.surprisal[place] for place in places)))
    return cuts


def without(result: Result, cuts: Sequence[Cut]) -> str:
    """The text of a result without some stretches of its pieces; what joined the pieces stays."""
    gone: dict[int, list[Cut]] = defaultdict(list)
    for cut in cuts:
        gone[cut.piece].append(cut)

    def shorter(k: int, text: str) -> str:
        for cut in sorted(gone[k], key=lambda cut: -cut.start):
            text = text[: cut.start].rstrip(" ") + " " + text[cut.end :].lstrip(" ")
        text = re.sub(r" +(?=[,;:.!?)])|(?<=\() +", "", text.strip(" "))
        return re.sub(r"[,;:]+(?=[,;:.!?])", "", text)

    return rebuilt(result, lambda k, piece: shorter(k, piece.text) if gone[k] else piece.text)


def rebuilt(result: Result, text: Callable[[int, Piece], str]) -> str:
    """The text of a result with other text for its pieces."""
    parts: list[str] = []
    at = 0
    for k, piece in enumerate(result.pieces):
        parts += (result.text[at : piece.output.start], text(k, piece))
        at = piece.output.end
    return "".join((*parts, result.text[at:]))


def fitted(result: Result, cuts: list[Cut], target: int, count: Callable[[str], int]) -> str | None:
    """Drop the fewest stretches, least rank first, so that the text fits; None where not even all of them do."""
    cuts = sorted(cuts, key=lambda cut: (cut.rank, cut.piece, cut.start))
    low, high = 0, len(cuts)
    if count(without(result, cuts)) > target:
        return None
    while low < high:
        middle = (low + high) // 2
        if count(without(result, cuts[:middle])) <= target:
            high = middle
        else:
            low = middle + 1
    text = without(result, cuts[:high])
    return text if count(text) <= target else None  # tokens are not quite monotone


def outputs(
    item: Item, target: int, keep: Callable[[int], Result], count: Callable[[str], int], model: Surprisal
) -> Iterator[tuple[str, str | None]]:
    """Yield each system's name and its output for a target, None where it does not get down to it."""
    yield "edge", keep(target).text
    trim = RuleTrimmer()

    def trimmed(budget: int) -> str:
        result = keep(budget)
        texts = trim.trim([piece.text for piece in result.pieces])
        return rebuilt(result, lambda k, piece: piece.text if piece.action == "header" else texts[k])

    wider = (trimmed(int(target * (1 + share / 100))) for share in range(8, -1, -1))
    yield "rules", next((text for text in wider if count(text) <= target), None)
    for factor in FACTORS:
        result = keep(int(target * factor))
        learn(model, item, result)
        kinds = {
            "words": word_cuts(item, result, lambda _, place: item.surprisal[place]),
            "phrases": phrase_cuts(item, result),
            "frequent": word_cuts(item, result, lambda word, _: -item.counts[word.lower()]),
            "random": word_cuts(item, result, lambda _, place: zlib.crc32(repr(place).encode())),
        }
        for name, cuts in kinds.items():
            yield f"{name} {factor}", fitted(result, cuts, target, count)


def evidence_words(record: dict[str, Any], text: str, bench: Any) -> float | None:
    """Mean share of the content words of each evidence string that the output has; None where there is none."""
    said = set(bench.norm(text).split())
    wanted = [set(bench.norm(evidence).split()) - bench._STOP for evidence in record.get("evidence_text") or ()]
    shares = [len(words & said) / len(words) for words in wanted if words]
    return fmean(shares) if shares else None


def run(args: argparse.Namespace) -> None:
    """Run all systems; write every output with its scores, one JSON object a line, and the speed to stderr."""
    sys.path.insert(0, str(args.eval))
    bench = import_module("bench")
    compressor = Compressor.from_preset("edge", tokenizer="cl100k_base")
    model = Surprisal(args.model)
    budgets = sorted((float(budget) for budget in args.budgets.split(",")), reverse=True)
    edge_tokens, edge_seconds, began = 0, 0.0, perf_counter()
    queues = {name: iter(bench.order(bench.load(name))[: args.limit]) for name in args.sets.split(",")}
    with args.out.open("w", encoding="utf-8") as lines:
        # one item of each set in turn: a run that the clock ends is balanced
        turns = (pair for group in zip_longest(*queues.values()) for pair in zip(queues, group, strict=True))
        for name, record in turns:
            if record is None or perf_counter() - began > 60 * args.minutes:
                continue
            tokens, whole = bench.info(record)
            item = item_of(record, bench.render(record["segments"]))

            @cache
            def keep(budget: int, item: Item = item) -> Result:
                return compressor.compress(item.source, query=item.query, max_tokens=budget)

            keep(int(tokens * budgets[-1]))  # what is loaded once
            started = process_time()
            widest = keep(int(tokens * budgets[0] * FACTORS[0]))
            edge_seconds += process_time() - started
            edge_tokens += tokens
            learn(model, item, widest)
            for budget in budgets:
                plain = ""
                for system, text in outputs(item, int(tokens * budget), keep, bench.count_tokens, model):
                    plain = plain or text or ""
                    shown = plain if text is None else text
                    values = {"set": name, "id": record["id"], "budget": budget, "system": system}
                    values |= bench.score(record, shown, whole) | {"fell": text is None, "text": shown}
                    values["EW"] = evidence_words(record, shown, bench)
                    lines.write(json.dumps(values, ensure_ascii=False) + "\n")
            lines.flush()
    print(
        f"CPU: model {model.tokens} tokens in {model.seconds:.1f} s, {model.tokens / model.seconds:.0f} a second; "
        f"edge {edge_tokens} tokens of input in {edge_seconds:.2f} s, {edge_tokens / edge_seconds:.0f} a second",
        file=sys.stderr,
    )


def item_of(record: dict[str, Any], whole: str) -> Item:
    """One item of the harness as this experiment sees it."""
    source = [{key: part[key] for key in _FIELDS if part.get(key) is not None} for part in record["segments"]]
    counts = Counter(word[0].lower() for word in _WORD.finditer(whole))
    return Item(record["query"], source, frozenset(terms(record["query"])), counts)


def report(args: argparse.Namespace) -> None:
    """Print means over sets, and the mean paired difference to edge over items with its standard error."""
    rows: dict[tuple[float, str], list[dict[str, Any]]] = defaultdict(list)
    for file in args.files:
        for line in file.read_text(encoding="utf-8").split("\n"):
            if line:
                values = json.loads(line)
                rows[values["budget"], values["system"]].append(values)
    print("| budget | system | EV | EW | AR | EV - edge | EW - edge | AR - edge | not down to target |")
    print("|---|---|---|---|---|---|---|---|---|")
    for (budget, system), group in rows.items():
        cells = [f"{budget:g}", system, *(f"{mean_of_sets(group, metric):.1f}" for metric in ("EV", "EW", "AR"))]
        for metric in ("EV", "EW", "AR"):
            pairs = zip(group, rows[budget, "edge"], strict=True)
            gaps = [100 * (a[metric] - b[metric]) for a, b in pairs if a.get(metric) is not None]
            error = stdev(gaps) / len(gaps) ** 0.5 if len(gaps) > 1 else 0.0
            cells.append(f"{fmean(gaps):+.1f} ± {error:.1f}")
        cells.append(f"{100 * fmean(values['fell'] for values in group):.0f} %")
        print("| " + " | ".join(cells) + " |")
    names = list(dict.fromkeys(values["set"] for group in rows.values() for values in group))
    for metric in ("EV", "EW", "AR"):
        print(f"\n| {metric} | " + " | ".join(names) + " |\n|" + "---|" * (len(names) + 1))
        for (budget, system), group in rows.items():
            means = [mean_of_sets([v for v in group if v["set"] == name], metric) for name in names]
            print(f"| {budget:g} {system} | " + " | ".join(f"{mean:.0f}" for mean in means) + " |")


def mean_of_sets(group: Sequence[dict[str, Any]], metric: str) -> float:
    """Mean over the sets of a metric's mean, in percent; a set without it does not count."""
    by_set: dict[str, list[float]] = defaultdict(list)
    for values in group:
        if values.get(metric) is not None:
            by_set[values["set"]].append(100 * values[metric])
    return fmean(map(fmean, by_set.values())) if by_set else float("nan")


def build(args: argparse.Namespace) -> None:
    """Turn a GGUF checkpoint into ONNX files that give each token's log-probability: fp32.onnx and int8.onnx."""
    import torch
    from onnxruntime.quantization import QuantType, quantize_dynamic
    from transformers import AutoModelForCausalLM, AutoTokenizer

    folder, name = str(args.gguf.parent), args.gguf.name
    tokenizer = AutoTokenizer.from_pretrained(folder, gguf_file=name)
    language_model = AutoModelForCausalLM.from_pretrained(
        folder, gguf_file=name, dtype=torch.float32, attn_implementation="eager"
    )
    language_model.eval()  # type: ignore[no-untyped-call, unused-ignore]

    class LogProb(torch.nn.Module):  # type: ignore[misc, unused-ignore]
        def __init__(self) -> None:
            super().__init__()
            self.inner = language_model

        def forward(self, input_ids: Any) -> Any:
            logits = self.inner(input_ids=input_ids, use_cache=False).logits[:, :-1]
            return torch.log_softmax(logits, -1).gather(-1, input_ids[:, 1:, None])[..., 0]

    args.out.mkdir(parents=True, exist_ok=True)
    tokenizer.backend_tokenizer.save(str(args.out / "tokenizer.json"))
    example = tokenizer("The pump in the north hall failed at noon.", return_tensors="pt").input_ids
    shapes = ({0: torch.export.Dim("batch"), 1: torch.export.Dim("length", min=2)},)
    full = args.out / "fp32.onnx"
    torch.onnx.export(
        LogProb().eval(),
        (example,),
        str(full),
        input_names=["input_ids"],
        output_names=["logprob"],
        dynamo=True,
        external_data=False,
        dynamic_shapes=shapes,
    )
    # Without VNNI a product of full 8-bit ranges overflows its 16 bits: the log-probabilities are then noise.
    quantize_dynamic(full, args.out / "int8.onnx", weight_type=QuantType.QInt8, per_channel=True, reduce_range=True)


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    make = commands.add_parser("build")
    make.add_argument("--gguf", type=Path, required=True)
    make.add_argument("--out", type=Path, required=True)
    make.set_defaults(call=build)
    measure = commands.add_parser("run")
    measure.add_argument("--eval", type=Path, required=True)
    measure.add_argument("--model", type=Path, required=True, help="tokenizer.json lies beside it")
    measure.add_argument("--sets", default=PROSE)
    measure.add_argument("--budgets", default=".05,.1")
    measure.add_argument("--limit", type=int, default=15)
    measure.add_argument("--minutes", type=float, default=60.0)
    measure.add_argument("--out", type=Path, required=True)
    measure.set_defaults(call=run)
    show = commands.add_parser("report")
    show.add_argument("files", type=Path, nargs="+")
    show.set_defaults(call=report)
    args = parser.parse_args()
    args.call(args)


if __name__ == "__main__":
    main()
