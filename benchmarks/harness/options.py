"""What the command lines of benchmarks have in common: a parser, and its checks."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from harness.timing import MINIMUM_ROUNDS


def benchmark_parser(
    description: str | None,
    example: str,
    *,
    budget: float,
    rounds: int | None = 5,
    unfit: str = "are skipped",
) -> argparse.ArgumentParser:
    """A parser whose help keeps the lines of its texts: rounds, budget, record.

    `unfit` says what becomes of works that do not fit the budget. A benchmark that has
    no rounds says None.
    """
    parser = argparse.ArgumentParser(
        description=description,
        epilog=example,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    if rounds is not None:
        parser.add_argument(
            "--rounds",
            type=int,
            default=rounds,
            help=f"timed rounds, at least {MINIMUM_ROUNDS} (%(default)s)",
        )
    parser.add_argument(
        "--budget",
        type=float,
        default=budget,
        metavar="SECONDS",
        help=f"works that would not fit this {unfit} (%(default)s)",
    )
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="where the JSON record goes"
    )
    return parser


def checked_options(
    parser: argparse.ArgumentParser,
    arguments: list[str],
    *,
    pattern: str,
    offline: Sequence[str],
) -> argparse.Namespace:
    """Parse, compile the option `pattern`, and refuse what cannot run here.

    The flags in `offline` need no GPU.
    """
    options = parser.parse_args(arguments)
    if "rounds" in options and options.rounds < MINIMUM_ROUNDS:
        parser.error(f"--rounds {options.rounds}: take {MINIMUM_ROUNDS} or more")
    try:
        setattr(options, pattern, re.compile(getattr(options, pattern)))
    except re.error as error:
        parser.error(f"--{pattern}: {error}")
    is_offline = any(getattr(options, name) for name in offline)
    if not is_offline and not torch.cuda.is_available():
        parser.error("there is no GPU here; --dry tries the command without one")
    return options


def run_works(bench: Any, options: argparse.Namespace) -> int:
    """Run a benchmark over its works, or list them; 2 if the pattern leaves none."""
    torch.backends.cuda.matmul.allow_tf32 = False
    if not bench.works:
        print("no work has such a name; --list shows them", file=sys.stderr)
        return 2
    if options.list:
        print("\n".join(bench.works))
        return 0
    with torch.no_grad():
        return bench.run()
