"""The arithmetic of `search`, compiled: score a whole fill, and climb by changing slots or cells.

The score of a fill is the sum over slots of log P(its word | its clue), where a word in no list is
scored by the letter chain. Moves: another word in a slot, another letter in a cell, other words in
two crossing slots at once; every crossing word is scored anew each time.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numba
import numpy as np

from crossword.solvers.propagation import F32, F64, I32, I64, U8

HOPELESS = -1e30
LEAST_GAIN = 1e-6  # so that rounding can't make a move look like a gain for ever
FREE = 26  # a fixed place that takes any letter has this code or a higher one


class Model(NamedTuple):
    """A puzzle's words and what scores them, flat (see `layout`); numba takes it as it is."""

    cross: I64
    cell_of: I64
    fixed: I64
    lengths: I64
    letters: U8
    letters_at: I64
    log_probs: F32
    words_at: I64
    log_unknown: F64
    tilt: F64
    chain: F64
    ends: F64
    log_ends: F64


class State(NamedTuple):
    """A fill with its slots' scores, and room to try others in."""

    fill: U8
    scores: F64
    trial: U8  # the same as `fill` between two moves
    touched: I64
    fresh: F64
    word: U8


@numba.njit(cache=True, nogil=True)
def find_word(letters: U8, at: int, count: int, length: int, word: U8) -> int:
    """The index of a word among `count` sorted words that begin at `at`, or -1."""
    low, high = 0, count
    while low < high:
        middle = (low + high) // 2
        here = at + middle * length
        order = 0
        for i in range(length):
            if letters[here + i] != word[i]:
                order = -1 if letters[here + i] < word[i] else 1
                break
        if order == 0:
            return middle
        if order < 0:
            low = middle + 1
        else:
            high = middle
    return -1


@numba.njit(cache=True, nogil=True)
def unknown_score(s: int, word: U8, model: Model) -> float:
    """log P(word | clue of slot s, it is in no list): the chain, tilted by what the clue says."""
    length = model.lengths[s]
    first = second = 26
    total = model.log_unknown[s] - model.log_ends[length]
    for i in range(length):
        total += math.log(model.chain[first, second, word[i]])
        total += math.log(max(model.tilt[s, i, word[i]], 1e-9))
        first, second = second, word[i]
    return float(total + math.log(model.ends[first, second]))


@numba.njit(cache=True, nogil=True)
def slot_score(s: int, word: U8, model: Model) -> float:
    """log P(word | clue of slot s), known or not."""
    count = model.words_at[s + 1] - model.words_at[s]
    index = find_word(model.letters, model.letters_at[s], count, model.lengths[s], word)
    other = unknown_score(s, word, model)
    if index < 0:
        return float(other)
    known = np.float64(model.log_probs[model.words_at[s] + index])
    top = max(known, other)
    return float(top + math.log(math.exp(known - top) + math.exp(other - top)))


@numba.njit(cache=True, nogil=True)
def read_word(s: int, fill: U8, model: Model, out: U8) -> None:
    """The word that a fill has in a slot; fixed places keep their letters."""
    for i in range(model.lengths[s]):
        cell = model.cell_of[s, i]
        out[i] = fill[cell] if cell >= 0 else model.fixed[s, i]


@numba.njit(cache=True, nogil=True)
def fill_scores(fill: U8, model: Model) -> F64:
    """The score of every slot under a fill."""
    out = np.empty(len(model.lengths))
    word = np.empty(model.cell_of.shape[1], np.uint8)
    for s in range(len(model.lengths)):
        read_word(s, fill, model, word)
        out[s] = slot_score(s, word, model)
    return out


@numba.njit(cache=True, nogil=True)
def gain_of(count: int, state: State, model: Model, enough: float) -> float:
    """What the trial gains over the fill in the first `count` touched slots.

    Gives up as soon as the gain can't reach `enough` any more: no slot can score above 0.
    """
    room = 0.0
    for k in range(count):
        room -= state.scores[state.touched[k]]
    gain = 0.0
    for k in range(count):
        s = state.touched[k]
        read_word(s, state.trial, model, state.word)
        state.fresh[k] = slot_score(s, state.word, model)
        gain += state.fresh[k] - state.scores[s]
        room += state.scores[s]
        if gain + room < enough:
            return HOPELESS
    return gain


@numba.njit(cache=True, nogil=True)
def try_word(s: int, option: int, skip: int, count: int, state: State, model: Model) -> int:
    """Write an option into the trial; the new count of touched slots, or -1 if it doesn't fit.

    `skip` is a place whose crossing slot is among the touched ones already.
    """
    length = model.lengths[s]
    at = model.letters_at[s] + option * length
    widest = model.cross.shape[1]
    for i in range(length):
        cell, letter = model.cell_of[s, i], model.letters[at + i]
        if cell < 0:
            if model.fixed[s, i] < FREE and model.fixed[s, i] != letter:
                return -1
        elif state.fill[cell] != letter:
            state.trial[cell] = letter
            if model.cross[s, i] >= 0 and i != skip:
                state.touched[count] = model.cross[s, i] // widest
                count += 1
    return count


@numba.njit(cache=True, nogil=True)
def undo(s: int, state: State, model: Model) -> None:
    """Make the trial agree with the fill again in a slot."""
    for i in range(model.lengths[s]):
        cell = model.cell_of[s, i]
        if cell >= 0:
            state.trial[cell] = state.fill[cell]


@numba.njit(cache=True, nogil=True)
def accept(state: State, model: Model) -> None:
    """The trial becomes the fill."""
    state.fill[:] = state.trial
    state.scores[:] = fill_scores(state.fill, model)


@numba.njit(cache=True, nogil=True)
def change_slots(state: State, model: Model, options: I32, options_at: I64) -> int:
    """Each slot in turn takes the word that gains most; returns the moves made."""
    moves = 0
    for s in range(len(model.lengths)):
        best_gain, best = LEAST_GAIN, -1
        for k in range(options_at[s], options_at[s + 1]):
            state.touched[0] = s
            count = try_word(s, options[k], -1, 1, state, model)
            if count > 0:
                gain = gain_of(count, state, model, best_gain)
                if gain > best_gain:
                    best_gain, best = gain, k
            undo(s, state, model)
        if best >= 0:
            try_word(s, options[best], -1, 1, state, model)
            accept(state, model)
            moves += 1
    return moves


@numba.njit(cache=True, nogil=True)
def change_cells(state: State, model: Model) -> int:
    """Each cell in turn takes the letter that gains most; returns the moves made."""
    moves = 0
    widest = model.cross.shape[1]
    for s in range(len(model.lengths)):
        for i in range(model.lengths[s]):
            cell, crossed = model.cell_of[s, i], model.cross[s, i]
            if cell < 0 or (crossed >= 0 and crossed // widest < s):
                continue
            count = 1
            state.touched[0] = s
            if crossed >= 0:
                state.touched[1] = crossed // widest
                count = 2
            best_gain, best = LEAST_GAIN, -1
            for letter in range(26):
                if letter != state.fill[cell]:
                    state.trial[cell] = letter
                    gain = gain_of(count, state, model, best_gain)
                    if gain > best_gain:
                        best_gain, best = gain, letter
            state.trial[cell] = state.fill[cell] if best < 0 else best
            if best >= 0:
                accept(state, model)
                moves += 1
    return moves


@numba.njit(cache=True, nogil=True)
def change_pairs(state: State, model: Model, options: I32, options_at: I64) -> int:
    """Two crossing slots at a time take the words that gain most; returns the moves made."""
    moves = 0
    widest = model.cross.shape[1]
    for s in range(len(model.lengths)):
        for i in range(model.lengths[s]):
            t, j = model.cross[s, i] // widest, model.cross[s, i] % widest
            if model.cross[s, i] < 0 or t < s:
                continue
            best_gain, best_a, best_b = LEAST_GAIN, -1, -1
            for a in range(options_at[s], options_at[s + 1]):
                shared = model.letters[model.letters_at[s] + options[a] * model.lengths[s] + i]
                for b in range(options_at[t], options_at[t + 1]):
                    at = model.letters_at[t] + options[b] * model.lengths[t]
                    if model.letters[at + j] != shared:
                        continue
                    state.touched[0], state.touched[1] = s, t
                    count = try_word(s, options[a], i, 2, state, model)
                    if count > 0:
                        count = try_word(t, options[b], j, count, state, model)
                    if count > 0:
                        gain = gain_of(count, state, model, best_gain)
                        if gain > best_gain:
                            best_gain, best_a, best_b = gain, a, b
                    undo(s, state, model)
                    undo(t, state, model)
            if best_a >= 0:
                try_word(s, options[best_a], i, 2, state, model)
                try_word(t, options[best_b], j, 2, state, model)
                accept(state, model)
                moves += 1
    return moves


@numba.njit(cache=True, nogil=True)
def climb(
    fill: U8, scores: F64, model: Model, options: I32, options_at: I64, pairs: bool, sweeps: int
) -> int:
    """Improve `fill` and its `scores` in place until no move helps; returns the moves made.

    `options` are the words (indices into a slot's own) that are tried in each slot.
    """
    room = 2 * model.cross.shape[1] + 2
    state = State(
        fill,
        scores,
        fill.copy(),
        np.empty(room, np.int64),
        np.empty(room),
        np.empty(model.cross.shape[1], np.uint8),
    )
    moves = 0
    for _ in range(sweeps):
        before = moves
        if pairs:
            moves += change_pairs(state, model, options, options_at)
        else:
            moves += change_slots(state, model, options, options_at)
            moves += change_cells(state, model)
        if moves == before:
            break
    return moves
