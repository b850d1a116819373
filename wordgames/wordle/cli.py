"""The commands of `wordgames wordle`. Thin: each builds a game, calls the library, shows."""

from __future__ import annotations

import contextlib
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from wordgames.errors import InputError
from wordgames.plots import save_distribution
from wordgames.simulation import checked_jobs, write_json
from wordgames.terminal import (
    INTERRUPTED,
    JobsOption,
    JsonOption,
    checked_outputs,
    console_beside,
)
from wordgames.wordle import play as playing
from wordgames.wordle import rendering
from wordgames.wordle.boards import EXTRA_TURNS, checked_boards, simulate_boards
from wordgames.wordle.evaluation import Evaluation, evaluate
from wordgames.wordle.game import Wordle
from wordgames.wordle.openers import openers
from wordgames.wordle.options import on_a_game, parse_guess
from wordgames.wordle.review import review
from wordgames.wordle.score import parse_threshold_map
from wordgames.wordle.strategies import STRATEGIES, WordleStrategy
from wordgames.wordle.suggestions import suggest, suggest_for_boards

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    help="Wordle: any word list, any length, any alphabet, normal and hard mode, two reply "
    "rules, several boards. Replies are digits: 0 grey, 1 yellow, 2 green.",
)

_STRATEGY_HELP = "One of: " + ", ".join(STRATEGIES.names()) + "."


@app.command(
    "suggest",
    epilog="Example: wordgames wordle suggest --guess soare=00110 --guess clint=00101",
)
@on_a_game()
def suggest_command(
    game: Wordle,
    guess: Annotated[
        list[str] | None,
        typer.Option(
            "--guess",
            metavar="WORD=REPLY",
            help="A guess made and its reply, as soare=00110; repeat in order. For several "
            "boards one reply each: soare=00110,02000 (- for a solved board).",
        ),
    ] = None,
    strategy: Annotated[
        str, typer.Option(help=_STRATEGY_HELP + " Default: lookahead, mean while much remains.")
    ] = "",
    count: Annotated[int, typer.Option("--count", "-n", min=1, help="Guesses to show.")] = 10,
    json_file: JsonOption = None,
) -> None:
    """The next guesses, what they are expected to leave, and the words that remain."""
    history = [parse_guess(text) for text in guess or []]
    boards = len(history[0][1]) if history else 1
    if boards > 1:
        if strategy:
            raise InputError("--strategy goes with one board; several are played by their bits")
        advice = suggest_for_boards(game, history, boards, count=count)
    else:
        for word, replies in history:
            if len(replies) != 1:
                raise InputError(f"{word!r} has {len(replies)} replies, the first guess had one")
        flat = [(word, replies[0]) for word, replies in history]
        advice = suggest(game, flat, strategy=strategy, count=count)
    if json_file:
        write_json(json_file, asdict(advice))
    rendering.show_advice(console_beside(json_file), advice)


@app.command("play")
@on_a_game()
def play_command(
    game: Wordle,
    reverse: Annotated[
        bool, typer.Option("--reverse", help="Think of a word yourself and let it guess.")
    ] = False,
    strategy: Annotated[str, typer.Option(help=_STRATEGY_HELP + " For --reverse.")] = "lookahead",
    seed: Annotated[
        int | None, typer.Option(min=0, help="The same seed hides the same word.")
    ] = None,
) -> None:
    """Play: guess its word (? for a hint), or with --reverse it guesses yours."""
    console = Console()
    if reverse:
        playing.it_guesses(console, game, strategy_name=strategy)
    else:
        playing.you_guess(console, game, seed=seed)


@app.command(
    "evaluate",
    epilog="Example: wordgames wordle evaluate --strategy score --threshold-map 3 "
    "--threshold-map 0:5,2:3 --plot maps.png",
)
@on_a_game()
def evaluate_command(
    game: Wordle,
    strategy: Annotated[
        list[str] | None,
        typer.Option(help=_STRATEGY_HELP + " Repeat to compare. Default: lookahead."),
    ] = None,
    threshold_map: Annotated[
        list[str] | None,
        typer.Option(
            help="For score and learned: guess among the answers when fewer than this remain; "
            "one number, or TURN:NUMBER pairs (0:3,1:4). Repeat to compare maps."
        ),
    ] = None,
    start: Annotated[str | None, typer.Option(metavar="WORD", help="The first guess.")] = None,
    top_k: Annotated[
        int | None, typer.Option(min=1, help="For lookahead: guesses searched at each step.")
    ] = None,
    boards: Annotated[int, typer.Option(help="Boards at once, on random games.")] = 1,
    games: Annotated[int, typer.Option(min=1, help="Random games, with --boards.")] = 200,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the random games.")] = 0,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Save the distribution (png or svg).")
    ] = None,
    jobs: JobsOption = 1,
    json_file: JsonOption = None,
) -> None:
    """A strategy against every answer: distribution, average, worst. Ctrl-C keeps what is done."""
    checked_jobs(jobs)
    checked_outputs(json_file, plot=plot)
    console = console_beside(json_file)
    evaluations: list[Evaluation] = []
    if checked_boards(game, boards) > 1:
        if strategy or threshold_map or top_k is not None:
            raise InputError(
                "--strategy, --threshold-map and --top-k go with one board; several are played by "
                "their bits"
            )
        evaluations.append(_evaluated_boards(game, boards, games, seed, start, jobs))
    else:
        for name, player in _players(game, strategy or ["lookahead"], threshold_map, top_k):
            evaluations.append(evaluate(player, start=start, name=name, jobs=jobs))
            if not evaluations[-1].complete:
                break
    # Files first: a reader that goes away (| head) must not cost the result.
    settings = {"rule": game.rule, "hard": game.hard, "start": start, "boards": boards}
    documents: list[dict[str, Any]] = [{**entry.as_json(), **settings} for entry in evaluations]
    if json_file:
        single = len(documents) == 1
        write_json(json_file, documents[0] if single else {"evaluations": documents})
    if plot:
        title = f"Guesses a game ({game.rule} replies{', hard mode' if game.hard else ''})"
        series = {
            f"{entry.name}: {entry.summary.average:.4f}": entry.summary.distribution
            for entry in evaluations
        }
        save_distribution(plot, series, title=title)
    rendering.show_evaluations(console, evaluations)
    if not all(entry.complete for entry in evaluations):
        raise typer.Exit(INTERRUPTED)


def _players(
    game: Wordle, names: list[str], maps: list[str] | None, top_k: int | None
) -> list[tuple[str, WordleStrategy]]:
    """The strategies to compare: each name, and those with a threshold once a map."""
    players: list[tuple[str, WordleStrategy]] = []
    with_map = {"score", "learned"}
    if maps and not with_map & set(names):
        raise InputError("--threshold-map goes with --strategy score or learned")
    if top_k is not None and "lookahead" not in names:
        raise InputError("--top-k goes with --strategy lookahead")
    for name in names:
        if name in with_map and maps:
            for text in maps:
                player = STRATEGIES.create(name, game, threshold_map=parse_threshold_map(text))
                players.append((f"{name} {text}", player))
        elif name == "lookahead":
            players.append((name, STRATEGIES.create(name, game, top_k=top_k)))
        else:
            players.append((name, STRATEGIES.create(name, game)))
    return players


def _evaluated_boards(
    game: Wordle, boards: int, games: int, seed: int, start: str | None, jobs: int
) -> Evaluation:
    played = simulate_boards(game, boards, games=games, seed=seed, start=start, jobs=jobs)
    turns = {f"game {number}": count for number, count in enumerate(played.results, 1)}
    return Evaluation(f"{boards} boards", turns, played.planned, boards + EXTRA_TURNS)


@app.command(
    "review", epilog="Example: wordgames wordle review soare clint mince wince --answer wince"
)
@on_a_game()
def review_command(
    game: Wordle,
    guesses: Annotated[list[str], typer.Argument(help="The guesses of the game, in order.")],
    answer: Annotated[str | None, typer.Option(help="The answer. Default: the last guess.")] = None,
    json_file: JsonOption = None,
) -> None:
    """Your game turn by turn: what you could expect, what you got, the best guess, skill, luck."""
    report = review(game, guesses, answer or guesses[-1])
    if json_file:
        write_json(json_file, {**asdict(report), "skill": report.skill, "luck": report.luck})
    rendering.show_review(console_beside(json_file), game, report)


@app.command("openers")
@on_a_game(without=("hard",))
def openers_command(
    game: Wordle,
    count: Annotated[int, typer.Option("--count", "-n", min=1, help="Words to show.")] = 20,
    word: Annotated[
        list[str] | None, typer.Option(help="Show this word (repeat for more).")
    ] = None,
    max_mean: Annotated[float | None, typer.Option(help="Only words with a mean below.")] = None,
    max_worst: Annotated[int | None, typer.Option(help="Only words with a max up to.")] = None,
    json_file: JsonOption = None,
) -> None:
    """First words by the mean and the max of the words they leave (all of them with --json)."""
    found = openers(game)
    total = len(found)
    if word:
        wanted = {game.vocabulary.words[game.vocabulary.index(text)] for text in word}
        found = [entry for entry in found if entry.word in wanted]
    if max_mean is not None:
        found = [entry for entry in found if entry.mean < max_mean]
    if max_worst is not None:
        found = [entry for entry in found if entry.max <= max_worst]
    if json_file:
        write_json(json_file, {"openers": [asdict(entry) for entry in found]})
    console_beside(json_file).print(rendering.openers_table(found[:count], total))


@app.command("train")
@on_a_game(without=("hard",))
def train_command(
    game: Wordle,
    out: Annotated[Path, typer.Argument(metavar="FILE", help="Where to write the model (JSON).")],
    seed: Annotated[int, typer.Option(min=0)] = 1,
) -> None:
    """Train the model of the strategy `learned` on the brute force (about half a minute)."""
    from wordgames.wordle.training import TrainingSettings, train

    checked_outputs(out)
    console = Console()
    status = console.status("training") if console.is_terminal else contextlib.nullcontext()
    with status:
        document = train(game, TrainingSettings(seed=seed))
    write_json(out, document)
    held = document["held_out"]
    console.print(
        f"Wrote {out}. On {held['words']} held-out words: mean absolute error "
        f"{held['mean_absolute_error']:.4f}, correlation {held['correlation']:.4f}."
    )
