"""Builds the answer vocabulary: every word that might be an answer, with a learned log prior.

Candidates come from the training answers, constructors' lists, the packages of `train.sources`
and inflections of known phrases. A small gradient-boosted model, fitted on which of the words
unseen two years ago have been used since, says how likely each is as a new answer; the likeliest
are kept. A list that ends in the years that are fitted knew those answers: named in `unfitted`,
it counts as more of another list (`train.prior.STAND_IN`), and no weight is learned for it.

    python -m train.sources fetch --cache CACHE
    python -m train.vocabulary --corpus CORPORA --until 2023-01-01 --cache CACHE --out FILE
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from crossword.errors import CrosswordError, DataError
from crossword.lexicon import SEEN, Lexicon
from crossword.phrases import PhraseModel
from train.inflections import inflected
from train.prior import Features, fit_and_score
from train.wordlists import Sourced

BASES = ("jones", "xwi-2022", "otsys", "default", "spread")  # lists whose phrases are inflected
INFLECTED = "inflected"


@dataclass(frozen=True)
class VocabularySettings:
    """Knobs of the build. Chosen by hand, not tuned; 2022 was looked at."""

    size: int = 1_200_000
    unfitted: tuple[str, ...] = ("spread",)
    fit_negatives: int = 400_000
    rounds: int = 150
    seed: int = 69


def build(
    train_answers: Mapping[str, int],
    recent: frozenset[str],
    lists: Sequence[Sourced],
    sources: Sequence[Sourced],
    phrases: PhraseModel,
    settings: VocabularySettings = VocabularySettings(),
    on_step: Callable[[str], None] = lambda _: None,
) -> Lexicon:
    """The vocabulary for a corpus.

    `recent` are the training answers first used in its last two years: what the prior is fitted
    on. `phrases` should be learned without them, so that the fit is honest.
    """
    if not train_answers:
        raise DataError("no training answers: the corpus is empty")
    on_step("inflecting known phrases")
    old = {a for a in train_answers if a not in recent}
    groups = [*lists, *sources]
    if any(group.name in BASES for group in lists):
        groups.append(_inflections(old, lists, phrases))
    names = [group.name for group in groups]
    on_step("joining sources")
    candidates = _candidates(groups, old, phrases, settings)
    on_step("scoring phrases and letters")
    features = Features(candidates, groups, phrases, settings.unfitted)
    on_step("fitting the prior")
    log_prior = fit_and_score(
        candidates,
        features,
        recent,
        negatives=settings.fit_negatives,
        rounds=settings.rounds,
        seed=settings.seed,
    )
    on_step("choosing")
    masks = _masks(candidates, groups)
    answers: dict[str, tuple[float, int]] = {}
    order = np.argsort(-log_prior, kind="stable")
    room = max(0, settings.size - len(train_answers))
    for k in order.tolist():
        answer = candidates[k]
        if answer in train_answers:
            continue
        if room == 0:
            break
        room -= 1
        answers[answer] = (float(log_prior[k]), int(masks[k]))
    position = {answer: k for k, answer in enumerate(candidates)}
    for answer, count in train_answers.items():
        if len(answer) <= 40:
            where = position.get(answer)
            mask = SEEN | (int(masks[where]) if where is not None else 0)
            # The chance to be used in a year; 30 years is about the corpora's effective span.
            answers[answer] = (math.log(-math.expm1(-(count + 0.5) / 30)), mask)
    return Lexicon.of(answers, ["seen", *names])


def _inflections(old: set[str], lists: Sequence[Sourced], phrases: PhraseModel) -> Sourced:
    bases: dict[str, float] = dict.fromkeys(old, 2.0)
    for group in lists:
        if group.name in BASES:
            for answer in group.weights:
                bases[answer] = bases.get(answer, 0.0) + 1.0
    return Sourced(INFLECTED, inflected(bases, phrases))


def _candidates(
    groups: Sequence[Sourced], old: set[str], phrases: PhraseModel, settings: VocabularySettings
) -> list[str]:
    """All that is not old. What one noisy source alone has must read like a phrase."""
    times: dict[str, int] = {}
    for group in groups:
        curated = group.name in BASES or group.name == "more"
        for answer in group.weights:
            times[answer] = times.get(answer, 0) + (2 if curated else 1)
    sure = [a for a, n in times.items() if n > 1 and a not in old]
    doubtful = [a for a, n in times.items() if n == 1 and a not in old]
    per_letter = phrases.log_prob(doubtful) / np.array([len(a) for a in doubtful] or [1])
    room = 2 * settings.size
    if len(doubtful) > room:
        keep = np.argpartition(-per_letter, room)[:room]
        doubtful = [doubtful[k] for k in keep.tolist()]
    return sorted(sure + doubtful)


def _masks(candidates: Sequence[str], groups: Sequence[Sourced]) -> NDArray[np.uint64]:
    position = {answer: k for k, answer in enumerate(candidates)}
    masks = np.zeros(len(candidates), np.uint64)
    for bit, group in enumerate(groups, 1):
        rows = [position[a] for a in group.weights if a in position]
        masks[rows] |= np.uint64(1 << bit)
    return masks


def main(
    corpus: Annotated[list[Path], typer.Option(help="Puzzle collections; repeatable.")],
    out: Annotated[Path, typer.Option(help="The vocabulary, an npz of some 5 MB.")],
    lists: Annotated[
        list[Path] | None, typer.Option(help="Word lists (word;score, .txt or .gz); repeatable.")
    ] = None,
    phrases: Annotated[
        Path | None, typer.Option(help="Keep the phrase model here too; read if it exists.")
    ] = None,
    until: Annotated[
        str | None, typer.Option(help="Leave out puzzles from this day on, e.g. 2023-01-01.")
    ] = None,
    cache: Annotated[
        Path | None, typer.Option(help="Where `python -m train.sources fetch` put the packages.")
    ] = None,
    size: Annotated[int, typer.Option(help="How many answers to keep.")] = 1_200_000,
) -> None:
    """Build the answer vocabulary with a log prior for each word."""
    # Read here, so that `build` needs neither pyarrow nor datasets.
    from data.corpus import columns, load_corpus
    from data.splits import training_part
    from train.gathering import answers_of, gather
    from train.phrases import learn

    console = Console(stderr=True)
    bar = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    try:
        loaded = load_corpus(corpus, console=console)
        with Progress(*bar, console=console) as progress:
            task = progress.add_task("reading answers")

            def step(text: str) -> None:
                progress.update(task, description=text)

            part = training_part(loaded.dataset, until=until)
            rows = zip(*columns(part, "answer", "date", "clue"), strict=True)
            answers = answers_of((a, d or "", c) for a, d, c in rows)
            gathered = gather(answers, lists or [], cache, step)
            if phrases is not None and phrases.exists():
                model = PhraseModel.read(phrases)
            else:
                step("learning which words make phrases")
                model = learn(gathered.evidence)
                if phrases is not None:
                    model.save(phrases)
            table = build(
                answers.counts,
                answers.recent,
                gathered.lists,
                gathered.sources,
                model,
                VocabularySettings(size=size),
                step,
            )
            step("writing")
            table.save(out)
    except CrosswordError as error:
        console.print(f"[red]error:[/red] {error}")
        raise typer.Exit(2) from None
    except KeyboardInterrupt:
        console.print("stopped; no vocabulary was written (a phrase model that was, is kept)")
        raise typer.Exit(130) from None
    console.print(
        f"{len(table):,} answers, {len(answers.counts):,} of them seen, in {out} "
        f"({out.stat().st_size / 1e6:.1f} MB)"
    )


if __name__ == "__main__":
    typer.run(main)
