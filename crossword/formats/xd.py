"""xd, the text format of archives (century-arcade/xd, version 3): the reader.

Both dialects: sections by blank lines, or under `## Grid` and the like. Puzzmo's additions are
read too: `## Design` (circles, shading, bars), `## Start` (given letters), `.` as a block where
there is no `#`. A line that fits nothing is an error with its number, as a clue could be lost.
Clue markup becomes plain text. Clues have no cells here, so they are joined by derived number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from crossword.errors import CorruptFileError, UnsupportedPuzzleError
from crossword.formats.draft import Draft, FileClue, check_size
from crossword.formats.plaintext import cell_text, clue_text
from crossword.puzzle import BLOCK, EMPTY, VOID, Cell, Direction, Puzzle

SECTIONS = ("metadata", "grid", "clues", "notes", "design", "start")
_HEADING = re.compile(r"##\s+([A-Za-z]+)\s*")
_HEADER = re.compile(r"([A-Za-z][\w .-]{0,40}?)\s*:\s*(.*)")
_CLUE = re.compile(r"([A-Z])(\d{1,5})\.\s+(\S.*)")
_CLUE_METADATA = re.compile(r"[A-Z]?\d{1,5}\s+\^\w+:.*")
# No two neighbouring parts of these can take the same sign, so a long line costs no more than its
# length; what nests is taken from the inside out.
_MARKUP = re.compile(r"\{([/*_~^-])([^{}]+)\1\}")
_LINK = re.compile(r"\{([@#])([^|{}]*)\|[^{}]*\1\}")
_IMAGE = re.compile(r"\{!!?[^|{}]*\|([^|{}]*)(?:\|[^{}]*)?!\}")
_STYLE = re.compile(r"(\S)\s*=?\s*\{([^{}]*)\}")
MAX_LINES = 200_000  # three times what a grid of 255 a side needs; each costs 100 bytes and more
_ABSENT = ("n/a", "not set", "not in data")  # what programs write for a date or editor unknown


@dataclass(slots=True)
class _File:
    """The lines of each section, with their numbers."""

    sections: dict[str, list[tuple[int, str]]] = field(default_factory=dict)

    def lines(self, name: str) -> list[tuple[int, str]]:
        return [(number, line) for number, line in self.sections.get(name, []) if line.strip()]


def loads(text: str) -> Puzzle:
    text = text.replace("\r\n", "\n").replace("\r", "\n").lstrip("\ufeff")
    if text.count("\n") > MAX_LINES:
        raise CorruptFileError(f"over {MAX_LINES:,} lines, too many for a puzzle")
    lines = list(_without_comments(text.split("\n")))
    first = next((at for at, line in enumerate(lines) if _heading(line)), len(lines))
    file = _by_headings(lines[first:], first)
    if "grid" not in file.sections:  # headings, if any, only for what follows the clues
        file.sections.update(_by_blank_lines(lines[:first]).sections)
    headers = _headers(file)
    rebus = _rebus(headers.get("rebus", ""))
    draft = _read_grid(file, headers, rebus)
    _read_clues(draft, file, headers)
    _read_design(draft, file, headers)
    _read_start(draft, file, rebus)
    for name in ("title", "author", "editor", "publisher", "copyright", "date"):
        setattr(draft, name, headers.get(name, ""))
    notes = "\n".join(line for _, line in file.sections.get("notes", []))
    draft.notes = notes if notes.strip() else headers.get("description", headers.get("notes", ""))
    draft.diagramless = headers.get("diagramless", "").lower() == "true"
    return draft.finish()


def _without_comments(lines: list[str]) -> Iterator[str]:
    """Comments become blank lines, so that line numbers in messages stay right."""
    inside = False
    for line in lines:
        inside = inside or line.lstrip().startswith("<!--")
        yield "" if inside else line
        inside = inside and "-->" not in line


def _heading(line: str) -> str:
    found = _HEADING.fullmatch(line)
    return found[1].lower() if found else ""


def is_special_line(line: str) -> bool:
    """Whether a line of notes would be taken for a heading or a comment."""
    return bool(_heading(line)) or line.strip().startswith("<!--")


def _by_headings(lines: list[str], offset: int) -> _File:
    file = _File()
    name = ""
    for number, line in enumerate(lines, start=offset + 1):
        if heading := _heading(line):
            name = heading
        elif name:
            file.sections.setdefault(name, []).append((number, line))
    return file


def _by_blank_lines(lines: list[str]) -> _File:
    """Sections parted by two or more blank lines: metadata, grid, clues, notes."""
    file = _File()
    blanks, index, begun = 0, 0, False
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            blanks += 1
            continue
        if begun and blanks > 1 and index < 3 and not _belongs(line, index):
            index += 1
        name = ("metadata", "grid", "clues", "notes")[index]
        file.sections.setdefault(name, []).extend(
            (number, "") for _ in range(blanks if begun and name == "notes" else 0)
        )
        file.sections[name].append((number, line))
        begun, blanks = True, 0
    return file


def _belongs(line: str, index: int) -> bool:
    """Archives are careless with blank lines between the across and the down clues."""
    return index == 2 and bool(_CLUE.fullmatch(line.strip()))


def _headers(file: _File) -> dict[str, str]:
    headers: dict[str, str] = {}
    for number, line in file.lines("metadata"):
        found = _HEADER.fullmatch(line.strip())
        if not found:
            raise CorruptFileError(f"line {number}: not 'Name: value': {clue_text(line)[:40]!r}")
        _keep(headers, found[1], found[2])
    return headers


def _keep(headers: dict[str, str], name: str, value: str) -> None:
    name, value = name.lower(), value.strip()
    if name not in ("date", "editor", "description") or not is_absent(value):
        headers.setdefault(name, value)


def is_absent(value: str) -> bool:
    return value.lower() in _ABSENT


def _rebus(text: str) -> dict[str, str]:
    """The header '1=ONE 2=TWO' as a table."""
    table: dict[str, str] = {}
    for part in text.split():
        key, equals, value = part.partition("=")
        if equals and len(key) == 1:
            table[key] = cell_text(value)
    return table


def _read_grid(file: _File, headers: dict[str, str], rebus: Mapping[str, str]) -> Draft:
    rows: list[tuple[int, str]] = []
    for number, line in file.lines("grid"):
        if (found := _HEADER.fullmatch(line.strip())) and " " in line.strip():
            _keep(headers, found[1], found[2])  # metadata that slipped in here
        else:
            rows.append((number, line.strip()))
    if not rows:
        raise CorruptFileError("an xd file without a grid")
    check_size(len(rows), len(rows[0][1]))
    signs = {sign for _, line in rows for sign in line}
    # The specification has '#' for a block and '.' for an empty cell; Puzzmo has '.' for a block.
    dots_are_blocks = BLOCK not in signs and signs - {".", "_"} and "empty" not in headers
    special = headers.get("special", "").lower()
    draft = Draft(rows=[], solution={})
    for r, (number, line) in enumerate(rows):
        if len(line) != len(rows[0][1]):
            raise CorruptFileError(
                f"line {number}: a row of {len(line)} cells in a grid of {len(rows[0][1])}"
            )
        row = ""
        for c, sign in enumerate(line):
            if sign == BLOCK or (sign == "." and dots_are_blocks):
                row += BLOCK
            elif sign == "_":
                row += VOID
            else:
                row += EMPTY
                _read_cell(draft, (r, c), sign, special, rebus)
        draft.rows.append(row)
    return draft


def _read_cell(draft: Draft, cell: Cell, sign: str, special: str, rebus: Mapping[str, str]) -> None:
    if sign.isspace():
        raise CorruptFileError(f"a blank inside row {cell[0] + 1} of the grid")
    assert draft.solution is not None
    if sign != "." or sign in rebus:
        draft.solution[cell] = rebus.get(sign) or cell_text(sign)
    if special and sign.islower():
        (draft.shaded if special.startswith("shade") else draft.circles).add(cell)


def _read_clues(draft: Draft, file: _File, headers: Mapping[str, str]) -> None:
    for number, raw in file.lines("clues"):
        line = raw.strip()
        found = _CLUE.fullmatch(line)
        if not found:
            if _CLUE_METADATA.fullmatch(line):
                continue
            raise CorruptFileError(
                f"line {number}: not a clue like 'A1. Clue ~ ANSWER': {clue_text(line)[:40]!r}"
            )
        group, label, rest = found.groups()
        direction: Direction
        if group == "A":
            direction = "A"
        elif group == "D":
            direction = "D"
        else:
            raise UnsupportedPuzzleError(
                f"a variety puzzle: line {number} has a clue of the group {group!r}, "
                "neither across nor down"
            )
        draft.clues.append(FileClue(direction, str(int(label)), plain(_question(rest))))


def _question(line: str) -> str:
    """The clue of a line 'Clue ~ ANSWER'."""
    line = clue_text(line)
    if line.endswith(" ~"):
        return line[:-2]
    clue, tilde, _ = line.rpartition(" ~ ")
    return clue if tilde else line


def plain(text: str) -> str:
    """A clue without xd's markup: {/italic/}, {@ text | address @} and their like."""
    if "{" not in text:
        return text
    for _ in range(4):  # they nest, rarely more than two deep
        text = _IMAGE.sub(lambda found: found[1].strip(), text)
        text = _LINK.sub(lambda found: found[2].strip(), text)
        text = _MARKUP.sub(r"\2", text)
    return text


def _read_design(draft: Draft, file: _File, headers: Mapping[str, str]) -> None:
    styles: dict[str, str] = {}
    rows: list[str] = []
    inside = False
    for _, raw in file.lines("design"):
        line = raw.strip()
        inside = inside or line.startswith("<style>")
        if inside:
            styles.update(_styles(line[:2000]))
            inside = "</style>" not in line
        else:
            rows.append(line)
    styles.update(_styles(headers.get("design", "")[:2000]))
    for cell, sign in _drawn(draft, rows):
        style = styles.get(sign, "")
        row, col = cell
        if "circle" in style:
            draft.circles.add(cell)
        if "background-light" in style or "background-dark" in style or "shaded" in style:
            draft.shaded.add(cell)
        if "bar-left" in style:
            draft.bars.add(((row, col - 1), "A"))
        if "bar-top" in style:
            draft.bars.add(((row - 1, col), "D"))
        if "bar-right" in style:
            draft.bars.add((cell, "A"))
        if "bar-bottom" in style:
            draft.bars.add((cell, "D"))


def _styles(text: str) -> dict[str, str]:
    return {key: style.lower() for key, style in _STYLE.findall(text)}


def _drawn(draft: Draft, rows: list[str]) -> Iterator[tuple[Cell, str]]:
    """The open cells of a second drawing of the grid, with its signs."""
    for r, line in enumerate(rows[: len(draft.rows)]):
        for c, sign in enumerate(line[: len(draft.rows[r])]):
            if draft.rows[r][c] == EMPTY:
                yield (r, c), sign


def _read_start(draft: Draft, file: _File, rebus: Mapping[str, str]) -> None:
    rows = [line.strip() for _, line in file.lines("start")]
    for cell, sign in _drawn(draft, rows):
        if sign not in (".", BLOCK, "_"):
            draft.fill[cell] = rebus.get(sign) or cell_text(sign)
            draft.given.add(cell)
