"""Small puzzles that can be checked by eye, with clues of our own."""

from __future__ import annotations

from crossword.puzzle import Puzzle, parse
from tests.fakes import FakeGuesser

SQUARE = """
    CAT
    ORE
    BEN
"""
SQUARE_CLUES = {
    "1A": "Purring pet",
    "4A": "Rock worth digging",
    "5A": "Big clock's name",
    "1D": "Corn's core",
    "2D": "You ___ here",
    "3D": "Fingers, all told",
}
SQUARE_ANSWERS = {"1A": "CAT", "4A": "ORE", "5A": "BEN", "1D": "COB", "2D": "ARE", "3D": "TEN"}


def square() -> Puzzle:
    """CAT/ORE/BEN across, COB/ARE/TEN down, with its solution."""
    return parse(SQUARE, SQUARE_CLUES, solved=True)


def knowing(confidence: float = 0.9, **others: list[tuple[str, float]]) -> FakeGuesser:
    """A guesser that knows the square's answers; `slot_1A=[…]` gives a slot another list."""
    table = {SQUARE_CLUES[name]: [(answer, confidence)] for name, answer in SQUARE_ANSWERS.items()}
    for key, guesses in others.items():
        table[SQUARE_CLUES[key.removeprefix("slot_")]] = guesses
    return FakeGuesser(table)
