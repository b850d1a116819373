"""XWord Info's JSON: one flat list of cells, clues with their number in front. Read only.

A blank in `grid` is an open cell without a letter (contests hide theirs). `shadecircles` turns
the circles into shading; `bbars` and `rbars` are pairs of row and column with a bar below or on
the right. `jnotes` are remarks on the theme that give answers away, so they are left out.
"""

from __future__ import annotations

import re

from crossword.errors import CorruptFileError
from crossword.formats.document import Json, array, mapping, string, whole
from crossword.formats.draft import Draft, FileClue, check_clues, check_size
from crossword.formats.markup import plain
from crossword.formats.plaintext import cell_text
from crossword.puzzle import BLOCK, EMPTY, Cell, Direction, Puzzle

_CLUE = re.compile(r"\s*(\d+)\s*\.\s?(.*)", re.S)
_DIRECTIONS: tuple[tuple[Direction, str], ...] = (("A", "across"), ("D", "down"))


def from_json(value: Json) -> Puzzle:
    """The puzzle in a JSON value that has been parsed."""
    file = mapping(value, "the file")
    size = mapping(file.get("size"), "'size'")
    width, height = whole(size.get("cols"), "'cols'"), whole(size.get("rows"), "'rows'")
    check_size(height, width)
    signs = array(file.get("grid"), "'grid'")
    numbers = array(file.get("gridnums") or [], "'gridnums'")
    if len(signs) != width * height:
        raise CorruptFileError(f"{len(signs)} cells in a grid of {width} by {height}")
    cells = [(row, col) for row in range(height) for col in range(width)]
    solution: dict[Cell, str] = {}
    blocks = bytearray(len(signs))
    for index, sign in enumerate(signs):
        if sign == ".":
            blocks[index] = 1
        else:
            solution[cells[index]] = cell_text(string(sign))
    rows = [
        "".join(BLOCK if blocks[index] else EMPTY for index in range(start, start + width))
        for start in range(0, len(signs), width)
    ]
    draft = Draft(rows=rows, solution=solution)
    draft.labels = {
        cell: str(number)
        for cell, number in zip(cells, numbers, strict=False)
        if number and isinstance(number, int | str)
    }
    clues = mapping(file.get("clues"), "'clues'")
    for direction, key in _DIRECTIONS:
        texts = array(clues.get(key) or [], f"'{key}'")
        check_clues(len(texts))
        for text in texts:
            found = _CLUE.match(string(text))
            label, clue = found.groups() if found else ("?", string(text))
            draft.clues.append(FileClue(direction, label, plain(clue)))
    marked = {
        cell
        for cell, flag in zip(cells, array(file.get("circles") or [], "'circles'"), strict=False)
        if flag and not blocks[cell[0] * width + cell[1]]
    }
    if string(file.get("shadecircles")) == "true" or file.get("shadecircles") is True:
        draft.shaded = marked
    else:
        draft.circles = marked
    _add_bars(draft, file.get("rbars"), "A")
    _add_bars(draft, file.get("bbars"), "D")
    draft.title, draft.author = plain(string(file.get("title"))), plain(string(file.get("author")))
    draft.editor = plain(string(file.get("editor")))
    draft.publisher = plain(string(file.get("publisher")))
    draft.copyright, draft.date = plain(string(file.get("copyright"))), string(file.get("date"))
    draft.notes = plain(string(file.get("notepad")))
    return draft.finish()


def _add_bars(draft: Draft, value: Json, direction: Direction) -> None:
    places = [whole(part, "a bar") for part in array(value or [], "bars")]
    height, width = len(draft.rows), len(draft.rows[0])
    for row, col in zip(places[::2], places[1::2], strict=False):
        if row < height and col < width:
            draft.bars.add(((row, col), direction))
