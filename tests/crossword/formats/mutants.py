"""Injured puzzle files, for the tests and for `python -m benchmarks.fuzz`.

Two kinds: bytes changed at random, and injuries that keep a file's outer shape (a strange value in
JSON, a strange attribute in XML, .puz with sound checksums, texts with lines moved), which get past
the first checks. All come from a dice that is seeded, so each can be made again.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import puz

from crossword.formats import dump
from crossword.puzzle import Grid, parse
from tests.crossword.formats.samples import samples

Dice = random.Random

TOKENS = [
    b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"9" * 30, b"-1", b'"', b"<", b"{", b"[", b"\n\n\n",
    b"]]>", b"&#0;", b"&x;", b"\\ud800", b"\xed\xa0\x80", "שלום".encode(), "\u202eabc".encode(),
    b"1e999",
    b"## Grid\n", b"<!--", b"%20", b"NaN", b"\r", b"\t", b"ACROSS&DOWN\0", b"PK\x03\x04",
]  # fmt: skip
STRANGE: list[Any] = [
    None, True, False, 0, -1, 1, 255, 256, 10**30, 0.5, float("inf"), "", "#", ".", "0", "\0",
    "\ud800", "A" * 300, "²", "١", "999999", [], {}, [[]], [None], {"cell": None}, {"value": {}},
    [["1", "2"], "x"], {"number": [], "cells": [[1]]}, {"style": {"barred": 3, "mark": []}},
    "\u202eשלום", "Ⅷ", float("nan"), "1-9999",
]  # fmt: skip
_ATTRIBUTE = re.compile(rb'="[^"]*"')


def injured(data: bytes, dice: Dice) -> bytes:
    """A few random injuries: bytes changed, cut, doubled, swapped, or the end torn off."""
    out = bytearray(data)
    for _ in range(dice.randint(1, 4)):
        if not out:
            break
        at = dice.randrange(len(out))
        span = dice.randint(1, 20)
        injury = dice.randrange(6)
        if injury == 0:
            out[at] = dice.randrange(256)
        elif injury == 1:
            del out[at : at + span]
        elif injury == 2:
            out[at:at] = out[at : at + span]
        elif injury == 3:
            out[at:at] = dice.choice(TOKENS)
        elif injury == 4:
            other = dice.randrange(len(out))
            out[at], out[other] = out[other], out[at]
        else:
            del out[at:]
    return bytes(out)


def transplanted(value: Any, dice: Dice) -> Any:
    """JSON of the same shape, with a strange value somewhere inside."""
    if dice.random() < 0.12 or not isinstance(value, dict | list) or not value:
        return dice.choice(STRANGE)
    if isinstance(value, dict):
        key = dice.choice(list(value))
        if dice.random() < 0.1:
            return {k: v for k, v in value.items() if k != key}
        return {**value, key: transplanted(value[key], dice)}
    at = dice.randrange(len(value))
    if dice.random() < 0.1:
        return value[:at] + value[at + 1 :]
    return [*value[:at], transplanted(value[at], dice), *value[at + 1 :]]


@cache
def _parsed(data: bytes) -> Any:
    return json.loads(data)


def odd_json(data: bytes, dice: Dice) -> bytes:
    value = _parsed(data)
    for _ in range(dice.randint(1, 3)):
        value = transplanted(value, dice)
    return json.dumps(value).encode()


def odd_puz(data: bytes, dice: Dice) -> bytes:
    """A .puz whose checksums are right and whose insides are not."""
    file = puz.load(data)
    for _ in range(dice.randint(1, 3)):
        injury = dice.randrange(7)
        if injury == 0:
            code = dice.choice([b"GRBS", b"RTBL", b"RUSR", b"GEXT", b"LTIM", b"XXXX"])
            file.extensions[code] = dice.randbytes(dice.randint(0, 40))
        elif injury == 1 and file.extensions:
            code = dice.choice(list(file.extensions))
            file.extensions[code] = injured(file.extensions[code], dice)
        elif injury == 2:
            file.solution = "".join(dice.choice("AB.:-\x7f\x01 ") for _ in file.solution)
        elif injury == 3:
            file.fill = "".join(dice.choice("ab.:-\x7f\x01 ") for _ in file.fill)
        elif injury == 4:
            file.clues = file.clues[: dice.randint(0, 9)] * dice.randint(0, 3)
        elif injury == 5:
            file.puzzletype = dice.choice([0, 1, 0x401, 0xFFFF])
        else:
            file.solution_state = dice.choice([0, 2, 4, 0xFFFF])
    return bytes(file.tobytes())


def odd_xml(data: bytes, dice: Dice) -> bytes:
    """XML that is well formed, with tags gone or doubled and attributes exchanged."""
    if dice.random() < 0.5:
        places = list(_ATTRIBUTE.finditer(data))
        found = dice.choice(places)
        value = dice.choice(
            [dice.choice(places)[0], b'=""', b'="0"', b'="-1"', b'="1-9999"', b'="999999"',
             '="٣"'.encode(), b'="true"', b'="A&amp;B"', b'="&#xd;"', b'="' + b"Z" * 70 + b'"'],
        )  # fmt: skip
        return data[: found.start()] + value + data[found.end() :]
    pieces = re.split(rb"(?=<cell |<word |<clue |<clues |<grid)", data)
    return _shuffled(pieces, dice, b"")


def odd_lines(data: bytes, dice: Dice) -> bytes:
    """A text with lines moved, doubled, gone, or a token put in."""
    lines = data.split(b"\n")
    if dice.random() < 0.5:
        at = dice.randrange(len(lines))
        cut = dice.randint(0, len(lines[at]))
        lines[at] = lines[at][:cut] + dice.choice(TOKENS) + lines[at][cut:]
    return _shuffled(lines, dice, b"\n")


def _shuffled(pieces: list[bytes], dice: Dice, glue: bytes) -> bytes:
    pieces = list(pieces)
    at, to = dice.randrange(len(pieces)), dice.randrange(len(pieces))
    piece = pieces[at]
    if dice.random() < 0.6:
        del pieces[at]
    if dice.random() < 0.6:
        pieces.insert(min(to, len(pieces)), piece)
    return glue.join(pieces)


_SHAPED: dict[str, Callable[[bytes, Dice], bytes]] = {
    "puz": odd_puz,
    "ipuz": odd_json,
    "nyt": odd_json,
    "xwordinfo": odd_json,
    "jpz": odd_xml,
    "xd": odd_lines,
    "txt": odd_lines,
}


def seeds() -> dict[str, list[bytes]]:
    """Sound files to injure, by format: the sample, and where it can be written one with bars."""
    found = {name: [data] for name, data in samples().items()}
    barred = parse("CATS\nO~RE\nBE#T\nART.", {"1A": "Pets"}, solved=True)
    barred = replace(barred, grid=Grid(barred.grid.rows, frozenset({((0, 1), "A"), ((2, 0), "D")})))
    barred = replace(barred, clues={}, diagramless=True)
    for name in ("ipuz", "jpz", "xd"):
        found[name].append(dump(barred, name).data)
    return found


def shaped(format: str, data: bytes, dice: Dice) -> bytes:
    """An injury that keeps the outer shape of the format."""
    return _SHAPED[format](data, dice)


def mutant(format: str, found: list[bytes], dice: Dice) -> bytes:
    """One injured file: half by bytes, half in the shape of the format, some both."""
    data = dice.choice(found)
    kind = dice.random()
    if kind < 0.45:
        return injured(data, dice)
    data = shaped(format, data, dice)
    return injured(data, dice) if kind > 0.9 else data


def flooded(format: str, found: list[bytes], size: int, dice: Dice) -> bytes:
    """A file of about `size` bytes: a piece of a sound one, or of a token, repeated."""
    data = dice.choice(found)
    at = dice.randrange(len(data))
    kind = dice.random()
    if kind < 0.5:
        piece = data[at : at + dice.choice([1, 2, 3, 5, 10, 30, 100])]
    elif kind < 0.75:
        piece = dice.choice(TOKENS)
    else:
        pieces = re.split(rb"(?=<cell |<word |<clue |\n|,)", data)
        piece = dice.choice([piece for piece in pieces if piece])
        at = data.index(piece)
    return data[:at] + piece * max(1, (size - len(data)) // max(1, len(piece))) + data[at:]
