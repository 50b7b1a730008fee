"""one_shot_bufferize and eliminate_empty_tensors: what may be written in place."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples
from support.mlir_opt import mlir_opt, needs_mlir
from support.random_programs.tensor_programs import Program
from support.transforms.payloads import linear, matmul
from support.transforms.same_program import assert_same_program
from support.transforms.schedules import (
    BUFFERIZE,
    OP,
    TO_VECTORS,
    assert_same_numbers,
    by_real_mlir,
    evaluate,
    for_loops,
    forall,
    include,
    inputs_of,
    match,
    on,
    refusal,
    schedule_of,
    transform,
    vectorize,
)

from tilewright.ir.errors import SilenceableFailure

T = "tensor<8xf32>"
PART = "tensor<4xf32>"
FULL = f"{{in_bounds = [true]}} : {T}, vector<8xf32>"
BACK = f"{{in_bounds = [true]}} : vector<8xf32>, {T}"


def function(*lines: str, results: int = 1) -> str:
    """A function of %a; %i and %j are tensors of its own. It returns %r, %r1, ..."""
    body = "\n".join(f"  {line}" for line in lines)
    names = ["%r", *(f"%r{i}" for i in range(1, results))]
    types = ", ".join([T] * results)
    return f"""\
func.func @f(%a: {T}) -> ({types}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %e = tensor.empty() : {T}
  %i = linalg.fill ins(%one : f32) outs(%e : {T}) -> {T}
  %e1 = tensor.empty() : {T}
  %j = linalg.fill ins(%two : f32) outs(%e1 : {T}) -> {T}
{body}
  return {", ".join(names)} : {types}
}}
"""


def read(name: str, source: str) -> str:
    return f"{name} = vector.transfer_read {source}[%c0], %one {FULL}"


def write(name: str, vector: str, target: str) -> str:
    return f"{name} = vector.transfer_write {vector}, {target}[%c0] {BACK}"


def add(name: str, left: str, right: str) -> str:
    return f"{name} = arith.addf {left}, {right} : vector<8xf32>"


def loop(results: str, carried: str, count: int, *lines: str) -> list[str]:
    types = ", ".join([T] * count)
    return [
        f"{results} = scf.for %k = %c0 to %c3 step %c1 iter_args({carried}) "
        f"-> ({types}) {{",
        *lines,
        "}",
    ]


def grid(result: str, output: str, *lines: str, tile: str = "%t") -> list[str]:
    return [
        f"{result} = scf.forall (%p) in (2) shared_outs(%o = {output}) -> ({T}) {{",
        "%at = affine.apply affine_map<(d0) -> (d0 * 4)>(%p)",
        "%other = affine.apply affine_map<(d0) -> (d0 * -4 + 4)>(%p)",
        *lines,
        "scf.forall.in_parallel {",
        f"tensor.parallel_insert_slice {tile} into %o[%at] [4] [1] : {PART} into {T}",
        "}",
        "} {mapping = [#gpu.block<x>]}",
    ]


def double(name: str, given: str, out: str, kind: str = T) -> str:
    """name = given + given, into `out`."""
    map_ = "affine_map<(d0) -> (d0)>"
    return (
        f"{name} = linalg.generic {{indexing_maps = [{map_}, {map_}], iterator_types = "
        f'["parallel"]}} ins({given} : {kind}) outs({out} : {kind}) {{\n'
        "^bb0(%lane: f32, %old: f32):\n  %twice = arith.addf %lane, %lane : f32\n"
        f"  linalg.yield %twice : f32\n}} -> {kind}"
    )


# name: payload, allocations (2 for %i and %j, where both are used), copies
CASES = {
    "in_place_chain": (
        function(
            read("%v", "%i"),
            add("%w", "%v", "%v"),
            write("%r", "%w", "%i"),
        ),
        (2, 0),
    ),
    "read_after_write": (
        function(
            read("%v", "%j"),
            write("%r", "%v", "%i"),
            read("%old", "%i"),
            write("%r1", "%old", "%j"),
            results=2,
        ),
        (3, 0),
    ),
    "argument_as_destination": (
        function(read("%v", "%i"), write("%r", "%v", "%a")),
        (3, 0),
    ),
    "argument_as_destination_unread": (
        function(f"%r = linalg.fill ins(%one : f32) outs(%a : {T}) -> {T}"),
        (3, 0),
    ),
    "argument_returned": (
        function(f"%r = tensor.extract_slice %a[0] [8] [1] : {T} to {T}"),
        (2, 0),
    ),
    "two_consumers": (
        function(double("%r", "%i", "%i"), double("%r1", "%i", "%j"), results=2),
        (3, 0),
    ),
    "input_is_destination": (function(double("%r", "%i", "%i")), (2, 0)),
    "insert_into_what_is_read_later": (
        function(
            f"%s = tensor.extract_slice %j[0] [4] [1] : {T} to {PART}",
            f"%r = tensor.insert_slice %s into %i[2] [4] [1] : {PART} into {T}",
            read("%old", "%i"),
            write("%r1", "%old", "%j"),
            results=2,
        ),
        (3, 2),
    ),
    "insert_of_an_overlapping_slice": (
        function(
            read("%v", "%a"),
            write("%x", "%v", "%i"),
            f"%s = tensor.extract_slice %x[0] [4] [1] : {T} to {PART}",
            f"%r = tensor.insert_slice %s into %x[2] [4] [1] : {PART} into {T}",
        ),
        (3, 2),
    ),
    "slice_put_back_where_it_was": (
        function(
            f"%s = tensor.extract_slice %i[2] [4] [1] : {T} to {PART}",
            double("%d", "%s", "%s", PART),
            f"%r = tensor.insert_slice %d into %i[2] [4] [1] : {PART} into {T}",
        ),
        (2, 0),
    ),
    "a_tile_that_outlives_its_place": (
        function(
            f"%s = tensor.extract_slice %i[2] [4] [1] : {T} to {PART}",
            f"%w = linalg.fill ins(%two : f32) outs(%s : {PART}) -> {PART}",
            f"%z = linalg.fill ins(%one : f32) outs(%w : {PART}) -> {PART}",
            f"%r = tensor.insert_slice %z into %i[2] [4] [1] : {PART} into {T}",
            f"%r1 = tensor.insert_slice %w into %j[0] [4] [1] : {PART} into {T}",
            results=2,
        ),
        None,
    ),
    "loop_carries_in_place": (
        function(
            *loop(
                "%r",
                "%t = %i",
                1,
                read("%v", "%t"),
                add("%w", "%v", "%v"),
                write("%u", "%w", "%t"),
                f"scf.yield %u : {T}",
            )
        ),
        (2, 0),
    ),
    "loop_reads_what_it_started_from": (
        function(
            *loop(
                "%r",
                "%t = %i",
                1,
                read("%v", "%i"),
                read("%x", "%t"),
                add("%w", "%v", "%x"),
                write("%u", "%w", "%t"),
                f"scf.yield %u : {T}",
            )
        ),
        (3, 1),
    ),
    "loop_reads_a_slice_of_what_it_started_from": (
        function(
            f"%s = tensor.extract_slice %i[0] [4] [1] : {T} to {PART}",
            *loop(
                "%r",
                "%t = %i",
                1,
                read("%x", "%t"),
                add("%w", "%x", "%x"),
                write("%u", "%w", "%t"),
                f"%q = tensor.insert_slice %s into %u[4] [4] [1] : {PART} into {T}",
                f"scf.yield %q : {T}",
            ),
        ),
        (3, 2),
    ),
    "loop_start_is_read_afterwards": (
        function(
            *loop(
                "%r",
                "%t = %i",
                1,
                read("%x", "%t"),
                add("%w", "%x", "%x"),
                write("%u", "%w", "%t"),
                f"scf.yield %u : {T}",
            ),
            read("%old", "%i"),
            write("%r1", "%old", "%j"),
            results=2,
        ),
        (3, 1),
    ),
    "loop_swaps": (
        function(
            *loop(
                "%l:2",
                "%s = %i, %t = %j",
                2,
                f"scf.yield %t, %s : {T}, {T}",
            ),
            f"%r = tensor.extract_slice %l#0[0] [8] [1] : {T} to {T}",
            f"%r1 = tensor.extract_slice %l#1[0] [8] [1] : {T} to {T}",
            results=2,
        ),
        None,
    ),
    "loop_starts_twice_from_one": (
        function(
            *loop(
                "%l:2",
                "%s = %i, %t = %i",
                2,
                read("%x", "%s"),
                add("%w", "%x", "%x"),
                write("%u", "%w", "%s"),
                f"scf.yield %u, %t : {T}, {T}",
            ),
            read("%x0", "%l#0"),
            read("%x1", "%l#1"),
            add("%sum", "%x0", "%x1"),
            write("%r", "%sum", "%j"),
        ),
        None,
    ),
    "loop_yields_what_it_did_not_write": (
        function(
            *loop(
                "%r",
                "%t = %i",
                1,
                read("%x", "%t"),
                add("%w", "%x", "%x"),
                write("%u", "%w", "%t"),
                read("%y", "%u"),
                write("%z", "%y", "%j"),
                f"scf.yield %t : {T}",
            )
        ),
        None,
    ),
    "write_in_a_loop_into_what_is_outside": (
        function(
            *loop(
                "%r",
                "%t = %i",
                1,
                read("%x", "%t"),
                read("%y", "%j"),
                add("%w", "%x", "%y"),
                write("%z", "%w", "%j"),
                f"scf.yield %z : {T}",
            )
        ),
        None,
    ),
    "grid_in_place": (
        function(
            *grid(
                "%r",
                "%i",
                f"%s = tensor.extract_slice %o[%at] [4] [1] : {T} to {PART}",
                f"%t = linalg.fill ins(%two : f32) outs(%s : {PART}) -> {PART}",
            )
        ),
        (2, 0),
    ),
    "grid_over_an_argument": (
        function(
            *grid(
                "%r",
                "%a",
                f"%s = tensor.extract_slice %o[%at] [4] [1] : {T} to {PART}",
                f"%t = linalg.fill ins(%two : f32) outs(%s : {PART}) -> {PART}",
            )
        ),
        (3, 1),
    ),
    "grid_reads_the_tile_of_another": (
        function(
            read("%v", "%a"),
            write("%x", "%v", "%i"),
            *grid(
                "%r",
                "%x",
                f"%n = tensor.extract_slice %o[%other] [4] [1] : {T} to {PART}",
                f"%s = tensor.extract_slice %o[%at] [4] [1] : {T} to {PART}",
                double("%t", "%n", "%s", PART),
            ),
        ),
        None,
    ),
    "grid_reads_what_it_started_from": (
        function(
            read("%v", "%a"),
            write("%x", "%v", "%i"),
            *grid(
                "%r",
                "%x",
                f"%n = tensor.extract_slice %x[%other] [4] [1] : {T} to {PART}",
                f"%s = tensor.extract_slice %o[%at] [4] [1] : {T} to {PART}",
                double("%t", "%n", "%s", PART),
            ),
        ),
        (3, 1),
    ),
    "grid_hands_back_what_it_did_not_write": (
        function(
            *grid(
                "%r",
                "%i",
                f"%t = tensor.extract_slice %j[%other] [4] [1] : {T} to {PART}",
            )
        ),
        (2, 1),
    ),
    "one_empty_for_two": (
        function(
            f"%s = linalg.fill ins(%one : f32) outs(%e : {T}) -> {T}",
            f"%r = linalg.fill ins(%two : f32) outs(%e : {T}) -> {T}",
            f"%r1 = tensor.insert_slice %s into %s[0] [8] [1] : {T} into {T}",
            results=2,
        ),
        None,
    ),
    "a_part_is_returned": (
        function(
            f"%s = tensor.extract_slice %i[4] [4] [1] : {T} to {PART}",
            f"%r = tensor.insert_slice %s into %j[0] [4] [1] : {PART} into {T}",
        ),
        (2, 1),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_numbers_and_buffers(name, golden) -> None:
    payload, expected = CASES[name]
    ran = transform(payload, schedule_of(BUFFERIZE))
    assert_same_numbers(ran)
    golden(f"transforms/bufferize_{name}.mlir", ran.text)
    if expected is not None:
        found = (ran.text.count("memref.alloc("), ran.text.count("memref.copy"))
        assert found == expected


@needs_mlir
@pytest.mark.parametrize("name", CASES)
def test_real_mlir_reads_it(name) -> None:
    payload, _ = CASES[name]
    mlir_opt(transform(payload, schedule_of(BUFFERIZE)).text)


@pytest.mark.parametrize(
    "name",
    ["grid_in_place", "grid_over_an_argument", "grid_reads_what_it_started_from"],
)
def test_nothing_is_allocated_inside_a_grid(name) -> None:
    ran = transform(CASES[name][0], schedule_of(BUFFERIZE))
    assert "alloc" not in ran.text.partition("scf.forall")[2].partition("return")[0]


@given(st.integers(0, 2**32))
@settings(max_examples=examples(25), deadline=None)
def test_random_programs(seed: int) -> None:
    ran = transform(Program(seed).text(), schedule_of(BUFFERIZE))
    assert_same_numbers(ran)


# -- whole schedules -------------------------------------------------------------------


def to_buffers(*steps: str) -> str:
    return schedule_of(
        match("%func", "func.func"),
        *steps,
        include("to_vectors", "%func"),
        on("structured.eliminate_empty_tensors", "%func"),
        BUFFERIZE,
        sequences=TO_VECTORS,
    )


ACCUMULATE = to_buffers(
    match("%mm", "linalg.matmul"),
    forall("%t, %g", "%mm", "16, 16", "#gpu.block<y>, #gpu.block<x>"),
    for_loops("%u, %k", "%t", "0, 0, 16"),
    vectorize("%u", "16, 16, 16"),
)


@pytest.mark.parametrize("size", [(32, 32, 32), (40, 20, 24)], ids=str)
def test_an_argument_that_is_accumulated_into_is_copied_once_outside(
    size, golden
) -> None:
    ran = transform(matmul(*size), ACCUMULATE)
    assert_same_numbers(ran, reduction=size[2])
    outside, _, inside = ran.text.partition("scf.forall")
    assert outside.count("memref.alloc") == outside.count("memref.copy") == 1
    assert "memref.alloc" not in inside and "memref.copy" not in inside
    if size == (32, 32, 32):
        golden("transforms/bufferize_accumulate.mlir", ran.text)


@needs_mlir
def test_real_mlir_gives_the_same_program() -> None:
    """Upstream would write the argument itself: it is told not to."""
    size = (32, 32, 32)
    payload = matmul(*size).replace(
        "%c: tensor<32x32xf32>)",
        "%c: tensor<32x32xf32> {bufferization.writable = false})",
    )
    ran = transform(payload, ACCUMULATE)
    theirs = by_real_mlir(payload, ACCUMULATE)
    assert_same_program(ran.text, theirs)


def test_layouts_and_attributes_come_through() -> None:
    payload = matmul(32, 32, 32)
    steps = (
        match("%mm", "linalg.matmul"),
        forall("%t, %g", "%mm", "16, 16", "#gpu.block<y>, #gpu.block<x>"),
        for_loops("%u, %k", "%t", "0, 0, 16"),
        f'transform.annotate %g "triton.descriptors" : {OP}',
        f'transform.annotate %k "note" : {OP}',
        vectorize("%u", "16, 16, 16"),
    )
    ran = transform(payload, to_buffers(*steps))
    assert "{mapping = [#gpu.block<y>, #gpu.block<x>], triton.descriptors}" in ran.text
    assert "{note}" in ran.text


def test_a_part_that_is_returned_is_copied_out() -> None:
    payload = f"""\
func.func @f(%a: {T}) -> {PART} {{
  %s = tensor.extract_slice %a[2] [4] [1] : {T} to {PART}
  return %s : {PART}
}}
"""
    ran = transform(payload, schedule_of(BUFFERIZE))
    assert_same_numbers(ran)
    assert ran.text.count("memref.copy") == 1
    mlir_opt(ran.text)


def test_a_declaration_gets_buffers_too() -> None:
    payload = f"""\
func.func private @g({T}) -> {T}
func.func @f(%a: {T}) -> {T} {{
  return %a : {T}
}}
"""
    ran = transform(payload, schedule_of(BUFFERIZE))
    assert "@g(memref<8xf32>) -> memref<8xf32>" in ran.text
    mlir_opt(ran.text)


def test_the_caller_s_arrays_are_left_alone() -> None:
    ran = transform(matmul(16, 16, 16), schedule_of(BUFFERIZE))
    inputs = inputs_of(ran.before)
    (result,) = evaluate(ran.module, inputs)
    assert not any(np.shares_memory(result, value) for value in inputs)


def test_a_second_application_changes_nothing() -> None:
    again = BUFFERIZE.replace("%buffers", "%more").replace("%root", "%buffers")
    once = transform(linear(8, 8, 8), schedule_of(BUFFERIZE))
    twice = transform(linear(8, 8, 8), schedule_of(BUFFERIZE, again))
    assert twice.text == once.text


# -- eliminate_empty_tensors -----------------------------------------------------------

SCRATCH = f"""\
func.func @f(%d: {T}) -> {T} {{
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : {PART}
  %s = linalg.fill ins(%one : f32) outs(%e : {PART}) -> {PART}
  %r = tensor.insert_slice %s into %d[2] [4] [1] : {PART} into {T}
  return %r : {T}
}}
"""
SCRATCH_IN_GRID = function(
    *grid(
        "%r",
        "%e",
        f"%x = tensor.empty() : {PART}",
        f"%t = linalg.fill ins(%two : f32) outs(%x : {PART}) -> {PART}",
    )
)
USED_TWICE = f"""\
func.func @f(%d: {T}) -> ({T}, {PART}) {{
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : {PART}
  %s = linalg.fill ins(%one : f32) outs(%e : {PART}) -> {PART}
  %q = linalg.fill ins(%one : f32) outs(%e : {PART}) -> {PART}
  %r = tensor.insert_slice %s into %d[2] [4] [1] : {PART} into {T}
  return %r, %q : {T}, {PART}
}}
"""
ELIMINATE = schedule_of(
    match("%func", "func.func"), on("structured.eliminate_empty_tensors", "%func")
)


@pytest.mark.parametrize(
    ("name", "payload"), [("plain", SCRATCH), ("in_grid", SCRATCH_IN_GRID)]
)
def test_an_empty_tensor_becomes_the_slice_it_ends_in(name, payload, golden) -> None:
    """Upstream leaves both: it asks its own analysis, which is for whole modules."""
    ran = transform(payload, ELIMINATE)
    assert_same_numbers(ran)
    golden(f"transforms/eliminate_empty_tensors_{name}.mlir", ran.text)
    mlir_opt(ran.text)
    twice = transform(
        payload,
        schedule_of(
            match("%func", "func.func"),
            *[on("structured.eliminate_empty_tensors", "%func")] * 2,
        ),
    )
    assert twice.text == ran.text


def test_an_empty_tensor_with_two_users_stays() -> None:
    ran = transform(USED_TWICE, ELIMINATE)
    assert "tensor.empty" in ran.text and not ran.dumps


# -- refusals --------------------------------------------------------------------------

BITCAST = """\
func.func @f(%a: tensor<8xf32>) -> tensor<8xi32> {
  %r = tensor.bitcast %a : tensor<8xf32> to tensor<8xi32>
  return %r : tensor<8xi32>
}
"""
SUM = f"""\
func.func @f(%a: {T}) -> {T} {{
  %r = arith.addf %a, %a : {T}
  return %r : {T}
}}
"""
CHOOSE = f"""\
func.func @f(%a: {T}, %c: tensor<8xi1>) -> {T} {{
  %r = arith.select %c, %a, %a : tensor<8xi1>, {T}
  return %r : {T}
}}
"""
SHARED = f"""\
func.func @f(%a: memref<8xf32>) -> {T} {{
  %r = bufferization.to_tensor %a : memref<8xf32> to {T}
  return %r : {T}
}}
"""
ANY = f": ({OP}) -> {OP}"
REFUSALS = {
    "an op it does not know": (
        BITCAST,
        BUFFERIZE,
        "'tensor.bitcast' on tensors cannot be bufferized",
        "use arith.bitcast in a linalg.generic",
    ),
    "arithmetic on whole tensors": (
        SUM,
        BUFFERIZE,
        "'arith.addf' on tensors cannot be bufferized",
        "write it as linalg.generic or linalg.elementwise",
    ),
    "a choice of elements": (
        CHOOSE,
        BUFFERIZE,
        "'arith.select' by a tensor of conditions cannot be bufferized",
        "write it as linalg.generic",
    ),
    "a buffer that others may use": (
        SHARED,
        BUFFERIZE,
        "'bufferization.to_tensor' without `restrict` cannot be bufferized",
        "write `restrict`, if no other tensor is made of that buffer",
    ),
    "functions kept": (
        matmul(8, 8, 8),
        "%b = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} "
        f"%root {ANY}",
        "tensors at function boundaries must be bufferized",
        "set bufferize_function_boundaries = true",
    ),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_refusal(name) -> None:
    payload, step, fact, remedy = REFUSALS[name]
    error = refusal(payload, schedule_of(step))
    assert isinstance(error, SilenceableFailure)
    assert (error.fact, error.remedy) == (f"one_shot_bufferize: {fact}", remedy)


def test_one_function_that_cannot_be_bufferized_spares_the_others() -> None:
    refusal(matmul(8, 8, 8) + BITCAST, schedule_of(BUFFERIZE))
