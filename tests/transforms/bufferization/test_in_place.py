"""one_shot_bufferize: what is written in place, and what is copied."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.examples import examples
from support.mlir_opt import mlir_opt, needs_mlir
from support.random_programs.tensor_programs import Program
from support.transforms.schedules import (
    BUFFERIZE,
    assert_same_numbers,
    schedule_of,
    transform,
)

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


@pytest.mark.sampled(12)
@pytest.mark.parametrize("name", CASES)
def test_numbers_and_buffers(name, golden) -> None:
    payload, expected = CASES[name]
    ran = transform(payload, schedule_of(BUFFERIZE))
    assert_same_numbers(ran)
    golden(f"transforms/bufferize_{name}.mlir", ran.text)
    if expected is not None:
        found = (ran.text.count("memref.alloc("), ran.text.count("memref.copy"))
        assert found == expected


@pytest.mark.sampled(12)
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
