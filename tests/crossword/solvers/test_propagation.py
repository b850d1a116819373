"""The kernels of belief propagation against plain loops: nothing that matters is passed over."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from crossword.puzzle import parse
from crossword.solvers.belief import Standing
from crossword.solvers.layout import Layout, gather, joined, lay_out
from crossword.solvers.propagation import ALL, BLOCK, Candidates, exp_below, slot_beliefs
from crossword.types import Distribution
from crossword.vocabulary import Vocabulary

WIDTH = 18.0
RANDOM = np.random.default_rng(1)
LETTERS = 6  # of the alphabet, so that words share beginnings


def words(count: int, length: int) -> Vocabulary:
    rows = RANDOM.integers(0, LETTERS, (count, length))
    return Vocabulary.of("".join(chr(65 + c) for c in row) for row in rows.tolist())


def puzzle(count: int = 3000) -> tuple[Layout, Candidates]:
    """Five slots of five letters and five across them, with words of very unequal likelihood."""
    layout = lay_out(parse("\n".join(["....."] * 5)))
    known = words(count, 5).words(5)
    found = [
        Distribution(known, (RANDOM.normal(-14, 6, len(known))).astype(np.float32), -3.0)
        for _ in layout.names
    ]
    return layout, gather(layout, found)


def messages_for(layout: Layout, kind: str) -> NDArray[np.float64]:
    found = np.zeros((len(layout.names), layout.widest, 26))
    if kind != "silent":
        scale = 2.0 if kind == "vague" else 12.0
        found = np.maximum(-np.abs(RANDOM.normal(0, scale, found.shape)), -25.0)
    return found


@pytest.mark.parametrize("kind", ["silent", "vague", "clear"])
def test_a_scan_finds_all_words_near_the_best_and_no_others(kind: str) -> None:
    layout, candidates = puzzle()
    messages = messages_for(layout, kind)
    standing = Standing.unseen(candidates)
    if kind == "clear":  # after a scan under other messages
        standing.scan(layout, candidates, messages_for(layout, "vague"), every=True)
    standing.scan(layout, candidates, messages, every=True, final=True)
    for s in range(len(layout.names)):
        begin, end = candidates.words_at[s : s + 2]
        rows = candidates.letters[candidates.letters_at[s] :][: 5 * (end - begin)].reshape(-1, 5)
        scores = candidates.log_probs[begin:end].copy()
        for i in range(5):
            scores += messages[s, i].astype(np.float32)[rows[:, i]]
        expected = np.flatnonzero(scores > scores.max() - np.float32(WIDTH))
        kept = slice(begin, begin + standing.kept[s])
        assert standing.active[kept].tolist() == expected.tolist()
        assert np.allclose(standing.scores[kept], scores[expected], atol=1e-4)


def test_slots_without_messages_believe_the_same_listed_or_not() -> None:
    layout, candidates = puzzle()
    messages = messages_for(layout, "silent")
    chain = np.full((27, 27, 26), 1 / 27)
    ends = np.full((27, 26), 1 / 27)
    told = []
    for final in (False, True):
        standing = Standing.unseen(candidates)
        standing.scan(layout, candidates, messages, every=True, final=final)
        assert (standing.kept == ALL).all() == (not final)
        beliefs, unknown = np.zeros(messages.shape), np.zeros(len(layout.names))
        slot_beliefs(
            candidates, layout.lengths, WIDTH, standing.active, standing.scores, standing.kept,
            messages, candidates.log_unknown, chain, ends, np.zeros(65), np.zeros(0),
            beliefs, unknown,
        )  # fmt: skip
        told.append((beliefs, unknown))
    assert np.allclose(told[0][0], told[1][0], rtol=1e-5, atol=1e-9)
    assert np.allclose(told[0][1], told[1][1], rtol=1e-5)


def test_the_exponential_is_that_of_the_library() -> None:
    logs = np.linspace(-80, 0, BLOCK, dtype=np.float32)
    found = np.empty(BLOCK, dtype=np.float32)
    exp_below(logs, np.float32(1.5), found, np.empty(BLOCK, dtype=np.int32))
    assert np.allclose(found, np.exp(logs.astype(np.float64) - 1.5), rtol=1e-6)


def test_parts_of_one_array_are_joined_without_a_copy() -> None:
    whole = np.arange(10, dtype=np.float32)
    assert np.shares_memory(joined([whole[:4], whole[4:4], whole[4:]]), whole)
    for parts in ([whole[4:], whole[:4]], [whole[:4]], [whole[:3], whole[4:]], [whole[:4].copy()]):
        found = joined(parts)
        assert not np.shares_memory(found, whole)
        assert found.tolist() == np.concatenate(parts).tolist()
    assert joined([]).tolist() == []
