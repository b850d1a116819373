from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from crossword import formats
from crossword.cli import run
from crossword.registry import guessers, solvers
from crossword.types import Guesser
from tests.grids import SQUARE_CLUES, knowing, square

KEYS = {
    *("puzzles", "letters", "words", "perfect", "fill_accuracy", "fill_percentage"),
    *("seconds_per_puzzle", "top1", "top5", "top10", "top100"),
}


@pytest.fixture(autouse=True)
def fake() -> Iterator[None]:
    """A guesser called `fake` that knows the square."""

    def load() -> Guesser:
        return knowing(slot_3D=[("TEN", 0.2)])

    guessers.register("fake")(load)
    yield
    guessers.unregister("fake")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "square.ipuz"
    formats.write(replace(square(), title="The Square", date="2023-01-01"), path)
    return path


def crossword(*arguments: object) -> int:
    return run([str(argument) for argument in arguments])


def test_help_is_quick_and_loads_nothing_heavy() -> None:
    script = (
        "import sys, crossword.cli\n"
        "try: crossword.cli.main(['--help'])\n"
        "except SystemExit: pass\n"
        "heavy = {'torch', 'sklearn', 'faiss', 'numpy', 'scipy', 'matplotlib', 'wordfreq'}\n"
        "sys.exit(repr(heavy & set(sys.modules)) if heavy & set(sys.modules) else 0)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "evaluate" in done.stdout


@pytest.mark.parametrize(
    "command",
    ["solve", "guess", "demo", "convert", "evaluate", "stats", "train", "info"],
)
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert crossword(command, "--help") == 0
    assert "Usage" in capsys.readouterr().out


def test_solve_shows_the_grid_and_the_score(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert crossword("solve", file, "--guesser", "fake", "--solver", "basic") == 0
    shown = capsys.readouterr().out
    assert "ＣＡＴ\nＯＲＥ\nＢＥＮ\n" in shown
    assert "solved, 9 of 9 cells filled; 9 letters and 6 of 6 words right" in shown
    assert "\x1b[" not in shown


def test_solve_writes_the_filled_puzzle_and_the_picture(file: Path, tmp_path: Path) -> None:
    output, picture = tmp_path / "out.ipuz", tmp_path / "out.svg"
    assert crossword(
        "solve", file, "--guesser", "fake", "--out", output, "--picture", picture
    ) == 0  # fmt: skip
    written = formats.read(output)
    assert dict(written.fill) == dict(square().solution or {})
    assert written.solution == square().solution
    assert picture.read_text().startswith("<svg")


def test_solve_as_json_is_only_json(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert crossword("solve", file, "--guesser", "fake", "--json") == 0
    record = json.loads(capsys.readouterr().out)
    assert record["grid"] == ["CAT", "ORE", "BEN"]
    assert record["status"] == "solved"
    assert record["slots"]["1A"]["candidates"][0]["answer"] == "CAT"
    assert record["score"] == {"letters": 1.0, "words": 1.0, "perfect": True}
    assert {cell["text"] for cell in record["cells"]} == set("CATOREBN")


def test_several_files_go_into_folders(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    second = tmp_path / "second.ipuz"
    formats.write(square(), second)
    target = tmp_path / "solved"
    assert crossword("solve", file, second, "--guesser", "fake", "--out", target, "--json") == 0
    assert sorted(path.name for path in target.iterdir()) == ["second.ipuz", "square.ipuz"]
    assert len(json.loads(capsys.readouterr().out)) == 2


def test_a_users_own_letters_are_kept(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = crossword("solve", file, "--guesser", "fake", "--letters", "1a=B_T", "--json")
    assert code == 0
    assert json.loads(capsys.readouterr().out)["grid"][0][::2] == "BT"


@pytest.mark.parametrize("letters", ["1A=CATS", "1A=C@T", "1A"])
def test_letters_that_do_not_fit_the_slot_are_refused(
    file: Path, letters: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert crossword("solve", file, "--guesser", "fake", "--letters", letters) == 2
    assert "1A takes 3 letters" in capsys.readouterr().err


def test_unsure_cells_are_left_blank(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("--guesser", "fake", "--solver", "threshold", "--min-confidence", "0.95")
    assert crossword("solve", file, *arguments, "--json") == 0
    assert json.loads(capsys.readouterr().out)["grid"] == ["...", "...", "..."]


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["solve", "absent.puz"], "crossword: absent.puz: No such file or directory"),
        (["solve", "x", "--solver", "nobody"], "crossword: no solver called 'nobody'; there are:"),
        (["guess", "x", "C@T"], "crossword: a pattern has capital letters"),
        (["guess", "x", "0"], "crossword: a length is from 1 to 60"),
        (["evaluate", "absent"], "crossword: there is no file or folder absent"),
        (["stats", "absent"], "crossword: there is no file or folder absent"),
        (["demo", "absent"], "crossword: no shipped puzzle"),
        (["convert", "absent.puz", "b.ipuz"], "crossword: absent.puz: No such file"),
    ],
)
def test_an_error_is_one_line_and_code_2(
    arguments: list[str],
    line: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    if arguments[0] == "demo":
        (tmp_path / "mini.ipuz").touch()
        monkeypatch.setattr("crossword.commands.demo.shipped", lambda: [tmp_path / "mini.ipuz"])
    assert crossword(*arguments) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith(line)
    assert captured.err.count("\n") == 1
    assert captured.out == ""


def test_guess_lists_what_fits(capsys: pytest.CaptureFixture[str]) -> None:
    assert crossword("guess", SQUARE_CLUES["1A"], "c_?", "--guesser", "fake", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["pattern"] == "C.."
    assert [guess["answer"] for guess in found["guesses"]] == ["CAT"]
    assert found["unlisted"] == pytest.approx(0.1)
    assert crossword("guess", SQUARE_CLUES["1A"], "3", "--guesser", "fake") == 0
    assert "CAT" in capsys.readouterr().out
    assert crossword("guess", SQUARE_CLUES["1A"], "X..", "--guesser", "fake") == 0
    assert "Nothing known fits X.." in capsys.readouterr().out


def test_convert_keeps_the_puzzle(file: Path, tmp_path: Path) -> None:
    assert crossword("convert", file, tmp_path / "square.puz") == 0
    assert formats.read(tmp_path / "square.puz").solution == square().solution


def test_evaluate_reports_the_agreed_keys(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    figures = tmp_path / "figures.json"
    code = crossword(
        "evaluate", file, "--guesser", "fake", "--solver", "basic", "--json", figures
    )  # fmt: skip
    assert code == 0
    data = json.loads(figures.read_text())
    assert set(data) >= KEYS
    assert data["puzzles"] == data["letters"] == data["perfect"] == data["top1"] == 1
    assert set(data["by"]) == {"weekday", "rebus", "length", "kind", "seen"}
    assert data["by"]["weekday"]["Sunday"]["puzzles"] == 1
    assert "1 puzzles" in capsys.readouterr().out


def test_evaluate_skips_what_cannot_serve_and_says_so(
    tmp_path: Path, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad.ipuz").write_text("<html>not here</html>")
    formats.write(square().without_answers(), tmp_path / "blank.ipuz")
    formats.write(square(), tmp_path / "twin.ipuz")
    assert crossword("evaluate", tmp_path, "--guesser", "fake", "--json", "-") == 0
    captured = capsys.readouterr()
    data = json.loads(captured.out)
    assert data["puzzles"] == 1
    assert data["skipped"]["without_solution"] == 1
    assert data["skipped"]["repeats"] == 1
    assert len(data["skipped"]["unreadable"]) == 1
    assert "bad.ipuz" in captured.err
    assert "without a solution" in captured.err


def test_evaluate_says_when_nothing_is_left(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert crossword("evaluate", file, "--guesser", "fake", "--split", "forward-tune") == 2
    assert "no puzzle with a solution" in capsys.readouterr().err


def test_stats_in_the_terminal_and_as_a_page(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "stats.html"
    assert crossword("stats", file, "--html", page) == 0
    assert "1 puzzles" in capsys.readouterr().out
    assert "data:image/png;base64," in page.read_text()


def test_info_lists_every_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert crossword("info") == 0
    shown = capsys.readouterr().out
    assert all(name in shown for name in [*guessers.names(), *solvers.names()])


def test_demo_solves_a_shipped_puzzle(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("crossword.commands.demo.shipped", lambda: [file])
    assert crossword("demo", "--guesser", "fake") == 0
    shown = capsys.readouterr().out
    assert "ＣＡＴ" in shown
    assert "9 letters" in shown


SLOW = """
import sys, time
sys.path.insert(0, {root!r})
from crossword.cli import main
from crossword.registry import guessers, solvers
from crossword.solvers.threshold import BasicSolver
from tests.grids import knowing
guessers.register("fake")(lambda: knowing())
class Slow(BasicSolver):
    def solve(self, puzzle, guesser, **options):
        if {patient}:
            sys.stderr.write("ready\\n"); sys.stderr.flush()
            while not options["cancelled"]():
                time.sleep(0.01)
            options["cancelled"] = None
            return super().solve(puzzle, guesser, **options)
        result = super().solve(puzzle, guesser, **options)
        Slow.done = getattr(Slow, "done", 0) + 1
        if Slow.done > 1:
            sys.stderr.write("ready\\n"); sys.stderr.flush()
            time.sleep(60)
        return result
solvers.register("slow")(Slow)
main(sys.argv[1:])
"""


def interrupted(arguments: list[str], *, patient: bool) -> tuple[int, str, str]:
    """Runs a command with a solver that hangs, and presses Ctrl-C once it does."""
    root = str(Path(__file__).parents[2])
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW.format(root=root, patient=patient), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "COLUMNS": "100"},
    )
    assert process.stderr is not None
    lines: list[str] = []
    deadline = time.monotonic() + 60
    while "ready" not in "".join(lines) and time.monotonic() < deadline:
        line = process.stderr.readline()
        if not line:
            break
        lines.append(line)
    process.send_signal(signal.SIGINT)
    output, rest = process.communicate(timeout=30)
    return process.returncode, output, "".join(lines) + rest


def test_ctrl_c_in_solve_keeps_what_there_is_and_ends_with_130(file: Path, tmp_path: Path) -> None:
    target = tmp_path / "partial.ipuz"
    code, output, errors = interrupted(
        ["solve", str(file), "--guesser", "fake", "--solver", "slow", "--out", str(target)],
        patient=True,
    )
    assert code == 130
    assert "ＣＡＴ" in output
    assert formats.read(target).fill
    assert "Traceback" not in errors


def test_ctrl_c_in_evaluate_reports_what_is_done_so_far(file: Path, tmp_path: Path) -> None:
    formats.write(
        replace(square(), solution={**(square().solution or {}), (0, 0): "B"}),
        tmp_path / "other.ipuz",
    )
    figures = tmp_path / "figures.json"
    code, output, errors = interrupted(
        [
            *("evaluate", str(file), str(tmp_path / "other.ipuz"), "--guesser", "fake"),
            *("--solver", "slow", "--json", str(figures)),
        ],
        patient=False,
    )
    assert code == 130
    data = json.loads(figures.read_text())
    assert data["interrupted"] is True
    assert data["puzzles"] == 1
    assert "1 puzzles" in output
    assert "Traceback" not in errors
