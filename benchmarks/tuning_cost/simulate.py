"""Simulate the study of tuning cost on a recording, and print it beside the published.

    python benchmarks/tuning_cost/simulate.py
    python benchmarks/tuning_cost/simulate.py RECORDING.json.xz --out study.json \
        --plot frontier.svg --update docs/replay.md

One thing is varied at a time: repetition time, number of configurations, compile
processes, early stopping, L2 clear. Each setting has 500 simulated runs of 30
configurations on each input. Then all combinations are simulated for one input, and the
frontier of speed against seconds is printed. Needs no GPU; the plot needs matplotlib.
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from simulation import (
    OWN,
    RUNS,
    Outcome,
    Setting,
    Study,
    changed,
    frontier,
    over_inputs,
)
from study import FRONTIER_INPUT

from tilewright.tuning.replay.tuning_cost import Input, TuningCost

RECORDING = Path(__file__).parent / "h200.json.xz"
BASE = Setting()
REPETITIONS = (0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 25.0, 50.0, 100.0)
COUNTS = (1, 2, 3, 5, 7, 10, 15, 20, 30, 40, 50, 60, 70, 80, 90, 100)
PROCESSES = (1, 2, 4, 8, 14)
SLOWER = (None, 1.3, 1.1)
PATIENCE = (None, 5, 10, 15)
PUBLISHED_SHARES = (("3 of 54 s", 3 / 54, 0.72), ("27 of 54 s", 27 / 54, 0.98))
"""On an A40: speed reached in a part of the seconds of the whole run."""
PUBLISHED_SPEEDUP = (16, 7.3)
BEGIN, END = "<!-- tuning cost: begin -->", "<!-- tuning cost: end -->"
"""The marks of the part of a page that `--update` writes."""


def main() -> None:
    """The command line."""
    options = _parser().parse_args()
    study = Study(TuningCost.load(options.recording))
    if FRONTIER_INPUT in study.inputs:
        frontier_input = FRONTIER_INPUT
    else:
        frontier_input = study.inputs[0]
    document = simulated(study, frontier_input, options.runs)
    text = markdown(document)
    print(text)
    if options.update is not None:
        update(options.update, text)
    if options.out is not None:
        options.out.write_text(json.dumps(document, indent=1) + "\n")
    if options.plot is not None:
        plot(document, options.plot)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("recording", type=Path, nargs="?", default=RECORDING)
    parser.add_argument("--runs", type=int, default=RUNS, help="of each setting")
    parser.add_argument("--out", type=Path, help="a JSON file")
    parser.add_argument("--update", type=Path, help="a page whose marked part is new")
    parser.add_argument("--plot", type=Path, help="a .png or .svg of the frontier")
    return parser


def simulated(
    study: Study, extents: Input, runs: int, settings: Iterable[Setting] | None = None
) -> dict[str, Any]:
    """Everything, as plain data; the frontier is that of `settings`, or of all."""
    cost = study.cost
    settings = _grid(study) if settings is None else settings
    grid = [_row(study, extents, one, runs) for one in settings]
    alone = [row for row in grid if row["setting"]["processes"] == 1]
    return {
        "format": "tilewright-tuning-cost-study-1",
        "recording": cost.name,
        "device": cost.device,
        "versions": cost.versions,
        "configurations": len(cost.configurations),
        "working": len(study.working),
        "inputs": len(study.inputs),
        "missing": cost.missing,
        "runs": runs,
        "compiling": _compiling(study),
        "sweeps": {
            title: {
                "all inputs" if inputs == study.inputs else _name(extents): [
                    _swept(study, inputs, one, label, runs) for label, one in varied
                ]
                for inputs in (study.inputs, [extents])
            }
            for title, varied in sweeps(study).items()
        },
        "clears": _clears(study, runs),
        "frontier_input": _name(extents),
        "frontier": frontier(alone),
        "frontier_with_processes": frontier(grid),
        "published": _beside_the_published(study, extents, grid, runs),
    }


def sweeps(study: Study) -> dict[str, list[tuple[str, Setting]]]:
    """One thing varied at a time."""
    most = max(pool.processes for pool in study.cost.pools)
    processes = sorted({p for p in PROCESSES if p < most} | {most})
    return {
        "repetition time": [
            (f"{ms:g} ms", changed(BASE, repetition_ms=ms)) for ms in REPETITIONS
        ],
        "configurations": [
            (str(n), changed(BASE, configurations=n))
            for n in COUNTS
            if n <= len(study.working)
        ],
        "compile processes": [(str(p), changed(BASE, processes=p)) for p in processes],
        "early stopping": [
            (
                f"timing {'in full' if s is None else f'ends at {s:g}x'}, "
                + ("no patience" if p is None else f"patience {p}"),
                changed(BASE, slower=s, patience=p),
            )
            for s, p in itertools.product(SLOWER[:2], PATIENCE)
        ],
    }


def _swept(
    study: Study, inputs: list[Input], setting: Setting, label: str, runs: int
) -> dict[str, Any]:
    found = over_inputs(study, setting, inputs, runs)
    return {"label": label, "setting": asdict(setting), **found.as_json()}


def _clears(study: Study, runs: int) -> list[dict[str, Any]]:
    """Every size of L2 clear, on the inputs that have all of them."""
    inputs = [
        extents
        for extents in study.inputs
        if all((extents, clear) in study.cost.launches for clear in study.clears)
    ]
    return [
        {
            "clear_bytes": clear,
            "inputs": len(inputs),
            **_swept(study, inputs, changed(BASE, clear=clear), "", runs),
        }
        for clear in study.clears
        if inputs
    ]


def _grid(study: Study) -> Iterator[Setting]:
    """All combinations, for the frontier."""
    most = max(pool.processes for pool in study.cost.pools)
    known = [
        clear
        for clear in study.clears
        if (FRONTIER_INPUT, clear) in study.cost.launches
    ]
    counts = [n for n in COUNTS if n <= len(study.working)]
    choices = itertools.product(
        counts, REPETITIONS, (1, most), SLOWER[:2], PATIENCE, known or [None]
    )
    for count, ms, processes, slower, patience, clear in choices:
        yield Setting(count, ms, None, processes, slower, patience, clear)


def _row(study: Study, extents: Input, setting: Setting, runs: int) -> dict[str, Any]:
    found: Outcome = study.simulate(extents, setting, runs)
    return {
        "label": str(setting),
        "setting": asdict(setting),
        **found.as_json(),
    }


def _compiling(study: Study) -> list[dict[str, Any]]:
    return [
        {
            "processes": pool.processes,
            "compiled": len(pool.seconds),
            "wall_seconds": pool.wall_seconds,
            "speedup": round(study.cost.speedup(pool), 3),
        }
        for pool in sorted(study.cost.pools, key=lambda pool: pool.processes)
    ]


def _beside_the_published(
    study: Study, extents: Input, grid: list[dict[str, Any]], runs: int
) -> dict[str, Any]:
    """The published figures, and the same questions put to this recording.

    Once for runs over all configurations, and once for runs over 30 of them.
    """
    alone = [row for row in grid if row["setting"]["processes"] == 1]
    processes, speedup = PUBLISHED_SPEEDUP
    return {
        "readings": [
            _reading(study, extents, alone, len(study.working), "speed", runs),
            _reading(study, extents, alone, OWN, "speed_of_own", runs),
        ],
        "compile_processes": processes,
        "compile_speedup": speedup,
        "time_saved": round(1 - 1 / speedup, 4),
    }


def _reading(
    study: Study,
    extents: Input,
    grid: list[dict[str, Any]],
    count: int,
    speed: str,
    runs: int,
) -> dict[str, Any]:
    """A whole run takes `count` configurations; the best is that of these."""
    whole = _row(study, extents, changed(BASE, configurations=count), runs)
    smaller = [r for r in grid if r["setting"]["configurations"] <= count]
    rows: list[dict[str, Any]] = []
    for title, share, published in PUBLISHED_SHARES:
        within = [r for r in smaller if r["seconds"] <= share * whole["seconds"]]
        best = max(within, key=lambda row: row[speed], default=None)
        reaching = [r for r in smaller if r[speed] >= published]
        first = min(reaching, key=lambda row: row["seconds"], default=None)
        rows.append(
            {
                "published": title,
                "published_speed": published,
                "share_of_seconds": round(share, 4),
                "speed": best and best[speed],
                "setting": best and best["label"],
                "seconds_to_published_speed": first and first["seconds"],
                "setting_to_published_speed": first and first["label"],
            }
        )
    return {"configurations": count, "whole_run": whole, "rows": rows}


def _name(extents: Input) -> str:
    return "x".join(map(str, extents))


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


if __name__ == "__main__":
    main()
