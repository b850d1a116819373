"""A crossword solver for ordinary computers: read a puzzle, guess its clues, fill its grid.

Importing this loads neither torch nor faiss; guessers and solvers come when they are asked for.
"""

from crossword.errors import CrosswordError
from crossword.loading import open_guesser, open_solver
from crossword.pipeline import solve
from crossword.puzzle import Cell, Crossing, Grid, Puzzle, Slot, parse
from crossword.types import Distribution, Guess, Guesser, Query, Solution, Solver

__version__ = "0.1.0"

__all__ = [
    "Cell",
    "Crossing",
    "CrosswordError",
    "Distribution",
    "Grid",
    "Guess",
    "Guesser",
    "Puzzle",
    "Query",
    "Slot",
    "Solution",
    "Solver",
    "open_guesser",
    "open_solver",
    "parse",
    "solve",
]
