from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from wordgames import words
from wordgames.alphabets import alphabet
from wordgames.errors import DataError, InputError, UnknownWordError


def test_the_classic_lists_have_their_sizes() -> None:
    classic = words.classic()
    assert len(classic.answers) == 2_315
    assert len(classic.words) == 12_972
    assert set(classic.answer_words) < set(classic.words)
    assert classic.prior.sum() == pytest.approx(1)
    assert words.is_classic(classic)


def test_six_letter_english_comes_from_wordfreq() -> None:
    english = words.english(6)
    assert english.length == 6
    assert len(english.words) > 1_500
    assert "people" in english.words
    assert not words.is_classic(english)


def test_an_unknown_word_gets_its_neighbours() -> None:
    with pytest.raises(UnknownWordError, match=r"did you mean.*solar"):
        words.classic().index("solaz")


def test_a_word_of_another_length_says_both_lengths() -> None:
    with pytest.raises(UnknownWordError, match=r"4 letters.*5"):
        words.classic().index("four")


def test_a_guess_that_is_never_the_answer_is_told_apart() -> None:
    classic = words.classic()
    assert classic.answer_words[classic.answer_index("wince")] == "wince"
    with pytest.raises(UnknownWordError, match="never the answer"):
        classic.answer_index("soare")


def test_lengths_count_letters_of_the_alphabet() -> None:
    listed = ["ljubav", "džepni", "knjiga", "nož"]
    croatian = words.vocabulary(listed, letters=alphabet("croatian"), length=5)
    assert croatian.words == ("džepni", "knjiga", "ljubav")


def test_weights_become_a_prior_and_spellings_of_one_word_add_up() -> None:
    counted = words.vocabulary(["ab", "AB", "cd"], weights=[1, 2, 1])
    assert dict(zip(counted.answer_words, counted.prior, strict=True)) == {"ab": 0.75, "cd": 0.25}


@pytest.mark.parametrize("weights", [[0, 0], [-1, 2], [float("nan"), 1]])
def test_weights_that_are_no_prior_are_refused(weights: list[float]) -> None:
    with pytest.raises(DataError):
        words.vocabulary(["ab", "cd"], weights=weights)


def test_position_shares_are_taken_over_words_of_every_length() -> None:
    listed = words.vocabulary(["ab", "abc", "cb"], length=2)
    a, c = (listed.alphabet.letters.index(letter) for letter in "ac")
    assert listed.position_shares[0, a] == pytest.approx(2 / 3)
    assert listed.position_shares[0, c] == pytest.approx(1 / 3)


def test_hunspell_files_and_comments_are_understood(tmp_path: Path) -> None:
    path = tmp_path / "list.dic"
    path.write_text("3\n# note\nkutya/ABC\n macska\t12\n\nló # horse\n", encoding="utf-8")
    assert words.read_list(path) == ["kutya", "macska", "ló"]


def test_another_encoding_can_be_named(tmp_path: Path) -> None:
    path = tmp_path / "list"
    path.write_bytes("žaba".encode("iso8859-2"))
    with pytest.raises(DataError, match="--encoding"):
        words.read_list(path)
    assert words.read_list(path, "iso8859-2") == ["žaba"]
    with pytest.raises(DataError, match="no encoding"):
        words.read_list(path, "nonsense")


def test_lists_that_cannot_be_used_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="No such file"):
        words.chosen(words=tmp_path / "none")
    path = tmp_path / "list"
    path.write_text("one\nthree\n")
    with pytest.raises(InputError, match="--length"):
        words.chosen(words=path)
    with pytest.raises(DataError, match="no word of 4"):
        words.chosen(words=path, length=4)
    with pytest.raises(InputError, match="--words"):
        words.chosen(answers=path)
    with pytest.raises(InputError, match="--words FILE"):
        words.chosen("welsh")


def test_answers_can_be_fewer_than_guesses(tmp_path: Path) -> None:
    guesses, answers = tmp_path / "guesses", tmp_path / "answers"
    guesses.write_text("aa\nbb\n")
    answers.write_text("bb\ncc\n")
    chosen = words.chosen(words=guesses, answers=answers)
    assert chosen.words == ("aa", "bb", "cc")
    assert chosen.answer_words == ("bb", "cc")
    assert np.array_equal(chosen.answer_of, [-1, 0, 1])


def test_the_made_up_gitksan_list_plays_and_says_what_it_is(
    caplog: pytest.LogCaptureFixture,
) -> None:
    made_up = words.chosen("gitksan")
    assert made_up.length == 5
    assert len(made_up.words) > 100
    assert "made-up" in caplog.text


def test_a_matrix_that_does_not_fit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "MAX_MATRIX_BYTES", 3)
    with pytest.raises(DataError, match="--answers"):
        words.vocabulary(["ab", "cd"]).pattern_matrix()
