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
from study_tables import markdown, plot, update

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


if __name__ == "__main__":
    main()
