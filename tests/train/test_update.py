"""Adding puzzles to a trained model: the new is found, the old is as it was, twice over."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from crossword.artifacts import ModelFolder
from crossword.cli import run as crossword
from crossword.errors import ModelError
from crossword.evaluation.seen import SEEN_FILE, SeenPairs
from crossword.formats import dump
from crossword.loading import open_guesser
from crossword.puzzle import Puzzle, parse
from crossword.types import Query
from tests.corpus import CLUES
from train.update import run

# A tiny tower of random weights hardly reads, and codes learned from sixty clues hardly tell others
# apart, so that `transformer` and `sentence` are tested by themselves.
PARTS = ("tfidf", "word2vec", "encoder", "hybrid")
# YAK, ZEBRA and CASTLE are new answers, CAT an old one with a new clue. Every clue has an old word:
# of new words alone, word2vec has no vector.
NEWS = [
    {"YAK": "Shaggy pet of the mountains", "CAT": "Leash hater that purrs"},
    {
        "ZEBRA": "Striped star",
        "CASTLE": "Home with a drawbridge",
        "YAK": "Tibetan bearer in snow",
    },
]


def corpus(path: Path, words: dict[str, str]) -> Path:
    width = max(map(len, words))
    drawing = f"\n{'#' * width}\n".join(word.ljust(width, "#") for word in words)
    plain = parse(drawing, solved=True)
    clues = {slot.name: words[plain.answer(slot.name) or ""] for slot in plain.slots}
    puzzle = Puzzle(plain.grid, clues, solution=plain.solution, date="2022-03-01")
    path.write_bytes(dump(puzzle, "ipuz").data)
    return path


@pytest.fixture(scope="module")
def updated(tiny_model: ModelFolder, tmp_path_factory: pytest.TempPathFactory) -> list[ModelFolder]:
    """The tiny model, added to once, and once more."""
    folder = tmp_path_factory.mktemp("updates")
    models = [tiny_model]
    for i, words in enumerate(NEWS):
        file = corpus(folder / f"news-{i}.ipuz", words)
        out, cache = folder / f"m{i}", folder / "cache"
        models.append(run(models[-1].path, [file], out, cache=cache, console=Console(quiet=True)))
    return models


def best(model: ModelFolder, part: str, clue: str, length: int) -> str:
    (guesses,) = open_guesser(part, model.path).guess([Query(clue, "." * length)], 1)
    return guesses[0].answer


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("times", [1, 2])
def test_the_new_pairs_are_found(updated: list[ModelFolder], part: str, times: int) -> None:
    for words in NEWS[:times]:
        for answer, clue in words.items():
            assert best(updated[times], part, clue, len(answer)) == answer


@pytest.mark.parametrize("part", [*PARTS, "transformer"])
def test_the_old_answers_are_the_same(updated: list[ModelFolder], part: str) -> None:
    queries = [Query(c, "." * len(a)) for a, clues in CLUES.items() for c in clues]
    before, after = (
        [one[0].answer for one in open_guesser(part, updated[i].path).guess(queries, 1)]
        for i in (0, 2)
    )
    assert before == after


def test_what_was_learned_is_kept_to_the_byte(updated: list[ModelFolder]) -> None:
    for name in ("encoder/clues.safetensors", "encoder/history.npz", "encoder/calibration.json",
                 "word2vec/vectors.npy", "hybrid/calibration.json"):  # fmt: skip
        old, new = ((updated[i].path / name).read_bytes() for i in (0, 2))
        assert old == new, name


def test_new_answers_are_counted_by_ngram(updated: list[ModelFolder]) -> None:
    (guesses,) = open_guesser("ngram", updated[2].path).guess([Query("Any", "Y.K")], 3)
    assert guesses[0].answer == "YAK"


def test_the_manifest_tells_of_each_update(updated: list[ModelFolder]) -> None:
    model = ModelFolder.open(updated[2].path)
    assert [update["clues"] for update in model.manifest.data["updates"]] == [2, 3]
    before, after = ({**one.manifest.figures} for one in (updated[0], model))
    before["word2vec"], after["word2vec"] = (
        {key: value for key, value in one["word2vec"].items() if key != "index"}
        for one in (before, after)
    )
    assert before == after
    assert ("Tibetan bearer in snow", "YAK") in SeenPairs.load(model.path / SEEN_FILE)


def test_the_manifest_tells_of_the_index_as_it_is_now(updated: list[ModelFolder]) -> None:
    before, after = (
        ModelFolder.open(updated[i].path).manifest.figures["word2vec"]["index"] for i in (0, 2)
    )
    assert after["3"]["rows"] == before["3"]["rows"] + 3  # YAK twice and CAT
    assert after["5"]["rows"] == before.get("5", {"rows": 0})["rows"] + 1
    assert all(record["recall"] == 1 for record in after.values())  # exact: there are few
    assert json.loads((updated[2].part("word2vec") / "index.json").read_text()) == after


def test_the_same_puzzle_again_adds_no_row(updated: list[ModelFolder], tmp_path: Path) -> None:
    file = corpus(tmp_path / "again.ipuz", NEWS[0])
    again = run(
        updated[1].path, [file], tmp_path / "m", cache=tmp_path / "c", console=Console(quiet=True)
    )
    for part in ("tfidf", "word2vec"):
        rows = [np.load(model.part(part) / "row-counts.npy") for model in (updated[1], again)]
        assert len(rows[0]) == len(rows[1])


def test_the_command_says_what_does_not_go_together(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--corpus", "x", "--out", "y", "--update", "z", "--only", "tfidf"]
    assert crossword(["train", *options]) == 2
    assert "leave those out" in capsys.readouterr().err


def test_a_model_is_never_written_over(tiny_model: ModelFolder, tmp_path: Path) -> None:
    file = corpus(tmp_path / "news.ipuz", NEWS[0])
    with pytest.raises(ModelError, match="there already"):
        run(tiny_model.path, [file], tiny_model.path, console=Console(quiet=True))
