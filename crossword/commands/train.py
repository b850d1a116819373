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
    update: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Add the corpus to this model instead, and write that to --out."
        ),
    ] = None,
) -> None:
    """Train guessers on a corpus, into a model folder. Needs the extra `train`.

    With --update a model gets new puzzles in seconds: their clues and answers are added, what was
    learned stays. Examples:

      crossword train --corpus archive.zip --split even-odd --only tfidf --out models/mine

      crossword train --update models/mine --corpus november.zip --out models/mine-november

    On several processes or machines, the encoder: torchrun --nproc-per-node 4 -m train.encoder …
    """
    if update is not None and (split or only or chosen):
        raise CrosswordError("--update keeps a model's parts and settings: leave those out")
    try:
        from train import update as updating
        from train.command import run
        from train.settings import assignments
    except ImportError as error:
        raise CrosswordError(
            f"training needs more packages ({error.name} is missing): "
            "pip install 'crossword-solver[train]'"
        ) from None
    if update is not None:
        updating.run(update, corpus, output, until, cache=cache)
        return
    run(
        corpus=corpus,
        out=output,
        until=until,
        split=split,
        only=only,
        settings=assignments(chosen or ()),
        cache=cache,
    )
