"""The command: every op of the table over OpInfo's samples."""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from tilewright.torch_backend.lowering.node_call import op_name
from tilewright.torch_backend.opinfo.check import check
from tilewright.torch_backend.opinfo.coverage import coverage_lines
from tilewright.torch_backend.opinfo.samples import DTYPES, Call, calls, entries
from tilewright.torch_backend.opinfo.tally import Tally


def run(
    names: Sequence[str] = (),
    dtypes: Sequence[str] = tuple(DTYPES),
    *,
    limit: int | None = None,
    kernels: bool = False,
    aten: str | None = None,
    progress: bool = False,
) -> Tally:
    """Check the calls of entries; equal calls count once.

    `limit` is the number of samples of each entry and type; `aten` keeps the calls of
    ops whose name contains it.
    """
    tally = Tally()
    seen: Counter[Any] = Counter()
    chosen = entries(names)
    start = time.perf_counter()
    for number, op in enumerate(chosen):
        for dtype in dtypes:
            for call in calls(op, DTYPES[dtype], limit):
                name = op_name(call.node)
                if aten is not None and aten not in name:
                    continue
                key = _signature(call)
                seen[key] += 1
                if seen[key] == 1:
                    tally.add(name, op.name, check(call, kernels=kernels))
        if progress and number % 20 == 19:
            spent = time.perf_counter() - start
            print(f"{number + 1} of {len(chosen)}: {spent:.0f} s", file=sys.stderr)
    return tally


def _signature(call: Call) -> Any:
    """Calls that differ in numbers only are equal."""

    def shown(value: Any) -> Any:
        if isinstance(value, torch.Tensor):
            return f"{value.dtype}{tuple(value.shape)}{value.stride()}"
        return repr(value)

    args = torch.fx.map_arg(
        (call.node.args, tuple(call.node.kwargs.items())),
        lambda node: shown(call.given[node]),  # pyright: ignore
    )
    return op_name(call.node), repr(args)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; 1 if an op is wrong."""
    parser = argparse.ArgumentParser(prog="python -m tilewright.torch_backend.opinfo")
    parser.add_argument("--op", action="append", default=[], help="an OpInfo entry")
    parser.add_argument("--aten", help="only ATen ops whose name contains this")
    parser.add_argument("--dtype", action="append", choices=list(DTYPES))
    parser.add_argument("--limit", type=int, help="samples of each entry and type")
    parser.add_argument("--kernels", action="store_true", help="planned kernels too")
    parser.add_argument("--coverage", action="store_true", help="the core set only")
    parser.add_argument("-o", "--output", type=Path, help="write the report here")
    given = parser.parse_args(arguments)
    lines = list(coverage_lines())
    failures: list[str] = []
    if not given.coverage:
        warnings.simplefilter("ignore")
        tally = run(
            given.op,
            given.dtype or tuple(DTYPES),
            limit=given.limit,
            kernels=given.kernels,
            aten=given.aten,
            progress=True,
        )
        lines, failures = list(tally.lines()), tally.failures
    print("\n".join(lines))
    if given.output is not None:
        given.output.write_text("\n".join(lines) + "\n")
    return int(bool(failures))
