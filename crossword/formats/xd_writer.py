"""Writes xd: the explicit dialect (`## Grid`), which is the clearer of the two.

Circles, shading and bars go into Puzzmo's `## Design`, given letters into `## Start`; programs
that follow the plain specification skip both sections. Entered letters that are not given have
no place.
"""

from __future__ import annotations

from collections.abc import Iterator

from crossword.errors import FormatError
from crossword.formats.draft import Dumped
from crossword.formats.xd import is_absent, is_special_line, plain
from crossword.puzzle import BLOCK, EMPTY, VOID, Cell, Puzzle

_RESERVED = frozenset("#._~=:<{ ")
# Signs for rebus cells, in the order of use: digits as everywhere, then signs, then letters that
# no Latin puzzle holds.
_KEYS = "1234567890!$%&*+?@^" + "".join(map(chr, range(0x2776, 0x2794)))
_MORE_KEYS = "".join(map(chr, range(0x4E00, 0x4E00 + 2000)))
_STYLE_KEYS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_STYLES = ("background: circle", "background-light: #dcdcdc", "bar-right: true", "bar-bottom: true")
_FIELDS = ("title", "author", "editor", "publisher", "copyright", "date")


def dump(puzzle: Puzzle) -> Dumped:
    keys = _rebus_keys(puzzle)
    parts = [("Metadata", _metadata(puzzle, keys)), ("Grid", _grid(puzzle, keys))]
    parts.append(("Clues", _clues(puzzle)))
    if puzzle.notes:
        lines = puzzle.notes.split("\n")
        parts.append(("Notes", [_note_line(line) for line in lines]))
    if design := _design(puzzle):
        parts.append(("Design", design))
    if puzzle.given:
        parts.append(("Start", _start(puzzle, keys)))
    text = "\n\n".join(f"## {name}\n\n" + "\n".join(lines) for name, lines in parts) + "\n"
    return Dumped(text.encode("utf-8"), tuple(_dropped(puzzle)))


def _note_line(line: str) -> str:
    """A line of notes that can't be taken for a heading or a comment."""
    if not is_special_line(line):
        return line
    return line.replace("<!--", "< !--", 1) if "<!--" in line else line.replace("##", "# #", 1)


def _dropped(puzzle: Puzzle) -> Iterator[str]:
    if set(puzzle.fill) - puzzle.given:
        yield "entered letters"
    if (puzzle.circles | puzzle.shaded) - puzzle.grid.open_cells:
        yield "circles and shading on blocks"
    if any(plain(text) != text for text in puzzle.clues.values()):
        yield "braces in clues that xd takes for markup"
    if is_absent(puzzle.editor):
        yield f"editor ({puzzle.editor})"
    if any(map(is_special_line, puzzle.notes.split("\n"))):
        yield "how lines in the notes that look like headings or comments are spaced"


def _texts(puzzle: Puzzle) -> Iterator[str]:
    yield from (puzzle.solution or {}).values()
    yield from (puzzle.fill[cell] for cell in puzzle.given)


def _is_plain(text: str) -> bool:
    """Whether a cell's text can stand in the grid as it is."""
    return len(text) == 1 and text not in _RESERVED and text.isprintable() and not text.islower()


def _rebus_keys(puzzle: Puzzle) -> dict[str, str]:
    """A sign for each text that the grid can't hold."""
    texts = list(_texts(puzzle))
    taken = {text for text in texts if _is_plain(text)}
    free = (key for key in _KEYS + _MORE_KEYS if key not in taken)
    keys: dict[str, str] = {}
    for text in texts:
        if not _is_plain(text) and text not in keys:
            key = next(free, None)
            if key is None:
                raise FormatError("too many different rebus cells for xd; write .ipuz or .jpz")
            keys[text] = key
    return keys


def _metadata(puzzle: Puzzle, keys: dict[str, str]) -> list[str]:
    lines = [f"{name}: {text}" for name in _FIELDS if (text := getattr(puzzle, name))]
    if keys:
        lines.append("rebus: " + " ".join(f"{key}={text}" for text, key in keys.items()))
    if puzzle.diagramless:
        lines.append("diagramless: true")
    if BLOCK not in "".join(puzzle.grid.rows) and len(puzzle.solution or {}) < len(
        puzzle.grid.cells
    ):
        lines.append("empty: .")  # else a reader could take the empty cells for blocks
    return lines


def _grid(puzzle: Puzzle, keys: dict[str, str]) -> list[str]:
    letters = puzzle.solution or {}
    return _drawn(puzzle, {cell: keys.get(text, text) for cell, text in letters.items()})


def _start(puzzle: Puzzle, keys: dict[str, str]) -> list[str]:
    given = {cell: puzzle.fill[cell] for cell in puzzle.given}
    return _drawn(puzzle, {cell: keys.get(text, text) for cell, text in given.items()})


def _drawn(puzzle: Puzzle, signs: dict[Cell, str]) -> list[str]:
    others = {BLOCK: BLOCK, VOID: "_"}
    return [
        "".join(
            signs.get((r, c), ".") if sign == EMPTY else others[sign] for c, sign in enumerate(row)
        )
        for r, row in enumerate(puzzle.grid.rows)
    ]


def _clues(puzzle: Puzzle) -> list[str]:
    lines: list[str] = []
    solution = puzzle.solution or {}
    for slot in puzzle.slots:
        if slot.name not in puzzle.clues:
            continue
        if slot.direction == "D" and lines and lines[-1].startswith("A"):
            lines.append("")
        answer = "".join(solution.get(cell, ".") for cell in slot.cells).replace("~", "-")
        lines.append(f"{slot.direction}{slot.number}. {puzzle.clues[slot.name]} ~ {answer}")
    return lines


def _design(puzzle: Puzzle) -> list[str]:
    bars = puzzle.grid.bars
    looks: dict[Cell, tuple[bool, ...]] = {}
    for cell in puzzle.grid.cells:
        marks = (cell in puzzle.circles, cell in puzzle.shaded)
        sides = ((cell, "A") in bars, (cell, "D") in bars)
        if any(marks + sides):
            looks[cell] = marks + sides
    if not looks:
        return []
    kinds: dict[tuple[bool, ...], str] = {}
    for look in looks.values():
        kinds.setdefault(look, _STYLE_KEYS[len(kinds)])  # at most fifteen
    lines = ["<style>"]
    for look, key in kinds.items():
        chosen = "; ".join(style for style, wanted in zip(_STYLES, look, strict=True) if wanted)
        lines.append(f"{key} {{ {chosen} }}")
    lines += ["</style>", ""]
    return lines + _drawn(puzzle, {cell: kinds[look] for cell, look in looks.items()})
