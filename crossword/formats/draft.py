"""What a reader gathers from a file before it is a `Puzzle`, and the checks that make it one.

Every reader fills a `Draft` and calls `finish`. Here the numbering is derived and held against
the file's own, clues are joined to slots by the cell that carries their label (never by the
derived number where the file has labels), and whatever does not fit becomes a notice. A clue
whose cells lie neither in a row nor a column is a trick; many make a variety puzzle: refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from crossword.errors import CorruptFileError, UnsupportedPuzzleError
from crossword.formats.plaintext import clue_text, iso_date, line, paragraphs
from crossword.puzzle import (
    EMPTY,
    MAX_SIDE,
    Cell,
    Direction,
    Grid,
    Puzzle,
    Slot,
    numbering_differences,
)

# The share of answers that turn a corner up to which a puzzle still counts as a crossword with a
# trick. Arbitrary: dailies bend two or three of eighty, variety puzzles bend all or a whole list.
MAX_BENT = 0.1
# More than the slots of any grid of 255 a side, bars and all; a file of a megabyte can hold half a
# million clues, which would take over a second to join.
MAX_CLUES = MAX_SIDE * (MAX_SIDE + 1)
_NAMED = 5  # how many slots or cells a notice lists before it only counts


@dataclass(frozen=True, slots=True)
class Dumped:
    """A puzzle as a file's bytes, and a line for each thing that the format can't hold."""

    data: bytes
    dropped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FileClue:
    """A clue as a file has it, with the label printed before it and the cells where told."""

    direction: Direction
    label: str
    text: str
    cells: tuple[Cell, ...] = ()


@dataclass(slots=True)
class Draft:
    """The parts of a puzzle as a file has them, unchecked."""

    rows: list[str]
    clues: list[FileClue] = field(default_factory=list)
    labels: dict[Cell, str] = field(default_factory=dict)
    marks: dict[Cell, tuple[str, ...]] = field(default_factory=dict)  # further labels of a cell
    bars: set[tuple[Cell, Direction]] = field(default_factory=set)
    solution: dict[Cell, str] | None = None
    fill: dict[Cell, str] = field(default_factory=dict)
    given: set[Cell] = field(default_factory=set)
    circles: set[Cell] = field(default_factory=set)
    shaded: set[Cell] = field(default_factory=set)
    title: str = ""
    author: str = ""
    editor: str = ""
    publisher: str = ""
    copyright: str = ""
    date: str = ""
    notes: str = ""
    diagramless: bool = False
    notices: list[str] = field(default_factory=list)

    def finish(self) -> Puzzle:
        """The puzzle, with a notice for each thing in the file that doesn't fit."""
        check_size(len(self.rows), len(self.rows[0]) if self.rows else 0)
        check_clues(len(self.clues))
        grid = Grid(tuple(self.rows), frozenset(self._real_bars()))
        notices = [*self.notices, *_numbering_notices(grid, self.labels)]
        clues = self._joined_clues(grid, notices)
        solution = self._checked_solution(grid, notices)
        date = iso_date(self.date)
        if self.date.strip() and not date:
            notices.append(f"the date {line(self.date)[:40]!r} was not understood")
        if self.diagramless:
            notices.append("a diagramless: its blocks are shown, since its clues need their slots")
        return Puzzle(
            grid=grid,
            clues=clues,
            solution=solution,
            fill={cell: text for cell, text in self.fill.items() if text},
            given=frozenset(self.given),
            circles=frozenset(self.circles),
            shaded=frozenset(self.shaded),
            title=line(self.title),
            author=line(self.author),
            editor=line(self.editor),
            publisher=line(self.publisher),
            copyright=line(self.copyright),
            date=date,
            notes=paragraphs(self.notes),
            diagramless=self.diagramless,
            notices=tuple(notices),
        )

    def _real_bars(self) -> Iterator[tuple[Cell, Direction]]:
        """The bars that part two open cells; on the edge or beside a block they are only drawn."""
        height, width = len(self.rows), len(self.rows[0])

        def is_open(row: int, col: int) -> bool:
            return 0 <= row < height and 0 <= col < width and self.rows[row][col] == EMPTY

        for (row, col), side in self.bars:
            after = is_open(row, col + 1) if side == "A" else is_open(row + 1, col)
            if after and is_open(row, col):
                yield (row, col), side

    def _checked_solution(self, grid: Grid, notices: list[str]) -> dict[Cell, str] | None:
        letters = self.solution
        if letters is None:
            return None
        letters = {cell: text for cell, text in letters.items() if text}
        if not letters:
            notices.append("the file has no solution")
            return None
        if len(letters) < len(grid.cells):
            missing = [cell for cell in grid.cells if cell not in letters]
            notices.append(f"{_counted(len(missing), 'cell')} with no letter in the solution: "
                           + _listed(_place(cell) for cell in missing))  # fmt: skip
        return letters

    def _joined_clues(self, grid: Grid, notices: list[str]) -> dict[str, str]:
        starts = {(slot.cells[0], slot.direction): slot for slot in grid.slots}
        labelled: dict[str, list[Cell]] = {}
        for cell, label in self.labels.items():
            labelled.setdefault(label, []).append(cell)
        for cell, more in self.marks.items():
            for label in more:
                labelled.setdefault(label, []).append(cell)
        found: dict[str, str] = {}
        strays: list[FileClue] = []
        repeated: list[str] = []
        for clue in self.clues:
            slot = _slot_of(clue, grid, starts, labelled)
            if slot is None:
                strays.append(clue)
            elif slot.name in found:
                repeated.append(slot.name)
            else:
                found[slot.name] = clue_text(clue.text)
        if strays:
            notices += _place_strays(strays, len(self.clues), starts, labelled, found)
        if repeated:
            notices.append(f"{_counted(len(repeated), 'clue')} given twice: {_listed(repeated)}")
        clues = {name: text for name, text in found.items() if text}  # an empty clue is no clue
        if not clues:
            notices.append("the file has no clues")
        elif len(clues) < len(grid.slots):
            bare = [slot.name for slot in grid.slots if slot.name not in clues]
            notices.append(f"{_counted(len(bare), 'slot')} without a clue: {_listed(bare)}")
        return clues


def _slot_of(
    clue: FileClue,
    grid: Grid,
    starts: Mapping[tuple[Cell, Direction], Slot],
    labelled: Mapping[str, Sequence[Cell]],
) -> Slot | None:
    """The slot that a clue belongs to: by its cells, else by the cell with its label."""
    if clue.cells:
        slot = starts.get((clue.cells[0], clue.direction))
        return slot if slot is not None and slot.cells == clue.cells else None
    if not labelled:
        return grid.by_name.get(f"{clue.label}{clue.direction}")
    for cell in labelled.get(clue.label, ()):
        if (slot := starts.get((cell, clue.direction))) is not None:
            return slot
    # '14-15': the labels of the first and the last cell, as in the first crossword of all.
    first, dash, last = clue.label.partition("-")
    if dash:
        ends = labelled.get(last.strip(), ())
        for cell in labelled.get(first.strip(), ()):
            slot = starts.get((cell, clue.direction))
            if slot is not None and (not ends or slot.cells[-1] in ends):
                return slot
    return None


def _place_strays(
    strays: Sequence[FileClue],
    total: int,
    starts: Mapping[tuple[Cell, Direction], Slot],
    labelled: Mapping[str, Sequence[Cell]],
    found: dict[str, str],
) -> Iterator[str]:
    """Clues whose cells are no slot: to a free slot at their first cell, or at their label."""
    bent = [clue for clue in strays if clue.cells and not is_run(clue.cells, clue.direction)]
    if len(bent) > MAX_BENT * total:
        raise UnsupportedPuzzleError(
            f"a variety puzzle: the answer of clue {line(bent[0].label)[:20]!r} does not run "
            + ("across" if bent[0].direction == "A" else "down")
        )
    odd: list[str] = []
    homeless: list[str] = []
    for clue in strays:
        places = (clue.cells[0], *labelled.get(clue.label, ())) if clue.cells else ()
        slots = (starts.get((cell, clue.direction)) for cell in places)
        free = next((slot for slot in slots if slot is not None and slot.name not in found), None)
        if free is None:
            homeless.append(f"{line(clue.label)[:20]}{clue.direction}")
        else:
            found[free.name] = clue_text(clue.text)
            odd.append(free.name)
    if odd:
        yield f"{_counted(len(odd), 'clue')} for other cells than the slot's: {_listed(odd)}"
    if homeless:
        yield f"{_counted(len(homeless), 'clue')} without a slot in the grid: {_listed(homeless)}"


def check_size(height: int, width: int) -> None:
    """Refuses a grid with no cells or more than 255 a side."""
    if height < 1 or width < 1:
        raise CorruptFileError("the grid has no cells")
    if height > MAX_SIDE or width > MAX_SIDE:
        raise CorruptFileError(
            f"a grid of {height} rows and {width} columns is over {MAX_SIDE} a side"
        )


def check_clues(count: int) -> None:
    """Refuses more clues than the largest grid has slots; readers ask as early as they can."""
    if count > MAX_CLUES:
        raise CorruptFileError(f"{count:,} clues, too many for a puzzle")


def is_run(cells: Sequence[Cell], direction: Direction) -> bool:
    """Whether the cells follow one another in a row (A) or in a column (D)."""
    row, col = cells[0]
    if direction == "A":
        return all(cell == (row, col + i) for i, cell in enumerate(cells))
    return all(cell == (row + i, col) for i, cell in enumerate(cells))


def _numbering_notices(grid: Grid, labels: Mapping[Cell, str]) -> Iterator[str]:
    if not labels:
        return
    own = {cell: int(label) for cell, label in labels.items() if _is_number(label)}
    if own != grid.numbers and (wrong := list(numbering_differences(grid, own))):
        yield (
            f"the file's own numbers differ from the derived ones in {_counted(len(wrong), 'cell')}"
            f": {_listed(_place(cell) for cell in wrong)}"
        )
    if other := [cell for cell, label in labels.items() if not _is_number(label)]:
        yield (
            f"{_counted(len(other), 'cell')} with a label that is no number: "
            + _listed(_place(cell) for cell in other)
        )


def _is_number(label: str) -> bool:
    return label.isdecimal() and len(label) < 7


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _place(cell: Cell) -> str:
    return f"row {cell[0] + 1} column {cell[1] + 1}"


def _listed(names: Iterable[str]) -> str:
    shown = list(names)
    more = f" and {len(shown) - _NAMED} more" if len(shown) > _NAMED else ""
    return ", ".join(shown[:_NAMED]) + more
