"""What validity costs: the share of an output's tokens that stands around what was kept, by kind of text and rate.

    python scripts/bench/validity.py FILE ... [--rates .1,.2,.3] [--preset edge] [--query TEXT]

Brackets, keys and headers above what is kept, signatures, gap marks: a compressor that breaks its input has none.
Each output is audited; one that is not valid any more is counted as broken, a budget in which nothing fits as none.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from gliding import BudgetError, Compressor  # noqa: E402
from gliding.types import Result  # noqa: E402


def share(result: Result, compressor: Compressor) -> float:
    """Return the share of the tokens of an output that are those of frames, counted piece by piece."""
    texts = [piece.text for piece in result.pieces]
    counts = compressor.parts.counter.count(texts)
    frames = sum(n for n, piece in zip(counts, result.pieces, strict=True) if piece.action == "frame")
    return frames / max(1, sum(counts))


def main() -> None:
    """Compress each file at each rate and print a table by kind."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--rates", default=".1,.2,.3")
    parser.add_argument("--preset", default="edge")
    parser.add_argument("--query", default="")
    given = parser.parse_args()
    rates = [float(rate) for rate in given.rates.split(",")]
    shares: dict[tuple[str, float], list[float]] = defaultdict(list)
    broken: dict[str, int] = defaultdict(int)
    none: dict[str, int] = defaultdict(int)
    with Compressor.from_preset(given.preset) as compressor:
        for path in given.files:
            for rate in rates:
                kind = path.suffix.lstrip(".") or path.name
                try:
                    result = compressor.compress(path, query=given.query, rate=rate, audit=True)
                except BudgetError:
                    none[kind] += 1
                    continue
                shares[kind, rate].append(share(result, compressor))
                broken[kind] += bool(result.audit and result.audit.broken)
    print(f"{'kind':<8} {'files':>5} " + " ".join(f"{rate:>7.0%}" for rate in rates) + "  broken  nothing fits")
    for kind in sorted({kind for kind, _ in shares}):
        row = [shares[kind, rate] for rate in rates]
        cells = " ".join(f"{sum(each) / len(each):>7.1%}" if each else f"{'-':>7}" for each in row)
        print(f"{kind:<8} {max(map(len, row)):>5} {cells} {broken[kind]:>7} {none[kind]:>13}")


if __name__ == "__main__":
    main()
