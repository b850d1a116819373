"""The fast kernels against plain sums over all answers and replies."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest

from wordgames.wordpl.belief import Belief, board
from wordgames.wordpl.game import clue_text, keep_probability, parse_clues, true_clues
from wordgames.wordpl.kernels import entropy_bound, reply_chances, worth

ANSWERS = ("crane", "slate", "puppy", "happy", "eerie", "robot")


def few(weights: dict[str, float] | None = None) -> Belief:
    """A belief in a handful of answers."""
    probabilities = np.zeros(len(board().words.answers))
    for word in ANSWERS:
        probabilities[board().words.answer_index(word)] = (weights or {}).get(word, 1.0)
    return Belief(probabilities / probabilities.sum())


def slow_chance(reply: str, guess: str, answer: str, epsilon: float) -> float:
    keep = keep_probability(epsilon)
    clues = zip(reply, true_clues(guess, answer), strict=True)
    return math.prod(keep if seen == true else (1 - keep) / 2 for seen, true in clues)


def slow_table(guess: str, epsilon: float, belief: Belief) -> dict[str, list[float]]:
    """For every reply the joint probability with each answer."""
    index = board().words.answer_index
    return {
        "".join(reply): [
            belief.probabilities[index(word)] * slow_chance("".join(reply), guess, word, epsilon)
            for word in ANSWERS
        ]
        for reply in product(".ic", repeat=5)
    }


def test_the_posterior_is_bayes_rule() -> None:
    belief = few({"puppy": 3.0})
    after = belief.after(board().words.index("happy"), 6.0, parse_clues(".iccc"))
    joint = slow_table("happy", 6.0, belief)[".iccc"]
    for word, value in zip(ANSWERS, joint, strict=True):
        found = after.probabilities[board().words.answer_index(word)]
        assert found == pytest.approx(value / sum(joint))
    assert belief.probabilities.sum() == pytest.approx(1.0)  # left alone
    assert after.best_answer == "puppy" and after.likeliest(1)[0][0] == "puppy"


@pytest.mark.parametrize("guess", ["salet", "eerie", "puppy"])
def test_reply_chances_and_worths_equal_plain_sums(guess: str) -> None:
    belief, epsilon = few({"robot": 2.0, "crane": 0.5}), 7.0
    table = slow_table(guess, epsilon, belief)
    row = board().patterns[board().words.index(guess)]
    chances = reply_chances(row, belief.probabilities, epsilon)
    for reply, joint in table.items():
        assert chances[parse_clues(reply)] == pytest.approx(sum(joint), abs=1e-12)
    active = np.flatnonzero(belief.probabilities)
    arguments = (
        np.array([board().words.index(guess)]),
        board().patterns,
        active,
        belief.probabilities[active],
        epsilon,
    )
    entropy = -sum(sum(joint) * math.log(sum(joint)) for joint in table.values())
    assert worth(*arguments, 1.0)[0] == pytest.approx(entropy)
    win = sum(max(joint) for joint in table.values())
    assert worth(*arguments, 0.0)[0] == pytest.approx(win)
    assert belief.chance_to_win(board().words.index(guess), epsilon) == pytest.approx(win)
    for order in (0.75, 2.0):
        power = sum(sum(x**order for x in joint) ** (1 / order) for joint in table.values())
        assert worth(*arguments, order)[0] == pytest.approx(power if order > 1 else -power)


def test_the_bound_is_never_below_the_entropy() -> None:
    belief = Belief().after(board().words.index("salet"), 10.0, parse_clues("i..c."))
    active = np.arange(len(belief.probabilities))
    guesses = np.arange(0, 12_972, 97)
    bounds = entropy_bound(board().codes, board().answer_codes, active, belief.probabilities, 13.0)
    exact = worth(guesses, board().patterns, active, belief.probabilities, 13.0, 1.0)
    assert (bounds[guesses] >= exact - 1e-9).all()


def test_the_shortlist_finds_the_best_of_all_guesses() -> None:
    belief = Belief().after(board().words.index("salet"), 18.0, parse_clues("i..c."))
    belief = belief.after(board().words.index("crony"), 18.0, parse_clues("..i.."))
    everyone = np.arange(len(belief.probabilities))
    for order in (1.0, 0.0):
        values = worth(
            np.arange(12_972), board().patterns, everyone, belief.probabilities, 9.0, order
        )
        assert values[belief.best_guess(9.0, order)] == pytest.approx(values.max(), rel=2e-3)


def test_clue_text_is_in_reading_order() -> None:
    pattern = int(board().patterns[board().words.index("happy"), 0])
    assert clue_text(pattern) == true_clues("happy", board().words.answer_words[0])
