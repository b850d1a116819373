"""Scores of WORDPL strategies: percentiles over many games, with their bootstrap error.

Percentiles are the contest's: linear between neighbouring scores, infinite as soon as a lost game
takes part. Game n has the same answer and the same luck for every strategy, and with any number
of jobs.
"""

from __future__ import annotations

import csv
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wordgames import plots, simulation
from wordgames.errors import DataError
from wordgames.wordpl.game import Game, Player, play
from wordgames.wordpl.loading import is_own_file, shown_name, strategy

PERCENTILES = (5, 50, 95)
RESAMPLES = 400
# The game that warms a strategy up may take longer than one that counts: the shipped ones compile.
# A player's own gets less, so that one which never ends does not keep its author waiting.
WARM_UP_SECONDS = 120.0
OWN_WARM_UP_SECONDS = 15.0
INTERVAL = (2.5, 97.5)  # of the resampled percentiles, in per cent


@dataclass(frozen=True)
class Percentile:
    """A percentile of the scores and its bootstrap interval; infinite where too few games won."""

    percent: int
    score: float
    low: float
    high: float


@dataclass(frozen=True)
class Result:
    """What a strategy scored; `totals` holds (total ε, games, won) for every total spent."""

    strategy: str
    spec: str
    games: int
    planned: int
    percentiles: tuple[Percentile, ...]
    win_rate: float
    totals: tuple[tuple[float, int, int], ...]
    losses: dict[str, int]
    seconds_per_game: float
    cpu_seconds_per_game: float

    def as_json(self) -> dict[str, Any]:
        """For machines: `p5 p50 p95`, null where infinite, and everything behind them."""
        figures = asdict(self)
        del figures["percentiles"], figures["totals"]
        for p in self.percentiles:
            figures[f"p{p.percent}"] = _finite(p.score)
            figures[f"p{p.percent}_interval"] = [_finite(p.low), _finite(p.high)]
        figures["wins_at_total"] = [
            {"total": total, "games": games, "won": won} for total, games, won in self.totals
        ]
        return figures


class _Task:
    """Plays game after game of one strategy; made anew in a process that was not forked."""

    def __init__(self, spec: str, player: Player | None = None) -> None:
        self.spec = spec
        self._player = player

    def __getstate__(self) -> dict[str, Any]:
        return {"spec": self.spec, "_player": None}

    def __call__(self, seed: int) -> Game:
        if self._player is None:
            self._player = strategy(self.spec)
        return play(self._player, seed)


def evaluate(
    spec: str,
    *,
    games: int,
    seed: int,
    jobs: int = 1,
    show_progress: bool | None = None,
) -> tuple[Result, list[Game]]:
    """Plays `games` games of the strategy and scores them; interrupted, those played so far."""
    player = strategy(spec)
    name = shown_name(player, spec)
    # Compiles and fills the tables before the workers are forked; this game does not count.
    play(player, seed, seconds=OWN_WARM_UP_SECONDS if is_own_file(spec) else WARM_UP_SECONDS)
    run = simulation.run(
        _Task(spec, player),
        simulation.seeds(seed, games),
        jobs=jobs,
        label=name,
        show_progress=show_progress,
    )
    return summary(name, spec, run.results, planned=games, seed=seed), run.results


def summary(
    name: str, spec: str, games: Sequence[Game], *, planned: int | None = None, seed: int = 0
) -> Result:
    """The figures of games that were played."""
    scores = np.array([game.score for game in games], np.float64)
    played: Counter[float] = Counter(round(game.total, 6) for game in games)
    won: Counter[float] = Counter(round(game.total, 6) for game in games if game.won)
    return Result(
        strategy=name,
        spec=spec,
        games=len(games),
        planned=len(games) if planned is None else planned,
        percentiles=tuple(_percentile(scores, percent, seed) for percent in PERCENTILES),
        win_rate=float(np.isfinite(scores).mean()) if len(scores) else math.nan,
        totals=tuple((total, played[total], won[total]) for total in sorted(played)),
        losses=dict(Counter(game.reason for game in games if not game.won).most_common()),
        seconds_per_game=_mean([game.seconds for game in games]),
        cpu_seconds_per_game=_mean([game.cpu_seconds for game in games]),
    )


def percentile(scores: NDArray[np.float64], percent: float) -> float:
    """The contest's percentile: linear between neighbours, infinite if either is."""
    if not len(scores):
        return math.nan
    ordered = np.sort(scores)
    place = percent / 100 * (len(ordered) - 1)
    below, above = ordered[math.floor(place)], ordered[math.ceil(place)]
    if math.isinf(above):
        return math.inf if place > math.floor(place) else float(below)
    return float(below + (place - math.floor(place)) * (above - below))


def _percentile(scores: NDArray[np.float64], percent: int, seed: int) -> Percentile:
    if not len(scores):
        return Percentile(percent, math.nan, math.nan, math.nan)
    rng = np.random.default_rng(seed)
    again = [percentile(rng.choice(scores, len(scores)), percent) for _ in range(RESAMPLES)]
    ordered = np.sort(again)
    low, high = (ordered[round(edge / 100 * (RESAMPLES - 1))] for edge in INTERVAL)
    return Percentile(percent, percentile(scores, percent), float(low), float(high))


def won_within(result: Result) -> list[tuple[float, float]]:
    """(total ε, share of all games won at no more than it), rising."""
    share, curve = 0.0, []
    for total, _, won in result.totals:
        share += won / max(1, result.games)
        curve.append((total, share))
    return curve


def write_csv(path: Path, results: Sequence[Result]) -> None:
    """One row a strategy."""
    header = ["strategy", "games", *(f"p{p}" for p in PERCENTILES)]
    header += [f"p{p}_{edge}" for p in PERCENTILES for edge in ("low", "high")]
    rows = [
        [r.strategy, r.games, *(p.score for p in r.percentiles)]
        + [edge for p in r.percentiles for edge in (p.low, p.high)]
        + [r.win_rate, r.seconds_per_game, r.cpu_seconds_per_game]
        for r in results
    ]
    _write(path, [*header, "win_rate", "seconds_per_game", "cpu_seconds_per_game"], rows)


def write_games_csv(path: Path, played: Sequence[tuple[str, Sequence[Game]]]) -> None:
    """One row a game, with its moves."""
    rows = [
        [
            name,
            number,
            game.answer,
            game.score,
            game.total,
            game.reason,
            f"{game.seconds:.6f}",
            moves,
        ]
        for name, games in played
        for number, game in enumerate(games, 1)
        for moves in [" ".join(f"{m.guess}:{m.epsilon:g}:{m.result}" for m in game.moves)]
    ]
    header = ["strategy", "game", "answer", "score", "total", "reason", "seconds", "moves"]
    _write(path, header, rows)


def save_plot(path: Path, results: Sequence[Result]) -> None:
    """The share of games won within each total, a step line a strategy, percentiles marked."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.5, 4.2), dpi=120)
    axes = figure.subplots()
    for result in results:
        curve = won_within(result)
        x = [0.0, *(total for total, _ in curve)]
        y = [0.0, *(100 * share for _, share in curve)]
        (line,) = axes.step([*x, x[-1] * 1.05], [*y, y[-1]], where="post", label=result.strategy)
        marks = [(p.score, p.percent) for p in result.percentiles if math.isfinite(p.score)]
        axes.plot([m[0] for m in marks], [m[1] for m in marks], "o", color=line.get_color(), ms=4)
    for percent in PERCENTILES:
        axes.axhline(percent, color="0.8", lw=0.8, zorder=0)
    axes.set_xlabel("total ε")
    axes.set_ylabel("% of games won within it")
    axes.set_title(f"WORDPL, {results[0].games:,} games each" if results else "WORDPL", fontsize=11)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, fontsize=8)
    plots.save(figure, path)


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values)) if values else math.nan


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _write(path: Path, header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    try:
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(header)
            writer.writerows(rows)
    except OSError as error:
        raise DataError(f"cannot write {path}: {error}") from None
