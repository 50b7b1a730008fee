"""Time kernels whose warps have roles: `python benchmarks/warps --help`."""

from __future__ import annotations

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).parents[1])
    from warps.command import main

    sys.exit(main(sys.argv[1:]))
