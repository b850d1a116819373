"""The compiled lookahead against the same plan played step by step with beliefs."""

from __future__ import annotations

import numpy as np
import pytest

from wordgames.wordpl.belief import Belief, board
from wordgames.wordpl.game import parse_clues
from wordgames.wordpl.kernels import reply_chances
from wordgames.wordpl.lookahead import chance_with_two
from wordgames.wordpl.planning import last_chance


def after(*history: tuple[str, float, str]) -> Belief:
    belief = Belief()
    for word, epsilon, reply in history:
        belief = belief.after(board().words.index(word), epsilon, parse_clues(reply))
    return belief


def test_it_is_the_sum_over_replies_of_the_best_last_question() -> None:
    belief = after(("salet", 17.0, "i..c."), ("crony", 18.0, "..i.."))
    guess, epsilon, rest = board().words.index("mould"), 19.5, 15.0
    chances = reply_chances(board().patterns[guess], belief.probabilities, epsilon)
    won = seen = 0.0
    for reply in np.argsort(-chances):
        following = belief.after(guess, epsilon, int(reply))
        won += chances[reply] * last_chance(following, rest)
        seen += chances[reply]
        if seen > 0.8:
            break
    found = chance_with_two(belief, guess, epsilon, rest, cover=0.8, shortlist=400)
    assert found == pytest.approx(won / seen, rel=2e-3)


def test_a_longer_shortlist_and_more_budget_win_no_less() -> None:
    belief = after(("trace", 13.3, "..c.i"))
    guess = board().words.index("leads")

    def chance(rest: float, shortlist: int) -> float:
        return chance_with_two(belief, guess, 12.4, rest, cover=0.3, shortlist=shortlist)

    assert chance(10.0, 30) <= chance(10.0, 200) + 1e-3
    assert chance(10.0, 30) < chance(13.0, 30)


def test_a_sure_answer_is_won_by_any_plan() -> None:
    sure = np.zeros(len(board().words.answers))
    sure[5] = 1.0
    assert chance_with_two(Belief(sure), 0, 10.0, 1.0, cover=0.99, shortlist=20) == pytest.approx(1)
