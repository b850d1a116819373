"""TF-IDF neighbours: scikit-learn's numbers, length before nearness, no repeats of the clue."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse
from sklearn.feature_extraction.text import TfidfVectorizer

from crossword.artifacts import ModelFolder
from crossword.errors import ModelError
from crossword.guessers import tfidf
from crossword.guessers.tfidf import SparseSearch, StoredRows, Vectoriser, terms
from crossword.types import Guesser, Query
from tests.corpus import CLUES

Load = Callable[[str], Guesser]
TEXTS = [clue for clues in CLUES.values() for clue in clues]


def test_terms_are_words_pairs_and_pieces() -> None:
    assert terms("Big cats") == [
        "big", "cats", "big", "cats", "big cats",
        "#<big", "#big>", "#<cat", "#cats", "#ats>",
    ]  # fmt: skip


def test_terms_of_a_monstrous_clue_are_bounded() -> None:
    assert len(terms("word " * 2000)) < 1000


def test_vectors_are_those_of_scikit_learn(tmp_path: Path) -> None:
    theirs = TfidfVectorizer(analyzer=terms, sublinear_tf=True, dtype=np.float32).fit(TEXTS)
    index = {term: int(at) for term, at in theirs.vocabulary_.items()}
    Vectoriser(index, theirs.idf_.astype(np.float32)).save(tmp_path)
    ours = Vectoriser.load(tmp_path)
    asked = [*TEXTS, "A purring stranger, whose words nobody knows", "", "漢字"]
    difference = ours.transform(asked) - theirs.transform(asked)
    assert abs(difference).max() < 1e-5


def test_stored_rows_give_back_any_part(tmp_path: Path) -> None:
    matrix = sparse.random_array((9, 20), density=0.3, rng=1, dtype=np.float64).tocsr()
    StoredRows.of(matrix).save(tmp_path)
    part = StoredRows.load(tmp_path).part(3, 7, 20)
    assert np.abs(part.toarray() - matrix[3:7].toarray()).max() < 1e-3


def test_a_clue_that_was_seen_brings_its_answer(load_tiny: Load) -> None:
    guesser = load_tiny("tfidf")
    asked = [Query(clues[0], "." * len(answer)) for answer, clues in CLUES.items()]
    found = guesser.guess(asked, 1)
    right = [
        guesses[0].answer == answer for guesses, answer in zip(found, CLUES, strict=True) if guesses
    ]
    assert sum(right) / len(CLUES) > 0.7


def test_the_length_filter_comes_before_the_neighbours(load_tiny: Load) -> None:
    guesses = load_tiny("tfidf").guess([Query("Purring pet", ".....")])[0]
    assert guesses
    assert {len(guess.answer) for guess in guesses} == {5}


def test_a_word_of_the_clue_is_never_the_answer(load_tiny: Load) -> None:
    guesser = load_tiny("tfidf")
    query = Query("Cat, a whiskered pet", "...")
    assert "CAT" not in [guess.answer for guess in guesser.guess([query])[0]]
    found = guesser.distributions([query])[0]
    assert np.exp(found.log_probs[found.words.position["CAT"]]) < 1e-20


def test_batches_larger_than_one_product_keep_their_order(load_tiny: Load) -> None:
    guesser = load_tiny("tfidf")
    asked = [Query(TEXTS[i % len(TEXTS)], "." * (3 + i % 3)) for i in range(200)]
    together = guesser.guess(asked, 1)
    for at in (0, 63, 64, 199):
        assert together[at] == guesser.guess([asked[at]], 1)[0]


def test_a_model_is_needed(tiny_model: ModelFolder) -> None:
    with pytest.raises(ModelError, match="crossword train"):
        tfidf.load()
    assert isinstance(tfidf.load(model=tiny_model).search, SparseSearch)
