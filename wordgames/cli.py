"""The command `wordgames`: one sub-command a game, each loaded only when it is called.

Every error meant for a person arrives here as a WordGameError and leaves as one line.
"""

from __future__ import annotations

import logging
from importlib import import_module

import typer
from rich.console import Console
from rich.logging import RichHandler

from wordgames.errors import WordGameError

GAMES = {
    "wordle": "Wordle: suggest, play, evaluate, review, openers; any list, any alphabet.",
    "wordpl": "Wordle under differential privacy: play and evaluate strategies.",
    "contexto": "Find the hidden word from ranks of meaning: play, simulate, auto.",
}
# A game's own command line reads everything after its name.
_PASS_ON = {
    "allow_extra_args": True,
    "ignore_unknown_options": True,
    "allow_interspersed_args": False,
    "help_option_names": [],
}

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    help="Solvers for word games. Each game has its own --help: wordgames wordle --help",
)


def run_game(name: str, arguments: list[str]) -> None:
    """Hands the arguments to the game's own Typer app, `wordgames.<name>.cli:app`."""
    handler = RichHandler(console=Console(stderr=True), show_time=False, show_path=False)
    logging.basicConfig(level=logging.WARNING, format="%(message)s", handlers=[handler])
    try:
        import_module(f"wordgames.{name}.cli").app(
            args=_json_to_terminal(arguments), prog_name=f"wordgames {name}", standalone_mode=True
        )
    except WordGameError as error:
        Console(stderr=True, soft_wrap=True).print(f"[red]Error:[/red] {_escaped(str(error))}")
        raise typer.Exit(1) from None


def _json_to_terminal(arguments: list[str]) -> list[str]:
    """A bare `--json`, at the end or before another option, means `--json -`: the terminal."""
    after = [*arguments[1:], "--"]
    given: list[str] = []
    for argument, following in zip(arguments, after, strict=True):
        given.append(argument)
        if argument == "--json" and following.startswith("-") and following != "-":
            given.append("-")
    return given


def _escaped(text: str) -> str:
    from rich.markup import escape

    return escape(text)


def _add(name: str, summary: str) -> None:
    @app.command(name, help=summary, context_settings=_PASS_ON)
    def _(context: typer.Context) -> None:
        run_game(name, list(context.args))


for _name, _summary in GAMES.items():
    _add(_name, _summary)


def main() -> None:
    """The entry point of the console script."""
    app()


if __name__ == "__main__":
    main()
