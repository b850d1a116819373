"""The game of Wordle: its words, its reply rule, and what is known after each reply.

A `Position` is all that a strategy may look at. Positions are values: a reply gives a new one,
so a whole tree of games can be walked from one start.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from wordgames.errors import ImpossibleHistoryError, InputError
from wordgames.replies import Patterns, Rule, checked_rule, parse_reply, pattern_type, reply_text
from wordgames.wordle.kernels import grouped, hard_mode
from wordgames.words import Vocabulary, classic

Indices = NDArray[np.int32]
TURNS = 6


@dataclass(frozen=True, eq=False)
class Position:
    """What is known: answers still possible, guesses allowed, and the (guess, pattern) so far."""

    remaining: Indices
    allowed: Indices
    history: tuple[tuple[int, int], ...] = ()

    @property
    def turn(self) -> int:
        """Guesses made so far."""
        return len(self.history)


class Wordle:
    """The rules of one game. Word indices are places in `vocabulary.words`, answer indices
    places in `vocabulary.answers`; every answer is taken to be as likely as any other."""

    def __init__(
        self,
        vocabulary: Vocabulary | None = None,
        *,
        rule: str = "standard",
        hard: bool = False,
        turns: int = TURNS,
    ) -> None:
        self.vocabulary = vocabulary or classic()
        self.rule: Rule = checked_rule(rule)
        self.hard = hard
        self.turns = turns
        pattern_type(self.vocabulary.length)  # refuses words that are too long, before any work
        self.patterns = int(3**self.vocabulary.length)
        self.all_green = self.patterns - 1

    @cached_property
    def matrix(self) -> Patterns:
        """Replies of every word (row) against every answer (column)."""
        return self.vocabulary.pattern_matrix(self.rule)

    def start(self) -> Position:
        """Nothing known."""
        vocabulary = self.vocabulary
        return Position(
            np.arange(len(vocabulary.answers), dtype=np.int32),
            np.arange(len(vocabulary.words), dtype=np.int32),
        )

    def allowed_after(self, allowed: Indices, guess: int, pattern: int) -> Indices:
        """The guesses that may still be made: fewer in hard mode, else all."""
        if not self.hard:
            return allowed
        keep: NDArray[np.bool_] = hard_mode(self.vocabulary.codes, allowed, guess, pattern)
        return allowed[keep]

    def split(
        self, remaining: Indices, guess: int, *, at_least: int = 1
    ) -> list[tuple[int, Indices]]:
        """The remaining answers by the reply they would give, in order of pattern code; groups
        smaller than `at_least` are left out."""
        row = self.matrix[guess]
        ordered, starts = grouped(row, remaining)
        return [
            (int(row[ordered[start]]), ordered[start:end])
            for start, end in itertools.pairwise(starts)
            if end - start >= at_least
        ]

    def after(self, position: Position, guess: int, pattern: int) -> Position:
        """The position after a reply; it may leave no answer at all."""
        fits = self.matrix[guess, position.remaining] == pattern
        return Position(
            position.remaining[fits],
            self.allowed_after(position.allowed, guess, pattern),
            (*position.history, (guess, pattern)),
        )

    def replay(self, history: Iterable[tuple[str, str]]) -> Position:
        """The position after these typed (word, reply) pairs, or an error that says what is wrong:
        an unknown word, a malformed reply, a guess hard mode forbids, replies that disagree."""
        position = self.start()
        for word, reply in history:
            guess = self.checked_guess(position, word)
            pattern = parse_reply(reply, self.vocabulary.length)
            following = self.after(position, guess, pattern)
            if not len(following.remaining):
                raise ImpossibleHistoryError(self._contradiction(following.history))
            position = following
        return position

    def checked_guess(self, position: Position, word: str) -> int:
        """The index of a guess that may be made here."""
        guess = self.vocabulary.index(word)
        if self.hard and guess not in position.allowed:
            raise InputError(
                f"hard mode does not allow {word!r}: greens must stay and every yellow be used"
            )
        return guess

    def reply(self, guess: int, answer: int) -> int:
        """The pattern code of a guess against an answer."""
        return int(self.matrix[guess, answer])

    def _contradiction(self, history: tuple[tuple[int, int], ...]) -> str:
        """Which replies cannot both be true; the last one made the history impossible."""
        *earlier, (guess, pattern) = history
        last_fits = self.matrix[guess] == pattern
        last = self._named(guess, pattern)
        if not last_fits.any():
            return f"no word in the list gives the reply {last}"
        for other, other_pattern in earlier:
            if not ((self.matrix[other] == other_pattern) & last_fits).any():
                return f"reply {last} contradicts {self._named(other, other_pattern)}: no word fits"
        names = ", ".join(self._named(*entry) for entry in earlier)
        return f"reply {last} contradicts the earlier ones taken together ({names}): no word fits"

    def _named(self, guess: int, pattern: int) -> str:
        word = self.vocabulary.words[guess]
        return f"{word}={reply_text(pattern, self.vocabulary.length)}"
