"""ipuz (http://ipuz.org): JSON with a grid of labels, a solution and clue lists. Read and written.

Read: blocks, voids (null), labels and marks, circles, colour as shading, bars, given letters
(`value`), saved letters, clues as pairs, objects or bare text, with `cells` counted from 0 or 1.
Refused: kinds other than crosswords, and clue lists that run neither across nor down. Markup
inside texts becomes plain text.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from crossword.errors import CorruptFileError, UnsupportedPuzzleError
from crossword.formats.document import Json, array, mapping, string, whole
from crossword.formats.draft import Draft, Dumped, FileClue, check_clues, check_size
from crossword.formats.markup import escaped, plain
from crossword.formats.plaintext import cell_text
from crossword.puzzle import BLOCK, EMPTY, VOID, Cell, Direction, Puzzle

KIND = "http://ipuz.org/crossword#1"
DIAGRAMLESS = "http://ipuz.org/crossword/diagramless#1"
# Sub-kinds of crosswords that still run in rows and columns.
_PLAIN_KINDS = ("crossword", "crossword/crypticcrossword", "crossword/diagramless")
_DIRECTIONS: Mapping[str, Direction] = {"across": "A", "down": "D"}
_WHITE = {"", "0", "fff", "ffffff", "white"}
_SHADE = "DCDCDC"  # the light grey in which the writer shades a cell


def from_json(value: Json) -> Puzzle:
    """The puzzle in a JSON value that has been parsed."""
    file = mapping(value, "the file")
    diagramless = _check_kind(file.get("kind"))
    size = mapping(file.get("dimensions"), "'dimensions'")
    width, height = whole(size.get("width"), "'width'"), whole(size.get("height"), "'height'")
    check_size(height, width)
    block = string(file.get("block")) or BLOCK
    empty = string(file.get("empty")) or "0"
    draft = Draft(rows=[], diagramless=diagramless)
    labels = _grid(file.get("puzzle"), width, height, "'puzzle'")
    for row, line in enumerate(labels):
        draft.rows.append(_read_row(draft, row, line, block, empty))
    if file.get("solution") is not None:
        draft.solution = _letters(
            draft, _grid(file["solution"], width, height, "'solution'"), {block}
        )
    else:
        draft.notices.append("the file has no solution")
    if file.get("saved") is not None:
        saved = _letters(draft, _grid(file["saved"], width, height, "'saved'"), {block, empty})
        draft.fill = {cell: text for cell, text in saved.items() if text} | draft.fill
    _read_clues(draft, file.get("clues"), width, height)
    for name in ("title", "author", "editor", "publisher", "copyright"):
        setattr(draft, name, plain(string(file.get(name))))
    draft.date = string(file.get("date"))
    intro, notes = plain(string(file.get("intro"))), plain(string(file.get("notes")))
    draft.notes = "\n".join(part for part in (intro, notes) if part)
    return draft.finish()


def _check_kind(value: Json) -> bool:
    """Whether it is a diagramless; anything but a crossword is refused."""
    kinds = [string(kind) for kind in (value if isinstance(value, list) else [value])]
    if not any(kinds):
        raise CorruptFileError("ipuz without a 'kind'")
    diagramless = False
    for kind in kinds:
        name = kind.partition("ipuz.org/")[2].partition("#")[0].strip("/").lower()
        if name not in _PLAIN_KINDS:
            raise UnsupportedPuzzleError(
                f"an ipuz of the kind {kind[:80]!r}, which is no crossword"
            )
        diagramless = diagramless or name.endswith("diagramless")
    return diagramless


def _grid(value: Json, width: int, height: int, what: str) -> Sequence[Sequence[Json]]:
    rows = array(value, what)
    if len(rows) != height:
        raise CorruptFileError(f"{what} has {len(rows)} rows, not {height}")
    for row in rows:
        if len(array(row, f"a row of {what}")) != width:
            raise CorruptFileError(f"a row of {what} has {len(row)} cells, not {width}")
    return rows


def _read_row(draft: Draft, row: int, line: Sequence[Json], block: str, empty: str) -> str:
    signs: list[str] = []
    for col, cell in enumerate(line):
        if cell.__class__ is dict:
            signs.append(_read_styled(draft, (row, col), cell, block, empty))
        elif cell is None:
            signs.append(VOID)
        elif cell == block:
            signs.append(BLOCK)
        else:
            signs.append(EMPTY)
            if cell:
                label = str(cell) if cell.__class__ is int else string(cell).strip()
                if label and label != empty:
                    draft.labels[row, col] = label
    return "".join(signs)


def _read_styled(
    draft: Draft, place: Cell, cell: Mapping[str, Json], block: str, empty: str
) -> str:
    inner = cell.get("cell")
    if inner is None and "cell" in cell:
        return VOID
    if inner == block:
        return BLOCK
    label = string(inner).strip()
    if label and label != empty and label != "0":
        draft.labels[place] = label
    if value := cell_text(string(cell.get("value"))):
        draft.fill[place] = value
        draft.given.add(place)
        draft.marks[place] = (value,)
    style = cell.get("style")
    if not isinstance(style, dict):
        return EMPTY
    if string(style.get("shapebg")) == "circle":
        draft.circles.add(place)
    if string(style.get("color")).lower().lstrip("#") not in _WHITE or style.get("highlight"):
        draft.shaded.add(place)
    marks = style.get("mark")
    if isinstance(marks, dict):
        draft.marks[place] = (*draft.marks.get(place, ()), *map(string, marks.values()))
        if place not in draft.labels and (corner := string(marks.get("TL"))).isdecimal():
            draft.labels[place] = corner
    row, col = place
    for side in string(style.get("barred")).upper():
        if side == "R":
            draft.bars.add((place, "A"))
        elif side == "B":
            draft.bars.add((place, "D"))
        elif side == "L":
            draft.bars.add(((row, col - 1), "A"))
        elif side == "T":
            draft.bars.add(((row - 1, col), "D"))
    return EMPTY


def _letters(draft: Draft, rows: Sequence[Sequence[Json]], blanks: set[str]) -> dict[Cell, str]:
    """The letters of a grid of them, for the open cells; a bare sign of `blanks` is no letter."""
    letters: dict[Cell, str] = {}
    for row, line in enumerate(rows):
        signs = draft.rows[row]
        for col, cell in enumerate(line):
            if signs[col] != EMPTY or cell is None:
                continue
            if cell.__class__ is str:
                if cell not in blanks:
                    letters[row, col] = cell_text(cell)
            elif cell:  # a bare 0 is an empty cell
                letters[row, col] = _letter(cell)
    return letters


def _letter(cell: Json) -> str:
    """The text of a cell that is no bare string."""
    if isinstance(cell, dict):
        cell = cell.get("value", cell.get("cell"))
    if isinstance(cell, list):  # several right answers: the first is the one to show
        cell = cell[0] if cell else None
    return cell_text(string(cell))


def _read_clues(draft: Draft, value: Json, width: int, height: int) -> None:
    lists = mapping(value if value is not None else {}, "'clues'")
    offset = 1
    raw: list[tuple[Direction, str, str, Sequence[Json]]] = []
    for heading, entries in lists.items():
        # 'Across:Horizontal' is a direction and the heading that a page prints.
        direction = _DIRECTIONS.get(heading.partition(":")[0].strip().lower())
        if direction is None:
            if not entries:
                continue
            raise UnsupportedPuzzleError(
                f"a variety puzzle: it has clues under {heading[:40]!r}, neither across nor down"
            )
        check_clues(len(raw) + len(array(entries, f"the clues under {heading[:40]!r}")))
        for entry in entries:
            label, text, cells = _clue_parts(entry)
            raw.append((direction, label, text, cells))
            if any(_is_pair(cell) and 0 in cell for cell in cells):
                offset = 0  # the specification counts from 1, some writers from 0
    for direction, label, text, cells in raw:
        places = tuple(
            (whole(cell[1], "a row") - offset, whole(cell[0], "a column") - offset)
            for cell in cells
            if _is_pair(cell)
        )
        if any(not (0 <= row < height and 0 <= col < width) for row, col in places):
            places = ()
        draft.clues.append(FileClue(direction, label, text, places))


def _is_pair(value: Json) -> bool:
    return isinstance(value, list) and len(value) == 2


def _clue_parts(entry: Json) -> tuple[str, str, Sequence[Json]]:
    if isinstance(entry, list):
        first = entry[0] if entry else ""
        text = plain(string(entry[1])) if len(entry) > 1 else ""
        if isinstance(first, list):  # one clue for several slots: it belongs to the first
            first = first[1] if len(first) > 1 and isinstance(first[0], str) else first[:1]
            first = first[0] if isinstance(first, list) and first else first
        return string(first), text, ()
    if isinstance(entry, dict):
        label = entry.get("number", entry.get("label"))
        if label is None and isinstance(entry.get("numbers"), list) and entry["numbers"]:
            label = entry["numbers"][0]
        cells = entry.get("cells")
        text = plain(string(entry.get("clue")))
        return string(label), text, cells if isinstance(cells, list) else ()
    return "", plain(string(entry)), ()


def to_json(puzzle: Puzzle) -> dict[str, Json]:
    """The puzzle as an ipuz object."""
    grid = puzzle.grid
    file: dict[str, Json] = {
        "version": "http://ipuz.org/v2",
        "kind": [DIAGRAMLESS if puzzle.diagramless else KIND],
    }
    for name in ("title", "author", "editor", "publisher", "copyright", "date", "notes"):
        if text := getattr(puzzle, name):
            file[name] = text if name == "date" else escaped(text)
    file["dimensions"] = {"width": grid.width, "height": grid.height}
    signs: dict[str, Json] = {BLOCK: BLOCK, VOID: None}
    file["puzzle"] = [
        [_styled(puzzle, (r, c)) if sign == EMPTY else signs[sign] for c, sign in enumerate(row)]
        for r, row in enumerate(grid.rows)
    ]
    if puzzle.solution is not None:
        file["solution"] = _letter_rows(puzzle, puzzle.solution)
    saved = {cell: text for cell, text in puzzle.fill.items() if cell not in puzzle.given}
    if saved:
        file["saved"] = _letter_rows(puzzle, saved)
    file["clues"] = {
        heading: [
            [slot.number, escaped(puzzle.clues[slot.name])]
            for slot in grid.slots
            if slot.direction == direction and slot.name in puzzle.clues
        ]
        for heading, direction in (("Across", "A"), ("Down", "D"))
    }
    return file


def dump(puzzle: Puzzle) -> Dumped:
    """All that a `Puzzle` holds has a place in ipuz, but for marks where there is no cell."""
    text = json.dumps(to_json(puzzle), ensure_ascii=False, separators=(",", ":"))
    marks_on_blocks = (puzzle.circles | puzzle.shaded) - puzzle.grid.open_cells
    dropped = ("circles and shading on blocks",) if marks_on_blocks else ()
    return Dumped(text.encode("utf-8"), dropped)


def _styled(puzzle: Puzzle, cell: Cell) -> Json:
    """A cell as a bare label where that is all, else as an object with a style."""
    label = puzzle.grid.numbers.get(cell, 0)
    style: dict[str, Json] = {}
    if cell in puzzle.circles:
        style["shapebg"] = "circle"
    if cell in puzzle.shaded:
        style["color"] = _SHADE
    sides: tuple[tuple[str, Direction], ...] = (("R", "A"), ("B", "D"))
    if bars := "".join(letter for letter, side in sides if (cell, side) in puzzle.grid.bars):
        style["barred"] = bars
    value = puzzle.fill[cell] if cell in puzzle.given else None
    if not style and value is None:
        return label
    styled: dict[str, Json] = {"cell": label}
    if style:
        styled["style"] = style
    if value is not None:
        styled["value"] = value
    return styled


def _letter_rows(puzzle: Puzzle, letters: Mapping[Cell, str]) -> list[list[Json]]:
    signs: dict[str, Json] = {BLOCK: BLOCK, VOID: None}

    def entry(cell: Cell) -> Json:
        text = letters.get(cell, "")
        return {"value": text} if text in (BLOCK, "0") else text  # bare, they mean no letter

    return [
        [entry((r, c)) if sign == EMPTY else signs[sign] for c, sign in enumerate(row)]
        for r, row in enumerate(puzzle.grid.rows)
    ]
