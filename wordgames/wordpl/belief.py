"""What is known of the answer: the exact posterior, and the best next question under it.

The board (words and true patterns) is built once a process; a belief is one probability an
answer. Guesses are searched by the clue entropy bound first, then exactly; for a last question
the middle step looks at the likeliest answers alone. Ties go to the earlier word.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from wordgames.posterior import updated
from wordgames.wordpl.kernels import entropy_bound, pattern_likelihood, worth
from wordgames.words import Vocabulary, classic

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]

# Guesses that get an exact look. For a last question 500 found the best of all 12,972 in every one
# of 60 positions; for the others 300 won no more games than 150.
SHORTLIST = 200
LAST_SHORTLIST = 500
HEAD = 64  # likeliest answers that stand for all in the middle step of a last question
FINALISTS = 60
CUT = 1e-4  # answers this much less likely than the best are left out when guesses are compared


@dataclass(frozen=True, eq=False)
class Board:
    """The words of the game and the true pattern of every guess against every answer."""

    words: Vocabulary
    patterns: NDArray[np.uint8]
    codes: NDArray[np.uint8]
    answer_codes: NDArray[np.uint8]


@cache
def board() -> Board:
    """The classic lists: 12,972 words may be asked, 2,315 may be the answer."""
    words = classic()
    patterns = words.pattern_matrix("naive").astype(np.uint8, copy=False)
    return Board(
        words,
        np.ascontiguousarray(patterns),
        np.ascontiguousarray(words.codes),
        np.ascontiguousarray(words.answer_codes),
    )


class Belief:
    """Probabilities of the answers; `after` gives the next belief and leaves this one alone."""

    def __init__(self, probabilities: Floats | None = None) -> None:
        self.board = board()
        self.probabilities = self.board.words.prior if probabilities is None else probabilities

    def after(self, guess: int, epsilon: float, reply: int) -> Belief:
        """The belief once the noisy reply (a pattern code) to a guess is known."""
        likelihood = pattern_likelihood(reply, epsilon)[self.board.patterns[guess]]
        return Belief(updated(self.probabilities, likelihood))

    @property
    def best_answer(self) -> str:
        """The likeliest answer."""
        return self.board.words.answer_words[int(self.probabilities.argmax())]

    @property
    def confidence(self) -> float:
        """The probability of the likeliest answer."""
        return float(self.probabilities.max())

    def likeliest(self, count: int) -> list[tuple[str, float]]:
        """The likeliest answers with their probabilities, best first."""
        order = np.argsort(-self.probabilities, kind="stable")[:count]
        words = self.board.words.answer_words
        return [(words[i], float(self.probabilities[i])) for i in order]

    def best_guess(self, epsilon: float, order: float, shortlist: int | None = None) -> int:
        """The guess to ask at `epsilon`, by the worth of `order` (see `kernels.worth`)."""
        return self.best_guesses(epsilon, order, 1, shortlist)[0]

    def best_guesses(
        self, epsilon: float, order: float, count: int, shortlist: int | None = None
    ) -> list[int]:
        """The best few guesses, best first."""
        shortlist = shortlist or (LAST_SHORTLIST if order == 0.0 else SHORTLIST)
        active = np.flatnonzero(self.probabilities > CUT * self.probabilities.max())
        mass = self.probabilities[active]
        bounds = entropy_bound(
            self.board.codes, self.board.answer_codes, active, mass / mass.sum(), epsilon
        )
        # Sorted by word, so that ties go to the earlier one.
        guesses = np.sort(np.argpartition(-bounds, min(shortlist, len(bounds) - 1))[:shortlist])
        if order == 0.0 and len(active) > HEAD:
            head = np.sort(active[np.argsort(-mass, kind="stable")[:HEAD]])
            values = self._worth(guesses, head, epsilon, order)
            guesses = guesses[np.argsort(-values, kind="stable")[:FINALISTS]]
        values = self._worth(guesses, active, epsilon, order)
        return [int(guess) for guess in guesses[np.argsort(-values, kind="stable")[:count]]]

    def chance_to_win(self, guess: int, epsilon: float) -> float:
        """The chance to win if this is the last question: the expected probability of the best."""
        everyone = np.arange(len(self.probabilities))
        return float(self._worth(np.array([guess]), everyone, epsilon, 0.0)[0])

    def _worth(self, guesses: Indices, active: Indices, epsilon: float, order: float) -> Floats:
        values: Floats = worth(
            guesses, self.board.patterns, active, self.probabilities[active], epsilon, order
        )
        return values
