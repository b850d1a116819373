"""Warming up calls the kernels and leaves nothing behind but their compiled form."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from crossword.solvers.search import SearchSolver
from crossword.solvers.threshold import BasicSolver
from crossword.solvers.warmup import is_warm, warm_up
from tests.fakes import FakeGuesser
from tests.grids import knowing


def test_a_solver_without_kernels_is_always_warm() -> None:
    assert is_warm(BasicSolver())


def test_search_is_warm_once_it_has_solved() -> None:
    warm_up(SearchSolver(), knowing())
    assert is_warm(SearchSolver())


class Composing(FakeGuesser):
    asked = 0

    def compose(
        self, clue: str, letter_log_probs: NDArray[np.float64], limit: int = 100
    ) -> list[tuple[str, float]]:
        self.asked += 1
        assert letter_log_probs.shape[1] == 26
        return []


def test_a_guesser_that_composes_is_warmed_too() -> None:
    guesser = Composing({})
    warm_up(BasicSolver(), guesser)
    assert guesser.asked == 1
