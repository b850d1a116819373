"""What `encoder` is trained on: clues and answers as bags of features, over one vocabulary.

Clues of the corpus come first; then what dictionaries say, blanks left in phrases, and short clues
turned round. The vocabulary is the corpus's answers and the likeliest of a wider one, if given.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from crossword.guessers.features import answer_features, clue_features, keys_of
from crossword.lexicon import SEEN, Lexicon
from crossword.vocabulary import MAX_LENGTH
from train.bags import Bags, bags_of
from train.knowledge import blank_pairs, knowledge_pairs
from train.pairs import Pairs
from train.pretrained import Start, start_of
from train.segmentation import segment

if TYPE_CHECKING:
    from train.encoder import Settings

LONG = 12  # answers this long or longer share batches, for there are few of them
SMALLEST_BATCH = 64


@dataclass(frozen=True, eq=False)
class Material:
    """What is trained on: bags of features of clues and answers, and which go together."""

    clues: Bags
    answers: Bags
    own: NDArray[np.int64]  # the row that stands for an answer as a whole, -1 if it has none
    gold: NDArray[np.int64]  # for each clue its answer's place in the lexicon
    lengths: NDArray[np.int64]  # of the lexicon's answers
    real: int  # clues of the corpus come first, then the knowledge
    start: Start | None = None  # vectors of others to begin with


def gather(pairs: Pairs, lexicon: Lexicon, settings: Settings, console: Console) -> Material:
    """Features of everything, as rows of two tables."""
    place = {answer: i for i, answer in enumerate(lexicon.vocabulary)}
    known = [
        (clue, place[answer])
        for clue, answer in zip(pairs.clues, pairs.answers, strict=True)
        if answer in place
    ]
    real = len(known)
    start, extra = None, []
    if settings.knowledge:
        start = start_of(Path(settings.knowledge), settings.size)
        extra = knowledge_pairs(Path(settings.knowledge), place, seed=settings.seed)
        console.print(f"encoder: {len(extra):,} pairs from dictionaries", highlight=False)
    parts = [segment(answer) for answer in place]
    if settings.blanks:
        likeliest = np.argsort(-_log_uses(lexicon, [answer for _, answer in known]), kind="stable")
        phrases = [parts[i] for i in likeliest.tolist() if parts[i]][: settings.blanks]
        blanks = blank_pairs(phrases, place)
        extra += blanks
        console.print(f"encoder: {len(blanks):,} pairs from blanks in phrases", highlight=False)
    if settings.turned:
        turned = [(clue, answer) for clue, answer in pairs.turned() if answer in place]
        extra += turned
        console.print(f"encoder: {len(turned):,} pairs turned round", highlight=False)
    known += [(clue, place[answer]) for clue, answer in extra]
    gold = np.array([answer for _, answer in known], dtype=np.int64)
    clues = bags_of((keys_of(clue_features(clue)) for clue, _ in known), len(known))
    weights = np.ones(len(known), dtype=np.float64)
    weights[real:] = 0.25  # a word that only dictionaries use must be common there to get a row
    clues = clues.limited(settings.clue_rows, weights, least=3.0 if real > 20_000 else 1.0)
    answers = bags_of(
        (keys_of(answer_features(*both)) for both in zip(place, parts, strict=True)), len(place)
    )
    trained = np.zeros(len(place), dtype=bool)
    trained[gold] = True
    first = answers.keys[answers.rows[answers.starts[:-1]]]  # an answer's first key is itself
    always = [first[trained], *([] if start is None else [start.answer_keys])]
    answers = answers.kept(trained, np.concatenate(always), least=3)
    at = np.searchsorted(answers.keys, first).clip(max=len(answers.keys) - 1)
    own = np.where((answers.keys[at] == first) & trained, at, -1)
    lengths = np.array([len(answer) for answer in place], dtype=np.int64)
    return Material(clues, answers, own, gold, lengths, real, start)


def _log_uses(lexicon: Lexicon, uses: Sequence[int]) -> NDArray[np.float64]:
    """How likely each answer of the vocabulary is: what was used comes before what was not."""
    times = np.bincount(np.array(uses, dtype=np.int64), minlength=len(lexicon))
    return np.where(times > 0, np.log(times + 1.0), lexicon.log_prior.astype(np.float64))


def lexicon_for(pairs: Pairs, settings: Settings) -> Lexicon:
    """The wider vocabulary of the settings, or else the answers of the corpus alone."""
    own = dict.fromkeys(pairs.answers, (math.log(0.05), SEEN))
    if not settings.lexicon:
        return Lexicon.of(own, ["seen"])
    wide = Lexicon.read(Path(settings.lexicon))
    # Seen answers all stay; of the others, those that are likeliest to be used.
    order = np.argsort(-wide.log_prior, kind="stable")
    words = list(wide.vocabulary)
    table = {a: v for a, v in own.items() if len(a) <= MAX_LENGTH}
    for i in order.tolist():
        if words[i] in table or len(table) < settings.answers:
            table[words[i]] = (float(wide.log_prior[i]), int(wide.sources[i]))
    return Lexicon.of(table, wide.source_names)


def batches_of(material: Material, settings: Settings, turn: int) -> list[NDArray[np.int64]]:
    """The pairs of a pass in a drawn order, answers of one length together."""
    random = np.random.default_rng([settings.seed, turn])
    extra = random.permutation(np.arange(material.real, len(material.gold)))
    extra = extra[: round(len(extra) * (1.0 if turn == 0 else settings.replay))]
    items = np.concatenate([np.arange(material.real), extra])
    groups = np.minimum(material.lengths[material.gold[items]], LONG)
    found: list[NDArray[np.int64]] = []
    for group in np.unique(groups):
        shuffled = random.permutation(items[groups == group])
        pieces = [shuffled[i : i + settings.batch] for i in range(0, len(shuffled), settings.batch)]
        if len(pieces) > 1 and len(pieces[-1]) < SMALLEST_BATCH:
            pieces.pop()
        found += pieces
    order = random.permutation(len(found))
    return [found[i] for i in order]
