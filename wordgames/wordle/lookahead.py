"""`lookahead`: plays out the best-looking guesses to the end of the game and takes the cheapest.

The total guesses for n answers after guess g are n + the totals of its buckets, and a bucket of b
answers costs at least 2b - 1. That lower bound ranks the guesses; the first `top_k` are searched
with branch and bound, memoised on the set of answers (in hard mode, on the allowed guesses too).
The result is optimal among trees of such guesses; with a large `top_k` it is the optimum in
practice (7,920 for salet, the known best). At the opening, where n is large, the bound decides,
but on the classic lists salet is played, which exhaustive searches proved best in both modes.
"""

from __future__ import annotations

import numpy as np

from wordgames.wordle.game import Indices, Position, Wordle
from wordgames.wordle.kernels import gains
from wordgames.wordle.strategies import RankedGuess
from wordgames.words import is_classic

TOP_K = 12  # the least that finds the known optimum from salet, with two to spare
HARD_TOP_K = 80  # hard mode's trees are narrow and deep; from here on salet gives the known 8,122
SEARCH_LIMIT = 600  # answers; above it a search would take minutes, so the bound decides
CLASSIC_OPENER = "salet"
# What an answer costs that is not found in the turns of the game: so much that no saving pays.
_LOST = 1000


class Lookahead:
    """Best-first search over guesses; see the module."""

    name = "lookahead"

    def __init__(self, game: Wordle, *, top_k: int | None = None) -> None:
        self.game = game
        self.top_k = top_k or (HARD_TOP_K if game.hard else TOP_K)
        self._memo: dict[tuple[bytes, int, int], tuple[int, int]] = {}
        self._perfect_memo: dict[bytes, int] = {}

    def choose(self, position: Position) -> int:
        if not position.history and is_classic(self.game.vocabulary):
            return self.game.vocabulary.index(CLASSIC_OPENER)
        return self._best(position.remaining, position.allowed, self._left(position))[1]

    def ranked(self, position: Position, count: int) -> list[RankedGuess]:
        """The best guesses with the expected number of guesses still to make (this one too)."""
        remaining, allowed, left = position.remaining, position.allowed, self._left(position)
        n = len(remaining)
        if n <= 2:
            answers = self.game.vocabulary.answers[remaining]
            return [RankedGuess(int(answer), (2 * n - 1) / n) for answer in answers[:count]]
        gain = gains(self.game.matrix, allowed, remaining, self.game.patterns, 2 * n)[1:]
        order = np.argsort(-gain, kind="stable")[: max(count, self.top_k)]
        searched = []
        for k in order:
            guess = int(allowed[k])
            cost = 3 * n - int(gain[k])
            if n <= SEARCH_LIMIT:
                cost = self._cost(remaining, allowed, left, guess, cost, n * _LOST)
            searched.append(RankedGuess(guess, cost / n))
        return sorted(searched, key=lambda ranked: ranked.cost)[:count]

    def _left(self, position: Position) -> int:
        return max(2, self.game.turns - position.turn)

    def _best(self, remaining: Indices, allowed: Indices, left: int) -> tuple[int, int]:
        """The least total of guesses for these answers, and the guess that leads to it."""
        n = len(remaining)
        answers = self.game.vocabulary.answers[remaining]
        if n <= left and n <= 2:
            return 2 * n - 1, int(answers[0])
        if left <= 1:
            return 1 + (n - 1) * _LOST, int(answers[0])
        perfect = self._perfect(remaining)
        if perfect >= 0:
            return 2 * n - 1, perfect
        key = (remaining.tobytes(), left, hash(allowed.tobytes()) if self.game.hard else 0)
        if key not in self._memo:
            self._memo[key] = self._search(remaining, answers, allowed, left)
        return self._memo[key]

    def _perfect(self, remaining: Indices) -> int:
        """A possible answer that tells all others apart, which no guess can beat; or -1."""
        key = remaining.tobytes()
        if key not in self._perfect_memo:
            answers = self.game.vocabulary.answers[remaining]
            enough = len(remaining) + 1
            place = gains(self.game.matrix, answers, remaining, self.game.patterns, enough)[0]
            self._perfect_memo[key] = -1 if place < 0 else int(answers[place])
        return self._perfect_memo[key]

    def _search(
        self, remaining: Indices, answers: Indices, allowed: Indices, left: int
    ) -> tuple[int, int]:
        n = len(remaining)
        if left == 2:
            return self._last_but_one(remaining, answers, allowed)
        # With no perfect answer, nothing beats a guess whose bound is 2n.
        gain = gains(self.game.matrix, allowed, remaining, self.game.patterns, n)
        if gain[0] >= 0:
            return 2 * n, int(allowed[gain[0]])
        gain = gain[1:]
        if n > SEARCH_LIMIT:
            best = int(np.argmax(gain))
            return 3 * n - int(gain[best]), int(allowed[best])
        k = min(self.top_k, len(gain))
        order = np.argpartition(-gain, k - 1)[:k]
        order = order[np.lexsort((order, -gain[order]))]
        best_cost, best_guess = n * _LOST, int(answers[0])
        for place in order:
            bound = 3 * n - int(gain[place])
            if bound >= best_cost:
                break
            guess = int(allowed[place])
            cost = self._cost(remaining, allowed, left, guess, bound, best_cost)
            if cost < best_cost:
                best_cost, best_guess = cost, guess
        return best_cost, best_guess

    def _last_but_one(
        self, remaining: Indices, answers: Indices, allowed: Indices
    ) -> tuple[int, int]:
        """With two turns left one answer of each bucket is found and the others are lost."""
        n = len(remaining)
        gain = gains(self.game.matrix, allowed, remaining, self.game.patterns, 2 * n)[1:]
        may_be_answer = np.isin(allowed, answers)
        buckets = gain - may_be_answer
        best = int(np.argmax(2 * buckets + may_be_answer))
        lost = n - int(buckets[best])
        cost = n + int(buckets[best]) - int(may_be_answer[best]) + lost * _LOST
        return cost, int(allowed[best])

    def _cost(
        self, remaining: Indices, allowed: Indices, left: int, guess: int, bound: int, limit: int
    ) -> int:
        """The total after this guess, starting from its lower bound; stops once over `limit`."""
        # Buckets of one, and of two while there are turns, cost what the bound says.
        buckets = self.game.split(remaining, guess, at_least=min(left, 3))
        if buckets and len(buckets[0][1]) == len(remaining):
            return limit  # the guess tells nothing
        cost = bound
        for pattern, bucket in sorted(buckets, key=lambda entry: len(entry[1])):
            if pattern == self.game.all_green or (left > 2 and self._perfect(bucket) >= 0):
                continue
            narrowed = self.game.allowed_after(allowed, guess, pattern)
            cost += self._best(bucket, narrowed, left - 1)[0] - (2 * len(bucket) - 1)
            if cost >= limit:
                return limit
        return cost
