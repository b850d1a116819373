"""Opens a guesser or solver by name, a guesser with the model folder that it was trained into.

The default model lies in `models/default`, of the folder one is in or of the project that this
package was cloned with. What needs no model (`ngram`) works without one.
"""

from __future__ import annotations

from inspect import Parameter, signature
from pathlib import Path

from crossword.registry import DEFAULT_GUESSER, DEFAULT_SOLVER, guessers, solvers
from crossword.types import Guesser, Solver

DEFAULT_MODEL = Path("models", "default")
MANIFEST = "manifest.json"


def default_model() -> Path | None:
    """The default model folder, or None where none has been made yet."""
    for root in (Path(), Path(__file__).resolve().parent.parent):
        if (root / DEFAULT_MODEL / MANIFEST).is_file():
            return root / DEFAULT_MODEL
    return None


def open_guesser(name: str = DEFAULT_GUESSER, model: Path | str | None = None) -> Guesser:
    """A guesser by name; `model` is a folder made by `crossword train`, or else the default one."""
    factory = guessers.factory(name)
    options = signature(factory).parameters
    takes_model = "model" in options or any(
        option.kind is Parameter.VAR_KEYWORD for option in options.values()
    )
    folder = default_model() if model is None else Path(model)
    if folder is None or not takes_model:
        return factory()
    from crossword.artifacts import ModelFolder

    return factory(model=ModelFolder.open(folder))


def open_solver(name: str = DEFAULT_SOLVER) -> Solver:
    """A solver by name."""
    return solvers.create(name)
