"""The network that weighs evidence: honest sums, what it learns, and when the pool stands in."""

from __future__ import annotations

import math
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from crossword.artifacts import ModelFolder
from crossword.errors import ModelError
from crossword.guessers import evidence, hybrid, ranker
from crossword.guessers.encoder import EncoderGuesser
from crossword.guessers.evidence import Witnesses, places_among
from crossword.guessers.hybrid import HybridGuesser
from crossword.guessers.ranker import Network, RankedGuesser
from crossword.guessers.selection import highest
from crossword.types import Query
from crossword.vocabulary import words_of
from tests.corpus import CLUES
from train import hybrid as training
from train import ranker as fitting

HELD = [(clue, answer) for answer, clues in CLUES.items() for clue in clues]


@pytest.fixture(scope="module")
def model(tiny_model: ModelFolder, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The tiny model with a network of its own."""
    folder = tmp_path_factory.mktemp("ranked") / "model"
    shutil.copytree(tiny_model.path, folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fitting, "FEW", 1)
        training.calibrate(folder / "hybrid", HELD)
    yield folder


@pytest.fixture(scope="module")
def guesser(model: Path) -> RankedGuesser:
    made = hybrid.open_part(model / "hybrid")
    assert isinstance(made, RankedGuesser)
    return made


def test_probabilities_still_add_up_to_one(guesser: RankedGuesser) -> None:
    queries = [Query(clue, "." * len(answer)) for clue, answer in HELD[:20]]
    for found in [*guesser.distributions(queries), *guesser.distributions(queries[:1])]:
        total = np.exp(found.log_probs.astype(np.float64)).sum() + math.exp(found.log_unknown)
        assert total == pytest.approx(1, abs=1e-3)


def test_it_begins_as_the_first_guesser_and_learns_from_there(
    model: Path, guesser: RankedGuesser
) -> None:
    first, others = hybrid.witnesses(hybrid.assemble(model)) or pytest.fail("nobody to hear")
    queries = [Query(clue, "." * len(answer)) for clue, answer in HELD]

    def loss(joint: RankedGuesser | EncoderGuesser) -> float:
        told = joint.distributions(queries)
        own = [
            one.log_probs[one.words.find(answer) or 0]
            for one, (_, answer) in zip(told, HELD, strict=True)
        ]
        return -float(np.mean(own))

    quiet = Network(
        {**guesser.network.weights, "out": guesser.network.weights["out"] * 0,
         "rest_out": guesser.network.weights["rest_out"] * 0},
        guesser.network.members,
    )  # fmt: skip
    start, learned = loss(RankedGuesser(first, others, quiet)), loss(guesser)
    assert start == pytest.approx(loss(first), abs=0.02)
    assert learned < start


def test_a_clue_of_an_unknown_length_leaves_all_to_the_unknown(guesser: RankedGuesser) -> None:
    (found,) = guesser.distributions([Query("Whatever", "." * 55)])
    assert len(found.words) == 0 and found.log_unknown == 0.0


def test_what_repeats_the_clue_stays_out(guesser: RankedGuesser) -> None:
    (found,) = guesser.distributions([Query("A dog", "...")])
    assert math.exp(found.log_probs[found.words.find("DOG") or 0]) < 1e-20


def test_without_one_of_its_members_the_pool_stands_in(model: Path, tmp_path: Path) -> None:
    folder = tmp_path / "less"
    shutil.copytree(model, folder)
    shutil.rmtree(folder / "sentence")
    assert isinstance(hybrid.open_part(folder / "hybrid"), HybridGuesser)


def test_a_damaged_network_is_refused(model: Path, tmp_path: Path) -> None:
    folder = tmp_path / "damaged"
    shutil.copytree(model, folder)
    (folder / "hybrid" / ranker.FILE).write_bytes(b"\x00" * 50)
    with pytest.raises(ModelError, match="can't be read"):
        hybrid.open_part(folder / "hybrid")


def test_few_clues_make_a_pool(tiny_model: ModelFolder) -> None:
    assert not (tiny_model.part("hybrid") / ranker.FILE).exists()


def test_the_evidence_knows_blanks_and_endings(guesser: RankedGuesser) -> None:
    witnesses = Witnesses(guesser.first, guesser.others)
    ((one, found),) = witnesses.hear([Query("Runs", "....")])
    assert found is not None and found.rows.shape[1] == evidence.width(len(guesser.others))
    plural = [one.words[place].endswith("S") for place in found.places.tolist()]
    assert found.rows[:, 9].astype(bool).tolist() == plural
    assert np.all(np.diff(found.log_probs) <= 0)


def test_places_among_other_words() -> None:
    some, others = words_of(["ANT", "CAT", "DOG"]), words_of(["AAA", "CAT", "DOG", "ZOO"])
    assert places_among(some, others).tolist() == [-1, 1, 2]


@pytest.mark.parametrize("size", [1, 400, 3_000, 60_000])
def test_the_highest_are_those_of_sorting(size: int) -> None:
    values = np.random.default_rng(size).standard_normal(size).astype(np.float32)
    assert highest(values, 300).tolist() == np.sort(np.argsort(-values)[:300]).tolist()
    same = np.zeros(size, dtype=np.float32)
    assert len(highest(same, 300)) == min(size, 300)
