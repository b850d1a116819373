"""What the Bayesian solver knows: for any two words a predicted rank, and how far to trust it.

The predicted rank of word w when t is hidden comes from score(t, w) = v_t·v_w + bias_w, placed
among the scores that t has with all words (a few of these are kept for each t). Ranks are
counted in bins that double. The likelihood P(observed bin | predicted bin) was counted on games.

The shipped model is one safetensors file with 8-bit vectors and thresholds, and a list of words;
`training` makes it. From other vectors `from_vectors` builds one at run time, with a blunter
likelihood.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import as_file, files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wordgames.contexto import vocabulary
from wordgames.contexto.vectors import Matrix, Vectors
from wordgames.errors import DataError, UnknownWordError

Floats = NDArray[np.float64]
Bins = NDArray[np.int8]

# Bin 0 is rank 1 alone, which needs no score; bin k ends at EDGES[k], and the kept score k - 1 lies
# between ranks EDGES[k] and the next.
EDGES = np.array([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384])
BINS = len(EDGES) + 1
PLAIN_WORDS = 12_000  # vocabulary that is built from vectors which are not ours


def bin_of(rank: NDArray[np.int64] | int) -> NDArray[np.int64]:
    """The bin of a rank."""
    return np.searchsorted(EDGES, rank)


@dataclass(frozen=True, eq=False)
class Model:
    """Row i of everything is about `words[i]`; `likelihood` is P(column: observed | row)."""

    words: tuple[str, ...]
    matrix: Matrix
    bias: Matrix
    log_prior: Floats
    thresholds: Matrix
    likelihood: Floats

    @cached_property
    def index(self) -> dict[str, int]:
        return {word: i for i, word in enumerate(self.words)}

    def place(self, word: str) -> int:
        """The row of a word or of its lemma; an unknown word raises."""
        for form in (word, vocabulary.lemma(word)):
            if form in self.index:
                return self.index[form]
        raise UnknownWordError(f"{word!r} is not in the vocabulary of {len(self.words):,} words")

    def predicted(self, guess: int, hidden: NDArray[np.int64] | None = None) -> Bins:
        """The predicted bin of a guess for each of these hidden words (all, if not given)."""
        matrix = self.matrix if hidden is None else self.matrix[hidden]
        thresholds = self.thresholds if hidden is None else self.thresholds[hidden]
        scores = matrix @ self.matrix[guess] + self.bias[guess]
        bins = np.ones(len(scores), np.int8)
        for column in range(thresholds.shape[1]):
            bins += scores < thresholds[:, column]
        same = guess if hidden is None else np.flatnonzero(hidden == guess)
        bins[same] = 0
        return bins


def thresholds(matrix: Matrix, bias: Matrix) -> Matrix:
    """For every hidden word the scores at which predicted ranks pass from bin to bin, falling."""
    edges = np.minimum(EDGES[1:], len(matrix) - 2)
    found = np.empty((len(matrix), len(edges)), np.float32)
    block = 256  # rows at a time: a whole table of pairs would not fit
    for start in range(0, len(matrix), block):
        rows = np.arange(start, min(start + block, len(matrix)))
        scores = matrix[rows] @ matrix.T + bias
        scores[np.arange(len(rows)), rows] = np.inf
        # Only these places need to be in order, which costs half of a sort.
        ordered = -np.partition(-scores, np.unique([edges - 1, edges]), axis=1)
        found[rows] = (ordered[:, edges - 1] + ordered[:, edges]) / 2
    return found


def blunted(likelihood: Floats, share: float) -> Floats:
    """Mixes a likelihood with «any rank», so that one strange rank cannot rule a word out."""
    mixed = likelihood.copy()
    rows = likelihood[1:, 1:] / likelihood[1:, 1:].sum(axis=1, keepdims=True)
    mixed[1:, 1:] = (1.0 - share) * rows + share / (BINS - 1)
    mixed[0], mixed[:, 0] = 0.0, 0.0
    mixed[0, 0] = 1.0  # rank 1 and the hidden word are the same thing
    return mixed


def from_vectors(vectors: Vectors) -> Model:
    """A model of everyday lemmas on any vectors; its likelihood is the shipped one, widened."""
    words = [word for word in vocabulary.noun_lemmas() if word in vectors.index][:PLAIN_WORDS]
    if len(words) < 2:
        raise DataError("the vectors have hardly any English words")
    known = vectors.of(words)
    bias = np.zeros(len(words), np.float32)
    return Model(
        known.words,
        known.matrix,
        bias,
        vocabulary.plain_log_prior(known.words),
        thresholds(known.matrix, bias),
        widened(shipped().likelihood),
    )


def widened(likelihood: Floats, bins: float = 1.0) -> Floats:
    """The likelihood with both kinds of ranks uncertain by about so many bins more."""
    steps = np.arange(BINS - 1)
    blur = np.exp(-0.5 * ((steps[:, None] - steps) / bins) ** 2)
    blur /= blur.sum(axis=1, keepdims=True)
    wide = likelihood.copy()
    wide[1:, 1:] = blur @ likelihood[1:, 1:] @ blur
    wide[1:, 1:] /= wide[1:, 1:].sum(axis=1, keepdims=True)
    return wide


def save(model: Model, folder: Path) -> None:
    """Writes the model's two files, each under a temporary name first."""
    from safetensors.numpy import save_file

    scale = 127.0 / np.abs(model.matrix).max(axis=0)
    low = model.thresholds.min(axis=0)
    # The smallest step is for columns that are all alike, as in a tiny vocabulary.
    step = np.maximum((model.thresholds.max(axis=0) - low) / 255.0, 1e-9)
    tensors = {
        "vectors": np.rint(model.matrix * scale).astype(np.int8),
        "scale": (1.0 / scale).astype(np.float32),
        "bias": model.bias.astype(np.float16),
        "log_prior": model.log_prior.astype(np.float16),
        "thresholds": np.rint((model.thresholds - low) / step).astype(np.uint8),
        "threshold_low": low.astype(np.float32),
        "threshold_step": step.astype(np.float32),
        "likelihood": model.likelihood.astype(np.float32),
    }
    folder.mkdir(parents=True, exist_ok=True)
    part = folder / "model.safetensors.part"
    save_file(tensors, part)
    part.chmod(0o644)  # safetensors writes for the owner alone
    part.replace(folder / "model.safetensors")
    part = folder / "words.txt.part"
    part.write_text("\n".join(model.words) + "\n", encoding="utf-8")
    part.replace(folder / "words.txt")


def read(folder: Path) -> Model:
    """The model in a folder that `save` wrote."""
    from safetensors.numpy import load_file

    try:
        words = tuple((folder / "words.txt").read_text(encoding="utf-8").split())
        tensors = load_file(folder / "model.safetensors")
        vectors = tensors["vectors"].astype(np.float32) * tensors["scale"]
        model = Model(
            words,
            vectors,
            tensors["bias"].astype(np.float32),
            tensors["log_prior"].astype(np.float64),
            _read_thresholds(tensors),
            tensors["likelihood"].astype(np.float64),
        )
    except Exception as error:  # safetensors raises errors of its own, not OSError
        raise DataError(f"the Contexto model in {folder} cannot be read: {error}") from None
    columns = model.thresholds.shape[1:]
    sizes = {len(model.matrix), len(model.bias), len(model.log_prior), len(model.thresholds)}
    shapes = (columns, model.likelihood.shape)
    if sizes != {len(words)} or shapes != ((len(EDGES) - 1,), (BINS, BINS)):
        raise DataError(f"the Contexto model in {folder} is damaged: its parts differ in length")
    return model


def _read_thresholds(tensors: dict[str, NDArray[np.generic]]) -> Matrix:
    kept = tensors["thresholds"].astype(np.float32)
    if "threshold_step" not in tensors:  # 16 bits, as written before, and a score for rank 1
        return kept[:, 1:]
    step, low = (tensors[name].astype(np.float32) for name in ("threshold_step", "threshold_low"))
    return kept * step + low


@cache
def shipped() -> Model:
    """The model that comes with the package."""
    with as_file(files("wordgames") / "contexto" / "model") as folder:
        return read(folder)
