"""apply_cse, apply_dce, apply_licm, loop.hoist_loop_invariant_subsets."""

from __future__ import annotations

import pytest

from support.mlir_opt import mlir_opt, needs_mlir
from support.transforms.payloads import linear
from support.transforms.same_program import assert_same_program
from support.transforms.schedules import (
    assert_same_numbers,
    by_real_mlir,
    match,
    on,
    patterns,
    refusal,
    schedule_of,
    transform,
)
from tilewright.ir.errors import SilenceableFailure

FUNC = match("%func", "func.func")
LOOPS = match("%loops", "scf.for")

TWICE = """\
func.func @f(%a: tensor<8xf32>, %n: index) -> (tensor<8xf32>, index) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f32
  %x = affine.apply affine_map<(d0) -> (d0 * 4)>(%n)
  %r = scf.for %i = %c0 to %c2 step %c2 iter_args(%t = %a) -> (tensor<8xf32>) {
    %y = affine.apply affine_map<(d0) -> (d0 * 4)>(%n)
    %z = affine.apply affine_map<(d0) -> (d0 * 5)>(%n)
    %w = arith.addi %y, %z : index
    %f = arith.index_cast %w : index to i32
    %g = arith.sitofp %f : i32 to f32
    %u = tensor.insert %g into %t[%i] : tensor<8xf32>
    scf.yield %u : tensor<8xf32>
  }
  %again = affine.apply affine_map<(d0) -> (d0 * 4)>(%n)
  %s = arith.addi %x, %again : index
  return %r, %s : tensor<8xf32>, index
}
"""
DEAD = """\
func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%one : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %l = scf.for %i = %c0 to %c2 step %c1 iter_args(%t = %f) -> (tensor<8xf32>) {
    %u = tensor.insert %one into %t[%i] : tensor<8xf32>
    scf.yield %u : tensor<8xf32>
  }
  %g = scf.forall (%i) in (2) shared_outs(%o = %l) -> (tensor<8xf32>) {
    %at = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
    %s = tensor.extract_slice %o[%at] [4] [1] : tensor<8xf32> to tensor<4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%at] [4] [1] : tensor<4xf32> into tensor<8xf32>
    }
  }
  return %a : tensor<8xf32>
}
"""  # noqa: E501
INVARIANT = """\
func.func @f(%a: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %pad = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %a) -> (tensor<8xf32>) {
    %x = affine.apply affine_map<(d0) -> (d0 + 1)>(%n)
    %m = vector.create_mask %x : vector<8xi1>
    %v = vector.transfer_read %a[%c0], %pad, %m {in_bounds = [true]} : tensor<8xf32>, vector<8xf32>
    %u = scf.for %j = %c0 to %c4 step %c1 iter_args(%s = %t) -> (tensor<8xf32>) {
      %y = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%i, %n)
      %k = vector.create_mask %y : vector<8xi1>
      %w = vector.transfer_write %v, %s[%c0], %k {in_bounds = [true]} : vector<8xf32>, tensor<8xf32>
      scf.yield %w : tensor<8xf32>
    }
    scf.yield %u : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
"""  # noqa: E501


def carried(read: str, compute: str, write: str, *, mask: bool = False) -> str:
    """A loop that reads the carried tensor, computes and writes it back."""
    given = ", %m" if mask else ""
    # Under a mask, padding that is a value would have to stay one in every iteration.
    pad = "ub.poison" if mask else "arith.constant 0.0"
    kinds = "tensor<8x8xf32>, vector<8x8xf32>"
    back = "vector<8x8xf32>, tensor<8x8xf32>"
    inside = "{in_bounds = [true, true]}"
    return f"""\
func.func @f(%a: tensor<8x8xf32>, %n: index) -> tensor<8x8xf32> {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %pad = {pad} : f32
  %m = vector.create_mask %n, %c4 : vector<8x8xi1>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %a) -> (tensor<8x8xf32>) {{
    %v = vector.transfer_read %t[{read}], %pad{given} {inside} : {kinds}
    {compute}
    %u = vector.transfer_write %w, %t[{write}]{given} {inside} : {back}
    scf.yield %u : tensor<8x8xf32>
  }}
  return %r : tensor<8x8xf32>
}}
"""


ADD = "%w = arith.addf %v, %v : vector<8x8xf32>"
ACCUMULATOR = carried("%c0, %c0", ADD, "%c0, %c0")
MASKED = carried("%c0, %c0", ADD, "%c0, %c0", mask=True)
MOVING = """\
func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %pad = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %a) -> (tensor<8xf32>) {
    %v = vector.transfer_read %t[%i], %pad {in_bounds = [true]} : tensor<8xf32>, vector<4xf32>
    %w = arith.addf %v, %v : vector<4xf32>
    %u = vector.transfer_write %w, %t[%i] {in_bounds = [true]} : vector<4xf32>, tensor<8xf32>
    scf.yield %u : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
"""  # noqa: E501
READ_TWICE = """\
func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %pad = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %a) -> (tensor<8xf32>) {
    %v = vector.transfer_read %t[%c0], %pad {in_bounds = [true]} : tensor<8xf32>, vector<4xf32>
    %x = vector.transfer_read %t[%c1], %pad {in_bounds = [true]} : tensor<8xf32>, vector<4xf32>
    %w = arith.addf %v, %x : vector<4xf32>
    %u = vector.transfer_write %w, %t[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<8xf32>
    scf.yield %u : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
"""  # noqa: E501
NESTED = """\
func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %pad = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %a) -> (tensor<8xf32>) {
    %s = scf.for %j = %c0 to %c4 step %c1 iter_args(%q = %t) -> (tensor<8xf32>) {
      %v = vector.transfer_read %q[%c0], %pad {in_bounds = [true]} : tensor<8xf32>, vector<4xf32>
      %w = arith.addf %v, %v : vector<4xf32>
      %u = vector.transfer_write %w, %q[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<8xf32>
      scf.yield %u : tensor<8xf32>
    }
    scf.yield %s : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
"""  # noqa: E501

BODIES = """\
func.func @f(%a: tensor<8xf32>, %b: tensor<8xf32>, %x: f32, %c: i1) -> (tensor<8xf32>, tensor<8xf32>, f32, f32, f32) {
  %e = tensor.empty() : tensor<8xf32>
  %g = tensor.empty() : tensor<8xf32>
  %0 = linalg.add ins(%a, %b : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %1 = linalg.add ins(%a, %b : tensor<8xf32>, tensor<8xf32>) outs(%g : tensor<8xf32>) -> tensor<8xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%i: f32, %o: f32):
    %s = arith.mulf %i, %x : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  %3 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%1 : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%i: f32, %o: f32):
    %s = arith.mulf %i, %x : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  %4 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%1 : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%i: f32, %o: f32):
    %s = arith.addf %i, %x : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  %5 = scf.if %c -> (f32) {
    %s = arith.addf %x, %x : f32
    scf.yield %s : f32
  } else {
    scf.yield %x : f32
  }
  %6 = scf.if %c -> (f32) {
    %s = arith.addf %x, %x : f32
    scf.yield %s : f32
  } else {
    scf.yield %x : f32
  }
  %7 = scf.if %c -> (f32) {
    %s = arith.subf %x, %x : f32
    scf.yield %s : f32
  } else {
    scf.yield %x : f32
  }
  %t = linalg.sub ins(%2, %3 : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %t, %4, %5, %6, %7 : tensor<8xf32>, tensor<8xf32>, f32, f32, f32
}
"""  # noqa: E501
EITHER_WAY = """\
func.func @f(%a: f32, %b: f32, %i: i32, %j: i32) -> (f32, f32, i32, i32, i32, i32) {
  %0 = arith.addf %a, %b : f32
  %1 = arith.addf %b, %a : f32
  %2 = arith.muli %i, %j : i32
  %3 = arith.muli %j, %i : i32
  %4 = arith.subi %i, %j : i32
  %5 = arith.subi %j, %i : i32
  return %0, %1, %2, %3, %4, %5 : f32, f32, i32, i32, i32, i32
}
"""
READS = """\
func.func @f(%m: memref<8xf32>, %x: f32, %c: i1) -> (f32, f32, f32, f32, f32, f32) {
  %n = memref.alloc() : memref<8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = memref.load %m[%c0] : memref<8xf32>
  %1 = memref.load %m[%c0] : memref<8xf32>
  %2 = memref.load %m[%c1] : memref<8xf32>
  memref.store %x, %n[%c0] : memref<8xf32>
  %3 = memref.load %m[%c0] : memref<8xf32>
  %4 = scf.if %c -> (f32) {
    %in = memref.load %m[%c0] : memref<8xf32>
    scf.yield %in : f32
  } else {
    scf.yield %x : f32
  }
  %5 = memref.load %m[%c0] : memref<8xf32>
  return %0, %1, %2, %3, %4, %5 : f32, f32, f32, f32, f32, f32
}
"""
EARLY = """\
func.func @f(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %m: memref<8xf32>, %v: vector<8x8xf32>, %mask: vector<8x8xi1>, %c: i1, %s8: tensor<8xf32>) -> (tensor<8x8xf32>, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %p = arith.constant 0.0 : f32
  %c7 = arith.constant 7 : i32
  // Values that nothing is known about, of which the numbers are known.
  %z = arith.constant 0 : index
  %k = arith.select %c, %c0, %z : index
  %o = arith.constant 1 : index
  %step = arith.select %c, %c1, %o : index
  %n = arith.addi %step, %c2 : index
  %s = arith.constant 7 : i32
  %i = arith.select %c, %c7, %s : i32
  %t = tensor.cast %s8 : tensor<8xf32> to tensor<?xf32>
  %r:2 = scf.for %l = %c0 to %n step %c1 iter_args(%x = %a, %y = %i) -> (tensor<8x8xf32>, i32) {
    %e = tensor.empty() : tensor<8x8xf32>
    %fill = linalg.fill ins(%p : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %mm = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%fill : tensor<8x8xf32>) -> tensor<8x8xf32>
    %div = arith.divsi %i, %i : i32
    %div2 = arith.divsi %i, %c7 : i32
    %rd = vector.transfer_read %m[%c0], %p : memref<8xf32>, vector<8xf32>
    %rt = vector.transfer_read %a[%c0, %c0], %p {in_bounds = [true, true]} : tensor<8x8xf32>, vector<8x8xf32>
    %wt = vector.transfer_write %v, %b[%c0, %c0] {in_bounds = [true, true]} : vector<8x8xf32>, tensor<8x8xf32>
    %mk = vector.mask %mask { vector.transfer_read %a[%c0, %c0], %p {in_bounds = [true, true]} : tensor<8x8xf32>, vector<8x8xf32> } : vector<8x8xi1> -> vector<8x8xf32>
    %dim = tensor.dim %t, %k : tensor<?xf32>
    %dim0 = tensor.dim %t, %c0 : tensor<?xf32>
    %es = tensor.extract_slice %a[%k, 0] [2, 8] [1, 1] : tensor<8x8xf32> to tensor<2x8xf32>
    %if = scf.if %c -> (i32) {
      %q = arith.muli %i, %i : i32
      scf.yield %q : i32
    } else {
      scf.yield %i : i32
    }
    %if2 = scf.if %c -> (i32) {
      %q = arith.divsi %i, %i : i32
      scf.yield %q : i32
    } else {
      scf.yield %i : i32
    }
    %loop = scf.for %j = %c0 to %n step %c1 iter_args(%w = %i) -> (i32) {
      %q = arith.addi %w, %i : i32
      scf.yield %q : i32
    }
    %loop2 = scf.for %j = %c0 to %n step %step iter_args(%w = %i) -> (i32) {
      %q = arith.addi %w, %i : i32
      scf.yield %q : i32
    }
    %fa = scf.forall (%j) in (8) shared_outs(%out = %b) -> (tensor<8x8xf32>) {
      %row = tensor.extract_slice %a[%j, 0] [1, 8] [1, 1] : tensor<8x8xf32> to tensor<1x8xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %row into %out[%j, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<8x8xf32>
      }
    }
    %s0 = linalg.add ins(%x, %mm : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %s1 = linalg.add ins(%s0, %wt : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %s2 = linalg.add ins(%s1, %fa : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %v0 = arith.addf %rt, %mk : vector<8x8xf32>
    %s3 = vector.transfer_write %v0, %s2[%c0, %c0] {in_bounds = [true, true]} : vector<8x8xf32>, tensor<8x8xf32>
    %s4 = vector.transfer_write %rd, %s3[%c0, %c0] {in_bounds = [true]} : vector<8xf32>, tensor<8x8xf32>
    %s5 = tensor.insert_slice %es into %s4[0, 0] [2, 8] [1, 1] : tensor<2x8xf32> into tensor<8x8xf32>
    %d0 = arith.addi %dim, %dim0 : index
    %d1 = arith.index_cast %d0 : index to i32
    %i0 = arith.addi %div, %div2 : i32
    %i1 = arith.addi %if, %if2 : i32
    %i2 = arith.addi %loop, %loop2 : i32
    %i3 = arith.addi %i0, %i1 : i32
    %i4 = arith.addi %i2, %i3 : i32
    %i5 = arith.addi %i4, %d1 : i32
    %i6 = arith.addi %i5, %y : i32
    scf.yield %s5, %i6 : tensor<8x8xf32>, i32
  }
  return %r#0, %r#1 : tensor<8x8xf32>, i32
}
"""  # noqa: E501

HOIST = on("loop.hoist_loop_invariant_subsets", "%loops")

# name: payload, steps, whether real MLIR makes the same of it
CASES = {
    "cse": (TWICE, [FUNC, on("apply_cse", "%func")], True),
    "cse_bodies": (BODIES, [FUNC, on("apply_cse", "%func")], True),
    "cse_either_way": (EITHER_WAY, [FUNC, on("apply_cse", "%func")], True),
    "cse_reads": (READS, [FUNC, on("apply_cse", "%func")], True),
    "dce": (DEAD, [FUNC, on("apply_dce", "%func")], True),
    "licm": (INVARIANT, [LOOPS, on("apply_licm", "%loops")], True),
    "licm_early": (EARLY, [LOOPS, on("apply_licm", "%loops")], True),
    "hoist": (ACCUMULATOR, [LOOPS, HOIST], True),
    "hoist_masked": (MASKED, [LOOPS, HOIST], False),
    "hoist_moving_place": (MOVING, [LOOPS, HOIST], True),
    "hoist_read_twice": (READ_TWICE, [LOOPS, HOIST], True),
    "hoist_nested": (NESTED, [LOOPS, HOIST], False),
}


@pytest.mark.parametrize("name", CASES)
def test_golden_and_numbers(name, golden) -> None:
    payload, steps, _ = CASES[name]
    ran = transform(payload, schedule_of(*steps))
    golden(f"transforms/{name}.mlir", ran.text)
    assert_same_numbers(ran)


@pytest.mark.sampled(12)
@needs_mlir
@pytest.mark.parametrize("name", CASES)
def test_real_mlir_agrees(name) -> None:
    payload, steps, same = CASES[name]
    schedule = schedule_of(*steps)
    ours = transform(payload, schedule).text
    if same:
        own = "hoist" not in name  # what cleans up must leave nothing to clean up
        assert_same_program(ours, by_real_mlir(payload, schedule), clean=not own)
    else:
        mlir_opt(ours)


@pytest.mark.sampled(8)
@pytest.mark.parametrize("name", CASES)
def test_a_second_application_changes_nothing(name) -> None:
    payload, steps, _ = CASES[name]
    once = transform(payload, schedule_of(*steps))
    twice = transform(payload, schedule_of(*steps, steps[-1]))
    assert twice.text == once.text


def test_cse_sees_what_is_in_scope_only() -> None:
    ran = transform(TWICE, schedule_of(on("apply_cse")))
    assert ran.text.count("* 4") == 1
    assert ran.text.count("* 5") == 1


def test_cse_keeps_zeros_of_both_signs() -> None:
    payload = """\
func.func @f(%a: f32) -> (f32, f32) {
  %p = arith.constant 0.0 : f32
  %n = arith.constant -0.0 : f32
  %x = arith.mulf %a, %p : f32
  %y = arith.mulf %a, %n : f32
  return %x, %y : f32, f32
}
"""
    ran = transform(payload, schedule_of(on("apply_cse")))
    assert ran.text.count("arith.constant") == 2


def test_cse_leaves_reads_of_buffers_alone() -> None:
    payload = """\
func.func @f(%m: memref<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %x = vector.transfer_read %m[%c0], %pad {in_bounds = [true]} : memref<4xf32>, vector<4xf32>
  %y = arith.addf %x, %x : vector<4xf32>
  vector.transfer_write %y, %m[%c0] {in_bounds = [true]} : vector<4xf32>, memref<4xf32>
  %z = vector.transfer_read %m[%c0], %pad {in_bounds = [true]} : memref<4xf32>, vector<4xf32>
  %r = vector.reduction <add>, %z : vector<4xf32> into f32
  return %r : f32
}
"""  # noqa: E501
    ran = transform(payload, schedule_of(on("apply_cse")))
    assert ran.text.count("transfer_read") == 2


def test_dce_takes_away_loops_and_grids_that_nobody_needs() -> None:
    ran = transform(DEAD, schedule_of(on("apply_dce")))
    assert [op.name for op in ran.module.walk()] == [
        "builtin.module",
        "func.func",
        "func.return",
    ]


def test_dce_keeps_what_has_an_effect() -> None:
    payload = """\
func.func @f(%a: memref<4xf32>) {
  %one = arith.constant 1.0 : f32
  linalg.fill ins(%one : f32) outs(%a : memref<4xf32>)
  return
}
"""
    ran = transform(payload, schedule_of(on("apply_dce")))
    assert "linalg.fill" in ran.text


def test_licm_does_not_move_what_may_trap() -> None:
    payload = """\
func.func @f(%a: i32, %n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %z) -> (i32) {
    %q = arith.divsi %a, %a : i32
    %s = arith.addi %t, %q : i32
    scf.yield %s : i32
  }
  return %r : i32
}
"""
    schedule = schedule_of(LOOPS, on("apply_licm", "%loops"))
    ran = transform(payload, schedule)
    assert_same_program(ran.text, by_real_mlir(payload, schedule))


def test_licm_out_of_a_grid() -> None:
    payload = """\
func.func @f(%a: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %r = scf.forall (%i) in (2) shared_outs(%o = %a) -> (tensor<8xf32>) {
    %x = affine.apply affine_map<(d0) -> (d0 * 0 + 4)>(%n)
    %at = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
    %s = tensor.extract_slice %a[%x] [4] [1] : tensor<8xf32> to tensor<4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%at] [4] [1] : tensor<4xf32> into tensor<8xf32>
    }
  }
  return %r : tensor<8xf32>
}
"""  # noqa: E501
    ran = transform(
        payload, schedule_of(match("%g", "scf.forall"), on("apply_licm", "%g"))
    )
    before = ran.text.partition("scf.forall")[0]
    assert before.count("affine.apply") == 1 and "extract_slice" in before
    assert_same_numbers(ran)


def test_what_an_inner_loop_accumulates_ends_up_in_front_of_the_outer_one() -> None:
    clean = patterns("canonicalization")
    ran = transform(NESTED, schedule_of(LOOPS, HOIST, clean, HOIST, clean))
    before, loop, inside = ran.text.partition("scf.for")
    assert "transfer_read" in before and "transfer_read" not in inside
    assert loop and inside.count("-> (vector<4xf32>)") == 2
    assert_same_numbers(ran)


@pytest.mark.parametrize(
    ("step", "fact"),
    [
        (on("apply_licm", "%func"), "apply_licm: 'func.func' is not a loop"),
        (
            on("loop.hoist_loop_invariant_subsets", "%func"),
            "hoist_loop_invariant_subsets: 'func.func' is not a loop",
        ),
    ],
)
def test_what_is_no_loop_is_refused(step, fact) -> None:
    error = refusal(linear(8, 8, 8), schedule_of(FUNC, step))
    assert isinstance(error, SilenceableFailure)
    assert (error.fact, error.remedy) == (fact, "match scf.for")
