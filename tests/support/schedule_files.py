"""Schedules of the examples and of `data/`, and how upstream runs them."""

from __future__ import annotations

import sys

from xdsl.dialects.builtin import ModuleOp

from support.mlir_opt import mlir_opt
from support.paths import DATA, EXAMPLES
from tilewright.ir.text import to_text
from tilewright.schedules.schedule import Schedule

EXAMPLE = EXAMPLES / "matmul_relu"
LINEAR = DATA / "linear.tw"
UPSTREAM = DATA / "linear.mlir"

POINT = {
    "BM": 128,
    "BN": 128,
    "BK": 64,
    "warps": 8,
    "stages": 3,
    "tail_placement": "fused",
    "loads": "descriptors",
}


def same(a: ModuleOp, b: ModuleOp) -> bool:
    return a.is_structurally_equivalent(b)


def with_payload(schedule: str, payload: str) -> str:
    """One text with schedule and payload, as mlir-opt takes it."""
    body = schedule[: schedule.rstrip().rindex("}")]
    return f"{body}\n{payload}\n}}\n"


def run_upstream(schedule: Schedule, payload: str) -> str:
    """The payload that real MLIR makes of it."""
    text = schedule.to_mlir().replace(f"@{schedule.name} attributes", "attributes")
    return mlir_opt(
        with_payload(text, payload),
        "--transform-interpreter",
        "--test-transform-dialect-erase-schedule",
        "--canonicalize",
        "--cse",
    )


def example_payload(m: int, n: int, k: int, dtype: str, bias: bool) -> str:
    sys.path.insert(0, str(EXAMPLE))
    try:
        import generate
    finally:
        sys.path.remove(str(EXAMPLE))
    return generate.payload_text(m, n, k, dtype, bias)


def nameless(schedule: Schedule) -> str:
    """The IR of a schedule, without the names of handles."""
    module = schedule.module.clone()
    for op in module.walk():
        arguments = [a for region in op.regions for b in region.blocks for a in b.args]
        for value in (*op.results, *arguments):
            value.name_hint = None
    return to_text(module)
