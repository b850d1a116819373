"""Training end to end, in seconds, on puzzles of our own."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from crossword.artifacts import MANIFEST, ModelFolder
from crossword.errors import CrosswordError, DataError, ModelError, UnknownNameError
from crossword.evaluation.seen import SEEN_FILE, SeenPairs
from crossword.guessers.neighbours import ClueMemory
from tests.corpus import CLUES, write_corpus
from train.command import PARTS, main, run

QUIET = Console(quiet=True)


def test_every_part_is_trained_and_the_manifest_tells_all(
    tiny_model: ModelFolder, tiny_corpus: Path
) -> None:
    manifest = tiny_model.manifest
    assert list(tiny_model.parts) == list(PARTS)
    assert set(manifest.settings) == {"run", *PARTS}
    assert manifest.settings["tfidf"] == {"min_df": 2, "reverse": True}
    assert len(manifest.data["sha256"][tiny_corpus.name]) == 64
    assert manifest.data["clues"] == 180
    for name in ("tfidf", "word2vec", "hybrid"):
        assert manifest.figures[name]["top5"] > 0.5, "little is learnt of clues this plain"
    assert not any(file.endswith((".pkl", ".pickle")) for file in manifest.files)


def test_no_clue_text_is_in_the_files(tiny_model: ModelFolder) -> None:
    whole = b"".join(file.read_bytes() for file in tiny_model.path.rglob("*") if file.is_file())
    assert b"NOTEBOOK" in whole
    for clues in CLUES.values():
        for clue in clues:
            assert len(clue.split()) < 3 or clue.encode() not in whole


def test_evaluation_can_tell_seen_pairs_from_new(tiny_model: ModelFolder) -> None:
    seen = SeenPairs.load(tiny_model.path / SEEN_FILE)
    told = [(clue, answer) in seen for answer, clues in CLUES.items() for clue in clues]
    assert sum(told) > len(told) / 2
    assert ("Never seen", "CAT") not in seen


def test_the_same_corpus_gives_the_same_model(tiny_corpus: Path, tmp_path: Path) -> None:
    parts = "tfidf,word2vec,ngram,hybrid"
    for name in ("one", "two"):
        run([tiny_corpus], tmp_path / name, only=parts, cache=tmp_path / "cache", console=QUIET)
    one, two = (ModelFolder.open(tmp_path / name).manifest for name in ("one", "two"))
    assert one == two


def test_only_what_is_asked_for_is_trained(tiny_corpus: Path, tmp_path: Path) -> None:
    made = run(
        [tiny_corpus], tmp_path / "m", only="ngram, tfidf", cache=tmp_path / "c", console=QUIET
    )
    assert made.parts == ("tfidf", "ngram")


def test_a_split_is_kept_out_of_the_model(tiny_corpus: Path, tmp_path: Path) -> None:
    def rows(name: str, **options: str) -> int:
        made = run(
            [tiny_corpus],
            tmp_path / name,
            only="tfidf",
            settings={"tfidf": {"reverse": False}},
            cache=tmp_path / "cache",
            console=QUIET,
            **options,  # type: ignore[arg-type]
        )
        counts = np.load(made.part("tfidf") / "row-counts.npy")
        assert len(ClueMemory.load(made.part("tfidf"))) == len(counts)
        return int(counts.sum())

    assert rows("all") == 180
    assert rows("even", split="even-odd") == 90
    assert rows("until", until="2022-01-11") == 60


def test_nothing_is_written_over(tiny_model: ModelFolder, tiny_corpus: Path) -> None:
    before = (tiny_model.path / MANIFEST).read_bytes()
    with pytest.raises(ModelError, match="there already"):
        run([tiny_corpus], tiny_model.path, console=QUIET)
    assert (tiny_model.path / MANIFEST).read_bytes() == before


def test_a_failure_leaves_nothing_behind(
    tiny_corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("train.ngram.calibrate", broken)
    models = tmp_path / "models"
    with pytest.raises(KeyboardInterrupt):
        run([tiny_corpus], models / "m", only="ngram", cache=tmp_path / "cache", console=QUIET)
    assert list(models.iterdir()) == []


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"only": "tfidf,magic"}, "no part of a model called 'magic'"),
        ({"settings": {"tfidf": {"colour": 1}}}, "no setting tfidf.colour"),
        ({"only": "tfidf", "settings": {"ngram": {}}}, "ngram, which isn't trained"),
        ({"split": "sideways"}, "no split called"),
        ({"settings": {"run": {"heldout_share": "2"}}}, "between 0 and 1"),
        ({"settings": {"word2vec": {"weighting": "magic"}}}, "no weighting"),
    ],
)
def test_nonsense_is_refused_before_anything_is_trained(
    tiny_corpus: Path, tmp_path: Path, options: dict[str, object], told: str
) -> None:
    with pytest.raises(CrosswordError, match=told):
        run(
            [tiny_corpus],
            tmp_path / "models" / "m",
            cache=tmp_path / "cache",
            console=QUIET,
            **options,  # type: ignore[arg-type]
        )
    assert not (tmp_path / "models").exists()


def test_a_corpus_that_is_too_small_is_refused(tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path / "c.jsonl", count=2)
    with pytest.raises(DataError, match="too small"):
        run([corpus], tmp_path / "m", cache=tmp_path / "cache", console=QUIET)


def test_a_part_s_script_runs_alone_with_its_flags(tiny_corpus: Path, tmp_path: Path) -> None:
    common = ["--corpus", str(tiny_corpus), "--cache", str(tmp_path / "cache")]
    main("tfidf", [*common, "--out", str(tmp_path / "m"), "--no-reverse", "--min-df", "3"])
    manifest = json.loads((tmp_path / "m" / MANIFEST).read_text())
    assert manifest["settings"]["tfidf"] == {"min_df": 3, "reverse": False}


def test_an_error_is_one_line_and_exits_with_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(None, ["--corpus", str(tmp_path / "nowhere"), "--out", str(tmp_path / "m")])
    assert caught.value.code == 2
    assert "there is no corpus" in capsys.readouterr().err


def test_an_unknown_part_lists_the_known_ones(tiny_corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="language, ngram, sentence, tfidf, transformer"):
        run([tiny_corpus], tmp_path / "m", only=["nothing"], console=QUIET)
