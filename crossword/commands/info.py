"""`crossword info`: the guessers, solvers and formats there are, and what a model folder holds."""

from __future__ import annotations

import json
from typing import Any

from rich.table import Table

from crossword.commands.console import out
from crossword.commands.options import DEFAULT_GUESSER, DEFAULT_SOLVER, ModelPath, chosen_model
from crossword.registry import guessers, solvers


def command(model: ModelPath = None) -> None:
    """List the guessers, solvers and file formats, and tell about a model folder."""
    from crossword import __version__, formats

    console = out()
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="bold")
    table.add_column(overflow="fold")
    table.add_row("version", __version__)
    table.add_row("guessers", ", ".join(_marked(guessers.names(), DEFAULT_GUESSER)))
    table.add_row("solvers", ", ".join(_marked(solvers.names(), DEFAULT_SOLVER)))
    writable = set(formats.names(writable=True))
    table.add_row(
        "formats",
        ", ".join(name if name in writable else f"{name} (read only)" for name in formats.names()),
    )
    folder = chosen_model(model)
    if folder is None:
        table.add_row("model", "none in models/default; make one with: crossword train --help")
    else:
        from crossword.artifacts import ModelFolder

        opened = ModelFolder.open(folder)
        table.add_row("model", str(folder))
        manifest: Any = getattr(opened, "manifest", None)
        for key, value in _facts(manifest).items():
            table.add_row(f"  {key}", value)
    console.print(table)


def _marked(names: list[str], default: str) -> list[str]:
    return [f"{name} (default)" if name == default else name for name in names]


def _facts(manifest: Any) -> dict[str, str]:
    """The manifest's entries a line each; nested ones as JSON."""
    from dataclasses import asdict, is_dataclass

    if is_dataclass(manifest) and not isinstance(manifest, type):
        entries = asdict(manifest)
    else:
        entries = dict(manifest) if isinstance(manifest, dict) else {}
    return {
        key: value if isinstance(value, str) else json.dumps(value, default=str)
        for key, value in entries.items()
        if key != "files"
    }
