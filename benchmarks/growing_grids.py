"""How solving grows with the grid, from 5×5 to 41×41.

Real puzzles, side by side with a row and a column of blocks between them: 11 is four minis of 5,
31 four dailies of 15, 41 nine puzzles of 13. The parts don't touch, but the solver doesn't know: it
lays out, propagates and searches the whole. Slots are those of real puzzles at every size.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from time import process_time
from typing import Any

from benchmarks.measuring import forget_peak, memory_mb, settled_mb
from crossword.evaluation.metrics import score
from crossword.formats import collection
from crossword.loading import open_guesser, open_solver
from crossword.pipeline import solve
from crossword.puzzle import BLOCK, Grid, Puzzle
from crossword.solvers.warmup import warm_up

# Side: the side of a part, and how many parts a row has.
PARTS = {5: (5, 1), 11: (5, 2), 15: (15, 1), 21: (21, 1), 31: (15, 2), 41: (13, 3)}


def tiled(parts: Sequence[Puzzle], across: int) -> Puzzle:
    """Puzzles of one size as one puzzle, `across` of them in a row."""
    side = parts[0].grid.width
    step = side + 1
    size = across * step - 1
    rows = [[BLOCK] * size for _ in range(size)]
    solution, clues = {}, {}
    for number, part in enumerate(parts):
        down, right = (step * n for n in divmod(number, across))
        for r, row in enumerate(part.grid.rows):
            rows[down + r][right : right + side] = row
        for (r, c), letters in (part.solution or {}).items():
            solution[down + r, right + c] = letters
        for slot in part.slots:
            r, c = slot.cells[0]
            clues[(down + r, right + c), slot.direction] = part.clue(slot.name)
    grid = Grid(tuple("".join(row) for row in rows))
    named = {slot.name: clues[slot.cells[0], slot.direction] for slot in grid.slots}
    return Puzzle(grid, named, solution=solution)


def made(corpora: Sequence[Path], count: int) -> dict[int, list[Puzzle]]:
    """For each side some puzzles, of the latest that there are, without bars or rebus."""
    found: dict[int, list[Puzzle]] = {}
    for entry in collection.entries(corpora):
        puzzle = entry.puzzle
        if puzzle is None or not puzzle.has_solution or puzzle.rebus or puzzle.grid.bars:
            continue
        if puzzle.grid.width == puzzle.grid.height:
            found.setdefault(puzzle.grid.width, []).append(puzzle)
    sizes = {}
    for side, (part, across) in PARTS.items():
        latest = sorted(found.get(part, []), key=lambda puzzle: puzzle.date, reverse=True)
        need = across * across
        # Where there are too few for that (of side 13), groups overlap.
        step = need if len(latest) >= need * count else max(1, (len(latest) - need) // count)
        groups = [latest[i * step : i * step + need] for i in range(count)]
        sizes[side] = [tiled(group, across) for group in groups if len(group) == need]
    return sizes


def measure(model: Path | None, side: int, group: Sequence[Puzzle]) -> dict[str, Any]:
    """Seconds and memory of the default solver at one size, in a process that has met no other.

    Memory is what the first solve adds to an open model and compiled kernels; the words of each
    length, which it opens, are part of it. Seconds are taken after that, over all puzzles.
    """
    guesser, solver = open_guesser(model=model), open_solver()
    warm_up(solver, guesser)
    base = settled_mb()
    forget_peak()
    solve(group[0], guesser, solver)
    peak = memory_mb("VmHWM")
    before, right, rounds = process_time(), 0.0, 0
    for puzzle in group:
        solution = solve(puzzle, guesser, solver)
        counted = score(puzzle, solution)
        right += counted.right / counted.cells
        rounds += solution.statistics.rounds
    seconds = (process_time() - before) / len(group)
    return {
        "side": side, "cells": len(group[0].grid.cells), "slots": len(group[0].slots),
        "puzzles": len(group), "seconds": round(seconds, 3),
        "memory_mb": round(peak - base, 1), "process_mb": round(peak),
        "letters": round(right / len(group), 4), "rounds": round(rounds / len(group), 1),
    }  # fmt: skip
