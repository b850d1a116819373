"""The phrase model on a dozen words that can be checked by eye."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crossword.errors import ModelError, PatternError
from crossword.phrases import PhraseModel

WORDS = ("A", "I", "IT", "ON", "CAN", "THE", "TOP", "HURT", "CANT", "STOP", "ROOF", "TOPS")
PAIRS = {
    ("IT", "CANT"): 0.5,
    ("CANT", "HURT"): 0.6,
    ("CANT", "STOP"): 0.2,
    ("ROOF", "TOP"): 0.5,
    ("ROOF", "TOPS"): 0.3,
    ("ON", "THE"): 0.8,
    ("THE", "ROOF"): 0.2,
}


def tiny() -> PhraseModel:
    n = len(WORDS)
    flat = np.full(n, np.log(1 / n), np.float32)
    rows, columns, logs = [0], [], []
    for first in WORDS:
        row = {WORDS.index(b): p for (a, b), p in PAIRS.items() if a == first}
        columns += sorted(row)
        logs += [np.log(row[c] / 2) for c in sorted(row)]
        rows.append(len(columns))
    letters = np.full((27, 27, 27, 27), np.log(1 / 27), np.float32)
    return PhraseModel(
        WORDS,
        flat,
        flat,
        np.full(n, np.log(0.05), np.float32),
        np.full(n, np.log(0.5), np.float32),
        np.array(rows, np.int32),
        np.array(columns, np.int32),
        np.array(logs, np.float32),
        letters,
    )


MODEL = tiny()


def test_cuts_an_answer_into_its_likeliest_words() -> None:
    found = MODEL.segment(["ITCANTHURT", "ONTHEROOF", "ROOFTOPS", "XYZ"])
    assert found == [("IT", "CANT", "HURT"), ("ON", "THE", "ROOF"), ("ROOF", "TOPS"), ()]


def test_prefers_a_known_pair_to_a_longer_chain() -> None:
    # CANT STOP beats CAN, T... and ROOF TOP + S has no S to end with.
    assert MODEL.segment(["CANTSTOP"]) == [("CANT", "STOP")]


def test_log_prob_ranks_phrases_above_noise_of_the_same_length() -> None:
    phrase, swapped, noise = MODEL.log_prob(["ITCANTHURT", "HURTCANTIT", "XQZJKWVXQZ"])
    assert phrase > swapped > noise
    assert np.isfinite(noise)


def test_log_prob_of_a_pair_is_its_product() -> None:
    expected = np.log(0.9) + np.log(1 / 12) + np.log(0.5 / 2) + np.log(0.5)
    # The letter model's share is small but there.
    assert MODEL.log_prob(["ROOFTOP"])[0] == pytest.approx(expected, abs=1e-3)


def test_composes_what_fits_the_pattern_best_first() -> None:
    found = MODEL.compose("I.C..T....")
    assert found[0].answer == "ITCANTHURT"
    assert found[0].words == ("IT", "CANT", "HURT")
    assert "ITCANTSTOP" in {p.answer for p in found}
    assert [p.log_prob for p in found] == sorted((p.log_prob for p in found), reverse=True)


def test_composes_without_any_letter_known() -> None:
    answers = [p.answer for p in MODEL.compose("." * 8, limit=50)]
    assert answers[0] in {"ROOFTOPS", "CANTHURT"}
    assert {"ROOFTOPS", "CANTHURT", "CANTSTOP"} <= set(answers)
    assert len(set(answers)) == len(answers)


def test_a_pattern_that_no_word_fits_gives_nothing() -> None:
    assert MODEL.compose("QQQQ") == []


def test_letter_probabilities_sway_the_order() -> None:
    letters = np.full((8, 26), np.log(1 / 26))
    letters[4:] = np.log(0.1 / 25)
    for place, letter in enumerate("STOP"):
        letters[4 + place, ord(letter) - 65] = np.log(0.9)
    assert MODEL.compose(letter_log_probs=letters)[0].answer == "CANTSTOP"
    both = MODEL.compose("....H...", letter_log_probs=letters)
    assert both[0].answer == "CANTHURT"


def test_phrase_score_is_what_log_prob_says_without_the_letter_model() -> None:
    for phrase in MODEL.compose("." * 7, limit=30):
        score, _ = MODEL.segment_ids([phrase.answer])
        assert phrase.log_prob == pytest.approx(float(score[0]), abs=1e-4)


@settings(max_examples=40, deadline=None)
@given(st.text(alphabet="AINORTHESUCPF.", min_size=1, max_size=12))
def test_every_composed_answer_fits_its_pattern(pattern: str) -> None:
    for phrase in MODEL.compose(pattern, limit=20):
        assert len(phrase.answer) == len(pattern)
        assert all(s in (".", c) for s, c in zip(pattern, phrase.answer, strict=True))
        assert "".join(phrase.words) == phrase.answer


def test_refuses_what_is_no_pattern() -> None:
    for wrong in ("", "ab.", "A B", "." * 100):
        with pytest.raises(PatternError):
            MODEL.compose(wrong)
    with pytest.raises(PatternError):
        MODEL.compose()
    with pytest.raises(PatternError):
        MODEL.compose("...", letter_log_probs=np.zeros((2, 26)))
    with pytest.raises(PatternError):
        MODEL.log_prob(["lower"])
    assert MODEL.log_prob([]).shape == (0,)
    assert MODEL.segment([]) == []


def test_a_saved_model_says_the_same(tmp_path: Path) -> None:
    path = tmp_path / "phrases.npz"
    MODEL.save(path)
    again = PhraseModel.read(path)
    assert again.words == MODEL.words
    assert np.array_equal(again.columns, MODEL.columns)
    words = ["ITCANTHURT", "ROOFTOP", "QQQ"]
    assert again.log_prob(words) == pytest.approx(MODEL.log_prob(words), abs=0.4)
    assert not list(tmp_path.glob("*.part"))


def test_a_damaged_or_missing_model_is_refused_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "phrases.npz"
    with pytest.raises(ModelError, match="no phrase model"):
        PhraseModel.read(path)
    MODEL.save(path)
    path.write_bytes(path.read_bytes()[:-400])
    with pytest.raises(ModelError):
        PhraseModel.read(path)
    path.write_text("nothing of the kind")
    with pytest.raises(ModelError):
        PhraseModel.read(path)
