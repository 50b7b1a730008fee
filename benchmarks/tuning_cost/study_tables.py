"""A simulated study as tables of Markdown, and its frontiers as a picture."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

BEGIN, END = "<!-- tuning cost: begin -->", "<!-- tuning cost: end -->"
"""The marks of the part of a page that `--update` writes."""


def markdown(document: dict[str, Any]) -> str:
    """The study as tables."""
    lines = [
        f"{document['device']}, {document['versions']}: {document['working']} of "
        f"{document['configurations']} configurations on {document['inputs']} inputs, "
        f"{document['runs']} simulated runs of each setting. Speed is that of the "
        "winner, in percent of the best configuration; standard deviation in brackets.",
        *_published_table(document),
    ]
    for title, groups in document["sweeps"].items():
        names = list(groups)
        lines += [
            "",
            f"| {title} | "
            + " | ".join(f"speed, {n} | seconds, {n}" for n in names)
            + " |",
            "|---" * (2 * len(names) + 1) + "|",
        ]
        for rows in zip(*groups.values(), strict=True):
            cells = (cell for row in rows for cell in (_speed(row), _seconds(row)))
            lines.append(f"| {rows[0]['label']} | " + " | ".join(cells) + " |")
    if document["clears"]:
        count = document["clears"][0]["inputs"]
        lines += [
            "",
            f"| L2 clear ({count} inputs) | speed | seconds |",
            "|---|---|---|",
        ]
        lines += [
            f"| {row['clear_bytes'] / (1 << 20):.3g} MB | {_speed(row)} "
            f"| {_seconds(row)} |"
            for row in document["clears"]
        ]
    lines += _frontier_table(document)
    return "\n".join(lines)


def _published_table(document: dict[str, Any]) -> list[str]:
    published = document["published"]
    readings = published["readings"]
    counts = [reading["configurations"] for reading in readings]
    pools = ", ".join(
        f"{pool['speedup']:.1f}x on {pool['processes']}"
        for pool in document["compiling"]
        if pool["processes"] > 1
    )
    lines = [
        "",
        f"| {document['frontier_input']} | published, A40 | "
        + " | ".join(f"here, a run over {count}" for count in counts)
        + " |",
        "|---" * (2 + len(counts)) + "|",
        "| a whole run: 100 ms each, one compile process | 54 s | "
        + " | ".join(f"{r['whole_run']['seconds']:.1f} s" for r in readings)
        + " |",
    ]
    for rows in zip(*(reading["rows"] for reading in readings), strict=True):
        share, speed = rows[0]["share_of_seconds"], 100 * rows[0]["published_speed"]
        lines.append(
            f"| speed in {100 * share:.0f}% of these seconds | {speed:.0f}% | "
            + " | ".join(_or_none(row["speed"], 100.0, "%") for row in rows)
            + " |"
        )
        seconds = rows[0]["published"].split()[0]
        lines.append(
            f"| seconds to {speed:.0f}% | {seconds} s | "
            + " | ".join(
                _or_none(row["seconds_to_published_speed"], 1.0, " s") for row in rows
            )
            + " |"
        )
    lines.append(
        f"| parallel compilation | {published['compile_speedup']}x on "
        f"{published['compile_processes']} | {pools} | " + " | " * (len(counts) - 1)
    )
    return lines


def _or_none(value: float | None, factor: float, unit: str) -> str:
    return "not reached" if value is None else f"{factor * value:.1f}{unit}"


def _frontier_table(document: dict[str, Any]) -> list[str]:
    lines: list[str] = []
    for key, title in (
        ("frontier", "one compile process"),
        ("frontier_with_processes", "any number of processes"),
    ):
        lines += [
            "",
            f"The frontier for {document['frontier_input']}, {title}:",
            "",
            "| seconds | speed | setting |",
            "|---|---|---|",
        ]
        lines += [
            f"| {row['seconds']:.2f} | {_speed(row)} | {row['label']} |"
            for row in _thinned(document[key])
        ]
    return lines


def _thinned(rows: list[dict[str, Any]], gain: float = 0.01) -> list[dict[str, Any]]:
    """Rows that gain at least a percent of speed on the row before, and the last."""
    kept: list[dict[str, Any]] = []
    for row in rows:
        if not kept or row["speed"] >= kept[-1]["speed"] + gain:
            kept.append(row)
    if rows and kept[-1] is not rows[-1]:
        kept.append(rows[-1])
    return kept


def _speed(row: dict[str, Any]) -> str:
    return f"{100 * row['speed']:.1f}% ({100 * row['speed_deviation']:.1f})"


def _seconds(row: dict[str, Any]) -> str:
    return f"{row['seconds']:.2f}"


def update(page: Path, text: str) -> None:
    """Put the tables between the marks of a page."""
    before, begin, rest = page.read_text().partition(BEGIN)
    _, end, after = rest.partition(END)
    if not end:
        sys.exit(f"{page}: no part between {BEGIN} and {END}")
    page.write_text(f"{before}{begin}\n\n{text}\n\n{end}{after}")


def plot(document: dict[str, Any], path: Path) -> None:
    """Speed against seconds: the frontiers."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        sys.exit("--plot needs matplotlib: pip install 'tilewright[plots]'")
    figure = Figure(figsize=(7, 4.5), layout="constrained")
    axes = figure.subplots()
    for key, title in (
        ("frontier", "one compile process"),
        ("frontier_with_processes", "parallel compilation"),
    ):
        rows = document[key]
        axes.step(
            [row["seconds"] for row in rows],
            [100 * row["speed"] for row in rows],
            where="post",
            label=title,
        )
    for reading, mark in zip(document["published"]["readings"], "os", strict=True):
        whole, count = reading["whole_run"], reading["configurations"]
        label = f"{count} configurations, 100 ms each"
        axes.plot(whole["seconds"], 100 * whole["speed"], f"k{mark}", label=label)
    axes.set_xscale("log")
    axes.set_xlabel("seconds of tuning")
    axes.set_ylabel("speed, % of the best configuration")
    axes.set_title(f"{document['frontier_input']}, f16, {document['device']}")
    axes.grid(alpha=0.3)
    axes.legend(loc="lower right")
    figure.savefig(path)
