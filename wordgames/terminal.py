"""What every game's command line shares: options, where output goes, questions, coloured tiles.

Files that a command is to write are looked at before it starts its work (`checked_outputs`), so
that a mistyped folder does not cost an hour's result.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rich.console import Console
from rich.text import Text

from wordgames.errors import DataError

PLOTS = (".png", ".svg", ".pdf")
TERMINAL = "-"  # as a file's name: standard output
INTERRUPTED = 130  # the exit code shells know for Ctrl-C; what was done has been reported
_TILES = ("white on grey37", "black on yellow3", "black on green3")  # grey, yellow, green

JsonOption = Annotated[
    Path | None,
    typer.Option("--json", metavar="FILE", help="Write the result as JSON (- for the terminal)."),
]
JobsOption = Annotated[int, typer.Option("--jobs", help="Processes to use; 0 means one a core.")]


def console_beside(json_file: Path | None) -> Console:
    """Where tables go: the terminal, or out of the way of JSON that goes there."""
    return Console(stderr=str(json_file) == TERMINAL)


def checked_outputs(*paths: Path | None, plot: Path | None = None) -> None:
    """Raises if one of these files could not be written, or the plot's kind is unknown."""
    if plot is not None and plot.suffix.lower() not in PLOTS:
        raise DataError(f"cannot write plot {plot}: its name must end in {', '.join(PLOTS)}")
    for path in (*paths, plot):
        if path is None or str(path) == TERMINAL:
            continue
        if not path.parent.is_dir():
            raise DataError(f"cannot write {path}: there is no folder {path.parent}")
        if path.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
            raise DataError(f"cannot write {path}: it is a folder, or may not be written")


def fresh_seed() -> int:
    """A seed nobody chose, short enough to type again."""
    return int(np.random.SeedSequence().generate_state(1)[0])


def asked(console: Console, prompt: str) -> str | None:
    """What the player types, in lower case, or None at the end of input or Ctrl-C."""
    try:
        return console.input(prompt).strip().lower()
    except (EOFError, KeyboardInterrupt):
        console.print()
        return None


def tiles(letters: Sequence[str], colours: Sequence[int], *, narrow: bool = False) -> Text:
    """Letters on coloured tiles; colours are the digits of a reply."""
    text = Text()
    space = "" if narrow else " "
    for letter, colour in zip(letters, colours, strict=True):
        text.append(f"{space}{letter.upper()}{space}", _TILES[colour])
    return text
