"""The command: every op of the table over OpInfo's samples."""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

import torch

from opinfo.coverage import coverage_lines
from opinfo.runs import Selection, run_here
from opinfo.samples import DTYPES, entries
from opinfo.tally import Tally
from opinfo.workers import Workers
from tilewright.torch_backend.ops.table import OPS


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; 1 if an op is wrong."""
    parser = _parser()
    given = parser.parse_args(arguments)
    if (mistake := _mistake(given)) is not None:
        parser.error(mistake)
    if given.coverage:
        print("\n".join(coverage_lines()))
        return 0
    warnings.simplefilter("ignore")
    tally = _tally(given)
    lines = list(tally.lines())
    print("\n".join(lines))
    if given.output is not None:
        given.output.write_text("\n".join(lines) + "\n")
    if given.json is not None:
        given.json.write_text(json.dumps(tally.as_json(), indent=1) + "\n")
    return int(bool(tally.failures))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m opinfo")
    parser.add_argument("--op", action="append", default=[], help="an OpInfo entry")
    parser.add_argument("--aten", help="only ATen ops whose name contains this")
    parser.add_argument("--dtype", action="append", choices=list(DTYPES))
    parser.add_argument("--limit", type=int, help="samples of each entry and type")
    parser.add_argument(
        "--calls-of-op", type=int, metavar="N", help="calls of each ATen op and type"
    )
    parser.add_argument("--kernels", action="store_true", help="planned kernels too")
    parser.add_argument(
        "--device", choices=["cpu", "cuda"], default="cpu", help="where the kernels run"
    )
    parser.add_argument("--workers", type=int, default=0, help="processes to check in")
    parser.add_argument(
        "--call-seconds", type=float, default=30.0, help="a worker's time for one call"
    )
    parser.add_argument("--seconds", type=float, help="the workers' time for all")
    parser.add_argument("--coverage", action="store_true", help="the core set only")
    parser.add_argument("-o", "--output", type=Path, help="write the report here")
    parser.add_argument("--json", type=Path, help="write the counts here")
    return parser


def _mistake(given: argparse.Namespace) -> str | None:
    """What is wrong with the arguments."""
    names = sorted({op.name for op in entries()})
    for unknown in sorted({*given.op} - {*names}):
        near = [name for name in names if unknown in name][:5]
        near = near or get_close_matches(unknown, names, 3)
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        return f"OpInfo has no entry '{unknown}'{hint}"
    if given.aten is not None and not any(given.aten in name for name in OPS):
        return f"--aten: no op of the table has '{given.aten}' in its name"
    if given.device == "cuda" and not torch.cuda.is_available():
        return "--device cuda: torch finds no GPU here"
    return None


def _tally(given: argparse.Namespace) -> Tally:
    selection = Selection(
        tuple(given.op),
        tuple(given.dtype or DTYPES),
        given.limit,
        given.kernels,
        given.aten,
        given.calls_of_op,
        given.device,
    )
    if not given.workers:
        return run_here(selection, _tell)
    return Workers(
        selection, given.workers, given.call_seconds, given.seconds, _tell
    ).run()


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
