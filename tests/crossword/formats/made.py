"""Puzzles that Hypothesis makes, and what each format should keep of one."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from crossword.formats.plaintext import cell_text, clue_text, paragraphs
from crossword.puzzle import BLOCK, EMPTY, VOID, Cell, Direction, Grid, Puzzle

LETTERS = st.sampled_from("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
# Signs that mean something in one format or another, and some that no Latin alphabet holds.
_ODD = '1 0 $ . - : # _ ~ & < = É ♥ ß X/Y HEART A.B ST;AR {/I/} Ω ÆØ " 10♠ 一 ❶'
ODD = st.sampled_from(_ODD.split())
CELLS = st.one_of(LETTERS, LETTERS, LETTERS, ODD.map(cell_text))
_TRICKY = r"""
R&B singer
a < b > c
<i>Dune</i> author
&amp; so on
{/Odd/} clue
Café – “déjà vu”
A ~ B
x ~
One || two
100%20sure
## Grid
title: X
a\b
'tis; : = #
日本
<!-- no -->
N/A
"""
TEXT = st.one_of(st.text(max_size=30), st.sampled_from(_TRICKY.strip().splitlines()))
LINES = TEXT.map(clue_text)
NOTES = st.lists(TEXT, max_size=3).map("\n".join).map(paragraphs)
DATES = st.one_of(st.just(""), st.dates().map(lambda day: day.isoformat()))


@st.composite
def grids(draw: st.DrawFn) -> Grid:
    height, width = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    signs = st.sampled_from([EMPTY] * 6 + [BLOCK, BLOCK, VOID])
    rows = draw(
        st.lists(
            st.lists(signs, min_size=width, max_size=width).map("".join),
            min_size=height,
            max_size=height,
        ).filter(lambda rows: EMPTY in "".join(rows))
    )
    grid = Grid(tuple(rows))
    sides: list[tuple[Cell, Direction]] = []
    for row, col in grid.cells:
        if grid.is_open((row, col + 1)):
            sides.append(((row, col), "A"))
        if grid.is_open((row + 1, col)):
            sides.append(((row, col), "D"))
    barred = draw(st.booleans())
    if sides and barred:
        return Grid(tuple(rows), draw(st.frozensets(st.sampled_from(sides), max_size=4)))
    return grid


@st.composite
def puzzles(draw: st.DrawFn) -> Puzzle:
    """Any puzzle that a reader could have made."""
    grid = draw(grids())
    some = st.frozensets(st.sampled_from(grid.cells), max_size=5)
    solution = None
    if draw(st.booleans()):
        solution = {cell: draw(CELLS) for cell in grid.cells}
        if draw(st.booleans()):
            for cell in draw(some):
                solution.pop(cell)
    fill = {cell: draw(CELLS) for cell in draw(some)}
    given = frozenset(cell for cell in fill if draw(st.booleans()))
    clues = {}
    for slot in grid.slots:
        if text := draw(LINES):
            clues[slot.name] = text
    title, author, editor, publisher, owner = (draw(LINES) for _ in range(5))
    return Puzzle(
        grid=grid,
        clues=clues,
        solution=solution or None,
        fill=fill,
        given=given,
        circles=draw(some),
        shaded=draw(some),
        date=draw(DATES),
        notes=draw(NOTES),
        diagramless=draw(st.booleans()),
        title=title,
        author=author,
        editor=editor,
        publisher=publisher,
        copyright=owner,
    )


def as_written(puzzle: Puzzle, format: str) -> Puzzle:
    """The puzzle without what the format has no place for."""
    if format == "puz":
        rows = tuple(row.replace(VOID, BLOCK) for row in puzzle.grid.rows)
        return replace(
            puzzle,
            grid=Grid(rows),
            given=frozenset(),
            shaded=frozenset(),
            editor="",
            publisher="",
            date="",
        )
    if format == "jpz":
        return replace(puzzle, diagramless=False)
    if format == "xd":
        fill = {cell: puzzle.fill[cell] for cell in puzzle.given}
        return replace(puzzle, fill=fill, editor="" if puzzle.editor == "N/A" else puzzle.editor)
    return puzzle


def bare(puzzle: Puzzle) -> Puzzle:
    """Without its notices, which are about a file and not of the puzzle."""
    return replace(puzzle, notices=())
