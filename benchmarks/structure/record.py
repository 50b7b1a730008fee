"""What structure earns: planned kernels, the best structure found, and torch.

For each work, `tilewright tune --structure` searches for `--seconds`. Then the programs
are checked against the function in float64 and timed in turn, in this process: the
planned one, the planned structure with tuned numbers, the winner, eager torch, and
torch.compile with max-autotune. The planner's regret in structure is the time of the
planned structure over that of the winner, less one, with tuned numbers in both.

With --dry nothing is measured: works are tiny, the cost model estimates, interpreters
check the winner, and the record says so.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from harness.timing import (
    Contender,
    Outputs,
    command_line,
    environment,
    speedup,
    time_interleaved,
    write_json,
)
from structure.works import WORKS, Work

EXAMPLE = """example:
  python benchmarks/structure --out benchmarks/results/structure.json
  python benchmarks/structure --works 'mlp|norm' --seconds 60 --out part.json
  python benchmarks/structure --dry --trials 4 --out dry.json
"""
EARNED = 1.05
"""A structure earned something if the winner is this many times as fast."""
ERROR = 2e-2
"""The relative error that a program in a short element type may have."""


def read_options(arguments: list[str]) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("--out", type=Path, required=True, help="where the JSON record goes")
    add("--works", default="", metavar="REGEX", help="only works whose name matches")
    add("--seconds", type=float, default=120.0, help="of a search (%(default)s)")
    add("--trials", type=int, help="trials of a search, instead of seconds")
    add("--margin", type=float, default=1.5, help="how near (%(default)s)")
    add("--rounds", type=int, default=15, help="timed rounds (%(default)s)")
    add("--no-rivals", action="store_true", help="leave torch out")
    add("--dry", action="store_true", help="tiny works, estimated; needs no GPU")
    add("--list", action="store_true", help="print the names of the works, and stop")
    return parser.parse_args(arguments)


def main(arguments: list[str]) -> int:
    """Record all works; 1 if one failed."""
    options = read_options(arguments)
    works = {n: w for n, w in WORKS.items() if re.search(options.works, n)}
    if options.list:
        print("\n".join(works))
        return 0
    record: dict[str, Any] = {
        "command": command_line(),
        "dry": options.dry,
        "measured": not options.dry,
        "environment": environment(),
        "method": {
            "seconds": options.seconds,
            "trials": options.trials,
            "margin": options.margin,
            "rounds": options.rounds,
        },
        "works": {},
    }
    for name, work in works.items():
        try:
            found = run_work(work, options)
        except Exception as error:
            found = {"error": f"{type(error).__name__}: {error}"}
        record["works"][name] = found
        record["summary"] = summary(record["works"])
        write_json(options.out, record)
        print(line_of(name, found), flush=True)
    print(json.dumps(record.get("summary", {})))
    return int(any("error" in found for found in record["works"].values()))


def run_work(work: Work, options: argparse.Namespace) -> dict[str, Any]:
    """Search the structure of a work, then time what was found."""
    import tilewright

    device = "cpu" if options.dry else "cuda"
    tensors = work.inputs(device, tiny=options.dry)
    payload = tilewright.from_torch(work.function, tensors, name="payload")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "payload.mlir"
        file.write_text(payload.text())
        tuned = searched(file, options)
        found: dict[str, Any] = {"search": tuned["run"], **tuned["structures"]}
        if not options.dry:
            found |= timed(work, tensors, file, tuned, options)
    return found


def searched(file: Path, options: argparse.Namespace) -> dict[str, Any]:
    """Run `tilewright tune --structure`; its winner, and the best planned structure."""
    margin = ["--structure", "--margin", str(options.margin)]
    target = ["--target", "h200"] if options.dry else []
    limit = ["--budget", f"{options.seconds}s"]
    if options.trials is not None:
        limit = ["--trials", str(options.trials)]
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
    }
    structures = {
        "structures": found["structures"],
        "picked": {s["name"]: s["picked"] for s in found["structures"]},
        "regret": _regret(found["structures"]),
    }
    numbers = _best_planned(found)
    return {
        "run": run,
        "structures": structures,
        "plan": plan_file,
        "points": {
            "planned": {},
            "numbers": numbers,
            "structure": found["best"]["point"],
        },
    }


def _regret(structures: list[dict[str, Any]]) -> float:
    """The share that the planned structures are slower, as the search has it."""
    product = 1.0
    for structure in structures:
        product *= structure["gain"] or 1.0
    return product - 1.0


def _best_planned(found: dict[str, Any]) -> dict[str, Any]:
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


def timed(
    work: Work,
    tensors: tuple[Any, ...],
    file: Path,
    tuned: dict[str, Any],
    options: argparse.Namespace,
) -> dict[str, Any]:
    """Check and time the programs in turn."""
    wide = [t.double() if t.is_floating_point() else t for t in tensors]
    reference = work.function(*wide)
    contenders, errors = [], dict[str, float | str]()
    for contender in _contenders(work, tensors, file, tuned, options):
        try:
            error = _error(contender.call(), reference)
        except Exception as failure:
            errors[contender.name] = f"{type(failure).__name__}: {failure}"[:200]
            continue
        errors[contender.name] = error
        if error <= ERROR:
            contenders.append(contender)
    rounds = time_interleaved(contenders, options.rounds)
    ms = {
        name: sorted(one.rounds)[len(one.rounds) // 2] for name, one in rounds.items()
    }
    found: dict[str, Any] = {"ms": ms, "errors": errors}
    best = rounds.get("structure")
    found["speedups"] = {
        name: vars(speedup(best, over=one))
        for name, one in rounds.items()
        if best is not None and name != "structure"
    }
    if "numbers" in found["speedups"]:
        found["regret"] = found["speedups"]["numbers"]["median"] - 1.0
    return found


def _contenders(
    work: Work,
    tensors: tuple[Any, ...],
    file: Path,
    tuned: dict[str, Any],
    options: argparse.Namespace,
) -> Iterator[Contender]:
    """Our programs as they are compiled, then torch's."""
    import torch

    import tilewright

    for name, point in tuned["points"].items():
        program = tilewright.compile(file, tuned["plan"], inherit=False, **point)
        yield Contender(name, lambda p=program: p(*tensors), ours=True)
    if options.no_rivals:
        return
    yield Contender("eager", lambda: work.function(*tensors))
    torch._dynamo.reset()
    compiled = torch.compile(work.function, mode="max-autotune-no-cudagraphs")
    yield Contender("max-autotune", lambda: compiled(*tensors))


def _error(out: Outputs, reference: Outputs) -> float:
    """The largest relative error of the results."""
    import torch

    made = out if isinstance(out, tuple | list) else (out,)
    wanted = reference if isinstance(reference, tuple) else (reference,)
    return max(
        (
            torch.linalg.vector_norm(one.double() - other.double())
            / torch.linalg.vector_norm(other.double()).clamp_min(1e-30)
        ).item()
        for one, other in zip(made, wanted, strict=True)
    )


def summary(works: dict[str, Any]) -> dict[str, Any]:
    """The regret in structure over all works, and what the structure earned."""
    done = {name: found for name, found in works.items() if "error" not in found}
    regrets = {name: found["regret"] for name, found in done.items()}
    earned = [name for name, regret in regrets.items() if regret >= EARNED - 1]
    rivals = [
        found["speedups"]["max-autotune"]["median"]
        for found in done.values()
        if "max-autotune" in found.get("speedups", {})
    ]
    return {
        "works": len(works),
        "failed": len(works) - len(done),
        "with_open_structure": sum(bool(f["structures"]) for f in done.values()),
        "mean_regret": sum(regrets.values()) / max(len(regrets), 1),
        "earned_5_percent": earned,
        "faster_than_max_autotune": sum(ratio > 1 for ratio in rivals),
        "timed_with_max_autotune": len(rivals),
    }


def line_of(name: str, found: dict[str, Any]) -> str:
    """A work in a line."""
    if "error" in found:
        return f"{name}: FAILED: {found['error']}"
    picked = ", ".join(found["picked"].values()) or "nothing is near"
    times = found.get("ms") or {
        "planned (estimated)": found["search"]["planned_ms"],
        "best (estimated)": found["search"]["best_ms"],
    }
    shown = "; ".join(f"{k} {v:.4f} ms" for k, v in times.items() if v is not None)
    return f"{name}: {picked}; regret {100 * found['regret']:.1f}%; {shown}"
