"""Across Lite's .puz, on puzpy: read and written, versions 1.2 to 2.0.

Two things that the format does not say: before 2.0 its texts are Windows-1252 in practice, and
of the clues it has only the order (by cell, across before down). A locked file is read without
its solution; no key is tried. Shading, bars, voids, given letters, editor, publisher and date
have no place in it.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

import puz

from crossword.errors import CorruptFileError, FormatError
from crossword.formats.draft import Draft, Dumped, FileClue, check_size
from crossword.formats.plaintext import cell_text
from crossword.puzzle import BLOCK, EMPTY, MAX_SIDE, VOID, Cell, Grid, Puzzle, Slot

# Its checksums are counted byte by byte in Python, so a bound keeps a hostile file from being
# slow; 255 cells a side with long clues have half of it.
MAX_PUZ = 1024 * 1024
_BLOCKS = ".:"
_PLACEHOLDER = "X"  # the letter under a rebus whose first sign the grid can't hold
_RESERVED = ".:-"  # blocks, and the sign of an empty cell
_MAX_REBUS = 254  # the keys are one byte, and 0 is "none"


def load(data: bytes) -> Puzzle:
    if len(data) > MAX_PUZ:
        raise CorruptFileError(f"over {MAX_PUZ // 2**10} kB, too large for a .puz")
    try:
        file = puz.load(data)
    except puz.PuzzleFormatError as error:
        reason = "the header is cut short" if "unpack" in error.message else error.message
        raise CorruptFileError(f"a damaged .puz: {reason}") from None
    except UnicodeDecodeError:
        raise CorruptFileError("a damaged .puz: its text is not well encoded") from None
    except ValueError:
        raise CorruptFileError("a damaged .puz: its header has no version number") from None
    return from_puz(file)


def load_text(text: str) -> Puzzle:
    """Across Lite's text format, for authors; puzpy reads it into the same shape."""
    # puzpy numbers whatever stands in the grid's place, however much, before it looks at the size.
    grid = puz.text_file_as_dict(text).get("GRID", "")
    if sum(map(len, grid.split())) > MAX_SIDE**2:
        raise CorruptFileError(f"a damaged Across Lite text file: over {MAX_SIDE} cells a side")
    try:
        file = puz.load_text(text)
        return from_puz(file)
    except (puz.PuzzleFormatError, ValueError, LookupError, ArithmeticError):
        raise CorruptFileError("a damaged Across Lite text file") from None


def from_puz(file: Any) -> Puzzle:
    """The puzzle in a file that puzpy has read."""
    width, height = file.width, file.height
    check_size(height, width)
    if len(file.solution) != width * height or len(file.fill) != width * height:
        raise CorruptFileError("a damaged .puz: the grid is cut short")
    cells = [(index // width, index % width) for index in range(width * height)]
    rows = [
        "".join(BLOCK if sign in _BLOCKS else EMPTY for sign in file.solution[at : at + width])
        for at in range(0, width * height, width)
    ]
    draft = Draft(rows=rows)
    draft.diagramless = file.puzzletype == puz.PuzzleType.Diagramless
    extensions = _Extensions(file)
    _read_solution(draft, file, cells, extensions)
    for index, sign in enumerate(file.fill):
        if file.solution[index] in _BLOCKS or sign in _BLOCKS or sign == puz.BLANKSQUARE:
            continue
        draft.fill[cells[index]] = extensions.entered.get(index) or cell_text(sign)
    for index, text in extensions.entered.items():
        if file.solution[index] not in _BLOCKS:
            draft.fill.setdefault(cells[index], text)
    draft.circles = {cells[index] for index in extensions.circled if index < len(cells)}
    texts = [_windows(file, text) for text in file.clues]
    _place_clues(draft, texts)
    draft.title, draft.author = _windows(file, file.title), _windows(file, file.author)
    draft.copyright, draft.notes = _windows(file, file.copyright), _windows(file, file.notes)
    return draft.finish()


class _Extensions:
    """Rebus cells and circles, checked: puzpy takes the tables as the file has them."""

    def __init__(self, file: Any) -> None:
        count = file.width * file.height
        self.rebus: dict[int, str] = {}
        self.entered: dict[int, str] = {}
        try:
            rebus = file.rebus()
            if file.has_rebus():
                for index in rebus.get_rebus_squares():
                    if index < count and (text := rebus.get_rebus_solution(index)):
                        self.rebus[index] = cell_text(_windows(file, text))
            for index, text in enumerate(rebus.fill[:count]):
                if text:
                    self.entered[index] = cell_text(_windows(file, text))
            self.circled = file.markup().get_markup_squares(puz.GridMarkup.Circled)
        except (ValueError, KeyError, IndexError):
            raise CorruptFileError("a damaged .puz: its table of rebus cells is broken") from None


def _read_solution(draft: Draft, file: Any, cells: list[Cell], extensions: _Extensions) -> None:
    if file.is_solution_locked():
        draft.notices.append("the solution is locked (scrambled), so the puzzle has none here")
        return
    open_letters = {sign for sign in file.solution if sign not in _BLOCKS}
    if file.solution_state == puz.SolutionState.NotProvided or open_letters <= {puz.BLANKSQUARE}:
        draft.notices.append("the file has no solution")
        return
    draft.solution = {}
    for index, sign in enumerate(file.solution):
        if sign not in _BLOCKS and (sign != puz.BLANKSQUARE or index in extensions.rebus):
            draft.solution[cells[index]] = extensions.rebus.get(index) or cell_text(sign)


def _place_clues(draft: Draft, texts: list[str]) -> None:
    slots = _in_file_order(Grid(tuple(draft.rows)).slots)
    if len(texts) != len(slots):
        draft.notices.append(
            f"{len(texts)} clues for {len(slots)} slots: from some point on they may be misplaced"
        )
    for slot, text in zip(slots, texts, strict=False):
        draft.clues.append(FileClue(slot.direction, str(slot.number), text, slot.cells))


def _in_file_order(slots: tuple[Slot, ...]) -> list[Slot]:
    return sorted(slots, key=lambda slot: (slot.number, slot.direction))


def _windows(file: Any, text: str) -> str:
    """Before 2.0 puzpy decodes as Latin-1, while every author's program wrote Windows-1252."""
    if file.encoding == puz.ENCODING and any("\x80" <= sign <= "\x9f" for sign in text):
        return str(text).encode("latin-1").decode("cp1252", errors="replace")
    return str(text)


def dump(puzzle: Puzzle) -> Dumped:
    grid = puzzle.grid
    if grid.bars:
        raise FormatError("a .puz has no bars, and without them the clues have no slots; "
                          "write .ipuz, .jpz or .xd")  # fmt: skip
    file = puz.Puzzle(_version(puzzle))
    file.width, file.height = grid.width, grid.height
    block = puz.BLACKSQUARE
    if puzzle.diagramless:
        file.puzzletype, block = puz.PuzzleType.Diagramless, puz.BLACKSQUARE2
    writer = _GridWriter(file)
    solution, fill = puzzle.solution or {}, puzzle.fill
    for index, sign in enumerate("".join(grid.rows)):
        cell = divmod(index, grid.width)
        if sign == EMPTY:
            writer.add(index, solution.get(cell, ""), fill.get(cell, ""), cell in puzzle.circles)
        else:
            file.solution += block
            file.fill += block
    writer.save()
    if puzzle.solution is None:
        file.solution_state = puz.SolutionState.NotProvided
    file.title, file.author = puzzle.title, puzzle.author
    file.copyright, file.notes = puzzle.copyright, puzzle.notes
    file.clues = [puzzle.clues.get(slot.name, "") for slot in _in_file_order(grid.slots)]
    try:
        data = file.tobytes()
    except struct.error:  # the tables of a .puz have at most 65,535 bytes
        raise FormatError("too much for a .puz; write .ipuz, .jpz or .xd") from None
    return Dumped(data, (*_dropped(puzzle), *writer.dropped))


def _dropped(puzzle: Puzzle) -> Iterator[str]:
    if VOID in "".join(puzzle.grid.rows):
        yield "voids (written as blocks)"
    if puzzle.given:
        yield "which letters are given (they are written as entered)"
    if puzzle.shaded:
        yield "shaded cells"
    if puzzle.circles - puzzle.grid.open_cells:
        yield "circles on blocks"
    for name in ("editor", "publisher", "date"):
        if text := getattr(puzzle, name):
            yield f"{name} ({text})"


def _version(puzzle: Puzzle) -> str:
    """1.3 where Latin-1 holds all texts, since every program reads it; else 2.0, in UTF-8."""
    texts = [puzzle.title, puzzle.author, puzzle.copyright, puzzle.notes, *puzzle.clues.values()]
    texts += (puzzle.solution or {}).values()
    texts += puzzle.fill.values()
    try:
        "".join(texts).encode("latin-1")
    except UnicodeEncodeError:
        return "2.0"
    return "1.3"


class _GridWriter:
    """Lays cells into the two grids of one byte a cell; what is longer goes to the rebus table."""

    def __init__(self, file: Any) -> None:
        self.file = file
        self.rebus = file.rebus()
        self.markup = file.markup()
        self.dropped: list[str] = []

    def add(self, index: int, right: str, entered: str, circled: bool) -> None:
        self.file.solution += self._sign(right)
        self.file.fill += self._sign(entered)
        if self._is_rebus(right):
            if ";" in right:
                self._drop("rebus cells with a semicolon")
            elif right in self.rebus.solutions.values() or len(self.rebus.solutions) < _MAX_REBUS:
                self.rebus.add_rebus_squares(index, right)
            else:
                self._drop(f"more than {_MAX_REBUS} different rebus cells")
        if self._is_rebus(entered):
            self.rebus.fill[index] = entered
        if circled:
            self.markup.set_markup_squares(index, puz.GridMarkup.Circled)

    def save(self) -> None:
        """puzpy writes entered rebuses only beside a table of right ones, so make sure of it."""
        if any(self.rebus.fill) and not any(self.rebus.table):
            self.file.extensions[puz.Extensions.Rebus] = bytes(len(self.rebus.table))

    def _drop(self, what: str) -> None:
        if what not in self.dropped:
            self.dropped.append(what)

    @staticmethod
    def _is_rebus(text: str) -> bool:
        return bool(text) and (len(text) > 1 or text in _RESERVED or not text.isascii())

    def _sign(self, text: str) -> str:
        if not text:
            return str(puz.BLANKSQUARE)
        return text[0] if text[0].isascii() and text[0] not in _RESERVED else _PLACEHOLDER
