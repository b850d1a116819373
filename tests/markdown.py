"""The code blocks and links of a Markdown page, so that documentation is run as tests.

A block `python file=NAME` (or `toml file=…`) is a file that the page tells its reader to save.
A comment `<!-- not run: reason -->` right above a block says why a test leaves it out.
"""

from __future__ import annotations

import os
import re
import shlex
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
_FENCE = re.compile(
    r"^(?P<indent> *)```(?P<info>[^\n`]+)\n(?P<text>.*?)^(?P=indent)```$", re.M | re.S
)
_NOT_RUN = re.compile(r"<!-- not run: [^>]+ -->\s*\Z")
_LINK = re.compile(r"\]\(([^)\s]+)\)")


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, the file it is to be saved as, its text, and where it is."""

    language: str
    file: str | None
    text: str
    line: int
    run: bool

    def commands(self) -> list[list[str]]:
        """The calls of our own commands in a shell block, split as a shell does."""
        lines = self.text.replace("\\\n", " ").splitlines()
        return [
            shlex.split(line, comments=True)
            for line in lines
            if line.startswith(("crossword ", "wordgames "))
        ]


def blocks(page: Path) -> list[Block]:
    """The fenced blocks of a page that name a language, in order."""
    text = page.read_text(encoding="utf-8")
    found: list[Block] = []
    for match in _FENCE.finditer(text):
        language, *settings = match["info"].split()
        told = dict(setting.split("=", 1) for setting in settings)
        indent = match["indent"]
        body = "".join(
            line.removeprefix(indent) for line in match["text"].splitlines(keepends=True)
        )
        found.append(
            Block(
                language,
                told.get("file"),
                body,
                text.count("\n", 0, match.start()) + 1,
                _NOT_RUN.search(text[: match.start()]) is None,
            )
        )
    return found


def links(page: Path) -> list[str]:
    """The page's links to other files, as written, without what is on the web."""
    text = _FENCE.sub("", page.read_text(encoding="utf-8"))
    targets = (target.split("#")[0] for target in _LINK.findall(text))
    return [target for target in targets if target and "://" not in target]


def run_python(page: Path, pieces: list[Block]) -> dict[str, object]:
    """Run blocks one after another in one namespace; a failure names the page and line."""
    namespace: dict[str, object] = {"__name__": "__page__"}
    for piece in pieces:
        padded = "\n" * piece.line + piece.text  # so that tracebacks show the page's lines
        exec(compile(padded, os.fspath(page), "exec"), namespace)
    return namespace


def run_command(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """Run a command in this process; it must end well. What it printed."""
    if words[0] == "crossword":
        from crossword.cli import run

        code = run(words[1:])
    else:
        from wordgames.cli import app

        try:
            code = int(app(words[1:]) or 0)
        except SystemExit as leave:
            code = leave.code if isinstance(leave.code, int) else int(bool(leave.code))
    captured = capsys.readouterr()
    assert code == 0, f"{shlex.join(words)} ended with {code}: {captured.err}"
    return captured.out
