"""Schedules that are wrong, and every word that is said about them.

`data/schedule_errors.txt` holds a schedule, `-----`, its errors, `=====`, and so on.
"""

from __future__ import annotations

import pytest

from support.paths import DATA
from tilewright.ir.errors import UserError
from tilewright.schedules.schedule import Schedule, check_text

CASES = (DATA / "schedule_errors.txt").read_text().split("=====\n")


def name(case: str) -> str:
    return case.split("error: ", 1)[-1].splitlines()[0][:60]


@pytest.mark.parametrize("case", CASES, ids=name)
def test_errors(case: str) -> None:
    text, expected = case.split("-----\n")
    errors = check_text(text, "s.tw")
    assert "\n".join(map(str, errors)) + "\n" == expected


@pytest.mark.parametrize("case", CASES, ids=name)
def test_the_first_is_raised(case: str) -> None:
    text, expected = case.split("-----\n")
    with pytest.raises(UserError) as caught:
        Schedule.from_text(text, "s.tw")
    assert expected.startswith(str(caught.value))


def test_every_error_has_place_and_caret() -> None:
    for case in CASES:
        text = case.split("-----\n")[0]
        for error in check_text(text, "s.tw"):
            if error.fact.endswith("holds no schedule"):
                continue
            assert error.place is not None and error.place.excerpt() is not None


def test_every_error_has_a_remedy() -> None:
    for case in CASES:
        text = case.split("-----\n")[0]
        for error in check_text(text, "s.tw"):
            assert error.remedy, error


def test_consumed_in_a_branch_that_is_not_taken() -> None:
    text = """
schedule s(root) {
  mm = match "linalg.matmul" in root
  choose where {
    here { mm, k = tile mm by [0, 0, 32] }
    there { }
  }
  vectorize mm to [32, 32, 32]
}
"""
    (error,) = check_text(text, "s.tw")
    assert "in branch 'here' of 'where'" in error.fact


def test_a_branch_may_consume_what_another_does_too() -> None:
    text = """
schedule s(root) {
  mm = match "linalg.matmul" in root
  mm, k = choose where {
    a { mm, k = tile mm by [0, 0, 32]; yield mm, k }
    b { mm, k = tile mm by [0, 0, 64]; yield mm, k }
  }
  vectorize mm to [32, 32, 32]
  pipeline k stages = 2
}
"""
    assert check_text(text, "s.tw") == []


def test_a_branch_may_pass_a_handle_through() -> None:
    text = """
schedule s(root) {
  mm = match "linalg.matmul" in root
  mm = choose where {
    a { mm, k = tile mm by [0, 0, 32]; yield mm }
    b { yield mm }
  }
  vectorize mm to [32, 32, 32]
}
"""
    assert check_text(text, "s.tw") == []


def test_levels_in_branches() -> None:
    one = """
schedule s(root) {
  root = choose where { a { root = bufferize root; yield root } b { yield root } }
  mm = match "linalg.matmul" in root
  tile mm by [32]
}
"""
    assert check_text(one, "s.tw") == []
    both = one.replace("b { yield", "b { root = bufferize root; yield")
    (error,) = check_text(both, "s.tw")
    assert error.fact == (
        "tile: it works on tensors, but the payload is bufferized here"
    )


def test_mlir_schedules_are_checked_too() -> None:
    text = """
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(
      %root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root
      : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %mm : !transform.any_op
    transform.structured.vectorize %mm : !transform.any_op
    transform.yield
  }
}
"""
    (error,) = check_text(text, "s.mlir")
    assert str(error).startswith(
        "s.mlir:8:5: error: vectorize: 'mm' was consumed by 'vectorize'"
    )


@pytest.mark.parametrize(
    "text",
    ["module {}", "func.func @f() { return }", "module { module { } }"],
)
def test_mlir_without_a_schedule(text: str) -> None:
    (error,) = check_text(text, "s.mlir")
    assert error.fact == "s.mlir holds no schedule"
