"""The New York Times' own JSON, version 6 (`/svc/crosswords/v6/puzzle/…`). Read only.

`body[0]` has `dimensions`, a flat list of `cells` (an empty object is a block) and `clues` with
the indices of their cells. A cell's `type` is 1 for a plain one, 2 for a circle, 3 for shading,
4 for one outside the grid. Where `answer` is missing, the first of `moreAnswers.valid` is taken.
The drawing (`board`, `SVG`) is left out.
"""

from __future__ import annotations

from collections.abc import Mapping

from crossword.errors import CorruptFileError, UnsupportedPuzzleError
from crossword.formats.document import Json, array, mapping, string, whole
from crossword.formats.draft import Draft, FileClue, check_clues, check_size
from crossword.formats.markup import plain
from crossword.formats.plaintext import cell_text
from crossword.puzzle import BLOCK, EMPTY, VOID, Cell, Direction, Puzzle

_DIRECTIONS: Mapping[str, Direction] = {"across": "A", "down": "D"}
_CIRCLE, _SHADED, _OUTSIDE = 2, 3, 4
_DIAGRAMLESS = 3  # `subcategory` of variety puzzles


def from_json(value: Json) -> Puzzle:
    """The puzzle in a JSON value that has been parsed."""
    file = mapping(value, "the file")
    bodies = array(file.get("body"), "'body'")
    if not bodies:
        raise CorruptFileError("'body' is empty")
    body = mapping(bodies[0], "'body'")
    size = mapping(body.get("dimensions"), "'dimensions'")
    width, height = whole(size.get("width"), "'width'"), whole(size.get("height"), "'height'")
    check_size(height, width)
    squares = array(body.get("cells"), "'cells'")
    if len(squares) != width * height:
        raise CorruptFileError(f"{len(squares)} cells in a grid of {width} by {height}")
    cells = [(row, col) for row in range(height) for col in range(width)]
    draft = Draft(rows=[], solution={})
    signs = "".join(
        _read_square(draft, cell, mapping(square or {}, "a cell"))
        for cell, square in zip(cells, squares, strict=True)
    )
    draft.rows = [signs[at : at + width] for at in range(0, len(signs), width)]
    entries = array(body.get("clues") or [], "'clues'")
    check_clues(len(entries))
    for entry in entries:
        draft.clues.append(_clue(mapping(entry, "a clue"), cells))
    draft.author = _joined(file.get("constructors"))
    draft.editor = plain(string(file.get("editor")))
    draft.title = plain(string(file.get("title")))
    draft.copyright = plain(string(file.get("copyright")))
    draft.date = string(file.get("publicationDate"))
    draft.publisher = "The New York Times"
    draft.notes = _notes(file.get("notes"))
    draft.diagramless = file.get("subcategory") == _DIAGRAMLESS
    return draft.finish()


def _read_square(draft: Draft, cell: Cell, square: Mapping[str, Json]) -> str:
    kind = square.get("type")
    if not square or (kind is None and "answer" not in square and "clues" not in square):
        return BLOCK
    if kind == _OUTSIDE:
        return VOID
    if kind == _CIRCLE:
        draft.circles.add(cell)
    elif kind == _SHADED:
        draft.shaded.add(cell)
    if label := string(square.get("label")).strip():
        draft.labels[cell] = label
    answer = cell_text(string(square.get("answer")))
    more = square.get("moreAnswers")
    if not answer and isinstance(more, dict) and isinstance(more.get("valid"), list):
        answer = next((text for text in map(cell_text, map(string, more["valid"])) if text), "")
    assert draft.solution is not None
    draft.solution[cell] = answer
    return EMPTY


def _clue(entry: Mapping[str, Json], cells: list[Cell]) -> FileClue:
    heading = string(entry.get("direction"))
    direction = _DIRECTIONS.get(heading.strip().lower())
    if direction is None:
        raise UnsupportedPuzzleError(
            f"a variety puzzle: it has clues under {heading[:40]!r}, neither across nor down"
        )
    texts = entry.get("text")
    if isinstance(texts, list):
        parts = [part for part in texts if isinstance(part, dict)]
        text = " ".join(plain(string(p.get("plain") or p.get("formatted"))) for p in parts)
    else:
        text = plain(string(texts))
    places = [
        whole(index, "a cell of a clue") for index in array(entry.get("cells") or [], "cells")
    ]
    if any(not 0 <= index < len(cells) for index in places):
        raise CorruptFileError("a clue names a cell outside the grid")
    label = string(entry.get("label")).strip()
    return FileClue(direction, label, text, tuple(cells[index] for index in places))


def _joined(value: Json) -> str:
    names = [plain(string(name)) for name in (value if isinstance(value, list) else [value])]
    return " and ".join(name for name in names if name)


def _notes(value: Json) -> str:
    if not isinstance(value, list):
        return plain(string(value))
    texts = [note.get("text") if isinstance(note, dict) else note for note in value]
    parts = [part for text in texts for part in (text if isinstance(text, list) else [text])]
    return "\n".join(plain(string(part)) for part in parts if string(part))
