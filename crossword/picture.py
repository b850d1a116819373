"""The grid as an SVG picture, each cell tinted by how sure the solver was of it.

The first write-up drew such a confidence grid. Here orange is unsure, white is even, blue is sure,
a scale that also colour-blind readers can tell apart; a red corner marks a letter that the file's
own solution contradicts. Plain SVG 1.1, made with the standard library, everything escaped.
"""

from __future__ import annotations

from collections.abc import Mapping
from xml.sax.saxutils import escape

from crossword.puzzle import BLOCK, EMPTY, Cell, Puzzle

SIDE = 36  # a cell, in the picture's units
MARGIN = 12
LEGEND = 44  # height of what stands under the grid
_UNSURE = (244, 163, 97)
_EVEN = (255, 255, 255)
_SURE = (125, 184, 232)
_STEPS = 20  # of the legend's scale


def tint(confidence: float) -> str:
    """The colour of a confidence from 0 (orange) over 0.5 (white) to 1 (blue)."""
    share = min(max(confidence, 0.0), 1.0)
    low, high, at = (_UNSURE, _EVEN, share * 2) if share < 0.5 else (_EVEN, _SURE, share * 2 - 1)
    red, green, blue = (round(a + (b - a) * at) for a, b in zip(low, high, strict=True))
    return f"#{red:02x}{green:02x}{blue:02x}"


def svg(
    puzzle: Puzzle,
    fill: Mapping[Cell, str] | None = None,
    confidence: Mapping[Cell, float] | None = None,
) -> str:
    """The picture of a fill; without confidences the cells stay white and no scale is drawn."""
    letters = puzzle.fill if fill is None else fill
    width = puzzle.grid.width * SIDE + 2 * MARGIN
    height = puzzle.grid.height * SIDE + 2 * MARGIN + (LEGEND if confidence is not None else 0)
    title = puzzle.title or "Crossword"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="Helvetica, Arial, sans-serif" '
        f'role="img">',
        f"<title>{_text(title)}</title>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
    ]
    for r, row in enumerate(puzzle.grid.rows):
        for c, sign in enumerate(row):
            x, y = MARGIN + c * SIDE, MARGIN + r * SIDE
            if sign == BLOCK:
                parts.append(_square(x, y, "#1a1a1a"))
            elif sign == EMPTY:
                parts += _cell(puzzle, (r, c), x, y, letters.get((r, c), ""), confidence)
    parts += _bars(puzzle)
    if confidence is not None:
        parts += _legend(width, puzzle.grid.height * SIDE + 2 * MARGIN)
    return "\n".join([*parts, "</svg>", ""])


def _text(text: str) -> str:
    """Escaped, and without the control characters that XML forbids."""
    return escape("".join(sign for sign in text if sign.isprintable() or sign == " "))


def _square(x: int, y: int, colour: str) -> str:
    return f'<rect x="{x}" y="{y}" width="{SIDE}" height="{SIDE}" fill="{colour}" stroke="#555"/>'


def _cell(
    puzzle: Puzzle,
    cell: Cell,
    x: int,
    y: int,
    text: str,
    confidence: Mapping[Cell, float] | None,
) -> list[str]:
    tinted = text and confidence is not None and cell not in puzzle.given
    colour = tint(confidence.get(cell, 0.0)) if tinted and confidence is not None else "#ffffff"
    if cell in puzzle.shaded and not tinted:
        colour = "#e4e4e4"
    parts = [_square(x, y, colour)]
    if cell in puzzle.circles:
        middle = SIDE / 2
        parts.append(
            f'<circle cx="{x + middle}" cy="{y + middle}" r="{middle - 1.5}" fill="none" '
            f'stroke="#888"/>'
        )
    right = puzzle.solution.get(cell) if puzzle.solution is not None else None
    if text and right is not None and text != right:
        parts.append(f'<path d="M{x + SIDE} {y}h-11l11 11z" fill="#c1121f"/>')
    if (number := puzzle.grid.numbers.get(cell)) is not None:
        parts.append(f'<text x="{x + 2.5}" y="{y + 10}" font-size="9.5">{number}</text>')
    if text:
        size = 21 if len(text) == 1 else max(6, round(34 / len(text)))
        weight = ' font-weight="bold"' if cell in puzzle.given else ""
        parts.append(
            f'<text x="{x + SIDE / 2}" y="{y + SIDE - 8}" font-size="{size}"{weight} '
            f'text-anchor="middle">{_text(text)}</text>'
        )
    return parts


def _bars(puzzle: Puzzle) -> list[str]:
    """Thick lines where a bar keeps two cells apart."""
    parts = []
    for (r, c), direction in sorted(puzzle.grid.bars):
        x, y = MARGIN + c * SIDE, MARGIN + r * SIDE
        line = f"M{x + SIDE} {y}v{SIDE}" if direction == "A" else f"M{x} {y + SIDE}h{SIDE}"
        parts.append(f'<path d="{line}" stroke="#1a1a1a" stroke-width="4"/>')
    return parts


def _legend(width: int, top: int) -> list[str]:
    """The scale of confidence, as wide as there is room for."""
    scale = min(width - 2 * MARGIN, 240)
    step = scale / _STEPS
    parts = [
        f'<rect x="{MARGIN + i * step:.2f}" y="{top}" width="{step + 0.3:.2f}" height="10" '
        f'fill="{tint((i + 0.5) / _STEPS)}"/>'
        for i in range(_STEPS)
    ]
    parts.append(
        f'<rect x="{MARGIN}" y="{top}" width="{scale}" height="10" fill="none" stroke="#555"/>'
    )
    for x, anchor, label in (
        (MARGIN, "start", "unsure"),
        (MARGIN + scale, "end", "sure"),
    ):
        parts.append(
            f'<text x="{x}" y="{top + 24}" font-size="11" text-anchor="{anchor}">{label}</text>'
        )
    return parts
