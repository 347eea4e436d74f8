"""BM25 against the formula written out in plain loops (Robertson and Zaragoza 2009, with Lucene's idf)."""

import math
import random

import pytest

from gliding.score.lexical import K1, B, bm25


def reference(query, texts, k1, b):
    n = len(texts)
    mean = sum(len(text) for text in texts) / n
    scores = []
    for text in texts:
        score = 0.0
        for term, weight in query.items():
            df = sum(1 for other in texts if term in other)
            tf = text.count(term)
            rarity = math.log(1 + (n - df + 0.5) / (df + 0.5))
            score += weight * rarity * tf * (k1 + 1) / (tf + k1 * (1 - b + b * len(text) / mean))
        scores.append(score)
    return scores


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize(("k1", "b"), [(K1, B), (0.9, 0.4), (2.0, 0.0)])
def test_scores_are_those_of_the_formula(seed, k1, b):
    chance = random.Random(seed)
    words = [f"w{k}" for k in range(chance.choice([3, 20, 200]))]
    texts = [chance.choices(words, k=chance.randint(1, 30)) for _ in range(chance.randint(1, 60))]
    query = {word: chance.uniform(0.1, 2) for word in chance.sample([*words, "absent"], k=3)}
    assert bm25(query, texts, k1=k1, b=b) == pytest.approx(reference(query, texts, k1, b), abs=1e-12)
    plain = dict.fromkeys(query, 1.0)
    assert bm25(list(query), texts, k1=k1, b=b) == pytest.approx(reference(plain, texts, k1, b), abs=1e-12)
