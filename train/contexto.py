"""Trains Word2Vec vectors for Contexto: skip-gram (gensim) on clues, dictionaries, any text.

    python -m train.contexto --corpus archive.zip --sources CACHE --text FILE --out vectors.txt
    wordgames contexto simulate --vectors vectors.txt --games games.jsonl.gz --first 501

Words are taken to their lemmas, as Contexto does, and those that wordfreq hardly knows are left
out. A clue and its answer make one sentence; a text is cut at blank lines. What is written is one
vector a word: no clue can be read from it. The sentences lie in a temporary file meanwhile.
"""

from __future__ import annotations

import argparse
import gzip
import re
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from rich.console import Console

from crossword.errors import CrosswordError, DataError
from crossword.text import fold
from data.corpus import columns, load_corpus
from train.settings import add_flags, resolve
from train.sources import SOURCES, texts
from wordgames.contexto.vocabulary import common_words, lemma

_WORD = re.compile(r"[a-z]{2,24}")
_LONGEST = 10_000  # words that gensim takes in a sentence
_WRAPPED = 120  # characters; a longer line is a paragraph of its own
_FUNCTION_WORDS = 100  # the most frequent of English: they tell nothing of meaning
MAX_BYTES = 2**30


@dataclass(frozen=True)
class Settings:
    """Chosen by hand; nothing was tuned on games."""

    dimensions: int = 100
    window: int = field(default=5, metadata={"help": "words on each side that are foretold"})
    epochs: int = 3
    min_count: int = 5
    negative: int = 5
    workers: int = field(default=1, metadata={"help": "1 gives the same vectors every time"})
    seed: int = 1


@cache
def _kept() -> frozenset[str]:
    """Everyday words that are not function words, as they are written."""
    return frozenset(common_words()[_FUNCTION_WORDS:])


@cache
def _lemma(word: str) -> str:
    return lemma(word)


def sentence(text: str) -> list[str]:
    """The lemmas of a text's everyday words."""
    return [_lemma(word) for word in _WORD.findall(fold(text).lower()) if word in _kept()]


def clue_sentences(paths: Sequence[Path], console: Console | None = None) -> Iterator[list[str]]:
    """Each different clue of the puzzles with its answer."""
    if paths:
        clues, answers = columns(load_corpus(paths, console=console).dataset, "clue", "answer")
        for clue, answer in dict.fromkeys(zip(clues, answers, strict=True)):
            yield sentence(f"{clue} {answer}")


def text_sentences(path: Path) -> Iterator[list[str]]:
    """The paragraphs of a text file, plain or gzipped (a dictionary of dictd's is)."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise DataError(f"{path} is larger than {MAX_BYTES >> 30} GB")
        with path.open("rb") as file:
            packed = file.read(2) == b"\x1f\x8b"
        lines: list[str] = []
        with (gzip.open if packed else open)(
            path, "rt", encoding="utf-8", errors="replace"
        ) as file:
            for line in file:
                lines.append(line)
                if not line.strip() or len(line) > _WRAPPED:
                    yield sentence(" ".join(lines))
                    lines = []
        yield sentence(" ".join(lines))
    except (OSError, EOFError) as error:
        raise DataError(f"cannot read {path}: {error}") from None


def source_sentences(cache: Path) -> Iterator[list[str]]:
    """The running texts and glosses among the packages of `train.sources`."""
    for one in SOURCES:
        for text in texts(one, cache):
            yield sentence(text)


def train(sentences: Iterable[list[str]], out: Path, settings: Settings) -> int:
    """Writes the vectors as word2vec text; the number of words."""
    from gensim.models import Word2Vec

    with tempfile.TemporaryDirectory() as folder:
        lines = Path(folder) / "sentences.txt"
        with lines.open("w", encoding="utf-8") as file:
            for words in sentences:
                for start in range(0, len(words), _LONGEST):
                    file.write(" ".join(words[start : start + _LONGEST]) + "\n")
        try:
            model = Word2Vec(
                corpus_file=str(lines),
                vector_size=settings.dimensions,
                window=settings.window,
                epochs=settings.epochs,
                min_count=settings.min_count,
                negative=settings.negative,
                sg=1,
                sample=1e-4,
                workers=settings.workers,
                seed=settings.seed,
            )
        except RuntimeError as error:  # gensim's word for «no word occurs often enough»
            raise DataError(f"too little text to train on: {error}") from None
    # All vectors share a direction that says nothing of meaning. Without it the words that a game
    # ranks 2 to 50 lie at 121 instead of 199 in the middle (every sixth of games 1 to 500).
    model.wv.vectors -= model.wv.vectors.mean(axis=0)
    part = out.with_name(out.name + ".part")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        model.wv.save_word2vec_format(str(part))
        part.replace(out)
    except OSError as error:
        raise DataError(f"cannot write {out}: {error}") from None
    return len(model.wv.index_to_key)


def main(arguments: Sequence[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m train.contexto", description="Word2Vec vectors for Contexto."
    )
    parser.add_argument("--corpus", nargs="*", type=Path, default=[], help="puzzles with clues")
    parser.add_argument(
        "--text", nargs="*", type=Path, default=[], help="text files, plain or gzipped"
    )
    parser.add_argument(
        "--sources", type=Path, help="the cache that `python -m train.sources fetch` filled"
    )
    parser.add_argument("--out", type=Path, required=True, help="where the vectors go")
    add_flags(parser, Settings)
    given = vars(parser.parse_args(arguments))
    corpus, files, sources, out = (given.pop(key) for key in ("corpus", "text", "sources", "out"))
    console = Console(stderr=True)
    try:
        if not (corpus or files or sources):
            raise DataError("name something to read: --corpus, --text or --sources")

        def sentences() -> Iterator[list[str]]:
            yield from clue_sentences(corpus, console)
            for path in files:
                console.print(f"reading {path}", highlight=False)
                yield from text_sentences(path)
            if sources:
                console.print(f"reading the texts in {sources}", highlight=False)
                yield from source_sentences(sources)
            console.print("training")

        count = train(sentences(), out, resolve(Settings, given))
    except CrosswordError as error:
        raise SystemExit(f"Error: {error}") from None
    console.print(f"{count:,} words in {out}", highlight=False)


if __name__ == "__main__":
    main()
