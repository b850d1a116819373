"""Plots as SVG text that stands inside a page: bars, and curves on logarithmic axes.

Colours are CSS variables of the page (`--c0` …), so that one drawing serves light and dark.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

WIDTH, HEIGHT = 440, 300
LEFT, RIGHT, TOP, BOTTOM = 58, 14, 14, 44

Points = Sequence[tuple[float, float]]


def short(value: float) -> str:
    """A number in few signs: 0.93, 12.4, 5,600, 1.2 M."""
    if value >= 1e6:
        return f"{value / 1e6:.3g} M"
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def bars(title: str, values: Mapping[str, float], ours: Sequence[str] = ()) -> str:
    """A bar a row, the longest first as given; `ours` are drawn in the first colour."""
    step, label, room = 26, 215, 70
    height = step * len(values) + 6
    most = max(values.values(), default=1.0) or 1.0
    drawn = []
    for row, (name, value) in enumerate(values.items()):
        y = row * step + 4
        long = max(1.0, (WIDTH + 160 - label - room) * value / most)
        colour = "--c0" if name in ours else "--c3"
        drawn.append(
            f'<text x="{label - 8}" y="{y + 14}" text-anchor="end">{escape(name)}</text>'
            f'<rect x="{label}" y="{y}" width="{long:.1f}" height="18" rx="3" '
            f'fill="var({colour})"/>'
            f'<text x="{label + long + 6:.1f}" y="{y + 14}">{short(value)}</text>'
        )
    return _svg(title, WIDTH + 160, height, drawn)


def curves(title: str, series: Mapping[str, Points], xlabel: str, ylabel: str) -> str:
    """Curves with both axes logarithmic; a power law is a straight line."""
    points = [(x, y) for line in series.values() for x, y in line if x > 0 and y > 0]
    if not points:
        return ""
    low_x, high_x = _decades([x for x, _ in points])
    low_y, high_y = _decades([y for _, y in points])

    def across(value: float) -> float:
        share = (math.log10(value) - low_x) / (high_x - low_x)
        return LEFT + share * (WIDTH - LEFT - RIGHT)

    def up(value: float) -> float:
        share = (math.log10(value) - low_y) / (high_y - low_y)
        return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)

    drawn = []
    for power in range(low_x, high_x + 1):
        x = across(10.0**power)
        drawn.append(
            f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}" y2="{HEIGHT - BOTTOM}"/>'
            f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">'
            f"{short(10.0**power)}</text>"
        )
    for power in range(low_y, high_y + 1):
        y = up(10.0**power)
        drawn.append(
            f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
            f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{short(10.0**power)}</text>'
        )
    for number, line in enumerate(series.values()):
        places = [(across(x), up(y)) for x, y in line if x > 0 and y > 0]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        drawn.append(f'<polyline class="line" stroke="var(--c{number})" points="{path}"/>')
        drawn += [
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="var(--c{number})"/>'
            for x, y in places
        ]
    drawn.append(
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 8}" text-anchor="middle">'
        f"{escape(xlabel)}</text>"
        f'<text transform="translate(13 {(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)" '
        f'text-anchor="middle">{escape(ylabel)}</text>'
    )
    keys = "".join(
        f'<span><i style="background:var(--c{number})"></i>{escape(name)}</span>'
        for number, name in enumerate(series)
    )
    return _svg(f"{title}: {ylabel}", WIDTH, HEIGHT, drawn) + f'<p class="keys">{keys}</p>'


def _decades(values: Sequence[float]) -> tuple[int, int]:
    """The powers of ten around all values, at least one apart."""
    low = math.floor(math.log10(min(values)) + 1e-9)
    high = math.ceil(math.log10(max(values)) - 1e-9)
    return low, max(high, low + 1)


def _svg(title: str, width: float, height: float, drawn: Sequence[str]) -> str:
    return (
        f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{escape(title, quote=True)}">'
        f"<title>{escape(title)}</title>{''.join(drawn)}</svg>"
    )
