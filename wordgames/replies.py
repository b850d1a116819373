"""Wordle's reply to a guess, by two rules, for any word length and alphabet.

*standard*: greens first, then yellows left to right while unmatched copies remain in the answer.
*naive*: yellow wherever the letter occurs in the answer at all.

A reply is written as digits, one a letter: 0 grey, 1 yellow, 2 green. As a number (a *pattern
code*) these are read in base 3, first letter most significant, so all green is 3**length - 1.
"""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from wordgames.errors import InputError, ReplyError
from wordgames.strategy import unknown_name

Rule = Literal["standard", "naive"]
RULES: tuple[Rule, ...] = get_args(Rule)
GREY, YELLOW, GREEN = 0, 1, 2
MAX_LENGTH = 15  # 3**15 pattern codes are the most that the counting kernels have room for

# Pairs worked on at once: a block and its temporaries stay in the processor's cache.
_BLOCK = 1 << 16

Codes = NDArray[np.uint8]
Patterns = NDArray[np.unsignedinteger]

# Signs people use for the three colours, beside the digits.
SIGNS = {
    **dict.fromkeys("0.-_xXbB⬛⬜", GREY),
    **dict.fromkeys("1yY?🟨", YELLOW),
    **dict.fromkeys("2gG+🟩", GREEN),
}


def checked_rule(rule: str) -> Rule:
    """The rule of that name, or an error that lists the names."""
    for known in RULES:
        if rule == known:
            return known
    raise unknown_name("reply rule", rule, RULES)


def pattern_type(length: int) -> type[np.unsignedinteger]:
    """The smallest unsigned type that holds every pattern code of this length."""
    if not 1 <= length <= MAX_LENGTH:
        raise InputError(f"words must have 1 to {MAX_LENGTH} letters, not {length}")
    return np.uint8 if length <= 5 else np.uint16 if length <= 10 else np.uint32


def pattern_matrix(guesses: Codes, answers: Codes, rule: Rule = "standard") -> Patterns:
    """Pattern codes of every guess (row) against every answer (column).

    Both are letter codes of shape (words, length); 12,972 x 2,315 take about half a second.
    """
    if guesses.shape[1] != answers.shape[1]:
        raise InputError("guesses and answers differ in length")
    length = guesses.shape[1]
    code_type = pattern_type(length)
    # places[letter, answer]: the positions at which the answer has the letter, as bits.
    bits = np.uint8 if length <= 8 else np.uint16
    places = np.zeros((256, len(answers)), bits)
    for i in range(length):
        places[answers[:, i], np.arange(len(answers))] |= bits(1 << i)
    matrix = np.zeros((len(guesses), len(answers)), code_type)
    rows = max(1, _BLOCK // max(1, len(answers)))
    for start in range(0, len(guesses), rows):
        _fill(guesses[start : start + rows], places, rule, matrix[start : start + rows])
    return matrix


def _fill(guesses: Codes, places: NDArray[Any], rule: Rule, codes: Patterns) -> None:
    """One block of the matrix, all pairs of it at once, letter by letter without branches."""
    bits = places.dtype.type
    length = guesses.shape[1]
    green = np.zeros(codes.shape, places.dtype)
    for i in range(length):
        green |= places[guesses[:, i]] & bits(1 << i)
    free = ~green
    for i in range(length):
        copies = places[guesses[:, i]]
        if rule == "standard":
            copies &= free
        is_green = (green >> bits(i)) & bits(1)
        is_yellow = (copies != 0) & (is_green == 0)
        if rule == "standard":
            # The lowest of the open copies is used up by this yellow.
            lowest = copies & (~copies + bits(1))
            lowest *= is_yellow
            free ^= lowest
        codes *= codes.dtype.type(3)
        codes += is_green
        codes += is_green
        codes += is_yellow


def reply(guess: Codes, answer: Codes, rule: Rule = "standard") -> tuple[int, ...]:
    """The digits of the reply to one guess; both words as letter codes."""
    code = int(pattern_matrix(guess[None, :], answer[None, :], rule)[0, 0])
    return digits(code, len(guess))


def digits(code: int, length: int) -> tuple[int, ...]:
    """A pattern code as digits, first letter first."""
    return tuple(code // 3**power % 3 for power in range(length - 1, -1, -1))


def pattern_code(reply_digits: tuple[int, ...]) -> int:
    """Digits as a pattern code."""
    code = 0
    for digit in reply_digits:
        code = 3 * code + digit
    return code


def parse_reply(text: str, length: int) -> int:
    """The pattern code of a typed reply: digits 0 1 2, or any of `SIGNS` (.yg, ⬛🟨🟩)."""
    signs = [sign for sign in text.strip() if sign != "\ufe0f"]
    for sign in signs:
        if sign not in SIGNS:
            raise ReplyError(
                f"reply {text!r}: {sign!r} is not a colour; write 0 for grey, 1 yellow, 2 green"
            )
    if len(signs) != length:
        raise ReplyError(
            f"reply {text!r} has {len(signs)} digits, the words have {length} letters; "
            "write one digit a letter: 0 grey, 1 yellow, 2 green"
        )
    return pattern_code(tuple(SIGNS[sign] for sign in signs))


def reply_text(code: int, length: int) -> str:
    """A pattern code as the digits people type."""
    return "".join(map(str, digits(code, length)))
