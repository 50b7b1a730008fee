"""Slices, buffers, grids: bounds, aliasing, iteration order, uninitialised reads."""

from __future__ import annotations

import numpy as np
import pytest

from support.ir.interpreter import interpret
from tilewright.ir.context import payload_context
from tilewright.ir.errors import UserError
from tilewright.ir.interpreter import run
from tilewright.ir.interpreter.core.registry import find_function
from tilewright.ir.interpreter.core.signature import DYNAMIC, signature_of
from tilewright.ir.text import parse_module

X = np.arange(20, dtype=np.float32).reshape(4, 5)

SLICE = """
func.func @f(%x: tensor<4x5xf32>, %i: index, %n: index) -> tensor<?x2xf32> {
  %r = tensor.extract_slice %x[%i, 1] [%n, 2] [1, 2]
    : tensor<4x5xf32> to tensor<?x2xf32>
  return %r : tensor<?x2xf32>
}"""


def test_extract_slice_with_strides() -> None:
    np.testing.assert_array_equal(interpret(SLICE, X, 1, 2), X[1:3, 1:4:2])
    # An empty slice touches nothing, wherever it is.
    assert interpret(SLICE, X, 4, 0).shape == (0, 2)
    assert interpret(SLICE, X, 5, 0).shape == (0, 2)


@pytest.mark.parametrize(("offset", "size"), [(3, 2), (-1, 2), (0, -1)])
def test_extract_slice_out_of_bounds(offset: int, size: int) -> None:
    with pytest.raises(UserError, match=r"test.mlir:3:3: .*dimension 0"):
        interpret(SLICE, X, offset, size)


def test_subview_out_of_bounds_shows_its_line() -> None:
    text = """
    func.func @f(%x: memref<4x5xf32>, %i: index) {
      %v = memref.subview %x[%i, 0] [2, 5] [1, 1]
        : memref<4x5xf32> to memref<2x5xf32, strided<[5, 1], offset: ?>>
      return
    }"""
    interpret(text, X.copy(), 2)
    with pytest.raises(UserError) as caught:
        interpret(text, X.copy(), 3)
    message = str(caught.value)
    assert "out of bounds in dimension 0: offset 3, size 2" in message
    assert "%v = memref.subview" in message


def test_subview_writes_through() -> None:
    text = """
    func.func @f(%x: memref<4x5xf32>, %row: memref<5xf32>) {
      %v = memref.subview %x[2, 0] [1, 5] [1, 1]
        : memref<4x5xf32> to memref<5xf32, strided<[1], offset: 10>>
      memref.copy %row, %v : memref<5xf32> to memref<5xf32, strided<[1], offset: 10>>
      return
    }"""
    x, row = X.copy(), np.full(5, 9, np.float32)
    interpret(text, x, row)
    np.testing.assert_array_equal(x[2], row)
    np.testing.assert_array_equal(np.delete(x, 2, 0), np.delete(X, 2, 0))


def test_rank_reducing_slices() -> None:
    text = """
    func.func @f(%x: tensor<4x1x5xf32>) -> tensor<4x1x5xf32> {
      %a = tensor.extract_slice %x[1, 0, 0] [1, 1, 5] [1, 1, 1]
        : tensor<4x1x5xf32> to tensor<1x5xf32>
      %b = tensor.extract_slice %x[0, 0, 2] [4, 1, 1] [1, 1, 1]
        : tensor<4x1x5xf32> to tensor<4xf32>
      %c = tensor.insert_slice %a into %x[0, 0, 0] [1, 1, 5] [1, 1, 1]
        : tensor<1x5xf32> into tensor<4x1x5xf32>
      %d = tensor.insert_slice %b into %c[0, 0, 0] [4, 1, 1] [1, 1, 1]
        : tensor<4xf32> into tensor<4x1x5xf32>
      return %d : tensor<4x1x5xf32>
    }"""
    x = X.reshape(4, 1, 5)
    want = x.copy()
    want[0, 0] = x[1, 0]
    want[:, 0, 0] = x[:, 0, 2]
    np.testing.assert_array_equal(interpret(text, x), want)


def test_insert_slice_leaves_its_destination_alone() -> None:
    text = """
    func.func @f(%x: tensor<4x5xf32>, %s: tensor<2x5xf32>)
        -> (tensor<4x5xf32>, tensor<4x5xf32>) {
      %r = tensor.insert_slice %s into %x[1, 0] [2, 5] [1, 1]
        : tensor<2x5xf32> into tensor<4x5xf32>
      return %r, %x : tensor<4x5xf32>, tensor<4x5xf32>
    }"""
    r, x = interpret(text, X, np.zeros((2, 5), np.float32))
    np.testing.assert_array_equal(x, X)
    assert (r[1:3] == 0).all() and (r[0] == X[0]).all()


def test_pad() -> None:
    text = """
    func.func @f(%x: tensor<4x5xf32>, %n: index) -> tensor<?x8xf32> {
      %z = arith.constant 7.0 : f32
      %r = tensor.pad %x low[1, 2] high[%n, 1] {
      ^bb0(%i: index, %j: index):
        tensor.yield %z : f32
      } : tensor<4x5xf32> to tensor<?x8xf32>
      return %r : tensor<?x8xf32>
    }"""
    want = np.pad(X, [(1, 3), (2, 1)], constant_values=7)
    np.testing.assert_array_equal(interpret(text, X, 3), want)


def grid(offset: str) -> str:
    """Each iteration writes two of eight elements, at `offset` of its index."""
    return f"""
    func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {{
      %r = scf.forall (%i) in (4) shared_outs(%o = %x) -> (tensor<8xf32>) {{
        %at = affine.apply affine_map<(d0) -> ({offset})>(%i)
        %v = arith.index_cast %i : index to i32
        %f = arith.sitofp %v : i32 to f32
        %t = tensor.splat %f : tensor<2xf32>
        scf.forall.in_parallel {{
          tensor.parallel_insert_slice %t into %o[%at] [2] [1]
            : tensor<2xf32> into tensor<8xf32>
        }}
      }}
      return %r : tensor<8xf32>
    }}"""


def test_a_right_grid_does_not_depend_on_the_order() -> None:
    start = np.zeros(8, np.float32)
    want = np.repeat(np.arange(4, dtype=np.float32), 2)
    for seed in (None, 0, 1, 2):
        got = interpret(grid("d0 * 2"), start, shuffle_forall_seed=seed)
        np.testing.assert_array_equal(got, want)
    np.testing.assert_array_equal(start, 0)


def test_shuffling_exposes_a_race() -> None:
    start = np.zeros(8, np.float32)
    results = [
        interpret(grid("d0"), start, shuffle_forall_seed=seed).tobytes()
        for seed in (None, 0, 1, 2, 3)
    ]
    assert len(set(results)) > 1


def test_shuffling_exposes_a_race_on_buffers() -> None:
    text = """
    func.func @f(%x: memref<8xf32>) {
      %one = arith.constant 1.0 : f32
      %c1 = arith.constant 1 : index
      scf.forall (%i) in (7) {
        %next = arith.addi %i, %c1 : index
        %v = memref.load %x[%i] : memref<8xf32>
        %w = arith.addf %v, %one : f32
        memref.store %w, %x[%next] : memref<8xf32>
      }
      return
    }"""
    results: set[bytes] = set()
    for seed in (None, 0, 1):
        x = np.zeros(8, np.float32)
        interpret(text, x, shuffle_forall_seed=seed)
        results.add(x.tobytes())
    assert len(results) > 1


def test_iterations_see_the_outputs_as_they_were() -> None:
    text = """
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %c0 = arith.constant 0 : index
      %r = scf.forall (%i) in (4) shared_outs(%o = %x) -> (tensor<4xf32>) {
        %v = tensor.extract %o[%c0] : tensor<4xf32>
        %w = arith.addf %v, %v : f32
        %t = tensor.splat %w : tensor<1xf32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %t into %o[%i] [1] [1]
            : tensor<1xf32> into tensor<4xf32>
        }
      }
      return %r : tensor<4xf32>
    }"""
    x = np.float32([1, 2, 3, 4])
    np.testing.assert_array_equal(interpret(text, x), [2, 2, 2, 2])


def test_loops_and_branches() -> None:
    text = """
    func.func @sum(%n: index) -> index {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %c0) -> (index) {
        %odd = arith.remui %i, %c2 : index
        %is_odd = arith.cmpi eq, %odd, %c1 : index
        %next = scf.if %is_odd -> (index) {
          %s = arith.addi %acc, %i : index
          scf.yield %s : index
        } else {
          scf.yield %acc : index
        }
        scf.yield %next : index
      }
      return %r : index
    }
    func.func @main(%n: index) -> index {
      %r = func.call @sum(%n) : (index) -> index
      return %r : index
    }"""
    assert interpret(text, 10) == 1 + 3 + 5 + 7 + 9


def test_reading_what_was_never_written_shows_on_request() -> None:
    text = """
    func.func @f(%x: tensor<3xf32>) -> (tensor<3xf32>, memref<2xi8>) {
      %e = tensor.empty() : tensor<3xf32>
      %r = linalg.add ins(%x, %e : tensor<3xf32>, tensor<3xf32>)
        outs(%e : tensor<3xf32>) -> tensor<3xf32>
      %m = memref.alloc() : memref<2xi8>
      return %r, %m : tensor<3xf32>, memref<2xi8>
    }"""
    x = np.ones(3, np.float32)
    r, m = interpret(text, x)
    assert (r == 1).all() and (m == 0).all()
    r, m = interpret(text, x, poison_uninitialized=True)
    assert np.isnan(r).all() and (m == 127).all()


def test_tensors_and_buffers_do_not_share() -> None:
    text = """
    func.func @f(%m: memref<3xf32>, %s: f32) -> tensor<3xf32> {
      %c0 = arith.constant 0 : index
      %t = bufferization.to_tensor %m restrict : memref<3xf32> to tensor<3xf32>
      memref.store %s, %m[%c0] : memref<3xf32>
      %b = bufferization.to_buffer %t : tensor<3xf32> to memref<3xf32>
      memref.store %s, %b[%c0] : memref<3xf32>
      return %t : tensor<3xf32>
    }"""
    m = np.ones(3, np.float32)
    np.testing.assert_array_equal(interpret(text, m, 5.0), [1, 1, 1])
    np.testing.assert_array_equal(m, [5, 1, 1])


def test_an_op_without_semantics_is_named_with_its_place() -> None:
    text = """
    func.func @f(%x: memref<4xf32>) {
      %p = "memref.extract_aligned_pointer_as_index"(%x) : (memref<4xf32>) -> index
      return
    }"""
    with pytest.raises(UserError) as caught:
        interpret(text, np.zeros(4, np.float32))
    message = str(caught.value)
    assert message.startswith("test.mlir:3:7: error: 'memref.extract_aligned_pointer")


def test_arguments_are_checked() -> None:
    text = "func.func @f(%x: tensor<?x4xf16>) { return }"
    with pytest.raises(UserError, match=r"argument x: \?x4xf16 .* 3x5xfloat16"):
        interpret(text, np.zeros((3, 5), np.float16))
    with pytest.raises(UserError, match="3x4xfloat32"):
        interpret(text, np.zeros((3, 4), np.float32))
    with pytest.raises(UserError, match="takes 1 arguments, got 0"):
        interpret(text)


def test_entry_has_to_be_clear() -> None:
    text = "func.func @f() { return }\nfunc.func @g() { return }"
    module = parse_module(text, "test.mlir", payload_context())
    assert run(module, [], entry="g") == []
    with pytest.raises(UserError, match="name one of: @f, @g"):
        run(module, [])
    with pytest.raises(UserError, match="no function @h"):
        run(module, [], entry="h")


def test_signature() -> None:
    text = """
    func.func @f(%a: tensor<2x?xbf16>, %b: memref<3xi8>, %n: index) -> tensor<2xf32> {
      %r = tensor.empty() : tensor<2xf32>
      return %r : tensor<2xf32>
    }"""
    module = parse_module(text, "test.mlir", payload_context())
    signature = signature_of(find_function(module, "f"))
    a, b, n = signature.arguments
    assert (a.name, a.shape, a.element_type, a.kind) == (
        "a",
        (2, DYNAMIC),
        "bf16",
        "tensor",
    )
    assert (b.shape, b.dtype, b.kind) == ((3,), np.dtype(np.int8), "memref")
    assert (n.shape, n.element_type, n.kind) == ((), "index", "scalar")
    assert signature.results[0].dtype == np.float32
