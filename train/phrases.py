"""Learns the phrase model: which words make crossword phrases, and which follow which.

Word pairs come from four places: crossword answers and lists cut into words (Viterbi under the
model so far, two rounds), phrases of dictionaries, running text and clues (as counts only), and
published bigram tables. They are joined as a Dirichlet prior (MacKay & Peto, 1995): text says
what is likely before any crossword phrase with that word has been seen.

    python -m train.vocabulary --corpus DIR --out FILE --phrases FILE   builds both
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from crossword.phrase_kernels import MAX_WORD
from crossword.phrases import PhraseModel
from crossword.text import fold

_WORD = re.compile(r"[a-z]+(?:'[a-z]+)*")
LONE = np.float32(0.02)  # a lone letter is an initial or list item in text, rarely in phrases
_CHUNK = 200_000  # words of text that are counted at a time


@dataclass(frozen=True)
class PhraseSettings:
    """Chosen by hand, not tuned: the first cuts of 2022's new answers were looked at, no more."""

    words: int = 60_000
    pairs: int = 900_000
    text_strength: float = 40.0  # of text against crossword phrases, in phrases
    text_share: float = 0.8  # all texts' part in the prior; the rest backs off
    discount: float = 0.6  # taken from each crossword pair for those not yet seen
    list_weight: float = 0.3  # of a list entry against an answer that was printed
    phrase_weight: float = 0.15  # of a dictionary's phrase
    rounds: int = 2
    letters_weight: float = 0.1


@dataclass
class PairCounts:
    """Counts of word pairs as sorted keys (first x words + second) and values."""

    words: int
    keys: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    values: NDArray[np.float32] = field(default_factory=lambda: np.zeros(0, np.float32))

    def add(self, keys: NDArray[np.int64], values: NDArray[np.float32]) -> None:
        both = np.concatenate((self.keys, keys))
        weights = np.concatenate((self.values, values))
        self.keys, inverse = np.unique(both, return_inverse=True)
        self.values = np.bincount(inverse, weights).astype(np.float32)

    def conditional(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """P(second | first) of each key, and how often each first word was seen."""
        firsts = self.keys // self.words
        total = np.bincount(firsts, self.values, minlength=self.words)
        return (self.values / total[firsts]).astype(np.float32), total.astype(np.float32)


@dataclass
class Evidence:
    """All that the model is learned from. Texts are streams; they are read once."""

    answers: Mapping[str, int]
    listed: Iterable[str] = ()
    phrases: Iterable[str] = ()
    texts: Sequence[Iterable[str]] = ()
    bigrams: Sequence[Iterable[tuple[str, float]]] = ()


def split_words(phrase: str) -> list[str]:
    """Lower-case words without apostrophes: "One's Own" gives ones, own."""
    plain = phrase if phrase.isascii() else fold(phrase)  # folding is slow, and rarely needed
    return [w.replace("'", "") for w in _WORD.findall(plain.lower())]


def choose_words(
    phrases: Sequence[list[str]], answers: Mapping[str, int], count: int
) -> dict[str, float]:
    """The model's words with a probability: common English, and what phrases are made of."""
    from wordfreq import top_n_list, word_frequency

    inside: dict[str, int] = {}
    for phrase in phrases:
        if len(phrase) > 1:
            for word in phrase:
                inside[word] = inside.get(word, 0) + 1
    chosen: dict[str, float] = {}
    for rank, word in enumerate(top_n_list("en", 4 * count)):
        plain = fold(word).replace("'", "")
        if not (plain.isascii() and plain.isalpha() and len(plain) <= MAX_WORD):
            continue
        # Beyond the commonest, only what has been an answer: names and typos abound there.
        if rank < count or (len(plain) > 3 and plain.upper() in answers):
            chosen[plain] = chosen.get(plain, 0.0) + word_frequency(word, "en")
    extra = sorted((w for w in inside if w not in chosen), key=lambda w: -inside[w])
    for word in extra[: count // 4]:
        if inside[word] >= 3 and len(word) <= MAX_WORD:
            chosen[word] = max(word_frequency(word, "en"), 1e-9) + inside[word] * 1e-9
    total = sum(chosen.values())
    return {
        word: value / total * (float(LONE) if len(word) == 1 and word not in "ai" else 1.0)
        for word, value in chosen.items()
    }


def count_texts(texts: Iterable[str], ids: Mapping[str, int]) -> PairCounts:
    """Pairs of neighbouring known words."""
    counts = PairCounts(len(ids))
    buffer: list[int] = []

    def flush() -> None:
        found = np.array(buffer, dtype=np.int64)
        buffer.clear()
        first, second = found[:-1], found[1:]
        keep = (first >= 0) & (second >= 0)
        keys, times = np.unique(first[keep] * len(ids) + second[keep], return_counts=True)
        counts.add(keys, times.astype(np.float32))

    for text in texts:
        buffer.extend(ids.get(w, -1) for w in split_words(text))
        buffer.append(-1)
        if len(buffer) > _CHUNK * 10:
            flush()
    if buffer:
        flush()
    often = counts.values >= 2  # a pair seen once is most likely chance, and most pairs are
    counts.keys, counts.values = counts.keys[often], counts.values[often]
    return counts


def count_bigrams(table: Iterable[tuple[str, float]], ids: Mapping[str, int]) -> PairCounts:
    """Published pairs with counts."""
    keys, values = [], []
    for phrase, count in table:
        first, _, second = phrase.lower().partition(" ")
        if first in ids and second in ids:
            keys.append(ids[first] * len(ids) + ids[second])
            values.append(count)
    counts = PairCounts(len(ids))
    counts.add(np.array(keys, np.int64), np.array(values, np.float32))
    return counts


@dataclass
class PhraseCounts:
    """Words that open, close and stand inside crossword phrases, and their pairs."""

    pairs: PairCounts
    first: NDArray[np.float64]
    last: NDArray[np.float64]
    inner: NDArray[np.float64]

    @classmethod
    def empty(cls, words: int) -> PhraseCounts:
        return cls(PairCounts(words), np.zeros(words), np.zeros(words), np.zeros(words))

    def add(self, parts: NDArray[np.int32], weights: NDArray[np.float32]) -> None:
        """Rows of word numbers, -1 where unused; a row without words is left out."""
        words = len(self.first)
        used = parts[:, 0] >= 0
        parts, weights = parts[used], weights[used]
        self.first += np.bincount(parts[:, 0], weights, minlength=words)
        sizes = (parts >= 0).sum(axis=1)
        last = parts[np.arange(len(parts)), sizes - 1]
        self.last += np.bincount(last, weights, minlength=words)
        for k in range(1, parts.shape[1]):
            there = parts[:, k] >= 0
            self.inner += np.bincount(parts[there, k], weights[there], minlength=words)
            keys = parts[there, k - 1].astype(np.int64) * words + parts[there, k]
            self.pairs.add(keys, weights[there])

    def distrust(self, odd: NDArray[np.bool_]) -> None:
        """Let lone letters stay rare, however handy they are for cutting unknown words."""
        for counts in (self.first, self.last, self.inner):
            counts[odd] *= LONE
        words = len(odd)
        either = odd[self.pairs.keys // words] | odd[self.pairs.keys % words]
        self.pairs.values[either] *= LONE


def estimate(
    words: Sequence[str],
    common: NDArray[np.float64],
    seen: PhraseCounts,
    texts: Sequence[PairCounts],
    letter_log: NDArray[np.float32],
    settings: PhraseSettings,
) -> PhraseModel:
    """Probabilities from counts: crossword pairs over a prior of text pairs over single words."""
    n = len(words)
    first = _mixed(seen.first, common, 20_000)
    alone = _mixed(seen.inner, common, 20_000)
    uses = seen.first + seen.inner
    closing = (seen.last.sum() + 1) / (uses.sum() + 2)
    end = (seen.last + 3 * closing) / (uses + 3)
    keys = np.unique(np.concatenate([seen.pairs.keys, *(t.keys for t in texts)]))
    firsts, seconds = keys // n, keys % n
    prior = np.zeros(len(keys), np.float64)
    left = np.ones(n)
    for text in texts:
        share, total = text.conditional()
        # A word seen rarely tells little of what follows it.
        trust = settings.text_share / len(texts) * total / (total + 50)
        prior[np.searchsorted(keys, text.keys)] += share * trust[text.keys // n]
        left -= trust
    prior += left[firsts] * alone[seconds]
    crossword = np.zeros(len(keys), np.float64)
    crossword[np.searchsorted(keys, seen.pairs.keys)] = seen.pairs.values
    taken = np.minimum(seen.pairs.values, settings.discount)
    goes_on = np.bincount(seen.pairs.keys // n, seen.pairs.values, minlength=n)
    given = np.bincount(seen.pairs.keys // n, taken, minlength=n) + settings.text_strength
    total = goes_on + settings.text_strength
    crossword -= np.minimum(crossword, settings.discount)
    chance = (crossword + given[firsts] * prior) / total[firsts]
    backed = given * left / total
    gain = (first + alone)[firsts] * (1 - end[firsts]) * chance
    gain = gain * np.log(np.maximum(chance / (backed[firsts] * alone[seconds]), 1.0))
    if len(gain) > settings.pairs:
        keep = np.sort(np.argpartition(-gain, settings.pairs)[: settings.pairs])
        firsts, seconds, chance = firsts[keep], seconds[keep], chance[keep]
    kept = np.bincount(firsts, chance, minlength=n)
    covered = np.bincount(firsts, alone[seconds], minlength=n)
    backoff = np.maximum(1 - kept, 1e-4) / np.maximum(1 - covered, 1e-4)
    with np.errstate(divide="ignore"):
        return PhraseModel(
            tuple(w.upper() for w in words),
            _log(first),
            _log(alone),
            _log(backoff * (1 - end)),
            _log(end),
            np.concatenate(([0], np.cumsum(np.bincount(firsts, minlength=n)))).astype(np.int32),
            seconds.astype(np.int32),
            _log(chance * (1 - end[firsts])),
            letter_log,
            settings.letters_weight,
        )


def learn(evidence: Evidence, settings: PhraseSettings = PhraseSettings()) -> PhraseModel:
    """The whole model. Takes some minutes for the full corpora."""
    phrases = [split_words(p) for p in evidence.phrases]
    chances = choose_words(phrases, evidence.answers, settings.words)
    words = sorted(chances, key=lambda w: (len(w), w))
    ids = {word: k for k, word in enumerate(words)}
    common = np.array([chances[w] for w in words])
    common /= common.sum()
    texts = [count_texts(text, ids) for text in evidence.texts]
    texts += [count_bigrams(table, ids) for table in evidence.bigrams]
    listed = [a for a in set(evidence.listed) if a not in evidence.answers and len(a) <= 30]
    answers = sorted(a for a in evidence.answers if len(a) <= 30)
    letter_log = letter_model(answers, listed)
    given = _as_rows(phrases, ids)
    model = estimate(words, common, PhraseCounts.empty(len(words)), texts, letter_log, settings)
    for _ in range(settings.rounds):
        seen = PhraseCounts.empty(len(words))
        for batch, weight in ((answers, 1.0), (listed, settings.list_weight)):
            if batch:
                score, parts = model.segment_ids(batch)
                parts[score < model.letters_log_prob(batch)] = -1  # no phrase: chopped letters
                seen.add(parts, np.full(len(batch), weight, np.float32))
        seen.add(given, np.full(len(given), settings.phrase_weight, np.float32))
        seen.distrust(np.array([len(w) == 1 and w not in "ai" for w in words]))
        model = estimate(words, common, seen, texts, letter_log, settings)
    return model


def letter_model(answers: Sequence[str], listed: Sequence[str]) -> NDArray[np.float32]:
    """A letter 4-gram, Witten-Bell smoothed order by order; 26 is the edge of an answer."""
    counts = np.zeros(27**4, np.float64)
    for batch, weight in ((answers, 1.0), (listed, 0.3)):
        if not batch:
            continue
        text = ("[[[" + "[[[".join(batch) + "[").encode("ascii")
        signs = np.frombuffer(text, np.uint8).astype(np.int64) - 65
        grams = ((signs[:-3] * 27 + signs[1:-2]) * 27 + signs[2:-1]) * 27 + signs[3:]
        # Skip what starts or ends inside the run of edges between two answers.
        inside = ~((signs[3:] == 26) & (signs[2:-1] == 26))
        inside &= ~((signs[2:-1] != 26) & (signs[1:-2] == 26) & (signs[:-3] != 26))
        counts += weight * np.bincount(grams[inside], minlength=27**4)
    table = counts.reshape(27, 27, 27, 27)
    lower = np.full(27, 1 / 27)
    for order in range(1, 5):
        summed = table.sum(axis=tuple(range(4 - order)))
        total = summed.sum(axis=-1, keepdims=True)
        kinds = (summed > 0).sum(axis=-1, keepdims=True)
        lower = (summed + kinds * lower + 1e-9 * lower) / (total + kinds + 1e-9)
    return _log(lower)


def _as_rows(phrases: Sequence[list[str]], ids: Mapping[str, int]) -> NDArray[np.int32]:
    rows = {
        tuple(ids[w] for w in phrase)
        for phrase in phrases
        if 1 < len(phrase) <= 4 and all(w in ids for w in phrase)
    }
    table = np.full((len(rows), 4), -1, np.int32)
    for k, row in enumerate(sorted(rows)):
        table[k, : len(row)] = row
    return table


def _mixed(
    counts: NDArray[np.float64], common: NDArray[np.float64], strength: float
) -> NDArray[np.float64]:
    """Counts over a prior of common English that weighs as much as `strength` phrases."""
    mixed: NDArray[np.float64] = (counts + strength * common) / (counts.sum() + strength)
    return mixed


def _log(chances: NDArray[np.float64]) -> NDArray[np.float32]:
    return np.log(np.maximum(chances, 1e-12)).astype(np.float32)
