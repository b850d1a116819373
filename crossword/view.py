"""The terminal view of a puzzle, in the style of the first experiments.

Letters are double-width, so that cells come out square; blocks are full, voids are blank, `＿` is
an empty cell. A rebus cell shows its two letters in the width of one, or its first and a `+`. With
a solution to compare with, green is right and red is wrong; without one, yellow is unsure. The
colours are rich's to drop: nothing but signs is left in a pipe or under NO_COLOR.
"""

from __future__ import annotations

from collections.abc import Mapping

from rich.text import Text

from crossword.puzzle import BLOCK, EMPTY, Cell, Puzzle

BLOCK_SIGN = "██"
VOID_SIGN = "\u3000"  # the ideographic space, as wide as a letter
EMPTY_SIGN = "＿"
UNSURE = 0.5  # arbitrary: below this it is rather wrong than right

RIGHT_STYLE = "bold green"
WRONG_STYLE = "bold red"
UNSURE_STYLE = "yellow"
GIVEN_STYLE = "bold cyan"
BLOCK_STYLE = "bright_black"


def wide(text: str) -> str:
    """A cell's content in two columns."""
    if not text:
        return EMPTY_SIGN
    if len(text) == 2 and text.isascii():
        return text
    if len(text) > 1:
        return f"{text[0]}+" if text[0].isascii() else text[0]
    return chr(ord(text) + 0xFEE0) if "!" <= text <= "~" else text


def style_of(puzzle: Puzzle, cell: Cell, text: str, confidence: Mapping[Cell, float] | None) -> str:
    """The colour of a cell: right or wrong if the puzzle knows, else sure or unsure."""
    if not text:
        return ""
    if cell in puzzle.given:
        return GIVEN_STYLE
    right = puzzle.solution.get(cell) if puzzle.solution is not None else None
    if right is not None:
        return RIGHT_STYLE if text == right else WRONG_STYLE
    if confidence is not None and confidence.get(cell, 0.0) < UNSURE:
        return UNSURE_STYLE
    return "bold"


def draw(
    puzzle: Puzzle,
    fill: Mapping[Cell, str] | None = None,
    confidence: Mapping[Cell, float] | None = None,
) -> Text:
    """The grid with a fill (the puzzle's own if none is given) as text for a rich console."""
    letters = puzzle.fill if fill is None else fill
    picture = Text(no_wrap=True, overflow="ignore")
    for r, row in enumerate(puzzle.grid.rows):
        if r:
            picture.append("\n")
        for c, sign in enumerate(row):
            if sign == BLOCK:
                picture.append(BLOCK_SIGN, BLOCK_STYLE)
            elif sign != EMPTY:
                picture.append(VOID_SIGN)
            else:
                text = letters.get((r, c), "")
                picture.append(wide(text), style_of(puzzle, (r, c), text, confidence))
    return picture
