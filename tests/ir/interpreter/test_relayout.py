"""`linalg.pack` and `linalg.unpack` against a definition by indices."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.examples import examples
from support.ir.interpreter import interpret
from tilewright.ir.errors import UserError

SETTINGS = settings(max_examples=examples(40), deadline=None)
Layout = tuple[list[int], list[int], list[int], list[int]]


@st.composite
def layouts(draw: st.DrawFn) -> Layout:
    """A shape, the tiled dimensions, their tiles, and the order of the others."""
    shape = draw(st.lists(st.integers(1, 7), min_size=1, max_size=3))
    dims = draw(st.permutations(range(len(shape))))
    dims = dims[: draw(st.integers(0, len(dims)))]
    tiles = [draw(st.integers(1, 4)) for _ in dims]
    return shape, list(dims), tiles, list(draw(st.permutations(range(len(shape)))))


def packed_by_indices(x: np.ndarray, layout: Layout, padding: float) -> np.ndarray:
    """What the definition says for each element."""
    shape, dims, tiles, order = layout
    tile = dict(zip(dims, tiles, strict=True))
    outer = [-(-shape[dim] // tile.get(dim, 1)) for dim in order]
    packed = np.full([*outer, *tiles], padding, x.dtype)
    for index in itertools.product(*map(range, packed.shape)):
        place = [0] * len(shape)
        for dim, position in zip(order, index, strict=False):
            place[dim] = position * tile.get(dim, 1)
        for dim, position in zip(dims, index[len(shape) :], strict=True):
            place[dim] += position
        if all(at < size for at, size in zip(place, shape, strict=True)):
            packed[index] = x[tuple(place)]
    return packed


def text(layout: Layout, packed: tuple[int, ...], *, dynamic: bool) -> str:
    shape, dims, tiles, order = layout
    sizes = [f"%t{i}" for i in range(len(tiles))] if dynamic else tiles
    kind = f"outer_dims_perm = {order} inner_dims_pos = {dims} inner_tiles = "
    kind += f"[{', '.join(map(str, sizes))}]"
    whole = "".join(f"{size}x" for size in shape) + "f32"
    inner = ["?" if dynamic else size for size in tiles]
    outer = ["?" if dynamic else n for n in packed[: len(shape)]]
    tiled = "".join(f"{size}x" for size in [*outer, *inner]) + "f32"
    names = range(len(tiles) if dynamic else 0)
    arguments = "".join(f", %t{i}: index" for i in names)
    return f"""
      func.func @f(%x: tensor<{whole}>, %o: tensor<{tiled}>{arguments})
          -> (tensor<{tiled}>, tensor<{whole}>) {{
        %c = arith.constant -1.0 : f32
        %p = linalg.pack %x padding_value(%c : f32) {kind} into %o
          : tensor<{whole}> -> tensor<{tiled}>
        %u = linalg.unpack %p {kind} into %x : tensor<{tiled}> -> tensor<{whole}>
        return %p, %u : tensor<{tiled}>, tensor<{whole}>
      }}"""


@SETTINGS
@given(layouts(), st.booleans())
def test_a_tensor_is_packed_and_unpacked(layout: Layout, dynamic: bool) -> None:
    x = np.random.default_rng(0).random(layout[0], np.float32)
    expected = packed_by_indices(x, layout, -1.0)
    tiles = [np.int64(tile) for tile in layout[2]] if dynamic else []
    program = text(layout, expected.shape, dynamic=dynamic)
    packed, unpacked = interpret(program, x, np.zeros_like(expected), *tiles)
    np.testing.assert_array_equal(packed, expected)
    np.testing.assert_array_equal(unpacked, x)


PARTIAL = """
  func.func @f(%x: tensor<?xf32>, %o: tensor<?x4xf32>) -> tensor<?x4xf32> {
    %p = linalg.pack %x inner_dims_pos = [0] inner_tiles = [4] into %o
      : tensor<?xf32> -> tensor<?x4xf32>
    return %p : tensor<?x4xf32>
  }"""


@pytest.mark.parametrize(
    ("size", "tiles", "message"),
    [
        (7, 2, "a tile is partial, and there is no padding_value"),
        (8, 3, "the packed tensor has shape [3, 4], expected [2, 4]"),
    ],
)
def test_undefined_behaviour_is_an_error(size: int, tiles: int, message: str) -> None:
    with pytest.raises(UserError) as caught:
        interpret(PARTIAL, np.ones(size, np.float32), np.ones((tiles, 4), np.float32))
    assert message in str(caught.value)
