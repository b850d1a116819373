"""The figures that docs/wordle.md and docs/alphabets.md state, measured again."""

from __future__ import annotations

import time

import pytest

from wordgames.wordle import STRATEGIES, Evaluation, Wordle, evaluate, openers
from wordgames.words import english


def evaluated(game: Wordle, name: str, start: str | None = None, **options: object) -> Evaluation:
    return evaluate(STRATEGIES.create(name, game, **options), start=start)


def test_openers_have_their_known_figures(classic_game: Wordle) -> None:
    found = {entry.word: entry for entry in openers(classic_game)}
    assert len(found) == 12_972
    known = {"roate": (60.42, 195), "raise": (61.00, 168), "soare": (62.30, 183)}
    for word, (mean, largest) in {**known, "aesir": (69.88, 168)}.items():
        assert found[word].mean == pytest.approx(mean, abs=0.005)
        assert found[word].max == largest
    good = [word for word, entry in found.items() if entry.mean < 70 and entry.max <= 195]
    assert " ".join(good) == (
        "roate raise raile soare arise irate orate ariel arose raine aesir realo"
    )


def test_lookahead_from_salet_is_the_known_optimum_in_under_five_seconds(
    classic_game: Wordle,
) -> None:
    evaluated(classic_game, "lookahead", "salet", top_k=1)  # compiles, where nothing is cached
    started = time.process_time()
    summary = evaluated(classic_game, "lookahead", "salet").summary
    assert time.process_time() - started < 5
    assert summary.total == 7_920
    assert summary.worst == 5


@pytest.mark.slow
def test_hard_mode_is_the_known_optimum_and_always_within_six() -> None:
    summary = evaluated(Wordle(hard=True), "lookahead", "salet").summary
    assert summary.worst == 6
    assert summary.total == 8_122


def test_the_naive_rule_takes_at_most_3_45() -> None:
    summary = evaluated(Wordle(rule="naive"), "lookahead", "salet").summary
    assert summary.average <= 3.45
    assert summary.total == 7_929


@pytest.mark.parametrize(
    ("number", "limit", "total"), [(3, 3.7257, 8_365), (4, 3.7054, 8_321), (5, 3.7015, 8_311)]
)
def test_score_beats_the_published_maps(
    classic_game: Wordle, number: int, limit: float, total: int
) -> None:
    summary = evaluated(classic_game, "score", threshold_map={0: number}).summary
    assert summary.average <= limit
    assert summary.total == total


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "total"),
    [
        ("mean", 8_059),
        ("max", 8_272),
        ("entropy", 8_020),
        ("partitions", 7_949),
        ("learned", 8_390),
    ],
)
def test_the_other_strategies_on_the_classic_lists(
    classic_game: Wordle, name: str, total: int
) -> None:
    assert evaluated(classic_game, name).summary.total == total


def test_six_letter_english_with_naive_replies() -> None:
    game = Wordle(english(6), rule="naive")
    assert evaluated(game, "positional").summary.average == pytest.approx(3.43, abs=0.01)
    assert evaluated(game, "lookahead").summary.average <= 2.94
    assert evaluated(game, "partitions").summary.average <= 2.94
