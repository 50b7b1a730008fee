"""The parser: places, errors with a caret, and the floats xDSL misreads."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tilewright.codegen.generate import generate
from tilewright.ir.context import payload_context
from tilewright.ir.errors import UserError
from tilewright.ir.interpreter import run
from tilewright.ir.text import parse_module, place_of, read_module, to_text
from tilewright.pipeline import apply_schedule, read_payload
from tilewright.schedules.schedule import Schedule

EXAMPLES = Path(__file__).parents[1] / "examples" / "matmul_relu"


@pytest.mark.parametrize(
    ("literal", "type_", "expected"),
    [
        ("0xFF800000", "vector<4xf32>", -np.inf),
        ("0x7F800000", "tensor<4xf32>", np.inf),
        ("0xFC00", "vector<4xf16>", -np.inf),
        ("0xFF80", "vector<4xbf16>", -np.inf),
        ("0x3F800000", "vector<4xf32>", 1.0),
        ("0x10", "vector<4xi32>", 16),
    ],
)
def test_hexadecimal_elements_are_bits(
    literal: str, type_: str, expected: float
) -> None:
    text = (
        f"func.func @f() -> {type_} {{\n"
        f"  %a = arith.constant dense<{literal}> : {type_}\n"
        f"  return %a : {type_}\n}}"
    )
    module = parse_module(text, "hex.mlir", payload_context())
    (result,) = run(module, [])
    assert (result.astype(np.float64) == expected).all()
    again = parse_module(to_text(module), "again.mlir", payload_context())
    assert to_text(again) == to_text(module)


def test_every_op_has_its_place_and_clones_keep_it() -> None:
    module = read_module(EXAMPLES / "payload.mlir", payload_context())
    pairs = list(zip(module.walk(), module.clone().walk(), strict=True))
    assert len(pairs) > 8
    for original, copy in pairs[1:]:  # the module itself is not in the text
        place = place_of(original)
        assert place is not None and place == place_of(copy)
        assert place.text is not None


@pytest.mark.parametrize(
    ("text", "where", "message"),
    [
        ("func.func @f() {\n  %a = arith.constan 1 : i32\n}", "bad.mlir:2:8", "arith"),
        ("func.func @f() {\n  return %x : f32\n}", "bad.mlir:", "x"),
        (
            "func.func @f() {\n  %a = linalg.init_tensor [4] : tensor<4xf32>\n}",
            "bad.mlir:2:8",
            "it is tensor.empty today",
        ),
        (
            "func.func @f() {\n  %a = tensor.emtpy() : tensor<4xf32>\n}",
            "bad.mlir:2:8",
            "did you mean 'tensor.empty'?",
        ),
        ("func.func @f(", "bad.mlir:1:", "xpected"),
        (
            "func.func @f(%a: f32) {\n  %b = arith.addi %a, %a : f32\n  return\n}",
            "bad.mlir:2:",
            "",
        ),
    ],
)
def test_errors_say_where(text: str, where: str, message: str) -> None:
    with pytest.raises(UserError) as failure:
        parse_module(text, "bad.mlir", payload_context())
    assert str(failure.value).startswith(where)
    assert message in str(failure.value)
    assert "^" in str(failure.value)


def test_the_kernel_level_prints_and_parses_again() -> None:
    payload = read_payload(EXAMPLES / "payload_bias.mlir")
    schedule = Schedule.from_path(EXAMPLES / "tile_fuse_vectorize.tw")
    applied = apply_schedule(payload, schedule)
    text = to_text(generate(applied.payload).kernel_module)
    again = parse_module(text, "kernel.mlir", payload_context())
    assert to_text(again) == text
