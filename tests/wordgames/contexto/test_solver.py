"""The strategies and the call for a web service, on the circle of words."""

from __future__ import annotations

import numpy as np
import pytest

from wordgames.contexto.bayes import BayesSolver
from wordgames.contexto.halving import HalvingSolver
from wordgames.contexto.knowledge import BINS, Model, bin_of, blunted, widened
from wordgames.contexto.solver import STRATEGIES, checked_history, proposals
from wordgames.errors import ImpossibleHistoryError, InputError, UnknownNameError


def test_bins_double() -> None:
    assert [int(bin_of(rank)) for rank in (1, 2, 3, 4, 5, 8, 9, 16_384, 16_385)] == (
        [0, 1, 2, 2, 3, 3, 4, 14, 15]
    )


def test_predicted_ranks_follow_the_circle(model: Model) -> None:
    hidden = np.arange(60)
    bins = model.predicted(10, hidden)
    assert bins[10] == 0 and bins[11] <= 2 and bins[9] <= 2
    assert bins[40] == max(bins)
    for step in range(1, 29):  # farther words never get a nearer bin
        assert bins[10 + step] <= bins[10 + step + 1]


def test_likelihoods_stay_distributions(model: Model) -> None:
    for table in (blunted(model.likelihood, 0.1), widened(blunted(model.likelihood, 0.0), 1.0)):
        assert np.allclose(table[1:, 1:].sum(axis=1), 1.0)
        assert table[0, 0] == pytest.approx(1.0)
    assert blunted(model.likelihood, 0.1)[1:, 1:].min() >= 0.1 / BINS


def test_a_good_rank_moves_the_belief_next_to_the_guess(model: Model) -> None:
    solver = BayesSolver(model)
    solver.tell("w20", 2)
    near = solver.posterior()
    assert near[20] == 0.0 and near[19] + near[21] > 0.3
    assert near[50] < near[21] / 5


def test_a_word_never_comes_twice_and_refused_ones_are_out(model: Model) -> None:
    for name in STRATEGIES.names():
        solver = STRATEGIES.create(name, model)
        seen = set()
        for _ in range(20):
            word = solver.propose()[0].word
            assert word not in seen
            seen.add(word)
            solver.refuse(word) if len(seen) % 2 else solver.tell(word, 50)


def test_rank_one_ends_it(model: Model) -> None:
    assert proposals([("w05", 30), ("w33", 1)], model=model)[0].word == "w33"


def test_words_that_the_model_lacks_tell_nothing(model: Model) -> None:
    assert proposals([("zebra", 3)], model=model) == proposals([], model=model)


def test_halving_keeps_the_nearer_half(model: Model) -> None:
    solver = HalvingSolver(model, distance_offset=0.0)
    solver.tell("w10", 5)
    solver.tell("w30", 400)
    kept = solver.kept()
    assert 9 in kept and 0 in kept and 31 not in kept and 40 not in kept
    soft = HalvingSolver(model, distance_offset=2.0)
    soft.tell("w10", 5)
    soft.tell("w30", 400)
    assert len(soft.kept()) == 58


@pytest.mark.parametrize(
    ("history", "said"),
    [
        ([("a", 5), ("a", 6)], "'a' had rank 5 before, now 6"),
        ([("a", 5), ("b", 5)], "'a' and 'b' cannot both have rank 5"),
    ],
)
def test_contradictions_are_named(history: list[tuple[str, int]], said: str) -> None:
    with pytest.raises(ImpossibleHistoryError, match=said):
        checked_history(history)


def test_senseless_ranks_offsets_and_names_are_refused(model: Model) -> None:
    with pytest.raises(InputError, match="from 1"):
        proposals([("w01", 0)], model=model)
    with pytest.raises(InputError, match="offset"):
        proposals([], model=model, distance_offset=-1.0)
    with pytest.raises(UnknownNameError, match="bayes, halving"):
        proposals([], model=model, strategy="luck")


def test_the_same_pair_twice_counts_once() -> None:
    assert checked_history([("A ", 5), ("a", 5)]) == [("a", 5)]
