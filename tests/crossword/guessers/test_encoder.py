"""The encoder's composed answers: the clue chooses among phrases, and bounds hold."""

from __future__ import annotations

import numpy as np
import pytest

from crossword.artifacts import ModelFolder
from crossword.guessers.encoder import EncoderGuesser, open_part
from crossword.vocabulary import MAX_LENGTH
from tests.crossword.test_phrases import MODEL


@pytest.fixture(scope="module")
def guesser(tiny_model: ModelFolder) -> EncoderGuesser:
    plain = open_part(tiny_model.part("encoder"))
    return EncoderGuesser(plain.encoder, plain.merger, MODEL)


def even(length: int) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    return np.full((length, 26), -np.log(26.0))


def test_a_clue_speaks_for_phrases_of_its_own_words(guesser: EncoderGuesser) -> None:
    cat, lamp = guesser.suits("Purring pet", [("CAT", "IT"), ("LAMP", "IT")])
    assert cat > lamp
    assert guesser.suits("Purring pet", [("IT", "ON"), ("XQZVK", "IT")]).tolist() == [0.0, 0.0]


def test_an_answers_vector_is_that_of_its_codes(guesser: EncoderGuesser) -> None:
    encoder = guesser.encoder
    answers = encoder.answers(3)
    clue = encoder.vectors(["Purring pet"])
    seen, _ = encoder.products(clue, answers)
    vector = encoder.answer_vector("CAT")
    place = answers.words.find("CAT")
    assert vector is not None and place is not None
    at = int(np.searchsorted(answers.seen, place))
    assert float(clue[0] @ vector) == pytest.approx(float(seen[0, at]), abs=1e-4)
    assert encoder.answer_vector("XQZ") is None


def test_composing_lists_phrases_once_best_first_for_the_letters(guesser: EncoderGuesser) -> None:
    found = guesser.compose("Whatever", even(8), 20)
    answers = [answer for answer, _ in found]
    assert len(set(answers)) == len(answers) <= 20
    assert "ROOFTOPS" in answers
    letters = even(8)
    letters[0] = -20.0
    letters[0, ord("C") - 65] = 0.0
    assert all(answer.startswith("C") for answer, _ in guesser.compose("Whatever", letters, 1))


def test_a_slot_longer_than_any_answer_gets_none(guesser: EncoderGuesser) -> None:
    assert guesser.compose("Whatever", even(MAX_LENGTH + 4)) == []
