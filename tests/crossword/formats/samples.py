"""One small puzzle of our own in every shape that a reader knows."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from crossword.formats import dump
from crossword.puzzle import Puzzle, parse

CLUES = {
    "1A": "It has a rope & a seat",
    "5A": "Fruit of a palm",
    "6A": "Loads",
    "7A": "“Not ___ a beat!”",
    "1D": "Quick <i>look</i>",
    "2D": "Opposite of east, in verse",
    "3D": "Bits of news",
    "4D": "Snug places",
}


def sample() -> Puzzle:
    """A 4x4 with a rebus, a circle, a shaded cell, a given letter and one entered."""
    puzzle = parse("SWIN\nDATE\nTONS\nMISS", CLUES, solved=True)
    solution = {**(puzzle.solution or {}), (0, 3): "NG"}
    puzzle = replace(
        puzzle,
        solution=solution,
        circles=frozenset({(1, 1)}),
        shaded=frozenset({(2, 2)}),
        title="Swing set",
        author="A. Tester",
        editor="E. Ditor",
        publisher="The Test Times",
        copyright="© 2026",
        date="2026-02-03",
        notes="First line\nSecond line",
    )
    return puzzle.with_given({(3, 3): "S"}).with_letters({(0, 0): "S", (0, 3): "NG"})


def nyt_json() -> dict[str, Any]:
    """The sample as the New York Times would serve it."""
    puzzle = sample()
    solution = puzzle.solution or {}
    cells: list[dict[str, Any]] = []
    for cell in puzzle.grid.cells:
        kind = 2 if cell in puzzle.circles else 3 if cell in puzzle.shaded else 1
        square: dict[str, Any] = {"answer": solution[cell], "type": kind, "clues": [0]}
        if number := puzzle.grid.numbers.get(cell):
            square["label"] = str(number)
        cells.append(square)
    cells[3]["moreAnswers"] = {"valid": ["N", "NG"]}
    clues = [
        {
            "cells": [row * puzzle.grid.width + col for row, col in slot.cells],
            "direction": "Across" if slot.direction == "A" else "Down",
            "label": str(slot.number),
            "text": [{"plain": puzzle.clues[slot.name]}],
        }
        for slot in puzzle.slots
    ]
    body = {
        "board": "<svg/>",
        "cells": cells,
        "clueLists": [{"clues": [0, 1, 2, 3], "name": "Across"}],
        "clues": clues,
        "dimensions": {"height": 4, "width": 4},
    }
    return {
        "body": [body],
        "constructors": ["A. Tester", "B. Tester"],
        "copyright": "2026",
        "editor": "E. Ditor",
        "publicationDate": "2026-02-03",
        "notes": [{"text": "Look twice.", "platforms": {"web": True}}],
    }


def xwordinfo_json() -> dict[str, Any]:
    """The sample in XWord Info's shape."""
    puzzle = sample()
    solution = puzzle.solution or {}
    clues = {"A": list[str](), "D": list[str]()}
    for slot in puzzle.slots:
        clues[slot.direction].append(f"{slot.number}. {puzzle.clues[slot.name]}")
    return {
        "author": "A. Tester",
        "bbars": None,
        "circles": [int(cell in puzzle.circles) for cell in puzzle.grid.cells],
        "clues": {"across": clues["A"], "down": clues["D"]},
        "date": "2/3/2026",
        "editor": "E. Ditor",
        "grid": [solution[cell] for cell in puzzle.grid.cells],
        "gridnums": [puzzle.grid.numbers.get(cell, 0) for cell in puzzle.grid.cells],
        "notepad": "First line<br />Second line",
        "rbars": None,
        "shadecircles": None,
        "size": {"cols": 4, "rows": 4},
        "title": "Swing set",
    }


def samples() -> dict[str, bytes]:
    """The sample's bytes by format."""
    files = {name: dump(sample(), name).data for name in ("puz", "ipuz", "jpz", "xd")}
    files["nyt"] = json.dumps(nyt_json()).encode()
    files["xwordinfo"] = json.dumps(xwordinfo_json()).encode()
    files["txt"] = (
        b"<ACROSS PUZZLE v2>\n<TITLE>\n\tSmall\n<AUTHOR>\n\tA. Tester\n"
        b"<COPYRIGHT>\n\n<SIZE>\n\t3x3\n"
        b"<GRID>\n\tC1T\n\tORE\n\tben\n<REBUS>\n\tMARK;\n\t1:ART:A\n<ACROSS>\n\tVehicle\n\tRock\n"
        b"\tBig clock\n<DOWN>\n\tCorn part\n\tYou ___ here\n\tFingers\n<NOTEPAD>\nA note\n"
    )
    return files
