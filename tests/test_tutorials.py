"""The two tutorials, done as they say: files saved, blocks run, the plug-in found and used."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

import pytest

from tests.markdown import ROOT, blocks, run_command, run_python

TUTORIALS = {
    "add-a-guesser.md": ("crossword.guessers", "TINSEL"),
    "add-a-solver.md": ("crossword.solvers", "solved"),
}


def install(folder: Path) -> dict[str, object]:
    """What `pip install -e` does for entry points, without an index: the metadata of a package."""
    project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    metadata = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    )
    lines = []
    for group, points in project["entry-points"].items():
        lines += [f"[{group}]", *(f"{name} = {target}" for name, target in points.items())]
    (metadata / "entry_points.txt").write_text("\n".join(lines) + "\n")
    groups: dict[str, object] = project["entry-points"]
    return groups


@pytest.mark.parametrize("name", TUTORIALS)
def test_a_tutorial_does_what_it_says(
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    group, expected = TUTORIALS[name]
    page = ROOT / "docs" / name
    pieces = blocks(page)
    for piece in pieces:
        if piece.file is not None:
            (tmp_path / piece.file).write_text(piece.text, encoding="utf-8")
    modules = [path.stem for path in tmp_path.glob("*.py")]
    assert len(modules) == 1
    monkeypatch.chdir(ROOT)
    monkeypatch.syspath_prepend(tmp_path)
    try:
        run_python(page, [p for p in pieces if p.language == "python" and p.file is None])
        assert group in install(tmp_path)
        monkeypatch.syspath_prepend(tmp_path)  # forget what was looked up before
        printed = [
            run_command(words, capsys)
            for piece in pieces
            if piece.language == "sh" and piece.run
            for words in piece.commands()
        ]
    finally:
        for module in modules:
            sys.modules.pop(module, None)
    assert modules[0].removeprefix("crossword_") in printed[0]  # `crossword info` lists it
    assert expected in printed[-1]
