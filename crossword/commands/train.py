"""`crossword train`: the thin end of `train.command`, which holds the scripts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from crossword.errors import CrosswordError


def command(
    corpus: Annotated[
        list[Path],
        typer.Option(help="Puzzle files, folders, zips, ipuz .jsonl[.gz]. Repeatable."),
    ],
    output: Annotated[Path, typer.Option("--out", "-o", help="The model folder to make.")],
    until: Annotated[
        str | None, typer.Option(help="Only puzzles before this date, as 2023-01-01.")
    ] = None,
    split: Annotated[
        str | None, typer.Option(help="Train on the training part of a split: even-odd, forward.")
    ] = None,
    only: Annotated[
        str | None, typer.Option(help="Train only these guessers, as tfidf,word2vec.")
    ] = None,
    chosen: Annotated[
        list[str] | None,
        typer.Option("--set", help="A setting, as tfidf.min_df=3. Repeatable."),
    ] = None,
    cache: Annotated[Path | None, typer.Option(help="Where corpora are kept once read.")] = None,
) -> None:
    """Train guessers on a corpus, into a model folder. Needs the extra `train`.

    Example: crossword train --corpus archive.zip --split even-odd --only tfidf --out models/mine
    """
    try:
        from train.command import run
        from train.settings import assignments
    except ImportError as error:
        raise CrosswordError(
            f"training needs more packages ({error.name} is missing): "
            "pip install 'crossword-solver[train]'"
        ) from None
    run(
        corpus=corpus,
        out=output,
        until=until,
        split=split,
        only=only,
        settings=assignments(chosen or ()),
        cache=cache,
    )
