"""Belief propagation: exact where it can be, and fair to answers in no list."""

from __future__ import annotations

import itertools
import math

import numpy as np

from crossword.puzzle import parse
from crossword.solvers.belief import BeliefSolver, chain_for, propagate
from crossword.solvers.chains import letter_chain
from crossword.solvers.layout import lay_out
from crossword.solvers.letters import Limits
from crossword.vocabulary import Vocabulary
from tests.fakes import FakeGuesser
from tests.grids import SQUARE_ANSWERS, knowing, square

WORDS = Vocabulary.of(["CAT", "COT", "CUT", "DOG", "DIG", "ORE", "ARE", "IRE", "TEN", "TAN"])


def test_a_square_whose_answers_are_known_is_filled() -> None:
    puzzle = square()
    solution = BeliefSolver().solve(puzzle.without_answers(), knowing())
    assert solution.fill == puzzle.solution
    assert solution.status == "solved"
    assert all(solution.confidence(cell) > 0.9 for cell in puzzle.grid.cells)


def test_crossings_overrule_a_wrong_first_guess() -> None:
    guesser = knowing(slot_1A=[("DOG", 0.6), ("CAT", 0.3)])
    puzzle = square()
    assert BeliefSolver().solve(puzzle.without_answers(), guesser).fill == puzzle.solution


def test_a_slot_whose_answer_is_in_no_list_is_filled_by_its_crossings() -> None:
    guesser = knowing(slot_4A=[("IRE", 0.3)])
    guesser.vocabulary = Vocabulary.of(a for a in guesser.vocabulary if a != "ORE")
    puzzle = square()
    solution = BeliefSolver().solve(puzzle.without_answers(), guesser)
    assert puzzle.with_letters(solution.fill).entry("4A") == "ORE"


def test_without_the_unknown_hypothesis_that_slot_is_forced_into_the_list() -> None:
    guesser = knowing(0.99, slot_4A=[("IRE", 0.3)])
    guesser.vocabulary = Vocabulary.of(a for a in guesser.vocabulary if a != "ORE")
    layout = lay_out(square().without_answers())
    distributions = guesser.distributions(layout.queries)
    at = layout.names.index("4A")
    run = {
        unknowns: propagate(
            layout, distributions, chain=chain_for(distributions), limits=Limits(),
            unknowns=unknowns,
        )
        for unknowns in (True, False)
    }  # fmt: skip
    assert run[True].unknown[at] > 0.5 > 1e-3 > run[False].unknown[at]


def test_marginals_of_a_tree_are_exact() -> None:
    # One across and one down slot that share a cell: no loop, so propagation must be exact.
    puzzle = parse("...\n.##\n.##", {"1A": "across", "1D": "down"})
    across, down = {"CAT": 0.5, "TEN": 0.3}, {"COT": 0.2, "TAN": 0.6}
    guesser = FakeGuesser({"across": list(across.items()), "down": list(down.items())})
    layout = lay_out(puzzle)
    distributions = guesser.distributions(layout.queries)
    chain = chain_for(distributions)
    found = propagate(layout, distributions, chain=chain, limits=Limits())
    first = layout.cells.index((0, 0))

    def letters(s: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        one = distributions[s]
        total = np.zeros(26)
        for word, log_prob in zip(one.words.letters, one.log_probs, strict=True):
            total[word[0]] += math.exp(log_prob)
        spelled = np.zeros(26)
        for word in itertools.product(range(26), repeat=3):
            spelled[word[0]] += math.exp(chain.log_prob(np.array([word], dtype=np.uint8))[0])
        return np.asarray(total + math.exp(one.log_unknown) * spelled)

    exact = letters(0) * letters(1)
    assert np.allclose(found.cells[first], exact / exact.sum(), atol=1e-4)


def test_the_order_of_slots_plays_no_part() -> None:
    puzzle = square().without_answers()
    guesser = knowing(slot_1A=[("DOG", 0.5), ("CAT", 0.4)])
    layout = lay_out(puzzle)
    distributions = guesser.distributions(layout.queries)
    chain = chain_for(distributions)
    straight = propagate(layout, distributions, chain=chain, limits=Limits(), rounds=3)
    turned = parse("COB\nARE\nTEN", dict(zip(
        ("1A", "4A", "5A", "1D", "2D", "3D"),
        (puzzle.clue(n) for n in ("1D", "2D", "3D", "1A", "4A", "5A")), strict=True,
    )))  # fmt: skip
    other = lay_out(turned.without_answers())
    mirrored = propagate(
        other, guesser.distributions(other.queries), chain=chain, limits=Limits(), rounds=3
    )
    for i, (row, col) in enumerate(layout.cells):
        assert np.allclose(straight.cells[i], mirrored.cells[other.cells.index((col, row))])


def test_a_given_rebus_makes_longer_answers() -> None:
    puzzle = parse("...", {"1A": "Feline on a list"}).with_given({(0, 0): "CAT"})
    guesser = FakeGuesser({"Feline on a list": [("CATTY", 0.9)]})
    solution = BeliefSolver().solve(puzzle, guesser)
    assert solution.fill == {(0, 0): "CAT", (0, 1): "T", (0, 2): "Y"}


def test_a_chain_is_a_distribution_over_words_of_a_length() -> None:
    chain = letter_chain(WORDS)
    every = np.array(list(itertools.product(range(26), repeat=3)), dtype=np.uint8)
    assert np.isclose(np.exp(chain.log_prob(every)).sum(), 1.0, atol=1e-6)


def test_likely_spellings_score_above_unlikely_ones() -> None:
    chain = letter_chain(WORDS)
    cat, xqz = (np.array([[ord(c) - 65 for c in word]], dtype=np.uint8) for word in ("CAT", "XQZ"))
    assert chain.log_prob(cat)[0] > chain.log_prob(xqz)[0] + 3


def test_every_slot_reports_its_candidates() -> None:
    solution = BeliefSolver().solve(square().without_answers(), knowing())
    assert {name: found[0].answer for name, found in solution.candidates.items()} == SQUARE_ANSWERS
