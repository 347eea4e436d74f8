"""Whatever a parser says, a shortened text is the source's words in their order and holds what it was told to keep."""

import re
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from gliding.facts import find
from gliding.tiers.shorten import SyntacticRewriter
from gliding.types import Span, Token

WORDS = (
    "the pump , which failed quickly ; however ( a valve ) in morning and seal — was not said that 42 bar large old "
    "wooden gate including such as cats . must all if Oslo bought who left carrying Bob"
).split()
DEPS = (
    "ROOT nsubj dobj appos relcl advcl acl prep pobj amod advmod conj cc punct det neg aux ccomp mark nsubjpass"
).split()
TAGS = {"VERB": "VBD VBG VBN VBZ", "NOUN": "NN NNS", "ADJ": "JJ JJR", "ADV": "RB", "PUNCT": ",", "PROPN": "NNP"}
PIECE = re.compile(r"\w+|[^\w\s]")


class Guess:
    """A parser that draws trees by lot, and often a statement with a subject, so that rules fire."""

    fingerprint = "guess-1"

    def __init__(self, seed, *, sound):
        self.seed = seed
        self.sound = sound

    def parse(self, texts):
        return [self._tree(text) for text in texts]

    def _tree(self, text):
        chance = Random(f"{self.seed} {text}")
        found = list(PIECE.finditer(text))
        root = chance.randrange(len(found)) if found else 0
        tokens = []
        for k, match in enumerate(found):
            pos = chance.choice(sorted(TAGS))
            head = chance.choice([root, max(0, k - 1), min(len(found) - 1, k + 1), chance.randrange(len(found))])
            dep = chance.choice(DEPS[1:] if self.sound else DEPS)
            if self.sound and k == root:
                pos, head, dep = "VERB", root, "ROOT"
            elif self.sound:
                # towards the root: no token hangs under itself
                head = k + 1 if k < root else k - 1
                head = chance.choice([head, head, root])
            tag = "VBD" if k == root else chance.choice(TAGS[pos].split())
            tokens.append(Token(*match.span(), head, dep, pos, tag, match[0].lower()))
        return tuple(tokens)


TEXTS = st.lists(st.sampled_from(WORDS), min_size=0, max_size=30).map(lambda words: " ".join([*words, "."]))


def subsequence(short, text):
    rest = iter(PIECE.findall(text.lower()))
    return all(piece in rest for piece in PIECE.findall(short.lower()))


@given(TEXTS, st.integers(0, 10**6), st.booleans(), st.floats(0, 1), st.data())
def test_the_words_of_the_source_in_their_order(text, seed, sound, ratio, data):
    marks = [match.span() for match in PIECE.finditer(text)]
    keep = [Span(*span) for span in data.draw(st.lists(st.sampled_from(marks), max_size=3))]
    rewriter = SyntacticRewriter(Guess(seed, sound=sound))
    (short,) = rewriter.rewrite([text], keep=[keep], ratio=ratio, stop=lambda: False)
    assert subsequence(short, text)
    assert short == text or len(short) < len(text)
    assert short.count("(") - short.count(")") == text.count("(") - text.count(")")
    assert [fact.normal for fact in find(short)] == [fact.normal for fact in find(text)]
    kept = [text[a:b].lower() for a, b in set(keep) if text[a:b] != ","]
    assert all(kept.count(word) <= short.lower().count(word) for word in kept)
    assert rewriter.rewrite([text], keep=[keep], ratio=ratio, stop=lambda: False) == [short]
    assert rewriter.rewrite([text], keep=[keep], ratio=1.0, stop=lambda: False) == [text]
    assert rewriter.rewrite([text], keep=[keep], ratio=ratio, stop=lambda: True) == [text]


@given(st.text(max_size=200), st.integers(0, 10**6), st.booleans())
def test_any_text_comes_out(text, seed, sound):
    rewriter = SyntacticRewriter(Guess(seed, sound=sound))
    (short,) = rewriter.rewrite([text], keep=[[]], ratio=0.0, stop=lambda: False)
    assert subsequence(short, text)
