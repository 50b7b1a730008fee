"""Time the IR: parse, print, clone, verify and CSE, beside plain xDSL; the interpreter.

    python benchmarks/ir.py --out benchmarks/results/ir.json

Ours and xDSL's take turns on the same text, the generic form of ops that both know; the
pretty form is ours alone. Times are medians of processor time; `ratio` is ours over
xDSL's; `growth` is the time an op takes in the largest module over the time it takes in
the smallest: 1 is linear. The interpreter runs `examples/payloads/*.mlir` on random
inputs, by the wall clock.
"""

from __future__ import annotations

import argparse
import gc
import io
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from xdsl.context import Context
from xdsl.dialects import (
    affine,
    arith,
    builtin,
    func,
    linalg,
    math,
    scf,
    tensor,
    vector,
)
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.transforms.common_subexpression_elimination import cse as xdsl_cse

from contenders.ir_modules import module_text
from harness.timing import command_line, environment, write_json
from tilewright.codegen.program import TensorSpec
from tilewright.ir.context import payload_context
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.errors import UserError
from tilewright.ir.interpreter import run
from tilewright.ir.interpreter.core.registry import find_function
from tilewright.ir.interpreter.core.signature import signature_of
from tilewright.ir.text import parse_module, read_module, to_text, verify
from tilewright.transforms.cleanup.apply_cse import eliminate_common
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.tuning.measure.inputs import random_inputs

SIZES = (1_000, 10_000)
PAYLOADS = Path(__file__).parents[1] / "examples" / "payloads"
Call = Callable[[], object]


def main() -> int:
    """Time everything and write it down."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--out", type=Path, help="write the figures here, as JSON")
    options.add_argument("--repeat", type=int, default=5, help="rounds of each timing")
    options.add_argument(
        "--sizes", type=int, nargs="+", default=SIZES, help="ops in the modules"
    )
    given = options.parse_args()
    modules = [time_module(size, given.repeat) for size in given.sizes]
    document = {
        "command": command_line(),
        "environment": {
            **environment(),
            "xdsl": version("xdsl"),
            "machine": platform.machine(),
            "cores": os.cpu_count(),
        },
        "modules": modules,
        "growth": growth(modules[0], modules[-1]),
        "interpreter": [time_payload(path, given.repeat) for path in payload_files()],
    }
    show(document)
    if given.out is not None:
        write_json(given.out, document)
    return 0


def plain_context() -> Context:
    """xDSL's own dialects."""
    context = Context()
    for dialect in (
        builtin.Builtin,
        func.Func,
        arith.Arith,
        math.Math,
        affine.Affine,
        tensor.Tensor,
        scf.Scf,
        linalg.Linalg,
        vector.Vector,
    ):
        context.load_dialect(dialect)
    return context


def time_module(size: int, repeat: int) -> dict[str, Any]:
    """The milliseconds of each operation on a module of about `size` ops."""
    pretty = module_text(size)
    ours, theirs = payload_context(), plain_context()
    module = parse_module(pretty, "pretty.mlir", ours)
    generic = to_text(module, generic=True)
    plain = Parser(theirs, generic, "generic.mlir").parse_module()
    pairs: dict[str, tuple[Call, Call | None]] = {
        "parse, generic": (
            lambda: parse_module(generic, "generic.mlir", ours),
            lambda: parse_plainly(generic, theirs),
        ),
        "parse, pretty": (lambda: parse_module(pretty, "pretty.mlir", ours), None),
        "print, generic": (
            lambda: to_text(module, generic=True),
            lambda: print_plainly(plain),
        ),
        "print, pretty": (lambda: to_text(module), None),
        "clone": (module.clone, plain.clone),
        "verify": (lambda: verify(module), plain.verify),
        "cse, with a clone": (
            lambda: eliminate_common(module.clone(), Rewriter()),
            lambda: xdsl_cse(plain.clone()),
        ),
    }
    return {
        "ops": sum(1 for _ in module.walk()),
        "characters": {"pretty": len(pretty), "generic": len(generic)},
        "times": {name: time_pair(*pair, repeat) for name, pair in pairs.items()},
    }


def parse_plainly(text: str, context: Context) -> ModuleOp:
    """Parse and verify with xDSL alone, as ours does both."""
    module = Parser(context, text, "generic.mlir").parse_module()
    module.verify()
    return module


def print_plainly(module: ModuleOp) -> str:
    """Print the generic form with xDSL alone."""
    stream = io.StringIO()
    Printer(stream=stream, print_generic_format=True).print_op(module)
    return stream.getvalue()


def time_pair(ours: Call, theirs: Call | None, repeat: int) -> dict[str, float]:
    """Median milliseconds of both, taking turns, and their ratio."""
    mine: list[float] = []
    other: list[float] = []
    for _ in range(repeat):
        mine.append(milliseconds(ours))
        if theirs is not None:
            other.append(milliseconds(theirs))
    found = {"ours_ms": statistics.median(mine)}
    if other:
        found["xdsl_ms"] = statistics.median(other)
        ratios = [a / b for a, b in zip(mine, other, strict=True)]
        found["ratio"] = statistics.median(ratios)
    return found


def milliseconds(call: Call, clock: Callable[[], float] = time.process_time) -> float:
    """One call's time; what others left behind is collected first."""
    gc.collect()
    start = clock()
    call()
    return (clock() - start) * 1e3


def growth(small: dict[str, Any], large: dict[str, Any]) -> dict[str, float]:
    """Time per op in the large module over that in the small one."""

    def per_op(module: dict[str, Any], name: str) -> float:
        return module["times"][name]["ours_ms"] / module["ops"]

    return {name: per_op(large, name) / per_op(small, name) for name in small["times"]}


def payload_files() -> list[Path]:
    """The example payloads; none where they have not been made."""
    return sorted(PAYLOADS.glob("*.mlir"))


def time_payload(path: Path, repeat: int) -> dict[str, Any]:
    """How long the interpreter takes for a payload, and for one element."""
    try:
        module = read_module(path, payload_context())
        arguments = signature_of(find_function(module, None)).arguments
        inputs = random_inputs(
            [TensorSpec(a.name, a.shape, a.element_type) for a in arguments]
        )
        times = [
            milliseconds(lambda: run(module, inputs), time.perf_counter)
            for _ in range(repeat)
        ]
    except (UserError, ValueError) as error:
        return {"payload": path.stem, "failed": str(error).splitlines()[0]}
    median = statistics.median(times)
    elements = sum(map(iterations, module.walk()))
    return {
        "payload": path.stem,
        "ms": median,
        "iterations": elements,
        "iterations_per_second": elements / median * 1e3,
    }


def iterations(op: object) -> int:
    """How often a structured op's body runs."""
    if not isinstance(op, StructuredOp):
        return 0
    product = 1
    for extent in op.get_static_loop_ranges():
        product *= max(extent, 0)
    return product


def show(document: dict[str, Any]) -> None:
    """A table for people."""
    for module in document["modules"]:
        print(f"{module['ops']} ops")
        for name, times in module["times"].items():
            line = f"  {name:20} {times['ours_ms']:9.1f} ms"
            if "ratio" in times:
                line += f"  xDSL {times['xdsl_ms']:9.1f} ms  {times['ratio']:5.2f}x"
            print(line)
    print("growth per op, largest over smallest module")
    for name, factor in document["growth"].items():
        print(f"  {name:20} {factor:5.2f}")
    print("interpreter")
    for row in document["interpreter"]:
        if "failed" in row:
            print(f"  {row['payload']:24} {row['failed']}")
        else:
            rate = f"{row['iterations_per_second']:9.3g} iterations/s"
            print(f"  {row['payload']:24} {row['ms']:9.1f} ms  {rate}")


if __name__ == "__main__":
    sys.exit(main())
