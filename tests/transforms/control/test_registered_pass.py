"""apply_registered_pass, and bufferization.empty_tensor_to_alloc_tensor."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from support.mlir_opt import mlir_rejects, needs_mlir
from support.transforms.loops import as_upstream, assert_round_trips, transformed
from support.transforms.schedules import (
    BUFFERIZE,
    OP,
    match,
    parse_schedule,
    refusal,
    schedule_of,
    transform,
)
from tilewright.ir.errors import DefiniteFailure, SilenceableFailure, UserError
from tilewright.transforms.control.pass_table import INSTEAD, PASSES
from tilewright.transforms.dialect import schedule_context

FUNC = match("%f", "func.func")
PARAM = '%p = transform.param.constant "normal" -> !transform.any_param'


def run_pass(name: str, options: str = "", target: str = "%f") -> str:
    given = f" with options = {{{options}}}" if options else ""
    return (
        f'%r = transform.apply_registered_pass "{name}"{given} to {target} '
        f": ({OP}) -> {OP}"
    )


REDUNDANT = """\
func.func @f(%n: index, %s: index, %t: tensor<40xf32>, %z: f32) -> (tensor<40xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = arith.constant 1 : index
  %k = affine.apply affine_map<()[s0] -> (s0 + 0)>()[%n]
  %r:2 = scf.for %i = %c0 to %k step %d iter_args(%x = %t, %y = %z) -> (tensor<40xf32>, f32) {
    %a = arith.addi %n, %s : index
    %b = arith.addi %n, %s : index
    %v = tensor.extract %x[%a] : tensor<40xf32>
    %w = tensor.extract %x[%b] : tensor<40xf32>
    %q = arith.addf %v, %w : f32
    %m = arith.addf %z, %z : f32
    %o = tensor.insert %q into %x[%i] : tensor<40xf32>
    scf.yield %o, %m : tensor<40xf32>, f32
  }
  return %r#0, %r#1 : tensor<40xf32>, f32
}
"""  # noqa: E501
NESTED = """\
func.func @f(%n: index, %s: index, %z: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %z) -> (f32) {
    %q = scf.for %j = %c0 to %s step %c1 iter_args(%y = %x) -> (f32) {
      %a = arith.addf %z, %z : f32
      %b = arith.subf %y, %a : f32
      scf.yield %b : f32
    }
    scf.yield %q : f32
  }
  return %r : f32
}
"""
SUBSETS = """\
func.func @f(%n: index, %s: index, %t: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %t) -> (tensor<8xf32>) {
    %a = tensor.extract_slice %x[2] [4] [1] : tensor<8xf32> to tensor<4xf32>
    %b = linalg.add ins(%a, %a : tensor<4xf32>, tensor<4xf32>)
                    outs(%a : tensor<4xf32>) -> tensor<4xf32>
    %y = tensor.insert_slice %b into %x[2] [4] [1] : tensor<4xf32> into tensor<8xf32>
    scf.yield %y : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
"""
EMPTIES = """\
func.func @f(%n: index, %s: index, %t: tensor<8xf32>, %z: f32) -> (tensor<8xf32>, tensor<?xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = tensor.insert_slice %f into %t[2] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %d = tensor.empty(%n) : tensor<?xf32>
  %g = linalg.fill ins(%z : f32) outs(%d : tensor<?xf32>) -> tensor<?xf32>
  return %r, %g : tensor<8xf32>, tensor<?xf32>
}
"""  # noqa: E501
FORALLS = """\
func.func @f(%n: index, %s: index, %t: memref<16xf32>, %z: f32) {
  scf.forall (%i) in (%n) {
    scf.forall (%j) in (2) {
      memref.store %z, %t[%i] : memref<16xf32>
    }
  }
  return
}
"""


@pytest.mark.sampled(12)
@needs_mlir
@pytest.mark.parametrize(
    ("name", "payload"),
    [
        ("canonicalize", REDUNDANT),
        ("cse", REDUNDANT),
        ("loop-invariant-code-motion", REDUNDANT),
        ("loop-invariant-code-motion", NESTED),
        ("loop-invariant-subset-hoisting", SUBSETS),
        ("eliminate-empty-tensors", EMPTIES),
        ("empty-tensor-to-alloc-tensor", EMPTIES),
        ("scf-forall-to-for", FORALLS),
    ],
)
def test_passes_do_what_upstreams_do(name: str, payload: str) -> None:
    after = as_upstream(
        payload, FUNC, run_pass(name), f'transform.annotate %r "x" : {OP}'
    )
    assert after != transform(payload, schedule_of(FUNC)).text


SYMBOLS = """\
module {
  func.func private @unused(%x: f32) -> f32 {
    %r = func.call @mutual(%x) : (f32) -> f32
    return %r : f32
  }
  func.func private @mutual(%x: f32) -> f32 {
    %r = func.call @unused(%x) : (f32) -> f32
    return %r : f32
  }
  func.func private @used(%x: f32) -> f32 {
    return %x : f32
  }
  func.func @f(%x: f32) -> f32 {
    %r = func.call @used(%x) : (f32) -> f32
    return %r : f32
  }
}
"""


def test_symbol_dce_keeps_what_can_be_reached() -> None:
    whole = match("%m", "builtin.module")
    after = transform(
        SYMBOLS, schedule_of(whole, run_pass("symbol-dce", "", "%m"))
    ).text
    assert "@used" in after and "@f" in after
    assert "@unused" not in after and "@mutual" not in after


@needs_mlir
def test_every_pass_is_one_of_upstreams() -> None:
    assert_round_trips(
        FUNC,
        *(
            run_pass(name).replace("%r", f"%r{number}").replace("%f", "%f")
            for number, name in enumerate(PASSES)
        ),
    )


@pytest.mark.parametrize(
    "options",
    ['"top-down" = false', '"region-simplify" = "disabled", "test-convergence" = true'],
)
def test_options_that_make_no_difference(options: str) -> None:
    plain = transformed(REDUNDANT, FUNC, run_pass("canonicalize"))
    assert transformed(REDUNDANT, FUNC, run_pass("canonicalize", options)) == plain


def with_parameter(value: str) -> list[str]:
    step = run_pass("canonicalize", '"region-simplify" = %p')
    parameter = PARAM.replace('"normal"', value)
    return [FUNC, parameter, step.replace(f"({OP})", f"({OP}, !transform.any_param)")]


def test_an_option_may_be_a_parameter() -> None:
    transformed(REDUNDANT, *with_parameter('"normal"'))
    error = refusal(REDUNDANT, schedule_of(*with_parameter('"wild"')))
    assert "option 'region-simplify' cannot be \"wild\"" in error.fact


@pytest.mark.parametrize(
    ("name", "options", "fact", "remedy"),
    [
        ("canonicalise", "", "no pass 'canonicalise'", "did you mean 'canonicalize'?"),
        ("inline", "", "no pass 'inline'", "there are: canonicalize, cse"),
        ("one-shot-bufferize", "", "no pass", "bufferization.one_shot_bufferize"),
        ("scf-for-loop-peeling", "", "no pass", "transform.loop.peel"),
        ("linalg-generalize-named-ops", "", "no pass", "structured.generalize"),
        ("canonicalize", '"top-down" = "x"', 'cannot be "x"', "true or false"),
        ("canonicalize", '"max-iterations" = 3', "until none of them acts", "leave it"),
        ("canonicalize", '"topdown" = true', "no option 'topdown'", "'top-down'?"),
        ("cse", '"top-down" = true', "no option 'top-down'", None),
    ],
)
def test_unknown_passes_and_options_stop(
    name: str, options: str, fact: str, remedy: str | None
) -> None:
    error = refusal(REDUNDANT, schedule_of(FUNC, run_pass(name, options)))
    assert isinstance(error, DefiniteFailure) and fact in error.fact
    assert remedy is None or remedy in (error.remedy or "")


@pytest.mark.parametrize(
    ("payload", "op", "name", "fact"),
    [
        (REDUNDANT, "scf.for", "cse", "'scf.for' is not"),
        (REDUNDANT, "func.func", "symbol-dce", "does not define a symbol table"),
    ],
)
def test_targets_that_a_pass_cannot_run_on(
    payload: str, op: str, name: str, fact: str
) -> None:
    error = refusal(payload, schedule_of(match("%f", op), run_pass(name)))
    assert isinstance(error, SilenceableFailure) and fact in error.fact


def test_a_grid_on_tensors_does_not_become_loops() -> None:
    payload = """\
func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
  %r = scf.forall (%i) in (4) shared_outs(%o = %t) -> (tensor<4xf32>) {
    %s = tensor.extract_slice %o[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1]
        : tensor<1xf32> into tensor<4xf32>
    }
  }
  return %r : tensor<4xf32>
}
"""
    error = refusal(payload, schedule_of(FUNC, run_pass("scf-forall-to-for")))
    assert "shared outputs" in error.fact


def test_the_target_is_consumed_and_nothing_may_be_empty() -> None:
    late = f'transform.annotate %f "late" : {OP}'
    error = refusal(REDUNDANT, schedule_of(FUNC, run_pass("cse"), late))
    assert "invalidated" in error.fact
    transformed(REDUNDANT, match("%f", "scf.while"), run_pass("cse"))


@pytest.mark.sampled(6)
@needs_mlir
@pytest.mark.parametrize(
    "steps",
    [
        [FUNC, run_pass("canonicalize", '"top-down" = false, "max-iterations" = 3')],
        [FUNC, run_pass("canonicalize", 'a = 1, "disable-patterns" = ["x", "y"]')],
        with_parameter('"normal"'),
        [
            FUNC,
            PARAM,
            run_pass("canonicalize", '"enable-patterns" = ["a", %p]').replace(
                f"({OP})", f"({OP}, !transform.any_param)"
            ),
        ],
    ],
)
def test_round_trip(steps: list[str]) -> None:
    assert_round_trips(*steps)


def test_each_parameter_is_used_once() -> None:
    text = (
        '%r = "transform.apply_registered_pass"(%f, %p) <{pass_name = "cse", options = '
        f"{{}}}}> : ({OP}, !transform.any_param) -> {OP}"
    )
    with pytest.raises(UserError, match="do not name each of the 1 parameters once"):
        parse_schedule(schedule_of(FUNC, PARAM, text))


EMPTY, ALLOC = (
    '!transform.op<"tensor.empty">',
    '!transform.op<"bufferization.alloc_tensor">',
)
MATCH_EMPTY = match("%e", "tensor.empty").replace(f"-> {OP}", f"-> {EMPTY}")
TO_ALLOC = (
    "%a = transform.bufferization.empty_tensor_to_alloc_tensor %e "
    f": ({EMPTY}) -> {ALLOC}"
)


@needs_mlir
def test_empty_tensors_become_allocations() -> None:
    mark = f'transform.annotate %a "own" : {ALLOC}'
    after = as_upstream(EMPTIES, MATCH_EMPTY, TO_ALLOC, mark)
    assert after.count("bufferization.alloc_tensor") == 2
    assert after.count("own") == 2 and "tensor.empty" not in after


@needs_mlir
def test_allocations_are_bufferized() -> None:
    payload = """\
func.func @f(%n: index, %s: index, %z: f32) -> tensor<?xf32> {
  %e = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %f : tensor<?xf32>
}
"""
    after = as_upstream(payload, MATCH_EMPTY, TO_ALLOC, BUFFERIZE)
    assert "memref.alloc(" in after


def test_no_empty_tensor_left_the_second_time() -> None:
    again = [MATCH_EMPTY.replace("%e", "%e2", 1), TO_ALLOC.replace("%a", "%b")]
    again[1] = again[1].replace("%e", "%e2")
    once = transform(EMPTIES, schedule_of(MATCH_EMPTY, TO_ALLOC)).text
    assert transform(EMPTIES, schedule_of(MATCH_EMPTY, TO_ALLOC, *again)).text == once


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [(EMPTY, OP, "must be a handle to tensor.empty"), (ALLOC, OP, "result 0 must be")],
)
def test_the_handles_are_declared(old: str, new: str, words: str) -> None:
    steps = [step.replace(old, new) for step in (MATCH_EMPTY, TO_ALLOC)]
    with pytest.raises(UserError, match=words):
        parse_schedule(schedule_of(*steps))


@needs_mlir
def test_round_trip_of_empty_tensor_to_alloc_tensor() -> None:
    assert_round_trips(MATCH_EMPTY, TO_ALLOC)


def test_golden(golden: Callable[[str, str], None]) -> None:
    after = transform(EMPTIES, schedule_of(MATCH_EMPTY, TO_ALLOC)).text
    golden("transforms/empty_tensor_to_alloc_tensor.mlir", after)
    steps = [FUNC, run_pass("loop-invariant-code-motion")]
    after = transform(REDUNDANT, schedule_of(*steps)).text
    golden("transforms/apply_registered_pass.mlir", after)


@needs_mlir
def test_what_is_to_be_used_instead_is_there() -> None:
    ours = set(schedule_context().op_names())
    assert set(INSTEAD.values()) <= ours
    assert not set(INSTEAD) & set(PASSES)
    assert [n for n in INSTEAD if mlir_rejects("module {}", f"--{n}")] == []
