"""`alternatives` and `failures(suppress)`: what fails leaves no trace."""

from __future__ import annotations

import pytest

from support.mlir_opt import needs_mlir
from support.transforms.same_program import assert_same_program
from support.transforms.schedules import (
    OP,
    assert_same_numbers,
    by_real_mlir,
    match,
    parse_payload,
    parse_schedule,
    refusal,
    schedule_of,
    transform,
)
from tilewright.ir.errors import DefiniteFailure
from tilewright.ir.text import to_text
from tilewright.transforms.interpreter import run_schedule

PAYLOAD = """
func.func @f(%x: tensor<8x16xf32>, %y: tensor<16x8xf32>) -> tensor<8x8xf32> {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %fill = linalg.fill ins(%c : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %mm = linalg.matmul ins(%x, %y : tensor<8x16xf32>, tensor<16x8xf32>)
      outs(%fill : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %mm : tensor<8x8xf32>
}
"""


def tile(result: str, target: str, sizes: str) -> str:
    return (
        f"{result}, %loop_of_{result[1:]} = transform.structured.tile_using_for "
        f"{target} tile_sizes [{sizes}] : ({OP}) -> ({OP}, {OP})"
    )


DOES_NOT_APPLY = (
    f"%no, %no2 = transform.structured.tile_using_forall %t tile_sizes [0, 0, 4] "
    f": ({OP}) -> ({OP}, {OP})"
)
"""A reduction cannot be tiled in parallel; real MLIR says the same by a failure."""

MISSING_PARENT = (
    f'%no = transform.get_parent_op %t {{op_name = "scf.while"}} : ({OP}) -> {OP}'
)


def alternatives(first: list[str], second: list[str]) -> list[str]:
    return [
        match("%func", "func.func"),
        f"%r = transform.alternatives %func : {OP} -> {OP} {{",
        f"^bb0(%g: {OP}):",
        *first,
        f"  transform.yield %t : {OP}",
        "}, {",
        f"^bb0(%g: {OP}):",
        *second,
        f"  transform.yield %t : {OP}",
        "}",
        f'transform.annotate %r "kept" : {OP}',
    ]


TILE_8 = [match("%h", "linalg.matmul", "%g"), tile("%t", "%h", "4")]
TILE_K = [match("%h", "linalg.matmul", "%g"), tile("%t", "%h", "0, 0, 4")]
FIRST_FAILS = alternatives([*TILE_8, MISSING_PARENT], TILE_K)


@needs_mlir
def test_a_failed_branch_is_taken_back_as_real_mlir_does() -> None:
    schedule = schedule_of(*FIRST_FAILS)
    ran = transform(PAYLOAD, schedule)
    theirs = by_real_mlir(PAYLOAD, schedule)
    assert_same_program(ran.text, theirs)
    assert_same_numbers(ran, reduction=16)


def test_the_step_that_took_back_is_seen() -> None:
    ran = transform(PAYLOAD, schedule_of(*FIRST_FAILS))
    names = [dump.step for dump in ran.dumps]
    assert "2 alternatives (branch 0 taken back)" in names
    assert ran.dumps[1].text == to_text(ran.before)


def test_the_first_branch_that_applies_is_kept() -> None:
    ran = transform(PAYLOAD, schedule_of(*alternatives(TILE_8, TILE_K)))
    assert "tensor<4x16xf32>" in ran.text
    assert "kept" in ran.text


def test_no_branch_applies() -> None:
    error = refusal(
        PAYLOAD,
        schedule_of(
            *alternatives([*TILE_8, MISSING_PARENT], [*TILE_K, DOES_NOT_APPLY])
        ),
    )
    text = str(error)
    assert "alternatives: no branch applies" in text
    assert "branch 0: get_parent_op: could not find" in text
    assert "branch 1: tile_using_forall: loop 2 is a reduction" in text


def test_a_broken_schedule_stops_instead_of_trying_on() -> None:
    stale = [*TILE_8, f'transform.annotate %h "stale" : {OP}']
    with pytest.raises(DefiniteFailure, match="after it was invalidated"):
        run_schedule(
            parse_schedule(schedule_of(*alternatives(stale, TILE_K))),
            parse_payload(PAYLOAD),
        )


def test_the_scope_must_be_isolated() -> None:
    body = alternatives(TILE_8, TILE_K)
    body[0] = match("%func", "linalg.matmul")
    assert "isolated" in str(refusal(PAYLOAD, schedule_of(*body)))


def test_without_a_scope_the_whole_payload_is_the_scope() -> None:
    body = [line.replace("%func : " + OP, "") for line in FIRST_FAILS[1:]]
    body[0] = f"%r = transform.alternatives -> {OP} {{"
    ran = transform(PAYLOAD, schedule_of(*body))
    assert "kept" in ran.text and "scf.for" in ran.text


def suppressed(*body: str) -> str:
    lines = "\n".join(f"  {line}" for line in body)
    return (
        f"transform.sequence failures(suppress) {{\n^bb0(%root: {OP}):\n{lines}\n}}\n"
    )


def test_a_bare_sequence_runs_and_goes_on_after_what_does_not_apply() -> None:
    ran = transform(
        PAYLOAD,
        suppressed(
            match("%t", "linalg.matmul"),
            DOES_NOT_APPLY,
            f'transform.annotate %t "still_valid" : {OP}',
            f'transform.annotate %no "never" : {OP}',
        ),
    )
    assert "still_valid" in ran.text and "never" not in ran.text


def test_a_failed_include_is_taken_back_whole() -> None:
    helper = (
        f"transform.named_sequence @try(%g: {OP} {{transform.readonly}}) {{\n"
        + "\n".join([*TILE_8, MISSING_PARENT])
        + "\n  transform.yield\n}\n"
    )
    module = parse_payload(PAYLOAD)
    run = run_schedule(
        parse_schedule(
            helper
            + suppressed(
                match("%f", "func.func"),
                match("%mm", "linalg.matmul"),
                f"transform.include @try failures(propagate) (%f) : ({OP}) -> ()",
                f'transform.annotate %mm "still_valid" : {OP}',
            )
        ),
        module,
    )
    text = to_text(module)
    assert "scf.for" not in text and "still_valid" in text
    assert any("could not find a parent" in note.fact for note in run.remarks)


def test_handles_of_before_point_at_what_came_back() -> None:
    """What lies outside the scope keeps its handles."""
    second = """
    func.func @other(%x: tensor<4xf32>) -> tensor<4xf32> {
      %r = linalg.exp ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
      return %r : tensor<4xf32>
    }
    """
    body = [
        match("%other", "linalg.exp"),
        f'%both = transform.structured.match ops{{["func.func"]}} in %root '
        f": ({OP}) -> {OP}",
        f"%func, %rest = transform.split_handle %both : ({OP}) -> ({OP}, {OP})",
        *FIRST_FAILS[1:],
        f'transform.annotate %other "other" : {OP}',
    ]
    ran = transform(PAYLOAD + second, schedule_of(*body))
    assert "other" in ran.text.split("linalg.exp")[1]
