"""Fuzz code generation: random payloads under random schedules, down to the numbers.

    python tests/fuzz/run_kernels.py --seconds 600 --seed 1 --out findings

Each pair is lowered or refused with a place and a reason; the kernel level is run by
numpy, the source by Triton's interpreter, and a sample is compiled for the H200. Prints
progress, each finding with the shortest schedule that shows it, and why pairs were
refused. With --out each finding is left in a folder as payload.mlir and schedule.mlir,
which

    tilewright opt payload.mlir -s schedule.mlir --emit=triton

runs again. The exit status is 1 where something was found.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent.parent), str(HERE.parent)]

from fuzz.kernels.cases import random_kernel_case  # noqa: E402
from fuzz.kernels.fuzzer import KernelFuzzer  # noqa: E402
from fuzz.schedules.cases import random_chain_case  # noqa: E402
from fuzz.shrinking import keep  # noqa: E402


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=1, help="of the first pair")
    parser.add_argument("--pairs", type=int, help="stop after so many")
    parser.add_argument("--out", type=Path, help="a folder for the findings")
    parser.add_argument(
        "--chains", action="store_true", help="only payloads with chains of reductions"
    )
    given = parser.parse_args()
    fuzzer = KernelFuzzer(
        given.seed,
        given.seconds,
        given.pairs,
        draw_case=random_chain_case if given.chains else random_kernel_case,
        tell=lambda text: print(text, flush=True),
        found=lambda found: keep(found, given.out),
    )
    fuzzer.run()
    return 1 if fuzzer.statistics.findings else 0


if __name__ == "__main__":
    sys.exit(main())
