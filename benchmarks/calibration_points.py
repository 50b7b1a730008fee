"""Time the points of a calibration on the present GPU, and write them as JSON.

The same code as `tilewright calibrate`, without the fit: the file has the measurements
that the shipped calibration of an H200 is fitted to.

    python benchmarks/calibration_points.py --works attention --sketches roles
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from pathlib import Path

from tilewright.codegen.targets import detect, target_named
from tilewright.tuning.calibrating.measuring import POINTS, measured, program_of
from tilewright.tuning.calibrating.points import KernelPoint, kernel_points


def main(arguments: list[str]) -> int:
    """Measure, or build without a GPU."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("calibration.json"))
    parser.add_argument("--points", type=int, default=POINTS, help="of each sketch")
    parser.add_argument("--works", default="", help="only works that match")
    parser.add_argument("--sketches", default="", help="only sketches that match")
    parser.add_argument("--build", type=int, default=0, help="build every N-th point")
    options = parser.parse_args(arguments)

    def chosen(points: list[KernelPoint]) -> list[KernelPoint]:
        return [
            one
            for one in points
            if re.search(options.works, one.work)
            and re.search(options.sketches, one.sketch)
        ]

    started = time.monotonic()
    if options.build:
        target = target_named("h200")
        points = chosen(kernel_points(target, options.points))[:: options.build]
        for point in points:
            program_of(point, target)
        print(f"built {len(points)} points in {time.monotonic() - started:.0f} s")
        return 0
    target = detect()
    if target is None:
        print("calibration_points: there is no CUDA device", file=sys.stderr)
        return 1

    def report(what: str, done: int, total: int) -> None:
        if done % 20 == 0:
            taken = time.monotonic() - started
            print(f"[{taken:5.0f} s] {what}: {done} of {total}", flush=True)

    every = not (options.works or options.sketches)
    points = None if every else chosen(kernel_points(target, options.points))
    found, failed = measured(target, report, points)
    options.out.write_text(json.dumps(found.to_data()))
    for line in failed:
        print("failed:", line[:300])
    taken = time.monotonic() - started
    print(f"{len(found.kernels)} kernels, {len(failed)} failed, {taken:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
