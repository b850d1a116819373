"""Hidden patterns: the same change in several long answers, found by what it explains."""

from __future__ import annotations

import numpy as np
import pytest

from crossword.puzzle import parse
from crossword.solvers.belief import Beliefs, chain_for, propagate
from crossword.solvers.layout import lay_out
from crossword.solvers.letters import Limits
from crossword.solvers.rebus import LongerAnswers
from crossword.solvers.search import SearchSolver
from crossword.solvers.themes import themed
from crossword.types import Distribution
from crossword.vocabulary import Vocabulary
from tests.fakes import FakeGuesser


def two_rows(
    above: str, below: str, *, known: dict[str, str], open_column: int
) -> tuple[Beliefs, list[Distribution], FakeGuesser]:
    """Two long answers one above the other; the clue of one column is no help.

    `known` has the answers that the guesser gives for "above" and "below".
    """
    width = len(above)
    grid = parse("\n".join(["." * width] * 2))
    names = {slot.name: slot for slot in grid.slots}
    clues, table = {}, {}
    for name, slot in names.items():
        row, column = slot.cells[0]
        clues[name] = ("above", "below")[row] if slot.direction == "A" else f"column {column}"
        if slot.direction == "D" and column != open_column:
            table[clues[name]] = [(above[column] + below[column], 0.95)]
    table |= {clue: [(answer, 0.5)] for clue, answer in known.items()}
    guesser = FakeGuesser(table)
    # The same letters turned round, so that the letter chain finds the right ones ordinary.
    turned = [word[k:] + word[:k] for word in (above, below) for k in range(1, width)]
    guesser.vocabulary = Vocabulary.of([*guesser.vocabulary, *turned])
    layout = lay_out(grid.with_clues(clues))
    asked = guesser.distributions(layout.queries)
    beliefs = propagate(layout, asked, chain=chain_for(asked), limits=Limits())
    return beliefs, asked, guesser


@pytest.mark.parametrize(
    ("above", "below", "known"),
    [
        ("BRAGTIME", "BOLDTIME", {"above": "RAGTIME", "below": "OLDTIME"}),  # B is put in
        ("RAINCATS", "BACKCATS", {"above": "RAINCOATS", "below": "BACKCOATS"}),  # O is taken out
    ],
)
def test_a_change_that_two_long_answers_share_is_found(
    above: str, below: str, known: dict[str, str]
) -> None:
    beliefs, asked, guesser = two_rows(above, below, known=known, open_column=7)
    found, count = themed(beliefs, asked, LongerAnswers(guesser), Limits())
    assert count == 2
    for s, query in enumerate(beliefs.layout.queries):
        if query.clue in known:
            right = {"above": above, "below": below}[query.clue]
            assert right in list(found[s].words) and right not in list(asked[s].words)
            assert np.exp(found[s].log_probs).sum() + np.exp(found[s].log_unknown) < 1 + 1e-6


def test_a_change_in_one_answer_alone_is_no_theme() -> None:
    beliefs, asked, guesser = two_rows(
        "BRAGTIME", "QXOLDTZM", known={"above": "RAGTIME"}, open_column=7
    )
    assert themed(beliefs, asked, LongerAnswers(guesser), Limits())[1] == 0


def test_a_puzzle_without_unknown_long_answers_is_asked_for_nothing_more() -> None:
    beliefs, asked, guesser = two_rows(
        "BRAGTIME", "BOLDTIME", known={"above": "BRAGTIME", "below": "BOLDTIME"}, open_column=7
    )
    before = len(guesser.calls)
    assert themed(beliefs, asked, LongerAnswers(guesser), Limits())[1] == 0
    assert len(guesser.calls) == before


def test_the_search_looks_for_themes_unless_told_not_to() -> None:
    beliefs, _, guesser = two_rows(
        "BRAGTIME", "BOLDTIME", known={"above": "RAGTIME", "below": "OLDTIME"}, open_column=7
    )
    puzzle = beliefs.layout.puzzle
    told = SearchSolver().solve(puzzle, guesser)
    assert told.statistics.details["changed"] == 2
    assert puzzle.with_letters(told.fill).entry("1A") == "BRAGTIME"
    plain = SearchSolver(themes=False).solve(puzzle, guesser)
    assert plain.statistics.details["changed"] == 0
