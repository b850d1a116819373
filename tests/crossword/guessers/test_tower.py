"""The tower's own arithmetic; what it reads is tested with its training, in tests/train."""

from __future__ import annotations

from math import erf, sqrt

import numpy as np

from crossword.guessers.tower_kernels import gelu


def test_gelu_is_that_of_the_error_function() -> None:
    values = np.linspace(-12, 12, 2001, dtype=np.float32).reshape(3, 667)
    found = values.copy()
    gelu(found)
    expected = [0.5 * x * (1 + erf(x / sqrt(2))) for x in values.ravel().tolist()]
    assert np.allclose(found.ravel(), expected, atol=4e-6)
