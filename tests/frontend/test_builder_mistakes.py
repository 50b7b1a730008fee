"""Payloads built from Python: mistakes, told at the call."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from support.built_payloads import one
from tilewright.frontend.builder import (
    Payload,
    attention,
    concatenate,
    elementwise,
    erf,
    index,
    layernorm,
    linear,
    matmul,
    reduce,
    relu,
    rope,
    scaled_matmul,
    softmax,
    where,
)
from tilewright.ir.errors import UserError


def test_errors_point_at_the_call() -> None:
    p, x = one()
    with pytest.raises(UserError) as caught:
        x @ x
    place = caught.value.place
    assert place is not None and place.text is not None
    assert place.file == __file__
    assert place.text[place.column - 1 :] == "x @ x"
    assert "'x' (4, 8) f32" in caught.value.fact


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda p, x: x @ x.cast("f16").T, "operands of two types"),
        (lambda p, x: x + p.input("y", (3,), "f32"), "do not broadcast.*'y' \\(3,\\)"),
        (lambda p, x: x + p.input("y", (4, "N"), "f32"), "do not broadcast.*N"),
        (lambda p, x: x + p.input("y", (4, 8), "i32"), "f32 and i32 do not mix"),
        (lambda p, x: x.sum(2), "no axis 2.*-2 to 1"),
        (lambda p, x: x.sum((0, 0)), "none twice"),
        (lambda p, x: x.transpose(0, 0), "no order of the 2 dimensions"),
        (lambda p, x: x.reshape(5, 7), "does not hold the elements of \\(5, 7\\)"),
        (lambda p, x: x.reshape(4.0, 8), "reshape: 4.0 is not a size"),
        (lambda p, x: x.reshape((4, (2, 4))), "reshape: \\(2, 4\\) is not a size"),
        (lambda p, x: x[:, :, :], "too many subscripts"),
        (lambda p, x: x[0], "0 is not a subscript"),
        (lambda p, x: x[5:], "is empty"),
        (lambda p, x: x[::-1], "in steps of 1 or more"),
        (lambda p, x: p.input("x", (1,), "f32"), "has an input 'x' already"),
        (lambda p, x: p.input("1x", (1,), "f32"), "cannot be the name of an input"),
        (lambda p, x: p.input("w_1", (1,), "f32"), "the printer's.*write w1"),
        (lambda p, x: p.input("w", (0,), "f32"), "less than 1"),
        (
            lambda p, x: p.input("w", (1,), "flaot16"),
            "did you mean 'float16'.*f64, f32",
        ),
        (lambda p, x: p.input("w", (1,), "uint8"), "no element type 'uint8'"),
        (lambda p, x: p.input("w", (1,), float), "Python's type 'float'.*f32 or f64"),
        (lambda p, x: x.cast(torch.complex64), "cast: .* no element type 'complex64'"),
        (lambda p, x: erf(x.cast("i32")), "erf: not defined for i32"),
        (lambda p, x: x.cast("i32") / 2, "div: not defined for i32.*//"),
        (lambda p, x: x.cast("i32").mean(0), "mean: not defined for i32"),
        (lambda p, x: reduce("avg", x, axis=0), "there is no 'avg'"),
        (lambda p, x: elementwise(lambda x: x, x, x), "takes 1 operands"),
        (lambda p, x: elementwise(lambda x: None, x), "gave None"),
        (lambda p, x: elementwise(lambda x: x if x > 0 else 0, x), "neither true"),
        (lambda p, x: elementwise(lambda x: where(x, x, 0), x), "condition is f32"),
        (lambda p, x: where(x > 0, 1.0, 0.0), "two plain numbers.*cast"),
        (lambda p, x: x if x else x, "neither true"),
        (lambda p, x: index(0), "there is no element here"),
        (lambda p, x: elementwise(lambda x: index(2), x), "no axis 2"),
        (lambda p, x: relu(x, dtype="f7"), "no element type 'f7'"),
        (lambda p, x: Payload("q").output(x), "belongs to payload 'p'"),
        (lambda p, x: x + one("q")[1], "'p'.*'q'"),
        (lambda p, x: Payload("empty").text(), "returns nothing"),
        (lambda p, x: p.input("y", 5, "f32"), "5 is not a shape.*write a tuple"),
        (lambda p, x: p.input("y", (2.5,), "f32"), "2.5 is not a size"),
        (
            lambda p, x: x @ np.ones((8, 8)),
            "b is not a tensor of a payload but a nd",
        ),
        (lambda p, x: x @ 2, "b is not a tensor of a payload but a number"),
        (lambda p, x: x + None, "y is not a tensor of a payload but a NoneType"),
        (lambda p, x: reduce("sum", [1], axis=0), "no tensor of a payload but a list"),
        (lambda p, x: p.output(1), "result is not a tensor"),
        (lambda p, x: softmax("x"), "softmax: x is not a tensor"),
        (lambda p, x: linear(x, x.T, bias=1), "linear: bias is not a tensor"),
        (lambda p, x: linear(x, x.T, bias=x), "does not fit the weight"),
        (lambda p, x: linear(x, x.T, residual=x), "does not fit the product"),
        (lambda p, x: linear(x, x.T, activation="elu"), "no activation 'elu'"),
        (lambda p, x: layernorm(x, x), "does not fit the rows.*\\(8,\\)"),
        (lambda p, x: rope(x, x, x), "must broadcast to \\(4, 4\\)"),
        (lambda p, x: rope(x[:, :5], x, x), "no even number"),
        (lambda p, x: attention(x[0:1, 0:1].reshape(1), x, x), "no sequence"),
        (lambda p, x: scaled_matmul(x, x.T, x, x), "scales do not fit"),
        (lambda p, x: concatenate([x, x.T], 0), "do not fit along axis 0"),
        (lambda p, x: concatenate([], 0), "there are no tensors"),
        (lambda p, x: x.cast("i8") + 200, "200 does not fit an i8"),
        (lambda p, x: x.cast("i8") + 0.5, "0.5 is not an i8"),
        (lambda p, x: (x > 0) + (x > 0), "not defined for i1"),
        (lambda p, x: x.cast("i1"), "no truth value"),
        (lambda p, x: x.cast("f7"), "no element type 'f7'"),
        (lambda p, x: x.named("1"), "no name for a value"),
        (lambda p, x: elementwise(lambda e: e + x, x), "a Tensor among the elements"),
        (lambda p, x: where(x == 0, x, x), "condition is False, not an i1"),
        (lambda p, x: matmul(x[0:1].reshape(8), x[0:1].reshape(8)), "needs a matrix"),
        (lambda p, x: matmul(x.reshape(2, 2, 8), x.reshape(4, 8, 1)), "batches differ"),
    ],
)
def test_mistakes_are_told_at_the_call(make, words: str) -> None:  # type: ignore
    p, x = one()
    with pytest.raises(UserError, match=f"(?s){words}") as caught:
        make(p, x)
    assert caught.value.place is not None
    assert caught.value.place.file == __file__
