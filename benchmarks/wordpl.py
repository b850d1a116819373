"""WORDPL: makes the tables of second moves, and compares first questions and splits of a total.

    python -m benchmarks.wordpl table best-5 --out wordgames/wordpl/tables/best-5.json
    python -m benchmarks.wordpl table best-50 --out wordgames/wordpl/tables/best-50.json
    python -m benchmarks.wordpl chance
    python -m benchmarks.wordpl splits --first salet --order 0.75 --games 1000 --seed 3 \\
        17.6,17.6,17.5,17.28 17,18,19.5,15.48
    python -m benchmarks.wordpl openings trace:13.3 trace:12.7 slate:13.3

`table best-5` takes about fifteen seconds of one core, `best-50` a minute and a half, a thousand
games of a split three seconds, an opening two and a half. Ctrl-C writes what is done: replies that
a table lacks are worked out in play.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.progress import track

from benchmarks.machine import machine
from wordgames.wordpl.budget import second_moves
from wordgames.wordpl.planning import (
    SecondMove,
    chance_of_table,
    chance_of_three,
    compared_splits,
    second_of_three,
    second_of_two,
)

TABLES = {
    "best-5": ("trace", 9.0, 14.5),
    "best-50": ("trace", 13.3, 36.599),
}


def moves(name: str, first: str, epsilon: float, total: float) -> Iterator[SecondMove]:
    """The second moves of a shipped strategy."""
    make = second_of_two if name == "best-5" else second_of_three
    return make(first, epsilon, total)


def table(options: argparse.Namespace, console: Console) -> None:
    first, epsilon, total = TABLES[options.name]
    first = options.first or first
    epsilon = options.epsilon or epsilon
    total = options.total or total
    done: list[SecondMove] = []
    try:
        for move in track(
            moves(options.name, first, epsilon, total), "replies", total=243, console=console
        ):
            done.append(move)
    except KeyboardInterrupt:
        console.print(f"Stopped after {len(done)} replies.")
    seen = sum(move.reply_chance for move in done)
    won = sum(move.reply_chance * move.win_chance for move in done)
    console.print(
        f"{options.name}: {first} {epsilon:g} of {total:g}; {len(done)} replies, {seen:.4f} of "
        f"all; chance to win after them {won / max(seen, 1e-12):.5f}",
        soft_wrap=True,
        highlight=False,
    )
    if options.out and done:
        rows = sorted((move.reply, json.dumps([move.word, move.epsilon])) for move in done)
        lines = ",\n".join(f'  "{reply}": {move}' for reply, move in rows)
        options.out.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


def chance(options: argparse.Namespace, console: Console) -> None:
    """The chance of `best-50` to win, over all replies: no game is played, no seed matters."""
    first, epsilon, total = TABLES["best-50"]
    moves = json.loads(options.table.read_text("utf-8")) if options.table else None
    seen = won = 0.0
    try:
        played = chance_of_table(first, epsilon, total, moves or second_moves("best-50"))
        for likely, wins in track(played, "replies", total=243, console=console):
            seen += likely
            won += likely * wins
    except KeyboardInterrupt:
        console.print(f"Stopped after {seen:.4f} of all replies.")
    console.print(
        f"best-50: {first} {epsilon:g} of {total:g}; chance to win {won / max(seen, 1e-12):.5f}",
        highlight=False,
    )
    if options.out:
        document = {"total": total, "seen": seen, "chance": won / seen, "machine": machine()}
        options.out.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


def splits(options: argparse.Namespace, console: Console) -> None:
    wanted = [tuple(float(part) for part in text.split(",")) for text in options.splits]
    played = compared_splits(
        wanted, first=options.first, order=options.order, games=options.games, seed=options.seed
    )
    rows = []
    try:
        for row in track(played, "games", total=options.games, console=console):
            rows.append(row)
    except KeyboardInterrupt:
        console.print(f"Stopped after {len(rows)} games.")
    if not rows:
        return
    chances = np.array(rows)
    beside = chances - chances[:, :1]
    result = []
    for place, split in enumerate(wanted):
        entry = {
            "split": split,
            "total": round(sum(split), 4),
            "win_chance": round(float(chances[:, place].mean()), 5),
            "error": round(float(chances[:, place].std()) / math.sqrt(len(rows)), 5),
            "beside_first": round(float(beside[:, place].mean()), 5),
            "beside_error": round(float(beside[:, place].std()) / math.sqrt(len(rows)), 5),
        }
        result.append(entry)
        console.print(
            f"{options.splits[place]}: wins {entry['win_chance']} ± {entry['error']}, beside the "
            f"first {entry['beside_first']:+} ± {entry['beside_error']}",
            soft_wrap=True,
            highlight=False,
        )
    if options.out:
        document = {
            "first": options.first,
            "order": options.order,
            "games": len(rows),
            "seed": options.seed,
            "splits": result,
            "machine": machine(),
        }
        options.out.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


def openings(options: argparse.Namespace, console: Console) -> None:
    result = []
    try:
        for opening in options.openings:
            word, _, epsilon = opening.partition(":")
            chance = chance_of_three(word, float(epsilon), options.total)
            result.append({"first": word, "epsilon": float(epsilon), "chance": round(chance, 5)})
            console.print(f"{opening} of {options.total:g}: {chance:.5f}", highlight=False)
    except KeyboardInterrupt:
        console.print(f"Stopped after {len(result)} openings.")
    if options.out and result:
        document = {"total": options.total, "openings": result, "machine": machine()}
        options.out.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("table", help="second moves for every reply to the first question")
    one.add_argument("name", choices=sorted(TABLES))
    one.add_argument("--first", help="another first word")
    one.add_argument("--epsilon", type=float, help="another ε for it")
    one.add_argument("--total", type=float, help="another total")
    one.set_defaults(run=table)
    two = commands.add_parser("splits", help="compare splits of a total on the same games")
    two.add_argument("splits", nargs="+", metavar="ε,ε,…")
    two.add_argument("--first", default="salet")
    two.add_argument("--order", type=float, default=1.0, help="of entropy, all but the last")
    two.add_argument("--games", type=int, default=1000)
    two.add_argument("--seed", type=int, default=1)
    two.set_defaults(run=splits)
    three = commands.add_parser("openings", help="compare first questions of three")
    three.add_argument("openings", nargs="+", metavar="WORD:ε")
    three.add_argument("--total", type=float, default=TABLES["best-50"][2])
    three.set_defaults(run=openings)
    four = commands.add_parser("chance", help="the chance of best-50 to win, over all replies")
    four.add_argument("--table", type=Path, help="another table of second moves")
    four.set_defaults(run=chance)
    for command in (one, two, three, four):
        command.add_argument("--out", type=Path, help="write JSON")
    options = parser.parse_args()
    options.run(options, Console(stderr=True))


if __name__ == "__main__":
    main()
