"""The command-line options that Wordle's commands share, and the game they describe."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from wordgames.errors import InputError
from wordgames.wordle.game import TURNS, Wordle
from wordgames.words import chosen

_WORDS = "Words and rules"

AlphabetOption = Annotated[
    str,
    typer.Option(
        "--alphabet",
        help="english, gitksan, gitksan-long, hungarian, croatian, welsh, or your FILE.toml.",
        rich_help_panel=_WORDS,
    ),
]
WordsOption = Annotated[
    Path | None,
    typer.Option(
        "--words",
        metavar="FILE",
        help="Words that may be guessed, one a line (hunspell .dic works too). Default: the "
        "classic Wordle lists; English of another --length from wordfreq.",
        rich_help_panel=_WORDS,
    ),
]
AnswersOption = Annotated[
    Path | None,
    typer.Option(
        "--answers",
        metavar="FILE",
        help="Words that may be the answer. Default: all of --words.",
        rich_help_panel=_WORDS,
    ),
]
LengthOption = Annotated[
    int | None,
    typer.Option(
        "--length",
        help="Letters in a word, counted in letters of the alphabet.",
        rich_help_panel=_WORDS,
    ),
]
EncodingOption = Annotated[
    str,
    typer.Option("--encoding", help="Encoding of word files.", rich_help_panel=_WORDS),
]
RuleOption = Annotated[
    str,
    typer.Option(
        "--rule",
        help="standard: yellow while unmatched copies remain. naive: yellow wherever the letter "
        "occurs.",
        rich_help_panel=_WORDS,
    ),
]
HardOption = Annotated[
    bool,
    typer.Option(
        "--hard",
        help="Hard mode: greens stay, every yellow is used.",
        rich_help_panel=_WORDS,
    ),
]
JsonOption = Annotated[
    Path | None,
    typer.Option("--json", metavar="FILE", help="Write the result as JSON (- for the terminal)."),
]
JobsOption = Annotated[int, typer.Option("--jobs", help="Processes to use; 0 means one a core.")]


def described_game(
    alphabet: str,
    words: Path | None,
    answers: Path | None,
    length: int | None,
    encoding: str,
    rule: str,
    hard: bool,
) -> Wordle:
    """The game these options describe."""
    return Wordle(
        chosen(alphabet, words, answers, length, encoding), rule=rule, hard=hard, turns=TURNS
    )


def parse_guess(text: str) -> tuple[str, list[str]]:
    """`soare=00110` as the word and its replies (one a board, with commas)."""
    word, equals, replies = text.rpartition("=")
    if not equals or not word.strip():
        raise InputError(f"--guess {text!r}: write WORD=REPLY, for example soare=00110")
    return word.strip(), [reply.strip() for reply in replies.split(",")]
