"""Distinct pairs in a fixed order, and synonyms turned round."""

from __future__ import annotations

from collections import Counter

import pytest

from crossword.errors import DataError
from train.pairs import Pairs


def pairs(*found: tuple[str, str]) -> Pairs:
    return Pairs.of(Counter(found))


def test_pairs_are_sorted_by_length_and_answer_and_counted() -> None:
    made = pairs(("b", "LION"), ("z", "CAT"), ("a", "CAT"), ("z", "CAT"))
    assert made.answers == ["CAT", "CAT", "LION"]
    assert made.clues == ["a", "z", "b"]
    assert made.counts == [1, 2, 1]
    assert made.vocabulary == ["CAT", "LION"]
    assert made.rows.tolist() == [0, 0, 1]


def test_short_clues_that_are_answers_are_turned_round() -> None:
    made = pairs(("Feline", "CAT"), ("Big cat", "FELINE"), ("Give up", "CEDE"), ("Quit", "GIVEUP"))
    turned = made.with_reversed()
    added = set(zip(turned.clues, turned.answers, strict=True)) - set(
        zip(made.clues, made.answers, strict=True)
    )
    assert added == {("Cat", "FELINE"), ("Cede", "GIVEUP")}


@pytest.mark.parametrize("clue", ["Feline?", '"Feline"', "___ feline", "A feline that naps a lot"])
def test_wordplay_blanks_and_quotes_are_not_turned_round(clue: str) -> None:
    made = pairs((clue, "CAT"), ("Pet", "FELINE"))
    assert len(made.with_reversed()) == len(made)


def test_no_pairs_are_an_error() -> None:
    with pytest.raises(DataError, match="no pair"):
        pairs()
