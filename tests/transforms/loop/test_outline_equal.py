"""`outline_equal` and `inline_calls`: grids that repeat, in one function and back."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from support.codegen.programs import built
from support.mlir_opt import mlir_opt, needs_mlir
from support.transforms.loops import assert_round_trips
from support.transforms.schedules import (
    OP,
    assert_same_numbers,
    match,
    refusal,
    schedule_of,
    transform,
)
from tilewright.numeric_check import check_kernel_ir, make_case
from tilewright.pipeline import parse_payload
from tilewright.schedules.default import finish

GRIDS = match("%l", "scf.forall")
OUTLINE = (
    "%r, %c = transform.tilewright.outline_equal %l "
    f'{{func_name = "g", fewest = 2 : i64}} : ({OP}) -> ({OP}, {OP})'
)
INLINE = f"transform.tilewright.inline_calls %c : {OP}"


def grid(number: int, first: str, second: str, scale: str = "%half") -> str:
    return f"""
  %e{number} = tensor.empty() : tensor<8xf32>
  %r{number} = scf.forall (%i{number}) in (2) shared_outs(%o = %e{number}) -> (tensor<8xf32>) {{
    %at = affine.apply affine_map<(d0) -> (d0 * 4)>(%i{number})
    %x = tensor.extract_slice {first}[%at] [4] [1] : tensor<8xf32> to tensor<4xf32>
    %y = tensor.extract_slice {second}[%at] [4] [1] : tensor<8xf32> to tensor<4xf32>
    %s = tensor.extract_slice %o[%at] [4] [1] : tensor<8xf32> to tensor<4xf32>
    %v = linalg.generic {{indexing_maps = [affine_map<(d0) -> (d0)>,
        affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
        iterator_types = ["parallel"]}}
        ins(%x, %y : tensor<4xf32>, tensor<4xf32>) outs(%s : tensor<4xf32>) {{
    ^bb0(%p: f32, %q: f32, %z: f32):
      %m = arith.mulf %p, {scale} : f32
      %t = arith.addf %m, %q : f32
      linalg.yield %t : f32
    }} -> tensor<4xf32>
    scf.forall.in_parallel {{
      tensor.parallel_insert_slice %v into %o[%at] [4] [1] : tensor<4xf32> into tensor<8xf32>
    }}
  }} {{mapping = [#gpu.block<x>]}}"""  # noqa: E501


def program(*grids: str, result: str) -> str:
    return f"""
func.func @f(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {{
  %half = arith.constant 0.5 : f32
  %third = arith.constant 0.3 : f32{"".join(grids)}
  return %{result} : tensor<8xf32>
}}
"""


THREE = program(
    grid(0, "%a", "%b"), grid(1, "%r0", "%b"), grid(2, "%b", "%r1"), result="r2"
)


def test_equal_grids_become_calls_of_one_function() -> None:
    ran = transform(THREE, schedule_of(GRIDS, OUTLINE))
    assert_same_numbers(ran)
    assert ran.text.count("scf.forall (") == 1
    assert ran.text.count("call @g(") == 3
    head = ran.text[: ran.text.index("scf.forall (")]
    assert "arith.constant 5.000000e-01" in head, "the constant is not in the function"


def test_inlining_gives_the_grids_back() -> None:
    ran = transform(THREE, schedule_of(GRIDS, OUTLINE, INLINE))
    assert_same_numbers(ran)
    assert ran.text.count("scf.forall (") == 3
    assert "call" not in ran.text and "@g" not in ran.text
    assert ran.text.count("arith.constant 5.000000e-01") == 1


@pytest.mark.parametrize(
    "other",
    [
        grid(1, "%r0", "%b", scale="%third"),
        grid(1, "%r0", "%r0"),
        grid(1, "%r0", "%b").replace("#gpu.block<x>", "#gpu.block<y>"),
    ],
    ids=["a constant", "one tensor twice", "an attribute"],
)
def test_grids_that_differ_stay(other: str) -> None:
    text = program(grid(0, "%a", "%b"), other, result="r1")
    assert "call" not in transform(text, schedule_of(GRIDS, OUTLINE)).text


def test_grids_with_fewer_equals_stay() -> None:
    more = OUTLINE.replace("fewest = 2", "fewest = 4")
    assert "call" not in transform(THREE, schedule_of(GRIDS, more)).text


def test_a_grid_with_an_unused_result_stays() -> None:
    text = program(*(grid(i, "%a", "%b") for i in range(3)), result="r0")
    assert "call" not in transform(text, schedule_of(GRIDS, OUTLINE)).text


def test_outline_twice() -> None:
    again = OUTLINE.replace("%r, %c", "%r2, %c2").replace("%l", "%l2")
    steps = [GRIDS, OUTLINE, match("%l2", "scf.forall"), again]
    assert transform(THREE, schedule_of(*steps)).text.count("func.func") == 2


def test_what_is_nested_or_no_call_is_refused() -> None:
    inside = schedule_of(match("%l", "linalg.generic"), OUTLINE)
    assert "top level of a function" in refusal(THREE, inside).fact
    grids = schedule_of(match("%c", "scf.forall"), INLINE)
    assert "calls no function with a body" in refusal(THREE, grids).fact


def test_golden(golden: Callable[[str, str], None]) -> None:
    after = transform(THREE, schedule_of(GRIDS, OUTLINE)).text
    golden("transforms/loop/outline_equal.mlir", after)


@needs_mlir
def test_real_mlir_reads_and_inlines_it() -> None:
    after = transform(THREE, schedule_of(GRIDS, OUTLINE)).text
    assert mlir_opt(after, "--inline").count("scf.forall (") == 3


def test_round_trip() -> None:
    assert_round_trips(GRIDS, OUTLINE, INLINE, upstream=False)


@pytest.mark.slow
def test_the_default_makes_the_same_program(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = [grid(i, f"%r{i - 1}" if i else "%a", "%b") for i in range(5)]
    text = program(*steps, result="r4")
    shared = built(text)
    assert any("outline equal grids" in line for line in shared.added)
    case = make_case(parse_payload(text, "payload.mlir"), 0)
    assert check_kernel_ir(shared, case).ok
    monkeypatch.setattr(finish, "FEWEST_EQUAL", 100)
    assert built(text).program.text == shared.program.text
