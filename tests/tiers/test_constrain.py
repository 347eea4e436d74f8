"""What a constrained rewrite may say: examples, and brute force over tiny vocabularies."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterator

import pytest

from gliding import facts
from gliding.tiers.constrain import FUNCTION_WORDS, SourceWords, WordConstraint
from gliding.types import Span

END = 1
LETTERS = {
    letter: 100 + k for k, letter in enumerate("\u2581abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
}
MARKS = {mark: 300 + k for k, mark in enumerate(".,;:!?()[]\"$%'-")}


def words(*pieces: str, letters: bool = True) -> SourceWords:
    own = {piece: 2 + k for k, piece in enumerate(pieces)}
    return SourceWords({**(LETTERS if letters else {}), **MARKS, **own}, end=END)


def spans(text: str, *parts: str) -> list[Span]:
    return [Span(text.index(part), text.index(part) + len(part)) for part in parts]


def spell(text: str) -> list[int]:
    """A text as single characters: the longest spelling."""
    table = {**LETTERS, **MARKS}
    return [table[char] for word in text.split() for char in "\u2581" + word]


def may(constraint: WordConstraint, said: str) -> bool:
    state = constraint.first
    for id in (*spell(said), END):
        if id not in constraint.allowed(state):
            return False
        state = constraint.advance(state, id)
    return True


def constrained(text: str, *keep: str) -> WordConstraint:
    made = words().constraint(text, keep=spans(text, *keep))
    assert made is not None
    return made


def outputs(constraint: WordConstraint) -> set[str]:
    """All texts that can be reached, by depth-first search; every state must lead on."""
    found = set()
    stack: list[tuple[object, tuple[int, ...]]] = [(constraint.first, ())]
    seen = set()
    while stack:
        state, ids = stack.pop()
        options = constraint.allowed(state)  # type: ignore[arg-type]
        assert options, "a dead end"
        assert options == sorted(set(options))
        for id in options:
            if id == END:
                found.add(constraint.text((*ids, END)))
            else:
                after = constraint.advance(state, id)  # type: ignore[arg-type]
                assert after
                key = (after, id)
                if key not in seen:
                    seen.add(key)
                    stack.append((after, (*ids, id)))
    return found


def permitted(source: list[str], must: set[int]) -> Iterator[str]:
    """By the definition: subsequences that hold all of ``must``, with at most one function word between two words."""
    for size in range(1, len(source) + 1):
        for chosen in itertools.combinations(range(len(source)), size):
            if must <= set(chosen):
                for between in itertools.product(("", *FUNCTION_WORDS), repeat=size - 1):
                    text = [source[chosen[0]]]
                    for word, k in zip(between, chosen[1:], strict=True):
                        text += [word, source[k]]
                    yield " ".join(filter(None, text))


@pytest.mark.parametrize("source", ["ab", "a b", "a ab b", "ab ab a", "the a the b", "a that b a", "a b c d"])
def test_exactly_the_permitted_texts_are_reachable(source: str) -> None:
    cut = source.split()
    made = SourceWords(
        {"\u2581": 2, "a": 3, "b": 4, "\u2581a": 5, "ab": 6, "\u2581the": 7, "\u2581t": 8, "hat": 9, "c": 10, "d": 11},
        end=END,
    )
    starts = [found.start() for found in re.finditer(r"\S+", source)]
    for size in range(len(cut) + 1):
        for must in itertools.combinations(range(len(cut)), size):
            keep = [Span(starts[k], starts[k] + 1) for k in must]
            constraint = made.constraint(source, keep=keep)
            assert constraint is not None
            assert outputs(constraint) == set(permitted(cut, set(must)))


@pytest.mark.parametrize(
    ("said", "fine"),
    [
        ("Acme sold pumps.", True),
        ("Acme sold pumps", True),
        ("Acme, of Oslo, sold pumps.", True),
        ("Acme sold the pumps.", True),
        ("Acme of Oslo sold pumps.", True),
        ("Acme of Oslo sold pumps,", False),  # the comma stands after Oslo and Acme
        ("Acme, sold pumps.", True),
        ("Acme sold.", True),
        ("Acme sold. pumps", False),
        ("Acme bought pumps.", False),
        ("pumps sold Acme.", False),
        ("Acme sold the.", False),
        ("Acme sold the that pumps.", False),
        ("the Acme sold pumps.", False),
        ("Acme not sold pumps.", False),
        ("Acme and Oslo sold pumps.", False),
        ("Acme sol pumps.", False),
        ("Acmesold pumps.", False),
        ("Acme,", False),
        (".", False),
    ],
)
def test_words_marks_and_function_words(said: str, fine: bool) -> None:
    assert may(constrained("Acme, of Oslo, sold 40 pumps."), said) is fine


def test_kept_words_come_out_and_the_end_waits_for_them() -> None:
    constraint = constrained("Acme did not sell 40 pumps in Oslo.", "not", "40")
    assert may(constraint, "Acme did not sell 40 pumps")
    assert may(constraint, "not 40")
    assert not may(constraint, "Acme did sell 40 pumps")
    assert not may(constraint, "Acme did not sell pumps")
    assert not may(constraint, "Acme did not")
    assert constraint.allowed(constraint.first) == sorted({LETTERS["\u2581"]})


def test_nothing_is_put_into_a_kept_span() -> None:
    constraint = constrained("sold on 7 May 2024 in Oslo", "7 May 2024")
    assert may(constraint, "sold on the 7 May 2024 in Oslo")
    assert may(constraint, "7 May 2024 the Oslo")
    assert not may(constraint, "sold on 7 the May 2024")
    assert not may(constraint, "sold on 7 May that 2024")


def test_of_equal_words_the_one_that_must_be_kept_is_found() -> None:
    constraint = constrained("so a so b", "b")
    assert may(constraint, "so b")
    kept = words().constraint("so a so b", keep=[Span(5, 7)])
    assert kept is not None
    assert may(kept, "so b")
    assert not may(kept, "a b")


def test_a_kept_span_keeps_its_marks() -> None:
    constraint = constrained("it costs (in the U.S.) a lot", "U.S.")
    assert may(constraint, "it costs in U.S.) a lot")
    assert may(constraint, "U.S. lot")
    assert not may(constraint, "U.S lot")


def test_a_question_keeps_its_mark() -> None:
    constraint = constrained("Did Acme honestly sell pumps?")
    assert may(constraint, "Did Acme sell?")
    assert not may(constraint, "Acme sell pumps")
    two = constrained("Did it sell? It did.")
    assert may(two, "sell? It did.")
    assert not may(two, "It did.")


def test_marks_stay_with_their_words_and_the_last_ones_close() -> None:
    constraint = constrained('Acme (of Oslo) sold "good" pumps, really!')
    assert may(constraint, "Acme (of Oslo) sold pumps!")
    assert may(constraint, 'Acme of sold "good" pumps')
    assert not may(constraint, "Acme sold) pumps!")
    assert not may(constraint, "Acme sold pumps,")
    assert not may(constraint, "Acme sold pumps,!")


def test_any_spelling_of_a_word_will_do() -> None:
    made = words("\u2581sold", "sol", "\u2581so", "ld", "\u2581solder")
    constraint = made.constraint("Acme sold it", keep=())
    assert constraint is not None
    state = constraint.first
    assert {2, 4, LETTERS["\u2581"]} <= set(constraint.allowed(state))
    assert 6 not in constraint.allowed(state), "solder is not sold"
    letters = [LETTERS["\u2581"], *(LETTERS[letter] for letter in "sold")]
    for ids in ([2], [4, 5], [letters[0], 3, letters[-1]], letters, [4, *letters[3:]]):
        assert constraint.text((*ids, END)) == "sold"
    assert constraint.text((4, END)) == "", "a word is left at its last piece only"


def test_what_is_shown_is_the_source_and_not_its_normal_form() -> None:
    def normalise(text: str) -> str:
        return unicodedata.normalize("NFKC", text)

    made = SourceWords({**LETTERS, **MARKS}, end=END, normalise=normalise)
    constraint = made.constraint("about 10\u2075 cells", keep=())
    assert constraint is not None
    assert constraint.text((*spell("105 cells"), END)) == "10\u2075 cells"


def test_what_cannot_be_spelled_gives_no_constraint() -> None:
    assert words().constraint("caf\u00e9 au lait", keep=()) is None
    assert words().constraint("", keep=()) is None
    assert words().constraint("a \u2581 b", keep=()) is None
    assert words("\u2581the", letters=False).constraint("a", keep=()) is None


def test_an_id_that_is_not_allowed_leads_nowhere() -> None:
    constraint = constrained("a b")
    assert constraint.advance(constraint.first, 999) == ()
    assert constraint.text([999, END]) == ""
    assert constraint.text(spell("a")) == "", "a text without its end is none"


def test_function_words_carry_no_fact() -> None:
    assert facts.find(" ".join(FUNCTION_WORDS)) == []
    changing = "a an and or not no by to was were is who which of in all some any few most than if but only".split()
    assert not set(changing) & set(FUNCTION_WORDS)
