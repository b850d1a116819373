"""A puzzle as arrays: the places of each slot, what crosses them, and its words' probabilities.

A *place* is one letter of a slot's answer. As a rule it is a cell; a cell that holds several
letters (a rebus, given or supposed) makes that many places, all fixed. So answers are longer than
their slots where a rebus stands, and nothing else in the solver needs to know of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crossword.puzzle import LETTERS, Cell, Puzzle
from crossword.solvers.propagation import BLOCK, Candidates, block_tops, shared_letters
from crossword.types import Distribution, Query

HARD = -30.0  # log-weight of a letter that contradicts a fixed one: nearly, not wholly, impossible


@dataclass(frozen=True, eq=False)
class Layout:
    """`cross[s, i]` is the flat place (slot * widest + index) that shares the cell, or -1."""

    puzzle: Puzzle
    names: tuple[str, ...]
    queries: tuple[Query, ...]
    lengths: NDArray[np.int64]
    cross: NDArray[np.int64]
    cell_of: NDArray[np.int64]  # index into `cells`, -1 where a place is fixed or past the end
    cells: tuple[Cell, ...]  # the open cells of unknown content that some slot runs through
    fixed: NDArray[np.float64]  # log-weights of fixed places, 0 where a place is free
    contents: Mapping[Cell, str]  # what the fixed cells hold

    @property
    def widest(self) -> int:
        return int(self.cross.shape[1])


def lay_out(puzzle: Puzzle, supposed: Mapping[Cell, str] | None = None) -> Layout:
    """The arrays of a puzzle; `supposed` adds cell contents to those that are given."""
    contents = {cell: puzzle.fill[cell] for cell in puzzle.given} | dict(supposed or {})
    slots = puzzle.slots
    places: list[list[tuple[Cell, str | None]]] = []
    for slot in slots:
        row: list[tuple[Cell, str | None]] = []
        for cell in slot.cells:
            text = contents.get(cell)
            row += [(cell, None)] if text is None else [(cell, sign) for sign in text]
        places.append(row)
    widest = max((len(row) for row in places), default=1)
    cells = tuple(
        cell for cell, through in puzzle.grid.at.items() if through and cell not in contents
    )
    index = {cell: i for i, cell in enumerate(cells)}
    cell_of = np.full((len(slots), widest), -1, dtype=np.int64)
    cross = np.full((len(slots), widest), -1, dtype=np.int64)
    fixed = np.zeros((len(slots), widest, 26))
    queries: list[Query] = []
    seen: dict[Cell, int] = {}
    for s, row in enumerate(places):
        pattern = ""
        for i, (cell, sign) in enumerate(row):
            if sign is None:
                cell_of[s, i] = index[cell]
                here = s * widest + i
                if cell in seen:
                    there = seen[cell]
                    cross[s, i] = there
                    cross[there // widest, there % widest] = here
                seen[cell] = here
            elif sign in LETTERS:
                fixed[s, i] = HARD
                fixed[s, i, ord(sign) - 65] = 0.0
            pattern += sign if sign is not None and sign in LETTERS else "."
        queries.append(Query(puzzle.clue(slots[s].name), pattern))
    return Layout(
        puzzle=puzzle,
        names=tuple(slot.name for slot in slots),
        queries=tuple(queries),
        lengths=np.array([len(row) for row in places], dtype=np.int64),
        cross=cross,
        cell_of=cell_of,
        cells=cells,
        fixed=fixed,
        contents=contents,
    )


def gather(layout: Layout, distributions: list[Distribution]) -> Candidates:
    """Flat arrays of all slots' words; letters of one length are stored once."""
    blocks: dict[int, tuple[int, int]] = {}
    letters: list[NDArray[np.uint8]] = [np.zeros(0, dtype=np.uint8)]
    shared: list[NDArray[np.uint8]] = [np.zeros(0, dtype=np.uint8)]
    letters_at = np.zeros(len(distributions), dtype=np.int64)
    shared_at = np.zeros(len(distributions), dtype=np.int64)
    words_at = np.zeros(len(distributions) + 1, dtype=np.int64)
    tops_at = np.zeros(len(distributions) + 1, dtype=np.int64)
    tilt = np.ones((len(distributions), layout.widest, 26))
    size = shared_size = 0
    for s, distribution in enumerate(distributions):
        words = distribution.words
        count = -(-len(words) // BLOCK)
        if id(words) not in blocks:
            blocks[id(words)] = size, shared_size
            own = np.zeros(count, dtype=np.uint8)
            shared_letters(words.letters, own)
            letters.append(words.letters.reshape(-1))
            shared.append(own)
            size += words.letters.size
            shared_size += count
        letters_at[s], shared_at[s] = blocks[id(words)]
        words_at[s + 1] = words_at[s] + len(words)
        tops_at[s + 1] = tops_at[s] + count
        if distribution.letters is not None:
            tilt[s, : words.length] = distribution.letters
    log_probs = joined([d.log_probs for d in distributions])
    tops = np.empty(int(tops_at[-1]), dtype=np.float32)
    block_tops(log_probs, words_at, tops_at, tops)
    return Candidates(
        letters=np.concatenate(letters),
        letters_at=letters_at,
        log_probs=log_probs,
        words_at=words_at,
        shared=np.concatenate(shared),
        shared_at=shared_at,
        tops=tops,
        tops_at=tops_at,
        log_unknown=np.array([d.log_unknown for d in distributions], dtype=np.float64),
        tilt=tilt,
    )


def joined(parts: list[NDArray[np.float32]]) -> NDArray[np.float32]:
    """Arrays one after another; not copied where they lie so, as parts of one."""
    parts = [part for part in parts if part.size]
    whole = parts[0].base if parts else None
    if isinstance(whole, np.ndarray) and whole.dtype == np.float32 and whole.flags.c_contiguous:
        at = whole.ctypes.data
        size = sum(part.size for part in parts)
        for part in parts:
            if part.base is not whole or part.ctypes.data != at or not part.flags.c_contiguous:
                break
            at += part.nbytes
        else:
            if size == whole.size:
                return whole.reshape(-1)
    return np.concatenate([*parts, np.zeros(0, dtype=np.float32)])
