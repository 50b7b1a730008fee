"""The words of `explain`."""

from __future__ import annotations

import re

from support.planned_kernels import planned
from support.structure_works import WORKS
from tilewright.codegen.targets import target_named
from tilewright.payloads import Payload, linear, softmax
from tilewright.pipeline import parse_payload
from tilewright.planning.explain import explain
from tilewright.planning.plan import plan

CONVOLUTION = """
func.func @f(%x: tensor<8x34x34x64xf16>, %w: tensor<3x3x64x128xf16>,
             %out: tensor<8x32x32x128xf32>) -> tensor<8x32x32x128xf32> {
  %zero = arith.constant 0.0 : f32
  %start = linalg.fill ins(%zero : f32) outs(%out : tensor<8x32x32x128xf32>)
    -> tensor<8x32x32x128xf32>
  %image = linalg.conv_2d_nhwc_hwcf
    ins(%x, %w : tensor<8x34x34x64xf16>, tensor<3x3x64x128xf16>)
    outs(%start : tensor<8x32x32x128xf32>) -> tensor<8x32x32x128xf32>
  return %image : tensor<8x32x32x128xf32>
}
"""


def test_ops_fusions_and_kernels_are_explained() -> None:
    p = Payload("f")
    x = p.input("x", (512, 256), "f16")
    w = p.input("w", (256, 1024), "f16")
    p.output(softmax(linear(x, w, activation="gelu")))
    text = explain(planned(p))
    assert "512 x 1024 x [256]" in text
    assert "x along d1 (1024x); w along d0 (512x)" in text
    assert "a row is 2.05 kB: registers" in text
    assert "registers do not hold a tile of rows of 1024 sums" in text
    assert re.search(r"product +linear +yes +[\d.]+ us together, [\d.]+ us apart", text)
    kernels = text[text.index("Kernels ") :]
    assert "product, linear" in kernels
    assert "whole_rows" in kernels


def test_a_payload_without_ops_has_nothing_to_explain() -> None:
    p = Payload("f")
    p.output(p.input("x", (4, 4), "f32"))
    assert "Fusions (times by the planner's model)\n\nnone" in explain(planned(p))


def test_operands_have_the_names_of_the_schedule() -> None:
    p = Payload("f")
    x = p.input("x", (512, 256), "f32")
    first, second = x.sum(1), (x * x).sum(1)
    p.output(first)
    p.output(x / second[:, None])
    assert "sum_2 along d1 (256x)" in explain(planned(p))


def test_libraries_are_named_with_their_times() -> None:
    p = Payload("f")
    x = p.input("x", (4096, 4096), "bf16")
    w = p.input("w", (4096, 4096), "bf16")
    p.output(x @ w)
    libraries = _libraries(explain(planned(p)))
    assert re.search(r"1 +cublas +(chosen|considered): library, [\d.]+ us", libraries)


def test_a_library_that_is_refused_says_why() -> None:
    p = Payload("f")
    x = p.input("x", (256, 256), "f16")
    w = p.input("w", (256, 256), "f16")
    p.output(softmax(x @ w).cast("f16") @ w)
    assert "cublas   refused: its kernel has other reductions, too" in _libraries(
        explain(planned(p))
    )


def test_a_convolution_that_is_unfolded_says_why_no_library_has_it() -> None:
    plan_of_convolution = plan(parse_payload(CONVOLUTION), target_named("h200"))
    libraries = _libraries(explain(plan_of_convolution))
    assert re.search(r"image, line 7 +cudnn +refused: \w+", libraries)


def _libraries(text: str) -> str:
    return text[text.index("Libraries ") :]


def test_structures_that_are_open() -> None:
    module = parse_payload(WORKS["two_layers"]().text())
    text = explain(plan(module, target_named("h200"), margin=1.3))
    (row,) = [line for line in text.splitlines() if "product_apart" in line]
    assert row.endswith("product | linear, product_2, linear_2")
    assert "Structures" not in explain(plan(module, target_named("h200")))
