"""Common English that fits, with or without the answers of a corpus."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from crossword.artifacts import ModelFolder
from crossword.errors import ModelError
from crossword.guessers import ngram
from crossword.guessers.ngram import NgramGuesser, Rates, english, sequences
from crossword.types import Query


def answers(guesser: NgramGuesser, clue: str, pattern: str, limit: int = 10) -> list[str]:
    return [guess.answer for guess in guesser.guess([Query(clue, pattern)], limit)[0]]


def test_common_words_come_first_and_no_model_is_needed() -> None:
    found = answers(ngram.load(), "Whatever", "C.T")
    assert set(found[:2]) == {"CAT", "CUT"}


def test_words_of_the_clue_are_dropped() -> None:
    assert "CAT" not in answers(ngram.load(), "A cat, a dog", "C.T")


def test_english_has_capital_letters_only_and_no_digits() -> None:
    words = english()
    assert "CAT" in words[3] and "DONT" in words[4]
    assert all(word.isalpha() and word.isupper() and word.isascii() for word in words[5])
    assert 1 not in words


def test_sequences_join_common_words() -> None:
    five = sequences(5)
    assert "OFTHE" in five and "INTHE" in five
    assert "TOALL" in five
    assert {len(text) for text in five} == {5}
    assert len(sequences(15)) > 1000
    assert sequences(200) == {}


def test_a_single_word_goes_by_its_own_frequency_not_as_a_sequence() -> None:
    words, log_probs, _ = NgramGuesser().of(6)
    assert "BECAME" in words.position  # BE + CAME, too
    expected = english()[6]["BECAME"] - english()[6]["PLEASE"]
    got = log_probs[words.position["BECAME"]] - log_probs[words.position["PLEASE"]]
    assert got == pytest.approx(expected * Rates().flatness, abs=1e-4)


def test_the_answers_of_a_corpus_come_before_english() -> None:
    trained = NgramGuesser({3: {"OLE": 9, "ZZQ": 3}}, Rates(unseen=(0.2,), unknown=(0.1,)))
    words, log_probs, log_unknown = trained.of(3)
    assert answers(trained, "Whatever", "...", 2) == ["OLE", "ZZQ"]
    assert np.exp(log_probs[words.position["OLE"]]) == pytest.approx(0.8 * 0.75, rel=1e-4)
    assert np.exp(log_unknown) == pytest.approx(0.2 * 0.1)


def test_probabilities_are_shared_and_can_t_be_changed() -> None:
    guesser = NgramGuesser()
    first, second = guesser.distributions([Query("One", "...."), Query("Two", "....")])
    assert first.log_probs is second.log_probs
    with pytest.raises(ValueError, match="read-only"):
        first.log_probs[0] = 0


def test_rates_are_read_as_they_were_written(tmp_path: Path) -> None:
    rates = Rates((0.1, 0.2), (0.3,), 0.7, 12)
    rates.save(tmp_path)
    assert Rates.load(tmp_path) == rates
    (tmp_path / "calibration.json").write_text("{}")
    with pytest.raises(ModelError, match="can't be read"):
        Rates.load(tmp_path)


def test_a_trained_part_knows_the_corpus(tiny_model: ModelFolder) -> None:
    trained = ngram.load(model=tiny_model)
    assert answers(trained, "Whatever", "..........", 3)
    assert "NOTEBOOK" in answers(trained, "Whatever", "........", 3)
