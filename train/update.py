"""Adds new puzzles to a trained model, into a new folder, without training from nothing.

    crossword train --update models/mine --corpus november.zip --out models/mine-november

What is looked up grows: clues and their answers (fingerprints, stored rows, the index), answers
themselves, how often each was used, the hashes of seen pairs. What was learned stays as it is:
vectors of words and features, weights, probabilities. An answer that is new gets the mean vector of
its clues, as long as right answers' cosines usually are. So a month costs seconds, and the old
answers stay; after a year or so training anew learns more.
"""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from scipy import sparse

from crossword.artifacts import ModelFolder, refuse_existing, write_model
from crossword.errors import DataError, ModelError
from crossword.evaluation.seen import SEEN_FILE, SeenPairs, pair_hash
from crossword.guessers import (
    encoder,
    hybrid,
    language,
    ngram,
    sentence,
    tfidf,
    tower,
    transformer,
    word2vec,
)
from crossword.guessers.calibration import CALIBRATION
from crossword.guessers.fingerprints import ClueHistory
from crossword.guessers.index import INDEX_RECORDS, IndexRecord, extend_index
from crossword.guessers.neighbours import ClueMemory
from crossword.guessers.quantiser import Codes
from crossword.guessers.tables import Encoder
from crossword.lexicon import SEEN, Lexicon
from data.corpus import load_corpus
from data.splits import training_part
from train.command import with_indexes
from train.pairs import Pairs

MOST_UPDATES = 255  # a number of one byte says which update an answer came with


def run(
    model: Path,
    corpus: Sequence[Path | str],
    out: Path,
    until: str | None = None,
    *,
    cache: Path | None = None,
    console: Console | None = None,
) -> ModelFolder:
    """Write `out`: the model with the corpus's puzzles added."""
    console = console or Console(stderr=True)
    old = ModelFolder.open(model)
    for name in old.parts:
        if name not in UPDATES:
            raise ModelError(f"the part {name} of {model} can't be added to; please train it anew")
    refuse_existing(out)
    loaded = load_corpus(corpus, cache=cache, console=console)
    for line in loaded.report.lines():
        console.print(line, highlight=False, markup=False)
    pairs = Pairs.from_dataset(training_part(loaded.dataset, until=until))
    seen = old.path / SEEN_FILE
    fresh = pairs if not seen.is_file() else _without(pairs, SeenPairs.load(seen))
    console.print(f"{len(pairs):,} pairs, {len(fresh):,} of them not seen before", highlight=False)

    def build(folder: Path) -> Mapping[str, Any]:
        for name in old.parts:
            with console.status(f"{name}: adding to it …"):
                (folder / name).mkdir()
                UPDATES[name](old.part(name), folder / name, pairs, fresh)
                shutil.copy(old.part(name) / CALIBRATION, folder / name)
        if seen.is_file():
            known = np.load(seen, allow_pickle=False)
            added = [pair_hash(*pair) for pair in zip(fresh.clues, fresh.answers, strict=True)]
            both = np.union1d(known, np.array(added, dtype=np.uint64))
            np.save(folder / SEEN_FILE, both, allow_pickle=False)
        return with_indexes(old.manifest.figures, folder)

    hashes = {Path(path).name: value for path, value in loaded.report.hashes.items()}
    update = {"sha256": hashes, "puzzles": loaded.report.puzzles, "clues": sum(pairs.counts)}
    data = dict(old.manifest.data)
    made = write_model(
        out,
        build=build,
        parts=old.parts,
        settings=old.manifest.settings,
        data={**data, "updates": [*data.get("updates", ()), update]},
        split=old.manifest.split,
        until=until,
    )
    console.print(f"wrote {out}", highlight=False, markup=False)
    return made


def _without(pairs: Pairs, seen: SeenPairs) -> Pairs:
    """The pairs that were not in training; there may be none."""
    both = zip(pairs.clues, pairs.answers, strict=True)
    kept = [i for i, pair in enumerate(both) if pair not in seen]
    return Pairs(
        [pairs.clues[i] for i in kept],
        [pairs.answers[i] for i in kept],
        [pairs.counts[i] for i in kept],
        [pairs.recent[i] for i in kept],
    )


def _update_tfidf(old: Path, part: Path, pairs: Pairs, fresh: Pairs) -> None:
    """New rows, of terms old and new."""
    memory = ClueMemory.load(old)
    vectoriser = tfidf.Vectoriser.load(old).extended(fresh.clues, len(memory))
    rows = tfidf.StoredRows.load(old).part(0, len(memory), vectoriser.width)
    grown, order = memory.extended(fresh.answers, fresh.counts)
    added = vectoriser.transform(fresh.clues)
    both = sparse.csr_array(sparse.vstack([rows, added], format="csr")[order])
    vectoriser.save(part)
    tfidf.StoredRows.of(both).save(part)
    grown.save(part)


def _update_word2vec(old: Path, part: Path, pairs: Pairs, fresh: Pairs) -> None:
    """New vectors at the end of each length's index, whose recall is measured anew.

    A word that is new has no vector.
    """
    for name in ("words.txt", "vectors.npy", "weights.npy", "direction.npy"):
        if (old / name).exists():
            shutil.copy(old / name, part)
    embedder = word2vec.ClueEmbedder.load(part)
    grown, _ = ClueMemory.load(old).extended(fresh.answers, fresh.counts)
    grown.save(part)
    file = old / INDEX_RECORDS
    before = json.loads(file.read_text()) if file.is_file() else {}
    records = {int(length): IndexRecord(**record) for length, record in before.items()}
    for length in grown.lengths:
        clues = [
            clue
            for clue, answer in zip(fresh.clues, fresh.answers, strict=True)
            if len(answer) == length
        ]
        made = extend_index(old, part, length, embedder.embed(clues), records.get(length))
        if made is not None:
            records[length] = made
    if records:
        told = {length: asdict(records[length]) for length in sorted(records)}
        (part / INDEX_RECORDS).write_text(json.dumps(told, indent=1) + "\n")


def _update_sentence(old: Path, part: Path, pairs: Pairs, fresh: Pairs) -> None:
    """New clues are coded by the centroids that there are."""
    for name in (tower.WEIGHTS, tower.PIECES):
        if (old / name).is_file():  # else the transformer's reads the clues
            shutil.copy(old / name, part)
    codes, memory = sentence.read(old)
    grown, order = memory.extended(fresh.answers, fresh.counts)
    added = codes.encode(sentence.reader_of(old)(fresh.clues))
    both = np.concatenate([codes.codes, added])[order]
    sentence.save(part, Codes(both, codes.centroids), grown)


def _update_ngram(old: Path, part: Path, pairs: Pairs, fresh: Pairs) -> None:
    counted = Counter(
        {answer: n for by in ngram.load_counts(old).values() for answer, n in by.items()}
    )
    for answer, count in zip(pairs.answers, pairs.counts, strict=True):
        counted[answer] += count
    answers = sorted(counted, key=lambda answer: (len(answer), answer))
    (part / "answers.txt").write_text("\n".join(answers) + "\n", encoding="ascii")
    counts = np.array([counted[answer] for answer in answers], dtype=np.int32)
    np.save(part / "counts.npy", counts, allow_pickle=False)


def _copied(old: Path, part: Path, pairs: Pairs, fresh: Pairs) -> None:
    """Nothing of the part is about single answers."""
    for file in old.iterdir():
        shutil.copy(file, part)


def _update_encoder(old: Path, part: Path, pairs: Pairs, fresh: Pairs) -> None:
    """New answers take their place in the tables; what the clues were answered is a new history."""
    model = Encoder.read(old)
    age = len(model.later) + 1
    if age > MOST_UPDATES:
        raise DataError("this model was added to too often; please train it anew")
    before = list(model.lexicon.vocabulary)
    place = {answer: i for i, answer in enumerate(before)}
    answers = sorted({*before, *pairs.answers}, key=lambda answer: (len(answer), answer))
    was = np.array([place.get(answer, -1) for answer in answers])
    now = {answer: i for i, answer in enumerate(answers)}
    kept = was >= 0
    times = np.zeros(len(answers), dtype=np.int64)
    times[kept] = model.counts[was[kept]]
    old_times = times.copy()
    # Distinct pairs are counted, as in training.
    np.add.at(times, [now[answer] for answer in fresh.answers], 1)
    times[~kept] = np.maximum(times[~kept], 1)
    # What the model has seen has aged a little since; that is left for the next training.
    recent = pairs.recent_uses(now)
    recent[kept] += model.recent[was[kept]]
    lexicon = Lexicon.of(
        {
            answer: (float(model.lexicon.log_prior[i]), int(model.lexicon.sources[i]) | seen)
            if i >= 0
            else (float(np.log(0.05)), SEEN)
            for answer, i, seen in zip(answers, was.tolist(), (times > 0) * SEEN, strict=True)
        },
        model.lexicon.source_names,
    )
    # Rows of the two coded tables, before and now.
    seen_row, new_row = np.cumsum(model.counts > 0) - 1, np.cumsum(model.counts == 0) - 1
    codes = np.zeros((len(answers), model.seen.codes.shape[1]), dtype=np.uint8)
    stays = old_times > 0
    codes[stays] = model.seen.codes[seen_row[was[stays]]]
    moved = np.flatnonzero((old_times == 0) & (times > 0) & kept)
    codes[moved] = model.seen.encode(model.new.decode(new_row[was[moved]]))
    added = np.flatnonzero(~kept)
    codes[added] = model.seen.encode(_means(model, pairs, now, added, codes, stays))
    rest = np.flatnonzero((times == 0) & kept)
    since = np.full(len(answers), age, dtype=np.uint8)
    since[kept] = 0 if model.since is None else model.since[was[kept]]
    starts = lexicon.starts
    history = ClueHistory.of(
        pairs.clues,
        [now[answer] - starts[len(answer)] for answer in pairs.answers],
        [len(answer) for answer in pairs.answers],
        pairs.counts,
    )
    Encoder(
        features=model.features,
        seen=Codes(codes[times > 0], model.seen.centroids),
        new=Codes(model.new.codes[new_row[was[rest]]], model.new.centroids),
        lexicon=lexicon,
        counts=np.minimum(times, 65535).astype(np.uint16),
        history=model.history,
        later=(*model.later, history),
        since=since,
        recent=recent,
    ).save(part)
    if (old / encoder.PHRASES).is_file():
        shutil.copy(old / encoder.PHRASES, part)


def _means(
    model: Encoder,
    pairs: Pairs,
    now: Mapping[str, int],
    added: NDArray[np.int64],
    codes: NDArray[np.uint8],
    stays: NDArray[np.bool_],
) -> NDArray[np.float32]:
    """For each added answer the mean direction of its clues, as long as a usual right cosine.

    At full length an answer would outdo all others on any clue that resembles its own.
    """
    vectors = model.vectors(pairs.clues)
    at = np.array([now[answer] for answer in pairs.answers])
    known = stays[at]
    usual = 1.0
    if known.any():
        right = Codes(codes[at[known]], model.seen.centroids)
        cosines = (vectors[known] * right.decode(np.arange(len(right)))).sum(axis=1)
        usual = float(np.median(cosines))
    sums = np.zeros((len(added), vectors.shape[1]), dtype=np.float32)
    mine = np.isin(at, added)
    np.add.at(sums, np.searchsorted(added, at[mine]), vectors[mine])
    sums *= usual / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-9)
    return sums


Update = Callable[[Path, Path, Pairs, Pairs], None]
UPDATES: dict[str, Update] = {
    tfidf.NAME: _update_tfidf,
    word2vec.NAME: _update_word2vec,
    sentence.NAME: _update_sentence,
    ngram.NAME: _update_ngram,
    encoder.NAME: _update_encoder,
    transformer.NAME: _copied,
    language.NAME: _copied,
    hybrid.NAME: _copied,
}
