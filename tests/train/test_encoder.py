"""Training the encoder: it learns, it resumes to the same result, it codes faithfully."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from crossword.errors import ModelError
from crossword.guessers.encoder import EncoderGuesser, open_part
from crossword.guessers.merger import Merger
from crossword.guessers.tables import COUNTS, Encoder
from crossword.types import Query
from tests.corpus import CLUES
from train.coding import quantise
from train.encoder import (
    FEW,
    Settings,
    Trainer,
    build,
    checkpoints_of,
    steps,
)
from train.knowledge import knowledge_pairs
from train.material import gather, lexicon_for
from train.merger import fit_merger
from train.pairs import Pairs
from train.segmentation import segment

SETTINGS = Settings(size=32, passes=12, batch=64, negatives=8, clue_bytes=16, seen_bytes=16,
                    new_bytes=8)  # fmt: skip


def pairs() -> Pairs:
    rows = [(clue, answer) for answer, clues in CLUES.items() for clue in clues]
    return Pairs([c for c, _ in rows], [a for _, a in rows], [1] * len(rows))


def trainer(settings: Settings = SETTINGS) -> Trainer:
    console = Console(quiet=True)
    return Trainer(gather(pairs(), lexicon_for(pairs(), settings), settings, console), settings)


def test_the_loss_falls() -> None:
    made = trainer()
    losses = [made.run(turn, batch) for turn, batch in steps(made)]
    tenth = len(losses) // 10
    assert np.mean(losses[-tenth:]) < 0.5 * np.mean(losses[:tenth])


def test_mined_negatives_are_the_likeliest_wrong_answers() -> None:
    made = trainer()
    for turn, batch in steps(made):
        made.run(turn, batch)
    lexicon = list(lexicon_for(pairs(), SETTINGS).vocabulary)
    cat = lexicon.index("CAT")
    clue = made.answer_vectors()[[cat]]  # as near to CAT as a clue can be
    mined = made._mistaken(clue, np.array([cat]), np.random.default_rng(0))
    cosines = made.answer_vectors() @ clue[0]
    others = [i for i, word in enumerate(lexicon) if len(word) == 3 and i != cat]
    likeliest = sorted(others, key=lambda i: -cosines[i])[:FEW]
    assert len(mined) == 1 and mined[0] in likeliest


@pytest.mark.parametrize("hard", [0, 6])
def test_a_killed_run_goes_on_to_the_same_result(tmp_path: Path, hard: int) -> None:
    own = replace(SETTINGS, hard=hard)
    whole, broken = trainer(own), trainer(own)
    for turn, batch in steps(whole):
        whole.run(turn, batch)
    settings = replace(own, checkpoints=str(tmp_path))
    checkpoints = checkpoints_of(settings, broken.material)
    for turn, batch in steps(broken):
        broken.run(turn, batch)
        if broken.step == 9:
            checkpoints.save(broken.state())
        if broken.step == 13:
            break  # as if killed here: what came after the checkpoint is lost
    resumed = trainer(own)
    state = checkpoints.load()
    assert state is not None
    resumed.restore(state)
    assert resumed.step == 9
    for turn, batch in steps(resumed):
        resumed.run(turn, batch)
    assert np.array_equal(resumed.clues, whole.clues)
    assert np.array_equal(resumed.answers, whole.answers)
    assert np.array_equal(resumed.log_scale, whole.log_scale)


def test_the_trained_part_answers_new_clues_and_says_why(tmp_path: Path) -> None:
    build(pairs(), tmp_path, SETTINGS)
    Merger(unknown=(-5.0,) * 16).save(tmp_path)
    guesser = open_part(tmp_path)
    ((first, *_),) = guesser.guess([Query("Purring animal at home", "...")], 5)
    assert first.answer == "CAT"
    ((seen, *_),) = guesser.guess([Query("Purring pet", "...")], 5)
    assert seen.answer == "CAT" and "1×" in seen.evidence[0]


def test_rare_features_have_a_table_of_their_own(tmp_path: Path) -> None:
    build(pairs(), tmp_path, replace(SETTINGS, common_rows=20, rare_bytes=8))
    common, rare = Encoder.read(tmp_path).features
    assert len(common.keys) == len(common.rows) == 20 < len(rare.keys) == len(rare.rows)
    assert not np.isin(rare.keys, common.keys).any()
    assert common.rows.codes.shape[1] == 16 and rare.rows.codes.shape[1] == 8


def test_no_clue_text_is_in_the_part(tmp_path: Path) -> None:
    build(pairs(), tmp_path, SETTINGS)
    for path in tmp_path.iterdir():
        assert b"urring" not in path.read_bytes(), path.name


def test_the_merger_learns_to_trust_the_history(tmp_path: Path) -> None:
    build(pairs(), tmp_path, SETTINGS)
    encoder = Encoder.read(tmp_path)
    held = [(clue, answer) for answer, clues in CLUES.items() for clue in clues]
    fitted = fit_merger(encoder, [*held, ("Nobody knows", "ZZZ")])
    assert fitted.fitted_on == len(held) + 1
    assert fitted.exact[0] > 0


def test_an_answer_that_was_used_lately_is_likelier(tmp_path: Path) -> None:
    some = pairs()
    lately = [40.0 if answer == "DOG" else 0.1 for answer in some.answers]
    build(replace(some, recent=lately), tmp_path, SETTINGS)
    encoder, asked = Encoder.read(tmp_path), [Query("Something else altogether", "...")]

    def chance(merger: Merger) -> float:
        (found,) = EncoderGuesser(encoder, merger).distributions(asked)
        return float(found.log_probs[found.words.position["DOG"]])

    assert chance(Merger(recent=(0.5,) * 16)) > chance(Merger()) + 0.1


def test_a_part_of_before_recent_uses_were_kept_still_opens(tmp_path: Path) -> None:
    build(pairs(), tmp_path, SETTINGS)
    with np.load(tmp_path / COUNTS) as stored:
        counts = stored["counts"]
    np.savez_compressed(tmp_path / COUNTS, counts=counts)
    assert not Encoder.read(tmp_path).recent.any()
    np.savez_compressed(tmp_path / COUNTS, counts=counts, recent=np.zeros(3, np.float16))
    with pytest.raises(ModelError, match="fit together"):
        Encoder.read(tmp_path)


@pytest.mark.parametrize("count", [40, 2000])
def test_codes_are_near_the_vectors(count: int) -> None:
    vectors = np.random.default_rng(0).standard_normal((count, 32)).astype(np.float32)
    codes = quantise(vectors, 16, 0)
    error = ((codes.decode(np.arange(count)) - vectors) ** 2).mean()
    assert error < 0.1 * (vectors**2).mean()


def test_answers_fall_into_words() -> None:
    assert segment("LETITGO") == ("LET", "IT", "GO")
    assert segment("HOUSE") == ()
    assert segment("XQZWVK") == ()


def test_without_packages_there_is_no_knowledge(tmp_path: Path) -> None:
    assert knowledge_pairs(tmp_path, {"CAT"}) == []
