"""Wordle on the terminal: coloured tiles and the tables of each command."""

from __future__ import annotations

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from wordgames import terminal
from wordgames.plots import distribution_table
from wordgames.replies import digits
from wordgames.wordle.evaluation import Evaluation
from wordgames.wordle.game import Wordle
from wordgames.wordle.openers import Opener
from wordgames.wordle.review import Review
from wordgames.wordle.suggestions import Advice, Suggestion

_SHOWN = 60  # remaining words listed before "and more"


def tiles(game: Wordle, word: str, pattern: int, *, narrow: bool = False) -> Text:
    """A guess as coloured tiles, letter by letter of its alphabet."""
    letters = game.vocabulary.alphabet.split(word)
    return terminal.tiles(letters, digits(pattern, len(letters)), narrow=narrow)


def suggestions_table(suggestions: Sequence[Suggestion]) -> Table:
    table = Table(title="Next guesses", title_justify="left", box=SIMPLE_HEAD)
    table.add_column("guess", no_wrap=True)
    for column in ("expected left", "worst left", "replies", "bits", "guesses to go"):
        table.add_column(column, justify="right")
    table.add_column("may be it")
    for entry in suggestions:
        to_go = entry.expected_guesses
        table.add_row(
            entry.word,
            f"{entry.expected_remaining:.2f}",
            str(entry.worst_remaining),
            str(entry.replies),
            f"{entry.bits:.2f}",
            "" if to_go is None else f"{to_go:.3f}",
            "yes" if entry.may_be_answer else "",
        )
    return table


def show_advice(console: Console, advice: Advice) -> None:
    for number, remaining in enumerate(advice.boards, 1):
        board = f"Board {number}: " if len(advice.boards) > 1 else ""
        noun = "word remains" if len(remaining) == 1 else "words remain"
        listed = ", ".join(remaining[:_SHOWN])
        more = f", and {len(remaining) - _SHOWN:,} more" if len(remaining) > _SHOWN else ""
        console.print(f"[bold]{board}{len(remaining):,} {noun}:[/bold] {listed}{more}")
    if advice.suggestions:
        console.print(suggestions_table(advice.suggestions))
    else:
        console.print("Solved.")


def evaluations_table(evaluations: Sequence[Evaluation]) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("strategy", overflow="fold")
    for column in ("total", "average", "worst"):
        table.add_column(column, justify="right", no_wrap=True)
    turns = sorted({turn for entry in evaluations for turn in entry.summary.distribution})
    for turn in turns:
        table.add_column(str(turn), justify="right", no_wrap=True)
    for entry in evaluations:
        summary = entry.summary
        counts = [f"{summary.distribution.get(turn, 0):,}" for turn in turns]
        average = f"{summary.average:.4f}" if entry.turns else "-"
        name = entry.name if entry.complete else f"{entry.name} (interrupted)"
        table.add_row(name, f"{summary.total:,}", average, str(summary.worst), *counts)
    return table


def show_evaluations(console: Console, evaluations: Sequence[Evaluation]) -> None:
    console.print(evaluations_table(evaluations))
    if len(evaluations) == 1:
        console.print(distribution_table(evaluations[0].summary.distribution))
    for entry in evaluations:
        if not entry.complete:
            console.print(
                f"[yellow]{entry.name}: interrupted after {len(entry.turns):,} of "
                f"{entry.planned:,} games; these figures are of the games played.[/yellow]"
            )
        if entry.over_limit:
            shown = ", ".join(entry.over_limit[:10])
            more = ", …" if len(entry.over_limit) > 10 else ""
            console.print(
                f"{entry.name}: {len(entry.over_limit)} took more than {entry.limit} guesses: "
                f"{shown}{more}"
            )


def openers_table(openers: Sequence[Opener], total: int) -> Table:
    table = Table(
        title=f"First words ({len(openers):,} of {total:,})", title_justify="left", box=SIMPLE_HEAD
    )
    table.add_column("word")
    for column in ("mean left", "max left", "replies", "bits"):
        table.add_column(column, justify="right")
    table.add_column("may be it")
    for entry in openers:
        table.add_row(
            entry.word,
            f"{entry.mean:.2f}",
            str(entry.max),
            str(entry.replies),
            f"{entry.bits:.2f}",
            "yes" if entry.may_be_answer else "",
        )
    return table


def show_review(console: Console, game: Wordle, review: Review) -> None:
    table = Table(box=None, pad_edge=False, collapse_padding=True)  # narrow enough for 80 columns
    table.add_column("guess", no_wrap=True)
    table.add_column("reply", no_wrap=True)
    for column in ("before", "expected", "worst", "left"):
        table.add_column(column, justify="right", no_wrap=True)
    table.add_column("best", no_wrap=True)
    for column in ("expected", "worst", "skill", "luck"):
        table.add_column(column, justify="right", no_wrap=True)
    for turn in review.turns:
        pattern = int(turn.reply, 3)
        solved = pattern == game.all_green
        table.add_row(
            tiles(game, turn.guess.word, pattern, narrow=True),
            turn.reply,
            f"{turn.before:,}",
            f"{turn.guess.expected_remaining:.2f}",
            str(turn.guess.worst_remaining),
            "solved" if solved else f"{turn.remained:,}",
            turn.best.word,
            f"{turn.best.expected_remaining:.2f}",
            str(turn.best.worst_remaining),
            f"{turn.skill:.0f}",
            f"{turn.luck:.0f}",
        )
    console.print(table)
    console.print("before, left: words possible before and after; expected, worst: of those left.")
    console.print(
        f"Skill {review.skill:.0f} of 100 (100: no better guess existed), "
        f"luck {review.luck:.0f} of 100 (50 is ordinary)."
    )
    console.print("[bold]Best path from the start[/bold]")
    for step in review.best_path:
        line = tiles(game, step.word, int(step.reply, 3))
        left = "solved" if set(step.reply) == {"2"} else f"{step.remained:,} left"
        console.print(line.append(f"  {step.reply}  {left}", ""))
