"""Wordle to play: you guess the program's word, or it guesses yours. Ctrl-C or an empty end of
input leaves the game and says what the word was."""

from __future__ import annotations

import numpy as np
from rich.console import Console

from wordgames.errors import InputError
from wordgames.replies import parse_reply, reply_text
from wordgames.terminal import asked
from wordgames.wordle.game import Position, Wordle
from wordgames.wordle.rendering import show_advice, tiles
from wordgames.wordle.strategies import STRATEGIES, RankedGuess
from wordgames.wordle.suggestions import suggest

_ASKS_FOR_HINT = "?"
_WORD_REFUSED = "n"


def you_guess(console: Console, game: Wordle, *, seed: int | None = None) -> None:
    """The program hides a word; the player guesses."""
    words = game.vocabulary
    answer = int(np.random.default_rng(seed).integers(len(words.answers)))
    position = game.start()
    console.print(
        f"A word of {words.length} letters, {game.turns} guesses. "
        f"{_ASKS_FOR_HINT} gives a hint, Ctrl-C ends."
    )
    while position.turn < game.turns:
        typed = _asked(console, f"{position.turn + 1}> ")
        if typed is None:
            break
        if typed == _ASKS_FOR_HINT:
            show_advice(console, suggest(game, _typed_history(game, position), count=5))
            continue
        try:
            guess = game.checked_guess(position, typed)
        except InputError as error:
            console.print(str(error), style="yellow", markup=False)
            continue
        pattern = game.reply(guess, answer)
        position = game.after(position, guess, pattern)
        left = len(position.remaining)
        console.print(tiles(game, words.words[guess], pattern), f" {left:,} possible")
        if pattern == game.all_green:
            console.print(f"Found in {position.turn}.", style="green")
            return
    console.print(f"The word was [bold]{words.answer_words[answer]}[/bold].")


def it_guesses(console: Console, game: Wordle, *, strategy_name: str = "lookahead") -> None:
    """The player thinks of a word; the program guesses and asks for the replies."""
    strategy = STRATEGIES.create(strategy_name, game)
    words = game.vocabulary
    position = game.start()
    refused: list[int] = []
    console.print(
        f"Think of a word of {words.length} letters. Type each reply as digits: 0 grey, 1 yellow, "
        f"2 green; {_WORD_REFUSED} if your game refuses the word."
    )
    guess = strategy.choose(position)
    while True:
        console.print(f"{position.turn + 1}. [bold]{words.words[guess].upper()}[/bold]")
        typed = _asked(console, "reply> ")
        if typed is None:
            return
        if typed == _WORD_REFUSED:
            refused.append(guess)
            guess = _next_choice(strategy.ranked(position, len(refused) + 1), refused)
            continue
        try:
            pattern = parse_reply(typed, words.length)
            history = [*_typed_history(game, position), (words.words[guess], typed)]
            position = game.replay(history)
        except InputError as error:
            console.print(str(error), style="yellow", markup=False)
            continue
        console.print(tiles(game, words.words[guess], pattern))
        if pattern == game.all_green:
            console.print(f"Found in {position.turn}.", style="green")
            return
        console.print(f"{len(position.remaining):,} possible")
        guess = strategy.choose(position)


def _next_choice(ranked: list[RankedGuess], refused: list[int]) -> int:
    for entry in ranked:
        if entry.guess not in refused:
            return entry.guess
    raise InputError("no other word is left to guess")


def _typed_history(game: Wordle, position: Position) -> list[tuple[str, str]]:
    words = game.vocabulary
    return [
        (words.words[guess], reply_text(pattern, words.length))
        for guess, pattern in position.history
    ]


def _asked(console: Console, prompt: str) -> str | None:
    """What the player types; an empty line asks again."""
    typed: str | None = ""
    while typed == "":
        typed = asked(console, prompt)
    return typed
