"""The tower's own arithmetic; what it reads is tested with its training, in tests/train."""

from __future__ import annotations

from math import erf, sqrt
from pathlib import Path

import numpy as np
import pytest

from crossword.artifacts import ModelFolder
from crossword.errors import DataError
from crossword.guessers import tower
from crossword.guessers.tower import Tower
from crossword.guessers.tower_kernels import gelu
from train.coding import coder, quantise


def test_gelu_is_that_of_the_error_function() -> None:
    values = np.linspace(-12, 12, 2001, dtype=np.float32).reshape(3, 667)
    found = values.copy()
    gelu(found)
    expected = [0.5 * x * (1 + erf(x / sqrt(2))) for x in values.ravel().tolist()]
    assert np.allclose(found.ravel(), expected, atol=4e-6)


def test_a_tower_in_half_a_byte_a_number_reads_nearly_alike(
    tiny_model: ModelFolder, tmp_path: Path
) -> None:
    before = tiny_model.part("transformer")
    weights = tower.read_weights(before)
    pieces = (before / tower.PIECES).read_text().split("\n")
    tokens = quantise(weights[tower.TOKENS], 64, 0)
    for name, bits in (("bytes", 8), ("codes", 4)):
        (tmp_path / name).mkdir()
        tower.save(tmp_path / name, pieces, tokens, weights, coder(bits, 0))
    clues = ["Barking pet", "Feline at home", "Opposite of stop"]
    whole, half = (Tower.read(tmp_path / name).vectors(clues) for name in ("bytes", "codes"))
    assert (whole * half).sum(axis=1).min() > 0.9
    with pytest.raises(DataError, match="4 or 8 bits"):
        coder(5, 0)
