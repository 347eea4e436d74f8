"""The rewriter over T5: on an engine that says its source again but for some words, and on a tiny real model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gliding.backends.sqlite import SqliteCache
from gliding.backends.t5 import OnnxT5, T5Rewriter
from gliding.backends.t5_graph import export
from gliding.errors import InputError, ModelError, ModelNotAvailable
from gliding.tiers.constrain import SourceWords
from gliding.types import Span

pytest.importorskip("onnxruntime")
pytest.importorskip("onnx")

TINY = Path(__file__).parent.parent / "data" / "tiny-t5"


def never() -> bool:
    return False


VOCABULARY = [
    "<pad>", "</s>", "<unk>", "\u2581", *"abcdefghijklmnopqrstuvwxyz0123456789.,A:<>/", "\u2581really", "\u2581Acme",
    "\u2581sold", "\u2581pumps", "\u2581not", "\u2581the", "\u2581quite",
]  # fmt: skip
DROPPED = ("\u2581really", "\u2581quite", "\u2581not")


class Parrot:
    """Says the source's ids but for those of a few words; counts texts and steps."""

    fingerprint = "parrot"
    start, end, vocabulary = 0, 1, len(VOCABULARY)

    def __init__(self, *, ends: bool = True) -> None:
        self.dropped = {VOCABULARY.index(piece) for piece in DROPPED}
        self.ends = ends
        self.texts = self.steps = 0

    def encode(self, ids: Sequence[int]) -> object:
        self.texts += 1
        return (tuple(id for id in ids if id not in self.dropped and (self.ends or id != self.end)),)

    def step(self, state: object, last: np.ndarray) -> tuple[np.ndarray, object]:
        assert isinstance(state, tuple)
        self.steps += 1
        found = np.zeros((len(last), self.vocabulary), np.float32)
        rests = []
        for row, (rest, id) in enumerate(zip(state, last.tolist(), strict=True)):
            rests.append(rest[rest.index(id) + 1 :] if id in rest else rest)
            for place, later in enumerate(reversed(rests[-1] or (5,))):
                found[row, later] = 20 * place + 20
        return found, tuple(rests)

    def reorder(self, state: object, rows: np.ndarray) -> object:
        assert isinstance(state, tuple)
        return tuple(state[row] for row in rows)


@pytest.fixture(scope="module")
def tokens(tmp_path_factory: pytest.TempPathFactory) -> Path:
    library = pytest.importorskip("tokenizers")
    made = library.Tokenizer(library.models.Unigram([(piece, -(len(piece) ** -1.0)) for piece in VOCABULARY], unk_id=2))
    made.pre_tokenizer = library.pre_tokenizers.Metaspace()
    made.decoder = library.decoders.Metaspace()
    made.add_special_tokens(["<pad>", "</s>", "<unk>"])
    path = Path(tmp_path_factory.mktemp("tokens") / "tokenizer.json")
    made.save(str(path))
    return path


def shorten(rewriter: T5Rewriter, *texts: str, keep: Iterable[str] = ()) -> list[str]:
    spans = [[Span(text.index(part), text.index(part) + len(part)) for part in keep if part in text] for text in texts]
    return rewriter.rewrite(texts, keep=spans, ratio=0.5, stop=never)


@pytest.mark.parametrize("beams", [1, 2])
@pytest.mark.parametrize("constrain", [None, SourceWords])
def test_words_go_and_kept_ones_stay(constrain: type[SourceWords] | None, beams: int, tokens: Path) -> None:
    rewriter = T5Rewriter(Parrot(), tokens, instruction="{text}", constrain=constrain, beams=beams)
    text = "Acme really sold the pumps"
    assert shorten(rewriter, text, "", " \n", "Acme sold") == ["Acme sold the pumps", "", " \n", "Acme sold"]
    kept = shorten(rewriter, "Acme not really sold pumps", keep=["not"])
    assert kept == ["Acme not sold pumps" if constrain else "Acme sold pumps"]
    assert shorten(rewriter, "  Acme quite sold\n") == ["  Acme sold\n"]


def test_what_never_ends_comes_back_as_it_is(tokens: Path) -> None:
    rewriter = T5Rewriter(Parrot(ends=False), tokens, instruction="{text}")
    assert shorten(rewriter, "Acme really sold the pumps") == ["Acme really sold the pumps"]


@pytest.mark.parametrize("constrain", [None, SourceWords])
@pytest.mark.parametrize(
    "text", ["Acme really </s> sold", "Acme really <unk> sold", "Acme really sold \u00a7", "\ud800 really"]
)
def test_special_and_unknown_pieces_leave_a_text_alone(
    text: str, constrain: type[SourceWords] | None, tokens: Path
) -> None:
    engine = Parrot()
    assert shorten(T5Rewriter(engine, tokens, instruction="{text}", constrain=constrain), text) == [text]
    assert engine.texts == 0


def test_long_texts_are_cut_at_sentence_ends_and_never_truncated(tokens: Path) -> None:
    seen: list[int] = []

    class Watched(Parrot):
        def encode(self, ids: Sequence[int]) -> object:
            seen.append(len(ids))
            return super().encode(ids)

    rewriter = T5Rewriter(Watched(), tokens, instruction="{text}", longest=14, threads=1)
    text = "Acme sold really a. Acme sold b quite.  Acme really sold c."
    assert shorten(rewriter, text) == ["Acme sold a. Acme sold b.  Acme sold c."]
    assert len(seen) == 2
    assert max(seen) <= 14
    long = "Acme really sold a b c d e f g h i j k l m n."
    assert shorten(rewriter, f"Acme really sold a. {long} Acme sold b quite.") == [f"Acme sold a. {long} Acme sold b."]
    assert max(seen) <= 14


def test_rewrites_come_from_the_cache_by_all_that_they_depend_on(tokens: Path, tmp_path: Path) -> None:
    cache = SqliteCache(tmp_path / "c.sqlite")
    engine = Parrot()

    def times(text: str, keep: list[Span], ratio: float, instruction: str = "{text}", **options: Any) -> int:
        before = engine.texts
        rewriter = T5Rewriter(engine, tokens, instruction=instruction, cache=cache, **options)
        (first,) = rewriter.rewrite([text], keep=[keep], ratio=ratio, stop=never)
        assert first != text
        return engine.texts - before

    text = "Acme really sold the pumps"
    assert times(text, [], 0.5) == 1
    assert times(text, [], 0.5) == 0
    assert times(text, [Span(0, 4)], 0.5) == 1
    assert times(text, [], 0.6) == 1
    assert times(text, [], 0.5, "{text} really") == 1
    assert times(text, [], 0.5, constrain=SourceWords) == 1
    assert times(text, [], 0.5, beams=2) == 1
    assert times("Acme sold the quite", [], 0.5) == 1
    assert times(text, [], 0.5) == 0
    cache.close()


def test_a_text_that_was_cut_short_is_not_cached(tokens: Path, tmp_path: Path) -> None:
    cache = SqliteCache(tmp_path / "c.sqlite")
    engine = Parrot()
    rewriter = T5Rewriter(engine, tokens, instruction="{text}", cache=cache, threads=1)
    texts = ["Acme really sold", "Acme quite sold the pumps"]
    assert rewriter.rewrite(texts, keep=[(), ()], ratio=0.5, stop=lambda: engine.steps >= 4) == ["Acme sold", texts[1]]
    assert engine.steps == 4
    assert shorten(rewriter, *texts) == ["Acme sold", "Acme sold the pumps"]
    assert rewriter.rewrite(texts, keep=[(), ()], ratio=0.5, stop=lambda: True) == ["Acme sold", "Acme sold the pumps"]
    cache.close()


def test_an_interrupt_comes_out(tokens: Path) -> None:
    class Interrupted(Parrot):
        def encode(self, ids: Sequence[int]) -> object:
            raise KeyboardInterrupt

    rewriter = T5Rewriter(Interrupted(), tokens, instruction="{text}", threads=2)
    with pytest.raises(KeyboardInterrupt):
        shorten(rewriter, "Acme a", "Acme b", "Acme c")


def test_wrong_options_are_errors(tokens: Path, tmp_path: Path) -> None:
    for instruction in ("no text", "{text} {more}", "{text", "{}"):
        with pytest.raises(InputError, match="instruction"):
            T5Rewriter(Parrot(), tokens, instruction=instruction)
    with pytest.raises(InputError, match="beams"):
        T5Rewriter(Parrot(), tokens, beams=9)
    rewriter = T5Rewriter(Parrot(), tokens)
    for keep, ratio in (([], 0.5), ([()], 0.0), ([()], 1.0)):
        with pytest.raises(InputError, match="do not fit"):
            rewriter.rewrite(["a"], keep=keep, ratio=ratio, stop=never)
    with pytest.raises(ModelNotAvailable):
        T5Rewriter(Parrot(), tmp_path / "none.json")
    (tmp_path / "bad.json").write_text("{}")
    with pytest.raises(ModelError, match="not a tokenizer"):
        shorten(T5Rewriter(Parrot(), tmp_path / "bad.json"), "a b")


# The tiny model has learned to leave out filler words.

SAID = [
    "Acme basically sold 40 pumps for 900 euros.",
    "Maria really told Tom that Globex honestly shipped 12 cables.",
    "The engines from Oslo cost quite 5310 euros and you know weigh 77 kilograms.",
    "Rajesh tested 218 sort of valves in Lyon on 7 May.",
    "On 3 June Anna of Orion actually rejected the filters in Osaka.",
]
MEANT = [
    "Acme sold 40 pumps for 900 euros.",
    "Maria told Tom that Globex shipped 12 cables.",
    "The engines from Oslo cost 5310 euros and weigh 77 kilograms.",
    "Rajesh tested 218 valves in Lyon on 7 May.",
    "On 3 June Anna of Orion rejected the filters in Osaka.",
]


@pytest.fixture(scope="module", params=[8, 32])
def tiny(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> OnnxT5:
    target = tmp_path_factory.mktemp("tiny")
    export(TINY, target, bits=request.param)
    return OnnxT5(target)


@pytest.mark.parametrize("constrain", [None, SourceWords])
@pytest.mark.parametrize("beams", [1, 3])
def test_the_tiny_model_leaves_out_fillers(tiny: OnnxT5, constrain: type[SourceWords] | None, beams: int) -> None:
    found = shorten(T5Rewriter(tiny, TINY / "tokenizer.json", constrain=constrain, beams=beams), *SAID)
    # what it misses are wrong digits and months, which it cannot say where it is constrained
    assert sum(a == b for a, b in zip(found, MEANT, strict=True)) >= (4 if constrain else 3)
    assert all(len(new) < len(old) for new, old in zip(found, SAID, strict=True))


def test_a_text_does_not_depend_on_its_batch_and_threads_share_the_model(tiny: OnnxT5) -> None:
    rewriter = T5Rewriter(tiny, TINY / "tokenizer.json", constrain=SourceWords, threads=2)
    together = shorten(rewriter, *SAID)
    assert [shorten(rewriter, text)[0] for text in SAID] == together
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda text: shorten(rewriter, text)[0], SAID)) == together
