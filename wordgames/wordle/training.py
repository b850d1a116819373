"""Trains the model of `learned`: positions from random games, the brute force as the teacher.

A tenth of the answers is held out: positions for the held-out figures hold those words alone, so
the figures say how the model does on words it has not seen. Seconds on one core.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wordgames.wordle.bruteforce import figures
from wordgames.wordle.game import Indices, Position, Wordle
from wordgames.wordle.learned import FORMAT, Model, features
from wordgames.wordle.matches import Matches

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class TrainingSettings:
    positions: int = 600
    guesses_per_position: int = 250
    hidden: int = 16
    held_out: float = 0.1
    smallest: int = 3  # below this `learned` guesses among the answers anyway
    seed: int = 1


def random_position(
    game: Wordle, answers: Indices, rng: np.random.Generator, smallest: int
) -> Position:
    """A position on the way of a game with random guesses, still with a few words left."""
    position = Position(answers, game.start().allowed)
    answer = int(rng.choice(answers))
    for _ in range(int(rng.integers(0, 4))):
        guess = int(rng.choice(position.allowed))
        following = game.after(position, guess, game.reply(guess, answer))
        if len(following.remaining) < smallest:
            break
        position = following
    return position


def examples(
    game: Wordle, answers: Indices, count: int, settings: TrainingSettings, seed: int
) -> tuple[Floats, Floats]:
    """Inputs and the log share that remains by brute force."""
    rng = np.random.default_rng(seed)
    matches = Matches(game)
    inputs, targets = [], []
    for _ in range(count):
        position = random_position(game, answers, rng, settings.smallest)
        few = min(settings.guesses_per_position, len(position.allowed))
        guesses = rng.choice(position.allowed, few, replace=False).astype(np.int32)
        n = len(position.remaining)
        inputs.append(features(matches, position.remaining, guesses))
        targets.append(np.log(figures(game, guesses, position.remaining)[:, 0] / n))
    return np.concatenate(inputs), np.concatenate(targets)


def train(game: Wordle, settings: TrainingSettings | None = None) -> dict[str, Any]:
    """The model as a JSON document, with its settings and held-out figures."""
    from sklearn.neural_network import MLPRegressor  # slow to import, needed here alone

    settings = settings or TrainingSettings()
    shuffled = np.random.default_rng(settings.seed).permutation(game.start().remaining)
    cut = max(settings.smallest, round(settings.held_out * len(shuffled)))
    held, seen = np.sort(shuffled[:cut]), np.sort(shuffled[cut:])
    inputs, targets = examples(game, seen, settings.positions, settings, settings.seed)
    means, scales = inputs.mean(axis=0), inputs.std(axis=0) + 1e-9
    network = MLPRegressor(
        hidden_layer_sizes=(settings.hidden, settings.hidden),
        activation="tanh",
        early_stopping=True,
        max_iter=1000,  # early stopping ends it long before
        random_state=settings.seed,
    )
    network.fit((inputs - means) / scales, targets)
    document = {
        "format": FORMAT,
        "predicts": "log of the share of words that remain",
        "settings": asdict(settings),
        "means": means.tolist(),
        "scales": scales.tolist(),
        "layers": [
            {"weights": np.round(weights, 6).tolist(), "biases": np.round(biases, 6).tolist()}
            for weights, biases in zip(network.coefs_, network.intercepts_, strict=True)
        ],
    }
    held_inputs, held_targets = examples(game, held, 100, settings, settings.seed + 1)
    predicted = Model(document).eliminated(held_inputs)
    actual = 1 - np.exp(held_targets)
    document["held_out"] = {
        "words": len(held),
        "mean_absolute_error": round(float(np.abs(predicted - actual).mean()), 5),
        "correlation": round(float(np.corrcoef(predicted, actual)[0, 1]), 5),
    }
    return document
