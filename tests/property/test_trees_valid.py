"""Source code that parses still parses, whatever part of it is kept: seven languages, any subset, any budget."""

from random import Random

import pytest
from generated import EDGE, bounded
from hypothesis import given
from hypothesis import strategies as st
from sources import MADE, SUFFIX

from gliding import registry
from gliding.assemble import Assembler
from gliding.audit import audit
from gliding.errors import BudgetError
from gliding.segment.trees import cut_tree
from gliding.select.frames import needs
from gliding.types import Document

TREES = registry.syntax_trees()
pytestmark = pytest.mark.skipif(TREES is None, reason="needs gliding[code]")
SEEDS = st.integers(0, 10**9)
LANGUAGE = st.sampled_from(sorted(MADE))


def parses(text, language):
    (root,) = TREES.parse([text], language=language)
    return not root.faulty


@given(seed=SEEDS, language=LANGUAGE, crlf=st.booleans(), max_chars=st.sampled_from([30, 120, 400]))
@bounded(200)
def test_any_part_of_a_source_parses(seed, language, crlf, max_chars):
    chance = Random(seed)
    text = MADE[language](seed)
    text = text.replace("\n", "\r\n") if crlf else text
    assert parses(text, language), text
    segments = cut_tree(text, 0, TREES, language=language, max_chars=max_chars)
    spans = [span for segment in segments for span in segment.sentences]
    assert all(a < b <= c for (a, b), (c, _) in zip(spans, [*spans[1:], (len(text), 0)], strict=True))
    assembler, needed = Assembler([Document(text=text)], segments), needs(segments)
    assert assembler.text(range(len(spans))).split() == text.split()
    for share in (0.05, 0.3, 0.7):
        kept = sorted(needed.along(k for k in range(len(spans)) if chance.random() < share))
        output = assembler.text(kept)
        assert parses(output, language), output


@given(seed=SEEDS, language=LANGUAGE, rate=st.sampled_from([0.05, 0.1, 0.3, 0.6]))
@bounded(80)
def test_what_the_compressor_keeps_of_a_source_parses(seed, language, rate):
    text = MADE[language](seed)
    document = Document(text=text, id=f"a.{SUFFIX.get(language, language)}", kind="code")
    try:
        result = EDGE.compress(document, query="why did the pump fail", rate=rate, tokenizer="chars")
    except BudgetError:
        return
    assert result.tokens <= result.report.budget
    assert audit(text, result.text, kind=language, trees=TREES).broken == ()
    for piece in result.pieces:
        if piece.exact:
            ((_, start, end),) = piece.sources
            assert piece.text == text[start:end]
