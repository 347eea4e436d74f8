"""Which sentences the third tier is given: prose, and nothing that must come out to the letter."""

import pytest

from gliding.segment import segment
from gliding.segment.plain import plain_sentences
from gliding.types import Document

PROSE = "The pump, which was old, failed at noon in the north hall."


def plain(text, **fields):
    documents = (Document(text=text, **fields),)
    segments = segment(documents)
    texts = [text[a:b] for s in segments for a, b in s.sentences]
    told = plain_sentences(documents, segments)
    assert len(told) == len(texts)
    return [said for said, yes in zip(texts, told, strict=True) if yes]


@pytest.mark.parametrize(
    "text",
    [
        PROSE,
        f"- {PROSE}",
        f"* Item.\n  {PROSE}",
        PROSE.replace(", which", ",\nwhich"),
        f'{PROSE[:-1]}."',
        f"12 {PROSE}",
    ],
)
def test_prose_and_items_are(text):
    assert plain(text)


@pytest.mark.parametrize(
    "text",
    [
        f"# {PROSE}",
        f"> {PROSE}",
        f"> It was old. {PROSE}",
        f"    {PROSE}\n    {PROSE}",
        f"```\n{PROSE}\n```",
        f"| {PROSE} | {PROSE} |\n|---|---|\n| {PROSE} | {PROSE} |",
        f'{{"a": "{PROSE}", "b": 2}}\n{{"a": "{PROSE}", "b": 3}}',
        f"name,hall,{PROSE}",
        f"name\thall\t{PROSE}",
        f"2024-01-01 12:00:00 ERROR {PROSE}",
        f"2024-01-01 12:00:00 ERROR It failed. {PROSE}",
        "SELECT pump, hall FROM pumps WHERE hall NOT IN ('north', 'south') ORDER BY hall;",
        "$ sudo systemctl restart pump.service and wait until it is running again.",
        f"See https://example.org/pump for it, {PROSE}",
        f"`pump.restart()`, {PROSE}",
        PROSE[:-1],
        f"{PROSE[:-1]}:",
    ],
)
@pytest.mark.parametrize("role", ["", "user"])
def test_what_must_come_out_to_the_letter_is_not(text, role):
    assert plain(text, role=role) == []


def test_a_turn_with_a_fence_a_quote_and_prose():
    text = f"Look:\n\n```python\n{PROSE} One.\n```\n\n> {PROSE} Two.\n\n- {PROSE} Three.\n\n{PROSE} Four."
    assert plain(text, role="user") == [f"- {PROSE}", "Three.", PROSE, "Four."]
