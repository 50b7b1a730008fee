"""img2col, transposed filters, decomposed windows: golden IR, numbers, refusals.

`tests/data/small/convolutions.mlir` compares them with real MLIR.
"""

from __future__ import annotations

import pytest

from support.transforms.schedules import (
    OP,
    assert_same_numbers,
    match,
    refusal,
    schedule_of,
    transform,
)

TWO = {"convert_conv2d_to_img2col"}


def payload(name: str, *shapes: str, steps: str = "", of: str = "f32") -> str:
    x, w, o = (f"tensor<{shape}x{of}>" for shape in shapes)
    return (
        f"func.func @f(%x: {x}, %w: {w}, %o: {o}) -> {o} {{\n"
        f"  %r = linalg.{name} {steps} ins(%x, %w : {x}, {w}) outs(%o : {o}) -> {o}\n"
        f"  return %r : {o}\n}}\n"
    )


def schedule(name: str, verb: str) -> str:
    results, types = ("%a, %b", f"({OP}, {OP})") if verb in TWO else ("%a", OP)
    return schedule_of(
        match("%c", f"linalg.{name}"),
        f"{results} = transform.structured.{verb} %c : ({OP}) -> {types}",
    )


STRIDES = "{strides = dense<[2, 1]> : tensor<2xi64>}"
CASES = {
    "img2col_nhwc": (
        "convert_conv2d_to_img2col",
        "conv_2d_nhwc_hwcf",
        ("2x7x6x3", "3x2x3x4", "2x3x5x4"),
        STRIDES,
    ),
    "img2col_fhwc": (
        "convert_conv2d_to_img2col",
        "conv_2d_nhwc_fhwc",
        ("2x7x6x3", "4x3x2x3", "2x5x5x4"),
        "",
    ),
    "img2col_nchw": (
        "convert_conv2d_to_img2col",
        "conv_2d_nchw_fchw",
        ("2x3x7x6", "4x3x3x2", "2x4x3x5"),
        STRIDES,
    ),
    "img2col_depthwise": (
        "convert_conv2d_to_img2col",
        "depthwise_conv_2d_nhwc_hwc",
        ("1x7x6x3", "3x2x3", "1x3x5x3"),
        STRIDES,
    ),
    "transpose_conv2d": (
        "transpose_conv2d",
        "conv_2d_nhwc_fhwc",
        ("2x7x6x3", "4x3x2x3", "2x3x5x4"),
        STRIDES,
    ),
    "decompose_height": (
        "decompose",
        "conv_2d_nhwc_hwcf",
        ("2x1x6x3", "1x2x3x4", "2x1x5x4"),
        "",
    ),
    "decompose_first_row": (
        "decompose",
        "pooling_nchw_max",
        ("2x3x4x6", "1x2", "2x3x1x5"),
        "{strides = dense<[4, 1]> : tensor<2xi64>}",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_golden_and_numbers(case: str, golden) -> None:
    verb, name, shapes, steps = CASES[case]
    ran = transform(payload(name, *shapes, steps=steps), schedule(name, verb))
    assert_same_numbers(ran)
    golden(f"transforms/convolutions_{case}.mlir", ran.text)


@pytest.mark.parametrize(
    ("verb", "name", "shapes", "steps", "fact"),
    [
        (
            "convert_conv2d_to_img2col",
            "conv_2d_nhwc_hwcf",
            ("1x9x9x3", "3x3x3x4", "1x5x5x4"),
            "{dilations = dense<2> : tensor<2xi64>}",
            "all ones for dilations",
        ),
        (
            "convert_conv2d_to_img2col",
            "conv_2d_nhwc_hwcf",
            ("1x9x9x3", "3x3x3x4", "1x?x?x4"),
            "",
            "a size is not known",
        ),
        (
            "convert_conv2d_to_img2col",
            "conv_1d_nwc_wcf",
            ("1x9x3", "3x3x4", "1x7x4"),
            "",
            "is none of conv_2d_nhwc_hwcf",
        ),
        (
            "transpose_conv2d",
            "conv_2d_nhwc_hwcf",
            ("1x9x9x3", "3x3x3x4", "1x7x7x4"),
            "",
            "is none of linalg.conv_2d_nhwc_fhwc",
        ),
        (
            "decompose",
            "conv_2d_nhwc_hwcf",
            ("1x9x9x3", "1x3x3x4", "1x9x7x4"),
            "",
            "neither the heights nor the widths",
        ),
    ],
)
def test_refusals(verb: str, name: str, shapes, steps: str, fact: str) -> None:
    error = refusal(payload(name, *shapes, steps=steps), schedule(name, verb))
    assert fact in str(error)


def test_what_decompose_made_is_not_decomposed_again() -> None:
    verb, name, shapes, steps = CASES["decompose_height"]
    twice = schedule(name, verb).replace(
        "transform.yield",
        f"%d = transform.structured.decompose %a : ({OP}) -> {OP}\n  transform.yield",
    )
    error = refusal(payload(name, *shapes, steps=steps), twice)
    assert "'linalg.conv_1d_nwc_wcf' is not a named convolution" in str(error)
