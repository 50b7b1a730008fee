"""fuse_into_containing_op."""

from __future__ import annotations

import pytest

from support.mlir_opt import needs_mlir
from support.transforms.payloads import linear
from support.transforms.same_program import assert_same_program
from support.transforms.schedules import (
    OP,
    assert_same_numbers,
    by_real_mlir,
    for_loops,
    forall,
    fuse,
    match,
    on,
    refusal,
    schedule_of,
    transform,
)
from support.transforms.streams import chain_of
from tilewright.ir.errors import DefiniteFailure, SilenceableFailure
from tilewright.payloads import softmax

BLOCKS = "#gpu.block<y>, #gpu.block<x>"
HANDLES = [
    match("%mm", "linalg.matmul"),
    match("%fill", "linalg.fill"),
    match("%tail", "linalg.generic"),
]
TILE_TAIL = forall("%t, %g", "%tail", "32, 32", BLOCKS)

CASES = {
    "producer": [TILE_TAIL, fuse("%m, %g1", "%mm", "%g")],
    "chain": [
        TILE_TAIL,
        fuse("%m, %g1", "%mm", "%g"),
        fuse("%f, %g2", "%fill", "%g1"),
    ],
    "chain_in_one_step": [
        TILE_TAIL,
        f"%both = transform.merge_handles %fill, %mm : {OP}",
        fuse("%f, %g1", "%both", "%g"),
    ],
    "through_the_output": [
        forall("%m, %g", "%mm", "32, 32", BLOCKS),
        fuse("%f, %g1", "%fill", "%g"),
    ],
    "into_a_sequential_loop": [
        for_loops("%t, %i", "%tail", "16"),
        fuse("%m, %i1", "%mm", "%i"),
    ],
}
SIZES = [(64, 64, 32), (40, 50, 12), (7, 1, 5)]


@pytest.mark.parametrize("name", CASES)
def test_golden(name, golden) -> None:
    ran = transform(linear(64, 64, 32), schedule_of(*HANDLES, *CASES[name]))
    golden(f"transforms/fuse_{name}.mlir", ran.text)


@pytest.mark.sampled(12)
@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("name", CASES)
def test_numbers(name, size) -> None:
    ran = transform(linear(*size), schedule_of(*HANDLES, *CASES[name]))
    assert_same_numbers(ran, reduction=size[2])


@pytest.mark.sampled(12)
@needs_mlir
@pytest.mark.parametrize("size", SIZES[:2], ids=str)
@pytest.mark.parametrize("name", CASES)
def test_real_mlir_gives_the_same_program(name, size) -> None:
    payload, schedule = linear(*size), schedule_of(*HANDLES, *CASES[name])
    ran = transform(payload, schedule)
    assert_same_program(ran.text, by_real_mlir(payload, schedule))


TWO_USES = """\
func.func @f(%a: tensor<24xf32>) -> (tensor<24xf32>, tensor<24xf32>) {
  %c = arith.constant 2.0 : f32
  %e = tensor.empty() : tensor<24xf32>
  %p = linalg.fill ins(%c : f32) outs(%e : tensor<24xf32>) -> tensor<24xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>,
                     affine_map<(d0) -> (d0)>],
    iterator_types = ["parallel"]
  } ins(%p, %p : tensor<24xf32>, tensor<24xf32>) outs(%a : tensor<24xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %s = arith.mulf %x, %y : f32
    %t = arith.addf %s, %z : f32
    linalg.yield %t : f32
  } -> tensor<24xf32>
  return %p, %r : tensor<24xf32>, tensor<24xf32>
}
"""


def test_equal_slices_share_a_tile_and_other_uses_keep_the_original(golden) -> None:
    """Only a generic op becomes a further result of the loop, as upstream has it."""
    schedule = schedule_of(
        match("%fill", "linalg.fill"),
        match("%g", "linalg.generic"),
        forall("%t, %l", "%g", "8", "#gpu.block<x>"),
        fuse("%f, %l1", "%fill", "%l"),
    )
    ran = transform(TWO_USES, schedule)
    assert ran.text.count("linalg.fill") == 2
    assert_same_numbers(ran)
    golden("transforms/fuse_two_uses.mlir", ran.text)


def test_a_second_application_has_nothing_left_to_fuse() -> None:
    again = schedule_of(
        *HANDLES,
        TILE_TAIL,
        fuse("%m, %g1", "%mm", "%g"),
        match("%inside", "linalg.matmul", "%g1"),
        fuse("%n, %g2", "%inside", "%g1"),
    )
    error = refusal(linear(64, 64, 32), again)
    assert isinstance(error, SilenceableFailure)
    assert error.fact == (
        "fuse_into_containing_op: the producer is already inside the containing op"
    )


REFUSALS = {
    "no slice": (
        [TILE_TAIL, fuse("%f, %g1", "%fill", "%g")],
        "no slice of the results of 'linalg.fill' is taken inside 'scf.forall'",
        "fuse the consumer first, or check that the loop uses this producer",
    ),
    "already inside": (
        [TILE_TAIL, fuse("%t2, %g1", "%t", "%g")],
        "the producer is already inside the containing op",
        "it is fused; use the handle it has",
    ),
    "the loop itself": (
        [TILE_TAIL, match("%e", "tensor.empty"), fuse("%x, %g1", "%e", "%g")],
        "no slice of the results of 'tensor.empty' is taken inside 'scf.forall'",
        "fuse the consumer first, or check that the loop uses this producer",
    ),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_refusal(name) -> None:
    steps, fact, remedy = REFUSALS[name]
    error = refusal(linear(64, 64, 32), schedule_of(*HANDLES, *steps))
    assert isinstance(error, SilenceableFailure)
    assert error.fact == f"fuse_into_containing_op: {fact}"
    assert error.remedy == remedy


def test_two_loops_in_the_handle_are_an_error() -> None:
    schedule = schedule_of(
        *HANDLES,
        forall("%m, %g", "%mm", "32, 32", BLOCKS),
        forall("%t, %h", "%tail", "32, 32", BLOCKS),
        f"%gs = transform.merge_handles %g, %h : {OP}",
        fuse("%f, %g1", "%fill", "%gs"),
    )
    error = refusal(linear(64, 64, 32), schedule)
    assert isinstance(error, DefiniteFailure)
    assert error.fact == (
        "fuse_into_containing_op: expected one containing op, the handle points at 2"
    )


def test_a_refused_chain_leaves_the_payload_alone() -> None:
    """The matmul could be fused, the fill then too, the tail never."""
    schedule = schedule_of(
        *HANDLES,
        forall("%m, %g", "%mm", "32, 32", BLOCKS),
        f"%both = transform.merge_handles %tail, %fill : {OP}",
        fuse("%f, %g1", "%both", "%g"),
    )
    error = refusal(linear(64, 64, 32), schedule)
    assert "'linalg.generic' reads what 'scf.forall' computes" in error.fact


def test_a_whole_use_of_a_shared_output_is_refused() -> None:
    payload = """\
func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  %c = arith.constant 2.0 : f32
  %c0 = arith.constant 0 : index
  %p = linalg.fill ins(%c : f32) outs(%a : tensor<8xf32>) -> tensor<8xf32>
  %r = scf.forall (%i) in (2) shared_outs(%o = %p) -> (tensor<8xf32>) {
    %at = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
    %t = tensor.extract_slice %o[%at] [4] [1] : tensor<8xf32> to tensor<4xf32>
    %v = vector.transfer_read %o[%c0], %c {in_bounds = [true]} : tensor<8xf32>, vector<4xf32>
    %w = vector.transfer_write %v, %t[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %w into %o[%at] [4] [1] : tensor<4xf32> into tensor<8xf32>
    }
  }
  return %r : tensor<8xf32>
}
"""  # noqa: E501
    schedule = schedule_of(
        match("%p", "linalg.fill"),
        match("%l", "scf.forall"),
        fuse("%f, %l1", "%p", "%l"),
    )
    error = refusal(payload, schedule)
    assert error.fact == (
        "fuse_into_containing_op: 'vector.transfer_read' in the loop uses the whole "
        "result of 'linalg.fill'"
    )


AFTER_TOO = """\
func.func @f(%a: tensor<M xf32>) -> (tensor<M xf32>, tensor<M xf32>) {
  %e = tensor.empty() : tensor<M xf32>
  %p = linalg.generic {
    indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
    iterator_types = ["parallel"]
  } ins(%a : tensor<M xf32>) outs(%e : tensor<M xf32>) attrs = {first} {
  ^bb0(%x: f32, %z: f32):
    %s = arith.mulf %x, %x : f32
    linalg.yield %s : f32
  } -> tensor<M xf32>
  %q = linalg.exp ins(%p : tensor<M xf32>) outs(%e : tensor<M xf32>) -> tensor<M xf32>
  %r = linalg.add ins(%q, %p : tensor<M xf32>, tensor<M xf32>)
      outs(%e : tensor<M xf32>) -> tensor<M xf32>
  return %q, %r : tensor<M xf32>, tensor<M xf32>
}
"""
FUSE_FIRST = schedule_of(
    match("%p", "linalg.generic"),
    match("%q", "linalg.exp"),
    forall("%t, %l", "%q", "8", "#gpu.block<x>"),
    fuse("%f, %l1", "%p", "%l"),
    f'transform.annotate %f "fused" : {OP}',
    f'transform.annotate %l1 "loop" : {OP}',
)


@needs_mlir
@pytest.mark.parametrize("extent", ["24", "20"])
def test_a_generic_op_used_after_the_loop_becomes_its_result(extent, golden) -> None:
    payload = AFTER_TOO.replace("M x", f"{extent}x")
    ran = transform(payload, FUSE_FIRST)
    assert_same_numbers(ran)
    assert_same_program(ran.text, by_real_mlir(payload, FUSE_FIRST))
    golden(f"transforms/fuse_used_after_{extent}.mlir", ran.text)


def test_a_generic_op_that_the_tiles_do_not_cover_keeps_its_result() -> None:
    """The loop covers half of it; upstream would return the other half unwritten."""
    payload = """\
func.func @f(%a: tensor<16xf32>, %o: tensor<8xf32>) -> (tensor<8xf32>, tensor<16xf32>) {
  %e = tensor.empty() : tensor<16xf32>
  %p = linalg.generic {
    indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
    iterator_types = ["parallel"]
  } ins(%a : tensor<16xf32>) outs(%e : tensor<16xf32>) {
  ^bb0(%x: f32, %z: f32):
    %s = arith.mulf %x, %x : f32
    linalg.yield %s : f32
  } -> tensor<16xf32>
  %half = tensor.extract_slice %p[4] [8] [1] : tensor<16xf32> to tensor<8xf32>
  %r = scf.forall (%i) in (2) shared_outs(%s = %o) -> (tensor<8xf32>) {
    %at = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
    %t = tensor.extract_slice %p[%at] [4] [1] : tensor<16xf32> to tensor<4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t into %s[%at] [4] [1]
          : tensor<4xf32> into tensor<8xf32>
    }
  }
  return %r, %p : tensor<8xf32>, tensor<16xf32>
}
"""
    schedule = schedule_of(
        match("%p", "linalg.generic"),
        match("%l", "scf.forall"),
        fuse("%f, %l1", "%p", "%l"),
    )
    ran = transform(payload, schedule)
    assert ran.text.count("linalg.generic") == 2
    assert_same_numbers(ran)


WHOLE_AND_PARTS = """\
func.func @f(%a: tensor<24xf32>, %b: tensor<24xf32>) -> tensor<24xf32> {
  %e = tensor.empty() : tensor<24xf32>
  %z = arith.constant 0.0 : f32
  %one = tensor.empty() : tensor<f32>
  %p = linalg.exp ins(%a : tensor<24xf32>) outs(%e : tensor<24xf32>) -> tensor<24xf32>
  %i = linalg.fill ins(%z : f32) outs(%one : tensor<f32>) -> tensor<f32>
  %s = linalg.reduce { arith.addf } ins(%p : tensor<24xf32>) outs(%i : tensor<f32>)
      dimensions = [0]
  %r = linalg.generic {
    indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>,
                     affine_map<(d0) -> (d0)>],
    iterator_types = ["parallel"]
  } ins(%p, %s : tensor<24xf32>, tensor<f32>) outs(%e : tensor<24xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %d = arith.divf %x, %y : f32
    linalg.yield %d : f32
  } -> tensor<24xf32>
  return %r : tensor<24xf32>
}
"""


@needs_mlir
@pytest.mark.parametrize("order", ["%s, %p", "%p, %s"])
def test_a_whole_reduction_is_copied_into_the_loop(order) -> None:
    schedule = schedule_of(
        match("%p", "linalg.exp"),
        match("%s", "linalg.reduce"),
        match("%r", "linalg.generic"),
        forall("%t, %l", "%r", "8", "#gpu.block<x>"),
        f"%all = transform.merge_handles {order} : {OP}",
        fuse("%f, %l1", "%all", "%l"),
    )
    ran = transform(WHOLE_AND_PARTS, schedule)
    assert_same_numbers(ran, reduction=24)
    assert_same_program(ran.text, by_real_mlir(WHOLE_AND_PARTS, schedule))


@needs_mlir
def test_a_slice_that_drops_a_dimension() -> None:
    payload = """\
func.func @f(%a: tensor<4x6xf32>, %o: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %e = tensor.empty() : tensor<4x6xf32>
  %p = linalg.exp ins(%a : tensor<4x6xf32>) outs(%e : tensor<4x6xf32>)
      -> tensor<4x6xf32>
  %r = scf.forall (%i) in (4) shared_outs(%s = %o) -> (tensor<4x6xf32>) {
    %t = tensor.extract_slice %p[%i, 0] [1, 6] [1, 1] : tensor<4x6xf32> to tensor<6xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t into %s[%i, 0] [1, 6] [1, 1]
          : tensor<6xf32> into tensor<4x6xf32>
    }
  }
  return %r : tensor<4x6xf32>
}
"""
    schedule = schedule_of(
        match("%p", "linalg.exp"),
        match("%l", "scf.forall"),
        fuse("%f, %l1", "%p", "%l"),
    )
    ran = transform(payload, schedule)
    assert_same_numbers(ran)
    assert_same_program(ran.text, by_real_mlir(payload, schedule))


def test_a_chain_is_fused_consumers_first() -> None:
    """`fuse_all` takes any order: a producer with two readers is fused for both."""
    payload = chain_of(softmax, x=(16, 8))
    fuse_all = (
        f"%r, %g = transform.tilewright.fuse_all %rest into %loop : "
        f"({OP}, {OP}) -> ({OP}, {OP})"
    )
    for order in ("0, 1, 2, 3, 4", "4, 3, 2, 1, 0"):
        ran = transform(
            payload,
            schedule_of(
                f"%all = transform.structured.match interface{{LinalgOp}} in %root "
                f": ({OP}) -> {OP}",
                f"%last = transform.tilewright.pick %all at [5] : ({OP}) -> {OP}",
                f"%rest = transform.tilewright.pick %all at [{order}] : ({OP}) -> {OP}",
                forall("%t, %loop", "%last", "4"),
                fuse_all,
                on("apply_dce"),
            ),
        )
        assert_same_numbers(ran)
        before, _, _ = ran.text.partition("scf.forall")
        assert "linalg." not in before


def test_a_chain_is_found_among_all_ops() -> None:
    """`fuse_all` passes over ops that the loop contains, and ops it does not read."""
    payload = chain_of(softmax, x=(16, 8))
    match = (
        f"%all = transform.structured.match interface{{LinalgOp}} in %root "
        f": ({OP}) -> {OP}"
    )
    fuse_all = (
        f"%r, %g = transform.tilewright.fuse_all %all_2 into %loop : "
        f"({OP}, {OP}) -> ({OP}, {OP})"
    )
    power = f"%p = transform.tilewright.pick %all at [2] : ({OP}) -> {OP}"
    last = f"%p = transform.tilewright.pick %all at [-1] : ({OP}) -> {OP}"
    again = match.replace("%all", "%all_2")
    for op, left in ((last, 0), (power, 3)):
        steps = [match, op, forall("%t, %loop", "%p", "4"), again, fuse_all]
        ran = transform(payload, schedule_of(*steps, on("apply_dce")))
        assert_same_numbers(ran)
        _, _, after = ran.text.partition("scf.forall.in_parallel")
        assert after.count("linalg.generic") + after.count("linalg.fill") == left


def test_a_chain_that_nothing_reads() -> None:
    fuse_all = (
        f"%r, %g = transform.tilewright.fuse_all %last into %loop : "
        f"({OP}, {OP}) -> ({OP}, {OP})"
    )
    error = refusal(
        chain_of(softmax, x=(16, 8)),
        schedule_of(
            f"%all = transform.structured.match interface{{LinalgOp}} in %root "
            f": ({OP}) -> {OP}",
            f"%p = transform.tilewright.pick %all at [2] : ({OP}) -> {OP}",
            f"%last = transform.tilewright.pick %all at [-1] : ({OP}) -> {OP}",
            forall("%t, %loop", "%p", "4"),
            fuse_all,
        ),
    )
    assert "'scf.forall' does not read this op" in str(error)


def by_hand(rows: str, count: str, offset: str) -> str:
    """A fill, and a forall over tiles of it, four rows each."""
    return f"""func.func @f(%e: tensor<?x5xf32>, %o: tensor<?x5xf32>, %n: index)
    -> tensor<?x5xf32> {{
  %c0 = arith.constant 0 : index
  %z = arith.constant 1.0 : f32
  %d = tensor.dim %e, %c0 : tensor<?x5xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x5xf32>) -> tensor<?x5xf32>
  %tiles = affine.apply affine_map<()[s0] -> ({count})>()[{rows}]
  %r = scf.forall (%i) in (%tiles) shared_outs(%s = %f) -> (tensor<?x5xf32>) {{
    %m = affine.apply affine_map<(d0) -> ({offset})>(%i)
    %h = affine.min affine_map<(d0)[s0] -> (d0 * -4 + s0, 4)>(%i)[{rows}]
    %t = tensor.extract_slice %s[%m, 0] [%h, 5] [1, 1]
      : tensor<?x5xf32> to tensor<?x5xf32>
    %y = linalg.exp ins(%t : tensor<?x5xf32>) outs(%t : tensor<?x5xf32>)
      -> tensor<?x5xf32>
    scf.forall.in_parallel {{
      tensor.parallel_insert_slice %y into %s[%m, 0] [%h, 5] [1, 1]
        : tensor<?x5xf32> into tensor<?x5xf32>
    }}
  }}
  return %r : tensor<?x5xf32>
}}
"""


@pytest.mark.parametrize(
    ("rows", "count", "offset", "covers"),
    [
        ("%d", "s0 ceildiv 4", "d0 * 4", True),
        ("%n", "s0 ceildiv 4", "d0 * 4", False),
        ("%d", "s0 floordiv 4", "d0 * 4", False),
    ],
)
def test_dynamic_tiles_cover_what_they_are_proven_to(
    rows, count, offset, covers
) -> None:
    schedule = schedule_of(
        match("%f", "linalg.fill"),
        match("%l", "scf.forall"),
        fuse("%t, %g", "%f", "%l"),
    )
    ran = transform(by_hand(rows, count, offset), schedule)
    assert ("shared_outs(%s = %e)" in ran.text) == covers
