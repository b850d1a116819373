from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from wordgames.cli import app

runner = CliRunner()


def wordle(*arguments: str, typed: str = "") -> Result:
    return runner.invoke(app, ["wordle", *arguments], input=typed)


@pytest.fixture
def small_list(tmp_path: Path) -> str:
    path = tmp_path / "words.txt"
    path.write_text("cat\nbat\nrat\ncot\ncar\ndog\n")
    return str(path)


def test_suggest_shows_guesses_and_what_remains() -> None:
    result = wordle("suggest", "--guess", "soare=00110")
    assert result.exit_code == 0
    assert "42 words remain" in result.stdout
    assert "radar" in result.stdout


def test_suggest_for_two_boards() -> None:
    result = wordle("suggest", "--guess", "soare=00110,22000")
    assert result.exit_code == 0
    assert "Board 2" in result.stdout


def test_evaluate_writes_the_agreed_keys(tmp_path: Path, small_list: str) -> None:
    path = tmp_path / "out.json"
    plot = tmp_path / "plot.png"
    options = ["--words", small_list, "--json", str(path), "--jobs", "2", "--plot", str(plot)]
    result = wordle("evaluate", "--strategy", "entropy", "--start", "cat", *options)
    assert result.exit_code == 0
    document = json.loads(path.read_text())
    assert {"total", "average", "worst", "distribution"} <= document.keys()
    assert document["total"] == sum(int(k) * n for k, n in document["distribution"].items())
    assert sum(document["distribution"].values()) == 6
    assert document["distribution"]["1"] == 1
    assert document["complete"] is True
    assert plot.stat().st_size > 1000


def test_several_maps_stand_side_by_side(tmp_path: Path, small_list: str) -> None:
    path = tmp_path / "out.json"
    maps = ["--threshold-map", "3", "--threshold-map", "{0: 3, 1: 5}"]
    result = wordle(
        "evaluate", "--strategy", "score", *maps, "--words", small_list, "--json", str(path)
    )
    assert result.exit_code == 0
    names = [entry["strategy"] for entry in json.loads(path.read_text())["evaluations"]]
    assert names == ["score 3", "score {0: 3, 1: 5}"]


def test_json_to_the_terminal_is_json_alone(small_list: str) -> None:
    result = wordle("evaluate", "--words", small_list, "--json", "-")
    assert json.loads(result.stdout)["games"] == 6


def test_ctrl_c_leaves_a_partial_result(
    tmp_path: Path, small_list: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from wordgames.wordle.bruteforce import Mean

    def interrupted(*_: object) -> int:
        raise KeyboardInterrupt

    path = tmp_path / "out.json"
    monkeypatch.setattr(Mean, "choose", interrupted)
    options = ["--strategy", "mean", "--start", "cat", "--words", small_list, "--json", str(path)]
    result = wordle("evaluate", *options)
    assert result.exit_code == 130
    document = json.loads(path.read_text())
    assert document["complete"] is False
    assert document["games"] == 1
    assert "interrupted" in result.stdout


def test_boards_are_evaluated(small_list: str) -> None:
    result = wordle("evaluate", "--boards", "2", "--games", "3", "--words", small_list)
    assert result.exit_code == 0
    assert "2 boards" in result.stdout


def test_review_prints_every_turn_and_the_best_path(tmp_path: Path) -> None:
    path = tmp_path / "review.json"
    guesses = ["soare", "clint", "mince", "wince"]
    result = wordle("review", *guesses, "--answer", "wince", "--json", str(path))
    assert result.exit_code == 0
    for word in guesses:
        assert word.upper() in result.stdout
    assert "Best path" in result.stdout
    document = json.loads(path.read_text())
    assert [turn["remained"] for turn in document["turns"]] == [79, 4, 1, 1]
    assert {"skill", "luck", "best_path"} <= document.keys()


def test_openers_can_be_narrowed(tmp_path: Path) -> None:
    path = tmp_path / "openers.json"
    result = wordle("openers", "--max-mean", "70", "--max-worst", "195", "--json", str(path))
    assert result.exit_code == 0
    assert len(json.loads(path.read_text())["openers"]) == 12


def test_any_alphabet_works_in_every_command(tmp_path: Path) -> None:
    path = tmp_path / "croatian.txt"
    path.write_text("ljubav\ndžepni\nknjiga\nškolu\ngljiva\n", encoding="utf-8")
    options = ["--alphabet", "croatian", "--words", str(path), "--length", "5"]
    assert "džepni" in wordle("openers", *options).stdout
    assert "knjiga" in wordle("suggest", "--guess", "ljubav=00010", *options).stdout
    assert wordle("evaluate", "--strategy", "learned", *options).exit_code == 0
    assert "LJ" in wordle("review", "ljubav", "knjiga", "--answer", "knjiga", *options).stdout
    assert (
        "Found in"
        in wordle(
            "play",
            "--seed",
            "1",
            *options,
            typed="\n".join(["ljubav", "džepni", "knjiga", "školu", "gljiva", ""]),
        ).stdout
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["suggest", "--guess", "soare=0011"], "4 digits"),
        (["suggest", "--guess", "soarz=00110"], "not in the word list"),
        (["suggest", "--guess", "soare"], "WORD=REPLY"),
        (
            ["suggest", "--guess", "soare=00110", "--guess", "crane=00200"],
            "contradicts soare=00110",
        ),
        (["suggest", "--guess", "soare=00110", "--guess", "crane=00200,00200"], "2 replies"),
        (["suggest", "--words", "/none"], "cannot read"),
        (["suggest", "--alphabet", "klingon"], "choose one of"),
        (["suggest", "--rule", "odd"], "choose one of"),
        (["evaluate", "--strategy", "odd"], "choose one of"),
        (["evaluate", "--strategy", "score", "--threshold-map", "odd"], "0:3,1:4"),
        (["evaluate", "--threshold-map", "3"], "goes with --strategy score"),
        (["evaluate", "--strategy", "mean", "--top-k", "3"], "goes with --strategy lookahead"),
        (["evaluate", "--start", "zzzzz"], "not in the word list"),
        (["evaluate", "--jobs", "-1"], "--jobs"),
        (["evaluate", "--boards", "99"], "--boards"),
        (["evaluate", "--boards", "0"], "--boards"),
        (["evaluate", "--boards", "2", "--strategy", "mean"], "go with one board"),
        (["suggest", "--guess", "soare=00110,02000", "--strategy", "mean"], "goes with one board"),
        (["review", "soare", "--answer", "soare"], "never the answer"),
        (["openers", "--length", "99"], "--length"),
    ],
)
def test_mistakes_get_one_line_that_says_so(arguments: list[str], message: str) -> None:
    result = wordle(*arguments)
    assert result.exit_code == 1
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
    assert "Traceback" not in result.output


def test_a_model_can_be_trained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import wordgames.wordle.training as training

    def quick(game: object, settings: object) -> dict[str, object]:
        return {"held_out": {"words": 1, "mean_absolute_error": 0.5, "correlation": 0.5}}

    monkeypatch.setattr(training, "train", quick)
    assert wordle("train", str(tmp_path / "model.json")).exit_code == 0
    assert (tmp_path / "model.json").exists()
