"""Neutral elements, and reductions that drop NaN: every level says the same."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import torch
from xdsl.dialects.builtin import (
    Float8E4M3FNType,
    IntegerType,
    bf16,
    f32,
    i1,
    i8,
)
from xdsl.dialects.vector import CombiningKindFlag

from support.codegen.programs import built
from support.ir.interpreter import interpret
from tilewright.codegen.runtime.interpret import Job, interpret_all
from tilewright.codegen.standalone.reference.function import torch_reference
from tilewright.codegen.standalone.templates import REFERENCE_HELPERS
from tilewright.ir.dialects.arith import FastMathFlagsAttr
from tilewright.ir.interpreter import run
from tilewright.ir.structured.combiners import COMBININGS, neutral_element
from tilewright.pipeline import parse_payload

NAN = math.nan
ROWS = np.array(
    [
        [1, NAN, 3, 2],
        [NAN, NAN, NAN, NAN],
        [-math.inf, NAN, NAN, NAN],
        [math.inf, 1, NAN, -2],
    ],
    np.float32,
)


def _row_reduction(op: str, start: str) -> str:
    return f"""func.func @rows(%a: tensor<4x4xf32>) -> tensor<4xf32> {{
  %c = arith.constant {start} : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.reduce ins(%a : tensor<4x4xf32>) outs(%f : tensor<4xf32>)
      dimensions = [1] (%x: f32, %acc: f32) {{
        %s = arith.{op} %x, %acc : f32
        linalg.yield %s : f32
      }}
  return %r : tensor<4xf32>
}}"""


def _reference(text: str) -> Any:
    lines = torch_reference(parse_payload(text, "p.mlir"), "reference", set())
    space: dict[str, Any] = {"torch": torch}
    for helper in (*REFERENCE_HELPERS.values(), "\n".join(lines)):
        exec(helper, space)
    return space["reference"](torch.from_numpy(ROWS)).numpy()


STARTS = {
    "-inf": ("0xFF800000", -math.inf),
    "inf": ("0x7F800000", math.inf),
    "nan": ("0x7FC00000", NAN),
    "zero": ("0.0", 0.0),
}
UFUNCS = {
    "maxnumf": np.fmax,
    "minnumf": np.fmin,
    "maximumf": np.maximum,
    "minimumf": np.minimum,
}


@pytest.mark.slow
def test_rows_with_nans_at_every_level() -> None:
    """Interpreters of tensors and kernels, the torch reference, Triton's own."""
    jobs: list[Job] = []
    wanted: list[Any] = []
    for op, ufunc in UFUNCS.items():
        for text, start in STARTS.values():
            payload = _row_reduction(op, text)
            want = ufunc(ufunc.reduce(ROWS, axis=1), np.float32(start))
            program = built(payload)
            (of_tensors,) = run(parse_payload(payload, "p.mlir"), [ROWS])
            (of_kernel,) = run(program.kernel, [ROWS])
            for found in (of_tensors, of_kernel, _reference(payload)):
                np.testing.assert_array_equal(found, want)
            jobs.append(Job(program.program, [ROWS]))
            wanted.append(want)
    for (found,), want in zip(interpret_all(jobs), wanted, strict=True):
        np.testing.assert_array_equal(found, want)


TYPES = [f32, bf16, Float8E4M3FNType(), i1, i8, IntegerType(64)]


@pytest.mark.parametrize("kind", [row.kind for row in COMBININGS])
def test_neutral_elements_change_nothing(kind: CombiningKindFlag) -> None:
    for of in TYPES:
        for fastmath in (FastMathFlagsAttr("none"), FastMathFlagsAttr("fast")):
            neutral = neutral_element(kind, of, fastmath)
            if neutral is not None:
                _assert_neutral(kind, of, neutral)
                assert "ninf" not in str(fastmath) or _is_finite(neutral)


def _is_finite(neutral: Any) -> bool:
    return not math.isinf(neutral.value.data)


def _assert_neutral(kind: CombiningKindFlag, of: Any, neutral: Any) -> None:
    values = "0, -1" if isinstance(of, IntegerType) else "0.0, -2.5, 7.0"
    count = len(values.split(","))
    text = f"""func.func @f() -> vector<{count}x{of}> {{
  %x = arith.constant dense<[{values}]> : vector<{count}x{of}>
  %n = arith.constant dense<{_written(neutral)}> : vector<{count}x{of}>
  %m = vector.shape_cast %n : vector<{count}x{of}> to vector<1x{count}x{of}>
  %r = vector.multi_reduction <{kind.value}>, %m, %x [0]
      : vector<1x{count}x{of}> to vector<{count}x{of}>
  return %r : vector<{count}x{of}>
}}"""
    wanted = text.replace("return %r", "return %x")
    np.testing.assert_array_equal(
        interpret(text).astype(float), interpret(wanted).astype(float)
    )


def _written(neutral: Any) -> str:
    text = str(neutral).partition(" :")[0]
    return {"true": "true", "false": "false"}.get(text, text)


@pytest.mark.parametrize("kind", ["maxnumf", "minnumf"])
def test_a_masked_reduction_of_nothing_is_nan(kind: str) -> None:
    """As upstream starts it, so that nothing and NaNs alone are the same."""
    text = f"""func.func @f(%x: vector<4xf32>) -> f32 {{
  %m = vector.constant_mask [0] : vector<4xi1>
  %r = vector.mask %m {{ vector.reduction <{kind}>, %x : vector<4xf32> into f32 }}
      : vector<4xi1> -> f32
  return %r : f32
}}"""
    assert math.isnan(interpret(text, np.zeros(4, np.float32)))


def test_largest_of_no_bits() -> None:
    """An i1 read as a number is 0 or -1."""
    largest = neutral_element(CombiningKindFlag.MAXSI, i1)
    least = neutral_element(CombiningKindFlag.MINSI, i1)
    assert largest is not None and least is not None
    assert bool(largest.value.data) and not bool(least.value.data)
