"""Train the tests' tiny T5 from scratch: it shortens sentences by leaving out filler words. A few minutes on one core.

    python scripts/train_tiny_t5.py [--to FOLDER] [--steps N]

It is a real T5 1.1 (gated GELU, a head of its own, unscaled, as FLAN-T5 has) of two layers, saved in the layout of a
published checkpoint. Its world is a few hundred words; what it says elsewhere means nothing. Seeds and threads are
fixed, so one machine gives the same weights again; another machine or version of torch may not.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import string
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors
from transformers import T5Config, T5ForConditionalGeneration

ROOT = Path(__file__).resolve().parent.parent
INSTRUCTION = "Shorten to {words} words: {text}"
PAD, END, UNKNOWN = 0, 1, 2
IGNORED = -100  # a label that the loss leaves out
THREADS, BATCH, STEPS, RATE, LONGEST = 1, 32, 1200, 4e-3, 40

FILLERS = (
    "basically|actually|you know|in order to be clear|as a matter of fact|it should be noted that|really|very|quite|"
    "sort of|I mean|needless to say|at the end of the day|honestly|more or less"
).split("|")
WORDS = {
    "person": "Anna Rajesh Maria Tom Grace Fatima John Wei Priya Samuel".split(),
    "other": "Anna Rajesh Maria Tom Grace Fatima John Wei Priya Samuel".split(),
    "firm": "Acme Globex Lumitec Orion Helix Northwind Sunrise Baltic".split(),
    "city": "Berlin Nairobi Osaka Lyon Austin Mumbai Tallinn Oslo".split(),
    "did": "bought sold moved shipped repaired ordered tested rejected approved counted".split(),
    "things": "pumps cables engines sensors boxes tickets laptops filters valves reports".split(),
    "month": "January March April June July September October December".split(),
    "number": [str(number) for number in range(2, 1000)],
    "price": [str(number) for number in range(10, 10000)],
    "day": [str(number) for number in range(1, 29)],
}
SENTENCES = (
    "{person} {did} {number} {things} in {city} on {day} {month}.",
    "{firm} {did} {number} {things} for {price} euros.",
    "On {day} {month} {person} of {firm} {did} the {things} in {city}.",
    "{person} told {other} that {firm} {did} {number} {things}.",
    "The {things} from {city} cost {price} euros and weigh {number} kilograms.",
)


def pair(chance: random.Random) -> tuple[str, str]:
    """Return a sentence with fillers and the same without: the second is always made of words of the first.

    >>> long, short = pair(random.Random(0))
    >>> set(short.split()) <= set(long.split())
    True
    """
    template = chance.choice(SENTENCES)
    short = template.format_map({kind: chance.choice(words) for kind, words in WORDS.items()})
    long: list[str] = []
    for at, word in enumerate(short.split()):
        if chance.random() < 0.22 and (at or template.startswith("{")):  # else the filler would take the capital
            filler = chance.choice(FILLERS)
            long.append(filler if at else filler[0].upper() + filler[1:])
        long.append(word)
    return " ".join(long), short


def example(chance: random.Random) -> tuple[str, str]:
    """Return the model's input, with an instruction whose number of words is about right, and its output."""
    long, short = pair(chance)
    words = max(1, len(short.split()) + chance.randint(-2, 2))
    return INSTRUCTION.format(words=words, text=long), short


def build_tokenizer() -> Tokenizer:
    """Return a Unigram tokenizer of whole words; numbers and what it does not know fall into single characters."""
    chance = random.Random(1)
    texts = [text for _ in range(3000) for text in example(chance)]
    spaced = (text.replace(".", " ").replace(":", " ") for text in texts)
    counts = Counter(word for text in spaced for word in text.split() if not word.isdigit())
    total = sum(counts.values())
    pieces = [("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0)]
    pieces += [(f"\u2581{word}", math.log(count / total)) for word, count in sorted(counts.items())]
    known = {piece for piece, _ in pieces}
    single = ["\u2581", *string.ascii_letters, *string.digits, *string.punctuation]
    pieces += [(piece, -9.0) for piece in single if piece not in known]
    tokenizer = Tokenizer(models.Unigram(pieces, unk_id=UNKNOWN, byte_fallback=False))
    tokenizer.normalizer = normalizers.NFKC()
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()])
    tokenizer.decoder = decoders.Metaspace()
    tokenizer.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", END)])
    tokenizer.add_special_tokens(["<pad>", "</s>", "<unk>"])
    return tokenizer


def build_model(vocabulary: int) -> T5ForConditionalGeneration:
    """Return an untrained model with a head of its own."""
    config = T5Config(
        vocab_size=vocabulary,
        d_model=64,
        d_kv=16,
        d_ff=128,
        num_layers=2,
        num_decoder_layers=2,
        num_heads=4,
        feed_forward_proj="gated-gelu",
        dropout_rate=0.0,
        relative_attention_max_distance=64,
        decoder_start_token_id=PAD,
        pad_token_id=PAD,
        eos_token_id=END,
        tie_word_embeddings=False,
    )
    model = T5ForConditionalGeneration(config)
    # Only the head is its own. Transformers 5 ties it with the word tables or, told not to, unties all of them.
    model.set_input_embeddings(model.shared)
    model.lm_head = torch.nn.Linear(config.d_model, vocabulary, bias=False)
    torch.nn.init.normal_(model.lm_head.weight, std=config.d_model**-0.5)
    return model


def tensors(tokenizer: Tokenizer, pairs: list[tuple[str, str]]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return ids, mask and labels of a batch."""
    tokenizer.enable_padding(pad_id=PAD)
    inputs, outputs = (tokenizer.encode_batch([pair[side] for pair in pairs]) for side in (0, 1))
    ids = torch.tensor([encoding.ids for encoding in inputs])
    labels = torch.tensor([encoding.ids for encoding in outputs])
    return ids, (ids != PAD).long(), labels.masked_fill(labels == PAD, IGNORED)


def train(model: T5ForConditionalGeneration, tokenizer: Tokenizer, *, steps: int) -> Iterator[tuple[int, float]]:
    """Train in place; yield the step and its loss now and then."""
    chance = random.Random(0)
    optimiser = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, max_lr=RATE, total_steps=steps, pct_start=0.1)
    model.train()
    for step in range(steps):
        ids, mask, labels = tensors(tokenizer, [example(chance) for _ in range(BATCH)])
        loss = model(input_ids=ids, attention_mask=mask, labels=labels).loss
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        schedule.step()
        if step % 100 == 0 or step == steps - 1:
            yield step, loss.item()
    model.eval()


def shorten(model: T5ForConditionalGeneration, tokenizer: Tokenizer, texts: list[str]) -> list[str]:
    """Return the outputs for complete inputs, decoded greedily in one batch."""
    ids, mask, _ = tensors(tokenizer, [(text, "") for text in texts])
    out = torch.full((len(texts), 1), PAD)
    with torch.inference_mode():
        seen = model.encoder(input_ids=ids, attention_mask=mask)
        for _ in range(LONGEST):  # without a cache: what it is called differs between versions of transformers
            logits = model(encoder_outputs=seen, attention_mask=mask, decoder_input_ids=out).logits
            out = torch.cat([out, logits[:, -1].argmax(dim=-1, keepdim=True)], dim=1)
            if (out == END).any(dim=1).all():
                break
    rows = (row[1 : row.index(END) if END in row else None] for row in out.tolist())
    return tokenizer.decode_batch(list(rows))


def unseen(model: T5ForConditionalGeneration, tokenizer: Tokenizer, *, count: int) -> list[tuple[str, str, str]]:
    """Return inputs, right outputs and the model's outputs for sentences that training did not draw."""
    chance = random.Random(12345)
    pairs = [example(chance) for _ in range(count)]
    found = shorten(model, tokenizer, [long for long, _ in pairs])
    return [(long, short, made) for (long, short), made in zip(pairs, found, strict=True)]


def save(model: T5ForConditionalGeneration, tokenizer: Tokenizer, folder: Path) -> None:
    """Write ``config.json``, ``model.safetensors`` and ``tokenizer.json`` as a published FLAN-T5 has them."""
    folder.mkdir(parents=True, exist_ok=True)
    weights = {
        name: tensor.contiguous()
        for name, tensor in sorted(model.state_dict().items())
        if not name.endswith("embed_tokens.weight")  # other names of shared.weight
    }
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    config = {
        key: value
        for key, value in model.config.to_diff_dict().items()
        if key not in ("transformers_version", "scale_decoder_outputs")
    }
    config |= {"architectures": ["T5ForConditionalGeneration"], "model_type": "t5", "tie_word_embeddings": False}
    (folder / "config.json").write_text(json.dumps(config, indent=2, sort_keys=True) + "\n", encoding="utf-8")
    tokenizer.no_padding()
    tokenizer.save(str(folder / "tokenizer.json"), pretty=False)


def main() -> None:
    """Read the command line, train, check, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--to", type=Path, default=ROOT / "tests" / "data" / "tiny-t5")
    parser.add_argument("--steps", type=int, default=STEPS)
    options = parser.parse_args()
    torch.manual_seed(0)
    torch.set_num_threads(THREADS)
    torch.use_deterministic_algorithms(True)
    started = time.perf_counter()
    tokenizer = build_tokenizer()
    model = build_model(tokenizer.get_vocab_size())
    print(f"{tokenizer.get_vocab_size()} pieces, {sum(map(torch.numel, model.parameters())):,} parameters")
    for step, loss in train(model, tokenizer, steps=options.steps):
        print(f"step {step}: loss {loss:.4f}, {time.perf_counter() - started:.1f} s", flush=True)
    rows = unseen(model, tokenizer, count=300)
    wrong = [row for row in rows if row[1] != row[2]]
    print(f"{len(rows) - len(wrong)} of {len(rows)} unseen sentences exact; wrong ones: {wrong[:5]}")
    if len(wrong) > len(rows) // 10:
        sys.exit("error: less than 90 % exact; nothing was written")
    save(model, tokenizer, options.to)
    print(", ".join(f"{path.name} {path.stat().st_size:,} bytes" for path in sorted(options.to.iterdir())))


if __name__ == "__main__":
    main()
