"""Probabilities over a vocabulary and what evidence does to them: Bayes' rule and its measures.

Exact and dense: one number a word. A reply that only rules words out is a likelihood of zeros
and ones; noisy replies and ranks bring graded ones. What the likelihood is, each game says.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wordgames.errors import ImpossibleHistoryError

Floats = NDArray[np.float64]


def normalised(weights: Floats) -> Floats:
    """Weights as probabilities; weights that are all zero mean that nothing fits."""
    total = float(weights.sum())
    if not total > 0.0:
        raise ImpossibleHistoryError("no word in the list fits all the evidence")
    return weights / total


def updated(prior: Floats, likelihood: Floats) -> Floats:
    """Bayes' rule: the posterior after evidence of which `likelihood` is P(evidence | word)."""
    return normalised(prior * likelihood)


def from_log(log_weights: Floats) -> Floats:
    """Probabilities from unnormalised log weights, safe where the weights themselves underflow."""
    peak = float(log_weights.max())
    if not np.isfinite(peak):
        raise ImpossibleHistoryError("no word in the list fits all the evidence")
    return normalised(np.exp(log_weights - peak))


def entropy_bits(probabilities: Floats) -> float:
    """Shannon entropy in bits; zero terms count nothing."""
    positive = probabilities[probabilities > 0.0]
    return float(-(positive * np.log2(positive)).sum())
