"""Check every alternative of a schedule on the GPU against torch in float64.

    python benchmarks/correctness.py --out results.json

For each size and dtype, and for each combination of the schedule's structural choices,
takes points that together cover every option of every knob, compiles them in parallel,
runs them on fresh random inputs and compares. Exits 1 if anything is wrong.
"""

from __future__ import annotations

import argparse
import itertools
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import torch

from contenders.ours import generated_payload
from harness.parallel import compile_all
from harness.timing import command_line, environment, relative_error, write_json

SIZES = ("512x512x512", "4096x4096x4096", "1000x1000x1000")
DTYPES = {"f16": torch.float16, "bf16": torch.bfloat16}


@dataclass(frozen=True)
class Case:
    """One program to check."""

    size: tuple[int, int, int]
    dtype: str
    point: dict[str, Any]

    @property
    def structure(self) -> str:
        """The labels of the structural choices."""
        return " ".join(str(v) for v in self.point.values() if isinstance(v, str))


def covering_points(space: Any, seed: int) -> list[dict[str, Any]]:
    """Points that show every structure, and in each every option of every knob."""
    knobs = {n: c.options for n, c in space.choices.items() if not _is_branch(c)}
    branches = {n: c.options for n, c in space.choices.items() if _is_branch(c)}
    rng = random.Random(seed)
    pool = [space.sample(rng) for _ in range(4000)]
    chosen: list[dict[str, Any]] = []
    for labels in itertools.product(*branches.values()):
        fixed = dict(zip(branches, labels, strict=True))
        fits = [p for p in pool if all(p[n] == v for n, v in fixed.items())]
        # Twice each: a point may turn out to need more shared memory than there is.
        missing = Counter({(n, o): 2 for n, opts in knobs.items() for o in opts})
        while fits:
            best = max(fits, key=lambda p: sum(missing[n, p[n]] > 0 for n in knobs))
            if not any(missing[n, best[n]] > 0 for n in knobs):
                break
            chosen.append(dict(best))
            fits.remove(best)
            missing -= Counter((n, best[n]) for n in knobs)
    return chosen


def _is_branch(choice: Any) -> bool:
    return hasattr(choice, "branches")


def main() -> int:
    """Run the checks."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--schedule", default="examples/matmul_relu/tuned.tw")
    parser.add_argument("--sizes", default=",".join(SIZES))
    parser.add_argument("--dtypes", default="f16,bf16")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("correctness.json"))
    options = parser.parse_args()
    if not torch.cuda.is_available():
        print("this checks kernels on a GPU, and there is none", file=sys.stderr)
        return 2

    from tilewright.codegen.runtime.launch import load
    from tilewright.ir.errors import SilenceableFailure
    from tilewright.pipeline import build, parse_payload
    from tilewright.schedules.schedule import Schedule
    from tilewright.tuning.space.read import read_space

    schedule = Schedule.from_path(options.schedule)
    points = covering_points(read_space(schedule.module), options.seed)
    sizes = [tuple(map(int, s.split("x"))) for s in options.sizes.split(",")]
    cases = [
        Case(size, dtype, point)
        for size in sizes
        for dtype in options.dtypes.split(",")
        for point in points
    ]
    rows: list[dict[str, Any]] = []
    start = time.time()
    with tempfile.TemporaryDirectory(prefix="tilewright-correctness-") as name:
        directory = Path(name)
        refused: dict[int, str] = {}

        def generated() -> Iterator[tuple[int, Any]]:
            for index, case in enumerate(cases):
                payload = parse_payload(generated_payload(*case.size, case.dtype))
                try:
                    built = build(payload, schedule, case.point, verify_steps=False)
                except SilenceableFailure as error:
                    refused[index] = f"refused: {error.fact}"
                    continue
                yield index, built.program

        programs, failed = compile_all(generated(), directory)
        failed |= refused
        print(f"{len(programs)} programs compiled in {time.time() - start:.0f} s")
        for index, case in enumerate(cases):
            row = {"size": case.size, "dtype": case.dtype, "point": case.point}
            if index in failed:
                row |= {"outcome": failed[index]}
            else:
                wrong, error = _errors(load(programs[index], directory), case, index)
                outcome = "ok" if wrong == 0 else f"WRONG: {wrong} elements"
                row |= {"outcome": outcome, "relative_error": error}
            rows.append(row)
            if row["outcome"] != "ok":
                print(f"{row}", flush=True)
        document = {
            "command": command_line(),
            "environment": environment(),
            "schedule": options.schedule,
            "criterion": "every element within ir/tolerance.py of torch in float64",
            "rows": rows,
        }
        write_json(options.out, document)
    return _summary(cases, rows)


def _errors(program: Any, case: Case, seed: int) -> tuple[int, float]:
    """Elements out of tolerance, and the relative error of the whole, on fresh inputs.

    New memory is NaN meanwhile, so what a kernel leaves unwritten does not pass.
    """
    from tilewright.ir.tolerance import tolerances
    from tilewright.tuning.measure.correctness import empty_is_nan

    m, n, k = case.size
    dtype = DTYPES[case.dtype]
    generator = torch.Generator("cuda").manual_seed(seed)
    a = torch.randn(m, k, device="cuda", generator=generator).to(dtype)
    b = torch.randn(k, n, device="cuda", generator=generator).to(dtype)
    expected = torch.relu(a.double() @ b.double())
    with empty_is_nan():
        out = program(a, b)
    relative, scale = tolerances(case.dtype, k)
    allowed = expected.abs() * relative + expected.square().mean().sqrt() * scale
    # Written so that NaN counts as wrong.
    wrong = int((~((out.double() - expected).abs() <= allowed)).sum())
    return wrong, relative_error(out, expected)


def _summary(cases: list[Case], rows: list[dict[str, Any]]) -> int:
    groups: dict[tuple[str, str, str], list[dict[str, Any]]] = {}
    for case, row in zip(cases, rows, strict=True):
        size = "x".join(map(str, case.size))
        groups.setdefault((size, case.dtype, case.structure), []).append(row)
    bad = 0
    for (size, dtype, structure), group in groups.items():
        good = [row for row in group if row["outcome"] == "ok"]
        refused = [r for r in group if r["outcome"].startswith("refused")]
        wrong = len(group) - len(good) - len(refused)
        bad += wrong
        worst = max((row["relative_error"] for row in good), default=float("nan"))
        print(
            f"{size:16} {dtype:5} {structure:26} {len(good)}/{len(group)} correct, "
            f"{len(refused)} refused, {wrong} failed, worst error {worst:.2e}"
        )
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
