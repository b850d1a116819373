"""The first experiments' confidence, and what the nearest clues make of answers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from crossword.errors import ModelError
from crossword.guessers import neighbours
from crossword.guessers.calibration import Calibration, Candidates, Option
from crossword.guessers.neighbours import (
    FEATURES,
    SHARE,
    ClueMemory,
    LengthMemory,
    NeighbourGuesser,
    gather,
)
from crossword.types import Query
from crossword.vocabulary import MAX_LENGTH

ANSWERS = ["ANT", "BEE", "CAT", "LION"]
ROWS = np.array([0, 1, 1, 2, 3], dtype=np.int32)
COUNTS = np.array([1, 1, 2, 1, 5], dtype=np.int32)


def memory() -> ClueMemory:
    return ClueMemory(ANSWERS, ROWS, COUNTS)


def gathered(*pairs: tuple[float, int]) -> dict[str, float]:
    three = memory().of(3)
    similarity = np.array([near for near, _ in pairs], dtype=np.float32)
    rows = np.array([row for _, row in pairs], dtype=np.int64)
    (found,) = gather([(similarity, rows)], three)
    return {
        three.words[at]: sure
        for at, sure in zip(found.positions, found.confidence.tolist(), strict=True)
    }


def test_a_memory_is_cut_by_length() -> None:
    three = memory().of(3)
    assert list(three.words) == ["ANT", "BEE", "CAT"]
    assert three.row_answers.tolist() == [0, 1, 1, 2]
    assert three.frequency.tolist() == [1, 3, 1]
    assert np.exp(three.log_prior).sum() == pytest.approx(1.0)
    assert memory().of(4).start == 4
    assert memory().lengths == [3, 4]


@pytest.mark.parametrize("length", [1, 2, 5, MAX_LENGTH, MAX_LENGTH + 1, 1000])
def test_a_length_that_was_never_seen_is_empty(length: int) -> None:
    nothing = memory().of(length)
    assert len(nothing) == 0
    assert nothing.words.length == length


def test_the_same_clue_gives_half() -> None:
    assert gathered((1.0, 0))["ANT"] == pytest.approx(0.5)


def test_confidence_falls_with_the_distance() -> None:
    # Two unit vectors with cosine 0.5 are at a distance of 1.
    assert gathered((0.5, 0))["ANT"] == pytest.approx(0.5 * math.exp(-1), rel=1e-4)


def test_repeats_are_joined_as_independent_probabilities() -> None:
    assert gathered((1.0, 1), (1.0, 2))["BEE"] == pytest.approx(0.75)
    near = 0.5 * math.exp(-1)
    assert gathered((1.0, 1), (0.5, 2))["BEE"] == pytest.approx(1 - 0.5 * (1 - near), rel=1e-4)


def test_a_clue_that_came_twice_is_one_witness() -> None:
    assert gathered((1.0, 2))["BEE"] == pytest.approx(0.5)


def test_of_answers_to_the_very_same_clue_the_more_frequent_has_more() -> None:
    three = memory().of(3)
    near = np.array([1.0, 1.0, 0.6], np.float32)  # rows 0 and 2 came once and twice
    (found,) = gather([(near, np.array([0, 2, 3]))], three)
    share = found.features[:, FEATURES.index(SHARE)]
    assert dict(zip(found.positions.tolist(), share.tolist(), strict=True)) == pytest.approx(
        {0: 1 / 3, 1: 2 / 3, 2: 0}
    )
    (other,) = gather([(np.array([0.9], np.float32), np.array([0]))], three)
    assert not other.features[:, FEATURES.index(SHARE)].any(), "a clue that is merely near"


def test_others_are_weighed_without_confidence() -> None:
    three = memory().of(3)
    nearest = np.array([1.0], np.float32), np.array([0])
    (found,) = gather([nearest], three, [np.array([2])])
    assert found.positions.tolist() == [0, 2]
    assert found.confidence.tolist() == [0.5, 0.0]
    assert found.nearest == 1.0


def test_no_neighbours_make_no_candidates() -> None:
    nothing = np.zeros(0, np.float32), np.zeros(0, np.int64)
    (found,) = gather([nothing], memory().of(3))
    assert len(found.positions) == 0
    assert found.nearest == 0.0


def test_a_memory_is_read_as_it_was_written(tmp_path: Path) -> None:
    memory().save(tmp_path)
    again = ClueMemory.load(tmp_path)
    assert list(again.of(3).words) == ["ANT", "BEE", "CAT"]
    assert again.of(3).row_counts.tolist() == [1, 1, 2, 1]


def test_a_memory_that_contradicts_itself_is_refused(tmp_path: Path) -> None:
    memory().save(tmp_path)
    (tmp_path / "answers.txt").write_text("ANT\n")
    with pytest.raises(ModelError, match="contradicts"):
        ClueMemory.load(tmp_path)
    (tmp_path / "row-counts.npy").unlink()
    with pytest.raises(ModelError, match="can't be read"):
        ClueMemory.load(tmp_path)


def test_a_clue_that_is_asked_again_is_not_searched_again() -> None:
    asked: list[str] = []

    class Counting:
        def candidates(
            self, clues: Sequence[str], length: int, memory: LengthMemory
        ) -> list[Candidates]:
            asked.extend(clues)
            return gather([(np.array([1.0], np.float32), np.array([0]))] * len(clues), memory)

    features = neighbours.FEATURES
    none = Option((0.0,), 0.0)
    flat = Calibration(features, (0.0,) * len(features), none, none)
    guesser = NeighbourGuesser("counting", memory(), Counting(), flat)
    first = guesser.guess([Query("a", "..."), Query("b", "...")])
    again = guesser.guess([Query("b", "..."), Query("c", "..."), Query("a", "A..")])
    assert asked == ["a", "b", "c"]
    assert again[0] == first[1]
    assert [guess.answer for guess in again[2]] == ["ANT"]
