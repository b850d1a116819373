"""`crossword`: the command line. Each command is a module of `crossword.commands`.

Nothing heavy is imported to show help. Whatever the project raises on purpose becomes one line on
stderr and exit code 2; Ctrl-C ends with 130, after what was done has been shown or written.
"""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from crossword.commands import convert, demo, evaluate, guess, info, serve, solve, stats, train
from crossword.commands.console import err
from crossword.errors import CrosswordError

app = typer.Typer(
    name="crossword",
    help="A crossword solver for ordinary computers. Start with: crossword demo",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _version(wanted: bool) -> None:
    if wanted:
        from crossword import __version__

        typer.echo(f"crossword {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say it and exit.")
    ] = False,
) -> None:
    pass


app.command("solve")(solve.command)
app.command("guess")(guess.command)
app.command("demo")(demo.command)
app.command("convert")(convert.command)
app.command("evaluate")(evaluate.command)
app.command("stats")(stats.command)
app.command("train")(train.command)
app.command("serve")(serve.command)
app.command("info")(info.command)


def main(arguments: list[str] | None = None) -> None:
    """The entry point: run a command and leave with its exit code."""
    sys.exit(run(arguments))


def run(arguments: list[str] | None = None) -> int:
    """Run a command; the exit code. Errors that we raise on purpose are one line each."""
    try:
        code = app(arguments, standalone_mode=True)
    except SystemExit as leave:
        return leave.code if isinstance(leave.code, int) else int(bool(leave.code))
    except CrosswordError as error:
        _complain(str(error))
        return 2
    except BrokenPipeError:
        sys.stderr.close()  # or Python complains about the closed pipe at exit
        return 141
    except KeyboardInterrupt:
        return 130
    except MemoryError:
        _complain("out of memory")
        return 1
    return int(code or 0)


def _complain(text: str) -> None:
    err().print(f"crossword: {' '.join(text.split())}", markup=False, style="red")


if __name__ == "__main__":
    main()
