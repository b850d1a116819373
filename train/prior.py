"""How likely an unseen word is as a new answer: features, and a small model fitted on the past.

A histogram gradient-boosted classifier (scikit-learn's, after LightGBM: Ke et al., 2017) sees
which sources have a word and how they rate it, how common it is, and what the phrase and letter
models think of it. Its labels: was it used for the first time in the corpus's last two years.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from crossword.phrases import PhraseModel
from train.wordlists import Sourced, plain_answer

log = logging.getLogger(__name__)

STAND_IN = "jones"  # the list whose learned weight an unfitted list takes over


class Features:
    """Columns of numbers for each candidate, the same at fitting and at use."""

    def __init__(
        self,
        candidates: Sequence[str],
        groups: Sequence[Sourced],
        phrases: PhraseModel,
        unfitted: Sequence[str],
    ) -> None:
        from wordfreq import get_frequency_dict

        position = {answer: k for k, answer in enumerate(candidates)}
        fitted = [g for g in groups if g.name not in unfitted]
        late = [g for g in groups if g.name in unfitted]
        columns = len(fitted) + 8
        self.fit = np.zeros((len(candidates), columns), np.float32)
        for column, group in enumerate(fitted):
            _fill(self.fit[:, column], position, group.weights)
        self.fit[:, -8] = (self.fit[:, : len(fitted)] > 0).sum(axis=1)
        lengths = np.array([len(a) for a in candidates], np.float32)
        scores, parts = phrases.segment_ids(candidates)
        spelled = phrases.letters_log_prob(candidates)
        self.fit[:, -7] = np.maximum(scores, -20 * lengths) / lengths
        self.fit[:, -6] = spelled / lengths
        self.fit[:, -5] = (parts >= 0).sum(axis=1)
        self.fit[:, -4] = lengths
        self.fit[:, -3] = np.maximum(scores, spelled)
        common: dict[str, float] = {}
        for word, frequency in get_frequency_dict("en", wordlist="large").items():
            answer = plain_answer(word)
            common[answer] = common.get(answer, 0.0) + frequency * 1e9
        _fill(self.fit[:, -2], position, common)
        self.fit[:, -1] = np.where(parts[:, 0] >= 0, phrases.end_log[parts.max(axis=1)], -20)
        self.use = self.fit
        if late:
            self.use = self.fit.copy()
            names = [g.name for g in fitted]
            stand_in = names.index(STAND_IN) if STAND_IN in names else 0
            for group in late:
                extra = np.zeros(len(candidates), np.float32)
                _fill(extra, position, group.weights)
                self.use[:, -8] += (extra > 0) & (self.use[:, stand_in] > 0)
                self.use[:, stand_in] = np.maximum(self.use[:, stand_in], extra)
            self.use[:, -8] = np.maximum(
                self.use[:, -8], (self.use[:, : len(fitted)] > 0).sum(axis=1)
            )


def _fill(
    column: NDArray[np.float32], position: Mapping[str, int], weights: Mapping[str, float]
) -> None:
    """1 + log(1 + weight) where a source has the answer."""
    at = [(position[a], w) for a, w in weights.items() if a in position]
    if at:
        rows, values = zip(*at, strict=True)
        column[list(rows)] = 1 + np.log1p(np.maximum(np.array(values, np.float32), 0))


def fit_and_score(
    candidates: Sequence[str],
    features: Features,
    recent: frozenset[str],
    *,
    negatives: int,
    rounds: int,
    seed: int,
) -> NDArray[np.float32]:
    """log P(used within a year); fitted on all recent answers and a sample of the others."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    label = np.array([a in recent for a in candidates])
    if label.sum() < 50:
        log.warning("only %d recent answers to fit on: priors by list count", label.sum())
        flat: NDArray[np.float32] = np.log1p(features.use[:, -8]) - 10
        return flat.astype(np.float32)
    chance = np.random.default_rng(seed)
    others = np.flatnonzero(~label)
    taken = min(len(others), negatives)
    rows = np.concatenate((np.flatnonzero(label), chance.choice(others, taken, replace=False)))
    model = HistGradientBoostingClassifier(
        max_iter=rounds,
        learning_rate=0.08,
        max_leaf_nodes=15,
        min_samples_leaf=60,
        l2_regularization=5.0,
        random_state=seed,
    ).fit(features.fit[rows], label[rows])
    scores = np.concatenate(
        [
            model.decision_function(features.use[k : k + 200_000])
            for k in range(0, len(candidates), 200_000)
        ]
    )
    scores -= math.log(len(others) / max(taken, 1))  # negatives were sampled
    scores -= math.log(2)  # two years of labels, a prior for one
    result: NDArray[np.float32] = -np.logaddexp(0, -scores).astype(np.float32)
    return result
