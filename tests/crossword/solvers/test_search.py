"""Search: the whole grid's score decides, and answers in no list are composed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from crossword.puzzle import parse
from crossword.solvers.belief import chain_for, propagate
from crossword.solvers.layout import lay_out
from crossword.solvers.letters import Limits
from crossword.solvers.search import Climber, SearchSolver, likeliest
from crossword.solvers.widening import with_answers
from crossword.types import Progress
from crossword.vocabulary import Vocabulary
from tests.fakes import FakeGuesser
from tests.grids import knowing, square


class ComposingGuesser(FakeGuesser):
    """A fake that also makes up the phrases it is told."""

    phrases: tuple[tuple[str, float], ...] = ()

    def compose(
        self, clue: str, letter_log_probs: NDArray[np.float64], limit: int = 100
    ) -> list[tuple[str, float]]:
        return [pair for pair in self.phrases if len(pair[0]) == len(letter_log_probs)][:limit]


def test_search_fills_the_square() -> None:
    puzzle = square()
    assert SearchSolver().solve(puzzle.without_answers(), knowing()).fill == puzzle.solution


def test_climbing_never_lowers_the_score_and_keeps_it_true() -> None:
    layout = lay_out(square().without_answers())
    guesser = knowing(slot_1A=[("DOG", 0.5), ("CAT", 0.4)])
    distributions = guesser.distributions(layout.queries)
    beliefs = propagate(
        layout, distributions, chain=chain_for(distributions), limits=Limits(), rounds=1
    )
    climber = Climber(beliefs)
    fill = climber.fill(np.zeros(len(layout.cells), dtype=np.uint8))
    before = fill.total
    for pairs in (False, True, False):
        climber.climb(fill, pairs=pairs)
        assert fill.total >= before
        before = fill.total
        assert np.isclose(fill.total, climber.fill(fill.letters).total)


def test_the_climbed_fill_is_the_best_of_all_when_words_are_few() -> None:
    puzzle = square()
    layout = lay_out(puzzle.without_answers())
    guesser = knowing()
    distributions = guesser.distributions(layout.queries)
    beliefs = propagate(layout, distributions, chain=chain_for(distributions), limits=Limits())
    climber = Climber(beliefs)
    found = climber.fill(likeliest(beliefs))
    climber.climb(found)
    assert puzzle.solution is not None
    right = np.array([ord(puzzle.solution[cell]) - 65 for cell in layout.cells], dtype=np.uint8)
    assert np.isclose(found.total, climber.fill(right).total)


def test_an_answer_in_no_list_is_composed() -> None:
    # An unchecked slot: nothing but the phrase model can say what stands there.
    puzzle = parse("........", {"1A": "Plea from the tired"})
    guesser = ComposingGuesser({"Plea from the tired": [("PILLOWED", 0.05)]})
    guesser.phrases = (("LETMEBED", -0.2), ("LETMEBAD", -9.0))
    assert puzzle.with_letters(SearchSolver().solve(puzzle, guesser).fill).entry("1A") == "LETMEBED"
    plain = SearchSolver(compose=False).solve(puzzle, guesser)
    assert puzzle.with_letters(plain.fill).entry("1A") != "LETMEBED"


def test_added_answers_keep_a_distribution_whole_and_sorted() -> None:
    guesser = FakeGuesser({"x": [("CAT", 0.4), ("DOG", 0.2)]})
    (before,) = guesser.distributions(lay_out(parse("...", {"1A": "x"})).queries)
    after = with_answers(before, [("COW", -1.0), ("ANT", -2.0), ("CAT", -1.0)])
    assert list(after.words) == ["ANT", "CAT", "COW", "DOG"]
    total = np.exp(after.log_probs).sum() + np.exp(after.log_unknown)
    assert total <= 1.0 + 1e-6
    assert with_answers(before, [("CAT", -1.0)]) is before


def test_letters_of_the_user_are_kept_even_against_every_word() -> None:
    puzzle = square().without_answers().with_given({(0, 0): "X", (1, 1): "Q"})
    solution = SearchSolver().solve(puzzle, knowing())
    assert solution.fill[0, 0] == "X" and solution.fill[1, 1] == "Q"


def test_progress_is_reported_and_cancelling_still_gives_a_grid() -> None:
    seen: list[Progress] = []
    puzzle = square().without_answers()
    SearchSolver().solve(puzzle, knowing(), on_progress=seen.append)
    assert seen and all(0 < one.fraction <= 1 for one in seen)
    stopped = SearchSolver().solve(puzzle, knowing(), cancelled=lambda: True)
    assert stopped.status == "cancelled"
    assert set(stopped.fill) == set(puzzle.grid.cells)


def test_repeated_runs_give_the_same_solution() -> None:
    guesser = knowing(slot_1A=[("DOG", 0.5), ("CAT", 0.4)])
    runs = [SearchSolver().solve(square().without_answers(), guesser) for _ in range(2)]
    assert runs[0].fill == runs[1].fill and runs[0].letters == runs[1].letters


def test_an_empty_vocabulary_still_fills_the_grid() -> None:
    guesser = FakeGuesser({})
    guesser.vocabulary = Vocabulary({})
    solution = SearchSolver().solve(square().without_answers(), guesser)
    assert set(solution.fill) == set(square().grid.cells)
