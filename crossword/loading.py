"""Opens a guesser by name, with the model folder that it was trained into.

The default model lies in `models/default`, of the folder one is in or of the project that this
package was cloned with. What needs no model (`ngram`) works without one.
"""

from __future__ import annotations

from inspect import Parameter, signature
from pathlib import Path

from crossword.errors import ModelError
from crossword.registry import guessers
from crossword.types import Guesser

DEFAULT_MODEL = Path("models", "default")
MANIFEST = "manifest.json"


def default_model() -> Path | None:
    """The default model folder, or None where none has been made yet."""
    for root in (Path(), Path(__file__).resolve().parent.parent):
        if (root / DEFAULT_MODEL / MANIFEST).is_file():
            return root / DEFAULT_MODEL
    return None


def open_guesser(name: str, model: Path | None = None) -> Guesser:
    """A guesser by name; `model` is a folder made by `crossword train`."""
    factory = guessers.factory(name)
    options = signature(factory).parameters
    takes_model = "model" in options or any(
        option.kind is Parameter.VAR_KEYWORD for option in options.values()
    )
    if model is None or not takes_model:
        return factory()
    if not model.is_dir():
        raise ModelError(f"there is no model folder {model}; make one with: crossword train")
    from crossword.artifacts import ModelFolder

    return factory(model=ModelFolder.open(model))
