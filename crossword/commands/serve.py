"""`crossword serve`: the page and the API on this computer."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from crossword.commands.console import err
from crossword.commands.options import (
    DEFAULT_GUESSER,
    DEFAULT_SOLVER,
    ModelPath,
    chosen_model,
)
from crossword.errors import CrosswordError, UnknownNameError
from crossword.registry import guessers, solvers


def command(
    host: Annotated[
        str, typer.Option(help="Where to listen; 0.0.0.0 lets others in, best with a token.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes any free one.")] = 8000,
    guesser: Annotated[
        str, typer.Option(help="Who guesses the clues; `crossword info` lists.")
    ] = DEFAULT_GUESSER,
    solver: Annotated[
        str, typer.Option(help="Who fills the grid; `crossword info` lists.")
    ] = DEFAULT_SOLVER,
    model: ModelPath = None,
    workers: Annotated[
        int | None, typer.Option(min=1, max=256, help="Solves at a time; one a processor.")
    ] = None,
    queue: Annotated[
        int, typer.Option(min=1, max=10_000, help="Solves that may wait; more get a 503.")
    ] = 16,
    max_seconds: Annotated[
        float, typer.Option(min=1.0, max=3600.0, help="The most that one solve may take.")
    ] = 60.0,
    token_file: Annotated[
        Path | None,
        typer.Option(help="A file with a token that the API then asks for (Authorization)."),
    ] = None,
    cors: Annotated[
        list[str] | None,
        typer.Option(help="An origin whose pages may call the API. Repeatable; none by default."),
    ] = None,
    allowed_host: Annotated[
        list[str] | None,
        typer.Option(help="A host name to answer to. Repeatable; loopback's names by default."),
    ] = None,
    plugin: Annotated[
        list[str] | None,
        typer.Option(help="A module to import that registers guessers or solvers. Repeatable."),
    ] = None,
    word_games: Annotated[
        bool, typer.Option(help="Offer the word games too; without, it starts sooner.")
    ] = True,
    log_level: Annotated[str, typer.Option(help="debug, info, warning or error.")] = "warning",
    log_clues: Annotated[
        bool, typer.Option("--log-clues", help="Put clue texts in the log; never otherwise.")
    ] = False,
) -> None:
    """Open the solver in a browser, and to programs: a page at / and an API under /v1.

    Ctrl-C stops it: solves that run are finished or stopped first. Examples:

      crossword serve

      crossword serve --port 9000 --workers 4 --log-level info

      crossword serve --host 0.0.0.0 --token-file token.txt
    """
    if log_level.lower() not in ("debug", "info", "warning", "error"):
        raise CrosswordError(f"no log level {log_level!r}; there are: debug, info, warning, error")
    if not plugin:  # a plugin may bring the name; the process that loads it then checks it
        _check_names(guesser, solver)
    try:
        from serve.server import listen, run
        from serve.settings import Settings
    except ImportError as error:
        raise CrosswordError(
            f"serving needs more packages ({error.name}): pip install 'crossword-solver[serve]'"
        ) from None
    settings = Settings(
        host=host,
        port=port,
        guesser=guesser,
        solver=solver,
        model=model,
        plugins=tuple(plugin or ()),
        word_games=word_games,
        solve_queue=queue,
        max_seconds=max_seconds,
        default_seconds=min(20.0, max_seconds),
        token=_token(token_file),
        cors_origins=tuple(cors or ()),
        allowed_hosts=tuple(name.lower() for name in allowed_host) if allowed_host else None,
        log_level=log_level,
        log_clues=log_clues,
    )
    if workers is not None:
        settings = replace(settings, solve_workers=workers)
    console = err()
    sock = listen(settings)
    shown = f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{sock.getsockname()[1]}/"
    if not settings.is_loopback and settings.token is None:
        console.print(
            f"{host} is open to the network and there is no --token-file: anyone who reaches it "
            "can put this computer to work.",
            style="yellow",
            markup=False,
        )
    if chosen_model(model) is None:
        console.print(
            "There is no trained model in models/default: guessing from common English alone.",
            markup=False,
        )
    console.print("Loading the model …", style="dim", markup=False)

    def ready() -> None:
        console.print(f"Ready: {address} (Ctrl-C stops it)", style="bold", markup=False)

    def told(stage: str) -> None:
        console.print(f"{stage[0].upper()}{stage[1:]} …", style="dim", markup=False)

    run(settings, sock, ready, told)


def _check_names(guesser: str, solver: str) -> None:
    if guesser not in guessers:
        raise UnknownNameError("guesser", guesser, guessers)
    if solver not in solvers:
        raise UnknownNameError("solver", solver, solvers)


def _token(file: Path | None) -> str | None:
    if file is None:
        return None
    try:
        token = file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise CrosswordError(f"can't read the token in {file}: {error}") from None
    if not token:
        raise CrosswordError(f"{file} is empty; put a token in it, of 8 characters or more")
    return token
