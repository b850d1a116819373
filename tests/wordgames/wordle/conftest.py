from __future__ import annotations

import pytest

from wordgames.wordle import Wordle
from wordgames.words import vocabulary


@pytest.fixture(scope="session")
def classic_game() -> Wordle:
    """The classic lists, standard replies; the matrix is built once."""
    return Wordle()


@pytest.fixture
def small_game() -> Wordle:
    """Six words that can be checked by eye, all of them possible answers."""
    return Wordle(vocabulary(["cat", "bat", "rat", "cot", "car", "dog"]))
