"""eliminate_empty_tensors: an empty tensor becomes the slice that it ends in."""

from __future__ import annotations

import pytest

from support.mlir_opt import mlir_opt
from support.transforms.schedules import (
    assert_same_numbers,
    match,
    on,
    schedule_of,
    transform,
)

T = "tensor<8xf32>"


PART = "tensor<4xf32>"
SQUARE, SQUARES = "tensor<2x2xf32>", "tensor<2x4xf32>"


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


def test_a_user_of_a_shared_empty_tensor_starts_from_its_slice() -> None:
    ran = transform(USED_TWICE, ELIMINATE)
    assert ran.text.count("tensor.empty") == 1
    assert "outs(%" in ran.text and "tensor.extract_slice %d[2]" in ran.text
    assert_same_numbers(ran)


CONCATENATED = f"""\
func.func @f(%a: {PART}) -> {T} {{
  %e = tensor.empty() : {PART}
  %s = linalg.add ins(%a, %a : {PART}, {PART}) outs(%e : {PART}) -> {PART}
  %q = linalg.mul ins(%a, %a : {PART}, {PART}) outs(%e : {PART}) -> {PART}
  %d = tensor.empty() : {T}
  %i = tensor.insert_slice %s into %d[0] [4] [1] : {PART} into {T}
  %r = tensor.insert_slice %q into %i[4] [4] [1] : {PART} into {T}
  return %r : {T}
}}
"""


def test_parts_are_computed_in_their_places() -> None:
    ran = transform(CONCATENATED, ELIMINATE)
    assert ran.text.count("tensor.empty") == 1
    assert ran.text.count("tensor.extract_slice") == 2
    mlir_opt(ran.text)
    assert_same_numbers(ran)


JOINED_SQUARES = f"""\
  %s1 = tensor.expand_shape %s [[0, 1]] output_shape [2, 2] : {PART} into {SQUARE}
  %q1 = tensor.expand_shape %q [[0, 1]] output_shape [2, 2] : {PART} into {SQUARE}
  %d = tensor.empty() : {SQUARES}
  %i = tensor.insert_slice %s1 into %d[0, 0] [2, 2] [1, 1] : {SQUARE} into {SQUARES}
  %r = tensor.insert_slice %q1 into %i[0, 2] [2, 2] [1, 1] : {SQUARE} into {SQUARES}
  return %r : {SQUARES}
}}
"""
"""The end of functions that join %s and %q, both reshaped."""


RESHAPED = f"""\
func.func @f(%a: {PART}) -> {SQUARES} {{
  %e = tensor.empty() : {PART}
  %s = linalg.add ins(%a, %a : {PART}, {PART}) outs(%e : {PART}) -> {PART}
  %q = linalg.mul ins(%a, %a : {PART}, {PART}) outs(%e : {PART}) -> {PART}
{JOINED_SQUARES}"""


def test_reshaped_parts_have_empty_tensors_of_their_own() -> None:
    """Else the second is written into the buffer of the first, after a copy."""
    ran = transform(RESHAPED, ELIMINATE)
    assert ran.text.count(f"tensor.empty() : {PART}") == 2
    mlir_opt(ran.text)
    assert_same_numbers(ran)


ONE_OP = f"""\
func.func @f(%a: {PART}) -> {SQUARES} {{
  %e = tensor.empty() : {PART}
  %s, %q = linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>,
      affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}}
      ins(%a : {PART}) outs(%e, %e : {PART}, {PART}) {{
  ^bb0(%x: f32, %o: f32, %p: f32):
    %0 = arith.addf %x, %x : f32
    %1 = arith.mulf %x, %x : f32
    linalg.yield %0, %1 : f32, f32
  }} -> ({PART}, {PART})
{JOINED_SQUARES}"""


def test_the_results_of_one_op_have_empty_tensors_of_their_own() -> None:
    ran = transform(ONE_OP, ELIMINATE)
    assert ran.text.count(f"tensor.empty() : {PART}") == 2
    mlir_opt(ran.text)
    assert_same_numbers(ran)
