"""Handles while a schedule runs: consuming, following, and the ops' own syntax."""

from __future__ import annotations

import pytest

from support.mlir_opt import mlir_opt, needs_mlir
from support.transforms.payloads import linear, matmul
from support.transforms.schedules import (
    BUFFERIZE,
    OP,
    TO_VECTORS,
    for_loops,
    forall,
    fuse,
    include,
    match,
    on,
    parse_payload,
    parse_schedule,
    patterns,
    refusal,
    schedule_of,
    transform,
    vectorize,
)
from tilewright.ir.errors import DefiniteFailure, UserError
from tilewright.ir.text import to_text
from tilewright.transforms.interpreter import run_schedule

MM = match("%mm", "linalg.matmul")


def test_a_consumed_handle_is_reported_with_three_places() -> None:
    schedule = schedule_of(
        MM, forall("%t, %g", "%mm", "8, 8"), for_loops("%u, %k", "%mm", "0, 0, 8")
    )
    error = refusal(matmul(16, 16, 16), schedule)
    assert isinstance(error, DefiniteFailure)
    assert error.fact == (
        "structured.tile_using_for: operand 0 uses %mm after it was invalidated"
    )
    assert error.remedy == "match again, or use the handle the consuming op returned"
    assert [note.fact for note in error.notes] == [
        "invalidated here by 'transform.structured.tile_using_forall'",
        "it pointed at the payload op 'linalg.matmul'",
    ]
    places = [error.place, *(note.place for note in error.notes)]
    assert [str(place) for place in places] == [
        "schedule.mlir:5:3",
        "schedule.mlir:4:3",
        "payload.mlir:2:3",
    ]
    assert str(error) == (
        "schedule.mlir:5:3: error: structured.tile_using_for: operand 0 uses %mm after "
        "it was invalidated; match again, or use the handle the consuming op returned\n"
        "    %u, %k = transform.structured.tile_using_for %mm tile_sizes [0, 0, 8] : "
        "(!transform.any_op) -> (!transform.any_op, !transform.any_op)\n"
        "    ^\n"
        "schedule.mlir:4:3: note: invalidated here by "
        "'transform.structured.tile_using_forall'\n"
        "    %t, %g = transform.structured.tile_using_forall %mm tile_sizes [8, 8] : "
        "(!transform.any_op) -> (!transform.any_op, !transform.any_op)\n"
        "    ^\n"
        "payload.mlir:2:3: note: it pointed at the payload op 'linalg.matmul'\n"
        "    %r = linalg.matmul ins(%a, %b : tensor<16x16xf32>, tensor<16x16xf32>) "
        "outs(%c : tensor<16x16xf32>) -> tensor<16x16xf32>\n"
        "    ^"
    )


@pytest.mark.parametrize(
    ("consume", "use"),
    [
        # Another handle to the same op.
        (forall("%t, %g", "%mm", "8, 8"), vectorize("%same")),
        # A handle to something inside what was consumed.
        (BUFFERIZE, forall("%t, %g", "%mm", "8, 8")),
        (BUFFERIZE, on("apply_cse", "%func")),
        # The producer that moved into a loop.
        (
            "\n".join(
                [forall("%t, %g", "%tail", "8, 8"), fuse("%m, %g1", "%mm", "%g")]
            ),
            vectorize("%mm"),
        ),
        (vectorize("%fill"), vectorize("%fill")),
    ],
)
def test_every_handle_to_what_was_consumed_is_dead(consume: str, use: str) -> None:
    schedule = schedule_of(
        MM,
        match("%same", "linalg.matmul"),
        match("%fill", "linalg.fill"),
        match("%tail", "linalg.generic"),
        match("%func", "func.func"),
        consume,
        use,
    )
    with pytest.raises(DefiniteFailure, match="after it was invalidated"):
        transform(linear(16, 16, 16), schedule)


def test_an_included_sequence_consumes_for_its_caller() -> None:
    sequence = (
        f"transform.named_sequence @eat(%h: {OP} {{transform.consumed}}) {{\n"
        f"  {vectorize('%h')}\n  transform.yield\n}}\n"
    )
    schedule = schedule_of(
        MM, include("eat", "%mm"), vectorize("%mm"), sequences=sequence
    )
    with pytest.raises(DefiniteFailure, match="%mm after it was invalidated"):
        transform(matmul(8, 8, 8), schedule)


def test_a_refused_step_consumes_nothing_and_changes_nothing() -> None:
    """`refusal` compares the payload; the schedule may go on with the same handle."""
    refusal(matmul(16, 16, 16), schedule_of(MM, forall("%t, %g", "%mm", "0, 0, 8")))


def test_handles_follow_their_ops_through_patterns() -> None:
    schedule = schedule_of(
        MM,
        forall("%t, %g", "%mm", "16, 16", "#gpu.block<y>, #gpu.block<x>"),
        for_loops("%u, %k", "%t", "0, 0, 16"),
        match("%func", "func.func"),
        vectorize("%u", "16, 16, 16"),
        include("to_vectors", "%func"),
        f'transform.annotate %k "triton.num_stages" = %s : {OP}, !transform.param<i64>',
        sequences=TO_VECTORS,
    ).replace(
        "  transform.annotate",
        "  %s = transform.param.constant 3 : i64 -> !transform.param<i64>\n"
        "  transform.annotate",
    )
    ran = transform(matmul(32, 32, 32), schedule)
    # The loop was made anew by hoisting: %k follows it.
    assert "} {triton.num_stages = 3 : i64}" in ran.text


def test_steps_are_numbered_and_only_those_that_changed_something() -> None:
    schedule = schedule_of(
        MM,
        match("%x", "linalg.transpose"),
        forall("%t, %g", "%mm", "8, 8"),
        on("apply_cse"),
        on("apply_cse"),
        patterns("canonicalization"),
    )
    ran = transform(matmul(16, 16, 16), schedule)
    assert [dump.step for dump in ran.dumps] == ["1 structured.tile_using_forall"]


def test_a_schedule_without_an_entry_is_refused() -> None:
    module = parse_payload(matmul(8, 8, 8))
    with pytest.raises(UserError, match="no sequence @__transform_main"):
        run_schedule(parse_schedule(TO_VECTORS), module)


EVERY_FORM = schedule_of(
    MM,
    match("%tail", "linalg.generic"),
    "%s = transform.param.constant 16 : i64 -> !transform.param<i64>",
    "%t, %g = transform.structured.tile_using_forall %tail tile_sizes [%s, 8] "
    "(mapping = [#gpu.block<y>, #gpu.block<x>]) "
    f": ({OP}, !transform.param<i64>) -> ({OP}, {OP})",
    fuse("%m, %g1", "%mm", "%g"),
    "%u, %k, %j = transform.structured.tile_using_for %m tile_sizes [0, %s, 4] "
    f"interchange = [2, 1, 0] : ({OP}, !transform.param<i64>) -> ({OP}, {OP}, {OP})",
    "transform.structured.vectorize %u vector_sizes [16, %s, 4] "
    f": {OP}, !transform.param<i64>",
    vectorize("%t"),
    match("%func", "func.func"),
    patterns("canonicalization", "vector.lower_masked_transfers", to="%func"),
    on("apply_cse", "%func"),
    on("apply_dce", "%func"),
    on("apply_licm", "%k"),
    on("loop.hoist_loop_invariant_subsets", "%k"),
    on("structured.eliminate_empty_tensors", "%func"),
    BUFFERIZE,
)


def test_every_form_prints_as_it_is_read() -> None:
    once = to_text(parse_schedule(EVERY_FORM))
    again = to_text(parse_schedule(once.partition("{\n")[2].rpartition("}")[0]))
    assert again == once


@needs_mlir
def test_real_mlir_reads_what_we_print() -> None:
    printed = to_text(parse_schedule(EVERY_FORM))
    assert mlir_opt(printed) == mlir_opt(
        f"module attributes {{transform.with_named_sequence}} {{\n{EVERY_FORM}}}"
    )
