"""Crossword Compiler's .jpz: XML, bare or zipped. Read and written.

Parsed by defusedxml: no DTD, no entities, nothing fetched. Namespaces are ignored, since files
differ in them. A clue refers to a word, a word lists its cells, so clues are joined by cells.
Refused: other puzzles than a crossword, and clue lists headed neither across nor down. Two habits
of jpz programs are followed: `||` starts another clue, `@@` a footnote; both are cut off.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from urllib.parse import unquote
from xml.etree.ElementTree import Element, ParseError, SubElement, tostring

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from crossword.errors import CorruptFileError, UnknownFormatError, UnsupportedPuzzleError
from crossword.formats.draft import Draft, Dumped, FileClue, check_size
from crossword.formats.plaintext import cell_text, clue_text
from crossword.puzzle import BLOCK, EMPTY, MAX_SIDE, VOID, Cell, Direction, Puzzle

NAMESPACE = "http://crossword.info/xml/rectangular-puzzle"
ROOT_NAMESPACE = "http://crossword.info/xml/crossword-compiler"
# The headings that programs print, in the languages that Crossword Compiler is sold in.
_ACROSS = (
    "across",
    "horizontal",
    "horizontaal",
    "horizontaux",
    "waagerecht",
    "orizzontal",
    "vågrät",
)
_DOWN = ("down", "vertical", "verticaal", "verticaux", "senkrecht", "vertikal", "lodrät")
_WHITE = ("", "#ffffff", "#fff", "white", "none", "transparent")
_SHADE = "#dcdcdc"
_RANGE = re.compile(r"\s*(\d{1,4})\s*(?:-\s*(\d{1,4})\s*)?")
_ASIDE = re.compile(r"\s(?:\|\||@@)\s.*", re.S)
_SIDES: Mapping[str, tuple[int, int, Direction]] = {
    "right-bar": (0, 0, "A"),
    "bottom-bar": (0, 0, "D"),
    "left-bar": (0, -1, "A"),
    "top-bar": (-1, 0, "D"),
}


def load(data: bytes) -> Puzzle:
    try:
        root = fromstring(data, forbid_dtd=True, forbid_entities=True, forbid_external=True)
    except DefusedXmlException:
        raise CorruptFileError("XML with a DTD or entities, which a puzzle never needs") from None
    except ParseError as error:
        raise CorruptFileError(f"broken XML: {error}") from None
    except (ValueError, LookupError, RecursionError):  # unknown encodings and the like
        raise CorruptFileError("broken XML") from None
    return _puzzle(root)


def _local(element: Element) -> str:
    return element.tag.rpartition("}")[2].lower() if isinstance(element.tag, str) else ""


def _children(element: Element | None, name: str) -> list[Element]:
    return [] if element is None else [child for child in element if _local(child) == name]


def _child(element: Element | None, name: str) -> Element | None:
    return next(iter(_children(element, name)), None)


def _text(element: Element | None) -> str:
    """All text within, whatever the markup; deep nesting is no trouble for `itertext`."""
    return "" if element is None else "".join(element.itertext())


def _puzzle(root: Element) -> Puzzle:
    if _local(root) == "rectangular-puzzle":
        holder: Element | None = root
    elif _local(root).startswith("crossword-compiler"):
        holder = _child(root, "rectangular-puzzle")
    else:
        raise UnknownFormatError(f"XML, but no puzzle that we know (<{_local(root)[:40]}>)")
    crossword = _child(holder, "crossword")
    if holder is None or crossword is None:
        kinds = [_local(child) for child in (holder if holder is not None else ())]
        for kind in kinds:
            if kind not in _OTHER_PARTS:
                raise UnsupportedPuzzleError(f"a jpz of the kind {kind[:40]!r}, no crossword")
        raise CorruptFileError("a jpz without a <crossword>")
    grid = _child(crossword, "grid")
    if grid is None:
        raise CorruptFileError("a jpz without a <grid>")
    draft = _read_grid(grid)
    _read_clues(draft, crossword)
    settings = _child(root, "applet-settings")
    metadata = _child(holder, "metadata")
    for name, tags in _METADATA.items():
        texts = (_text(_child(part, tag)) for part in (metadata, settings) for tag in tags)
        setattr(draft, name, next((text for text in texts if text.strip()), ""))
    return draft.finish()


_OTHER_PARTS = ("metadata", "instructions", "")
_METADATA = {
    "title": ("title",),
    "author": ("creator",),
    "editor": ("editor",),
    "publisher": ("publisher",),
    "copyright": ("copyright", "rights"),
    "date": ("date", "created_at"),
    "notes": ("description",),
}


def _read_grid(grid: Element) -> Draft:
    width, height = _whole(grid, "width"), _whole(grid, "height")
    check_size(height, width)
    signs = [[BLOCK] * width for _ in range(height)]  # a cell that is not listed is no cell to fill
    draft = Draft(rows=[], solution={})
    for cell in _children(grid, "cell"):
        place = row, col = _whole(cell, "y") - 1, _whole(cell, "x") - 1
        if not (0 <= row < height and 0 <= col < width):
            raise CorruptFileError(f"a cell at x={col + 1}, y={row + 1}, outside the grid")
        kind = cell.get("type", "").lower()
        signs[row][col] = {"block": BLOCK, "void": VOID}.get(kind, EMPTY)
        if signs[row][col] == EMPTY:
            _read_cell(draft, place, cell, given=kind == "clue")
    draft.rows = ["".join(row) for row in signs]
    return draft


def _read_cell(draft: Draft, place: Cell, cell: Element, *, given: bool) -> None:
    assert draft.solution is not None
    draft.solution[place] = cell_text(cell.get("solution", ""))
    entered = cell_text(cell.get("solve-state", ""))
    if given and (letters := entered or draft.solution[place]):
        entered = letters
        draft.given.add(place)
    if entered:
        draft.fill[place] = entered
    if label := cell.get("number", "").strip():
        draft.labels[place] = label
    if cell.get("background-shape") == "circle":
        draft.circles.add(place)
    if cell.get("background-color", "").lower() not in _WHITE:
        draft.shaded.add(place)
    for side, (down, right, direction) in _SIDES.items():
        if cell.get(side) == "true":
            draft.bars.add(((place[0] + down, place[1] + right), direction))


def _read_clues(draft: Draft, crossword: Element) -> None:
    words: dict[str, tuple[Cell, ...]] = {}
    for word in _children(crossword, "word"):
        words[word.get("id", "")] = tuple(_word_cells(word))
    for listing in _children(crossword, "clues"):
        entries = _children(listing, "clue")
        if not entries:
            continue
        heading = clue_text(_text(_child(listing, "title")))
        direction = _direction(heading)
        for entry in entries:
            cells = words.get(entry.get("word", ""), ())
            draft.clues.append(
                FileClue(direction, entry.get("number", "").strip(), _clue_of(entry), cells)
            )


def _direction(heading: str) -> Direction:
    found = heading.lower()
    if any(word in found for word in _ACROSS):
        return "A"
    if any(word in found for word in _DOWN):
        return "D"
    raise UnsupportedPuzzleError(
        f"a variety puzzle: it has clues under {heading[:40]!r}, neither across nor down"
    )


def _clue_of(entry: Element) -> str:
    text = _uttered(clue_text(_text(entry)))
    lengths = entry.get("format", "").strip()
    if lengths and not lengths.isdecimal() and not text.endswith(")"):
        text = f"{text} ({lengths})"  # 'two words, of two and three letters'
    return text


def _uttered(text: str) -> str:
    """A clue without what jpz programs hide in it."""
    if "%20" in text and " " not in text:  # some write their clues as a URL
        text = unquote(text, errors="replace")
    return _ASIDE.sub("", text)


def _word_cells(word: Element) -> Iterator[Cell]:
    parts = [word] if word.get("x") is not None else []
    for part in (*parts, *_children(word, "cells")):
        columns, rows = _span(part, "x"), _span(part, "y")
        if len(columns) > 1 and len(rows) > 1:
            raise CorruptFileError("a word that covers a rectangle")
        for row in rows:
            for col in columns:
                yield row - 1, col - 1


def _span(element: Element, name: str) -> range:
    found = _RANGE.fullmatch(element.get(name, ""))
    if not found:
        raise CorruptFileError(f"a word with {name}={element.get(name, '')[:20]!r}")
    first, last = int(found[1]), int(found[2] or found[1])
    if max(first, last) > MAX_SIDE:
        raise CorruptFileError("a word that leaves the grid")
    return range(first, last + 1) if first <= last else range(first, last - 1, -1)


def _whole(element: Element, name: str) -> int:
    text = element.get(name, "").strip()
    if not text.isdecimal() or len(text) > 6:
        raise CorruptFileError(f"<{_local(element)}> has {name}={text[:20]!r}, not a number")
    return int(text)


def dump(puzzle: Puzzle) -> Dumped:
    root = Element("crossword-compiler", xmlns=ROOT_NAMESPACE)
    holder = SubElement(root, "rectangular-puzzle", xmlns=NAMESPACE)
    metadata = SubElement(holder, "metadata")
    for name, tags in _METADATA.items():
        if text := getattr(puzzle, name):
            SubElement(metadata, tags[0]).text = text
    crossword = SubElement(holder, "crossword")
    grid = puzzle.grid
    drawn = SubElement(crossword, "grid", width=str(grid.width), height=str(grid.height))
    SubElement(drawn, "grid-look", {"numbering-scheme": "normal"})
    for row, signs in enumerate(grid.rows):
        for col, sign in enumerate(signs):
            _write_cell(drawn, puzzle, (row, col), sign)
    for number, slot in enumerate(grid.slots, start=1):
        word = SubElement(crossword, "word", id=str(number))
        for row, col in slot.cells:
            SubElement(word, "cells", x=str(col + 1), y=str(row + 1))
    for heading, direction in (("Across", "A"), ("Down", "D")):
        listing = SubElement(crossword, "clues", ordering="normal")
        SubElement(SubElement(listing, "title"), "b").text = heading
        for number, slot in enumerate(grid.slots, start=1):
            if slot.direction == direction and slot.name in puzzle.clues:
                clue = SubElement(listing, "clue", word=str(number), number=str(slot.number))
                clue.text = puzzle.clues[slot.name]
    data = tostring(root, encoding="utf-8", xml_declaration=True)
    return Dumped(data, tuple(_dropped(puzzle)))


def _write_cell(drawn: Element, puzzle: Puzzle, cell: Cell, sign: str) -> None:
    place = {"x": str(cell[1] + 1), "y": str(cell[0] + 1)}
    if sign != EMPTY:
        SubElement(drawn, "cell", {**place, "type": "block" if sign == BLOCK else "void"})
        return
    element = SubElement(drawn, "cell", place)
    if text := (puzzle.solution or {}).get(cell):
        element.set("solution", text)
    if number := puzzle.grid.numbers.get(cell):
        element.set("number", str(number))
    if entered := puzzle.fill.get(cell):
        element.set("solve-state", entered)
    if cell in puzzle.given:
        element.set("type", "clue")
    if cell in puzzle.circles:
        element.set("background-shape", "circle")
    if cell in puzzle.shaded:
        element.set("background-color", _SHADE)
    if (cell, "A") in puzzle.grid.bars:
        element.set("right-bar", "true")
    if (cell, "D") in puzzle.grid.bars:
        element.set("bottom-bar", "true")


def _dropped(puzzle: Puzzle) -> Iterator[str]:
    if puzzle.diagramless:
        yield "that it is a diagramless"
    if (puzzle.circles | puzzle.shaded) - puzzle.grid.open_cells:
        yield "circles and shading on blocks"
    if any(_uttered(text) != text for text in puzzle.clues.values()):
        yield "||, @@ or %20 in a clue (jpz programs read them as something else)"
