"""tensor: slices, pads and reshapes against numpy, and what is out of bounds."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.examples import examples
from support.ir.interpreter import interpret
from tilewright.ir.errors import UserError

SETTINGS = settings(max_examples=examples(40), deadline=None)


def shaped(sizes: list[int] | tuple[int, ...], *, dynamic: bool = False) -> str:
    return "".join(f"{'?' if dynamic else size}x" for size in sizes) + "f32"


def numbers(*shape: int) -> np.ndarray:
    return np.arange(math.prod(shape), dtype=np.float32).reshape(shape) + 1


@st.composite
def windows(draw: st.DrawFn) -> tuple[list[int], list[int], list[int], list[int]]:
    """A shape, and offsets, sizes and strides that stay inside."""
    shape = draw(st.lists(st.integers(1, 7), min_size=1, max_size=3))
    offsets = [draw(st.integers(0, size - 1)) for size in shape]
    strides = [draw(st.integers(1, 3)) for _ in shape]
    sizes = [
        draw(st.integers(0, (size - offset - 1) // stride + 1))
        for size, offset, stride in zip(shape, offsets, strides, strict=True)
    ]
    return shape, offsets, sizes, strides


def mixed(values: list[int], start: int, mask: list[bool]) -> tuple[str, list[int]]:
    """A list of which some entries are arguments; the arguments' values."""
    entries: list[str] = []
    passed: list[int] = []
    for value, is_dynamic in zip(values, mask, strict=True):
        if is_dynamic:
            entries.append(f"%d{start + len(passed)}")
            passed.append(value)
        else:
            entries.append(str(value))
    return f"[{', '.join(entries)}]", passed


def window_text(
    window: tuple[list[int], list[int], list[int], list[int]], masks: list[list[bool]]
) -> tuple[str, list[int], str]:
    """The three lists of a slice, the dynamic values, and the slice's type."""
    _, offsets, sizes, strides = window
    texts: list[str] = []
    passed: list[int] = []
    for values, mask in zip((offsets, sizes, strides), masks, strict=True):
        text, more = mixed(values, len(passed), mask)
        texts.append(text)
        passed += more
    kept = [
        "?" if is_dynamic else str(size)
        for size, is_dynamic in zip(sizes, masks[1], strict=True)
    ]
    return " ".join(texts), passed, "x".join([*kept, "f32"])


def arguments(count: int) -> str:
    return "".join(f", %d{i}: index" for i in range(count))


def numpy_window(
    window: tuple[list[int], list[int], list[int], list[int]],
) -> tuple[slice, ...]:
    _, offsets, sizes, strides = window
    return tuple(
        slice(offset, offset + size * stride, stride)
        for offset, size, stride in zip(offsets, sizes, strides, strict=True)
    )


@SETTINGS
@given(windows(), st.data())
def test_slices_are_numpy_s(
    window: tuple[list[int], list[int], list[int], list[int]], data: st.DataObject
) -> None:
    shape = window[0]
    masks = [[data.draw(st.booleans()) for _ in shape] for _ in range(3)]
    lists, passed, part = window_text(window, masks)
    of = shaped(shape)
    text = f"""func.func @f(%t: tensor<{of}>{arguments(len(passed))})
        -> (tensor<{part}>, tensor<{of}>) {{
      %s = tensor.extract_slice %t{lists} : tensor<{of}> to tensor<{part}>
      %n = arith.negf %s : tensor<{part}>
      %r = tensor.insert_slice %n into %t{lists} : tensor<{part}> into tensor<{of}>
      return %s, %r : tensor<{part}>, tensor<{of}>
    }}"""
    whole = numbers(*shape)
    before = whole.copy()
    part_of, inserted = interpret(text, whole, *passed)
    expected = whole[numpy_window(window)]
    np.testing.assert_array_equal(part_of, expected)
    assert part_of.shape == tuple(window[2])
    replaced = whole.copy()
    replaced[numpy_window(window)] *= -1
    np.testing.assert_array_equal(inserted, replaced)
    np.testing.assert_array_equal(whole, before)


@SETTINGS
@given(st.lists(st.sampled_from([1, 1, 2, 3]), min_size=1, max_size=4), st.data())
def test_unit_dimensions_are_dropped(sizes: list[int], data: st.DataObject) -> None:
    units = [dim for dim, size in enumerate(sizes) if size == 1]
    gone = [dim for dim in units if data.draw(st.booleans())]
    kept = [size for dim, size in enumerate(sizes) if dim not in gone]
    zeros, ones = [0] * len(sizes), [1] * len(sizes)
    shape = [size + 1 for size in sizes]
    text = f"""func.func @f(%t: tensor<{shaped(shape)}>) -> tensor<{shaped(kept)}> {{
      %s = tensor.extract_slice %t{zeros} {sizes} {ones}
          : tensor<{shaped(shape)}> to tensor<{shaped(kept)}>
      return %s : tensor<{shaped(kept)}>
    }}"""
    whole = numbers(*shape)
    got = interpret(text, whole)
    assert got.shape == tuple(kept)
    window = whole[tuple(slice(0, size) for size in sizes)]
    np.testing.assert_array_equal(got, window.reshape(kept))
    back = f"""func.func @f(%s: tensor<{shaped(kept)}>, %t: tensor<{shaped(shape)}>)
        -> tensor<{shaped(shape)}> {{
      %r = tensor.insert_slice %s into %t{zeros} {sizes} {ones}
          : tensor<{shaped(kept)}> into tensor<{shaped(shape)}>
      return %r : tensor<{shaped(shape)}>
    }}"""
    np.testing.assert_array_equal(interpret(back, got, whole), whole)


@pytest.mark.parametrize(
    ("offset", "size", "stride", "message"),
    [
        (3, 6, 1, "out of bounds in dimension 0"),
        (-1, 2, 1, "out of bounds in dimension 0"),
        (0, 5, 2, "out of bounds in dimension 0"),
        (8, 1, 1, "out of bounds in dimension 0"),
        (0, -1, 1, "size -1 of dimension 0 is negative"),
        (0, 2, 0, "stride 0 of dimension 0"),
    ],
)
def test_slices_out_of_bounds_are_located(
    offset: int, size: int, stride: int, message: str
) -> None:
    text = """func.func @f(%t: tensor<8xf32>, %o: index, %n: index, %s: index)
        -> tensor<?xf32> {
      %r = tensor.extract_slice %t[%o] [%n] [%s] : tensor<8xf32> to tensor<?xf32>
      return %r : tensor<?xf32>
    }"""
    with pytest.raises(UserError, match=rf"test.mlir:3:\d+: .*{message}"):
        interpret(text, numbers(8), offset, size, stride)


@SETTINGS
@given(
    st.lists(
        st.tuples(st.integers(0, 4), st.integers(0, 3), st.integers(0, 3)),
        min_size=1,
        max_size=3,
    ),
    st.booleans(),
    st.booleans(),
)
def test_pads_are_numpy_s(
    dims: list[tuple[int, int, int]], dynamic: bool, nofold: bool
) -> None:
    shape = [size for size, _, _ in dims]
    low, high = [low for _, low, _ in dims], [high for _, _, high in dims]
    made = [a + s + b for s, a, b in dims]
    of, to = shaped(shape), shaped(made, dynamic=dynamic)
    rank = len(dims)
    if dynamic:
        lows = f"[{', '.join(f'%d{i}' for i in range(rank))}]"
        highs = f"[{', '.join(f'%d{rank + i}' for i in range(rank))}]"
    else:
        lows, highs = str(low), str(high)
    count = 2 * rank if dynamic else 0
    indices = ", ".join(f"%i{dim}: index" for dim in range(rank))
    text = f"""func.func @f(%t: tensor<{of}>, %v: f32{arguments(count)})
        -> tensor<{to}> {{
      %r = tensor.pad %t {"nofold " if nofold else ""}low{lows} high{highs} {{
      ^bb0({indices}):
        tensor.yield %v : f32
      }} : tensor<{of}> to tensor<{to}>
      return %r : tensor<{to}>
    }}"""
    whole = numbers(*shape)
    passed = [*low, *high] if dynamic else []
    widths = list(zip(low, high, strict=True))
    expected = np.pad(whole, widths, constant_values=-5)
    np.testing.assert_array_equal(interpret(text, whole, -5.0, *passed), expected)


BORDER = """func.func @f(%t: tensor<3x4xf32>) -> tensor<5x7xf32> {
  %r = tensor.pad %t low[1, 0] high[1, 3] {
  ^bb0(%i: index, %j: index):
    BODY
    tensor.yield %v : f32
  } : tensor<3x4xf32> to tensor<5x7xf32>
  return %r : tensor<5x7xf32>
}"""
COMPUTED = """%ten = arith.constant 10 : index
    %s = arith.muli %i, %ten : index
    %k = arith.addi %s, %j : index
    %n = arith.index_cast %k : index to i32
    %v = arith.sitofp %n : i32 to f32"""
BRANCHED = """%ten = arith.constant 10 : index
    %c0 = arith.constant 0 : index
    %is_first = arith.cmpi eq, %i, %c0 : index
    %k = scf.if %is_first -> (index) {
      scf.yield %j : index
    } else {
      %s = arith.muli %i, %ten : index
      %t2 = arith.addi %s, %j : index
      scf.yield %t2 : index
    }
    %n = arith.index_cast %k : index to i32
    %v = arith.sitofp %n : i32 to f32"""


@pytest.mark.parametrize("body", [COMPUTED, BRANCHED], ids=["computed", "branched"])
def test_a_border_is_computed_from_its_indices(body: str) -> None:
    result = interpret(BORDER.replace("BODY", body), numbers(3, 4))
    expected = np.array([[10 * i + j for j in range(7)] for i in range(5)], np.float32)
    expected[1:4, 0:4] = numbers(3, 4)
    np.testing.assert_array_equal(result, expected)


def test_only_the_border_is_computed() -> None:
    # Inside, the index would be out of bounds.
    body = """%c4 = arith.constant 4 : index
    %k = arith.subi %j, %c4 : index
    %v = tensor.extract %t[%k, %k] : tensor<3x4xf32>"""
    text = BORDER.replace("BODY", body).replace(
        "low[1, 0] high[1, 3]", "low[0, 0] high[0, 3]"
    )
    text = text.replace("5x7", "3x7")
    result = interpret(text, numbers(3, 4))
    np.testing.assert_array_equal(result[:, 4:], [[1, 6, 11]] * 3)


@pytest.mark.parametrize("sizes", [(0, 3), (2, 0), (2, 3)])
def test_generate_computes_every_element(sizes: tuple[int, int]) -> None:
    text = """func.func @f(%n: index, %m: index) -> tensor<?x2x?xi64> {
      %r = tensor.generate %n, %m {
      ^bb0(%i: index, %j: index, %k: index):
        %a = arith.muli %i, %m : index
        %b = arith.addi %a, %k : index
        %c = arith.subi %b, %j : index
        %v = arith.index_cast %c : index to i64
        tensor.yield %v : i64
      } : tensor<?x2x?xi64>
      return %r : tensor<?x2x?xi64>
    }"""
    n, m = sizes
    i, j, k = np.indices((n, 2, m))
    np.testing.assert_array_equal(interpret(text, n, m), i * m + k - j)


@SETTINGS
@given(st.lists(st.lists(st.integers(1, 4), min_size=1, max_size=3), max_size=3))
def test_reshapes_are_numpy_s(groups: list[list[int]]) -> None:
    large = [size for group in groups for size in group]
    small = [math.prod(group) for group in groups]
    dims = iter(range(len(large)))
    lists = [[next(dims) for _ in group] for group in groups]
    of, to = shaped(large), shaped(small)
    text = f"""func.func @f(%t: tensor<{of}>) -> (tensor<{to}>, tensor<{of}>) {{
      %c = tensor.collapse_shape %t {lists} : tensor<{of}> into tensor<{to}>
      %e = tensor.expand_shape %c {lists} output_shape {large}
          : tensor<{to}> into tensor<{of}>
      return %c, %e : tensor<{to}>, tensor<{of}>
    }}"""
    whole = numbers(*large)
    collapsed, expanded = interpret(text, whole)
    np.testing.assert_array_equal(collapsed, whole.reshape(small))
    np.testing.assert_array_equal(expanded, whole)


def test_dynamic_reshapes_check_their_sizes() -> None:
    text = """func.func @f(%t: tensor<?xf32>, %n: index) -> tensor<?x3xf32> {
      %e = tensor.expand_shape %t [[0, 1]] output_shape [%n, 3]
          : tensor<?xf32> into tensor<?x3xf32>
      return %e : tensor<?x3xf32>
    }"""
    np.testing.assert_array_equal(
        interpret(text, numbers(12), 4), numbers(12).reshape(4, 3)
    )
    with pytest.raises(UserError, match=r"test.mlir:2:\d+: .*12 elements cannot be"):
        interpret(text, numbers(12), 5)


def test_reshape_by_a_tensor_of_sizes() -> None:
    text = """func.func @f(%t: tensor<2x6xf32>, %s: tensor<3xi32>)
        -> tensor<?x2x?xf32> {
      %r = tensor.reshape %t(%s) : (tensor<2x6xf32>, tensor<3xi32>) -> tensor<?x2x?xf32>
      return %r : tensor<?x2x?xf32>
    }"""
    whole = numbers(2, 6)
    result = interpret(text, whole, np.array([3, 2, 2], np.int32))
    np.testing.assert_array_equal(result, whole.reshape(3, 2, 2))
    with pytest.raises(UserError, match="12 elements cannot have the shape"):
        interpret(text, whole, np.array([3, 2, 3], np.int32))
    with pytest.raises(UserError, match="dimension 1 has 3 elements"):
        interpret(text, whole, np.array([2, 3, 2], np.int32))


def test_concat_along_a_dimension() -> None:
    text = """func.func @f(%a: tensor<2x?xf32>, %b: tensor<2x3xf32>)
        -> tensor<2x?xf32> {
      %r = tensor.concat dim(1) %a, %b, %a
          : (tensor<2x?xf32>, tensor<2x3xf32>, tensor<2x?xf32>) -> tensor<2x?xf32>
      return %r : tensor<2x?xf32>
    }"""
    a, b = numbers(2, 4), -numbers(2, 3)
    expected = np.concatenate([a, b, a], axis=1)
    np.testing.assert_array_equal(interpret(text, a, b), expected)
    uneven = """func.func @f(%a: tensor<?x2xf32>, %b: tensor<?x2xf32>)
        -> tensor<?x4xf32> {
      %r = tensor.concat dim(1) %a, %b
          : (tensor<?x2xf32>, tensor<?x2xf32>) -> tensor<?x4xf32>
      return %r : tensor<?x4xf32>
    }"""
    with pytest.raises(UserError, match="parts of 3 and 4 elements in dimension 0"):
        interpret(uneven, numbers(3, 2), numbers(4, 2))


def test_elements_in_and_out() -> None:
    text = """func.func @f(%t: tensor<2x3xf32>, %v: f32, %i: index, %j: index)
        -> (f32, tensor<2x3xf32>, tensor<f32>, tensor<2xf32>) {
      %e = tensor.extract %t[%i, %j] : tensor<2x3xf32>
      %r = tensor.insert %v into %t[%i, %j] : tensor<2x3xf32>
      %z = tensor.from_elements %v : tensor<f32>
      %p = tensor.from_elements %e, %v : tensor<2xf32>
      return %e, %r, %z, %p : f32, tensor<2x3xf32>, tensor<f32>, tensor<2xf32>
    }"""
    whole = numbers(2, 3)
    element, inserted, zero, pair = interpret(text, whole, 9.0, 1, 2)
    assert element == 6 and zero.shape == () and zero == 9
    np.testing.assert_array_equal(pair, [6, 9])
    assert inserted[1, 2] == 9 and inserted[0, 0] == 1 and whole[1, 2] == 6
    with pytest.raises(UserError, match=r"test.mlir:3:\d+: .*index 3 is outside"):
        interpret(text, whole, 9.0, 1, 3)


def test_shapes_are_asked_for_and_asserted() -> None:
    text = """func.func @f(%t: tensor<?x3xf32>, %d: index)
        -> (index, index, tensor<4x3xf32>) {
      %n = tensor.dim %t, %d : tensor<?x3xf32>
      %r = tensor.rank %t : tensor<?x3xf32>
      %c = tensor.cast %t : tensor<?x3xf32> to tensor<4x3xf32>
      return %n, %r, %c : index, index, tensor<4x3xf32>
    }"""
    assert interpret(text, numbers(4, 3), 0)[:2] == [4, 2]
    with pytest.raises(UserError, match=r"test.mlir:5:\d+: .*of shape .5, 3. is cast"):
        interpret(text, numbers(5, 3), 0)
    with pytest.raises(UserError, match=r"test.mlir:3:\d+: .*no dimension 2"):
        interpret(text, numbers(4, 3), 2)


def test_negative_sizes_are_refused() -> None:
    text = """func.func @f(%n: index) -> tensor<?xf32> {
      %r = tensor.empty(%n) : tensor<?xf32>
      return %r : tensor<?xf32>
    }"""
    with pytest.raises(UserError, match=r"test.mlir:2:\d+: .*negative size"):
        interpret(text, -1)


EMPTY = """func.func @f(%n: index, %s: tensor<2xf32>) -> tensor<?xf32> {
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = tensor.insert_slice %s into %e[1] [2] [1] : tensor<2xf32> into tensor<?xf32>
  return %r : tensor<?xf32>
}"""


def test_what_was_never_written_shows() -> None:
    poisoned = interpret(EMPTY, 4, numbers(2), poison_uninitialized=True)
    np.testing.assert_array_equal(poisoned, np.float32([np.nan, 1, 2, np.nan]))


def test_bits_under_another_type() -> None:
    text = """func.func @f(%t: tensor<3xf32>) -> tensor<?xi32> {
      %r = tensor.bitcast %t : tensor<3xf32> to tensor<?xi32>
      return %r : tensor<?xi32>
    }"""
    values = np.float32([1.5, -0.0, np.inf])
    np.testing.assert_array_equal(interpret(text, values), values.view(np.int32))
