"""Distinct pairs in a fixed order, and synonyms turned round."""

from __future__ import annotations

from collections import Counter

import pytest

from crossword.errors import DataError
from train.pairs import UNDATED, Pairs, shares_by_age


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


def test_a_use_counts_half_after_some_years_and_less_without_a_date() -> None:
    shares = shares_by_age(["2022-01-01", "2016-01-01", "", None, "last week"])
    assert shares["2022-01-01"] == 1.0
    assert shares["2016-01-01"] == pytest.approx(0.5, abs=0.001)
    assert shares[""] == shares[None] == shares["last week"] == UNDATED


def test_where_no_day_is_known_all_uses_are_alike() -> None:
    assert set(shares_by_age(["", None]).values()) == {1.0}


def test_recent_uses_add_up_by_answer() -> None:
    made = Pairs(["a", "b", "c"], ["CAT", "CAT", "LION"], [1, 1, 1], [1.0, 0.5, 0.25])
    assert made.recent_uses({"CAT": 1, "LION": 0, "YAK": 2}).tolist() == [0.25, 1.5, 0.0]


def test_without_dates_every_use_is_a_recent_one() -> None:
    made = pairs(("a", "CAT"), ("a", "CAT"), ("b", "LION"))
    assert made.recent_uses({"CAT": 0, "LION": 1}).tolist() == [2.0, 1.0]
