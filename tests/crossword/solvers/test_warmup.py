"""Warming up calls the kernels and leaves nothing behind but their compiled form."""

from __future__ import annotations

from crossword.solvers.search import SearchSolver
from crossword.solvers.threshold import BasicSolver
from crossword.solvers.warmup import is_warm, warm_up
from tests.grids import knowing


def test_a_solver_without_kernels_is_always_warm() -> None:
    assert is_warm(BasicSolver())


def test_search_is_warm_once_it_has_solved() -> None:
    warm_up(SearchSolver(), knowing())
    assert is_warm(SearchSolver())
