"""The command line of `planned.py`."""

from __future__ import annotations

import argparse
from pathlib import Path

EXAMPLE = """example:
  python benchmarks/planned.py --out record.json
  python benchmarks/planned.py --works 'softmax|gemm' --rivals record.json
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add every option."""
    add = parser.add_argument
    add("--works", default="", metavar="REGEX", help="only works whose name matches")
    add("--no-compile", action="store_true", help="leave torch.compile out")
    add(
        "--max-autotune",
        type=int,
        default=0,
        metavar="N",
        help="max-autotune-no-cudagraphs too, on N works spread over the list",
    )
    add(
        "--rivals",
        type=Path,
        metavar="FILE",
        help="take the rivals' times from an earlier record; for quick comparisons",
    )
    add(
        "--tune",
        type=int,
        default=0,
        metavar="N",
        help="tune N random works, time them",
    )
    add("--tune-skip", type=int, default=0, metavar="N", help="leave out the first N")
    add(
        "--tune-seconds",
        type=float,
        default=30.0,
        metavar="SECONDS",
        help="of each, besides the reference by numpy (%(default)s)",
    )
    add(
        "--sweep",
        type=int,
        default=0,
        metavar="N",
        help="measure N points of each sketch of the plans with one kernel, beside the"
        " planner's estimates; no rivals",
    )
    add("--seed", type=int, default=0, help="of the choice and the search")
    add("--list", action="store_true", help="print the names of the works, and stop")
    add(
        "--build",
        action="store_true",
        help="plan, build and compile ours, without a GPU, and stop; 1 if one fails",
    )
    add(
        "--dry", action="store_true", help="on the CPU, tiny, to try the command itself"
    )
