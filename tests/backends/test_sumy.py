import os
import socket
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from gliding.backends.sumy import SumyExtractor
from gliding.errors import MissingExtra, TierError, UnknownComponent
from gliding.protocols import Extractor

PROSE = (Path(__file__).parents[1] / "data" / "prose.txt").read_text(encoding="utf-8").splitlines()
NAMES = ["edmundson", "kl", "lex-rank", "lsa", "luhn", "reduction", "sum-basic", "text-rank"]


@pytest.fixture(autouse=True)
def _sumy_and_no_network(monkeypatch):
    pytest.importorskip("sumy")
    # Not the opening of a socket: urllib3, which sumy imports, opens one to see whether the machine has IPv6.
    for call in ("connect", "connect_ex"):
        monkeypatch.setattr(socket.socket, call, lambda *args: pytest.fail("the network was touched"))
    monkeypatch.setattr(socket, "getaddrinfo", lambda *args, **options: pytest.fail("the network was touched"))


@pytest.mark.parametrize("name", NAMES)
def test_rates_a_real_text(name):
    extractor = SumyExtractor(name)
    assert isinstance(extractor, Extractor)
    salience = extractor.salience(PROSE)
    assert salience.shape == (len(PROSE),)
    assert salience.dtype == np.float64
    assert salience.min() >= 0
    assert salience.max() == 1.0
    assert len({*salience}) > (1 if name == "edmundson" else 10)


@pytest.mark.parametrize("name", NAMES)
def test_empty_and_blank(name):
    extractor = SumyExtractor(name)
    assert extractor.salience([]).tolist() == []
    assert extractor.salience(["", " ", "..."]).tolist() == [0.0, 0.0, 0.0]
    with_blank = extractor.salience([PROSE[0], "", *PROSE[1:]])
    assert with_blank[1] == 0.0
    assert np.allclose(np.delete(with_blank, 1), extractor.salience(PROSE))


@pytest.mark.parametrize("name", NAMES)
def test_repeated_sentences_do_not_break_it(name):
    assert np.isfinite(SumyExtractor(name).salience([PROSE[0], PROSE[1], PROSE[0], "One."])).all()


@pytest.mark.parametrize(
    ("name", "module", "attribute"),
    [
        ("luhn", "luhn", "LuhnSummarizer"),
        ("text-rank", "text_rank", "TextRankSummarizer"),
        ("sum-basic", "sum_basic", "SumBasicSummarizer"),
        ("kl", "kl", "KLSummarizer"),
        ("reduction", "reduction", "ReductionSummarizer"),
    ],
)
def test_best_five_are_those_that_sumy_selects(name, module, attribute):
    from importlib import import_module

    from sumy.models.dom import ObjectDocumentModel, Paragraph, Sentence

    class Words:
        def to_words(self, text):
            return tuple(text.lower().strip(".").split())

    document = ObjectDocumentModel([Paragraph([Sentence(text, Words()) for text in PROSE])])
    summariser = getattr(import_module(f"sumy.summarizers.{module}"), attribute)()
    theirs = [str(sentence) for sentence in summariser(document, 5)]
    salience = SumyExtractor(name, words=Words().to_words).salience(PROSE)
    ours = [PROSE[at] for at in sorted(np.argsort(-salience, kind="stable")[:5])]
    assert ours == theirs


def test_lex_rank_is_ours():
    from gliding.numeric import scale
    from gliding.tiers.lexrank import LexRank

    assert np.abs(SumyExtractor("lex-rank").salience(PROSE) - scale(LexRank().salience(PROSE))).max() < 1e-9


def test_too_many_sentences():
    with pytest.raises(TierError, match=r"at most 5 sentences, not 40.*lexrank"):
        SumyExtractor("lsa", limit=5).salience(PROSE)


def test_unknown_name():
    with pytest.raises(UnknownComponent, match="Did you mean 'text-rank'"):
        SumyExtractor("textrank")


def test_missing_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "sumy", None)
    with pytest.raises(MissingExtra, match=r"pip install 'gliding\[sumy\]'"):
        SumyExtractor("luhn")


def test_edmundson_counts_words_that_speak_for_a_sentence():
    salience = SumyExtractor("edmundson").salience(["Rain.", "Snow.", "The main result is important.", "End."])
    assert int(np.argmax(salience)) == 2


def test_same_values_whatever_the_hash_seed():
    code = (
        "from gliding.backends.sumy import SumyExtractor\n"
        "lines = open('tests/data/prose.txt', encoding='utf-8').read().splitlines()\n"
        "print([SumyExtractor(n).salience(lines).tolist() for n in ('lsa', 'text-rank', 'kl')])"
    )
    root = Path(__file__).parents[2]
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", code], cwd=root, env={**os.environ, "PYTHONHASHSEED": seed}, stdout=subprocess.PIPE
        )
        for seed in ("1", "2")
    ]
    one, two = (run.communicate()[0] for run in runs)
    assert one == two
    assert one.startswith(b"[[")
