"""Options that several commands share, with their help; and opening what they name."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from crossword.commands.console import say
from crossword.errors import UnknownNameError
from crossword.loading import default_model, open_guesser, open_solver
from crossword.registry import DEFAULT_GUESSER, DEFAULT_SOLVER, guessers, solvers
from crossword.types import Guesser, Solver


def _guesser_name(name: str) -> str:
    if name not in guessers:
        raise UnknownNameError("guesser", name, guessers)
    return name


def _solver_name(name: str) -> str:
    if name not in solvers:
        raise UnknownNameError("solver", name, solvers)
    return name


GuesserName = Annotated[
    str,
    typer.Option(
        "--guesser", callback=_guesser_name, help="Who guesses the clues; `crossword info` lists."
    ),
]
SolverName = Annotated[
    str,
    typer.Option(
        "--solver", callback=_solver_name, help="Who fills the grid; `crossword info` lists."
    ),
]
ModelPath = Annotated[
    Path | None,
    typer.Option(
        "--model", help="A folder made by `crossword train`; models/default if not given."
    ),
]
Seconds = Annotated[
    float | None,
    typer.Option("--seconds", min=0.0, help="Stop a puzzle after so many seconds, with its best."),
]
MinConfidence = Annotated[
    float,
    typer.Option(
        "--min-confidence", min=0.0, max=1.0, help="Leave cells blank that are less sure than this."
    ),
]

EngineName = Annotated[
    str,
    typer.Option(
        "--engine",
        help="Where the work runs: `local` (processes of this machine) or `ray` (a cluster).",
    ),
]
Address = Annotated[
    str | None,
    typer.Option(
        help="Of a running Ray cluster, as 10.0.0.5:6379 or auto. [default: one starts here]"
    ),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs", "-j", min=1,
        help="How many at a time. [default: 1; with Ray, all the cores it has]",
    ),
]  # fmt: skip

__all__ = [
    "DEFAULT_GUESSER",
    "DEFAULT_SOLVER",
    "Address",
    "EngineName",
    "GuesserName",
    "Jobs",
    "MinConfidence",
    "ModelPath",
    "Seconds",
    "SolverName",
    "chosen_model",
    "load_guesser",
    "load_solver",
    "named_guesser",
]


def chosen_model(model: Path | None) -> Path | None:
    """The folder that was asked for, else the default one if it is there."""
    return model if model is not None else default_model()


def named_guesser(name: str, model: Path | None) -> tuple[str, Path | None]:
    """Name and folder of the guesser to open; without any model common English, and say so."""
    folder = chosen_model(model)
    if folder is None and name == DEFAULT_GUESSER:
        say("There is no trained model in models/default: guessing from common English alone.")
        return "ngram", None
    return name, folder


def load_guesser(name: str, model: Path | None) -> Guesser:
    """The guesser; without any model, what common English alone gives, and say so."""
    return open_guesser(*named_guesser(name, model))


def load_solver(name: str) -> Solver:
    return open_solver(name)
