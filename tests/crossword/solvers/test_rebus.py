"""Rebus cells: found where both slots want them, agreed on by both, and paid for."""

from __future__ import annotations

import numpy as np
import pytest

from crossword.puzzle import Cell, Puzzle, parse
from crossword.solvers.belief import chain_for, propagate, with_symbols
from crossword.solvers.layout import HARD, lay_out
from crossword.solvers.letters import Limits
from crossword.solvers.rebus import collapse, has_sign, log_prior
from crossword.solvers.rebus_kernels import gapped_fits
from crossword.solvers.search import SearchSolver
from crossword.types import Distribution
from crossword.vocabulary import Vocabulary, Words, words_of
from tests.fakes import FakeGuesser
from tests.grids import SQUARE_CLUES, knowing, square

# The square with OLIVE across and ALIVE down through its middle cell, which takes LIV. Each clue
# has a wrong answer of three letters too, which a guesser that knows no rebus is sure of.
REBUS_CLUES = {**SQUARE_CLUES, "4A": "Martini fruit", "2D": "Still with us"}
REBUS_FILL: dict[Cell, str] = {**dict(square().solution or {}), (1, 1): "LIV"}
WRONG = 0.999999


def rebus_square() -> Puzzle:
    return parse("...\n...\n...", REBUS_CLUES)


def rebus_guesser() -> FakeGuesser:
    table = {clue: list(pairs) for clue, pairs in knowing(0.95).table.items()}
    table["Martini fruit"] = [("OLIVE", 0.9), ("FIG", WRONG)]
    table["Still with us"] = [("ALIVE", 0.9), ("YET", WRONG)]
    return FakeGuesser(table)


def test_a_cell_that_wants_several_letters_gets_them() -> None:
    solution = SearchSolver().solve(rebus_square(), rebus_guesser())
    assert solution.fill == REBUS_FILL
    assert solution.status == "solved"
    assert solution.candidates["4A"][0].answer == "OLIVE"
    assert solution.letters[1, 1][0][0] == "LIV"
    assert 0.5 < solution.confidence((1, 1)) <= 1.0


def test_without_tricks_every_cell_has_one_letter() -> None:
    solution = SearchSolver(tricks=False).solve(rebus_square(), rebus_guesser())
    assert all(len(text) == 1 for text in solution.fill.values())


def test_one_slot_alone_can_not_make_a_rebus() -> None:
    # The down answer fits as it is: the across one has to do with its three cells.
    guesser = rebus_guesser()
    guesser.table["Still with us"] = [("ARE", 0.9)]
    guesser.vocabulary = Vocabulary.of([*guesser.vocabulary, "ARE"])
    solution = SearchSolver().solve(rebus_square(), guesser)
    assert all(len(text) == 1 for text in solution.fill.values())


def test_a_puzzle_without_a_sign_is_asked_for_no_longer_answers() -> None:
    guesser = knowing()
    SearchSolver().solve(square().without_answers(), guesser)
    assert {query.length for batch in guesser.calls for query in batch} == {3}


def test_given_letters_are_never_taken_for_a_rebus() -> None:
    puzzle = rebus_square().with_given({(1, 1): "R"})
    solution = SearchSolver().solve(puzzle, rebus_guesser())
    assert solution.fill[1, 1] == "R"


def test_cancelling_the_hunt_leaves_the_grid_of_before() -> None:
    asked = 0

    def cancelled() -> bool:
        nonlocal asked
        asked += 1
        return asked > 12

    plain = SearchSolver(tricks=False).solve(rebus_square(), rebus_guesser())
    stopped = SearchSolver().solve(rebus_square(), rebus_guesser(), cancelled=cancelled)
    assert set(stopped.fill) == set(plain.fill)


def test_the_order_of_slots_makes_no_difference_to_a_rebus() -> None:
    turned = {"1A": "1D", "4A": "2D", "5A": "3D", "1D": "1A", "2D": "4A", "3D": "5A"}
    flat = parse("...\n...\n...", {name: REBUS_CLUES[other] for name, other in turned.items()})
    solution = SearchSolver().solve(flat, rebus_guesser())
    assert {(row, col): text for (col, row), text in solution.fill.items()} == REBUS_FILL


def test_the_same_content_again_costs_less_than_the_first_or_another() -> None:
    first = log_prior(["HEART"])
    again = log_prior(["HEART", "HEART"]) - first
    other = log_prior(["HEART", "CLUB"]) - first
    assert first < other < again < 0
    assert np.isclose(log_prior(["HEART"], ["HEART"]), again)


def test_a_sign_is_two_bad_slots_that_cross() -> None:
    layout = lay_out(rebus_square())
    bad = {"4A", "2D"}
    crossing = np.array([-14.0 if name in bad else -1.0 for name in layout.names])
    parallel = np.array([-14.0 if name in {"1A", "5A"} else -1.0 for name in layout.names])
    assert has_sign(layout, crossing, -22.0)
    assert not has_sign(layout, parallel, -22.0)


def rows_of(found: list[tuple[np.ndarray, np.ndarray]]) -> set[tuple[int, tuple[int, ...]]]:
    return {
        (int(row), tuple(int(c) for c in signs))
        for rows, letters in found
        for row, signs in zip(rows, letters, strict=True)
    }


def test_collapsing_writes_contents_as_symbols_once_or_more() -> None:
    words = words_of(["ONION", "STONE"])
    o, n, i = (ord(c) - 65 for c in "ONI")
    s, t, e = (ord(c) - 65 for c in "STE")
    once = rows_of(list(collapse(words, ["ON"], 1)))
    assert once == {(0, (26, i, o, n)), (0, (o, n, i, 26)), (1, (s, t, 26, e))}
    assert rows_of(list(collapse(words, ["ON"], 2))) == {(0, (26, i, 26))}
    assert rows_of(list(collapse(words, ["ST", "ON"], 2))) == {(0, (27, i, 27)), (1, (26, 27, e))}


@pytest.mark.parametrize("surplus", [1, 3])
def test_longer_words_fit_as_counted_by_hand(surplus: int) -> None:
    random = np.random.default_rng(surplus)
    length = 4
    letters = random.integers(0, 26, (50, length + surplus)).astype(np.uint8)
    log_probs = random.normal(-5, 2, 50).astype(np.float32)
    messages = -random.exponential(3, (length, 26))
    floors, best = np.array([-14.0, -12.0, np.inf, -16.0]), np.full(length, -np.inf)
    words, places, scores = np.empty(200, np.int32), np.empty(200, np.int32), np.empty(200)
    count = gapped_fits(letters, log_probs, messages, 1, floors, best, words, places, scores)
    found = {(int(words[k]), int(places[k])): scores[k] for k in range(count)}
    expected = {}
    for w, word in enumerate(letters):
        for i in range(length):
            others = [p for p in range(length) if p != i]
            score = log_probs[w] + sum(
                messages[p, word[p if p < i else p + surplus]] for p in others
            )
            if score > floors[i]:
                expected[w, i] = score
    assert found.keys() == expected.keys() and expected
    assert all(np.isclose(found[key], expected[key]) for key in found)
    for i in range(length):
        assert best[i] == max((s for (_, p), s in found.items() if p == i), default=-np.inf)


def test_cells_may_hold_symbols_and_a_tree_stays_exact() -> None:
    # Two slots of two cells that share one; each has an answer with a symbol (26) in that cell.
    puzzle = parse("..\n.#", {"1A": "across", "1D": "down"})
    layout = lay_out(puzzle)
    across = {(0, 1): 0.4, (26, 2): 0.2}
    down = {(0, 3): 0.1, (26, 4): 0.5}
    distributions = [
        Distribution(
            Words(np.array(list(table), dtype=np.uint8)),
            np.log(np.array(list(table.values()), dtype=np.float32)),
            -40.0,
        )
        for table in (across, down)
    ]
    chain = chain_for(FakeGuesser({"x": [("AB", 0.5)]}).distributions(layout.queries))
    found = propagate(
        layout, distributions, chain=chain, limits=Limits(), symbols=np.array([1e-12])
    )
    row = found.cells[layout.cells.index((0, 0))]
    assert np.isclose(row[26] / row[0], (0.2 * 0.5) / (0.4 * 0.1), rtol=1e-3)


def test_an_unknown_answer_may_have_a_symbol_too() -> None:
    puzzle = parse("..\n.#", {"1A": "across", "1D": "down"})
    layout = lay_out(puzzle)
    known = Distribution(
        Words(np.array([[26, 2]], dtype=np.uint8)), np.zeros(1, dtype=np.float32), -40.0
    )
    unknown = Distribution(Words(np.zeros((0, 2), dtype=np.uint8)), np.zeros(0, np.float32), 0.0)
    chain = chain_for(FakeGuesser({"x": [("AB", 0.5)]}).distributions(layout.queries))
    found = propagate(
        layout, [known, unknown], chain=chain, limits=Limits(), symbols=np.array([1e-3])
    )
    assert found.cells[layout.cells.index((0, 0)), 26] > 0.99


def test_a_fixed_place_takes_no_symbol() -> None:
    fixed = np.zeros((1, 2, 26))
    fixed[0, 0] = HARD
    fixed[0, 0, 3] = 0.0
    wider = with_symbols(fixed, 2)
    assert wider.shape == (1, 2, 28)
    assert (wider[0, 0, 26:] == HARD).all() and (wider[0, 1] == 0).all()
