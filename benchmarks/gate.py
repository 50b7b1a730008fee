"""Record what the compiler makes of many programs, and compare two records.

    python benchmarks/gate.py record --out before.json
    ... a change ...
    python benchmarks/gate.py record --out after.json
    python benchmarks/gate.py compare before.json after.json

A record has kernels, library calls, bytes moved, estimated time on an H200 and compile
time of the torch models of `torch_models`, of the works without a schedule of
`contenders/planned_works`, and of the functions of `small_modules`. It needs no GPU.
It also counts the product's lines and numeric constants. `compare` exits with 1 if a
geometric mean of estimated times grows by more than 1%, or a single one by more than
5%. `--times` of a record that was made on a GPU holds measured times too, `--rivals`
those of eager torch and torch.compile beside ours for the functions of `small_modules`.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from harness.gate.compare import compare
from harness.gate.record import KINDS, record


def main(arguments: list[str]) -> int:
    """Read the command line and do what it says."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    make = commands.add_parser("record", help="make a record")
    make.add_argument("--out", type=Path, required=True, help="the file to write")
    make.add_argument(
        "--kinds", default=",".join(KINDS), help="of what: %(default)s; default all"
    )
    make.add_argument("--only", default="", help="programs whose name matches this")
    make.add_argument(
        "--every", type=int, default=1, help="one program of this many (a prime)"
    )
    make.add_argument("--jobs", type=int, default=2, help="processes, default 2")
    make.add_argument(
        "--times", action="store_true", help="measure on this machine's GPU, too"
    )
    make.add_argument(
        "--rivals",
        action="store_true",
        help="on a GPU: time eager torch and torch.compile beside small modules",
    )
    both = commands.add_parser("compare", help="compare two records")
    both.add_argument("before", type=Path)
    both.add_argument("after", type=Path)
    both.add_argument("--all", action="store_true", help="list every change")
    options = parser.parse_args(arguments)
    if options.command == "record":
        return record(options)
    before, after = (json.loads(p.read_text()) for p in (options.before, options.after))
    return compare(before, after, every=options.all)


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))
    sys.exit(main(sys.argv[1:]))
