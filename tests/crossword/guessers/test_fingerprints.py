"""Clue history by fingerprints: finds what was seen, keeps no text."""

from __future__ import annotations

from pathlib import Path

import pytest

from crossword.errors import ModelError
from crossword.guessers.fingerprints import ClueHistory, bag_key, exact_key

CLUES = ["Purring pet", "Pets that purr", "Purring pet", "Barking pet"]


def history() -> ClueHistory:
    return ClueHistory.of(CLUES, [5, 5, 7, 9], [3, 3, 3, 3], [2, 1, 1, 4])


def test_a_clue_finds_its_answers_and_counts() -> None:
    assert not len(history().exact.find(exact_key("purring PET!", 3))[0]), "signs count"
    places, counts = history().exact.find(exact_key("Purring pet", 3))
    assert dict(zip(places.tolist(), counts.tolist(), strict=True)) == {5: 2, 7: 1}


def test_every_one_of_many_clues_is_found_again() -> None:
    # Keys fill the whole range of 32 bits; a signed sort once lost the upper half.
    clues = [f"Clue number {i}" for i in range(500)]
    made = ClueHistory.of(clues, list(range(500)), [5] * 500, [1] * 500)
    for i, clue in enumerate(clues):
        assert i in made.exact.find(exact_key(clue, 5))[0].tolist()


def test_another_length_is_another_clue() -> None:
    assert not len(history().exact.find(exact_key("Purring pet", 4))[0])


def test_the_same_words_in_another_form_share_a_bag() -> None:
    assert bag_key("The pet, purring", 3) == bag_key("Pets that purr", 3)
    places, _ = history().bag.find(bag_key("Pet purrs", 3))
    assert 5 in places.tolist()


def test_it_is_read_back_as_saved_and_holds_no_text(tmp_path: Path) -> None:
    path = tmp_path / "history.npz"
    made = history()
    made.save(path)
    again = ClueHistory.read(path)
    assert (again.exact.keys == made.exact.keys).all()
    assert (again.bag.answers == made.bag.answers).all()
    assert b"urring" not in path.read_bytes()


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "history.npz"
    path.write_bytes(b"PK\x03\x04 nothing")
    with pytest.raises(ModelError):
        ClueHistory.read(path)
