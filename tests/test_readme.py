"""README, run: its Python blocks and its quick commands; and what all pages point to is there."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from typer.core import TyperGroup
from typer.main import get_command

from crossword import formats
from crossword.cli import app
from tests.markdown import ROOT, blocks, links, run_command, run_python

README = ROOT / "README.md"
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "models/README.md")),
    *sorted((ROOT / "docs").glob("*.md")),
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that looks like the project's root to a reader, and takes what blocks write."""
    (tmp_path / "data").symlink_to(ROOT / "data")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_python_blocks_of_readme_run(folder: Path) -> None:
    pieces = [piece for piece in blocks(README) if piece.language == "python" and piece.run]
    assert pieces
    namespace = run_python(README, pieces)
    solution = namespace["solution"]
    assert getattr(solution, "status", None) == "solved"
    assert formats.read(folder / "breakfast-solved.ipuz").fill


def test_the_quick_commands_of_readme_run(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pieces = [piece for piece in blocks(README) if piece.language == "sh" and piece.run]
    commands = [words for piece in pieces for words in piece.commands()]
    assert {"solve", "guess", "convert", "stats", "evaluate"} <= {words[1] for words in commands}
    for words in commands:
        assert run_command(words, capsys), f"{words} printed nothing"
    assert formats.read(folder / "solved.ipuz").fill
    ElementTree.parse(folder / "solved.svg")
    assert (folder / "figures.json").stat().st_size > 100


def options_of(words: list[str]) -> tuple[str, set[str]]:
    """The command's name and its long options as given, `--json=FILE` as `--json`."""
    return words[1], {word.split("=")[0] for word in words[2:] if word.startswith("--")}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_documented_crossword_commands_and_options_exist(page: Path) -> None:
    root = get_command(app)
    assert isinstance(root, TyperGroup)
    known = {
        name: {option for param in command.params for option in param.opts} | {"--help"}
        for name, command in root.commands.items()
    }
    for piece in blocks(page):
        for words in piece.commands() if piece.language in ("sh", "bash", "console") else ():
            if words[0] != "crossword":
                continue
            name, options = options_of(words)
            assert name in known, f"{page.name}:{piece.line}: no command {name}"
            assert options <= known[name], f"{page.name}:{piece.line}: {options - known[name]}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_to_files_of_the_project_lead_somewhere(page: Path) -> None:
    missing = [target for target in links(page) if not (page.parent / target).exists()]
    assert not missing, f"{page.name} links to {', '.join(missing)}"
