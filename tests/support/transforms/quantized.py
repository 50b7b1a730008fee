"""Products to quantize, and the recipe of `quantize_matmul` in numpy."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np

from support.transforms.schedules import (
    OP,
    match,
    parse_payload,
    parse_schedule,
    schedule_of,
)
from tilewright.inspect.verify_each import VerifyEach
from tilewright.transforms.interpreter import run_schedule

FORMATS = {
    "f8E4M3FN": (ml_dtypes.float8_e4m3fn, 448.0),
    "f8E5M2": (ml_dtypes.float8_e5m2, 57344.0),
    "i8": (np.int8, 127.0),
}
NUMPY = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32}
NAMES = "%scales, %factors, %product, %scaled"


def quantize(form: str, flags: str = "", target: str = "%mm") -> str:
    given = f" {{{flags}}}" if flags else ""
    return (
        f"{NAMES} = transform.tilewright.quantize_matmul {target} to {form}{given} "
        f": ({OP}) -> ({OP}, {OP}, {OP}, {OP})"
    )


def step(form: str, flags: str = "", op: str = "linalg.matmul") -> str:
    return schedule_of(match("%mm", op), quantize(form, flags))


def product(
    m: Any, n: Any, k: Any, factors: str = "f32", made: str = "f32", c: bool = True
) -> str:
    """A B + C, or A B from zeros."""
    a, b, r = (
        f"tensor<{m}x{k}x{factors}>",
        f"tensor<{k}x{n}x{factors}>",
        (f"tensor<{m}x{n}x{made}>"),
    )
    zeros = (
        f"  %z = arith.constant 0.0 : {made}\n"
        f"  %i = linalg.fill ins(%z : {made}) outs(%c : {r}) -> {r}\n"
    )
    return (
        f"func.func @f(%a: {a}, %b: {b}, %c: {r}) -> {r} {{\n{'' if c else zeros}"
        f"  %r = linalg.matmul ins(%a, %b : {a}, {b}) "
        f"outs({'%c' if c else '%i'} : {r}) -> {r}\n  return %r : {r}\n}}\n"
    )


def other(op: str, a: str, b: str, r: str, body: str = "") -> str:
    return (
        f"func.func @f(%a: {a}, %b: {b}, %c: {r}) -> {r} {{\n"
        f"  %r = {op} ins(%a, %b : {a}, {b}) outs(%c : {r}) {body}-> {r}\n"
        f"  return %r : {r}\n}}\n"
    )


A, B, R = "tensor<2x4x6xf16>", "tensor<5x6xf16>", "tensor<2x4x5xf32>"


def assert_held(payload: str, schedule: str) -> VerifyEach:
    """Every step is verified, the one that rounds by its own bound."""
    module = parse_payload(payload)
    verifier = VerifyEach(module.clone())
    assert verifier.questions
    run_schedule(parse_schedule(schedule), module, observers=[verifier])
    assert verifier.rounded == 1 and verifier.questions
    return verifier
