"""Trains `tfidf`: the terms and their weights (scikit-learn), and a sparse row for each clue.

    python -m train.tfidf --corpus archive.zip --out models/tfidf-only --min-df 2
    crossword train --corpus archive.zip --only tfidf --out models/tfidf-only

Takes about a minute for a million clues, and 3 GB.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from scipy import sparse
from sklearn.feature_extraction.text import TfidfVectorizer

from crossword.errors import DataError
from crossword.guessers.tfidf import ALL_FEATURES, NAME, StoredRows, Vectoriser, open_part, terms
from train.calibration import cases_of, fit, uncalibrated
from train.pairs import Pairs


@dataclass(frozen=True)
class Settings:
    min_df: int = field(default=2, metadata={"help": "terms in fewer clues than this don't count"})
    reverse: bool = field(default=True, metadata={"help": "also turn synonym clues round"})


def build(pairs: Pairs, part: Path, settings: Settings) -> None:
    """Everything of the part but its calibration."""
    stored = pairs.with_reversed() if settings.reverse else pairs
    # In a corpus of a few puzzles hardly a term comes twice.
    least = settings.min_df if len(stored) >= 10_000 else 1
    vectoriser = TfidfVectorizer(analyzer=terms, sublinear_tf=True, min_df=least, dtype=np.float32)
    try:
        rows = vectoriser.fit_transform(stored.clues)
    except ValueError as error:
        raise DataError(f"tfidf finds no terms in these clues: {error}") from None
    index = {term: int(at) for term, at in vectoriser.vocabulary_.items()}
    Vectoriser(index, vectoriser.idf_.astype(np.float32)).save(part)
    StoredRows.of(sparse.csr_array(rows)).save(part)
    stored.memory().save(part)


def calibrate(part: Path, held: Sequence[tuple[str, str]]) -> None:
    """Fit the probabilities on clues that `build` has not seen."""
    guesser = open_part(part, uncalibrated(ALL_FEATURES))
    fit(cases_of(guesser, held), ALL_FEATURES).save(part)


if __name__ == "__main__":
    from train.command import main

    main(only=NAME)
