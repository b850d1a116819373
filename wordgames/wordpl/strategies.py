"""The known strategies of the WORDPL contest, each rebuilt from its idea on the exact posterior.

All keep a belief and ask until they are sure enough (`certainty`) or, for `NGuess`, until their
questions are spent. The strategies that hold the scores are in `budget`.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np

from wordgames.errors import InputError
from wordgames.strategy import Registry
from wordgames.wordpl.belief import Belief, board
from wordgames.wordpl.game import Player, parse_clues
from wordgames.wordpl.kernels import PATTERNS

SHANNON = 1.0  # the order of entropy that makes `worth` the mutual information
WIN = 0.0  # and the one that makes it the chance to win

REGISTRY: Registry[Player] = Registry(
    "WORDPL strategy",
    {
        "best-5": "wordgames.wordpl.budget:best_5",
        "best-50": "wordgames.wordpl.budget:best_50",
        "best-95": "wordgames.wordpl.budget:best_95",
        "n-guess": "wordgames.wordpl.strategies:NGuess",
        "max-clue-entropy": "wordgames.wordpl.strategies:MaxClueEntropy",
        "wordle-like": "wordgames.wordpl.strategies:WordleLike",
        "bayesian-greedy": "wordgames.wordpl.strategies:BayesianGreedy",
        "bayesian-random": "wordgames.wordpl.strategies:BayesianRandom",
    },
)


class _Certain:
    """Asks at the same ε until the likeliest answer is likely enough."""

    def __init__(self, epsilon: float, certainty: float) -> None:
        if not 0.0 < epsilon < float("inf"):
            raise InputError(f"epsilon must be above 0, not {epsilon}")
        if not 0.0 <= certainty < 1.0:
            raise InputError(f"certainty must be from 0 to below 1, not {certainty}")
        self.epsilon = float(epsilon)
        self.certainty = float(certainty)
        self.belief = Belief()
        self._opening: int | None = None  # the first question never changes

    def __str__(self) -> str:
        return f"{type(self).__name__}(epsilon={self.epsilon:g}, certainty={self.certainty:g})"

    def first_move(self) -> tuple[str, float]:
        self.belief = Belief()
        if self._opening is None or self.draws:
            self._opening = self.guess(self.belief)
        return board().words.words[self._opening], self.epsilon

    def next_move(self, guess: str, epsilon: float, result: str) -> tuple[str, float]:
        index = board().words.index(guess)
        self.belief = self.belief.after(index, epsilon, parse_clues(result))
        if self.belief.confidence >= self.certainty:
            return self.belief.best_answer, 0.0
        return board().words.words[self.guess(self.belief)], self.epsilon

    draws = False  # whether `guess` is left to chance

    def guess(self, belief: Belief) -> int:
        raise NotImplementedError


class BayesianRandom(_Certain):
    """Asks a word drawn from the posterior."""

    draws = True

    def __init__(self, epsilon: float = 15.0, certainty: float = 0.5) -> None:
        super().__init__(epsilon, certainty)

    def guess(self, belief: Belief) -> int:
        (place,) = random.choices(range(len(belief.probabilities)), belief.probabilities.tolist())
        return int(board().words.answers[place])


class BayesianGreedy(_Certain):
    """Asks the likeliest answer."""

    def __init__(self, epsilon: float = 15.0, certainty: float = 0.5) -> None:
        super().__init__(epsilon, certainty)

    def guess(self, belief: Belief) -> int:
        return int(board().words.answers[int(belief.probabilities.argmax())])


class WordleLike(_Certain):
    """Plays Wordle among the answers still in the running, as if replies were true.

    In the running: at least `share` as likely as the best. Of these it asks the one that splits
    them into most replies.
    """

    def __init__(self, epsilon: float = 16.0, certainty: float = 0.3, share: float = 0.05) -> None:
        super().__init__(epsilon, certainty)
        if not 0.0 < share <= 1.0:
            raise InputError(f"share must be above 0 and at most 1, not {share}")
        self.share = float(share)

    def guess(self, belief: Belief) -> int:
        probabilities = belief.probabilities
        running = np.flatnonzero(probabilities >= self.share * probabilities.max())
        patterns = board().patterns
        guesses = board().words.answers[running]
        parts = [
            np.count_nonzero(np.bincount(patterns[guess, running], minlength=PATTERNS))
            for guess in guesses
        ]
        return int(guesses[int(np.argmax(parts))])


class MaxClueEntropy(_Certain):
    """Asks the word whose noisy reply is the hardest to foretell (after Dominik Fay).

    At one ε the noise adds the same to every guess, so this is the most informative question.
    """

    def __init__(self, epsilon: float = 12.0, certainty: float = 0.5) -> None:
        super().__init__(epsilon, certainty)

    def guess(self, belief: Belief) -> int:
        return belief.best_guess(self.epsilon, SHANNON)


class NGuess:
    """Asks once at each ε of a list, the most informative word each time, then proposes."""

    def __init__(self, epsilons: Sequence[float] = (12.3, 12.3, 12.3)) -> None:
        if not epsilons or not all(0.0 < epsilon < float("inf") for epsilon in epsilons):
            raise InputError("epsilons must be one or more numbers above 0")
        self.epsilons = tuple(float(epsilon) for epsilon in epsilons)
        self.belief = Belief()
        self._asked = 0
        self._opening: int | None = None

    def __str__(self) -> str:
        return f"NGuess(epsilons=({', '.join(f'{e:g}' for e in self.epsilons)},))"

    def first_move(self) -> tuple[str, float]:
        self.belief, self._asked = Belief(), 1
        if self._opening is None:
            self._opening = self.belief.best_guess(self.epsilons[0], SHANNON)
        return board().words.words[self._opening], self.epsilons[0]

    def next_move(self, guess: str, epsilon: float, result: str) -> tuple[str, float]:
        index = board().words.index(guess)
        self.belief = self.belief.after(index, epsilon, parse_clues(result))
        if self._asked == len(self.epsilons):
            return self.belief.best_answer, 0.0
        following = self.epsilons[self._asked]
        self._asked += 1
        return board().words.words[self.belief.best_guess(following, SHANNON)], following
