"""Invariants of the audit: on any two texts, on what the compressor makes, and on what is cut out of a text."""

from __future__ import annotations

import json

from generated import ALL, TEXT, bounded, cases
from hypothesis import given
from hypothesis import strategies as st

from gliding.assemble import whole_text
from gliding.audit import KINDS, audit
from gliding.audit.marks import HARD
from gliding.audit.marks import KINDS as FACTS

KIND = st.sampled_from(["", *KINDS])
NEW = st.sampled_from(["It took 987654 hours.", "See https://zz.example/q?x=9.", "Zebediah Quux knew XQ-9981-Z."])


def places(found, text):
    return [text[a:b] for _, _, (a, b) in found] == [what for _, what, _ in found]


@given(TEXT, TEXT, KIND)
@bounded(150)
def test_any_two_texts(source, output, kind):
    found = audit(source, output, kind=kind)
    assert found == audit(source, output, kind=kind)
    json.dumps(found.to_dict())
    if found.kind not in ("json", "jsonl", "messages"):
        assert places(found.lost, source)
        assert places(found.gone, source)
        assert places(found.added, output)
    assert found.clean == (not found.added and not found.broken)
    assert all(0 <= kept <= there for there, kept in found.counts.values())
    assert {kind for kind, _, _ in (*found.lost, *found.gone, *found.added)} <= set(FACTS)


@given(TEXT, KIND)
@bounded(150)
def test_a_text_is_true_to_itself(text, kind):
    found = audit(text, text, kind=kind)
    assert (found.lost, found.gone, found.added, found.broken) == ((), (), (), ())
    assert all(there == kept for there, kept in found.counts.values())


@given(TEXT, KIND)
@bounded(60)
def test_nothing_adds_nothing(text, kind):
    assert audit(text, "", kind=kind).added == ()
    assert audit(text, "", kind=kind).lost == ()
    assert audit("", text, kind=kind).gone == ()


@given(TEXT, NEW)
@bounded(60)
def test_what_is_made_up_is_found(text, new):
    found = audit(text, f"{text}\n\n{new}", kind="text").added
    assert {kind for kind, _, _ in found} & set(HARD)


@given(ALL, cases(pins=(0,)))  # a pin may cut a number in two, and that is another number
@bounded(40)
def test_what_the_compressor_cuts_out_adds_no_number_name_or_link(compressor, case):
    result = case.run(compressor)
    allowed = [text for d in case.documents for text in (d.title, d.role, d.time) if text]
    found = audit(whole_text(case.documents), result.text, kind="text", allowed=allowed)
    if not result.report.rewritten:
        assert [one for one in found.added if one.kind in HARD] == []
