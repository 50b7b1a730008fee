"""func, scf, affine: what a loop, a branch and a call compute, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from support.ir.interpreter import interpret
from tilewright.ir.errors import UserError


def sums(bounds: str, kind: str, unsigned: str = "") -> str:
    """Adds up the indices of a loop whose bounds are arguments."""
    suffix = "" if kind == "index" else f" : {kind}"
    return f"""func.func @f({bounds}, %zero: {kind}) -> {kind} {{
      %r = scf.for {unsigned} %i = %lb to %ub step %s
          iter_args(%x = %zero) -> ({kind}){suffix} {{
        %n = arith.addi %x, %i : {kind}
        scf.yield %n : {kind}
      }}
      return %r : {kind}
    }}"""


def bounds(kind: str) -> str:
    return f"%lb: {kind}, %ub: {kind}, %s: {kind}"


@pytest.mark.parametrize("kind", ["index", "i32", "i64"])
def test_a_loop_runs_from_the_lower_bound_in_steps(kind: str) -> None:
    text = sums(bounds(kind), kind)
    assert interpret(text, 3, 20, 4, 0) == 3 + 7 + 11 + 15 + 19
    assert interpret(text, 5, 5, 1, 0) == 0
    assert interpret(text, -4, 2, 3, 0) == -4 - 1


def test_an_unsigned_loop_reads_its_bounds_so() -> None:
    last = np.array(2**32 - 1, np.uint32).astype(np.int32)
    first = np.array(2**32 - 4, np.uint32).astype(np.int32)
    text = sums(bounds("i32"), "i32", "unsigned")
    assert interpret(text, first, last, 1, 0) == -4 - 3 - 2
    assert interpret(text, 0, first, 2**31 - 1, 0) == 2**31 - 1
    assert interpret(sums(bounds("i32"), "i32"), 0, first, 1, 0) == 0


def test_a_step_of_zero_is_refused() -> None:
    with pytest.raises(UserError, match=r"test.mlir:2:\d+: .*step 0 is not positive"):
        interpret(sums(bounds("index"), "index"), 0, 4, 0, 0)


@pytest.mark.parametrize(("index", "expected"), [(2, 10), (-5, 20), (0, 30), (7, 30)])
def test_index_switch_takes_the_case_or_the_default(index: int, expected: int) -> None:
    text = """func.func @f(%i: index) -> i32 {
      %r = scf.index_switch %i -> i32
      case 2 {
        %a = arith.constant 10 : i32
        scf.yield %a : i32
      }
      case -5 {
        %a = arith.constant 20 : i32
        scf.yield %a : i32
      }
      default {
        %a = arith.constant 30 : i32
        scf.yield %a : i32
      }
      return %r : i32
    }"""
    assert interpret(text, index) == expected


def test_if_yields_of_the_branch_that_is_taken() -> None:
    text = """func.func @f(%c: i1, %a: f32, %b: f32) -> (f32, f32) {
      %r:2 = scf.if %c -> (f32, f32) {
        scf.yield %a, %b : f32, f32
      } else {
        scf.yield %b, %a : f32, f32
      }
      return %r#0, %r#1 : f32, f32
    }"""
    assert interpret(text, True, 1.0, 2.0) == [1, 2]
    assert interpret(text, False, 1.0, 2.0) == [2, 1]


def test_execute_region_runs_once() -> None:
    text = """func.func @f(%m: memref<i32>) {
      %one = arith.constant 1 : i32
      scf.execute_region {
        %a = memref.load %m[] : memref<i32>
        %b = arith.addi %a, %one : i32
        memref.store %b, %m[] : memref<i32>
        scf.yield
      }
      return
    }"""
    counter = np.array(4, np.int32)
    interpret(text, counter)
    assert counter == 5


PARALLEL = """func.func @f(%n: index, %m: memref<?x?xi32>) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %low = arith.constant -100 : i32
  %r:2 = scf.parallel (%i, %j) = (%c0, %c1) to (%n, %n) step (%c2, %c1)
      init (%zero, %low) -> (i32, i32) {
    %s = arith.muli %i, %j : index
    %v = arith.index_cast %s : index to i32
    memref.store %v, %m[%i, %j] : memref<?x?xi32>
    scf.reduce(%v, %v : i32, i32) {
    ^bb0(%a: i32, %b: i32):
      %t = arith.addi %a, %b : i32
      scf.reduce.return %t : i32
    }, {
    ^bb0(%a: i32, %b: i32):
      %t = arith.maxsi %a, %b : i32
      scf.reduce.return %t : i32
    }
  }
  return %r#0, %r#1 : i32, i32
}"""


@pytest.mark.parametrize("seed", [None, 0, 1])
def test_parallel_writes_and_reduces(seed: int | None) -> None:
    buffer = np.full((6, 6), -1, np.int32)
    total, greatest = interpret(PARALLEL, 6, buffer, shuffle_forall_seed=seed)
    points = [(i, j) for i in range(0, 6, 2) for j in range(1, 6)]
    assert total == sum(i * j for i, j in points)
    assert greatest == max(i * j for i, j in points)
    expected = np.full((6, 6), -1, np.int32)
    for i, j in points:
        expected[i, j] = i * j
    np.testing.assert_array_equal(buffer, expected)


def test_forall_with_lower_bounds_and_steps() -> None:
    text = """func.func @f(%t: tensor<10xi32>, %n: index) -> tensor<10xi32> {
      %r = scf.forall (%i) = (1) to (%n) step (3) shared_outs(%o = %t)
          -> (tensor<10xi32>) {
        %v = arith.index_cast %i : index to i32
        %s = tensor.splat %v : tensor<1xi32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %s into %o[%i] [1] [1]
              : tensor<1xi32> into tensor<10xi32>
        }
      }
      return %r : tensor<10xi32>
    }"""
    given = np.zeros(10, np.int32)
    result = interpret(text, given, 9, shuffle_forall_seed=5)
    np.testing.assert_array_equal(result, [0, 1, 0, 0, 4, 0, 0, 7, 0, 0])
    assert not given.any()


def test_functions_call_others_with_many_results() -> None:
    text = """func.func @main(%a: i32) -> (i32, i32) {
      %0:2 = call @both(%a, %a) : (i32, i32) -> (i32, i32)
      %1:2 = call @both(%0#0, %0#1) : (i32, i32) -> (i32, i32)
      return %1#0, %1#1 : i32, i32
    }
    func.func private @both(%a: i32, %b: i32) -> (i32, i32) {
      %0 = arith.addi %a, %b : i32
      %1 = arith.muli %a, %b : i32
      return %0, %1 : i32, i32
    }"""
    assert interpret(text, 3) == [6 + 9, 6 * 9]


RECURSION = """func.func @main(%a: i32) -> i32 {
  %0 = call @again(%a) : (i32) -> i32
  return %0 : i32
}
func.func private @again(%a: i32) -> i32 {
  %0 = call @other(%a) : (i32) -> i32
  return %0 : i32
}
func.func private @other(%a: i32) -> i32 {
  %0 = call @again(%a) : (i32) -> i32
  return %0 : i32
}"""


def test_recursion_is_refused_at_the_call() -> None:
    with pytest.raises(UserError, match=r"test.mlir:10:3: .*@again calls itself"):
        interpret(RECURSION, 1)


def test_a_declaration_cannot_be_called() -> None:
    text = """func.func private @elsewhere(i32) -> i32
    func.func @main(%a: i32) -> i32 {
      %0 = call @elsewhere(%a) : (i32) -> i32
      return %0 : i32
    }"""
    with pytest.raises(UserError, match=r"test.mlir:3:\d+: .*@elsewhere has no body"):
        interpret(text, 1)


@pytest.mark.parametrize(
    ("op", "i", "n", "expected"),
    [
        ("apply affine_map<(d0)[s0] -> (d0 floordiv 3 + s0)>", -7, 1, -3 + 1),
        ("apply affine_map<(d0)[s0] -> (d0 ceildiv 3 + s0)>", -7, 1, -2 + 1),
        ("apply affine_map<(d0)[s0] -> (d0 mod 3 + s0)>", -7, 1, 2 + 1),
        ("apply affine_map<(d0)[s0] -> (d0 floordiv s0)>", 17, 5, 3),
        ("min affine_map<(d0)[s0] -> (d0, s0 - d0, 12)>", 5, 9, 4),
        ("min affine_map<(d0)[s0] -> (d0, s0 * 2, 12)>", 50, 90, 12),
        ("max affine_map<(d0)[s0] -> (d0, s0 - d0, 12)>", 5, 9, 12),
        ("max affine_map<(d0)[s0] -> (d0 * 3, s0)>", 5, 9, 15),
    ],
)
def test_index_maps(op: str, i: int, n: int, expected: int) -> None:
    text = f"""func.func @f(%i: index, %n: index) -> index {{
      %r = affine.{op}(%i)[%n]
      return %r : index
    }}"""
    assert interpret(text, i, n) == expected


@pytest.mark.parametrize("divisor", [0, -2])
def test_an_index_map_divides_by_positive_numbers_only(divisor: int) -> None:
    text = """func.func @f(%i: index, %n: index) -> index {
      %r = affine.apply affine_map<(d0)[s0] -> (d0 mod s0)>(%i)[%n]
      return %r : index
    }"""
    with pytest.raises(UserError, match=rf"test.mlir:2:\d+: .*division by {divisor}"):
        interpret(text, 4, divisor)


def nested(depth: int) -> tuple[str, Any]:
    """Loops in loops, the value carried through all of them."""
    opening = [
        f"%r{d} = scf.for %i{d} = %c0 to %n step %c1 iter_args(%x{d} = "
        f"{'%zero' if d == 0 else f'%x{d - 1}'}) -> (i64) {{"
        for d in range(depth)
    ]
    body = [f"%s = arith.addi %x{depth - 1}, %one : i64", "scf.yield %s : i64", "}"]
    closing = [
        line
        for d in range(depth - 1, 0, -1)
        for line in (f"scf.yield %r{d} : i64", "}")
    ]
    lines = "\n".join([*opening, *body, *closing])
    return (
        f"""func.func @f(%n: index) -> i64 {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0 : i64
      %one = arith.constant 1 : i64
      {lines}
      return %r0 : i64
    }}""",
        lambda n: n**depth,
    )


@pytest.mark.parametrize("depth", [1, 2, 4])
def test_carried_values_pass_through_nests(depth: int) -> None:
    text, expected = nested(depth)
    for n in (0, 1, 3):
        assert interpret(text, n) == expected(n)


def test_affine_loops_branches_and_accesses() -> None:
    text = """func.func @f(%m: memref<8xf32>, %n: index) -> f32 {
      %zero = arith.constant 0.0 : f32
      affine.for %i = max affine_map<()[s0] -> (0, s0 - 9)>()[%n] to %n step 2 {
        affine.if affine_set<(d0)[s0] : (d0 - 4 >= 0, s0 - d0 - 1 >= 0)>(%i)[%n] {
          %v = affine.load %m[%i] : memref<8xf32>
          affine.store %v, %m[%i * 2 - %i + 1] : memref<8xf32>
        }
      }
      affine.parallel (%i) = (0) to (min(4, symbol(%n))) step (4) {
        %v = affine.vector_load %m[%i + 4] : memref<8xf32>, vector<4xf32>
        affine.vector_store %v, %m[%i] : memref<8xf32>, vector<4xf32>
      }
      %r = affine.for %i = 0 to 8 iter_args(%s = %zero) -> (f32) {
        %v = affine.load %m[%i] : memref<8xf32>
        %t = arith.addf %s, %v : f32
        affine.yield %t : f32
      }
      return %r : f32
    }"""
    values = np.arange(8, dtype=np.float32)
    assert interpret(text, values, 8) == 2 * (4 + 4 + 6 + 6)
    assert list(values) == [4, 4, 6, 6] * 2


def test_an_affine_access_outside_of_its_buffer_is_refused() -> None:
    text = """func.func @f(%m: memref<4xf32>) {
      affine.for %i = 0 to 5 {
        %v = affine.load %m[%i] : memref<4xf32>
        affine.store %v, %m[0] : memref<4xf32>
      }
      return
    }"""
    with pytest.raises(UserError, match="affine.load"):
        interpret(text, np.zeros(4, np.float32))
