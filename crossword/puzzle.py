"""One immutable model of a crossword: `Grid` (geometry), `Puzzle` (grid, clues, letters).

Numbering follows the convention of newspapers: a cell gets a number where a run of two or more
cells begins, left to right, top to bottom. Slots are named as people name them (`17A`, `4D`).
A cell is `(row, col)` everywhere. Standard library only. Variety puzzles are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

from crossword.errors import PatternError, PuzzleError

Cell = tuple[int, int]
Direction = Literal["A", "D"]

BLOCK = "#"
EMPTY = "."
VOID = "~"
LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
MAX_SIDE = 255  # the limit of .puz, and of anything that a person would print


@dataclass(frozen=True, slots=True)
class Slot:
    """A run of cells that takes one answer."""

    name: str
    number: int
    direction: Direction
    cells: tuple[Cell, ...]

    def __len__(self) -> int:
        return len(self.cells)


@dataclass(frozen=True, slots=True)
class Crossing:
    """`slot`'s letter number `index` is `other`'s letter number `other_index`."""

    slot: str
    index: int
    other: str
    other_index: int
    cell: Cell


@dataclass(frozen=True)
class Grid:
    """The geometry: which cells are open, and which neighbours a bar keeps apart.

    `rows` has one character a cell: `.` open, `#` block, `~` void (no cell at all).
    A bar is `(cell, "A")` for one on the cell's right side, `(cell, "D")` for one below it.
    """

    rows: tuple[str, ...]
    bars: frozenset[tuple[Cell, Direction]] = frozenset()

    def __post_init__(self) -> None:
        if not self.rows or not self.rows[0]:
            raise PuzzleError("a grid needs at least one row and one column")
        if len({len(row) for row in self.rows}) > 1:
            raise PuzzleError("the rows of a grid must be of one length")
        if self.height > MAX_SIDE or self.width > MAX_SIDE:
            raise PuzzleError(f"a grid of {self.height}×{self.width} is over {MAX_SIDE} a side")
        if wrong := set("".join(self.rows)) - {EMPTY, BLOCK, VOID}:
            raise PuzzleError(f"a grid has only '.', '#' and '~', not {sorted(wrong)[0]!r}")

    @property
    def height(self) -> int:
        return len(self.rows)

    @property
    def width(self) -> int:
        return len(self.rows[0])

    def is_open(self, cell: Cell) -> bool:
        row, col = cell
        return 0 <= row < self.height and 0 <= col < self.width and self.rows[row][col] == EMPTY

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """The open cells, in reading order."""
        return tuple(
            (r, c) for r, row in enumerate(self.rows) for c, sign in enumerate(row) if sign == EMPTY
        )

    @cached_property
    def open_cells(self) -> frozenset[Cell]:
        """The open cells, to ask whether one is among them."""
        return frozenset(self.cells)

    def _runs(self, direction: Direction) -> Mapping[Cell, tuple[Cell, ...]]:
        """The runs of two or more cells in one direction, by their first cell."""
        across = direction == "A"
        lines = (
            self.rows if across else ["".join(column) for column in zip(*self.rows, strict=True)]
        )
        bars = {cell for cell, side in self.bars if side == direction}
        found: dict[Cell, tuple[Cell, ...]] = {}
        for i, line in enumerate(lines):
            run: list[Cell] = []
            for j, sign in enumerate(line):
                cell = (i, j) if across else (j, i)
                if sign == EMPTY:
                    run.append(cell)
                if run and (sign != EMPTY or cell in bars):
                    if len(run) > 1:
                        found[run[0]] = tuple(run)
                    run = []
            if len(run) > 1:
                found[run[0]] = tuple(run)
        return found

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        """All across slots by number, then all down slots."""
        runs: dict[Direction, Mapping[Cell, tuple[Cell, ...]]] = {
            "A": self._runs("A"),
            "D": self._runs("D"),
        }
        starts = sorted(runs["A"].keys() | runs["D"].keys())
        numbers = {cell: number for number, cell in enumerate(starts, start=1)}
        return tuple(
            Slot(f"{numbers[cell]}{direction}", numbers[cell], direction, runs[direction][cell])
            for direction in runs
            for cell in starts
            if cell in runs[direction]
        )

    @cached_property
    def numbers(self) -> Mapping[Cell, int]:
        """The number printed in each cell that has one."""
        return {slot.cells[0]: slot.number for slot in self.slots}

    @cached_property
    def by_name(self) -> Mapping[str, Slot]:
        return {slot.name: slot for slot in self.slots}

    @cached_property
    def at(self) -> Mapping[Cell, tuple[tuple[Slot, int], ...]]:
        """For each open cell the slots through it, each with the letter's index in it."""
        through: dict[Cell, list[tuple[Slot, int]]] = {cell: [] for cell in self.cells}
        for slot in self.slots:
            for index, cell in enumerate(slot.cells):
                through[cell].append((slot, index))
        return {cell: tuple(pairs) for cell, pairs in through.items()}

    @cached_property
    def crossings(self) -> Mapping[str, tuple[Crossing, ...]]:
        """For each slot its crossings, in the order of its letters."""
        return {
            slot.name: tuple(
                Crossing(slot.name, index, other.name, other_index, cell)
                for index, cell in enumerate(slot.cells)
                for other, other_index in self.at[cell]
                if other.name != slot.name
            )
            for slot in self.slots
        }


@dataclass(frozen=True)
class Puzzle:
    """A grid, its clues, the letters in it, and the solution where the file has one.

    A cell holds a string: one letter as a rule, several in a rebus cell. `fill` is what has
    been entered; `given` names the cells whose letters came with the puzzle and must stay.
    Notices are what a reader found odd about the file, a line each.

    A diagramless has its blocks in `grid` all the same, since clues and answers hang on slots;
    `diagramless` says that a person would have to find them, and that a solver had it easier.
    """

    grid: Grid
    clues: Mapping[str, str] = field(default_factory=dict)
    solution: Mapping[Cell, str] | None = None
    fill: Mapping[Cell, str] = field(default_factory=dict)
    given: frozenset[Cell] = frozenset()
    circles: frozenset[Cell] = frozenset()
    shaded: frozenset[Cell] = frozenset()
    title: str = ""
    author: str = ""
    editor: str = ""
    publisher: str = ""
    copyright: str = ""
    date: str = ""  # ISO, YYYY-MM-DD, or empty
    notes: str = ""
    diagramless: bool = False
    notices: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in self.clues:
            if name not in self.grid.by_name:
                raise PuzzleError(f"there is a clue for {name}, but no such slot in the grid")
        open_cells = self.grid.open_cells
        for kind, cells in (
            ("solution", self.solution or {}),
            ("fill", self.fill),
            ("given", self.given),
        ):
            for cell in cells:
                if cell not in open_cells:
                    raise PuzzleError(f"{kind} names the cell {cell}, which is not open")
        for kind, marked in (("circles", self.circles), ("shaded", self.shaded)):
            for row, col in marked:
                if not (0 <= row < self.grid.height and 0 <= col < self.grid.width):
                    raise PuzzleError(f"{kind} names the cell {(row, col)}, outside the grid")
        if not self.given <= set(self.fill):
            raise PuzzleError("a given cell must have a letter in the fill")

    @property
    def slots(self) -> tuple[Slot, ...]:
        return self.grid.slots

    def slot(self, name: str) -> Slot:
        try:
            return self.grid.by_name[name]
        except KeyError:
            raise PuzzleError(f"the puzzle has no slot {name}") from None

    def clue(self, name: str) -> str:
        """The clue of a slot; empty where the file has none."""
        return self.clues.get(self.slot(name).name, "")

    def pattern(self, name: str) -> str:
        """What is known of a slot's answer, a sign a cell: a letter, or '.' where unknown.

        A rebus cell counts as unknown, since a pattern has one sign for each cell.
        """
        signs = (self.fill.get(cell, EMPTY) for cell in self.slot(name).cells)
        return "".join(sign if sign in LETTERS else EMPTY for sign in signs)

    def entry(self, name: str) -> str:
        """The letters entered in a slot, '.' where empty; rebus cells in full."""
        return "".join(self.fill.get(cell) or EMPTY for cell in self.slot(name).cells)

    def answer(self, name: str) -> str | None:
        """The right answer of a slot, or None where the file has no solution for it."""
        if self.solution is None:
            return None
        parts = [self.solution.get(cell) for cell in self.slot(name).cells]
        return None if None in parts else "".join(part for part in parts if part)

    def is_filled(self, name: str) -> bool:
        return all(self.fill.get(cell) for cell in self.slot(name).cells)

    def is_right(self, name: str) -> bool:
        """Whether every cell of a slot holds just what the solution has there."""
        return all(self.is_right_at(cell) for cell in self.slot(name).cells)

    def is_right_at(self, cell: Cell) -> bool:
        right = self.solution.get(cell) if self.solution is not None else None
        return right is not None and self.fill.get(cell) == right

    @property
    def has_solution(self) -> bool:
        return self.solution is not None

    @cached_property
    def rebus(self) -> frozenset[Cell]:
        """The cells whose solution has more than one sign."""
        return frozenset(cell for cell, text in (self.solution or {}).items() if len(text) > 1)

    def with_letters(self, letters: Mapping[Cell, str]) -> Puzzle:
        """The puzzle with these cells entered too; an empty string clears a cell."""
        for cell, letter in letters.items():
            if cell in self.given and letter != self.fill[cell]:
                raise PuzzleError(f"the letter at {cell} is given and must stay")
        fill = {cell: text for cell, text in {**self.fill, **letters}.items() if text}
        return replace(self, fill=fill)

    def with_answer(self, name: str, answer: str) -> Puzzle:
        """The puzzle with an answer of one letter a cell written into a slot."""
        slot = self.slot(name)
        if len(answer) != len(slot):
            raise PuzzleError(f"{answer} has {len(answer)} letters, {name} has {len(slot)} cells")
        return self.with_letters(dict(zip(slot.cells, answer, strict=True)))

    def with_given(self, letters: Mapping[Cell, str]) -> Puzzle:
        """The puzzle with these letters entered and locked."""
        return replace(self.with_letters(letters), given=self.given | set(letters))

    def without_answers(self) -> Puzzle:
        """What a solver may see: no solution, and of the letters only the given ones."""
        fill = {cell: self.fill[cell] for cell in self.given}
        return replace(self, solution=None, fill=fill)

    def with_clues(self, clues: Mapping[str, str]) -> Puzzle:
        return replace(self, clues=dict(clues))

    def render(self, *, solution: bool = False) -> str:
        """The grid as text, as `parse` reads it; a rebus cell shows its first letter."""
        letters = (self.solution or {}) if solution else self.fill
        return "\n".join(
            "".join(
                (letters.get((r, c)) or EMPTY)[0] if sign == EMPTY else sign
                for c, sign in enumerate(row)
            )
            for r, row in enumerate(self.grid.rows)
        )


def parse(text: str, clues: Mapping[str, str] | None = None, *, solved: bool = False) -> Puzzle:
    """A puzzle from a drawing: `#` block, `~` void, `.` empty, a letter is an entered letter.

    With `solved` the letters are the solution instead. Blank lines and indentation don't count.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    width = max((len(line) for line in lines), default=0)
    letters: dict[Cell, str] = {}
    rows: list[str] = []
    for r, line in enumerate(lines):
        row = ""
        for c, sign in enumerate(line.ljust(width, BLOCK)):
            if sign.upper() in LETTERS:
                letters[r, c] = sign.upper()
                row += EMPTY
            else:
                row += sign
        rows.append(row)
    grid = Grid(tuple(rows))
    if solved:
        return Puzzle(grid, dict(clues or {}), solution=letters)
    return Puzzle(grid, dict(clues or {}), fill=letters)


def check_pattern(pattern: str) -> str:
    """The pattern itself, or a `PatternError` that says what is wrong with it."""
    if not pattern:
        raise PatternError("a pattern needs at least one sign, for example 'C.T'")
    if wrong := set(pattern) - LETTERS - {EMPTY}:
        raise PatternError(
            f"a pattern has capital letters and '.', not {sorted(wrong)[0]!r}: {pattern[:40]!r}"
        )
    return pattern


def fits(answer: str, pattern: str) -> bool:
    """Whether an answer agrees with a pattern in length and in every known letter."""
    return len(answer) == len(pattern) and all(
        sign in (EMPTY, letter) for letter, sign in zip(answer, pattern, strict=True)
    )


def numbering_differences(grid: Grid, numbers: Mapping[Cell, int]) -> Iterable[Cell]:
    """The cells where a file's own numbers are not the derived ones."""
    for cell in sorted(set(grid.numbers) | set(numbers)):
        if grid.numbers.get(cell) != numbers.get(cell):
            yield cell
