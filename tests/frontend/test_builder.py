"""Payloads built from Python: the text that is made."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
import torch

import tilewright
import tilewright.payloads
from support.built_payloads import count, linear_relu, one
from support.mlir_opt import mlir_opt, needs_mlir
from support.paths import DOCS
from tilewright.frontend.builder import (
    Payload,
    Tensor,
    argmax,
    elementwise,
    index,
    layernorm,
    linear,
    matmul,
    relu,
    scan,
    softmax,
    where,
)
from tilewright.ir.context import payload_context
from tilewright.ir.text import parse_module, place_of, to_text


def test_a_linear_layer_is_fill_matmul_and_one_generic() -> None:
    assert (
        linear_relu().text()
        == """\
func.func @linear_relu(%a: tensor<16x32xf16>, %b: tensor<32x8xf16>, \
%bias: tensor<8xf16>) -> tensor<16x8xf16> {
  %zero = arith.constant 0.000000e+00 : f32
  %empty = tensor.empty() : tensor<16x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<16x8xf32>) -> \
tensor<16x8xf32>
  %product = linalg.matmul ins(%a, %b : tensor<16x32xf16>, tensor<32x8xf16>) \
outs(%init : tensor<16x8xf32>) -> tensor<16x8xf32>
  %empty_1 = tensor.empty() : tensor<16x8xf16>
  %tail = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, \
affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], \
iterator_types = ["parallel", "parallel"]} ins(%product, %bias : tensor<16x8xf32>, \
tensor<8xf16>) outs(%empty_1 : tensor<16x8xf16>) {
  ^bb0(%acc: f32, %v: f16, %out: f16):
    %0 = arith.extf %v : f16 to f32
    %1 = arith.addf %acc, %0 : f32
    %2 = arith.maximumf %1, %zero : f32
    %3 = arith.truncf %2 : f32 to f16
    linalg.yield %3 : f16
  } -> tensor<16x8xf16>
  func.return %tail : tensor<16x8xf16>
}
"""
    )


def test_a_module_may_be_taken_at_any_time_and_is_a_fresh_one() -> None:
    p, x = one()
    p.output(x + 1)
    before = p.text()
    first = p.module
    p.output(x * 2)
    assert to_text(first) != to_text(p.module)
    assert before in to_text(first).replace("\n  ", "\n")


def test_ops_carry_the_place_of_the_call() -> None:
    p, x = one()
    p.output(relu(x))  # here
    generic = next(op for op in p.module.walk() if op.name == "linalg.generic")
    place = place_of(generic)
    assert place is not None and place.file == __file__
    assert place.text is not None and place.text.endswith("# here")
    assert place.text[place.column - 1 :].startswith("relu(x)")


def test_numbers_are_kept_once_at_the_top() -> None:
    p, x = one()
    p.output(x * 2 + 2.0 + (x * 2))
    assert count(p.text(), "arith.constant") == 1


def test_a_view_is_only_a_map() -> None:
    p, x = one(shape=(4, 8))
    y = p.input("y", (8, 4), "f32")
    p.output(x + y.T)
    text = p.text()
    assert "affine_map<(d0, d1) -> (d1, d0)>" in text
    assert "linalg.transpose" not in text


def test_a_row_statistic_spreads_by_a_map() -> None:
    p, x = one()
    p.output(x - x.max(-1, keepdims=True))
    text = p.text()
    assert "affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>]" in text
    assert "expand_shape" not in text


def test_what_is_exact_stays_narrow() -> None:
    p, x = one(dtype="f16")
    p.output(relu(x), where_positive(x))
    assert "f32" not in p.text()


def where_positive(x: Tensor) -> Tensor:
    return elementwise(lambda x: where(x > 0, x, 0), x)


def test_arguments_are_never_destinations() -> None:
    p, x = one()
    p.output((x @ x.T).sum(0) + 1)
    inputs = set(p.module.body.block.first_op.body.block.args)  # type: ignore
    for op in p.module.walk():
        for output in getattr(op, "outputs", ()):
            assert output not in inputs


@needs_mlir
def test_real_mlir_takes_every_kind_of_op() -> None:
    p = Payload("kinds")
    x = p.input("x", (4, 6), "f16")
    c = p.input("c", (4, 1), "f32")
    s = p.input("s", (), "f32")
    i = p.input("i", (6,), "i8")
    p.output(
        x.T,
        x[:, None],
        x[1:3, ..., None],
        x.reshape(2, 2, 6),
        x.reshape((8, 3)),
        x.reshape([2, 12]),
        x + c * s,
        i.max(0),
        i.sum(0),
        x.sum((0, 1), keepdims=True),
        elementwise(lambda i: i.cast("f32") + index(0).cast("f32"), i),
        elementwise(lambda x: x > 0, x),
    )
    text = p.text()
    mlir_opt(text)
    assert to_text(parse_module(to_text(p.module), "p", payload_context())) == to_text(
        p.module
    )


def test_compile_takes_a_payload() -> None:
    p = linear_relu()
    program = tilewright.compile(p, target="h200")
    assert program.built.program.entry == "linear_relu"
    assert program.steps[0].text() == to_text(p.module)
    assert tilewright.Payload is Payload
    assert tilewright.payloads.relu is relu


def test_the_code_of_the_page_runs() -> None:
    page = DOCS / "payloads.md"
    code = "".join(re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL))
    space: dict[str, object] = {}
    exec(compile(code, str(page), "exec"), space)
    p = space["p"]
    assert isinstance(p, Payload)
    text = p.text()
    assert count(text, "linalg.fill") == count(text, "linalg.matmul") == 2
    assert count(text, "linalg.generic") == 4


@pytest.mark.parametrize(
    ("given", "name"),
    [
        (torch.float16, "f16"),
        ("float16", "f16"),
        ("half", "f16"),
        (np.float16, "f16"),
        (np.dtype("float32"), "f32"),
        (torch.bfloat16, "bf16"),
        ("bfloat16", "bf16"),
        (torch.float8_e4m3fn, "f8E4M3FN"),
        ("float8_e5m2", "f8E5M2"),
        (torch.long, "i64"),
        (np.int32, "i32"),
        (bool, "i1"),
        (torch.bool, "i1"),
        ("f64", "f64"),
    ],
    ids=str,
)
def test_element_types_by_their_usual_names(given: Any, name: str) -> None:
    p = Payload("f")
    assert p.input("x", (4, 4), given).dtype == name
    assert p.constant("c", np.ones((2, 2)), given).dtype == name
    assert p.generate(lambda i, j: i + j, (4, 4), given).dtype == name
    y = p.input("y", (4, 4), "i32")
    assert y.cast(given).dtype == name
    assert elementwise(lambda y: y.cast(given), y, dtype=given).dtype == name


def test_layers_take_the_dtypes_of_torch() -> None:
    x = Payload("f").input("x", (4, 4), torch.float16)
    wide = torch.float32
    made = (
        *(softmax(x, dtype=wide), layernorm(x, dtype=wide), linear(x, x, dtype=wide)),
        *(x.sum(0, dtype=wide), x.mean(0, dtype=wide), matmul(x, x, dtype=wide)),
        *(scan("sum", x, dtype=wide), argmax(x, dtype=torch.int64)[1]),
    )
    assert [one.dtype for one in made] == ["f32"] * 7 + ["i64"]
