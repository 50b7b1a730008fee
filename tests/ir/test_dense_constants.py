"""Dense constants: a splat is one element, whatever the size of its type."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr

from support.mlir_opt import mlir_opt, needs_mlir
from support.transforms.canonicalized import canonicalized
from tilewright.ir.context import payload_context
from tilewright.ir.dialects import arith
from tilewright.ir.interpreter import run
from tilewright.ir.text import parse_module, to_text
from tilewright.pipeline import build, parse_payload

HUGE = """
func.func @f(%a: tensor<100000x100000xf32>) -> tensor<100000x100000xf32> {
  %c = arith.constant dense<1.5> : tensor<100000x100000xf32>
  %d = arith.constant dense<"0x0000C03F"> : tensor<100000x100000xf32>
  %m = arith.constant dense<true> : tensor<100000x100000xi1>
  %e = tensor.empty() : tensor<100000x100000xf32>
  %s = arith.addf %c, %d : tensor<100000x100000xf32>
  %r = linalg.add ins(%a, %s : tensor<100000x100000xf32>, tensor<100000x100000xf32>)
    outs(%e : tensor<100000x100000xf32>) -> tensor<100000x100000xf32>
  return %r : tensor<100000x100000xf32>
}
"""


def constants(text: str) -> list[DenseIntOrFPElementsAttr]:
    module = parse_module(text, "dense.mlir", payload_context())
    return [op.value for op in module.walk() if isinstance(op, arith.ConstantOp)]


def test_a_splat_of_any_size_is_one_element() -> None:
    assert all(len(value) == 1 for value in constants(HUGE))
    first, second, _ = constants(HUGE)
    assert first == second, "two spellings of one constant"


def test_a_splat_of_any_size_is_printed_and_emitted_as_one_number() -> None:
    payload = parse_payload(HUGE)
    text = to_text(payload)
    assert text.count("dense<1.500000e+00>") == 2 and len(text) < 2000
    source = build(payload, None).program.text
    assert len(source) < 20_000


def test_a_folded_splat_stays_one_element() -> None:
    text = to_text(canonicalized(parse_payload(HUGE)))
    assert "dense<3.000000e+00> : tensor<100000x100000xf32>" in text


@pytest.mark.parametrize(
    ("literal", "kind", "length"),
    [
        ("[1, 1, 1]", "3xi32", 1),
        ("[1, 2, 1]", "3xi32", 3),
        ("[0.0, -0.0]", "2xf32", 2),
        ("[0x7FC00000, 0x7FC00000]", "2xf32", 1),
        ("[[true, true], [true, true]]", "2x2xi1", 1),
        ("1", "0xi32", 0),
        ("7", "i32", 1),
    ],
)
def test_equal_elements_are_kept_once(literal: str, kind: str, length: int) -> None:
    (value,) = constants(
        f"func.func @f() {{\n  %c = arith.constant dense<{literal}> : tensor<{kind}>\n"
        "  return\n}"
    )
    assert len(value) == length


def test_a_splat_is_read_without_its_copies() -> None:
    text = """
    func.func @f(%i: index) -> f32 {
      %c = arith.constant dense<2.5> : tensor<1000000x1000000xf32>
      %r = tensor.extract %c[%i, %i] : tensor<1000000x1000000xf32>
      return %r : f32
    }"""
    module = parse_module(text, "dense.mlir", payload_context())
    assert run(module, [np.int64(999_999)])[0] == 2.5


def test_zeros_of_both_signs_are_not_one_number() -> None:
    """The emitted source once wrote them as a tensor of one zero."""
    text = """
    func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {
      %c = arith.constant dense<[0.0, -0.0]> : tensor<2xf32>
      %e = tensor.empty() : tensor<2xf32>
      %r = linalg.mul ins(%a, %c : tensor<2xf32>, tensor<2xf32>)
        outs(%e : tensor<2xf32>) -> tensor<2xf32>
      return %r : tensor<2xf32>
    }"""
    source = build(parse_payload(text), None).program.text
    assert "-0.0" in source and "torch.full" not in source


@needs_mlir
def test_many_elements_are_printed_as_bytes_that_mlir_reads() -> None:
    numbers = np.arange(128)
    digits = numbers.astype("<f4").tobytes().hex().upper()
    bits = ", ".join(str(bool(number % 3)).lower() for number in numbers)
    text = f"""func.func @f() -> (tensor<128xf32>, tensor<128xi1>) {{
  %c = arith.constant dense<"0x{digits}"> : tensor<128xf32>
  %b = arith.constant dense<[{bits}]> : tensor<128xi1>
  func.return %c, %b : tensor<128xf32>, tensor<128xi1>
}}
"""
    module = parse_module(text, "dense.mlir", payload_context())
    (function,) = module.ops
    assert to_text(function) == text
    mlir_opt(text)
    floats, flags = run(module, [])
    assert (floats == numbers).all()
    assert (flags == (numbers % 3 != 0)).all()
