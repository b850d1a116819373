"""A tiny corpus of our own: thirty puzzles of unconnected words, enough to train on in seconds."""

from __future__ import annotations

import random
from datetime import date, timedelta
from pathlib import Path

from crossword.formats import dump
from crossword.puzzle import Puzzle, parse

PUZZLES = 30
FIRST_DAY = date(2022, 1, 1)
WORDS_EACH = 6
# Settings of an encoder as small as the corpus; the default ones are made for a million clues.
SMALL_ENCODER = {
    "size": 32, "passes": 6, "drop": 0.1, "batch": 64, "negatives": 8, "clue_bytes": 16,
    "seen_bytes": 16, "new_bytes": 8,
}  # fmt: skip

# Our own words and clues; several clues share words, so that neighbours are worth finding.
CLUES: dict[str, list[str]] = {
    "CAT": ["Purring pet", "Pet that purrs", "Mouser at home", "Whiskered pet"],
    "DOG": ["Barking pet", "Pet on a leash", "Bone burier", "Kennel dweller"],
    "TEN": ["Fingers, all told", "Fingers and thumbs, all told", "Top score on a dive"],
    "ARE": ["You ___ here", "We ___ the champions", "Exist, for you", "___ we there yet?"],
    "COB": ["Corn's core", "Core of an ear of corn", "Male swan"],
    "ORE": ["Rock worth digging", "Miner's find", "Rock that miners dig"],
    "SUN": ["Star of the day", "Our nearest star", "Source of a tan"],
    "MOON": ["Night light in the sky", "Tide puller", "Sky's night light"],
    "TREE": ["Leaf bearer", "Oak or elm, for example", "Shade giver in a park"],
    "LAMP": ["Light on a desk", "Desk light", "Genie's home"],
    "RIVER": ["It runs but has no legs", "Water that runs to the sea", "Bridge's need"],
    "BREAD": ["Loaf on a board", "Baker's loaf", "Toast before toasting"],
    "HOUSE": ["Place to live", "Home with a roof", "Doll's place to live"],
    "PIANO": ["Instrument with keys", "Softly, in scores", "Keys are on it"],
    "CHAIR": ["Seat with four legs", "Seat at a table", "Committee's head seat"],
    "GARDEN": ["Flower bed's place", "Place for a flower bed", "Green thumb's pride"],
    "PENCIL": ["Writer with lead", "Lead holder for a writer", "Eraser's partner, often"],
    "WINTER": ["Snowy season", "Season of snow and skis", "Season after fall"],
    "KITCHEN": ["Cook's room", "Room for a cook", "Where the stove is"],
    "LIBRARY": ["Quiet place with books", "Books are lent here", "Place of lent books"],
    "NOTEBOOK": ["Pages for a pencil", "Student's bound pages", "Bound pages for notes"],
}


def puzzles(count: int = PUZZLES, *, dated: bool = True) -> list[Puzzle]:
    """The same puzzles every time; words stand in rows apart, so that nothing crosses."""
    draw = random.Random(7)
    made = []
    for number in range(count):
        answers = draw.sample(sorted(CLUES), WORDS_EACH)
        width = max(map(len, answers))
        drawing = f"\n{'#' * width}\n".join(answer.ljust(width, "#") for answer in answers)
        plain = parse(drawing, solved=True)
        clues = {
            slot.name: draw.choice(CLUES[plain.answer(slot.name) or ""]) for slot in plain.slots
        }
        day = (FIRST_DAY + timedelta(days=number)).isoformat() if dated else ""
        made.append(
            Puzzle(plain.grid, clues, solution=plain.solution, title=f"No. {number}", date=day)
        )
    return made


def write_corpus(path: Path, count: int = PUZZLES, *, dated: bool = True) -> Path:
    """The puzzles as ipuz, one a line."""
    lines = [
        dump(puzzle, "ipuz").data.decode().replace("\n", " ")
        for puzzle in puzzles(count, dated=dated)
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
