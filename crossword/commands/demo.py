"""`crossword demo`: watch a puzzle of our own being solved."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from crossword.commands.console import interruptible, out
from crossword.commands.live import solve_live
from crossword.commands.options import (
    DEFAULT_GUESSER,
    DEFAULT_SOLVER,
    GuesserName,
    ModelPath,
    SolverName,
    load_guesser,
    load_solver,
)
from crossword.commands.solve import show
from crossword.errors import DataError
from crossword.puzzle import Puzzle

PACE_SECONDS = 0.05  # a step; a grid of 78 slots then fills in four seconds
PREFERRED = "daily"  # a file with this in its name is shown first, if there is one


def shipped() -> list[Path]:
    """The puzzles that come with the project, in the order of their names."""
    spec = find_spec("data")
    roots = [Path(place) for place in (spec.submodule_search_locations or ())] if spec else []
    return sorted(
        path
        for root in roots
        for path in (root / "puzzles").glob("*")
        if path.suffix in {".puz", ".ipuz", ".jpz", ".xd"}
    )


def _chosen(name: str | None) -> Path:
    known = shipped()
    if not known:
        raise DataError("no shipped puzzles were found; try: crossword solve FILE")
    if name is not None:
        for path in known:
            if name in (path.name, path.stem):
                return path
        raise DataError(
            f"no shipped puzzle {name!r}; there are: {', '.join(p.stem for p in known)}"
        )
    return next((path for path in known if PREFERRED in path.stem), known[0])


def command(
    name: Annotated[
        str | None, typer.Argument(help="One of the shipped puzzles; --list shows them.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Solve all of them.")] = False,
    listed: Annotated[bool, typer.Option("--list", help="List the shipped puzzles.")] = False,
    guesser: GuesserName = DEFAULT_GUESSER,
    solver: SolverName = DEFAULT_SOLVER,
    model: ModelPath = None,
) -> None:
    """Watch a shipped puzzle being solved: green is right, red is wrong."""
    from dataclasses import replace

    from crossword import formats

    console = out()
    if listed:
        for path in shipped():
            puzzle = formats.read(path)
            console.print(f"{path.stem:28} {_about(puzzle)}", markup=False)
        return
    paths = shipped() if every else [_chosen(name)]
    player, filler = load_guesser(guesser, model), load_solver(solver)
    with interruptible() as interrupted:
        for path in paths:
            puzzle = formats.read(path)
            solution = solve_live(
                puzzle,
                player,
                filler,
                console,
                title=f"{puzzle.title or path.stem}  ({_about(puzzle)})",
                cancelled=interrupted,
                pace_seconds=PACE_SECONDS,
            )
            show(console, path.name, replace(puzzle, fill=dict(solution.fill)), solution)
            if interrupted.happened:
                raise KeyboardInterrupt
    console.print("\nSolve your own: [bold]crossword solve FILE[/bold]   (.puz, .ipuz, .jpz, .xd)")


def _about(puzzle: Puzzle) -> str:
    return f"{puzzle.grid.height}×{puzzle.grid.width}, {len(puzzle.slots)} words"
