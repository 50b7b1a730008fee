"""The search of a work's structure: `tilewright tune --structure` in a process."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any


def searched(file: Path, options: argparse.Namespace) -> dict[str, Any]:
    """Search the structure of a payload; the winner, and the best planned structure."""
    margin = ["--structure", "--margin", str(options.margin)]
    target = ["--target", "h200"] if options.dry else []
    limit = ["--budget", f"{options.seconds}s"]
    if options.trials is not None:
        limit = ["--trials", str(options.trials)]
    cores = os.cpu_count() or 1
    limit += ["--jobs", str(max(cores // options.jobs, 1))]
    plan_file, summary_file = file.with_name("plan.tw"), file.with_name("s.json")
    _tilewright(file, "plan", *margin, *target, "-o", str(plan_file))
    started = time.perf_counter()
    summary = ["--summary", str(summary_file)]
    said = _tilewright(file, "tune", *margin, *target, *limit, *summary)
    found = json.loads(summary_file.read_text())
    checked = [line for line in said.splitlines() if "correct" in line]
    run = {
        "seconds": time.perf_counter() - started,
        "device": found["device"],
        "measured": found["measured"],
        "checked": " ".join(checked) or f"against {found['reference']}",
        "kernel_trials": sum(task["trials"] for task in found["tasks"]),
        "whole_trials": len(found["trials"]),
        "planned_ms": found["default"]["ms"],
        "best_ms": found["best"]["ms"],
        "kernels": [
            {key: task[key] for key in ("name", "default_ms", "ms", "point", "trials")}
            for task in found["tasks"]
        ],
    }
    structures = {
        "structures": found["structures"],
        "picked": {s["name"]: s["picked"] for s in found["structures"]},
        "regret": regret_of(found["structures"]),
    }
    return {
        "run": run,
        "structures": structures,
        "plan": plan_file,
        "points": {
            "planned": {},
            "numbers": best_numbers(file, options),
            "kernels": best_planned(found),
            "structure": found["best"]["point"],
        },
    }


def regret_of(structures: list[dict[str, Any]]) -> float:
    """The share that the planned structures are slower, as the search has it."""
    product = 1.0
    for structure in structures:
        product *= structure["gain"] or 1.0
    return product - 1.0


def best_planned(found: dict[str, Any]) -> dict[str, Any]:
    """The fastest point of the whole under the planned structure."""
    names = [structure["name"] for structure in found["structures"]]
    planned = [
        trial
        for trial in found["trials"]
        if trial["ms"] is not None
        and all(trial["point"].get(name) == "planned" for name in names)
    ]
    best = min(planned, key=lambda trial: trial["ms"], default=None)
    return {} if best is None else best["point"]


def best_numbers(file: Path, options: argparse.Namespace) -> dict[str, Any]:
    """The fastest numbers of each kernel, all branches at the planner's picks.

    The branches of a plan are structure: other kernels, and within a kernel how it
    goes over its data, who loads, whether a library computes it.
    """
    import tilewright
    from tilewright.tuning.space.choices import Alternative
    from tilewright.tuning.space.read import read_space
    from tilewright.tuning.tasks.kernel_tasks import extract_tasks
    from tilewright.tuning.transfer.winners import open_known

    target = "h200" if options.dry else "auto"
    plan = tilewright.plan(file, target, structure=True, margin=options.margin)
    tasks = [task for task in extract_tasks(plan).tasks if task.is_planned]
    parts = [(f"{file.name}, kernel {t.name}", t.space, t.in_whole) for t in tasks]
    if len(parts) <= 1:  # tuned as a whole
        whole = read_space(plan.schedule.module)
        parts += [(file.name, whole, lambda _, point: point)]
    found: dict[str, Any] = {}
    with open_known(file.with_name("results.db")) as database:
        records = [r for r in database.list(outcome="ok") if r.p50 is not None]
    for name, space, in_whole in parts:
        default = space.default_point() or {}
        branches = {n for n, c in space.choices.items() if isinstance(c, Alternative)}
        own = [
            record
            for record in records
            if record.setting.payload_name == name
            and all(
                record.point[branch] == default.get(branch)
                for branch in branches.intersection(record.point)
            )
        ]
        if own:
            found |= in_whole(plan, min(own, key=lambda one: one.p50 or 0.0).point)
    return found


def _tilewright(file: Path, command: str, *arguments: str) -> str:
    """Run a command on a payload, in the payload's folder; what it prints."""
    paths = os.pathsep.join(str(Path(path).resolve()) for path in sys.path)
    done = subprocess.run(
        [sys.executable, "-m", "tilewright", command, str(file), *arguments],
        cwd=file.parent,
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        lines = (done.stderr or done.stdout).strip().splitlines()
        raise RuntimeError(lines[-1] if lines else f"exit code {done.returncode}")
    return done.stdout
