"""Kill tuning runs at random moments; check that nothing is lost or left behind.

    python tests/fuzz/run_kills.py --seconds 3600 --seed 1

Prints a line for each round. The first violation ends the program with status 1; the
folder of the run is kept.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent.parent), str(HERE.parent)]

from fuzz.kill_tuner import Killer, Violation  # noqa: E402


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="tilewright-kills-"))
    killer = Killer(folder, given.seed, tell=lambda text: print(text, flush=True))
    try:
        killer.run(given.seconds)
    except Violation as violation:
        print(f"in {folder}: {violation}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
