import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from gliding.protocols import Extractor
from gliding.tiers.lexrank import LexRank

PROSE = (Path(__file__).parents[1] / "data" / "prose.txt").read_text(encoding="utf-8").splitlines()


def test_is_an_extractor():
    assert isinstance(LexRank(), Extractor)


def test_central_sentences_lead_a_stranger():
    salience = LexRank().salience([*PROSE, "Quantum chromodynamics describes gluons."])
    assert salience.shape == (len(PROSE) + 1,)
    assert salience.min() >= 0
    # without damping a sentence that is tied to nothing but itself keeps about 1 / sqrt(n)
    assert salience[-1] < 0.65 * salience.max()
    assert "pier" in PROSE[int(np.argmax(salience[:-1]))]


@pytest.mark.parametrize("sentences", [[], [""], ["", "  "], ["apple", "pear"]])
def test_nothing_in_common_gives_zeros(sentences):
    assert LexRank().salience(sentences).tolist() == [0.0] * len(sentences)


def test_order_of_sentences_does_not_change_their_values():
    lexrank = LexRank(epsilon=1e-9)
    assert np.allclose(lexrank.salience(PROSE)[::-1], lexrank.salience(PROSE[::-1]), atol=1e-9)


def test_windows_keep_unit_length_and_rank_like_the_whole():
    whole = LexRank().salience(PROSE * 5)
    windows = LexRank(window=len(PROSE)).salience(PROSE * 5)
    assert windows.shape == whole.shape
    assert np.isclose((windows**2).sum(), 1.0)
    assert np.corrcoef(whole, windows)[0, 1] > 0.9
    assert not np.array_equal(whole, windows)


def test_many_sentences_stay_small():
    assert peak_megabytes(4_000) < 150


@pytest.mark.slow
def test_forty_thousand_sentences_stay_under_600_megabytes():
    assert peak_megabytes(40_000) < 600


def peak_megabytes(n):
    if not Path("/proc/self/status").exists():
        pytest.skip("the peak of a process that is none of its parent's is read from /proc")
    code = (
        "import numpy as np; from gliding.tiers.lexrank import LexRank\n"
        f"draws = np.random.default_rng(0).zipf(1.3, size=({n}, 12)) % 30000\n"
        "sentences = [' '.join(f'word{i}x' for i in row) for row in draws]\n"
        f"assert len(LexRank().salience(sentences)) == {n}\n"
        "print(next(line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')))"
    )
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    return float(done.stdout) / 1024
