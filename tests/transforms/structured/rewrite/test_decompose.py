"""decompose and decompose_interface."""

from __future__ import annotations

import pytest

from support.mlir_opt import mlir_opt, needs_mlir
from support.transforms.payloads import matmul
from support.transforms.same_program import assert_same_program
from support.transforms.schedules import (
    OP,
    assert_same_numbers,
    by_real_mlir,
    evaluate,
    inputs_of,
    match,
    parse_payload,
    parse_schedule,
    refusal,
    schedule_of,
    transform,
)
from tilewright.ir.text import to_text
from tilewright.ir.tolerance import compare


def softmax(shape: str, dimension: int, of: str = "f32") -> str:
    kind = f"tensor<{shape}x{of}>"
    return f"""\
func.func @f(%x: {kind}, %o: {kind}) -> {kind} {{
  %r = linalg.softmax dimension({dimension})
      ins(%x : {kind}) outs(%o : {kind}) -> {kind}
  return %r : {kind}
}}
"""


DECOMPOSE = schedule_of(
    match("%h", "linalg.softmax"),
    f"%r = transform.structured.decompose_interface %h : ({OP}) -> {OP}",
    f'transform.annotate %r "last" : {OP}',
)


def test_golden(golden) -> None:
    ran = transform(softmax("4x32", 1), DECOMPOSE)
    golden("transforms/decompose_interface.mlir", ran.text)


@pytest.mark.sampled(12)
@needs_mlir
@pytest.mark.parametrize(
    ("shape", "dimension", "of"),
    [
        ("4x32", 1, "f32"),
        ("4x33", 0, "f32"),
        ("7", 0, "f32"),
        ("1x1", 1, "f64"),
        ("2x5x17", 1, "f16"),
        ("3x9", 1, "bf16"),
        ("0x9", 1, "f32"),
    ],
)
def test_real_mlir_gives_the_same_program(shape, dimension, of) -> None:
    payload = softmax(shape, dimension, of)
    ran = transform(payload, DECOMPOSE)
    assert_same_numbers(ran, reduction=33)
    assert_same_program(ran.text, by_real_mlir(payload, DECOMPOSE))


@needs_mlir
@pytest.mark.parametrize("dimension", [0, 1, 2])
def test_extents_of_the_run_time(dimension) -> None:
    payload = softmax("2x?x?", dimension)
    ran = transform(payload, DECOMPOSE)
    for sizes in ((3, 7), (1, 20), (0, 4)):
        shape = "x".join(str(n) for n in (2, *sizes))
        inputs = inputs_of(parse_payload(softmax(shape, dimension)))
        (want,) = evaluate(ran.before, inputs, shuffle=None)
        (got,) = evaluate(ran.module, inputs)
        outcome = compare(got, want, "f32", 20)
        assert outcome.ok, outcome.message
    assert_same_program(ran.text, by_real_mlir(payload, DECOMPOSE))


def test_a_partial_tile_knows_its_size_from_its_slice() -> None:
    payload = """\
func.func @f(%x: tensor<4x32xf32>, %n: index) -> tensor<?x32xf32> {
  %s = tensor.extract_slice %x[0, 0] [%n, 32] [1, 1]
      : tensor<4x32xf32> to tensor<?x32xf32>
  %e = tensor.empty(%n) : tensor<?x32xf32>
  %r = linalg.softmax dimension(1)
      ins(%s : tensor<?x32xf32>) outs(%e : tensor<?x32xf32>) -> tensor<?x32xf32>
  return %r : tensor<?x32xf32>
}
"""
    assert "tensor.dim" not in transform(payload, DECOMPOSE).text


def test_several_ops_at_once_and_their_places() -> None:
    payload = softmax("4x32", 1).replace(
        "  return",
        "  %q = linalg.softmax dimension(0)\n"
        "      ins(%r : tensor<4x32xf32>) outs(%o : tensor<4x32xf32>) "
        "-> tensor<4x32xf32>\n  return",
    )
    ran = transform(payload.replace("return %r", "return %q"), DECOMPOSE)
    assert_same_numbers(ran, reduction=32)
    assert ran.text.count("last") == 2
    made = [op for op in ran.module.walk() if op.name == "linalg.generic"]
    before = [op for op in ran.before.walk() if op.name == "linalg.softmax"]
    assert [op.location for op in made] == [
        before[i].location for i in (0,) * 4 + (1,) * 4
    ]


def test_a_second_application_finds_no_softmax() -> None:
    twice = schedule_of(
        match("%h", "linalg.softmax"),
        f"%r = transform.structured.decompose_interface %h : ({OP}) -> {OP}",
        match("%g", "linalg.softmax"),
        f"%s = transform.structured.decompose_interface %g : ({OP}) -> {OP}",
        f"%t = transform.structured.decompose_interface %r : ({OP}) -> {OP}",
    )
    error = refusal(softmax("4x32", 1), twice)
    assert "'linalg.generic' does not stand for several ops" in str(error)


def test_buffers_are_refused() -> None:
    payload = """\
func.func @f(%x: memref<4x32xf32>, %o: memref<4x32xf32>) {
  linalg.softmax dimension(1) ins(%x : memref<4x32xf32>) outs(%o : memref<4x32xf32>)
  return
}
"""
    assert "decompose, then bufferize" in str(refusal(payload, DECOMPOSE))


@pytest.mark.parametrize("op", ["linalg.matmul", "linalg.softmax"])
def test_decompose_is_for_convolutions(op) -> None:
    payload = matmul(4, 4, 4) if op == "linalg.matmul" else softmax("4x4", 1)
    schedule = schedule_of(
        match("%h", op), f"%r = transform.structured.decompose %h : ({OP}) -> {OP}"
    )
    error = str(refusal(payload, schedule))
    assert f"'{op}' is not a named convolution" in error
    assert ("decompose_interface" in error) == (op == "linalg.softmax")


@pytest.mark.parametrize("verb", ["decompose", "decompose_interface"])
def test_nothing_to_do_is_done(verb) -> None:
    schedule = schedule_of(
        match("%h", "linalg.softmax"),
        f"%r = transform.structured.{verb} %h : ({OP}) -> {OP}",
    )
    assert not transform(matmul(4, 4, 4), schedule).dumps


@needs_mlir
@pytest.mark.parametrize("verb", ["decompose", "decompose_interface"])
def test_real_mlir_reads_the_op(verb) -> None:
    line = f"transform.structured.{verb} %0 : ({OP}) -> {OP}"
    schedule = schedule_of(match("%0", "linalg.softmax"), f"%1 = {line}")
    printed = mlir_opt(to_text(parse_schedule(schedule)))
    assert line in printed
    generic = mlir_opt(printed, "--mlir-print-op-generic")
    assert line in to_text(parse_schedule(generic)).replace("%h", "%0")
