"""unfold: convolutions in any layout become products of gathered columns."""

from __future__ import annotations

import numpy as np
import pytest

from support.ir.interpreter import interpret
from support.mlir_opt import mlir_opt, needs_mlir
from support.transforms.schedules import (
    OP,
    assert_same_numbers,
    match,
    refusal,
    schedule_of,
    transform,
)
from support.windows import filled_window


def schedule(name: str, *more: str) -> str:
    return schedule_of(
        match("%c", f"linalg.{name}"),
        f"%a, %b = transform.tilewright.unfold %c : ({OP}) -> ({OP}, {OP})",
        *more,
    )


def test_golden(golden) -> None:
    ran = transform(filled_window("conv_2d_nhwc_hwcf"), schedule("conv_2d_nhwc_hwcf"))
    golden("transforms/convolutions_unfold.mlir", ran.text)


@pytest.mark.parametrize(
    "name",
    [
        "conv_1d_nwc_wcf",
        "conv_2d_nhwc_hwcf",
        "conv_2d_nchw_fchw",
        "conv_2d_ngchw_fgchw",
        "conv_2d_nhwgc_gfhwc",
        "conv_3d_ncdhw_fcdhw",
        "depthwise_conv_2d_nhwc_hwcm",
    ],
)
def test_numbers(name: str) -> None:
    ran = transform(filled_window(name), schedule(name))
    assert_same_numbers(ran, reduction=300)
    assert "tensor.extract %x[" in ran.text


def test_an_open_batch() -> None:
    payload = """\
func.func @f(%x: tensor<?x8x3xf32>, %w: tensor<2x3x4xf32>, %o: tensor<?x7x4xf32>)
    -> tensor<?x7x4xf32> {
  %r = linalg.conv_1d_nwc_wcf ins(%x, %w : tensor<?x8x3xf32>, tensor<2x3x4xf32>)
      outs(%o : tensor<?x7x4xf32>) -> tensor<?x7x4xf32>
  return %r : tensor<?x7x4xf32>
}
"""
    ran = transform(payload, schedule("conv_1d_nwc_wcf"))
    assert "tensor<?x6xf32>" in ran.text
    rng = np.random.default_rng(0)
    given = [
        rng.standard_normal(shape).astype(np.float32)
        for shape in ((5, 8, 3), (2, 3, 4), (5, 7, 4))
    ]
    np.testing.assert_allclose(
        interpret(ran.text, *given), interpret(payload, *given), rtol=1e-5, atol=1e-5
    )


@needs_mlir
def test_real_mlir_reads_the_result() -> None:
    name = "conv_2d_ngchw_gfchw"
    made = mlir_opt(transform(filled_window(name), schedule(name)).text)
    assert "tensor.extract" in made


@pytest.mark.parametrize(
    "name", ["pooling_nhwc_max", "depthwise_conv_2d_nhwc_hwc", "conv_2d"]
)
def test_windows_that_are_no_product_are_refused(name: str) -> None:
    error = refusal(filled_window(name), schedule(name))
    assert "no product of image and filter" in str(error)


def test_the_product_is_not_unfolded_again() -> None:
    name = "conv_2d_nhwc_hwcf"
    again = f"%d, %e = transform.tilewright.unfold %b : ({OP}) -> ({OP}, {OP})"
    error = refusal(filled_window(name), schedule(name, again))
    assert "no product of image and filter" in str(error)
