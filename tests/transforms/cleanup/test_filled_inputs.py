"""tilewright.filled_inputs: a tensor of one number is read as the number."""

from __future__ import annotations

import pytest

from support.transforms.schedules import (
    Ran,
    assert_same_numbers,
    patterns,
    schedule_of,
    transform,
)


def read(text: str, times: int = 1) -> Ran:
    return transform(text, schedule_of(*[patterns("tilewright.filled_inputs")] * times))


def added(number: str, map_: str = "(d0, d1) -> ()", shape: str = "") -> str:
    """A matrix plus a filled tensor that is read at some elements."""
    tensor = f"tensor<{shape}f32>"
    return f"""func.func @f(%x: tensor<4x8xf32>, %s: f32) -> tensor<4x8xf32> {{
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : {tensor}
  %ones = linalg.fill ins(%{number} : f32) outs(%e : {tensor}) -> {tensor}
  %to = tensor.empty() : tensor<4x8xf32>
  %r = linalg.generic {{indexing_maps = [affine_map<{map_}>,
      affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}}
      ins(%ones, %x : {tensor}, tensor<4x8xf32>) outs(%to : tensor<4x8xf32>) {{
  ^bb0(%a: f32, %b: f32, %out: f32):
    %sum = arith.addf %a, %b : f32
    linalg.yield %sum : f32
  }} -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}}"""


@pytest.mark.parametrize(
    ("map_", "shape"),
    [
        ("(d0, d1) -> ()", ""),
        ("(d0, d1) -> (d0)", "4x"),
        ("(d0, d1) -> (d0, d1)", "4x8x"),
        ("(d0, d1) -> (0, d1)", "1x8x"),
    ],
)
def test_a_filled_input_is_a_number(map_: str, shape: str) -> None:
    ran = read(added("one", map_, shape))
    assert "linalg.fill" not in ran.text and "ins(%x :" in ran.text
    assert_same_numbers(ran)


def test_a_number_that_is_known_at_run_time_stays_a_tensor() -> None:
    assert "linalg.fill" in read(added("s")).text


def test_an_op_that_yields_a_constant_is_a_fill() -> None:
    text = added("one").replace("linalg.yield %sum", "linalg.yield %one")
    ran = read(text)
    assert "linalg.generic" not in ran.text and "linalg.fill" in ran.text
    assert_same_numbers(ran)


def test_a_sum_of_a_filled_tensor_stays_a_sum() -> None:
    ran = read("""func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %ones = linalg.fill ins(%one : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>,
      affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%ones : tensor<4x8xf32>) outs(%x : tensor<4xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %sum = arith.addf %a, %acc : f32
    linalg.yield %sum : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}""")
    assert "ins(%ones" in ran.text, "the tensor has the number of its elements"
    assert_same_numbers(ran)
