"""Fuzz the planner: random payloads under planned schedules, down to the numbers.

    python tests/fuzz/run_plans.py --seconds 600 --seed 1 --out findings

Each payload is planned. The schedule must build at its defaults; numpy runs the kernel
level there and at a few other points, Triton's interpreter the source. Prints progress,
findings, and why points were refused. With --out each finding is left in a folder as
payload.mlir and schedule.tw. The exit status is 1 where something was found.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent.parent), str(HERE.parent)]

from fuzz.plans.fuzzer import PlanFuzzer  # noqa: E402


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=1, help="of the first payload")
    parser.add_argument("--payloads", type=int, help="stop after this number")
    parser.add_argument("--points", type=int, default=3, help="besides the defaults")
    parser.add_argument("--batch", type=int, default=40, help="0: without Triton")
    parser.add_argument("--out", type=Path, help="a folder for the findings")
    given = parser.parse_args()
    fuzzer = PlanFuzzer(
        given.seed,
        given.seconds,
        given.payloads,
        given.points,
        given.batch,
        tell=lambda text: print(text, flush=True),
        found=lambda found: found.keep(given.out),
    )
    fuzzer.run()
    return 1 if fuzzer.statistics.findings else 0


if __name__ == "__main__":
    sys.exit(main())
