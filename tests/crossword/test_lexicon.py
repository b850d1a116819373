"""The answer table and its file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crossword.errors import ModelError
from crossword.lexicon import Lexicon, front_code, front_decode
from crossword.vocabulary import words_of

TABLE = Lexicon.of(
    {"TEA": (-1.0, 1), "TEN": (-2.5, 2), "ROOFTOP": (-7.0, 6), "ROOFTOPBAR": (-9.25, 4)},
    ("seen", "jones", "ding"),
)


def test_answers_lie_by_length_and_alphabet_with_their_numbers() -> None:
    assert list(TABLE.vocabulary) == ["TEA", "TEN", "ROOFTOP", "ROOFTOPBAR"]
    assert TABLE.log_prior[TABLE.rows(3)].tolist() == [-1.0, -2.5]
    assert TABLE.sources[TABLE.rows(7)].tolist() == [6]
    assert TABLE.rows(5) == slice(0, 0)
    assert len(TABLE) == 4


def test_a_file_brings_back_the_table(tmp_path: Path) -> None:
    path = tmp_path / "answers.npz"
    TABLE.save(path)
    again = Lexicon.read(path)
    assert list(again.vocabulary) == list(TABLE.vocabulary)
    assert again.log_prior == pytest.approx(TABLE.log_prior, abs=1 / 32)
    assert again.sources.tolist() == TABLE.sources.tolist()
    assert again.source_names == TABLE.source_names


def test_refuses_a_damaged_file_and_odd_answers(tmp_path: Path) -> None:
    path = tmp_path / "answers.npz"
    with pytest.raises(ModelError, match="no answer table"):
        Lexicon.read(path)
    TABLE.save(path)
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(ModelError):
        Lexicon.read(path)
    with pytest.raises(ModelError):
        Lexicon.of({"tea": (-1.0, 1)}, ("seen",))


def test_refuses_a_newer_format_by_name(tmp_path: Path) -> None:
    path = tmp_path / "answers.npz"
    np.savez_compressed(path, format=np.array([99], np.uint32))
    with pytest.raises(ModelError, match="format 99"):
        Lexicon.read(path)


@settings(max_examples=60, deadline=None)
@given(st.sets(st.text(alphabet="ABCZ", min_size=4, max_size=4), min_size=1))
def test_front_coding_is_undone_exactly(answers: set[str]) -> None:
    letters = words_of(sorted(answers)).letters
    shared, rest = front_code(letters)
    assert np.array_equal(front_decode(shared, rest, 4), letters)
    assert rest.size <= letters.size
