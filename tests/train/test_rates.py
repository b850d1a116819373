"""Rates by length are shares, and a length that is rarely seen takes after the one before."""

from __future__ import annotations

import pytest

from train.ngram import LENGTHS, smoothed


def test_a_common_length_has_its_own_rate() -> None:
    of = ["AAA"] * 1000 + ["BBBBBBBB"] * 1000
    rates = smoothed(of, ["AAA"] * 10 + ["BBBBBBBB"] * 600, start=0.1)
    assert len(rates) == LENGTHS
    assert rates[3] == pytest.approx(0.01, abs=0.01)
    assert rates[8] == pytest.approx(0.6, abs=0.02)


def test_a_rare_length_takes_after_the_one_before() -> None:
    rates = smoothed(["BBBBBBBB"] * 1000 + ["CCCCCCCCC"], ["BBBBBBBB"] * 600, start=0.1)
    assert rates[9] == pytest.approx(rates[8], rel=0.06)
    assert rates[22] == rates[9]


def test_nothing_held_out_gives_the_start() -> None:
    assert set(smoothed([], [], start=0.5)) == {0.5}
