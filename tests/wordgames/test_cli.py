from __future__ import annotations

import subprocess
import sys

from typer.testing import CliRunner

from wordgames.cli import app

runner = CliRunner()


def test_help_names_the_games() -> None:
    result = runner.invoke(app, ["--help"])
    assert result.exit_code == 0
    for game in ("wordle", "wordpl", "contexto"):
        assert game in result.stdout


def test_help_loads_no_game() -> None:
    heavy = "numba", "matplotlib", "sklearn", "wordfreq", "numpy"
    code = f"import sys, wordgames.cli; sys.exit(any(m in sys.modules for m in {heavy}))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_an_error_is_one_line_and_no_trace() -> None:
    result = runner.invoke(app, ["wordle", "suggest", "--guess", "soare=0011"])
    assert result.exit_code == 1
    assert result.stderr.count("\n") == 1
    assert "4 digits" in result.stderr
    assert "Traceback" not in result.output


def test_json_without_a_file_goes_to_the_terminal() -> None:
    from wordgames.cli import _json_to_terminal

    assert _json_to_terminal(["a", "--json"]) == ["a", "--json", "-"]
    assert _json_to_terminal(["--json", "-n", "3"]) == ["--json", "-", "-n", "3"]
    assert _json_to_terminal(["--json", "out.json"]) == ["--json", "out.json"]
    assert _json_to_terminal(["--json", "-"]) == ["--json", "-"]
