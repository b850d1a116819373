"""WORDPL for a person at the terminal. Ctrl-C or the end of input leaves and tells the word."""

from __future__ import annotations

import math

import numpy as np
from rich.console import Console

from wordgames.errors import InputError
from wordgames.terminal import asked, fresh_seed, tiles
from wordgames.wordpl.belief import Belief, board
from wordgames.wordpl.game import SIGNS, keep_probability, parse_clues, randomised, true_clues
from wordgames.wordpl.strategies import SHANNON

_HINT_EPSILON = 13.0
_HELP = (
    "Ask: word and ε, as [b]salet 13[/b]. Propose the answer: the word alone. "
    "[b]?[/b] shows what is likely, Ctrl-C ends."
)


def play(console: Console, *, seed: int | None = None) -> None:
    """The program hides a word; the player asks and proposes."""
    rng = np.random.default_rng(fresh_seed() if seed is None else seed)
    words = board().words
    answer = words.answer_words[int(rng.integers(len(words.answers)))]
    belief, total = Belief(), 0.0
    console.print(f"A five-letter word. {_HELP}")
    while True:
        typed = asked(console, f"[dim]total {total:g}[/dim] > ")
        if typed is None:
            console.print(f"The word was [bold]{answer}[/bold].")
            return
        if typed == "?":
            _hint(console, belief)
            continue
        try:
            guess, epsilon = parse_move(typed)
        except InputError as error:
            console.print(str(error), style="yellow", markup=False)
            continue
        if epsilon == 0.0:
            won = guess == answer
            verdict = f"[green]Yes![/green] Your score is {total:g}."
            console.print(verdict if won else f"[red]No[/red], it was [bold]{answer}[/bold]: ∞.")
            return
        total += epsilon
        result = randomised(true_clues(guess, answer), epsilon, rng)
        belief = belief.after(words.index(guess), epsilon, parse_clues(result))
        keep = 100 * keep_probability(epsilon)
        colours = [SIGNS.index(sign) for sign in result]
        console.print(tiles(guess, colours), f" {result}  each clue true with {keep:.0f} %")


def parse_move(typed: str) -> tuple[str, float]:
    """A typed move: `word ε`, or `word` (ε = 0) for the answer."""
    parts = typed.split()
    if len(parts) not in (1, 2):
        raise InputError("type a word and ε, as salet 13; or the word alone to propose it")
    word = parts[0]
    board().words.index(word)
    if len(parts) == 1:
        return word, 0.0
    try:
        epsilon = float(parts[1])
    except ValueError:
        raise InputError(f"ε must be a number, not {parts[1]!r}") from None
    if not 0.0 <= epsilon < math.inf:
        raise InputError(f"ε must be 0 or more and finite, not {parts[1]}")
    return word, epsilon


def _hint(console: Console, belief: Belief) -> None:
    for word, probability in belief.likeliest(5):
        console.print(f"  {word} {100 * probability:.1f} %", highlight=False)
    guess = belief.board.words.words[belief.best_guess(_HINT_EPSILON, SHANNON)]
    console.print(f"  a telling question at ε = {_HINT_EPSILON:g}: [bold]{guess}[/bold]")
