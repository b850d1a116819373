"""The commands of `wordgames wordpl`. Thin: each calls the library and shows what it gave."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from wordgames.errors import InputError
from wordgames.simulation import checked_jobs, write_json
from wordgames.terminal import (
    INTERRUPTED,
    JobsOption,
    JsonOption,
    checked_outputs,
    console_beside,
    fresh_seed,
)
from wordgames.wordpl import evaluation, playing
from wordgames.wordpl.evaluation import Percentile, Result
from wordgames.wordpl.game import Game
from wordgames.wordpl.strategies import REGISTRY

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    help="WORDPL: Wordle whose clues are randomised. You choose a budget ε for every question; "
    "each of its five clues is kept with probability e^(ε/5)/(2+e^(ε/5)). The score is the ε you "
    "spent in all, infinite if your answer is wrong.",
)

_NAMES = ", ".join(REGISTRY.names())
_SPEC_HELP = (
    f"A shipped strategy ({_NAMES}), with arguments if you like: 'n-guess((13, 13, 10))'; "
    "or your own class: path.py:Class(args). Its file is run as Python code."
)

GamesOption = Annotated[int, typer.Option("--games", "-n", min=1, help="Games a strategy.")]
SeedOption = Annotated[
    int | None,
    typer.Option(
        "--seed", min=0, help="The same seed gives the same games. Default: a fresh one, shown."
    ),
]
CsvOption = Annotated[
    Path | None, typer.Option("--csv", metavar="FILE", help="Write a row a strategy.")
]
GamesCsvOption = Annotated[
    Path | None, typer.Option("--games-csv", metavar="FILE", help="Write a row a game, with moves.")
]
PlotOption = Annotated[
    Path | None,
    typer.Option("--plot", metavar="FILE", help="Draw the games won within each total (PNG, SVG)."),
]


@app.command(
    "evaluate", epilog="Example: wordgames wordpl evaluate best-50 --strategy mine.py:Mine(12.5)"
)
def evaluate_command(
    strategies: Annotated[
        list[str] | None, typer.Argument(metavar="STRATEGY…", help=_SPEC_HELP)
    ] = None,
    strategy: Annotated[
        list[str] | None,
        typer.Option("--strategy", metavar="SPEC", help="The same, as an option; repeat it."),
    ] = None,
    games: GamesOption = 10_000,
    seed: SeedOption = None,
    jobs: JobsOption = 0,
    json: JsonOption = None,
    csv: CsvOption = None,
    games_csv: GamesCsvOption = None,
    plot: PlotOption = None,
) -> None:
    """Play many games: 5th, 50th and 95th percentile of the score, and the win rate by total.

    Ctrl-C stops and reports the games played so far.
    """
    specs = [*(strategies or []), *(strategy or [])]
    if not specs:
        raise InputError(f"name a strategy: {_NAMES}, or path.py:Class(args)")
    _evaluate(specs, games, seed, jobs, json, csv, games_csv, plot)


@app.command("leaderboard")
def leaderboard_command(
    games: GamesOption = 1_000,
    seed: SeedOption = None,
    jobs: JobsOption = 0,
    json: JsonOption = None,
    csv: CsvOption = None,
    plot: PlotOption = None,
) -> None:
    """Evaluate every shipped strategy with its default arguments, side by side."""
    _evaluate(REGISTRY.names(), games, seed, jobs, json, csv, None, plot)


@app.command("play")
def play_command(
    seed: Annotated[
        int | None, typer.Option("--seed", min=0, help="Replay the same word and luck.")
    ] = None,
) -> None:
    """Play WORDPL yourself: ask `word ε`, propose with `word` alone, `?` shows what is likely."""
    playing.play(Console(), seed=seed)


def _evaluate(
    specs: Sequence[str],
    games: int,
    seed: int | None,
    jobs: int,
    json: Path | None,
    csv: Path | None,
    games_csv: Path | None,
    plot: Path | None,
) -> None:
    console = console_beside(json)
    checked_outputs(json, csv, games_csv, plot=plot)
    if seed is None:
        seed = fresh_seed()
    jobs = checked_jobs(jobs)
    results: list[Result] = []
    played: list[tuple[str, list[Game]]] = []
    for spec in specs:
        result, games_played = evaluation.evaluate(spec, games=games, seed=seed, jobs=jobs)
        if games_played:
            results.append(result)
            played.append((result.strategy, games_played))
        if result.games < result.planned:
            console.print(f"Stopped: {result.games:,} of {result.planned:,} games count.")
            break
    if not results:
        raise typer.Exit(INTERRUPTED)
    # Files first: a reader that goes away (| head) must not cost the result.
    if json is not None:
        record = {"seed": seed, "strategies": [result.as_json() for result in results]}
        # One strategy alone: its figures also at the top, where a script looks first.
        write_json(json, {**results[0].as_json(), **record} if len(results) == 1 else record)
    if csv is not None:
        evaluation.write_csv(csv, results)
    if games_csv is not None:
        evaluation.write_games_csv(games_csv, played)
    if plot is not None:
        evaluation.save_plot(plot, results)
    console.print(_table(results, seed))
    for result in results:
        _show_details(console, result)
    if results[-1].games < results[-1].planned or len(results) < len(specs):
        raise typer.Exit(INTERRUPTED)


def _table(results: Sequence[Result], seed: int) -> Table:
    title = f"WORDPL, {results[0].games:,} games, seed {seed}; in brackets the 95 % interval"
    table = Table(title=title, title_justify="left")
    table.add_column("strategy", overflow="fold")
    for percent in evaluation.PERCENTILES:
        table.add_column(f"{percent}th", justify="right", overflow="fold")
    table.add_column("won", justify="right")
    table.add_column("ms a game (CPU)", justify="right")
    for result in results:
        table.add_row(
            escape(result.strategy),
            *(_figure(p) for p in result.percentiles),
            f"{100 * result.win_rate:.2f} %",
            f"{1000 * result.seconds_per_game:.1f} ({1000 * result.cpu_seconds_per_game:.1f})",
        )
    return table


def _figure(p: Percentile) -> str:
    def text(value: float) -> str:
        return f"{value:.2f}" if math.isfinite(value) else "∞"

    spread = f" [{text(p.low)}–{text(p.high)}]"
    return text(p.score) + (spread if p.low != p.high else "")


def _show_details(console: Console, result: Result) -> None:
    if len(result.totals) <= 3:
        for total, games, won in result.totals:
            console.print(
                f"{escape(result.strategy)}: {won:,} of {games:,} won at {total:g} "
                f"({100 * won / games:.2f} %)"
            )
    else:
        curve = evaluation.won_within(result)
        # A dozen points of a long curve are enough for the eye; JSON and the plot have all.
        step = max(1, len(curve) // 12)
        picked = [*curve[:-1:step], curve[-1]]
        points = ", ".join(f"{100 * share:.0f} % by {total:g}" for total, share in picked)
        console.print(f"{escape(result.strategy)} won {points}")
    for reason, count in list(result.losses.items())[:5]:
        console.print(f"  lost {count:,}: {escape(reason)}", highlight=False)
