"""one_shot_bufferize in schedules: function boundaries, layouts, refusals."""

from __future__ import annotations

import numpy as np
import pytest

from support.mlir_opt import mlir_opt, needs_mlir
from support.transforms.payloads import linear, matmul
from support.transforms.same_program import assert_same_program
from support.transforms.schedules import (
    BUFFERIZE,
    OP,
    TO_VECTORS,
    assert_same_numbers,
    by_real_mlir,
    evaluate,
    for_loops,
    forall,
    include,
    inputs_of,
    match,
    on,
    refusal,
    schedule_of,
    transform,
    vectorize,
)
from tilewright.ir.errors import SilenceableFailure

T = "tensor<8xf32>"


PART = "tensor<4xf32>"


def to_buffers(*steps: str) -> str:
    return schedule_of(
        match("%func", "func.func"),
        *steps,
        include("to_vectors", "%func"),
        on("structured.eliminate_empty_tensors", "%func"),
        BUFFERIZE,
        sequences=TO_VECTORS,
    )


ACCUMULATE = to_buffers(
    match("%mm", "linalg.matmul"),
    forall("%t, %g", "%mm", "16, 16", "#gpu.block<y>, #gpu.block<x>"),
    for_loops("%u, %k", "%t", "0, 0, 16"),
    vectorize("%u", "16, 16, 16"),
)


@pytest.mark.parametrize("size", [(32, 32, 32), (40, 20, 24)], ids=str)
def test_an_argument_that_is_accumulated_into_is_copied_once_outside(
    size, golden
) -> None:
    ran = transform(matmul(*size), ACCUMULATE)
    assert_same_numbers(ran, reduction=size[2])
    outside, _, inside = ran.text.partition("scf.forall")
    assert outside.count("memref.alloc") == outside.count("memref.copy") == 1
    assert "memref.alloc" not in inside and "memref.copy" not in inside
    if size == (32, 32, 32):
        golden("transforms/bufferize_accumulate.mlir", ran.text)


@needs_mlir
def test_real_mlir_gives_the_same_program() -> None:
    """Upstream would write the argument itself: it is told not to."""
    size = (32, 32, 32)
    payload = matmul(*size).replace(
        "%c: tensor<32x32xf32>)",
        "%c: tensor<32x32xf32> {bufferization.writable = false})",
    )
    ran = transform(payload, ACCUMULATE)
    theirs = by_real_mlir(payload, ACCUMULATE)
    assert_same_program(ran.text, theirs)


def test_layouts_and_attributes_come_through() -> None:
    payload = matmul(32, 32, 32)
    steps = (
        match("%mm", "linalg.matmul"),
        forall("%t, %g", "%mm", "16, 16", "#gpu.block<y>, #gpu.block<x>"),
        for_loops("%u, %k", "%t", "0, 0, 16"),
        f'transform.annotate %g "triton.descriptors" : {OP}',
        f'transform.annotate %k "note" : {OP}',
        vectorize("%u", "16, 16, 16"),
    )
    ran = transform(payload, to_buffers(*steps))
    assert "{mapping = [#gpu.block<y>, #gpu.block<x>], triton.descriptors}" in ran.text
    assert "{note}" in ran.text


def test_a_part_that_is_returned_is_copied_out() -> None:
    payload = f"""\
func.func @f(%a: {T}) -> {PART} {{
  %s = tensor.extract_slice %a[2] [4] [1] : {T} to {PART}
  return %s : {PART}
}}
"""
    ran = transform(payload, schedule_of(BUFFERIZE))
    assert_same_numbers(ran)
    assert ran.text.count("memref.copy") == 1
    mlir_opt(ran.text)


def test_a_declaration_gets_buffers_too() -> None:
    payload = f"""\
func.func private @g({T}) -> {T}
func.func @f(%a: {T}) -> {T} {{
  return %a : {T}
}}
"""
    ran = transform(payload, schedule_of(BUFFERIZE))
    assert "@g(memref<8xf32>) -> memref<8xf32>" in ran.text
    mlir_opt(ran.text)


def test_the_caller_s_arrays_are_left_alone() -> None:
    ran = transform(matmul(16, 16, 16), schedule_of(BUFFERIZE))
    inputs = inputs_of(ran.before)
    (result,) = evaluate(ran.module, inputs)
    assert not any(np.shares_memory(result, value) for value in inputs)


def test_a_second_application_changes_nothing() -> None:
    again = BUFFERIZE.replace("%buffers", "%more").replace("%root", "%buffers")
    once = transform(linear(8, 8, 8), schedule_of(BUFFERIZE))
    twice = transform(linear(8, 8, 8), schedule_of(BUFFERIZE, again))
    assert twice.text == once.text


BITCAST = """\
func.func @f(%a: tensor<8xf32>) -> tensor<8xi32> {
  %r = tensor.bitcast %a : tensor<8xf32> to tensor<8xi32>
  return %r : tensor<8xi32>
}
"""


SUM = f"""\
func.func @f(%a: {T}) -> {T} {{
  %r = arith.addf %a, %a : {T}
  return %r : {T}
}}
"""


CHOOSE = f"""\
func.func @f(%a: {T}, %c: tensor<8xi1>) -> {T} {{
  %r = arith.select %c, %a, %a : tensor<8xi1>, {T}
  return %r : {T}
}}
"""


SHARED = f"""\
func.func @f(%a: memref<8xf32>) -> {T} {{
  %r = bufferization.to_tensor %a : memref<8xf32> to {T}
  return %r : {T}
}}
"""


ANY = f": ({OP}) -> {OP}"


REFUSALS = {
    "an op it does not know": (
        BITCAST,
        BUFFERIZE,
        "'tensor.bitcast' on tensors cannot be bufferized",
        "use arith.bitcast in a linalg.generic",
    ),
    "arithmetic on whole tensors": (
        SUM,
        BUFFERIZE,
        "'arith.addf' on tensors cannot be bufferized",
        "write it as linalg.generic or linalg.elementwise",
    ),
    "a choice of elements": (
        CHOOSE,
        BUFFERIZE,
        "'arith.select' by a tensor of conditions cannot be bufferized",
        "write it as linalg.generic",
    ),
    "a buffer that others may use": (
        SHARED,
        BUFFERIZE,
        "'bufferization.to_tensor' without `restrict` cannot be bufferized",
        "write `restrict`, if no other tensor is made of that buffer",
    ),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_refusal(name) -> None:
    payload, step, fact, remedy = REFUSALS[name]
    error = refusal(payload, schedule_of(step))
    assert isinstance(error, SilenceableFailure)
    assert (error.fact, error.remedy) == (f"one_shot_bufferize: {fact}", remedy)


def test_one_function_that_cannot_be_bufferized_spares_the_others() -> None:
    refusal(matmul(8, 8, 8) + BITCAST, schedule_of(BUFFERIZE))
