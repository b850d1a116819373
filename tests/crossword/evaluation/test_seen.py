from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from crossword.errors import ModelError
from crossword.evaluation.seen import SeenPairs

PAIRS = [("Purring pet", "CAT"), ("Café order", "LATTE")]


def test_pairs_are_found_again_after_saving(tmp_path: Path) -> None:
    SeenPairs.of(PAIRS).save(tmp_path / "seen.npy")
    seen = SeenPairs.load(tmp_path / "seen.npy")
    assert len(seen) == 2
    assert all(pair in seen for pair in PAIRS)
    assert ("Purring pet", "TOM") not in seen
    assert ("Barking pet", "CAT") not in seen


def test_spelling_variants_of_a_clue_are_the_same_clue() -> None:
    seen = SeenPairs.of(PAIRS)
    assert ("  purring  PET", "CAT") in seen
    assert ("Cafe order", "LATTE") in seen


def test_an_empty_set_holds_nothing() -> None:
    assert ("a", "B") not in SeenPairs.of([])


def test_the_file_has_no_clue_in_it(tmp_path: Path) -> None:
    SeenPairs.of(PAIRS).save(tmp_path / "seen.npy")
    assert b"urring" not in (tmp_path / "seen.npy").read_bytes()


@pytest.mark.parametrize("content", [b"", b"rubbish", b"\x93NUMPY\x01\x00"])
def test_a_damaged_file_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "seen.npy").write_bytes(content)
    with pytest.raises(ModelError, match=r"seen\.npy"):
        SeenPairs.load(tmp_path / "seen.npy")


def test_an_array_of_another_kind_is_refused(tmp_path: Path) -> None:
    np.save(tmp_path / "seen.npy", np.zeros((2, 2)))
    with pytest.raises(ModelError, match="train the model again"):
        SeenPairs.load(tmp_path / "seen.npy")
