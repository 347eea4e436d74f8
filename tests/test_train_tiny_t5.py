from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

from gliding.backends.decoding import decode
from gliding.backends.t5_torch import TorchT5

pytestmark = [pytest.mark.torch, pytest.mark.slow]
ROOT = Path(__file__).parent.parent


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> object:
    monkeypatch.syspath_prepend(ROOT / "scripts")
    import train_tiny_t5

    return train_tiny_t5


def test_pairs_are_shortenings(script) -> None:
    chance = random.Random(3)
    pairs = [script.pair(chance) for _ in range(500)]
    for long, short in pairs:
        words = iter(long.split())
        assert all(word in words for word in short.split())  # in this order
        assert long[0].isupper()
        assert short[0].isupper()
        assert short.endswith(".")
    assert sum(len(short) for _, short in pairs) < 0.85 * sum(len(long) for long, _ in pairs)
    tokenizer = script.build_tokenizer()
    assert not any(script.UNKNOWN in encoding.ids for encoding in tokenizer.encode_batch([p[0] for p in pairs]))
    assert tokenizer.decode(tokenizer.encode(pairs[0][0]).ids) == pairs[0][0]


def test_a_new_training_learns_it(script, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["train_tiny_t5.py", "--to", str(tmp_path)])
    script.main()  # exits with an error below 90 %
    committed = ROOT / "tests" / "data" / "tiny-t5"
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(path.name for path in committed.iterdir())
    for name in ("config.json", "tokenizer.json"):
        assert (tmp_path / name).read_text() == (committed / name).read_text()
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) < 1_000_000
    assert right(script, tmp_path) >= 45


def test_the_committed_checkpoint_has_learnt_it(script) -> None:
    assert right(script, ROOT / "tests" / "data" / "tiny-t5") >= 45


def right(script, folder: Path) -> int:
    """Of 50 sentences that training did not draw, how many the checkpoint in the folder shortens right."""
    tokenizer = script.Tokenizer.from_file(str(folder / "tokenizer.json"))
    engine, chance = TorchT5(folder, device="cpu"), random.Random(54321)
    pairs = [script.example(chance) for _ in range(50)]
    found = [decode(engine, tokenizer.encode(long).ids, max_new=40, stop=lambda: False) for long, _ in pairs]
    return sum(tokenizer.decode(ids) == short for ids, (_, short) in zip(found, pairs, strict=True))
