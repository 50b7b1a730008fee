"""The example payloads that reduce rows, in many shapes, under their schedules."""

from __future__ import annotations

import functools
import re

from xdsl.dialects.builtin import ModuleOp

from support.paths import EXAMPLES
from tilewright.pipeline import Built, build, parse_payload
from tilewright.schedules.schedule import Schedule


def payload(name: str, rows: int, columns: int, dtype: str = "f16") -> str:
    """An example payload of 4096 x 1024 bf16, in another shape and type."""
    text = (EXAMPLES / "payloads" / f"{name}.mlir").read_text()
    text = text.replace("bf16", dtype)
    text = text.replace("x1024x", f"x{columns}x").replace("<1024x", f"<{columns}x")
    text = text.replace("<4096x", f"<{rows}x")
    return re.sub(r"1\.024000e\+03", f"{float(columns):e}", text)


CASES = {
    "layernorm": ("layernorm", 7, 1000, {"rows": 1, "warps": 4}),
    "layernorm, 4 rows": ("layernorm", 7, 127, {"rows": 4, "warps": 4}),
    "layernorm, long rows": ("layernorm", 2, 5120, {"rows": 1, "warps": 8}),
    "layernorm_residual": ("layernorm_residual", 5, 1024, {"rows": 1, "warps": 4}),
    "layernorm_residual, 2 rows": (
        "layernorm_residual",
        3,
        3000,
        {"rows": 2, "warps": 8},
    ),
    "rmsnorm": ("rmsnorm", 3, 1000, {"rows": 1, "warps": 4}),
    "rmsnorm, 4 rows": ("rmsnorm", 5, 3000, {"rows": 4, "warps": 8}),
    "softmax": ("softmax", 7, 1000, {"rows": 1, "warps": 4}),
    "softmax, 8 rows": ("softmax", 127, 7, {"rows": 8, "warps": 4}),
    "softmax, 1 column": ("softmax", 7, 1, {"rows": 1, "warps": 1}),
    "softmax, longest rows": ("softmax", 2, 50257, {"rows": 1, "warps": 32}),
    "softmax_loops": ("softmax", 3, 5000, {"BN": 2048}),
    "softmax_persistent": (
        "softmax",
        7,
        1024,
        {"warps": 4, "programs": 1, "stages": 3},
    ),
    "softmax_persistent, ragged": (
        "softmax",
        7,
        5120,
        {"warps": 8, "programs": 1, "stages": 2},
    ),
    "rmsnorm_partial": ("rmsnorm", 3, 8192, {}),
    "rmsnorm_partial, ragged": ("rmsnorm", 3, 5000, {}),
    "rmsnorm_partial, short": ("rmsnorm", 3, 100, {}),
}


@functools.cache
def built(name: str) -> Built:
    """The program of a case, by its example schedule."""
    *_, point = CASES[name]
    return build(payload_of(name), example(name.split(",")[0]), point)


def payload_of(name: str) -> ModuleOp:
    """The payload of a case."""
    source, rows, columns, _ = CASES[name]
    return parse_payload(payload(source, rows, columns), f"{source}.mlir")


def example(name: str) -> Schedule:
    """A schedule of examples/rows."""
    return Schedule.from_path(EXAMPLES / "rows" / f"{name}.tw")
