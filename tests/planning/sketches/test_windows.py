"""Plans of poolings and convolutions that no library computes: gathers, matmuls."""

from __future__ import annotations

import pytest

from support.windows import filled_window
from tilewright.codegen.targets import TARGETS
from tilewright.ir.dialects.linalg import WINDOW_OPS
from tilewright.numeric_check import check_kernel_ir, check_triton_source, make_case
from tilewright.pipeline import build, parse_payload
from tilewright.planning.plan import plan
from tilewright.planning.preparation import prepare
from tilewright.schedules.language.syntax import Action

MAX_POOL = """\
func.func @pool(%x: tensor<2x3x17x17xf32>) -> tensor<2x3x8x8xf32> {
  %lowest = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<2x3x8x8xf32>
  %f = linalg.fill ins(%lowest : f32) outs(%e : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %w = tensor.empty() : tensor<3x3xf32>
  %r = linalg.pooling_nchw_max {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
    ins(%x, %w : tensor<2x3x17x17xf32>, tensor<3x3xf32>) outs(%f : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %o = tensor.empty() : tensor<2x3x8x8xf32>
  %y = linalg.exp ins(%r : tensor<2x3x8x8xf32>) outs(%o : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  return %y : tensor<2x3x8x8xf32>
}
"""  # noqa: E501

DEPTHWISE = """\
func.func @depthwise(%x: tensor<2x9x9x20xf16>, %k: tensor<3x3x20xf16>) -> tensor<2x7x7x20xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x7x7x20xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x7x7x20xf32>) -> tensor<2x7x7x20xf32>
  %r = linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %k : tensor<2x9x9x20xf16>, tensor<3x3x20xf16>)
    outs(%f : tensor<2x7x7x20xf32>) -> tensor<2x7x7x20xf32>
  return %r : tensor<2x7x7x20xf32>
}
"""  # noqa: E501

INTEGERS = """\
func.func @conv(%x: tensor<2x4x9xi32>, %k: tensor<6x4x3xi32>) -> tensor<2x6x7xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<2x6x7xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<2x6x7xi32>) -> tensor<2x6x7xi32>
  %r = linalg.conv_1d_ncw_fcw ins(%x, %k : tensor<2x4x9xi32>, tensor<6x4x3xi32>)
    outs(%f : tensor<2x6x7xi32>) -> tensor<2x6x7xi32>
  return %r : tensor<2x6x7xi32>
}
"""

OPEN_BATCH = MAX_POOL.replace("tensor<2x3x", "tensor<?x3x").replace(
    "  %e = tensor.empty()",
    "  %c0 = arith.constant 0 : index\n"
    "  %n = tensor.dim %x, %c0 : tensor<?x3x17x17xf32>\n"
    "  %e = tensor.empty(%n)",
)
OPEN_BATCH = OPEN_BATCH.replace("%o = tensor.empty()", "%o = tensor.empty(%n)")


@pytest.mark.parametrize(
    ("text", "shapes"),
    [
        (MAX_POOL, None),
        (DEPTHWISE, None),
        pytest.param(INTEGERS, None, marks=pytest.mark.slow),
        pytest.param(OPEN_BATCH, [(5, 3, 17, 17)], marks=pytest.mark.slow),
    ],
    ids=["max_pool", "depthwise", "integers", "open_batch"],
)
def test_windows_are_gathered(text: str, shapes: list[tuple[int, ...]] | None) -> None:
    payload = parse_payload(text)
    found = plan(payload, TARGETS["h200"], shapes=shapes)
    assert "= gather window_1" in found.text
    made = build(payload, found.schedule, {}, shapes=[shapes] if shapes else ())
    comparison = check_kernel_ir(made, make_case(payload, 0, shapes))
    assert comparison.ok, (comparison.message, found.text)


def test_a_tail_is_fused() -> None:
    found = plan(parse_payload(MAX_POOL), TARGETS["h200"])
    assert len(found.kernels) == 1


RELU = """\
  %y = linalg.generic {
      indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%r : RESULT) outs(%e : RESULT) {
  ^bb0(%a: f32, %u: f32):
    %m = arith.maximumf %a, %z : f32
    linalg.yield %m : f32
  } -> RESULT"""  # noqa: E501
OFTEN = ("conv_2d_nhwc_hwcf", "conv_2d_nchw_fchw", "conv_2d_ngchw_gfchw")
ON_TENSOR_CORES = (
    "conv_1d_ncw_fcw conv_1d_nwc_wcf conv_2d_nchw_fchw conv_2d_ngchw_fgchw "
    "conv_2d_ngchw_gfchw conv_2d_nhwc_fhwc conv_2d_nhwc_hwcf conv_2d_nhwgc_gfhwc "
    "conv_3d_ncdhw_fcdhw conv_3d_ndhwc_dhwcf"
).split()


@pytest.mark.parametrize(
    "name",
    [
        each if each in OFTEN else pytest.param(each, marks=pytest.mark.slow)
        for each in ON_TENSOR_CORES
    ],
)
def test_convolutions_are_matmuls(name: str) -> None:
    payload = parse_payload(filled_window(name))
    found = plan(payload, TARGETS["h200"])
    assert "= unfold window_1" in found.text and len(found.kernels) == 1
    made = build(payload, found.schedule, {})
    assert "tl.dot(" in made.program.text
    comparison = check_kernel_ir(made, make_case(payload, 0))
    assert comparison.ok, (comparison.message, found.text)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        each.removeprefix("linalg.")
        for each in WINDOW_OPS
        if each.removeprefix("linalg.") not in ON_TENSOR_CORES
    ],
)
def test_other_windows_are_reductions(name: str) -> None:
    payload = parse_payload(filled_window(name))
    found = plan(payload, TARGETS["h200"])
    made = build(payload, found.schedule, {})
    comparison = check_kernel_ir(made, make_case(payload, 0))
    assert comparison.ok, (comparison.message, found.text)


@pytest.mark.slow
def test_a_convolution_and_its_tail_in_tritons_interpreter() -> None:
    payload = parse_payload(filled_window("conv_2d_nhwc_hwcf", tail=RELU))
    found = plan(payload, TARGETS["h200"])
    assert len(found.kernels) == 1
    made = build(payload, found.schedule, {})
    (comparison,) = check_triton_source(made, [make_case(payload, 0)])
    assert comparison.ok, comparison.message


def test_pointwise_filters_are_read_by_pointers() -> None:
    """Their rows in memory have one element, since kernels see FxCx1x1."""
    filters = """\
func.func @pointwise(%x: tensor<2x32x16x16xf16>, %k: tensor<24x32x1x1xf16>) -> tensor<2x24x16x16xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x24x16x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x24x16x16xf32>) -> tensor<2x24x16x16xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%x, %k : tensor<2x32x16x16xf16>, tensor<24x32x1x1xf16>)
    outs(%f : tensor<2x24x16x16xf32>) -> tensor<2x24x16x16xf32>
  return %r : tensor<2x24x16x16xf32>
}
"""  # noqa: E501
    payload = parse_payload(filters)
    found = plan(payload, TARGETS["h200"])
    assert len(found.kernels) == 1 and "= unfold window_1" in found.text
    made = build(payload, found.schedule, {})
    assert "tl.dot(" in made.program.text
    comparison = check_kernel_ir(made, make_case(payload, 0))
    assert comparison.ok, (comparison.message, found.text)


@pytest.mark.parametrize("features", [7, 8])
def test_convolutions_to_8_features_are_unfolded(features: int) -> None:
    """Tensor cores multiply 8 columns at least; narrower images are gathered."""
    text = f"""
func.func @f(%x: tensor<2x10x10x16xf16>, %w: tensor<3x3x16x{features}xf16>,
             %o: tensor<2x8x8x{features}xf32>) -> tensor<2x8x8x{features}xf32> {{
  %r = linalg.conv_2d_nhwc_hwcf
    ins(%x, %w : tensor<2x10x10x16xf16>, tensor<3x3x16x{features}xf16>)
    outs(%o : tensor<2x8x8x{features}xf32>) -> tensor<2x8x8x{features}xf32>
  return %r : tensor<2x8x8x{features}xf32>
}}
"""
    prepared = prepare(parse_payload(text))
    made = [
        action.verb.text for action in prepared.statements if isinstance(action, Action)
    ]
    assert ("unfold" in made, "gather" in made) == (features == 8, features == 7)
