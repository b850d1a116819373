"""The Bayesian solver: every rank reweighs all words, the next guess tells most about the rest.

Posterior = prior x likelihood of each observed rank bin given the predicted one, tempered
because errors of the same vectors come together. The next guess is, among the likeliest words,
the one whose rank is expected to give most information; rank 1 is an outcome like others, so
towards the end this turns into guessing the likeliest word by itself.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wordgames.contexto.knowledge import BINS, Model, bin_of, blunted
from wordgames.contexto.solver import Proposal
from wordgames.errors import UnknownWordError
from wordgames.posterior import from_log

Floats = NDArray[np.float64]

# Tuned on games 401 to 500, with a model that knows games 1 to 400 only.
STRANGE = 0.05  # share of ranks that follow no prediction
TEMPER = 0.7  # how much of each rank's evidence counts
GUESSES = 40  # likeliest words that are compared as the next guess
HIDDEN = 1_500  # likeliest words that stand for all when guesses are compared


class BayesSolver:
    """One game; see `solver.Solver`."""

    def __init__(self, model: Model, *, strange: float = STRANGE, temper: float = TEMPER) -> None:
        self.model = model
        self.temper = temper
        self._likelihood = blunted(model.likelihood, strange)
        self._log_likelihood = np.log(np.maximum(self._likelihood, 1e-12))
        self._noise = -(self._likelihood * self._log_likelihood).sum(axis=1)
        self._log_weights = model.log_prior.copy()
        self._tried: set[int] = set()

    def tell(self, word: str, rank: int) -> None:
        """A guess and its rank. A word that the model does not know tells nothing."""
        try:
            guess = self.model.place(word)
        except UnknownWordError:
            return
        if guess in self._tried:
            return
        if rank == 1:
            self._log_weights[:] = -np.inf
            self._log_weights[guess] = 0.0
            return
        self._tried.add(guess)
        predicted = self.model.predicted(guess)
        self._log_weights += self.temper * self._log_likelihood[predicted, int(bin_of(rank))]
        self._log_weights[guess] = -np.inf

    def refuse(self, word: str) -> None:
        """The game does not know the word, so it is not the hidden one."""
        if word in self.model.index:
            self._tried.add(self.model.index[word])
            self._log_weights[self.model.index[word]] = -np.inf

    def posterior(self) -> Floats:
        """The probability of every word of the model."""
        return from_log(self._log_weights)

    def propose(self, count: int = 1) -> list[Proposal]:
        """The most telling words, best first."""
        posterior = self.posterior()
        order = np.argsort(-posterior, kind="stable")
        hidden = order[: min(HIDDEN, int((posterior > 0).sum()))]
        guesses = hidden[: max(GUESSES, count)]
        information = self._information(guesses, hidden, posterior[hidden])
        best = guesses[np.argsort(-information, kind="stable")[:count]]
        return [Proposal(self.model.words[i], float(posterior[i])) for i in best]

    def _information(
        self, guesses: NDArray[np.int64], hidden: NDArray[np.int64], probabilities: Floats
    ) -> Floats:
        """Expected information (nats) in the rank of each guess about the hidden word."""
        probabilities = probabilities / probabilities.sum()
        predicted = np.zeros((BINS, len(guesses)))
        for column, guess in enumerate(guesses):
            bins = self.model.predicted(int(guess), hidden)
            predicted[:, column] = np.bincount(bins, probabilities, minlength=BINS)
        observed = self._likelihood.T @ predicted
        entropy = -(observed * np.log(np.maximum(observed, 1e-12))).sum(axis=0)
        return np.asarray(entropy - self._noise @ predicted)
