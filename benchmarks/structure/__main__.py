"""The command line: `python benchmarks/structure --help`."""

from __future__ import annotations

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).parents[1])
    from structure.record import main

    sys.exit(main(sys.argv[1:]))
