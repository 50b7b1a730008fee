"""A match that finds nothing: when a run warns of it, and what it suggests."""

from __future__ import annotations

from typing import Any

import pytest

from support.transforms.payloads import linear
from tilewright.ir.errors import UserError
from tilewright.pipeline import apply_schedule, parse_payload
from tilewright.schedule_builder import to_python
from tilewright.schedules.schedule import Schedule

GENERIC = """
func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>)
    -> tensor<4x4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
      affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
"""
TWO = """
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.exp ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @g(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
"""


def warnings_of(body: str, payload: str | None = None, rest: str = "") -> list[str]:
    text = f"schedule s(root) {{\n{body}\n}}\n{rest}"
    read = parse_payload(linear(64, 64, 64) if payload is None else payload)
    applied = apply_schedule(read, Schedule.from_text(text, "s.tw"), complete=False)
    return [str(warning).partition("\n")[0] for warning in applied.warnings]


@pytest.mark.parametrize(
    "body",
    [
        'h = match "scf.for" in root\nlicm h',
        'h = match "scf.for" in root\np = parent h\ncse p',
        'h = match "scf.for" in root\ninclude clean(h)',
    ],
)
def test_a_step_on_it_is_warned_of(body: str) -> None:
    (warning,) = warnings_of(body)
    fact = "match: the payload has no 'scf.for'; the steps on it do nothing"
    assert warning.startswith(f"s.tw:2:5: error: {fact}; ")


@pytest.mark.parametrize(
    "body", ['h = match "scf.for" in root', 'match "scf.for" in root']
)
def test_a_match_that_nothing_uses_is_warned_of(body: str) -> None:
    (warning,) = warnings_of(body)
    assert "match: the payload has no 'scf.for'; it has linalg.fill" in warning
    assert not warnings_of(body.replace("match", "match?"))
    assert not warnings_of(body.replace("scf.for", "linalg.fill"))


@pytest.mark.parametrize(
    "body",
    [
        'h = match "scf.for" in root\nfor each l in h { licm l }',
        'h = match "scf.for" in root\nm = match "linalg.matmul" in root\n'
        "both = merge(h, m)\ncse both",
        "include optional(root)",
        'h = match? "scf.for" in root\nlicm h',
        "h = match? reduction in root\ngeneralize h",
        'h = match "scf.for" in root optional = true\nlicm h',
    ],
)
def test_what_may_be_absent_is_silent(body: str) -> None:
    optional = 'sequence optional(f) {\n  h = match "scf.for" in f\n  licm h\n}\n'
    assert warnings_of(body, rest=optional) == []


def test_one_of_several_functions_has_it() -> None:
    body = """fs = match "func.func" in root
  for each f in fs {
    e = match "linalg.exp" in f
    generalize e
  }"""
    assert warnings_of(body, TWO) == []


def test_it_is_in_another_op() -> None:
    body = """mm = match "linalg.matmul" in root
  mm, grid = tile mm by [16, 16] onto [block.y, block.x]
  tail = match "linalg.generic" in grid
  vectorize tail"""
    (warning,) = warnings_of(body)
    assert "this 'scf.forall' has no 'linalg.generic'" in warning
    assert warning.endswith("; match in the op that contains it")


@pytest.mark.parametrize(
    "wanted, payload, remedy",
    [
        ("linalg.softmax", None, "it has linalg.fill, linalg.generic, linalg.matmul"),
        ("linalg.batch_matmul", None, "did you mean 'linalg.matmul'?"),
        ("linalg.matmul", GENERIC, "its product is a 'linalg.generic'"),
        ("vector.contract", None, "it has linalg.fill, linalg.generic, linalg.matmul"),
    ],
)
def test_the_remedy(wanted: str, payload: str | None, remedy: str) -> None:
    (warning,) = warnings_of(f'h = match "{wanted}" in root\ncse h', payload)
    assert warning.endswith(f"do nothing; {remedy}")


def test_a_match_that_may_find_nothing_is_written_with_a_mark() -> None:
    """In the language, as MLIR and in Python, and back."""
    text = """schedule s(root) {
  h = match? "scf.for" in root
  r = match? reduction in root at [0]
  licm h
  cse r
}
"""
    read = Schedule.from_text(text, "s.tw")
    script = read.to_mlir()
    assert script.count("{tilewright.optional}") == 2
    assert Schedule.from_text(script, "s.mlir").to_tw() == text
    program = to_python(text)
    assert 's.match("scf.for", optional=True)' in program
    made: dict[str, Any] = {}
    exec(program, made)
    assert made["s"].to_tw() == text


def test_the_mark_is_no_name() -> None:
    for line in ("match? = 4", 'h = tile? "scf.for" in root', "h = match ? x in root"):
        with pytest.raises(UserError):
            Schedule.from_text(f"schedule s(root) {{\n  {line}\n}}\n", "s.tw")
    with pytest.raises(UserError, match="expected true or false"):
        Schedule.from_text(
            'schedule s(root) {\n  h = match "scf.for" in root optional = 3\n}\n',
            "s.tw",
        )
