"""What every registered guesser must do; a name that is registered later is covered too."""

from __future__ import annotations

import math

import numpy as np
import pytest

from crossword.puzzle import fits
from crossword.registry import guessers
from crossword.types import Guesser, Query

STRANGE = [
    "",
    " ",
    "word " * 2000,
    "x" * 10_000,
    "🂡🂢 Ünïcödé ß Æ ﬁ",
    "漢字 Жук عربي",
    "\x00\x01\u202e\ufeff\u2028",
    "<script>alert(1)</script> &amp; &#0; &#x110000;",
    "___ ___ ___???!!!",
    "17-Across, e.g. (abbr.)",
    "\ud800".encode("utf-8", "replace").decode(),
    "1234567890",
    "'" * 50,
]
PATTERNS = ["...", "....", ".....", "A..", "..E", "S....", "........", "Q.X.Z", "CAT", "." * 15]


@pytest.fixture(scope="module", params=guessers.names())
def guesser(request: pytest.FixtureRequest) -> Guesser:
    load = request.getfixturevalue("load_tiny")
    made: Guesser = load(request.param)
    return made


def queries() -> list[Query]:
    clues = ["Purring pet", "You ___ here", "Big name in clocks?", "Fingers, all told"]
    return [Query(clue, pattern) for clue in clues for pattern in PATTERNS]


def test_a_guesser_has_the_name_it_is_registered_by(
    guesser: Guesser, request: pytest.FixtureRequest
) -> None:
    assert isinstance(guesser, Guesser)
    assert guesser.name in guessers.names()


def test_guesses_are_sound(guesser: Guesser) -> None:
    asked = queries()
    found = guesser.guess(asked, 20)
    assert len(found) == len(asked)
    assert any(found), "a guesser that never guesses"
    for query, guesses in zip(asked, found, strict=True):
        assert len(guesses) <= 20
        assert len({guess.answer for guess in guesses}) == len(guesses), "a repeat"
        ranked = [guess.log_prob for guess in guesses]
        assert ranked == sorted(ranked, reverse=True), "not best first"
        assert all(fits(guess.answer, query.pattern) for guess in guesses)
        assert sum(guess.probability for guess in guesses) <= 1 + 1e-4
        for guess in guesses:
            assert math.isfinite(guess.log_prob)
            assert 0.0 <= guess.confidence <= 1.0
            assert all(isinstance(text, str) for text in guess.evidence)


def test_distributions_add_up_to_one_with_the_unknown(guesser: Guesser) -> None:
    asked = queries()
    found = guesser.distributions(asked)
    assert len(found) == len(asked)
    for query, distribution in zip(asked, found, strict=True):
        assert distribution.words.length == query.length
        assert distribution.log_probs.shape == (len(distribution.words),)
        total = np.exp(distribution.log_probs.astype(np.float64)).sum()
        assert total + math.exp(distribution.log_unknown) == pytest.approx(1.0, abs=1e-3)
        assert distribution.log_unknown <= 1e-6
        if distribution.letters is not None:
            assert distribution.letters.shape == (query.length, 26)
            assert distribution.letters.sum(axis=1) == pytest.approx(1.0, abs=1e-3)


def test_a_list_is_the_head_of_the_distribution(guesser: Guesser) -> None:
    asked = [query for query in queries() if set(query.pattern) == {"."}]
    lists, whole = guesser.guess(asked, 5), guesser.distributions(asked)
    for guesses, distribution in zip(lists, whole, strict=True):
        for guess in guesses:
            at = distribution.words.position.get(guess.answer)
            if at is not None:  # a guesser may also make answers up that no vocabulary holds
                assert distribution.log_probs[at] == pytest.approx(guess.log_prob, abs=1e-3)
        if guesses and guesses[0].answer in distribution.words.position:
            assert guesses[0].log_prob >= float(distribution.log_probs.max()) - 1e-3


def test_a_batch_gives_what_single_questions_give(guesser: Guesser) -> None:
    asked = queries()[::3]
    together = guesser.guess(asked, 5)
    alone = [guesser.guess([query], 5)[0] for query in asked]
    for one, other in zip(together, alone, strict=True):
        assert [guess.answer for guess in one] == [guess.answer for guess in other]
        for guess, same in zip(one, other, strict=True):
            assert guess.log_prob == pytest.approx(same.log_prob, abs=1e-3)


def test_the_same_question_twice_in_a_batch_gives_the_same_twice(guesser: Guesser) -> None:
    query = Query("Purring pet", "...")
    first, second = guesser.guess([query, query], 5)
    assert first == second


def test_an_empty_batch_gives_nothing(guesser: Guesser) -> None:
    assert guesser.guess([]) == []
    assert guesser.distributions([]) == []


def test_no_limit_gives_no_guess(guesser: Guesser) -> None:
    assert guesser.guess([Query("Purring pet", "...")], 0) == [[]]


@pytest.mark.parametrize("length", [1, 2, 40, 60, 61, 200])
def test_a_length_that_nobody_knows_is_no_error(guesser: Guesser, length: int) -> None:
    query = Query("Purring pet", "." * length)
    guesses = guesser.guess([query])[0]
    assert all(len(guess.answer) == length for guess in guesses)
    distribution = guesser.distributions([query])[0]
    total = np.exp(distribution.log_probs.astype(np.float64)).sum()
    assert total + math.exp(distribution.log_unknown) == pytest.approx(1.0, abs=1e-3)


@pytest.mark.parametrize("clue", STRANGE, ids=range(len(STRANGE)))
def test_any_clue_gets_an_answer_or_none_in_time(guesser: Guesser, clue: str) -> None:
    for pattern in ("....", "A..."):
        guesses = guesser.guess([Query(clue, pattern)], 10)[0]
        assert all(fits(guess.answer, pattern) for guess in guesses)
        assert sum(guess.probability for guess in guesses) <= 1 + 1e-4
    distribution = guesser.distributions([Query(clue, "....")])[0]
    assert not np.isnan(distribution.log_probs).any()
