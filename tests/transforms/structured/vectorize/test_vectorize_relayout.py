"""vectorize of linalg.pack and linalg.unpack; real MLIR runs them in `data/small`."""

from __future__ import annotations

import pytest

from support.transforms.schedules import (
    assert_same_numbers,
    match,
    refusal,
    schedule_of,
    transform,
    vectorize,
)


def packing(x: str, tiles: str, made: str, rest: str = "") -> str:
    return f"""\
func.func @f(%x: tensor<{x}xf32>, %o: tensor<{made}xf32>, %c: f32) -> tensor<{made}xf32> {{
  %r = linalg.pack %x padding_value(%c : f32) {rest} inner_dims_pos = [1, 0]
    inner_tiles = [{tiles}] into %o : tensor<{x}xf32> -> tensor<{made}xf32>
  return %r : tensor<{made}xf32>
}}
"""  # noqa: E501


def unpacking(x: str, tiles: str, made: str, rest: str = "") -> str:
    return f"""\
func.func @f(%x: tensor<{x}xf32>, %o: tensor<{made}xf32>) -> tensor<{made}xf32> {{
  %r = linalg.unpack %x {rest} inner_dims_pos = [1, 0] inner_tiles = [{tiles}] into %o
    : tensor<{x}xf32> -> tensor<{made}xf32>
  return %r : tensor<{made}xf32>
}}
"""


def vectorized(op: str, sizes: str | None) -> str:
    return schedule_of(match("%p", op), vectorize("%p", sizes))


PACKS = {
    "whole tiles": packing("6x8", "4, 3", "2x2x4x3"),
    "partial tiles": packing("5x7", "4, 3", "2x2x4x3"),
    "another order": packing("5x11", "4, 3", "3x2x4x3", "outer_dims_perm = [1, 0]"),
}
UNPACKS = {
    "whole tiles": unpacking("2x2x4x3", "4, 3", "6x8"),
    "partial tiles": unpacking("2x2x4x3", "4, 3", "5x7"),
    "another order": unpacking("3x2x4x3", "4, 3", "5x11", "outer_dims_perm = [1, 0]"),
}


@pytest.mark.parametrize("sizes", [None, "4, 3, 4, 3"])
@pytest.mark.parametrize("which", PACKS)
def test_numbers_of_packs(which, sizes, golden) -> None:
    ran = transform(PACKS[which], vectorized("linalg.pack", sizes))
    assert_same_numbers(ran)
    assert "linalg" not in ran.text
    if which == "another order" and sizes is not None:
        golden("transforms/vectorize_pack.mlir", ran.text)


@pytest.mark.parametrize("sizes", [None, "4, 3, 4, 3"])
@pytest.mark.parametrize("which", UNPACKS)
def test_numbers_of_unpacks(which, sizes) -> None:
    ran = transform(UNPACKS[which], vectorized("linalg.unpack", sizes))
    assert_same_numbers(ran)
    assert "linalg" not in ran.text


@pytest.mark.parametrize(
    ("sizes", "fact"),
    [
        ("2, 2", "2 vector sizes for a packed tensor of 4 dimensions"),
        ("1, 2, 4, 3", "does not cover dimension 0"),
        ("2, 2, 8, 3", "does not equal dimension 2"),
    ],
)
def test_sizes_that_do_not_fit(sizes: str, fact: str) -> None:
    error = refusal(PACKS["whole tiles"], vectorized("linalg.pack", sizes))
    assert fact in error.fact


def test_sizes_of_the_run_time() -> None:
    payload = packing("?x?", "4, 3", "?x?x4x3")
    assert "run time" in refusal(payload, vectorized("linalg.pack", None)).fact
    error = refusal(payload, vectorized("linalg.pack", "2, 2, 4, 3"))
    assert "does not cover" in error.fact
