"""Fuzz the torch door: random functions through torch.compile, in strict mode.

    python tests/fuzz/run_torch.py --seconds 600 --seed 1

Each function is compiled with the planned kernels, which the numpy interpreter runs,
and compared with eager torch. Prints progress, findings, and the ops and segments that
stayed in torch with their reasons. The exit status is 1 where something was found.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent.parent), str(HERE.parent)]

from fuzz.torch_functions.fuzzer import TorchFuzzer  # noqa: E402
from tilewright.codegen.runtime.source_cache import SETTING  # noqa: E402


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=1, help="of the first function")
    parser.add_argument("--functions", type=int, help="stop after this number")
    given = parser.parse_args()
    os.environ[SETTING] = "off"  # nothing that an earlier run has compiled
    fuzzer = TorchFuzzer(
        given.seed,
        given.seconds,
        given.functions,
        tell=lambda text: print(text, flush=True),
        found=lambda found: print(found.report(), flush=True),
    )
    fuzzer.run()
    return 1 if fuzzer.statistics.findings else 0


if __name__ == "__main__":
    sys.exit(main())
