"""Ops to vectorize: bodies that read indices, and named ops."""

from __future__ import annotations

from support.transforms.payloads import generic
from support.transforms.same_program import assert_same_program
from support.transforms.schedules import (
    assert_same_numbers,
    by_real_mlir,
    match,
    transform,
)

GENERIC = match("%g", "linalg.generic")


def same_by_real_mlir(payload: str, schedule: str, reduction: int = 1) -> str:
    ran = transform(payload, schedule)
    assert_same_numbers(ran, reduction=reduction)
    assert_same_program(ran.text, by_real_mlir(payload, schedule))
    return ran.text


def indexed(shape: tuple[int, ...], body: str, of: str = "f32") -> str:
    dims = ", ".join(f"d{i}" for i in range(len(shape)))
    kind = f"tensor<{'x'.join(str(n) for n in shape)}x{of}>"
    return generic(
        [f"({dims}) -> ({dims})"] * 2,
        ["parallel"] * len(shape),
        [(kind, of), (kind, of)],
        body,
    )


CAUSAL = """%i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c = arith.cmpi sle, %j, %i : index
    %z = arith.constant -1.0 : f32
    %s = arith.select %c, %x0, %z : f32
    linalg.yield %s : f32"""


def named(line: str, operands: dict[str, str], result: str) -> str:
    arguments = ", ".join(f"%{name}: {kind}" for name, kind in operands.items())
    return f"""\
func.func @f({arguments}) -> {result} {{
  %r = {line}
  return %r : {result}
}}
"""


A, B, V = "tensor<5x12xf32>", "tensor<12x5xf32>", "tensor<5xf32>"
NAMED = {
    "linalg.reduce": named(
        f"linalg.reduce {{ arith.addf }} ins(%x : {A}) outs(%o : {V}) dimensions = [1]",
        {"x": A, "o": V},
        V,
    ),
    "linalg.broadcast": named(
        f"linalg.broadcast ins(%x : {V}) outs(%o : {A}) dimensions = [1]",
        {"x": V, "o": A},
        A,
    ),
    "linalg.transpose": named(
        f"linalg.transpose ins(%x : {A}) outs(%o : {B}) permutation = [1, 0]",
        {"x": A, "o": B},
        B,
    ),
    "linalg.copy": named(
        f"linalg.copy ins(%x : {A}) outs(%o : {A}) -> {A}", {"x": A, "o": A}, A
    ),
    "linalg.fill": named(
        f"linalg.fill ins(%x : f32) outs(%o : {A}) -> {A}", {"x": "f32", "o": A}, A
    ),
    "linalg.exp": named(
        f"linalg.exp ins(%x : {A}) outs(%o : {A}) -> {A}", {"x": A, "o": A}, A
    ),
    "linalg.div": named(
        f"linalg.div ins(%x, %y : {A}, {A}) outs(%o : {A}) -> {A}",
        {"x": A, "y": A, "o": A},
        A,
    ),
    "linalg.matvec": named(
        f"linalg.matvec ins(%x, %y : {B}, {V}) outs(%o : tensor<12xf32>) "
        "-> tensor<12xf32>",
        {"x": B, "y": V, "o": "tensor<12xf32>"},
        "tensor<12xf32>",
    ),
    "linalg.dot": named(
        f"linalg.dot ins(%x, %y : {V}, {V}) outs(%o : tensor<f32>) -> tensor<f32>",
        {"x": V, "y": V, "o": "tensor<f32>"},
        "tensor<f32>",
    ),
}
