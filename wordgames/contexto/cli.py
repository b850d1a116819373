"""The commands of `wordgames contexto`. Thin: each calls the library and shows what it gave."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from wordgames.contexto import judge as judging
from wordgames.contexto import knowledge, playing, simulating, vectors
from wordgames.contexto.client import ENDPOINT, ContextoClient
from wordgames.contexto.knowledge import Model
from wordgames.contexto.simulating import Outcome
from wordgames.contexto.solver import DISTANCE_OFFSET, STRATEGIES, new_solver
from wordgames.errors import DataError, InputError
from wordgames.plots import distribution_table, save_distribution
from wordgames.simulation import checked_jobs, write_json
from wordgames.terminal import (
    INTERRUPTED,
    JobsOption,
    JsonOption,
    checked_outputs,
    console_beside,
)

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    help="Contexto: find the hidden word from ranks of meaning; rank 1 is the word. "
    f"Strategies: {', '.join(STRATEGIES.names())}.",
)

OWN = "learned"
LAST_KNOWN_GAME = 1500  # `auto --random` draws from games 1 to here; the game adds one a day

StrategyOption = Annotated[
    str, typer.Option("--strategy", help=f"One of: {', '.join(STRATEGIES.names())}.")
]
VectorsOption = Annotated[
    str,
    typer.Option(
        "--vectors",
        metavar="NAME|FILE|FOLDER",
        help=f"What the solver knows: {OWN} (ships with it), {vectors.GLOVE_50}, your own file "
        "in word2vec or GloVe text, or a folder that `contexto train` wrote.",
    ),
]
OffsetOption = Annotated[
    float,
    typer.Option("--distance-offset", help="halving: how much a rule may be broken (0 to 2)."),
]
MaxOption = Annotated[int, typer.Option("--max-guesses", min=1, help="Give up after so many.")]


@app.command("play", epilog="Example: wordgames contexto play --history music=812,dog=57")
def play_command(
    strategy: StrategyOption = "bayes",
    vectors_name: VectorsOption = OWN,
    max_guesses: MaxOption = 300,
    distance_offset: OffsetOption = DISTANCE_OFFSET,
    history: Annotated[
        str, typer.Option(metavar="WORD=RANK,…", help="Guesses already made, to go on from.")
    ] = "",
) -> None:
    """It proposes words; you try them in the game and type the ranks."""
    playing.play(
        Console(),
        _model(vectors_name),
        strategy=strategy,
        distance_offset=distance_offset,
        max_guesses=max_guesses,
        history=_history(history),
    )


@app.command("simulate")
def simulate_command(
    count: Annotated[int, typer.Option("-n", "--count", min=1, help="Games to play.")] = 100,
    games: Annotated[
        Path | None,
        typer.Option(
            "--games",
            metavar="FILE",
            help='Real games, a line each: {"game": 1, "ranked": {"words": \\[target, …]}}. '
            "Without it targets are drawn from everyday nouns.",
        ),
    ] = None,
    first: Annotated[int, typer.Option("--first", help="Skip games numbered below.")] = 0,
    strategy: StrategyOption = "bayes",
    vectors_name: VectorsOption = OWN,
    judge: Annotated[
        str,
        typer.Option(
            metavar="NAME|FILE",
            help="Vectors that rank words beyond the games' lists; not those of the solver.",
        ),
    ] = vectors.GLOVE_50,
    max_guesses: MaxOption = simulating.MAX_GUESSES,
    distance_offset: OffsetOption = DISTANCE_OFFSET,
    seed: Annotated[int, typer.Option("--seed", min=0, help="For drawn targets.")] = 0,
    jobs: JobsOption = 1,
    json: JsonOption = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="Draw the distribution.")
    ] = None,
) -> None:
    """Play many games against an honest judge: real ranks, and other vectors beyond them.

    Ctrl-C stops and reports the games played so far.
    """
    if judge == vectors_name:
        raise InputError("judge and solver must not use the same vectors; change --judge")
    jobs = checked_jobs(jobs)
    checked_outputs(json, plot=plot)
    model = _model(vectors_name)
    listed = [] if games is None else judging.read_games(games)
    listed = [game for game in listed if game.number >= first][:count]
    if games is not None and not listed:
        raise InputError(f"{games} has no game numbered {first} or above")
    judge_vectors = vectors.load(judge, judging.judge_words(listed, model.words))
    if games is None:
        listed = judging.made_up_games(judge_vectors, count, seed)
    run = simulating.simulate(
        listed,
        judging.Judge(judge_vectors),
        model,
        strategy=strategy,
        max_guesses=max_guesses,
        distance_offset=distance_offset,
        jobs=jobs,
    )
    _report(run.results, len(listed), strategy, json, plot)
    if not run.complete:
        raise typer.Exit(INTERRUPTED)


@app.command("auto", epilog="Example: wordgames contexto auto 501 502 --delay 2")
def auto_command(
    games: Annotated[
        list[int] | None, typer.Argument(metavar="GAME…", help="Game numbers.")
    ] = None,
    random: Annotated[
        int | None, typer.Option("--random", min=1, metavar="N", help="Play N games at random.")
    ] = None,
    last: Annotated[int, typer.Option(min=1, help="Newest game --random may draw.")] = (
        LAST_KNOWN_GAME
    ),
    endpoint: Annotated[
        str, typer.Option(help="Where GAME/WORD is asked.", envvar="CONTEXTO_ENDPOINT")
    ] = ENDPOINT,
    delay: Annotated[float, typer.Option(min=0.0, help="Seconds between requests.")] = 1.0,
    timeout: Annotated[float, typer.Option(min=0.1, help="Seconds to wait for an answer.")] = 10.0,
    retries: Annotated[int, typer.Option(min=0, max=10, help="More tries for a request.")] = 3,
    strategy: StrategyOption = "bayes",
    vectors_name: VectorsOption = OWN,
    max_guesses: MaxOption = 300,
    distance_offset: OffsetOption = DISTANCE_OFFSET,
    seed: Annotated[int | None, typer.Option("--seed", min=0, help="For --random.")] = None,
    json: JsonOption = None,
) -> None:
    """Play real games over the network, politely: one request at a time, with a pause."""
    numbers = list(games or [])
    if random is not None:
        rng = np.random.default_rng(seed)
        numbers += [int(n) for n in rng.choice(last, min(random, last), replace=False) + 1]
    if not numbers:
        raise InputError("name a game, as in: auto 501; or draw some: auto --random 3")
    console = console_beside(json)
    checked_outputs(json)
    client = ContextoClient(endpoint, delay_seconds=delay, timeout_seconds=timeout, retries=retries)
    model = _model(vectors_name)
    outcomes: list[Outcome] = []
    problem: DataError | None = None
    try:
        for number in numbers:
            outcomes.append(
                _played(console, client, model, number, strategy, max_guesses, distance_offset)
            )
    except KeyboardInterrupt:
        console.print()  # below the ^C; the report says how many games count
    except DataError as error:
        problem = error  # what was played before the network failed still counts
    if outcomes or problem is None:
        _report(outcomes, len(numbers), strategy, json, None)
    if problem is not None:
        raise problem
    if len(outcomes) < len(numbers):
        raise typer.Exit(INTERRUPTED)


@app.command("train")
def train_command(
    games: Annotated[Path, typer.Option("--games", metavar="FILE", help="Real games.")],
    vectors_file: Annotated[
        str, typer.Option("--vectors", metavar="FILE", help="GloVe in 100 dimensions.")
    ],
    out: Annotated[Path, typer.Option("--out", metavar="FOLDER", help="Where to write.")],
    last: Annotated[int, typer.Option(help="The last game to learn from.")] = 500,
    judge: Annotated[str, typer.Option(help="Vectors of the judge.")] = vectors.GLOVE_50,
) -> None:
    """Make the solver's model anew from games 1 to LAST; see docs/contexto.md."""
    from wordgames.contexto import training, vocabulary

    logging.getLogger("wordgames").setLevel(logging.INFO)
    known = [game for game in judging.read_games(games) if game.number <= last]
    words = {*(word for game in known for word in game.words), *vocabulary.noun_lemmas()}
    judge_vectors = vectors.load(judge, judging.judge_words(known, sorted(words)))
    model = training.train(known, vectors.load(vectors_file, words), judging.Judge(judge_vectors))
    knowledge.save(model, out)
    Console().print(f"{len(model.words):,} words in {out}")


def _model(name: str) -> Model:
    if name == OWN:
        return knowledge.shipped()
    folder = Path(name)
    return knowledge.read(folder) if folder.is_dir() else knowledge.from_vectors(vectors.load(name))


def _history(text: str) -> list[tuple[str, int]]:
    pairs = []
    for part in filter(None, text.split(",")):
        word, equals, rank = part.partition("=")
        if not equals:
            raise InputError(f"--history {part!r}: write WORD=RANK, as in music=812,dog=57")
        pairs.append((word, playing.parse_rank(rank.strip())))
    return pairs


def _played(
    console: Console,
    client: ContextoClient,
    model: Model,
    number: int,
    strategy: str,
    max_guesses: int,
    distance_offset: float,
) -> Outcome:
    def rank_of(word: str) -> tuple[str, int] | None:
        reply = client.rank(number, word)
        shown = "unknown" if reply is None else f"{reply[1]:,}"
        console.print(f"  {number}: {escape(word)} → {shown}", highlight=False)
        return reply

    solver = new_solver(strategy, model=model, distance_offset=distance_offset)
    outcome = simulating.play(solver, rank_of, game=number, max_guesses=max_guesses)
    last = outcome.guesses[-1][0] if outcome.guesses else ""
    verdict = f"found [bold]{escape(last)}[/bold]" if outcome.found else "not found"
    console.print(f"Game {number}: {verdict} after {outcome.count} guesses.")
    return outcome


def _report(
    outcomes: list[Outcome], planned: int, strategy: str, json: Path | None, plot: Path | None
) -> None:
    console = console_beside(json)
    if len(outcomes) < planned:
        console.print(f"Stopped: {len(outcomes):,} of {planned:,} games count.")
    if not outcomes:
        raise typer.Exit(INTERRUPTED)
    figures: dict[str, Any] = simulating.summary(outcomes)
    table = Table(title=f"Contexto, {strategy}", title_justify="left")
    for name in ("games", "median", "mean", "over 100", "failures", "worst"):
        table.add_column(name, justify="right")
    mean, over = figures["mean"], figures["over_100"]
    table.add_row(
        f"{figures['games']:,}",
        "–" if figures["median"] is None else f"{figures['median']:g}",
        "–" if mean is None else f"{mean:.1f}",
        f"{100 * over:.1f} %",
        f"{figures['failures']}",
        f"{figures['worst'] or '–'}",
    )
    bands = _bands(figures["distribution"])
    # Files first: a reader that goes away (| head) must not cost the result.
    if json is not None:
        details = [
            {"game": o.game, "target": o.target, "found": o.found, "guesses": o.count}
            for o in outcomes
        ]
        write_json(json, {"strategy": strategy, **figures, "results": details})
    if plot is not None:
        save_distribution(plot, {strategy: bands}, title="Contexto: guesses a game")
    console.print(table)
    if len(outcomes) > 1:
        console.print(distribution_table(bands, title="guesses up to"))


def _bands(distribution: dict[int, int], width: int = 5) -> dict[int, int]:
    """Games by guesses, in bands named by their upper end."""
    bands: dict[int, int] = {}
    for guesses, games in distribution.items():
        band = -(-guesses // width) * width
        bands[band] = bands.get(band, 0) + games
    return bands
