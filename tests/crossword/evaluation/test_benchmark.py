from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from crossword.errors import CrosswordError, UnknownNameError
from crossword.evaluation.benchmark import Benchmark, Setup, run
from crossword.evaluation.report import report
from crossword.evaluation.seen import SeenPairs
from crossword.puzzle import Puzzle
from crossword.solvers.threshold import BasicSolver
from crossword.types import Guesser, ProgressCallback, Solution
from tests.grids import SQUARE_CLUES, knowing, square


class BrokenSolver:
    name = "broken"

    def solve(
        self,
        puzzle: Puzzle,
        guesser: Guesser,
        *,
        timeout_seconds: float | None = None,
        on_progress: ProgressCallback | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Solution:
        raise ZeroDivisionError("by design")


def test_one_run_tells_about_solver_and_guesser() -> None:
    guesser = knowing(slot_1A=[("DOG", 0.9), ("CAT", 0.8)])
    result = Benchmark(guesser, BasicSolver()).measure("square", square())
    figures = report([result])
    assert figures["puzzles"] == 1
    assert figures["words"] < 1.0
    assert figures["top1"] == pytest.approx(5 / 6)
    assert figures["top5"] == 1.0
    assert figures["per_puzzle"][0]["name"] == "square"


def test_seen_pairs_are_reported_apart() -> None:
    seen = SeenPairs.of([(SQUARE_CLUES["1A"], "CAT")])
    result = Benchmark(knowing(), BasicSolver(), seen=seen).measure("square", square())
    assert [word.seen for word in result.words if word.slot == "1A"] == ["seen"]
    assert sum(word.seen == "new" for word in result.words) == 5


def test_unsure_cells_can_be_left_blank() -> None:
    guesser = knowing(0.3, slot_1A=[("CAT", 0.9)])
    result = Benchmark(guesser, BasicSolver(), min_confidence=0.5).measure("square", square())
    assert result.filled == 3
    assert result.status == "partial"


def test_a_solver_that_breaks_gets_nothing_and_is_told_of(
    caplog: pytest.LogCaptureFixture,
) -> None:
    result = Benchmark(knowing(), BrokenSolver()).measure("square", square())
    assert (result.right, result.filled, result.cells) == (0, 0, 9)
    assert result.error == "ZeroDivisionError: by design"
    assert report([result])["errors"] == 1
    assert "the solver broke on square" in caplog.text


def test_the_report_holds_no_clue() -> None:
    figures = report([Benchmark(knowing(), BasicSolver()).measure("square", square())])
    assert all(clue not in repr(figures) for clue in SQUARE_CLUES.values())


def test_an_unknown_name_is_told_before_anything_is_loaded() -> None:
    with pytest.raises(UnknownNameError, match="confidence"):
        next(run([("a", square())], Setup(solver="nobody")))


def _without_seconds(scores: Sequence[object]) -> list[str]:
    from dataclasses import replace

    return [repr(replace(score, seconds=0.0)) for score in scores]  # type: ignore[type-var]


def test_the_number_of_jobs_changes_no_figure() -> None:
    items = [(f"puzzle {i}", square().with_given({(0, i % 3): "CAT"[i % 3]})) for i in range(5)]
    setup = Setup(guesser="ngram", solver="confidence")
    alone = list(run(items, setup))
    together = list(run(items, setup, jobs=2))
    assert [score.name for score in together] == [name for name, _ in items]
    assert _without_seconds(together) == _without_seconds(alone)


def test_an_error_in_a_worker_is_one_clear_line() -> None:
    from pathlib import Path

    setup = Setup(guesser="tfidf", model=Path("/no/such/model"))
    with pytest.raises(CrosswordError, match="no model folder"):
        list(run([("a", square())], setup, jobs=2))
