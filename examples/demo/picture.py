"""The demo's table and bars: in the terminal, and as a file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

OURS = {
    "stored": "tilewright, scores through memory",
    "streamed": "tilewright, one kernel",
    "tuned": "tilewright, one kernel, tuned",
    "planned": "tilewright, no schedule given",
}
WIDTH = 30
"""Characters of the longest bar."""


def title_of(name: str) -> str:
    """How a contender is called."""
    return OURS.get(name, name)


def print_table(ms: Mapping[str, float], console: Console) -> None:
    """Every contender with its time, its speed over torch.compile and a bar."""
    table = Table(box=None, pad_edge=False)
    table.add_column("")
    table.add_column("ms", justify="right")
    table.add_column("over torch.compile", justify="right")
    table.add_column("")
    slowest = max(ms.values())
    for name, time in sorted(ms.items(), key=lambda item: -item[1]):
        style = "bold green" if name in OURS else "dim"
        bar = Text("█" * max(1, round(WIDTH * time / slowest)), style=style)
        ratio = f"{ms['torch.compile'] / time:.2f}x" if "torch.compile" in ms else ""
        table.add_row(title_of(name), f"{time:.3f}", ratio, bar)
    console.print(table)


def draw(ms: Mapping[str, float], device: str, path: Path) -> None:
    """The same as a bar chart."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "tilewright"
    matplotlib.rcParams["svg.fonttype"] = "none"
    from matplotlib import pyplot

    names = sorted(ms, key=lambda name: -ms[name])
    figure, axes = pyplot.subplots(figsize=(8, 0.42 * len(names) + 1.0))
    colours = ["#2a9d5c" if name in OURS else "#9aa5b1" for name in names]
    bars = axes.barh([title_of(name) for name in names], [ms[n] for n in names])
    for bar, colour in zip(bars, colours, strict=True):
        bar.set_color(colour)
    axes.bar_label(bars, fmt=" %.2f ms", fontsize=9)
    axes.set_title(
        f"Attention with capped scores, 32 heads x 4096 x 128, bf16, {device}",
        fontsize=10,
        loc="left",
    )
    axes.set_xlim(0, max(ms.values()) * 1.15)
    axes.invert_yaxis()
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(labelsize=9)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)
