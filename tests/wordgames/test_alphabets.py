from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordgames.alphabets import Alphabet, alphabet, normalised, shipped
from wordgames.errors import DataError, InputError, UnknownNameError

LETTERS_OF = {name: letters.letters for name, letters in shipped().items()}


@st.composite
def spelled(draw: st.DrawFn) -> tuple[Alphabet, list[str]]:
    name = draw(st.sampled_from(sorted(LETTERS_OF)))
    letters = draw(st.lists(st.sampled_from(LETTERS_OF[name]), max_size=12))
    return alphabet(name), letters


@given(spelled())
def test_any_letters_survive_joining_and_splitting(case: tuple[Alphabet, list[str]]) -> None:
    letters_of, letters = case
    assert letters_of.split(letters_of.joined(letters)) == tuple(letters)


@given(spelled())
def test_any_text_survives_splitting_and_joining(case: tuple[Alphabet, list[str]]) -> None:
    letters_of, letters = case
    text = "".join(letters)  # without separators: t + s reads as ts, if the alphabet has it
    assert letters_of.joined(letters_of.split(text)) == text


@given(spelled())
def test_codes_round_trip(case: tuple[Alphabet, list[str]]) -> None:
    letters_of, letters = case
    word = letters_of.joined(letters)
    assert letters_of.decoded(letters_of.encoded(word)) == word
    assert len(letters_of.encoded(word)) == len(letters)


@given(st.text(max_size=30))
def test_normalising_twice_changes_nothing(text: str) -> None:
    once = normalised(text)
    assert normalised(once) == once


@pytest.mark.parametrize(
    ("name", "word", "letters"),
    [
        ("english", "Wince", "w i n c e"),
        ("gitksan", "ts'ap", "ts' a p"),
        ("gitksan", "hlguuhlxw", "hl g u u hl xw"),
        ("gitksan-long", "hlguuhlxw", "hl g uu hl xw"),
        ("gitksan", "'wii", "'w i i"),
        ("gitksan", "kw'ax", "kw' a x"),
        ("gitksan", "t|sa", "t s a"),
        ("hungarian", "dzsessz", "dzs e s sz"),
        ("hungarian", "gyógyít", "gy ó gy í t"),
        ("croatian", "ljubav", "lj u b a v"),
        ("croatian", "džep", "dž e p"),
        ("croatian", "ǆep", "dž e p"),
        ("welsh", "llanffair", "ll a n ff a i r"),
        ("welsh", "tŷ", "t y"),
        ("welsh", "ban|gor", "b a n g o r"),
    ],
)
def test_longest_match_comes_first(name: str, word: str, letters: str) -> None:
    assert alphabet(name).split(word) == tuple(normalised(part) for part in letters.split())


def test_apostrophes_and_underlines_are_unified() -> None:
    gitksan = alphabet("gitksan")
    plain = gitksan.split("ḵ'a")
    assert len(plain) == 2
    for typed in ("ḵ’a", "ḵʼa", "k\u0331'a", "k\u0332'a", "Ḵ‘A"):
        assert gitksan.split(typed) == plain


def test_the_letters_of_the_issue_are_all_single_letters() -> None:
    gitksan = alphabet("gitksan")
    letters = "ts' tl' kw' ḵ' k' p' t' 'm 'n 'l 'w 'y g̱ ḵ x̱ gw kw xw hl ts"
    for letter in letters.split():
        assert len(gitksan.split(letter)) == 1


@pytest.mark.parametrize("word", ["naïve", "a1b", "x y", "e\u0301"])
def test_signs_outside_the_alphabet_are_refused(word: str) -> None:
    with pytest.raises(InputError, match="no letter of English"):
        alphabet("english").split(word)


def test_an_unknown_alphabet_lists_the_known_ones() -> None:
    with pytest.raises(UnknownNameError, match=r"gitksan.*welsh"):
        alphabet("klingon")


def test_an_alphabet_can_come_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('[mine]\nletters = "sch ch a s c h"\n', encoding="utf-8")
    assert alphabet(str(path)).split("aschach") == ("a", "sch", "a", "ch")


@pytest.mark.parametrize(
    "text", ["", "letters = 3", '[mine]\nnames = "a"', "[mine", '[mine]\nletters = "a a"']
)
def test_a_bad_alphabet_file_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError):
        alphabet(str(path))


def test_a_missing_alphabet_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot read"):
        alphabet(str(tmp_path / "none.toml"))
