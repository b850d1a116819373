"""Word2Vec for Contexto: lemmas in, vectors that the games can read out."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from crossword.errors import DataError
from train.contexto import Settings, main, sentence, text_sentences, train
from wordgames.contexto.vectors import load

TINY = Settings(dimensions=8, epochs=2, min_count=1)


def test_words_become_lemmas_and_function_words_go() -> None:
    assert sentence("The DOGS were barking at the cats’ houses, 7 times") == [
        "dog", "bark", "cat", "house", "time",
    ]  # fmt: skip


def test_a_text_is_cut_at_blank_lines_plain_or_gzipped(tmp_path: Path) -> None:
    text = "a green apple\nand a pear\n\nred wine\n"
    plain, packed = tmp_path / "a.txt", tmp_path / "a.dict.dz"
    plain.write_text(text)
    packed.write_bytes(gzip.compress(text.encode()))
    expected = [["green", "apple", "pear"], ["red", "wine"]]
    assert list(text_sentences(plain)) == list(text_sentences(packed)) == expected


def test_vectors_are_written_as_the_games_read_them(tmp_path: Path) -> None:
    out = tmp_path / "vectors.txt"
    count = train([["apple", "pear"], ["apple", "wine"]] * 20, out, TINY)
    vectors = load(str(out))
    assert set(vectors.words) == {"apple", "pear", "wine"} and count == 3
    assert vectors.matrix.shape == (3, 8)
    numbers = [[float(n) for n in line.split()[1:]] for line in out.read_text().splitlines()[1:]]
    assert [sum(column) for column in zip(*numbers, strict=True)] == pytest.approx(
        [0.0] * 8, abs=1e-6
    )
    assert not list(tmp_path.glob("*.part"))


def test_too_little_text_and_no_text_are_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(DataError, match="too little text"):
        train([], tmp_path / "vectors.txt", TINY)
    with pytest.raises(SystemExit, match="name something to read"):
        main(["--out", str(tmp_path / "vectors.txt")])
    with pytest.raises(SystemExit, match="cannot read"):
        main(["--out", str(tmp_path / "vectors.txt"), "--text", str(tmp_path / "missing")])
