"""A guesser that notes, while a solver uses it, where the right answers stood in its lists.

So one run tells about the solver and, from the same guesses, about the guesser. Only lists asked
for with no letter known count. What the solver did not ask for is asked for afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from crossword.evaluation.metrics import DEEPEST
from crossword.puzzle import EMPTY, LETTERS, Puzzle
from crossword.types import Distribution, Guess, Guesser, Query


class Recorder:
    """Passes everything on to a guesser; `ranks()` tells where each slot's answer stood."""

    def __init__(self, guesser: Guesser, puzzle: Puzzle) -> None:
        self._guesser = guesser
        self._wanted: dict[Query, set[str]] = {}
        self._slots: dict[str, tuple[Query, str]] = {}
        self._found: dict[tuple[Query, str], int | None] = {}
        for slot in puzzle.slots:
            answer = puzzle.answer(slot.name)
            if answer is not None:
                query = Query(puzzle.clue(slot.name), EMPTY * len(slot))
                self._slots[slot.name] = (query, answer)
                self._wanted.setdefault(query, set()).add(answer)

    @property
    def name(self) -> str:
        return self._guesser.name

    def guess(self, queries: Sequence[Query], limit: int = 100) -> list[list[Guess]]:
        found = self._guesser.guess(queries, limit)
        if limit >= DEEPEST:
            for query, guesses in zip(queries, found, strict=True):
                self._note_guesses(query, guesses)
        return found

    def distributions(self, queries: Sequence[Query]) -> list[Distribution]:
        found = self._guesser.distributions(queries)
        for query, distribution in zip(queries, found, strict=True):
            for answer in self._unknown(query):
                self._found[query, answer] = _rank(distribution, answer)
        return found

    def __getattr__(self, name: str) -> object:
        # A solver may use what a guesser has beyond the protocol (a letter model, a vocabulary).
        return getattr(self._guesser, name)

    def ranks(self) -> dict[str, int | None]:
        """For each slot the place of its answer among the guesses, None if not in the first 100."""
        missing = [
            query
            for query, answers in self._wanted.items()
            if any((query, answer) not in self._found for answer in answers)
        ]
        if missing:
            for query, guesses in zip(missing, self._guesser.guess(missing, DEEPEST), strict=True):
                self._note_guesses(query, guesses)
        return {name: self._found.get(pair) for name, pair in self._slots.items()}

    def _unknown(self, query: Query) -> list[str]:
        """The answers to look for in this query's list: none if a letter was known."""
        wanted = self._wanted.get(query, set())
        return [answer for answer in wanted if (query, answer) not in self._found]

    def _note_guesses(self, query: Query, guesses: Sequence[Guess]) -> None:
        for answer in self._unknown(query):
            places = (i for i, guess in enumerate(guesses[:DEEPEST], 1) if guess.answer == answer)
            self._found[query, answer] = next(places, None)


def _rank(distribution: Distribution, answer: str) -> int | None:
    """The place of an answer if the words are listed by probability, equals by alphabet."""
    if len(answer) != distribution.words.length:
        return None
    at = _place(distribution, answer)
    if at is None:
        return None
    own = distribution.log_probs[at]
    better = np.count_nonzero(distribution.log_probs > own)
    rank = int(better + np.count_nonzero(distribution.log_probs[:at] == own)) + 1
    return rank if rank <= DEEPEST else None


def _place(distribution: Distribution, answer: str) -> int | None:
    """Where an answer stands; a guesser from outside need not have its words sorted."""
    letters = distribution.words.letters
    if not LETTERS.issuperset(answer) or letters.shape[1] != len(answer):
        return None
    wanted = np.frombuffer(answer.encode("ascii"), dtype=np.uint8) - np.uint8(65)
    rows = np.arange(len(letters))
    for column, code in enumerate(wanted):
        rows = rows[letters[rows, column] == code]
    return int(rows[0]) if len(rows) else None
