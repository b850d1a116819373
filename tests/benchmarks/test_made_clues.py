"""Made clues keep the shares of lengths, and the same seed makes the same ones."""

from __future__ import annotations

from collections import Counter

import numpy as np

from benchmarks.made_clues import lengths_of, pairs_of, vectors_of
from train.pairs import Pairs


def real() -> Pairs:
    return Pairs.of(
        Counter(
            {
                (f"{word} thing of {length} letters", letter * length): 1
                for length in (3, 4, 4, 5)
                for letter in "ABCDE"
                for word in ("Small", "Red", "Old")
            }
        )
    )


def test_fewer_clues_than_there_are_are_a_part_of_them() -> None:
    pairs = real()
    some = pairs_of(pairs, 10)
    assert len(some) == 10
    known = set(zip(pairs.clues, pairs.answers, strict=True))
    assert set(zip(some.clues, some.answers, strict=True)) <= known


def test_more_clues_than_there_are_are_all_of_them_and_made_ones() -> None:
    pairs = real()
    many = pairs_of(pairs, 1000)
    assert len(many) == len(many.answers) == len(many.counts) == len(many.recent) == 1000
    assert len(many.with_reversed()) >= len(set(zip(many.clues, many.answers, strict=True)))
    assert many.clues[: len(pairs)] == pairs.clues
    assert set(many.answers) == set(pairs.answers)
    assert all(many.clues)
    assert len(set(many.clues) - set(pairs.clues)) > 10
    assert pairs_of(pairs, 1000).clues == many.clues


def test_a_made_clue_is_of_clues_whose_answers_are_as_long() -> None:
    many = pairs_of(real(), 1000)
    for clue, answer in zip(many.clues, many.answers, strict=True):
        told = [word for word in clue.split() if word.isdigit()]
        assert told in ([], [str(len(answer))])


def test_every_length_is_a_part_with_its_share() -> None:
    pairs = real()
    parts = list(lengths_of(pairs))
    assert [{len(answer) for answer in part.answers} for part, _ in parts] == [{3}, {4}, {5}]
    assert sum(share for _, share in parts) == 1
    assert [clue for part, _ in parts for clue in part.clues] == pairs.clues


def test_made_vectors_are_of_length_one_and_near_real_ones() -> None:
    dice = np.random.default_rng(0)
    stored = dice.standard_normal((50, 16))
    stored = (stored / np.linalg.norm(stored, axis=1, keepdims=True)).astype(np.float16)
    many = vectors_of(stored, 400, seed=1)
    assert np.array_equal(many[:50], stored.astype(np.float32))
    assert np.allclose(np.linalg.norm(many[50:], axis=1), 1, atol=1e-5)
    assert (many[50:] @ stored.T.astype(np.float32)).max(axis=1).mean() > 0.6
    assert len(vectors_of(stored, 20, seed=1)) == 20
