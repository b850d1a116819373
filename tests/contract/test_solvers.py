"""What every registered solver must do; a name that is registered later is covered too."""

from __future__ import annotations

import time
from dataclasses import replace
from types import MappingProxyType

import pytest

from crossword.pipeline import solve
from crossword.puzzle import LETTERS, Cell, Grid, Puzzle, parse
from crossword.registry import solvers
from crossword.types import Guesser, Progress, Solution, Solver
from tests.fakes import FakeGuesser
from tests.grids import SQUARE_CLUES, knowing, square

STATUSES = {"solved", "partial", "timeout", "cancelled"}


def numbered(grid: str, clue: str = "clue {}") -> Puzzle:
    puzzle = parse(grid)
    return puzzle.with_clues({slot.name: clue.format(slot.name) for slot in puzzle.slots})


GRIDS: dict[str, Puzzle] = {
    "a square": square(),
    "one row": numbered("....."),
    "one column": numbered(".\n.\n."),
    "one cell": numbered("."),
    "all black": parse("###\n###"),
    "unchecked cells": numbered("...\n#.#\n..."),
    "cells in no slot": numbered(".#.\n#.#\n.#."),
    "voids": numbered("~..\n...\n..~"),
    "no clues": parse("...\n...\n..."),
    "216 identical clues": numbered(
        "\n".join("#" * 23 if row % 4 == 3 else "...#" * 5 + "..." for row in range(23)),
        clue="the same",
    ),
    "long clue": numbered("...", clue="word " * 2000),
    "strange clue": numbered("...", clue="🂡 \u202e\x00 ßЖ漢 ___ <b>"),
    "bars": Puzzle(
        Grid(("....", "...."), frozenset({((0, 1), "A"), ((0, 2), "D")})), {"1A": "clue 1A"}
    ),
    "given letters": square().with_given({(0, 0): "C", (2, 2): "N"}),
    "contradicting letters": square().with_given({(0, 0): "Q", (0, 1): "Q", (0, 2): "Z"}),
    "a given rebus": square().with_given({(1, 1): "RST"}),
    "a given digit": square().with_given({(1, 1): "7"}),
    "all given": square().with_given(dict(square().solution or {})),
}
GRID_NAMES = sorted(GRIDS)


@pytest.fixture(params=solvers.names())
def solver(request: pytest.FixtureRequest) -> Solver:
    return solvers.create(request.param)


def guesser() -> FakeGuesser:
    """Knows the square, and a handful of words of other lengths for any numbered clue."""
    table = dict(knowing(0.6, slot_1A=[("DOG", 0.3), ("CAT", 0.28)]).table)
    for name in ("1A", "1D", "2D", "3D", "4A", "5A", "6A"):
        table[f"clue {name}"] = [("ANT", 0.4), ("NET", 0.3), ("AT", 0.5), ("TREES", 0.2)]
    table["the same"] = [("ANT", 0.4), ("NET", 0.3), ("TEN", 0.2)]
    return FakeGuesser(table)


def frozen(puzzle: Puzzle) -> Puzzle:
    """A puzzle whose mappings refuse to be written to."""
    return replace(
        puzzle,
        clues=MappingProxyType(dict(puzzle.clues)),
        fill=MappingProxyType(dict(puzzle.fill)),
        solution=None if puzzle.solution is None else MappingProxyType(dict(puzzle.solution)),
    )


def parts(solution: Solution) -> tuple[object, ...]:
    """Everything of a solution but what it took."""
    return (
        dict(solution.fill),
        dict(solution.letters),
        dict(solution.candidates),
        solution.status,
    )


def test_a_solver_has_the_name_it_is_registered_by() -> None:
    for name in solvers:
        made = solvers.create(name)
        assert isinstance(made, Solver)
        assert made.name == name


@pytest.mark.parametrize("grid", GRID_NAMES)
def test_any_grid_ends_with_a_sound_result(solver: Solver, grid: str) -> None:
    puzzle = frozen(GRIDS[grid]).without_answers()
    solution = solver.solve(frozen(puzzle), guesser())
    assert solution.status in STATUSES
    assert set(solution.fill) <= set(puzzle.grid.cells)
    assert all(solution.fill.values())
    for cell in puzzle.given:
        assert solution.fill[cell] == puzzle.fill[cell]
    for cell, text in solution.fill.items():
        assert cell in puzzle.given or set(text) <= LETTERS
    for cell, options in solution.letters.items():
        assert puzzle.grid.is_open(cell)
        assert all(-1e-6 <= p <= 1 + 1e-6 for _, p in options)
        assert len({text for text, _ in options}) == len(options)
        ranked = [p for _, p in options]
        assert ranked == sorted(ranked, reverse=True)
        assert sum(ranked) <= 1 + 1e-4
    assert set(solution.candidates) <= {slot.name for slot in puzzle.slots}
    for guesses in solution.candidates.values():
        ranked = [guess.log_prob for guess in guesses]
        assert ranked == sorted(ranked, reverse=True)
    assert solution.statistics.seconds >= 0


@pytest.mark.parametrize("grid", GRID_NAMES)
def test_the_solved_status_means_that_every_slot_is_filled(solver: Solver, grid: str) -> None:
    solution = solve(GRIDS[grid], guesser(), solver)
    slots = GRIDS[grid].slots
    if solution.status == "solved":
        assert all(cell in solution.fill for slot in slots for cell in slot.cells)


def test_guesses_that_agree_give_the_right_grid(solver: Solver) -> None:
    solution = solve(square(), knowing(), solver)
    assert solution.fill == square().solution
    assert solution.status == "solved"


def test_the_answers_in_the_file_make_no_difference(solver: Solver) -> None:
    told = frozen(square())
    blank = told.without_answers()
    wrong = replace(told, solution=dict.fromkeys(told.grid.cells, "X"))
    expected = parts(solver.solve(blank, guesser()))
    assert parts(solver.solve(told, guesser())) == expected
    assert parts(solver.solve(wrong, guesser())) == expected
    assert parts(solve(told.with_letters(dict(told.solution or {})), guesser(), solver)) == expected


def test_the_same_puzzle_twice_gives_the_same_result(solver: Solver) -> None:
    assert parts(solve(square(), guesser(), solver)) == parts(solve(square(), guesser(), solver))


def test_a_puzzle_is_never_changed(solver: Solver) -> None:
    puzzle = square().with_given({(0, 0): "C"})
    before = (dict(puzzle.fill), dict(puzzle.clues), dict(puzzle.solution or {}))
    solve(puzzle, guesser(), solver)
    assert (dict(puzzle.fill), dict(puzzle.clues), dict(puzzle.solution or {})) == before


def test_no_time_at_all_gives_a_timeout_that_keeps_the_given_letters(solver: Solver) -> None:
    puzzle = square().with_given({(0, 0): "C"})
    solution = solve(puzzle, guesser(), solver, timeout_seconds=0.0)
    assert solution.status == "timeout"
    assert solution.fill[0, 0] == "C"


def test_cancelled_before_it_starts(solver: Solver) -> None:
    puzzle = square().with_given({(0, 0): "C"})
    solution = solve(puzzle, guesser(), solver, cancelled=lambda: True)
    assert solution.status == "cancelled"
    assert solution.fill[0, 0] == "C"


def test_cancelled_in_mid_work(solver: Solver) -> None:
    asked = 0

    def cancelled() -> bool:
        nonlocal asked
        asked += 1
        return asked > 2

    status = solve(square(), guesser(), solver, cancelled=cancelled).status
    assert asked >= 2, "a solver that hardly ever asks can't be stopped"
    assert (status == "cancelled") == (asked > 2)


def test_a_deadline_is_honoured_on_a_grid_of_30_by_30(solver: Solver) -> None:
    puzzle = numbered("\n".join(["." * 30] * 30))
    words = [("".join(chr(65 + (i * j) % 26) for j in range(30)), 0.01) for i in range(1, 60)]
    crowd: Guesser = FakeGuesser(dict.fromkeys(puzzle.clues.values(), words))
    solve(square(), guesser(), solver)  # what is compiled on first use is compiled now
    before = time.monotonic()
    solution = solve(puzzle, crowd, solver, timeout_seconds=0.3)
    assert time.monotonic() - before < 5.0  # generous: machines that run tests are busy
    assert solution.status in STATUSES


def test_progress_is_a_sound_state_with_a_fraction(solver: Solver) -> None:
    seen: list[Progress] = []
    solve(square(), guesser(), solver, on_progress=seen.append)
    assert seen
    for step in seen:
        assert 0.0 <= step.fraction <= 1.0
        assert set(step.fill) <= set(square().grid.cells)
        assert all(-1e-6 <= value <= 1 + 1e-6 for value in step.confidence.values())
        assert isinstance(step.stage, str)
    states = [dict(step.fill) for step in seen]
    solve(square(), guesser(), solver, on_progress=lambda step: None)
    assert states == [dict(step.fill) for step in seen]  # nobody writes to them afterwards


def transposed(puzzle: Puzzle) -> Puzzle:
    rows = tuple("".join(column) for column in zip(*puzzle.grid.rows, strict=True))
    grid = Grid(rows)
    starts = {(slot.cells[0][::-1], slot.direction): slot.name for slot in puzzle.slots}
    clues = {
        slot.name: puzzle.clue(starts[slot.cells[0], "A" if slot.direction == "D" else "D"])
        for slot in grid.slots
    }
    return Puzzle(grid, clues)


@pytest.mark.parametrize("grid", ["a square", "unchecked cells", "voids"])
def test_the_order_of_slots_makes_no_difference_where_that_is_claimed(
    solver: Solver, grid: str
) -> None:
    if not getattr(solver, "order_independent", False):
        pytest.skip(f"{solver.name} goes over the slots in their order")
    puzzle = GRIDS[grid].without_answers()
    upright = solve(puzzle, guesser(), solver)
    flat = solve(transposed(puzzle), guesser(), solver)
    swapped: dict[Cell, str] = {(row, col): text for (col, row), text in flat.fill.items()}
    assert swapped == upright.fill


def test_clues_in_another_order_make_no_difference(solver: Solver) -> None:
    backwards = square().with_clues(dict(reversed(SQUARE_CLUES.items())))
    assert parts(solve(backwards, guesser(), solver)) == parts(solve(square(), guesser(), solver))
