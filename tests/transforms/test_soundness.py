"""Programs on which a careless transformation gives wrong numbers, one a danger."""

from __future__ import annotations

import pytest

from tilewright.inspect.verify_each import VerifyEach
from tilewright.ir.errors import DefiniteFailure, SilenceableFailure
from tilewright.numeric_check import check_kernel_ir, make_case
from tilewright.pipeline import apply_schedule, build, parse_payload
from tilewright.schedules.schedule import Schedule


def keeps_its_numbers(payload: str, schedule: str, *, complete: bool = False) -> None:
    """Run a schedule and compare the numbers after every step."""
    module = parse_payload(payload)
    verifier = VerifyEach(module)
    assert not verifier.skipped
    apply_schedule(
        module,
        Schedule.from_text(f"schedule s(root) {{ {schedule} }}"),
        complete=complete,
        observers=[verifier],
    )


TWO_RESULTS = """
#m = affine_map<(d0) -> (d0)>
func.func @f(%a: tensor<64xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %one = arith.constant 1.0 : f32
  %r:2 = "linalg.generic"(%a, %e, %e) <{indexing_maps = [#m, #m, #m],
      iterator_types = [#linalg.iterator_type<parallel>],
      operandSegmentSizes = array<i32: 1, 2>}> ({
    ^bb0(%x: f32, %o: f32, %p: f32):
      %y = arith.addf %x, %one : f32
      %z = arith.mulf %x, %x : f32
      "linalg.yield"(%y, %z) : (f32, f32) -> ()
  }) : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>)
    -> (tensor<64xf32>, tensor<64xf32>)
  %s = linalg.sub ins(%r#0, %r#1 : tensor<64xf32>, tensor<64xf32>)
                  outs(%a : tensor<64xf32>) -> tensor<64xf32>
  return %s : tensor<64xf32>
}
"""


def test_two_results_into_one_empty_tensor_get_two_buffers() -> None:
    keeps_its_numbers(TWO_RESULTS, "root = bufferize root")
    payload = parse_payload(TWO_RESULTS)
    assert check_kernel_ir(build(payload, None), make_case(payload, 1)).ok


TRANSPOSED_MASK = """
#t = affine_map<(d0, d1) -> (d1, d0)>
func.func @f(%a: tensor<16x16xf32>, %v: vector<16x16xf32>) -> vector<16x16xf32> {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c9 = arith.constant 9 : index
  %pad = arith.constant 7.0 : f32
  %m = vector.create_mask %c3, %c9 : vector<16x16xi1>
  %w = vector.transfer_write %v, %a[%c0, %c0], %m
    {in_bounds = [true, true], permutation_map = #t}
    : vector<16x16xf32>, tensor<16x16xf32>
  %r = vector.transfer_read %w[%c0, %c0], %pad, %m
    {in_bounds = [true, true], permutation_map = #t}
    : tensor<16x16xf32>, vector<16x16xf32>
  return %r : vector<16x16xf32>
}
"""


def test_forwarding_minds_that_a_mask_is_in_the_order_of_the_source() -> None:
    keeps_its_numbers(TRANSPOSED_MASK, 'f = match "func.func" in root\ncanonicalize f')


PADDED_ACCUMULATOR = """
func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %z = arith.constant 0.0 : f32
  %one = arith.constant dense<1.0> : vector<8xf32>
  %m = vector.create_mask %c5 : vector<8xi1>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %a) -> (tensor<8xf32>) {
    %v = vector.transfer_read %t[%c0], %z, %m {in_bounds = [true]}
      : tensor<8xf32>, vector<8xf32>
    %s = vector.multi_reduction <add>, %v, %z [0] : vector<8xf32> to f32
    %b = vector.broadcast %s : f32 to vector<8xf32>
    %w = arith.addf %b, %one : vector<8xf32>
    %n = vector.transfer_write %w, %t[%c0], %m {in_bounds = [true]}
      : vector<8xf32>, tensor<8xf32>
    scf.yield %n : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
"""


def test_hoisting_minds_lanes_that_are_padding_in_every_iteration() -> None:
    keeps_its_numbers(PADDED_ACCUMULATOR, 'l = match "scf.for" in root\nhoist l')


WIDER_READ = """
func.func @f(%a: tensor<32x16xf32>, %b: tensor<16x32xf32>, %c: vector<32x32xf32>)
    -> vector<32x32xf32> {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %c9 = arith.constant 9 : index
  %c32 = arith.constant 32 : index
  %p = ub.poison : f32
  %ma = vector.create_mask %c32, %c9 : vector<32x16xi1>
  %x = vector.transfer_read %a[%c0, %c0], %p, %ma {in_bounds = [true, true]}
    : tensor<32x16xf32>, vector<32x16xf32>
  %mb = vector.create_mask %c9, %c32 : vector<16x32xi1>
  %y = vector.transfer_read %b[%c0, %c0], %p, %mb {in_bounds = [true, true]}
    : tensor<16x32xf32>, vector<16x32xf32>
  %m = vector.create_mask %c5, %c32, %c9 : vector<32x32x16xi1>
  %r = vector.mask %m { vector.contract {indexing_maps = [
      affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>,
      affine_map<(d0, d1, d2) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel", "reduction"],
      kind = #vector.kind<add>} %x, %y, %c
      : vector<32x16xf32>, vector<16x32xf32> into vector<32x32xf32> }
    : vector<32x32x16xi1> -> vector<32x32xf32>
  return %r : vector<32x32xf32>
}
"""


def test_a_masked_contraction_keeps_the_accumulator_in_lanes_that_are_off() -> None:
    keeps_its_numbers(WIDER_READ, 'f = match "func.func" in root\ncanonicalize f')


MATMUL = """
func.func @f(%a: tensor<30x20xf32>, %b: tensor<20x40xf32>, %c: tensor<30x40xf32>)
    -> tensor<30x40xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<30x20xf32>, tensor<20x40xf32>)
                     outs(%c : tensor<30x40xf32>) -> tensor<30x40xf32>
  return %r : tensor<30x40xf32>
}
"""


def test_reads_that_are_still_permuted_are_neutralized_too() -> None:
    schedule = Schedule.from_text(
        """
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
    %m = transform.structured.match ops{["linalg.matmul"]} in %root
      : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %m vector_sizes [32, 64, 32] : !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.vector.lower_masked_transfers
      transform.apply_patterns.vector.reduction_to_contract
    } : !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.yield
  }
}""",
        "s.mlir",
    )
    module = parse_payload(MATMUL)
    verifier = VerifyEach(module)
    assert not verifier.skipped
    apply_schedule(module, schedule, complete=False, observers=[verifier])
    assert verifier.checked == 3


HALF_COVERED = """
#m = affine_map<(d0) -> (d0)>
func.func @f(%a: tensor<64xf32>) -> tensor<64xf32> {
  %z = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %d = linalg.fill ins(%z : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %f = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel"]}
      ins(%a : tensor<64xf32>) outs(%d : tensor<64xf32>) {
    ^bb0(%p: f32, %s: f32):
      %w = arith.addf %p, %one : f32
      linalg.yield %w : f32
  } -> tensor<64xf32>
  %r = scf.forall (%i) in (1) shared_outs(%o = %f) -> (tensor<64xf32>) {
    %s = tensor.extract_slice %o[0] [32] [1] : tensor<64xf32> to tensor<32xf32>
    %x = tensor.extract_slice %a[0] [32] [1] : tensor<64xf32> to tensor<32xf32>
    %y = linalg.add ins(%x, %s : tensor<32xf32>, tensor<32xf32>)
                    outs(%s : tensor<32xf32>) -> tensor<32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %y into %o[0] [32] [1]
        : tensor<32xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.block<x>]}
  return %r : tensor<64xf32>
}
"""


def test_fusing_through_a_grid_that_writes_half_keeps_the_other_half() -> None:
    keeps_its_numbers(
        HALF_COVERED,
        'g = match "scf.forall" in root\nf = match "linalg.generic" in root\n'
        "f, g = fuse f into g",
    )


OUTER_READ = """
#m = affine_map<(d0, d1) -> (d0, d1)>
func.func @f(%a: tensor<64x64xf32>, %init: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %r = scf.for %i = %c0 to %c64 step %c32 iter_args(%t = %init)
      -> (tensor<64x64xf32>) {
    %o = tensor.extract_slice %t[0, 0] [32, 32] [1, 1]
      : tensor<64x64xf32> to tensor<32x32xf32>
    %q = scf.for %j = %c0 to %c64 step %c32 iter_args(%u = %t)
        -> (tensor<64x64xf32>) {
      %x = tensor.extract_slice %a[%i, %j] [32, 32] [1, 1]
        : tensor<64x64xf32> to tensor<32x32xf32>
      %d = tensor.extract_slice %u[%i, %j] [32, 32] [1, 1]
        : tensor<64x64xf32> to tensor<32x32xf32>
      %y = linalg.add ins(%x, %o : tensor<32x32xf32>, tensor<32x32xf32>)
                      outs(%d : tensor<32x32xf32>) -> tensor<32x32xf32>
      %n = tensor.insert_slice %y into %u[%i, %j] [32, 32] [1, 1]
        : tensor<32x32xf32> into tensor<64x64xf32>
      scf.yield %n : tensor<64x64xf32>
    }
    scf.yield %q : tensor<64x64xf32>
  }
  return %r : tensor<64x64xf32>
}
"""


def test_loops_that_read_what_an_outer_loop_carries_are_no_grid() -> None:
    with pytest.raises(SilenceableFailure, match="loops_to_grid"):
        build(parse_payload(OUTER_READ), None)


DROPPED = """
func.func @f(%a: tensor<4x64xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %s = tensor.extract_slice %a[2, 0] [1, 64] [1, 1]
    : tensor<4x64xf32> to tensor<64xf32>
  %r = linalg.exp ins(%s : tensor<64xf32>) outs(%e : tensor<64xf32>)
    -> tensor<64xf32>
  return %r : tensor<64xf32>
}
"""


def test_a_slice_that_drops_dimensions_is_not_misread() -> None:
    payload = parse_payload(DROPPED)
    comparison = check_kernel_ir(build(payload, None), make_case(payload, 0))
    assert comparison.ok, comparison.message


def test_bufferizing_a_function_returns_the_new_function() -> None:
    payload = parse_payload(MATMUL)
    built = build(
        payload,
        Schedule.from_text(
            """schedule s(root) {
  f = match "func.func" in root
  mm = match "linalg.matmul" in root
  mm, g = tile mm by [32, 32] onto [block.y, block.x]
  mm, k = tile mm by [0, 0, 16]
  vectorize mm to [32, 32, 16]
  include to_vectors(f)
  f = bufferize f
  l = match "scf.for" in f
  pipeline l stages = 4
  g = match "scf.forall" in f
  launch g warps = 8
}"""
        ),
    )
    (kernel,) = built.program.kernels
    assert (kernel.num_stages, kernel.num_warps) == (4, 8)


def test_a_handle_whose_op_became_something_else_may_not_be_used() -> None:
    # A loop of one trip is inlined: nothing is left to pipeline.
    with pytest.raises(DefiniteFailure, match="after it was invalidated") as failure:
        keeps_its_numbers(
            MATMUL,
            'f = match "func.func" in root\nmm = match "linalg.matmul" in root\n'
            "mm, k = tile mm by [0, 0, 32]\ncanonicalize f\npipeline k stages = 3",
        )
    assert "canonicalize f" in str(failure.value)
    assert "scf.for" in str(failure.value)
