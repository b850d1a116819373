"""The strategies for the three scores: spend the same total in every game, as well as can be.

A quantile asks only that enough games are won within it, so every game may and should spend all
of it; what is left is to win most often. Early questions reduce an entropy, the last maximises
the chance to win. Totals, splits and orders were chosen by simulation on other seeds than those
reported; docs/wordpl.md tells how, and how far from the best they may be.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

from wordgames.errors import DataError, InputError
from wordgames.wordpl.belief import Belief, board
from wordgames.wordpl.game import Player, parse_clues
from wordgames.wordpl.lookahead import best_of
from wordgames.wordpl.strategies import SHANNON, WIN

_LIKELY = 0.5  # from here on any sensible question wins about as often; arbitrary, it saves time


class FixedTotal:
    """Asks once at each of `epsilons`, then proposes the likeliest answer.

    `order` is the order of entropy that all questions but the last reduce. `second` maps the
    reply to the first question onto the second move (word, ε); the rest of the total is then
    spread over the later questions as `epsilons` spreads it. `compared` words for the last
    question but one are compared by playing both to the end, where the answer is not yet likely.
    """

    def __init__(
        self,
        epsilons: Sequence[float],
        first: str = "salet",
        order: float = SHANNON,
        second: Mapping[str, tuple[str, float]] | None = None,
        compared: int = 1,
        name: str = "",
    ) -> None:
        if not epsilons or not all(0.0 < epsilon < math.inf for epsilon in epsilons):
            raise InputError("epsilons must be one or more numbers above 0")
        if not 0.0 < order < math.inf:
            raise InputError(f"order must be above 0, not {order}")
        if compared < 1:
            raise InputError(f"compared must be 1 or more, not {compared}")
        board().words.index(first)
        self.epsilons = tuple(float(epsilon) for epsilon in epsilons)
        self.first = first
        self.order = float(order)
        self.compared = compared
        self.name = name
        self.belief = Belief()
        if compared > 1:  # compiles it here, not within the five seconds of a game
            best_of(self.belief, [board().words.index(first)], 1.0, 1.0)
        self._spent: list[float] = []
        # The second move depends on the first reply alone, so it is worked out once.
        self._second = {parse_clues(reply): move for reply, move in (second or {}).items()}

    def __str__(self) -> str:
        if self.name:
            return f"{self.name} (total {sum(self.epsilons):g})"
        spread = ", ".join(f"{epsilon:g}" for epsilon in self.epsilons)
        return f"FixedTotal(epsilons=({spread},), first={self.first!r}, order={self.order:g})"

    def first_move(self) -> tuple[str, float]:
        self.belief, self._spent = Belief(), [self.epsilons[0]]
        return self.first, self.epsilons[0]

    def next_move(self, guess: str, epsilon: float, result: str) -> tuple[str, float]:
        reply = parse_clues(result)
        self.belief = self.belief.after(board().words.index(guess), epsilon, reply)
        asked = len(self._spent)
        if asked == len(self.epsilons):
            return self.belief.best_answer, 0.0
        if asked == 1:
            if reply not in self._second:
                self._second[reply] = self._move(asked)
            move = self._second[reply]
        else:
            move = self._move(asked)
        self._spent.append(move[1])
        return move

    def _move(self, asked: int) -> tuple[str, float]:
        left = sum(self.epsilons) - sum(self._spent)
        last = asked == len(self.epsilons) - 1
        epsilon = left if last else left * self.epsilons[asked] / sum(self.epsilons[asked:])
        count = 1
        if asked == len(self.epsilons) - 2 and self.belief.confidence < _LIKELY:
            count = self.compared
        guesses = self.belief.best_guesses(epsilon, WIN if last else self.order, count)
        guess = guesses[0] if count == 1 else best_of(self.belief, guesses, epsilon, left - epsilon)
        return board().words.words[guess], epsilon


def second_moves(name: str) -> dict[str, tuple[str, float]]:
    """A shipped table of second moves: reply to the first question → (word, ε)."""
    source = files("wordgames") / "wordpl" / "tables" / f"{name}.json"
    try:
        table: Any = json.loads(source.read_text(encoding="utf-8"))
        return {reply: (str(word), float(epsilon)) for reply, (word, epsilon) in table.items()}
    except (OSError, ValueError, AttributeError, TypeError) as error:
        raise DataError(f"the table {name} of second moves is damaged: {error}") from None


def best_95() -> Player:
    """For the 95th percentile: four questions; the order minds the unlikely answers a little.

    The third word is the best of four by playing it and the last question to the end.
    """
    return FixedTotal((17.0, 18.0, 19.5, 15.499), "salet", order=0.75, compared=4, name="best-95")


def best_50() -> Player:
    """For the median: three questions, the second from a table.

    The table holds the likeliest replies, 99 % of all; each move was the best of a dozen words
    and three ε, by playing the likely replies to the end. Replies that it lacks are worked out in
    play.
    """
    return FixedTotal(
        (13.3, 13.16, 10.139), "trace", second=second_moves("best-50"), name="best-50"
    )


def best_5() -> Player:
    """For the 5th percentile: two questions, the second from a table.

    With two questions the chance to win can be worked out exactly: 5.18 % at this total. The
    table is what `_move` finds with all 12,972 words on its shortlist, which takes a minute.
    """
    return FixedTotal((9.0, 5.5), "trace", second=second_moves("best-5"), name="best-5")
