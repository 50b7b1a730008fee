"""The options of one_shot_bufferize: layouts, copies, returned allocations."""

from __future__ import annotations

import re

import numpy as np
import pytest

from support.mlir_opt import mlir_opt, needs_mlir
from support.transforms.bufferize_cases import (
    CASES,
    V,
    counts,
    not_written,
)
from support.transforms.schedules import (
    BUFFERIZE,
    OP,
    assert_same_numbers,
    by_real_mlir,
    parse_schedule,
    refusal,
    schedule_of,
    transform,
)
from tilewright.ir.interpreter import run
from tilewright.ir.text import to_text


def with_options(text: str, layout: str = "IdentityLayoutMap") -> str:
    written = f"layout{{{layout}}} " if layout else ""
    return schedule_of(
        f"%b = transform.bufferization.one_shot_bufferize {written}%root "
        f"{{bufferize_function_boundaries = true{text}}} : ({OP}) -> {OP}"
    )


@pytest.mark.sampled(12)
@needs_mlir
@pytest.mark.parametrize("layout", ["", "InferLayoutMap", "FullyDynamicLayoutMap"])
@pytest.mark.parametrize(
    "name", ["slice_drops_a_row", "collapse", "pad", "call_with_a_part", "elements"]
)
def test_layouts_at_boundaries(name, layout) -> None:
    payload, _ = CASES[name]
    schedule = with_options("", layout)
    ran = transform(payload, schedule)
    assert_same_numbers(ran)
    mlir_opt(ran.text)
    theirs = by_real_mlir(not_written(payload), schedule)
    ours_head, theirs_head = (
        re.findall(r"func\.func .*-> (.*) \{", text) for text in (ran.text, theirs)
    )
    assert sorted(ours_head) == sorted(theirs_head)


def test_copies_by_linalg() -> None:
    ran = transform(CASES["pad"][0], with_options(', memcpy_op = "linalg.copy"'))
    assert "linalg.copy" in ran.text and "memref.copy" not in ran.text
    assert_same_numbers(ran)


def test_an_argument_that_is_declared_writable_is_written() -> None:
    payload = f"""\
func.func @f(%a: {V} {{bufferization.writable = true}}, %x: f32) -> {V} {{
  %c2 = arith.constant 2 : index
  %r = tensor.insert %x into %a[%c2] : {V}
  return %r : {V}
}}
"""
    ran = transform(payload, schedule_of(BUFFERIZE))
    assert counts(ran.text) == (0, 0) and "writable" not in ran.text
    given = np.arange(8, dtype=np.float32)
    (result,) = run(ran.module, [given, np.float32(9)])
    assert result[2] == given[2] == 9


LOOP = f"""\
func.func @f(%a: {V}) -> {V} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %a) -> ({V}) {{
    %e = tensor.empty() : {V}
    %y = linalg.exp ins(%x : {V}) outs(%e : {V}) -> {V}
    scf.yield %y : {V}
  }}
  return %r : {V}
}}
"""


def test_a_loop_may_go_on_with_another_buffer() -> None:
    ran = transform(LOOP, with_options(", allow_return_allocs_from_loops = true"))
    assert_same_numbers(ran)
    assert "iter_args" in ran.text


REFUSED = {
    "conflicts": (
        ", print_conflicts = true",
        "print_conflicts = true is not supported",
        "leave print_conflicts out",
    ),
    "another copy": (
        ', memcpy_op = "memmove"',
        "memcpy_op = 'memmove' is not supported",
        "choose memref.copy or linalg.copy",
    ),
    "loops": (
        "",
        "a loop yields another buffer than it started from",
        "set allow_return_allocs_from_loops = true",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_options(name) -> None:
    options, fact, remedy = REFUSED[name]
    error = refusal(LOOP, with_options(options))
    assert (error.fact, error.remedy) == (f"one_shot_bufferize: {fact}", remedy)


def test_a_call_of_a_function_that_stays_on_tensors() -> None:
    payload = CASES["call_with_a_part"][0]
    error = refusal(
        payload,
        schedule_of(
            '%f = transform.structured.match ops{["func.func"]} in %root : '
            f"({OP}) -> {OP}",
            f"%g, %h = transform.split_handle %f : ({OP}) -> ({OP}, {OP})",
            BUFFERIZE.replace("%root", "%g"),
        ),
    )
    assert (
        error.fact == "one_shot_bufferize: a call of @g would pass tensors to buffers"
    )


@needs_mlir
def test_the_op_with_options_reads_and_prints_as_real_mlir_does() -> None:
    text = with_options(', memcpy_op = "linalg.copy", test_analysis_only = true')
    module = parse_schedule(text)
    printed = to_text(module)
    assert "test_analysis_only = true" in mlir_opt(printed)
    generic = mlir_opt(printed, "--mlir-print-op-generic")
    assert 'memcpy_op = "linalg.copy"' in generic
    again = parse_schedule(
        re.search(r"(transform.named_sequence[\s\S]*)\}\s*$", printed).group(1)
    )
    assert to_text(again) == printed
