"""pad_rows: operands are read from copies whose rows begin at multiples of 16 bytes."""

from __future__ import annotations

import pytest

from support.mlir_opt import mlir_opt, needs_mlir
from support.transforms.schedules import (
    OP,
    assert_same_numbers,
    evaluate,
    inputs_of,
    match,
    parse_payload,
    refusal,
    schedule_of,
    transform,
)


def pad_rows(at: str = "[0, 1]", op: str = "linalg.matmul", again: str = "") -> str:
    lines = [
        match("%h", op),
        f"%r, %c = transform.tilewright.pad_rows %h at {at} : ({OP}) -> ({OP}, {OP})",
        f'transform.annotate %c "made" : {OP}',
    ]
    if again:
        lines.append(
            f"%s, %d = transform.tilewright.pad_rows %r at {again} : "
            f"({OP}) -> ({OP}, {OP})"
        )
    return schedule_of(*lines)


def product(m: object, n: object, k: object, dtype: str = "f32") -> str:
    a, b, c = (f"tensor<{x}x{y}x{dtype}>" for x, y in ((m, k), (k, n), (m, n)))
    return f"""\
func.func @f(%a: {a}, %b: {b}, %c: {c}) -> {c} {{
  %r = linalg.matmul ins(%a, %b : {a}, {b}) outs(%c : {c}) -> {c}
  return %r : {c}
}}
"""


def test_both_operands(golden) -> None:
    ran = transform(product(4, 5, 7, "f16"), pad_rows())
    assert_same_numbers(ran)
    golden("transforms/pad_rows_of_product.mlir", ran.text)


@pytest.mark.parametrize("m, n, k", [(1, 1, 1), (7, 127, 3), (53, 53, 53)])
def test_odd_shapes(m: int, n: int, k: int) -> None:
    assert_same_numbers(transform(product(m, n, k), pad_rows()))


def test_an_operand_of_both_sides_is_copied_once() -> None:
    payload = """\
func.func @f(%a: tensor<5x5xf32>, %c: tensor<5x5xf32>) -> tensor<5x5xf32> {
  %r = linalg.matmul ins(%a, %a : tensor<5x5xf32>, tensor<5x5xf32>)
      outs(%c : tensor<5x5xf32>) -> tensor<5x5xf32>
  return %r : tensor<5x5xf32>
}
"""
    ran = transform(payload, pad_rows())
    assert_same_numbers(ran)
    assert ran.text.count("linalg.copy") == 1


def test_rows_that_begin_at_cache_lines() -> None:
    ran = transform(product(4, 5, 64, "f16"), pad_rows("[1] to 128"))
    assert_same_numbers(ran)
    assert "tensor<64x64xf16>" in ran.text


def test_batches() -> None:
    payload = """\
func.func @f(%a: tensor<3x4x5xf32>, %b: tensor<3x5x6xf32>, %c: tensor<3x4x6xf32>)
    -> tensor<3x4x6xf32> {
  %r = linalg.batch_matmul ins(%a, %b : tensor<3x4x5xf32>, tensor<3x5x6xf32>)
      outs(%c : tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
  return %r : tensor<3x4x6xf32>
}
"""
    ran = transform(payload, pad_rows("[1]", "linalg.batch_matmul"))
    assert_same_numbers(ran)
    assert "tensor<3x5x8xf32>" in ran.text


def test_a_number_of_rows_of_the_run_time() -> None:
    ran = transform(product("?", 5, 7), pad_rows())
    assert "bufferization.alloc_tensor(%" in ran.text
    inputs = inputs_of(parse_payload(product(6, 5, 7)))
    (want,), (got,) = evaluate(ran.before, inputs), evaluate(ran.module, inputs)
    assert (want == got).all()


@pytest.mark.parametrize(
    ("payload", "schedule", "fact"),
    [
        (product(4, 5, 8), pad_rows("[0]"), "input 0 begin at multiples of 16 bytes"),
        (product(4, "?", 7), pad_rows("[1]"), "input 1 have a length known only at"),
        (product(4, 5, 7), pad_rows("[2]"), "there is no input 2, the op has 2"),
        (product(4, 5, 7), pad_rows("[0] to 24"), "begin at multiples of 24 bytes"),
        (
            "func.func @f(%a: tensor<5xf32>, %c: tensor<5xf32>) -> tensor<5xf32> {\n"
            "  %r = linalg.exp ins(%a : tensor<5xf32>) outs(%c : tensor<5xf32>)"
            " -> tensor<5xf32>\n  return %r : tensor<5xf32>\n}\n",
            pad_rows("[0]", "linalg.exp"),
            "input 0 is no tensor with rows",
        ),
    ],
)
def test_refusals(payload: str, schedule: str, fact: str) -> None:
    assert fact in str(refusal(payload, schedule))


def test_padding_again_is_refused() -> None:
    found = refusal(product(4, 5, 7), pad_rows(again="[1]"))
    assert "input 1 begin at multiples of 16 bytes" in str(found)


@needs_mlir
@pytest.mark.parametrize("m", [4, "?"])
def test_mlir_reads_the_result(m: object) -> None:
    mlir_opt(transform(product(m, 5, 7), pad_rows()).text)
