"""Fuzz the transform dialect: random payloads, random schedules, every step checked.

    python tests/fuzz/run.py --seconds 600 --seed 1

Prints progress, and for each finding the shortest schedule that shows it. With --out
each finding is left in a folder as payload.mlir and schedule.mlir, which

    tilewright opt payload.mlir -s schedule.mlir --verify-each

runs again. The exit status is 1 if something was found.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent.parent), str(HERE.parent)]

from fuzz.schedules.cases import random_case, random_chain_case  # noqa: E402
from fuzz.schedules.fuzzer import Fuzzer  # noqa: E402
from fuzz.shrinking import keep  # noqa: E402


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=1, help="of the first program")
    parser.add_argument("--programs", type=int, help="stop after so many")
    parser.add_argument("--out", type=Path, help="a folder for the findings")
    parser.add_argument("--no-mlir", action="store_true", help="do not ask mlir-opt-22")
    parser.add_argument(
        "--chains", action="store_true", help="only payloads with chains of reductions"
    )
    given = parser.parse_args()
    fuzzer = Fuzzer(
        given.seed,
        given.seconds,
        given.programs,
        draw_case=random_chain_case if given.chains else random_case,
        mlir=not given.no_mlir,
        tell=lambda text: print(text, flush=True),
        found=lambda found: keep(found, given.out),
    )
    fuzzer.run()
    return 1 if fuzzer.statistics.findings else 0


if __name__ == "__main__":
    sys.exit(main())
