"""`crossword convert IN OUT`: from any format to any that can be written."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from crossword.commands.console import out, say


def command(
    source: Annotated[Path, typer.Argument(metavar="IN", help="A puzzle file of any format.")],
    target: Annotated[
        Path, typer.Argument(metavar="OUT", help="Where to; the suffix says which format.")
    ],
) -> None:
    """Convert a puzzle file; what the new format can't hold is said.

    Example: crossword convert monday.puz monday.ipuz
    """
    from crossword import formats

    puzzle = formats.read(source)
    for notice in puzzle.notices:
        say(f"{source}: {notice}")
    dropped = formats.write(puzzle, target)
    for line in dropped:
        say(f"{target}: dropped {line}")
    grid = puzzle.grid
    out().print(
        f"{target}: {grid.height}×{grid.width}, {len(puzzle.clues)} clues"
        + ("" if puzzle.has_solution else ", no solution"),
        markup=False,
    )
