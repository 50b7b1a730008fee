"""scalarize and convert_to_loops, and refusals of insert_slice_to_copy."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from support.mlir_opt import needs_mlir
from support.transforms.loops import assert_round_trips
from support.transforms.payloads import elementwise, matmul
from support.transforms.same_program import assert_same_program
from support.transforms.schedules import (
    OP,
    assert_same_numbers,
    by_real_mlir,
    match,
    refusal,
    schedule_of,
    transform,
)
from tilewright.ir.errors import SilenceableFailure
from tilewright.ir.interpreter import run


def one_result(verb: str, target: str = "%h", result: str = "%r") -> str:
    return f"{result} = transform.structured.{verb} {target} : ({OP}) -> {OP}"


def on_op(verb: str, op: str, mark: bool = True) -> str:
    marks = [f'transform.annotate %r "made" : {OP}'] if mark else []
    return schedule_of(match("%h", op), one_result(verb), *marks)


def same_by_real_mlir(payload: str, schedule: str, reduction: int = 1) -> str:
    ran = transform(payload, schedule)
    assert_same_numbers(ran, reduction=reduction)
    assert_same_program(ran.text, by_real_mlir(payload, schedule))
    return ran.text


A, B, C = "tensor<?x4xf32>", "tensor<4x?xf32>", "tensor<?x?xf32>"


DYNAMIC = (
    f"func.func @f(%a: {A}, %b: {B}, %c: {C}) -> {C} {{\n"
    f"  %r = linalg.matmul ins(%a, %b : {A}, {B}) outs(%c : {C}) -> {C}\n"
    f"  return %r : {C}\n}}\n"
)


@needs_mlir
def test_scalarize(golden) -> None:
    schedule = on_op("scalarize", "linalg.matmul")
    ran = transform(DYNAMIC, schedule)
    golden("transforms/scalarize.mlir", ran.text)
    assert_same_program(ran.text, by_real_mlir(DYNAMIC, schedule))
    inputs = [np.ones(s, np.float32) for s in ((3, 4), (4, 5), (3, 5))]
    (expected,), (actual,) = (run(m, inputs) for m in (ran.before, ran.module))
    assert np.array_equal(expected, actual)


@needs_mlir
def test_nothing_to_scalarize() -> None:
    schedule = on_op("scalarize", "linalg.matmul")
    text = same_by_real_mlir(matmul(4, 5, 3), schedule, reduction=3)
    assert "scf.for" not in text


def on_buffers(op: str, *kinds: str) -> str:
    names = ", ".join(f"%x{i}: {kind}" for i, kind in enumerate(kinds))
    return f"func.func @f({names}) {{\n  {op}\n  return\n}}\n"


LEFT, RIGHT, OUT = "memref<?x4xf32>", "memref<4x5xf32>", "memref<?x5xf32>"


LOOPS = {
    "matmul": on_buffers(
        f"linalg.matmul ins(%x0, %x1 : {LEFT}, {RIGHT}) outs(%x2 : {OUT})",
        LEFT,
        RIGHT,
        OUT,
    ),
    "fill": on_buffers(f"linalg.fill ins(%x0 : f32) outs(%x1 : {RIGHT})", "f32", RIGHT),
    "index": on_buffers(
        "linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>], "
        'iterator_types = ["parallel", "parallel"]} outs(%x0 : memref<4x5xindex>) {\n'
        "  ^bb0(%o: index):\n    %i = linalg.index 0 : index\n"
        "    %j = linalg.index 1 : index\n    %y = arith.subi %i, %j : index\n"
        "    linalg.yield %y : index\n  }",
        "memref<4x5xindex>",
    ),
    "window": on_buffers(
        "linalg.generic {indexing_maps = [affine_map<(i, j) -> (2 * i + j)>, "
        "affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>], "
        'iterator_types = ["parallel", "reduction"]} '
        "ins(%x0, %x1 : memref<9xf32>, memref<3xf32>) outs(%x2 : memref<4xf32>) {\n"
        "  ^bb0(%a: f32, %w: f32, %o: f32):\n    %p = arith.mulf %a, %w : f32\n"
        "    %y = arith.addf %p, %o : f32\n    linalg.yield %y : f32\n  }",
        "memref<9xf32>",
        "memref<3xf32>",
        "memref<4xf32>",
    ),
    "rank 0": on_buffers(
        "linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], "
        "iterator_types = []} ins(%x0 : memref<f32>) outs(%x1 : memref<f32>) {\n"
        "  ^bb0(%a: f32, %o: f32):\n    %y = arith.addf %a, %o : f32\n"
        "    linalg.yield %y : f32\n  }",
        "memref<f32>",
        "memref<f32>",
    ),
}


def filled_in(payload: str, rng: Any) -> list[Any]:
    made = []
    for dims, of in re.findall(r"%x\d: (?:memref<)?((?:[\d?]+x)*)(\w+)", payload):
        shape = [3 if d == "?" else int(d) for d in dims.split("x")[:-1]]
        values = rng.standard_normal(shape) * 4
        made.append(np.asarray(values, np.float32 if of == "f32" else np.int64))
    return made


@needs_mlir
@pytest.mark.parametrize("name", LOOPS)
def test_convert_to_loops(name, golden) -> None:
    payload = LOOPS[name]
    op = "linalg.generic" if "generic" in payload else f"linalg.{name}"
    schedule = on_op("convert_to_loops", op)
    ran = transform(payload, schedule)
    assert "linalg." not in ran.text
    assert_same_program(ran.text, by_real_mlir(payload, schedule))
    if name == "matmul":
        golden("transforms/convert_to_loops.mlir", ran.text)
    given = filled_in(payload, np.random.default_rng(2))
    after = []
    for module in (ran.before, ran.module):
        arrays = [np.array(array) for array in given]
        run(module, arrays)
        after.append(arrays)
    for expected, actual in zip(*after, strict=True):
        assert np.allclose(expected, actual, rtol=1e-5)


@needs_mlir
def test_their_text() -> None:
    for verb in ("scalarize", "convert_to_loops", "insert_slice_to_copy"):
        assert_round_trips(match("%h", "linalg.matmul"), one_result(verb))


@pytest.mark.parametrize(
    "verb", ["scalarize", "convert_to_loops", "insert_slice_to_copy"]
)
def test_no_target(verb) -> None:
    payload = matmul(4, 4, 4)
    assert transform(payload, on_op(verb, "linalg.dot", False)).dumps == []


def on_matmul(line: str) -> str:
    return schedule_of(match("%h", "linalg.matmul"), line)


def on_function(line: str) -> str:
    return schedule_of(match("%h", "func.func"), line)


REFUSED = {
    "scalarize: 'func.func' is not a structured op": (
        DYNAMIC,
        on_function(one_result("scalarize")),
    ),
    "convert_to_loops: the op works on tensors; bufferize first": (
        DYNAMIC,
        on_matmul(one_result("convert_to_loops")),
    ),
    "convert_to_loops: 'func.func' is not a structured op": (
        DYNAMIC,
        on_function(one_result("convert_to_loops")),
    ),
    "insert_slice_to_copy: 'linalg.matmul' is neither tensor.insert_slice nor": (
        DYNAMIC,
        on_matmul(one_result("insert_slice_to_copy")),
    ),
}


@pytest.mark.parametrize("fact", REFUSED)
def test_refusals(fact) -> None:
    error = refusal(*REFUSED[fact])
    assert isinstance(error, SilenceableFailure)
    assert fact in str(error)


@needs_mlir
def test_buffers_are_scalarized() -> None:
    schedule = on_matmul(one_result("scalarize"))
    ran = transform(LOOPS["matmul"], schedule)
    assert_same_program(ran.text, by_real_mlir(LOOPS["matmul"], schedule))


def test_a_body_that_reads_nothing() -> None:
    payload = elementwise("linalg.yield %zero : f32")
    schedule = on_op("scalarize", "linalg.generic", False)
    assert transform(payload, schedule).dumps == []
