"""The distinct clue–answer pairs of a corpus, with how often each was seen.

Pairs are sorted by the answer's length, then answer, then clue: the order in which every part
stores its rows, and the same whatever order the files came in.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from datasets import Dataset
from numpy.typing import NDArray

from crossword.errors import DataError
from crossword.guessers.neighbours import ClueMemory
from crossword.text import normalise_answer, tokens
from crossword.vocabulary import MAX_LENGTH
from data.corpus import columns

REVERSIBLE_WORDS = 3  # a clue this short may be a synonym, and so an answer


@dataclass(frozen=True, eq=False)
class Pairs:
    """Parallel lists: clue, answer, count."""

    clues: list[str]
    answers: list[str]
    counts: list[int]

    @classmethod
    def of(cls, counted: Counter[tuple[str, str]]) -> Pairs:
        ordered = sorted(counted.items(), key=lambda item: (len(item[0][1]), item[0][1], item[0]))
        if not ordered:
            raise DataError("the corpus has no pair of a clue and an answer to train on")
        return cls(
            [clue for (clue, _), _ in ordered],
            [answer for (_, answer), _ in ordered],
            [count for _, count in ordered],
        )

    @classmethod
    def from_dataset(cls, dataset: Dataset) -> Pairs:
        clues, answers = columns(dataset, "clue", "answer")
        return cls.of(
            Counter(pair for pair in zip(clues, answers, strict=True) if len(pair[1]) <= MAX_LENGTH)
        )

    def __len__(self) -> int:
        return len(self.clues)

    @cached_property
    def vocabulary(self) -> list[str]:
        """The distinct answers, in the order of the pairs."""
        return list(dict.fromkeys(self.answers))

    @cached_property
    def rows(self) -> NDArray[np.int32]:
        """For each pair its answer's place in the vocabulary."""
        place = {answer: i for i, answer in enumerate(self.vocabulary)}
        return np.array([place[answer] for answer in self.answers], dtype=np.int32)

    def memory(self) -> ClueMemory:
        return ClueMemory(self.vocabulary, self.rows, np.array(self.counts, dtype=np.int32))

    def with_reversed(self) -> Pairs:
        """With short clues that are answers elsewhere turned round: who clues A by B may do B by A.

        Top-5 of tfidf on 8,731 clues of odd days, trained on even ones: 0.598 with, 0.594 without.
        """
        known = set(self.vocabulary)
        counted = Counter(
            {
                (clue, answer): count
                for clue, answer, count in zip(self.clues, self.answers, self.counts, strict=True)
            }
        )
        turned: Counter[tuple[str, str]] = Counter()
        for clue, answer in zip(self.clues, self.answers, strict=True):
            letters = normalise_answer(clue)
            if (
                letters in known
                and letters != answer
                and not any(sign in clue for sign in '?_("')
                and len(tokens(clue)) <= REVERSIBLE_WORDS
            ):
                pair = (answer.capitalize(), letters)
                if pair not in counted:
                    turned[pair] = 1
        return Pairs.of(counted + turned)
