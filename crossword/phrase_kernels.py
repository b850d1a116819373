"""The compiled loops of the phrase model: look-up, segmentation, scoring and composing.

Words are found by a 64-bit polynomial hash in an open-addressing table; word pairs are rows of
sorted successors (CSR) with a backed-off bigram probability (Katz, 1987). Segmentation is Viterbi
over the lattice of known words; composing is a beam search from left to right that honours a
matrix of letter log-probabilities. Pure arrays in and out; `phrases.py` is the face of it.
"""

from __future__ import annotations

import numba
import numpy as np

MAX_WORD = 15  # letters; longer words are answers by themselves, not parts of phrases
MAX_PARTS = 6
IMPOSSIBLE = -1e9
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


@numba.njit(cache=True, inline="always")
def _mix(state, letter):  # type: ignore[no-untyped-def]
    mixed = (state ^ np.uint64(letter + 1)) * _MULTIPLIER
    return mixed ^ (mixed >> np.uint64(29))


@numba.njit(cache=True)
def build_table(letters, starts, size):  # type: ignore[no-untyped-def]
    """Hash every word: `keys` holds hashes, `ids` word numbers or -1 where a slot is free."""
    keys = np.zeros(size, np.uint64)
    ids = np.full(size, -1, np.int32)
    for word in range(len(starts) - 1):
        state = np.uint64(1469598103934665603)
        for k in range(starts[word], starts[word + 1]):
            state = _mix(state, letters[k])
        slot = np.int64(state & np.uint64(size - 1))
        while ids[slot] >= 0:
            slot = (slot + 1) & (size - 1)
        keys[slot] = state
        ids[slot] = word
    return keys, ids


@numba.njit(cache=True, inline="always")
def _find(keys, ids, state):  # type: ignore[no-untyped-def]
    mask = len(keys) - 1
    slot = np.int64(state & np.uint64(mask))
    while ids[slot] >= 0:
        if keys[slot] == state:
            return ids[slot]
        slot = (slot + 1) & mask
    return np.int32(-1)


@numba.njit(cache=True, inline="always")
def _pair(rows, columns, pair_log, backoff, alone, first, second):  # type: ignore[no-untyped-def]
    """log P(second | first): the pair's own value, or the backed-off one."""
    low, high = rows[first], rows[first + 1]
    while low < high:
        middle = (low + high) >> 1
        if columns[middle] < second:
            low = middle + 1
        else:
            high = middle
    if low < rows[first + 1] and columns[low] == second:
        return pair_log[low]
    return backoff[first] + alone[second]


@numba.njit(cache=True)
def segment(  # type: ignore[no-untyped-def]
    texts, offsets, keys, ids, starts, rows, columns, pair_log, backoff, alone, first_log, end_log
):
    """For each text the best segmentation: log P, and its word numbers (-1 where unused)."""
    count = len(offsets) - 1
    best = np.full(count, IMPOSSIBLE, np.float32)
    parts = np.full((count, MAX_PARTS), -1, np.int32)
    longest = 0
    for t in range(count):
        longest = max(longest, offsets[t + 1] - offsets[t])
    width = MAX_WORD + 1  # at each end there is at most one word of each length
    score = np.empty((longest + 1, width), np.float32)
    word_at = np.empty((longest + 1, width), np.int32)
    back = np.empty((longest + 1, width), np.int32)
    depth = np.empty((longest + 1, width), np.int32)
    for t in range(count):
        base = offsets[t]
        length = offsets[t + 1] - base
        for end in range(length + 1):
            for k in range(width):
                score[end, k] = IMPOSSIBLE
        for start in range(length):
            if start > 0:
                reachable = False
                for k in range(1, width):
                    if score[start, k] > IMPOSSIBLE:
                        reachable = True
                        break
                if not reachable:
                    continue
            state = np.uint64(1469598103934665603)
            for end in range(start + 1, min(length, start + MAX_WORD) + 1):
                state = _mix(state, texts[base + end - 1])
                word = _find(keys, ids, state)
                if word < 0 or starts[word + 1] - starts[word] != end - start:
                    continue
                size = end - start
                if start == 0:
                    score[end, size] = first_log[word]
                    word_at[end, size] = word
                    back[end, size] = 0
                    depth[end, size] = 1
                    continue
                top, origin = np.float32(IMPOSSIBLE), 0
                for k in range(1, width):
                    if score[start, k] <= IMPOSSIBLE or depth[start, k] >= MAX_PARTS:
                        continue
                    value = score[start, k] + _pair(
                        rows, columns, pair_log, backoff, alone, word_at[start, k], word
                    )
                    if value > top:
                        top, origin = value, k
                if top > IMPOSSIBLE:
                    score[end, size] = top
                    word_at[end, size] = word
                    back[end, size] = origin
                    depth[end, size] = depth[start, origin] + 1
        last = 0
        for k in range(1, width):
            if score[length, k] > IMPOSSIBLE:
                value = score[length, k] + end_log[word_at[length, k]]
                if value > best[t]:
                    best[t] = value
                    last = k
        if last:
            end, k = length, last
            for place in range(depth[length, last] - 1, -1, -1):
                parts[t, place] = word_at[end, k]
                end, k = end - k, back[end, k]
    return best, parts


@numba.njit(cache=True)
def letters_log_prob(texts, offsets, table):  # type: ignore[no-untyped-def]
    """log P of each text under a letter 4-gram; 26 is both the edge before and the end."""
    count = len(offsets) - 1
    out = np.empty(count, np.float32)
    for t in range(count):
        a, b, c = 26, 26, 26
        total = np.float32(0)
        for k in range(offsets[t], offsets[t + 1]):
            letter = texts[k]
            total += table[a, b, c, letter]
            a, b, c = b, c, letter
        out[t] = total + table[a, b, c, 26]
    return out


@numba.njit(cache=True, inline="always")
def _push(scores, words, origins, depths, sizes, place, limit, value, word, origin, depth):  # type: ignore[no-untyped-def]
    """Keep the best `limit` at a place: a binary heap with the worst on top."""
    size = sizes[place]
    if size < limit:
        k = size
        sizes[place] = size + 1
        while k > 0:
            parent = (k - 1) >> 1
            if scores[place, parent] <= value:
                break
            scores[place, k] = scores[place, parent]
            words[place, k] = words[place, parent]
            origins[place, k] = origins[place, parent]
            depths[place, k] = depths[place, parent]
            k = parent
    else:
        if value <= scores[place, 0]:
            return
        k = 0
        while True:
            child = 2 * k + 1
            if child >= size:
                break
            if child + 1 < size and scores[place, child + 1] < scores[place, child]:
                child += 1
            if scores[place, child] >= value:
                break
            scores[place, k] = scores[place, child]
            words[place, k] = words[place, child]
            origins[place, k] = origins[place, child]
            depths[place, k] = depths[place, child]
            k = child
    scores[place, k] = value
    words[place, k] = word
    origins[place, k] = origin
    depths[place, k] = depth


@numba.njit(cache=True)
def index_letters(letters, starts):  # type: ignore[no-untyped-def]
    """Words by (length, place, letter): a flat list of numbers, and where each part begins."""
    bounds = np.zeros((MAX_WORD + 1) * MAX_WORD * 26 + 1, np.int64)
    count = len(starts) - 1
    for word in range(count):
        size = starts[word + 1] - starts[word]
        for k in range(size):
            bounds[(size * MAX_WORD + k) * 26 + letters[starts[word] + k] + 1] += 1
    for k in range(len(bounds) - 1):
        bounds[k + 1] += bounds[k]
    listed = np.empty(bounds[-1], np.int32)
    at = bounds[:-1].copy()
    for word in range(count):
        size = starts[word + 1] - starts[word]
        for k in range(size):
            key = (size * MAX_WORD + k) * 26 + letters[starts[word] + k]
            listed[at[key]] = word
            at[key] += 1
    return listed, bounds


@numba.njit(cache=True)
def _fitting(letter_log, known, letters, starts, sized, listed, bounds, floor):  # type: ignore[no-untyped-def]
    """Which words fit where: numbers at each start, how many, a flag and a score for each."""
    length, count = letter_log.shape[0], len(starts) - 1
    flags = np.zeros((length, count), np.uint8)
    scores = np.empty((length, count), np.float32)  # only touched where a flag is set
    fitting = np.empty((length, count), np.int32)
    found = np.zeros(length, np.int64)
    ways = np.zeros(length + 1, np.bool_)  # can the rest be filled from here at all?
    ways[length] = True
    for start in range(length - 1, -1, -1):
        for size in range(1, min(MAX_WORD, length - start) + 1):
            if not ways[start + size]:
                continue
            # The known letter that the fewest words have narrows the search most.
            low, high, narrowed = sized[size], sized[size + 1], False
            for k in range(size):
                if known[start + k] >= 0:
                    key = (size * MAX_WORD + k) * 26 + known[start + k]
                    if not narrowed or bounds[key + 1] - bounds[key] < high - low:
                        low, high, narrowed = bounds[key], bounds[key + 1], True
            for place in range(low, high):
                word = listed[place] if narrowed else place
                total = np.float32(0)
                for k in range(size):
                    total += letter_log[start + k, letters[starts[word] + k]]
                    if total < floor:
                        break
                if total >= floor:
                    flags[start, word] = 1
                    scores[start, word] = total
                    fitting[start, found[start]] = word
                    found[start] += 1
        ways[start] = found[start] > 0
    return fitting, found, flags, scores


@numba.njit(cache=True)
def compose(  # type: ignore[no-untyped-def]
    letter_log, known, letters, starts, sized, listed, bounds, rows, columns, pair_log, backoff,
    alone, first_log, end_log, beam, limit, shortlist, max_parts, floor,
):  # fmt: skip
    """The best phrases of a length by beam search: (scores, word numbers), not yet sorted.

    `letter_log[i, c]` is added for each letter; below `floor` a word doesn't fit. `known[i]` is
    the one letter that a cell may have, or -1. Words are sorted by length, `sized` says where.
    """
    length = letter_log.shape[0]
    fitting, found, flags, fit = _fitting(
        letter_log, known, letters, starts, sized, listed, bounds, floor
    )
    room = max(beam, limit)
    scores = np.empty((length + 1, room), np.float32)
    words = np.empty((length + 1, room), np.int32)
    origins = np.empty((length + 1, room), np.int32)
    depths = np.empty((length + 1, room), np.int32)
    sizes = np.zeros(length + 1, np.int32)
    for j in range(found[0]):
        word = fitting[0, j]
        place = starts[word + 1] - starts[word]
        value = first_log[word] + fit[0, word]
        if place == length:
            value += end_log[word]
        keep = limit if place == length else beam
        _push(scores, words, origins, depths, sizes, place, keep, value, word, -1, 1)
    near_score = np.empty((length + 1, shortlist), np.float32)
    near_word = np.empty((length + 1, shortlist), np.int32)
    unused = np.empty((length + 1, shortlist), np.int32)
    near_size = np.zeros(length + 1, np.int32)
    for start in range(1, length):
        if sizes[start] == 0 or found[start] == 0:
            continue
        near_size[:] = 0
        for j in range(found[start]):
            word = fitting[start, j]
            place = start + starts[word + 1] - starts[word]
            value = alone[word] + fit[start, word]
            if place == length:
                value += end_log[word]
            _push(
                near_score, near_word, unused, unused, near_size, place, shortlist, value, word,
                0, 0,
            )  # fmt: skip
        for h in range(sizes[start]):
            depth = depths[start, h]
            if depth >= max_parts:
                continue
            last = words[start, h]
            so_far = scores[start, h]
            code = np.int32(start * room + h)
            for k in range(rows[last], rows[last + 1]):
                word = columns[k]
                if flags[start, word] == 0:
                    continue
                place = start + starts[word + 1] - starts[word]
                value = so_far + pair_log[k] + fit[start, word]
                if place == length:
                    value += end_log[word]
                elif depth + 1 >= max_parts:
                    continue
                keep = limit if place == length else beam
                _push(
                    scores, words, origins, depths, sizes, place, keep, value, word, code,
                    depth + 1,
                )  # fmt: skip
            for place in range(start + 1, length + 1):
                if place < length and depth + 1 >= max_parts:
                    continue
                keep = limit if place == length else beam
                for m in range(near_size[place]):
                    value = so_far + backoff[last] + near_score[place, m]
                    if sizes[place] >= keep and value <= scores[place, 0]:
                        continue
                    word = near_word[place, m]
                    _push(
                        scores, words, origins, depths, sizes, place, keep, value, word, code,
                        depth + 1,
                    )  # fmt: skip
    # A place is final once it is gone through from the left, so origins can be followed back.
    complete = sizes[length]
    parts = np.full((complete, MAX_PARTS), -1, np.int32)
    chain = np.empty(MAX_PARTS, np.int32)
    for h in range(complete):
        used = 0
        word, code = words[length, h], origins[length, h]
        while True:
            chain[used] = word
            used += 1
            if code < 0 or used == MAX_PARTS:
                break
            place, index = code // room, code % room
            word, code = words[place, index], origins[place, index]
        for k in range(used):
            parts[h, k] = chain[used - 1 - k]
    return scores[length, :complete].copy(), parts
