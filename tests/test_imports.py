"""One direction of imports, and nothing heavy before it is asked for."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = sorted((ROOT / "crossword").rglob("*.py"))
# The thin end of `crossword train` names the scripts, inside the function that runs them.
LAZY = {ROOT / "crossword" / "commands" / "train.py"}


def imported(file: Path, *, everywhere: bool) -> set[str]:
    """The modules that a file imports: at its top level, or anywhere in it."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    found: set[str] = set()
    for node in ast.walk(tree) if everywhere else tree.body:
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.split(".")[0])
    return found


@pytest.mark.parametrize("file", PACKAGE, ids=lambda file: str(file.relative_to(ROOT)))
def test_the_package_never_imports_training(file: Path) -> None:
    assert "train" not in imported(file, everywhere=file not in LAZY)


@pytest.mark.parametrize("file", PACKAGE, ids=lambda file: str(file.relative_to(ROOT)))
def test_the_package_imports_torch_and_faiss_only_when_asked(file: Path) -> None:
    # llama.py is a network of torch's, which is only imported where one is read.
    allowed = {"torch"} if file.name == "llama.py" else set()
    assert {"torch", "faiss"} & imported(file, everywhere=False) <= allowed


@pytest.mark.parametrize(
    "statement",
    [
        "import crossword",
        "import crossword.cli",
        "from crossword.loading import open_guesser; open_guesser('ngram')",
    ],
)
def test_starting_pulls_in_neither_torch_nor_faiss(statement: str) -> None:
    heavy = "{'torch', 'faiss', 'train', 'datasets', 'gensim'} & set(sys.modules)"
    code = f"import sys; {statement}; sys.exit(','.join(sorted({heavy})) or 0)"
    asked = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert asked.returncode == 0, asked.stderr
