"""The judge, files of games, simulated games and their figures."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from wordgames.contexto.judge import Game, Judge, read_games
from wordgames.contexto.knowledge import Model
from wordgames.contexto.simulating import Outcome, play, simulate, summary
from wordgames.contexto.solver import new_solver
from wordgames.contexto.vectors import Vectors
from wordgames.errors import DataError


def test_listed_words_have_their_real_rank_and_others_come_behind(
    judge_vectors: Vectors, games: list[Game]
) -> None:
    ranks = Judge(judge_vectors).ranks(games[0])
    assert [ranks.rank(word) for word in games[0].words] == [1, 2, 3, 4, 5, 6, 7]
    others = [ranks.rank(f"w{i:02d}") for i in range(60) if f"w{i:02d}" not in games[0].words]
    assert sorted(rank for rank in others if rank) == list(range(8, 61))
    assert ranks.rank("w11") in (8, 9) and ranks.rank("zebra") is None


def test_a_target_without_a_vector_knows_its_list_only(judge_vectors: Vectors) -> None:
    ranks = Judge(judge_vectors).ranks(Game(1, ("zebra", "w01")))
    assert ranks.rank("zebra") == 1 and ranks.rank("w01") == 2 and ranks.rank("w02") is None


def test_games_are_read_plain_and_gzipped(games_file: Path, tmp_path: Path) -> None:
    zipped = tmp_path / "games.gz"
    zipped.write_bytes(gzip.compress(games_file.read_bytes()))
    assert read_games(games_file) == read_games(zipped)
    assert read_games(games_file)[1].target == "w40"


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"ranked": {"words": []}}', "nonsense"])
def test_a_file_of_another_shape_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(text)
    with pytest.raises(DataError, match=r"bad\.jsonl"):
        read_games(path)


def test_a_cut_gzip_file_is_refused(games_file: Path, tmp_path: Path) -> None:
    path = tmp_path / "cut.gz"
    path.write_bytes(gzip.compress(games_file.read_bytes() * 50)[:-20])
    with pytest.raises(DataError, match=r"cut\.gz"):
        read_games(path)


@pytest.mark.parametrize("strategy", ["bayes", "halving"])
@pytest.mark.parametrize("jobs", [1, 2])
def test_games_are_solved(
    model: Model, judge_vectors: Vectors, games: list[Game], strategy: str, jobs: int
) -> None:
    run = simulate(games, Judge(judge_vectors), model, strategy=strategy, jobs=jobs)
    assert [outcome.found for outcome in run.results] == [True, True]
    assert all(outcome.guesses[-1][1] == 1 for outcome in run.results)
    limit = 12 if strategy == "bayes" else 60
    assert all(outcome.count <= limit for outcome in run.results)


def test_a_target_outside_the_vocabulary_is_a_failure(model: Model, judge_vectors: Vectors) -> None:
    run = simulate([Game(1, ("zebra", "w01"))], Judge(judge_vectors), model)
    assert not run.results[0].found
    assert summary(run.results)["failures"] == 1


def test_max_guesses_ends_a_game(model: Model, judge_vectors: Vectors, games: list[Game]) -> None:
    run = simulate(games[1:], Judge(judge_vectors), model, max_guesses=1)
    assert not run.results[0].found and run.results[0].count == 1


def test_a_game_that_takes_words_for_others_still_ends(model: Model) -> None:
    outcome = play(new_solver("bayes", model=model), lambda word: ("w00", 9), max_guesses=20)
    assert not outcome.found and outcome.count == 1


def test_figures_count_failures_as_worse_than_any_game() -> None:
    def outcome(count: int, found: bool = True) -> Outcome:
        return Outcome(1, "x", found, tuple((str(i), i + 1) for i in range(count)))

    figures = summary([outcome(10), outcome(30), outcome(150), outcome(5, found=False)])
    assert figures["median"] == 90 and figures["over_100"] == 0.5 and figures["failures"] == 1
    assert figures["mean"] == pytest.approx(190 / 3)
    assert summary([outcome(5, found=False)])["median"] is None
    json.dumps(figures, allow_nan=False)
