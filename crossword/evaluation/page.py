"""The statistics as one self-contained HTML page: text, tables, and plots as embedded pictures.

Nothing is fetched when the page is opened. matplotlib draws without a display (Agg).
"""

from __future__ import annotations

import base64
import io
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any

import matplotlib

matplotlib.use("Agg")
from matplotlib.axes import Axes
from matplotlib.figure import Figure

BLUE = "#2b6cb0"
ORANGE = "#dd7a1f"
LONGEST = 23  # letters; longer answers share a bar
_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem;
       color: #1a202c; background: #fff; }
figure { margin: 1.5rem 0; } img { max-width: 100%; height: auto; }
figcaption { color: #4a5568; } table { border-collapse: collapse; }
td, th { padding: .15rem .9rem .15rem 0; text-align: left; } td.n, th.n { text-align: right; }
.wide { columns: 2; }
"""


def page(figures: Mapping[str, Any], counts: Sequence[int], title: str) -> str:
    """The page; `counts` has how often each distinct answer is used, in any order."""
    pictures = plots(figures, counts)
    facts = [
        f"{figures['puzzles']:,} puzzles, {figures['rebus_puzzles']:,} with a rebus",
        f"{figures['answers']:,} answers, {figures['distinct_answers']:,} of them distinct, "
        f"{figures['once_only']:,} used once only",
    ]
    if figures["repeats"]:
        facts.append(f"{figures['repeats']:,} repeats of the same solved grid left out")
    if figures["zipf"] is not None:
        facts.append(f"Zipf exponent {figures['zipf']['exponent']:.2f} (ranks 10 to 10,000)")
    body = [f"<h1>{escape(title)}</h1>", "<ul>", *(f"<li>{escape(f)}</li>" for f in facts), "</ul>"]
    body += ["<h2>Commonest answers</h2>", '<div class="wide">', _commonest(figures), "</div>"]
    for caption, picture in pictures.items():
        data = base64.b64encode(picture).decode("ascii")
        body.append(
            f'<figure><img alt="{escape(caption, quote=True)}" src="data:image/png;base64,{data}">'
            f"<figcaption>{escape(caption)}</figcaption></figure>"
        )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head>\n<body>\n"
        + "\n".join(body)
        + "\n</body></html>\n"
    )


def _commonest(figures: Mapping[str, Any]) -> str:
    rows = "".join(
        f'<tr><td class="n">{rank}</td><td>{escape(answer)}</td><td class="n">{count:,}</td></tr>'
        for rank, (answer, count) in enumerate(figures["commonest"], 1)
    )
    return (
        f'<table><tr><th class="n"></th><th>answer</th><th class="n">used</th></tr>{rows}</table>'
    )


def plots(figures: Mapping[str, Any], counts: Sequence[int]) -> dict[str, bytes]:
    """The pictures as PNG, by caption."""
    ordered = sorted(counts, reverse=True)
    english = figures["english"]
    named = {"1": "one word", "2": "two words", "3": "three words", "0": "none of these"}

    def zipf_plain(axes: Axes) -> None:
        shown = ordered[:1000]
        axes.plot(range(1, len(shown) + 1), shown, color=BLUE)
        axes.set(xlabel="rank of the answer (first 1,000)", ylabel="times used")
        axes.set_ylim(bottom=0)

    def zipf_logarithmic(axes: Axes) -> None:
        axes.loglog(range(1, len(ordered) + 1), ordered, color=BLUE, label="answers")
        if (fit := figures["zipf"]) is not None:
            reach = [10, min(len(ordered), 10_000)]
            line = [fit["scale"] * rank ** -fit["exponent"] for rank in reach]
            label = f"rank$^{{-{fit['exponent']:.2f}}}$"
            axes.loglog(reach, line, "--", color=ORANGE, label=label)
            axes.legend(frameon=False)
        axes.set(xlabel="rank of the answer", ylabel="times used")

    def sequences(axes: Axes) -> None:
        places = range(len(named))
        for shift, key, colour, label in (
            (-0.2, "distinct", BLUE, "of distinct answers"),
            (0.2, "used", ORANGE, "of answers as used"),
        ):
            shares = [english[words][key] for words in named]
            bars = axes.bar(
                [place + shift for place in places], shares, 0.4, color=colour, label=label
            )
            axes.bar_label(bars, labels=[f"{share:.0%}" for share in shares], padding=2)
        axes.set_xticks(list(places), list(named.values()))
        axes.set(ylabel="share", ylim=(0, 1))
        axes.legend(frameon=False)

    return {
        "Zipf's law: how often the answer of each rank is used": _png(zipf_plain),
        "Zipf's law on logarithmic scales: a power law would be a straight line": _png(
            zipf_logarithmic
        ),
        "Answers that are English sequences of one, two or three words": _png(sequences),
        "Lengths of the answers": _png(_bars(_shortened(figures["lengths"]), "letters", "answers")),
        "Puzzles by weekday": _png(_bars(figures["weekdays"], "", "puzzles")),
        "Puzzles by year": _png(_bars(figures["years"], "", "puzzles")),
    }


def _shortened(lengths: Mapping[str, int]) -> dict[str, int]:
    """Lengths without gaps, and the few very long answers together."""
    known = {int(length): count for length, count in lengths.items()}
    last = min(max(known, default=0), LONGEST)
    shown = {str(length): known.get(length, 0) for length in range(min(known, default=0), last + 1)}
    if longer := sum(count for length, count in known.items() if length > last):
        shown[f">{last}"] = longer
    return shown


def _bars(counts: Mapping[str, int], xlabel: str, ylabel: str) -> Callable[[Axes], None]:
    def draw(axes: Axes) -> None:
        axes.bar(range(len(counts)), list(counts.values()), color=BLUE)
        step = max(1, len(counts) // 12)  # room for a dozen labels
        places = list(range(0, len(counts), step))
        names = list(counts)
        axes.set_xticks(places, [names[place] for place in places])
        axes.set(xlabel=xlabel, ylabel=ylabel)
        axes.yaxis.set_major_formatter("{x:,.0f}")

    return draw


def _png(draw: Callable[[Axes], None]) -> bytes:
    figure = Figure(figsize=(8, 4), layout="constrained")
    axes = figure.subplots()
    axes.spines[["top", "right"]].set_visible(False)
    draw(axes)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=110)
    return buffer.getvalue()
