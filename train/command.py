"""`crossword train`: reads a corpus, trains the parts that are asked for, writes a model folder.

    crossword train --corpus archive.zip --until 2023-01-01 --out models/mine
    python -m train.command --corpus archive.zip --split even-odd --only tfidf,ngram \\
        --set tfidf.min_df=3 --out models/even

Twice over: first on all but some held-out puzzles, on which probabilities are fitted (two thirds)
and figures measured (one third); then on everything, with what was fitted. A part is a module
with `Settings`, `build` and `calibrate`; add one by a line in `PARTS`. Under `torchrun` the first
process does all that; the others help with the parts that many can train (`train.ranks`).
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import file_digest
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from time import perf_counter
from typing import Any, Protocol, cast

import numpy as np
from datasets import Dataset
from rich.console import Console

from crossword.artifacts import ModelFolder, refuse_existing, write_model
from crossword.errors import CrosswordError, DataError, UnknownNameError
from crossword.evaluation.seen import SEEN_FILE, SeenPairs
from crossword.guessers import ranker
from crossword.guessers.calibration import CALIBRATION
from crossword.guessers.index import INDEX_RECORDS
from crossword.types import Guesser
from data.corpus import columns, load_corpus
from data.splits import checked_date, hold_out, training_part
from train import heldout
from train.pairs import Pairs
from train.settings import add_flags, assignments, resolve

# In the order of training; one that joins others comes after them.
PARTS: dict[str, str] = {
    "tfidf": "train.tfidf",
    "word2vec": "train.word2vec",
    "ngram": "train.ngram",
    "encoder": "train.encoder",
    "transformer": "train.transformer",
    "sentence": "train.sentence",
    "language": "train.language",
    "hybrid": "train.hybrid",
}
# Trained only by name: weights come from outside.
ON_REQUEST = ("sentence", "transformer", "language")
# Parts whose `build` is shared by the processes of `torchrun`.
SHARED = ("encoder", "transformer", "language")
MEASURED = 5_000  # held-out clues that the figures are of, at most
PACKAGES = ("numpy", "scipy", "scikit-learn", "faiss-cpu", "gensim", "datasets", "wordfreq")


class Part(Protocol):
    """What a training module offers. `part` is its folder; its neighbours lie beside it."""

    Settings: type[Any]

    def build(self, pairs: Pairs, part: Path, settings: Any) -> None:
        """Train on the pairs; everything but the calibration."""
        ...

    def calibrate(self, part: Path, held: Sequence[tuple[str, str]]) -> None:
        """Write `calibration.json`, fitted on clues that `build` has not seen."""
        ...

    def open_part(self, part: Path) -> Guesser: ...


@dataclass(frozen=True)
class Settings:
    """Of the whole run."""

    heldout_share: float = field(default=0.1, metadata={"help": "of the puzzles, to calibrate on"})
    heldout_clues: int = field(default=12_000, metadata={"help": "held out at most, or about"})
    fit_until: str = field(
        default="",
        metadata={"help": "fit on puzzles dated from --until to this day, instead of holding out"},
    )
    calibration: str = field(
        default="", metadata={"help": "take what was fitted from this model folder instead"}
    )
    beside: str = field(
        default="", metadata={"help": "take the parts that aren't trained from this model folder"}
    )
    seen_pairs: bool = field(
        default=True, metadata={"help": "keep hashes of the pairs, to tell seen from new later"}
    )
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 < self.heldout_share < 1:
            raise DataError("run.heldout_share must lie between 0 and 1")
        if self.beside and not (self.fit_until or self.calibration):
            raise DataError(
                "run.beside needs run.fit_until or run.calibration: the parts that it takes have "
                "seen what would be held out"
            )


def run(
    corpus: Sequence[Path | str],
    out: Path,
    until: str | None = None,
    only: str | Sequence[str] | None = None,
    split: str | None = None,
    *,
    settings: Mapping[str, Mapping[str, Any]] | None = None,
    cache: Path | None = None,
    console: Console | None = None,
) -> ModelFolder | None:
    """Train, and say on the console what happens. `settings` by part name, `run` for the whole.

    Gives the model; in a process that only helped the first one of `torchrun`, nothing.
    """
    leads = not int(os.environ.get("RANK", "0"))  # torchrun's; one process alone leads too
    console = console or Console(stderr=True, quiet=not leads)
    names = _chosen(only)
    given = dict(settings or {})
    whole = resolve(Settings, given.pop("run", {}), "run")
    modules = {name: cast("Part", import_module(PARTS[name])) for name in names}
    resolved = {
        name: resolve(module.Settings, given.pop(name, {}), name)
        for name, module in modules.items()
    }
    for name in given:
        raise DataError(f"there are settings for {name}, which isn't trained")
    refuse_existing(out)  # before the work, not after it

    loaded = load_corpus(corpus, cache=cache, console=console)
    for line in loaded.report.lines():
        console.print(line, highlight=False, markup=False)
    dataset = training_part(loaded.dataset, split=split, until=until)
    console.print(f"training on {len(dataset):,} clues: {', '.join(names)}", highlight=False)
    if whole.calibration:
        fitted: Path | None = ModelFolder.open(whole.calibration).path
    else:
        fitted = None
    held = _later(loaded.dataset, until, whole) if whole.fit_until else None
    others = ModelFolder.open(whole.beside) if whole.beside else None
    taken = [name for name in others.parts if name not in names] if others else []
    if not leads:
        once = fitted is not None or held is not None
        for rows in [dataset] if once else [_held_out(dataset, whole)[0], dataset]:
            for name in (name for name in names if name in SHARED):
                modules[name].build(Pairs.from_dataset(rows), out, resolved[name])
        return None

    def train_all(folder: Path) -> None:
        pairs = Pairs.from_dataset(dataset)
        for name in taken:
            shutil.copytree(Path(whole.beside, name), folder / name)
        for name, module in modules.items():
            with _Step(console, f"{name}: training on everything"):
                (folder / name).mkdir()
                module.build(pairs, folder / name, resolved[name])
        if whole.seen_pairs:
            SeenPairs.of(zip(pairs.clues, pairs.answers, strict=True)).save(folder / SEEN_FILE)

    def build(folder: Path) -> Mapping[str, Any]:
        if fitted is not None:
            train_all(folder)
            for name in (*modules, *(one for one in taken if (fitted / one).is_dir())):
                _copy_fitted(fitted / name, folder / name)
            return dict(ModelFolder.open(fitted, verify=False).manifest.figures)
        if held is not None:
            train_all(folder)
            return _fit(modules, held, folder, console)
        # Named after the folder that is being made, so that both are swept up after a kill.
        with tempfile.TemporaryDirectory(prefix=f"{folder.name}.", dir=out.parent) as rehearsal:
            rest, inside = _held_out(dataset, whole)
            pairs = Pairs.from_dataset(rest)
            for name, module in modules.items():
                with _Step(console, f"{name}: training without {len(dataset) - len(rest):,} clues"):
                    Path(rehearsal, name).mkdir()
                    module.build(pairs, Path(rehearsal, name), resolved[name])
            figures = _fit(modules, inside, Path(rehearsal), console)
            train_all(folder)
            for name in modules:
                _copy_fitted(Path(rehearsal, name), folder / name)
        return figures

    before = others.manifest if others else None
    model = write_model(
        out,
        build=lambda folder: {
            **{name: before.figures[name] for name in taken if before and name in before.figures},
            **with_indexes(build(folder), folder),
        },
        parts=[name for name in PARTS if name in (*names, *taken)],
        settings={
            "run": _portable(asdict(whole)),
            **{name: before.settings.get(name, {}) for name in taken if before},
            **{name: _portable(asdict(resolved[name])) for name in names},
        },
        data={
            "sha256": {
                **(before.data.get("sha256", {}) if before else {}),
                **{Path(path).name: value for path, value in loaded.report.hashes.items()},
                **_inputs([asdict(resolved[name]) for name in names]),
            },
            "puzzles": loaded.report.puzzles,
            "clues": len(dataset),
            "packages": {name: version(name) for name in PACKAGES},
        },
        split=split,
        until=until,
    )
    console.print(f"wrote {out}", highlight=False, markup=False)
    return model


def _copy_fitted(source: Path, part: Path) -> None:
    """What was fitted on held-out clues."""
    shutil.copy(source / CALIBRATION, part)
    if (source / ranker.FILE).is_file():
        shutil.copy(source / ranker.FILE, part)


def with_indexes(figures: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """The figures, and what index was built for each length with which recall."""
    told = dict(figures)
    for file in folder.glob(f"*/{INDEX_RECORDS}"):
        name = file.parent.name
        told[name] = {**told.get(name, {}), "index": json.loads(file.read_text())}
    return told


def _portable(settings: dict[str, Any]) -> dict[str, Any]:
    """Settings without the folders of this machine: a path is told by its last part."""
    return {
        key: Path(value).name if isinstance(value, str) and "/" in value else value
        for key, value in settings.items()
    }


def _inputs(settings: Sequence[dict[str, Any]]) -> dict[str, str]:
    """The hashes of the files that settings name."""
    found = {}
    for value in (value for one in settings for value in one.values()):
        if isinstance(value, str) and value and Path(value).is_file():
            with Path(value).open("rb") as file:
                found[Path(value).name] = file_digest(file, "sha256").hexdigest()
    return found


def _chosen(only: str | Sequence[str] | None) -> list[str]:
    if not only:
        return [name for name in PARTS if name not in ON_REQUEST]
    asked = only.split(",") if isinstance(only, str) else list(only)
    for name in (name.strip() for name in asked):
        if name not in PARTS:
            raise UnknownNameError("part of a model", name, PARTS)
    return [name for name in PARTS if name in {one.strip() for one in asked}]


def _held_out(
    dataset: Dataset, settings: Settings
) -> tuple[Dataset, tuple[list[tuple[str, str]], list[tuple[str, str]]]]:
    """The rows to rehearse on, and the clues to fit and to measure with; no puzzle is in two."""
    share = min(settings.heldout_share, settings.heldout_clues / len(dataset))
    rest, held = hold_out(dataset, share, settings.seed, least=3)
    if not (len(rest) and len(held)):
        raise DataError("the corpus is too small to train on: three puzzles must be held out")
    return rest, _two_lists(held, settings)


def _two_lists(
    held: Dataset, settings: Settings
) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Clues to fit on and clues to measure with, shuffled; no puzzle is in both."""
    fitting, measuring = hold_out(held, 1 / 3, settings.seed, least=1)
    if not (len(fitting) and len(measuring)):
        raise DataError("the corpus is too small to train on: too few puzzles are held out")
    lists = []
    for part in (fitting, measuring):
        pairs = list(zip(*columns(part, "clue", "answer"), strict=True))
        random.Random(settings.seed).shuffle(pairs)
        lists.append(pairs)
    return lists[0], lists[1]


def _later(
    dataset: Dataset, until: str | None, settings: Settings
) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Clues of the time after training: of two puzzles in three to fit, of the third to measure."""
    if until is None:
        raise DataError("run.fit_until needs --until: it says where the time to fit on begins")
    dates = columns(dataset, "date")[0]
    keep = np.array([until <= day < checked_date(settings.fit_until) for day in dates])
    if not keep.any():
        raise DataError(f"the corpus has no puzzle from {until} to {settings.fit_until}")
    return _two_lists(dataset.select(np.flatnonzero(keep)), settings)


def _fit(
    modules: Mapping[str, Part],
    held: tuple[list[tuple[str, str]], list[tuple[str, str]]],
    folder: Path,
    console: Console,
) -> dict[str, Any]:
    """Calibrate each part on the first list, and measure it on the second."""
    fitting, measuring = held
    figures: dict[str, Any] = {}
    for name, module in modules.items():
        with _Step(console, f"{name}: fitting probabilities on {len(fitting):,} clues"):
            module.calibrate(folder / name, fitting)
        figures[name] = heldout.figures(module.open_part(folder / name), measuring[:MEASURED])
        shown = ", ".join(f"{key} {value}" for key, value in figures[name].items())
        console.print(f"{name}: {shown}", highlight=False)
    return figures


class _Step:
    """Says what is being done and, at the end, how long it took."""

    def __init__(self, console: Console, text: str) -> None:
        self._console, self._text = console, text
        self._status = console.status(f"{text} …")

    def __enter__(self) -> None:
        self._before = perf_counter()
        self._status.start()

    def __exit__(self, kind: object, *_: object) -> None:
        self._status.stop()
        if kind is None:
            took = perf_counter() - self._before
            self._console.print(f"{self._text}: {took:.0f} s", highlight=False)


def main(only: str | None = None, arguments: Sequence[str] | None = None) -> None:
    """The command line of `python -m train.command`, or of one part's script."""
    parser = argparse.ArgumentParser(
        prog=f"python -m {PARTS[only] if only else 'train.command'}",
        description=f"Train {only or 'the parts of a model'} on a corpus, into a model folder.",
    )
    parser.add_argument(
        "--corpus", nargs="+", required=True, metavar="PATH", help="collections, or hf:NAME"
    )
    parser.add_argument("--out", type=Path, required=True, help="the model folder to make")
    parser.add_argument("--until", metavar="DATE", help="only puzzles before this date")
    parser.add_argument("--split", help="the training part of a split: even-odd, forward")
    parser.add_argument("--cache", type=Path, metavar="DIR", help="where read corpora are kept")
    if only is None:
        parser.add_argument("--only", metavar="NAMES", help=f"of {', '.join(PARTS)}")
        parser.add_argument(
            "--set", nargs="+", default=[], metavar="PART.KEY=VALUE", help="change settings"
        )
    kind: Callable[..., Any] | None = None
    if only is not None:
        kind = import_module(PARTS[only]).Settings
        add_flags(parser, cast("type[Any]", kind))
    chosen = vars(parser.parse_args(arguments))
    common = {name: chosen.pop(name) for name in ("corpus", "out", "until", "split", "cache")}
    try:
        if only is not None:
            run(**common, only=only, settings={only: chosen})
        else:
            run(**common, only=chosen["only"], settings=assignments(chosen["set"]))
    except CrosswordError as error:
        Console(stderr=True).print(str(error), style="red", highlight=False, markup=False)
        sys.exit(2)
    except KeyboardInterrupt:
        Console(stderr=True).print("stopped; nothing was written")
        sys.exit(130)


if __name__ == "__main__":
    main()
