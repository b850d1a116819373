"""Contexto beside the game: the program proposes, the player types the rank. Nothing is lost on
Ctrl-C: the history is shown, and can be given to `play --history` again."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape

from wordgames.contexto.knowledge import Model
from wordgames.contexto.solver import DISTANCE_OFFSET, Proposal, checked_history, new_solver
from wordgames.errors import InputError
from wordgames.terminal import asked

_HELP = (
    "Try each word in the game and type its rank. [b]n[/b]: the game does not know the word; "
    "[b]c word rank[/b]: it took it for another word, or you tried one of your own; "
    "[b]u[/b]: undo; [b]?[/b]: more proposals; [b]q[/b]: stop."
)


def play(
    console: Console,
    model: Model,
    *,
    strategy: str = "bayes",
    distance_offset: float = DISTANCE_OFFSET,
    max_guesses: int = 300,
    history: list[tuple[str, int]] | None = None,
) -> None:
    """Proposes words until one has rank 1."""
    told = checked_history(history or [])
    refused: list[str] = []
    console.print(_HELP)
    while len(told) < max_guesses:
        if any(rank == 1 for _, rank in told):
            console.print(f"[green]Found[/green] in {len(told)} guesses.")
            return
        solver = new_solver(strategy, model=model, distance_offset=distance_offset)
        for word, rank in told:
            solver.tell(word, rank)
        for word in refused:
            solver.refuse(word)
        offered = solver.propose(8)
        word = offered[0].word
        typed = asked(
            console, f"{len(told) + 1}. [bold]{escape(word)}[/bold]{_chance(offered[0])} > "
        )
        if typed is None or typed == "q":
            break
        try:
            if not _done(console, typed, word, offered, told, refused):
                console.print("type a rank, n, c word rank, u, ? or q", style="yellow")
        except InputError as error:
            console.print(str(error), style="yellow", markup=False)
    _farewell(console, told)


def _done(
    console: Console,
    typed: str,
    word: str,
    offered: list[Proposal],
    told: list[tuple[str, int]],
    refused: list[str],
) -> bool:
    """Does what was typed, by changing `told` and `refused`; False if it means nothing."""
    parts = typed.split()
    if typed == "n":
        refused.append(word)
    elif typed == "u":
        if told:
            told.pop()
    elif typed == "?":
        for proposal in offered:
            console.print(f"  {escape(proposal.word)}{_chance(proposal)}", highlight=False)
    elif parts and parts[0] == "c":
        if len(parts) == 1:
            parts += (asked(console, "word and rank > ") or "").split()
        if len(parts) == 2:
            parts += (asked(console, f"rank of {escape(parts[1])} > ") or "").split()
        if len(parts) != 3:
            raise InputError("type c, the word the game shows, and its rank: c dog 57")
        told[:] = checked_history([*told, (parts[1], parse_rank(parts[2]))])
        if parts[1] != word:
            refused.append(word)  # offered once is enough, whatever the player did with it
    elif len(parts) == 1:
        told[:] = checked_history([*told, (word, parse_rank(parts[0]))])
    else:
        return False
    return True


def parse_rank(text: str) -> int:
    """A typed rank."""
    if not text.isascii() or not text.isdigit() or len(text) > 9 or int(text) < 1:
        raise InputError(f"a rank is a whole number from 1, not {text!r}")
    return int(text)


def _chance(proposal: Proposal) -> str:
    if proposal.probability is None:
        return ""
    return f" [dim]({100 * proposal.probability:.1f} %)[/dim]"


def _farewell(console: Console, told: list[tuple[str, int]]) -> None:
    if told:
        pairs = ",".join(f"{word}={rank}" for word, rank in told)
        console.print(f"To go on later: wordgames contexto play --history {pairs}", markup=False)
