"""The command-line options that Wordle's commands share, and the game they describe.

A command that plays a game takes it as its first argument, `game`, and is decorated with
`on_a_game`, which puts the options that describe it (list, alphabet, rule …) in its place.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Annotated, Any

import typer

from wordgames.errors import InputError
from wordgames.wordle.game import Wordle
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


def described_game(
    alphabet: AlphabetOption = "english",
    words: WordsOption = None,
    answers: AnswersOption = None,
    length: LengthOption = None,
    encoding: EncodingOption = "utf-8",
    rule: RuleOption = "standard",
    hard: HardOption = False,
) -> Wordle:
    """The game these options describe."""
    return Wordle(chosen(alphabet, words, answers, length, encoding), rule=rule, hard=hard)


def on_a_game(*, without: tuple[str, ...] = ()) -> Callable[[Callable[..., None]], Any]:
    """Gives a command the options of `described_game` in place of its argument `game`."""

    def decorated(command: Callable[..., None]) -> Callable[..., None]:
        described = inspect.signature(described_game, eval_str=True).parameters
        options = {name: option for name, option in described.items() if name not in without}
        signature = inspect.signature(command, eval_str=True)
        own = [argument for name, argument in signature.parameters.items() if name != "game"]

        @wraps(command)
        def run(**given: Any) -> None:
            game = described_game(**{name: given.pop(name) for name in options})
            command(game=game, **given)

        # Typer reads both; by keyword only, so that the order of defaults does not matter.
        parameters = [
            argument.replace(kind=inspect.Parameter.KEYWORD_ONLY)
            for argument in (*own, *options.values())
        ]
        run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {argument.name: argument.annotation for argument in parameters}
        return run

    return decorated


def parse_guess(text: str) -> tuple[str, list[str]]:
    """`soare=00110` as the word and its replies (one a board, with commas)."""
    word, equals, replies = text.rpartition("=")
    if not equals or not word.strip():
        raise InputError(f"--guess {text!r}: write WORD=REPLY, for example soare=00110")
    return word.strip(), [reply.strip() for reply in replies.split(",")]
