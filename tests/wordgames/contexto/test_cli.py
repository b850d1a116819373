"""The commands, as a player calls them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from tests.wordgames.contexto.conftest import Server, circle, made_model
from wordgames.contexto import knowledge, simulating
from wordgames.contexto.cli import app
from wordgames.errors import DataError, InputError

runner = CliRunner()


@pytest.fixture(autouse=True)
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(knowledge, "shipped", made_model)


@pytest.fixture(autouse=True)
def hidden(server: Server) -> None:
    server.target = "w43"  # not what a solver without ranks happens to try first


@pytest.fixture
def judge_file(tmp_path: Path) -> Path:
    vectors = circle(0.3)
    path = tmp_path / "judge.txt"
    rows = zip(vectors.words, vectors.matrix, strict=True)
    path.write_text("\n".join(f"{word} {a:.5f} {b:.5f}" for word, (a, b) in rows))
    return path


@pytest.mark.parametrize("strategy", ["bayes", "halving"])
def test_simulate_reports_the_figures(
    games_file: Path, judge_file: Path, tmp_path: Path, strategy: str
) -> None:
    out, plot = tmp_path / "out.json", tmp_path / "out.png"
    arguments = ["simulate", "-n", "2", "--games", str(games_file), "--judge", str(judge_file)]
    arguments += ["--strategy", strategy, "--json", str(out), "--plot", str(plot), "--jobs", "1"]
    result = runner.invoke(app, [*arguments, "--distance-offset", "0.05", "--max-guesses", "80"])
    assert result.exit_code == 0, result.output
    record = json.loads(out.read_text())
    assert {"median", "mean", "over_100", "failures"} <= set(record)
    assert record["failures"] == 0 and record["over_100"] == 0 and record["games"] == 2
    assert plot.read_bytes().startswith(b"\x89PNG")


def test_a_model_folder_can_be_played_with(
    games_file: Path, judge_file: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "model"
    knowledge.save(made_model(), folder)
    arguments = ["simulate", "-n", "2", "--games", str(games_file), "--judge", str(judge_file)]
    out = tmp_path / "out.json"
    result = runner.invoke(app, [*arguments, "--vectors", str(folder), "--json", str(out)])
    assert result.exit_code == 0, result.output
    assert json.loads(out.read_text())["games"] == 2


def test_a_plot_that_cannot_be_written_is_refused_before_the_games(games_file: Path) -> None:
    arguments = ["simulate", "--games", str(games_file), "--plot", "out.nonsense"]
    result = runner.invoke(app, arguments)
    assert isinstance(result.exception, DataError) and ".png" in str(result.exception)


def test_help_shows_the_shape_of_a_game() -> None:
    # Square brackets would be markup, and vanish, if they were not marked as text.
    result = runner.invoke(app, ["simulate", "--help"])
    assert "[target" in result.output


def test_judge_and_solver_must_differ(games_file: Path, judge_file: Path) -> None:
    arguments = ["simulate", "--games", str(games_file), "--judge", "x", "--vectors", "x"]
    result = runner.invoke(app, arguments)
    assert isinstance(result.exception, InputError) and "same vectors" in str(result.exception)


def test_auto_plays_named_games(server: Server, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    arguments = ["auto", "3", "4", "--endpoint", server.endpoint, "--delay", "0"]
    result = runner.invoke(app, [*arguments, "--json", str(out)])
    assert result.exit_code == 0, result.output
    assert "Game 3: found w43" in result.output and "Game 4: found w43" in result.output
    assert json.loads(out.read_text())["failures"] == 0
    assert {path.split("/")[3] for path in server.asked} == {"3", "4"}


def test_ctrl_c_leaves_a_partial_result(
    server: Server,
    games_file: Path,
    judge_file: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole, played = simulating.play, []

    def interrupted(*arguments: Any, **options: Any) -> simulating.Outcome:
        if played:
            raise KeyboardInterrupt
        played.append(1)
        return whole(*arguments, **options)

    monkeypatch.setattr(simulating, "play", interrupted)
    out = tmp_path / "out.json"
    for command in (
        ["simulate", "-n", "2", "--games", str(games_file), "--judge", str(judge_file)],
        ["auto", "3", "4", "--endpoint", server.endpoint, "--delay", "0"],
    ):
        played.clear()
        result = runner.invoke(app, [*command, "--json", str(out)])
        assert result.exit_code == 130, result.output
        assert "Stopped: 1 of 2 games count" in result.output
        assert json.loads(out.read_text())["games"] == 1


def test_auto_plays_random_games(server: Server) -> None:
    arguments = ["auto", "--random", "3", "--seed", "1", "--endpoint", server.endpoint]
    result = runner.invoke(app, [*arguments, "--delay", "0", "--last", "50"])
    assert result.exit_code == 0, result.output
    numbers = {int(path.split("/")[3]) for path in server.asked}
    assert len(numbers) == 3 and max(numbers) <= 50


def test_auto_stops_at_max_guesses(server: Server) -> None:
    arguments = ["auto", "3", "--endpoint", server.endpoint, "--delay", "0"]
    result = runner.invoke(app, [*arguments, "--max-guesses", "1"])
    assert "not found after 1 guesses" in result.output and len(server.asked) == 1


def test_auto_keeps_finished_games_when_the_network_fails(server: Server, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    arguments = ["auto", "3", "4", "--endpoint", server.endpoint, "--delay", "0", "--retries", "0"]
    first = runner.invoke(app, [*arguments[:2], *arguments[3:]])
    assert first.exit_code == 0
    requests = len(server.asked)
    answer = server.answer
    server.answer = lambda word: answer(word) if len(server.asked) <= 2 * requests else (500, b"")  # type: ignore[method-assign]
    result = runner.invoke(app, [*arguments, "--json", str(out)])
    assert "HTTP 500" in str(result.exception)
    assert json.loads(out.read_text())["games"] == 1


def test_play_takes_ranks_refusals_and_corrections() -> None:
    typed = "n\nabc\n0\nc w30 20\n?\n55\nu\nc\nw29 22\nc\nw28\n23\nc w07 1\n"
    result = runner.invoke(app, ["play"], input=typed)
    assert result.exit_code == 0, result.output
    assert "a rank is a whole number from 1, not 'abc'" in result.output
    assert "Found in 4 guesses" in result.output


def test_play_says_which_rank_contradicts() -> None:
    result = runner.invoke(app, ["play", "--history", "w01=5"], input="c w02 5\nq\n")
    assert "'w01' and 'w02' cannot both have rank 5" in result.output
    assert "--history w01=5" in result.output


def test_a_history_of_another_shape_is_refused() -> None:
    result = runner.invoke(app, ["play", "--history", "w01"])
    assert isinstance(result.exception, InputError) and "WORD=RANK" in str(result.exception)


def test_training_learns_the_circle(tmp_path: Path, judge_file: Path) -> None:
    rng = np.random.default_rng(0)
    from wordgames.contexto import training
    from wordgames.contexto.judge import Game, Judge
    from wordgames.contexto.vectors import load

    vectors = load(str(judge_file))
    order = [np.argsort(-(vectors.matrix @ row), kind="stable") for row in vectors.matrix]
    games = [
        Game(i, tuple(vectors.words[j] for j in order[i][:20]))
        for i in rng.permutation(60)[:40].tolist()
    ]
    settings = training.Settings(held_out=10, landmark_dimensions=8, pairs_per_game=30)
    model = training.train(games, vectors, Judge(vectors), settings)
    knowledge.save(model, tmp_path / "m")
    again = knowledge.read(tmp_path / "m")
    assert again.predicted(10, np.array([11]))[0] < again.predicted(10, np.array([40]))[0]
    # A near prediction makes a near rank likelier than a far one does.
    assert again.likelihood[1, 1:4].sum() > again.likelihood[6, 1:4].sum()
