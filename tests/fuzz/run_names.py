"""Fuzz names: hostile file names, locations, functions, values and choices.

    python tests/fuzz/run_names.py --seconds 3600 --seed 1

Prints progress and findings, each with the seed that shows it again. The exit status is
1 where something was found.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent.parent), str(HERE.parent)]

from fuzz.names.fuzzer import NameFuzzer  # noqa: E402


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--seed", type=int, default=1, help="of the first case")
    parser.add_argument("--cases", type=int, help="stop after so many")
    given = parser.parse_args()
    fuzzer = NameFuzzer(
        given.seed,
        given.seconds,
        given.cases,
        tell=lambda text: print(ascii(text)[1:-1].replace("\\n", "\n"), flush=True),
    )
    fuzzer.run()
    return 1 if fuzzer.statistics.findings else 0


if __name__ == "__main__":
    sys.exit(main())
