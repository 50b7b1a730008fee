"""Element-wise linalg ops, every dtype and odd shapes, against torch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from support.ir.interpreter import interpret
from support.ir.linalg_ops import FLOATS, INTEGERS, Shape, one_op, random, tensor
from tilewright.ir.dtypes import numpy_dtype
from tilewright.ir.errors import UserError
from tilewright.ir.tolerance import compare

SHAPES: list[Shape] = [(), (0,), (1,), (7,), (127,), (1000,), (3, 0, 2), (7, 1, 5)]

UNARY: dict[str, Callable[..., Any]] = {
    "exp": torch.exp,
    "log": torch.log,
    "sqrt": torch.sqrt,
    "rsqrt": torch.rsqrt,
    "tanh": torch.tanh,
    "erf": torch.erf,
    "abs": torch.abs,
    "negf": torch.neg,
    "square": torch.square,
    "reciprocal": torch.reciprocal,
    "floor": torch.floor,
    "ceil": torch.ceil,
    # torch rounds halves to even, math.round away from zero.
    "round": lambda x: torch.sign(x) * torch.floor(torch.abs(x) + 0.5),
}
BINARY: dict[str, Callable[..., Any]] = {
    "add": torch.add,
    "sub": torch.sub,
    "mul": torch.mul,
    "div": torch.div,
    "max": torch.maximum,
    "min": torch.minimum,
    "powf": torch.pow,
}
ON_INTEGERS: dict[str, Callable[..., Any]] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "max": np.maximum,
    "min": np.minimum,
    "div": lambda x, y: torch.div(
        torch.from_numpy(x), torch.from_numpy(y), rounding_mode="trunc"
    ).numpy(),
    "div_unsigned": lambda x, y: (
        x.view(f"u{x.itemsize}") // y.view(f"u{y.itemsize}")
    ).view(x.dtype),
}
POSITIVE = ("log", "sqrt", "rsqrt", "reciprocal")


def wide(value: np.ndarray) -> torch.Tensor:
    return torch.from_numpy(np.asarray(value, np.float64))


def expected(value: torch.Tensor, dtype: str) -> np.ndarray:
    with np.errstate(all="ignore"):
        return np.asarray(value.numpy()).astype(numpy_dtype(dtype))


def check(op: str, inputs: list[np.ndarray], want: np.ndarray, dtype: str) -> None:
    """On tensors and on buffers."""
    types = [tensor(v.shape, dtype) for v in inputs]
    output = tensor(want.shape, dtype)
    poison = np.full(want.shape, 77).astype(want.dtype)
    got = interpret(one_op(op, types, output), *inputs, poison)
    assert got.dtype == want.dtype
    outcome = compare(got, want, dtype)
    assert outcome.ok, outcome.message
    on_buffers = [kind.replace("tensor", "memref") for kind in (*types, output)]
    interpret(one_op(op, on_buffers[:-1], on_buffers[-1]), *inputs, poison)
    assert poison.tobytes() == got.tobytes()


@pytest.mark.sampled(12)
@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("name", UNARY)
def test_unary(name: str, dtype: str) -> None:
    for shape in SHAPES:
        x = random(shape, dtype, seed=len(shape))
        if name in POSITIVE:
            x = (np.abs(x.astype(np.float64)) + 0.25).astype(x.dtype)
        check(f"linalg.{name}", [x], expected(UNARY[name](wide(x)), dtype), dtype)


@pytest.mark.sampled(12)
@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("name", BINARY)
def test_binary_on_floats(name: str, dtype: str) -> None:
    for shape in SHAPES:
        x, y = random(shape, dtype, seed=1), random(shape, dtype, seed=2)
        if name == "powf":
            x = (np.abs(x.astype(np.float64)) + 0.5).astype(x.dtype)
        if name == "div":
            y = (np.abs(y.astype(np.float64)) + 0.5).astype(y.dtype)
        want = expected(BINARY[name](wide(x), wide(y)), dtype)
        check(f"linalg.{name}", [x, y], want, dtype)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("name", ON_INTEGERS)
def test_binary_on_integers(name: str, dtype: str) -> None:
    for shape in SHAPES:
        x, y = random(shape, dtype, seed=1), random(shape, dtype, seed=2)
        if name.startswith("div"):
            y = np.where((y == 0) | (y == -1), 3, y).astype(y.dtype)
        with np.errstate(all="ignore"):
            want = np.asarray(ON_INTEGERS[name](x, y), x.dtype)
        check(f"linalg.{name}", [x, y], want, dtype)


@pytest.mark.parametrize(
    ("name", "function"), [("add", np.logical_or), ("mul", np.logical_and)]
)
def test_booleans(name: str, function: Callable[..., Any]) -> None:
    x, y = random((9,), "i1", 1), random((9,), "i1", 2)
    check(f"linalg.{name}", [x, y], function(x, y), "i1")


def test_max_and_min_of_booleans_are_signed() -> None:
    # As a signed number a true i1 is -1, so false is the larger one.
    x, y = np.array([False, False, True, True]), np.array([False, True, False, True])
    check("linalg.max", [x, y], x & y, "i1")
    check("linalg.min", [x, y], x | y, "i1")


@pytest.mark.parametrize("dtype", ["f32", "f16", "f8E5M2", "i8", "i64"])
def test_select(dtype: str) -> None:
    for shape in SHAPES:
        condition = random(shape, "i1", 3)
        x, y = random(shape, dtype, 1), random(shape, dtype, 2)
        kinds = [tensor(shape, kind) for kind in ("i1", dtype, dtype)]
        text = one_op("linalg.select", kinds, kinds[-1])
        got = interpret(text, condition, x, y, np.zeros_like(x))
        np.testing.assert_array_equal(got, np.where(condition, x, y))


@pytest.mark.parametrize(
    ("kind", "function"),
    [
        ("max_unsigned", np.maximum),
        ("min_unsigned", np.minimum),
        ("max_signed", np.maximum),
        ("min_signed", np.minimum),
    ],
)
@pytest.mark.parametrize("dtype", INTEGERS)
def test_elementwise_reads_integers_as_told(
    kind: str, function: Callable[..., Any], dtype: str
) -> None:
    x, y = random((127,), dtype, 1), random((127,), dtype, 2)
    view = f"{'u' if 'unsigned' in kind else 'i'}{x.itemsize}"
    want = function(x.view(view), y.view(view)).view(x.dtype)
    text = one_op(
        "linalg.elementwise",
        [tensor(x.shape, dtype)] * 2,
        tensor(x.shape, dtype),
        f"kind=#linalg.elementwise_kind<{kind}>",
    )
    np.testing.assert_array_equal(interpret(text, x, y, np.zeros_like(x)), want)


@pytest.mark.parametrize("name", [*UNARY, *BINARY])
def test_elementwise_is_the_named_op(name: str) -> None:
    arity = 1 if name in UNARY else 2
    kind = {"max": "max_signed", "min": "min_signed"}.get(name, name)
    inputs = [np.abs(random((7, 3), "f32", seed)) + 1 for seed in range(arity)]
    types, output = [tensor((7, 3), "f32")] * arity, tensor((7, 3), "f32")
    named = interpret(one_op(f"linalg.{name}", types, output), *inputs, inputs[0])
    before = f"kind=#linalg.elementwise_kind<{kind}>"
    text = one_op("linalg.elementwise", types, output, before)
    np.testing.assert_array_equal(interpret(text, *inputs, inputs[0]), named)


def test_elementwise_permutes_and_broadcasts() -> None:
    maps = ", ".join(
        f"affine_map<(d0, d1, d2) -> ({results})>"
        for results in ("d2, d0", "d1", "d0, d1, d2")
    )
    text = one_op(
        "linalg.elementwise",
        [tensor((5, 7), "f32"), tensor((3,), "f32")],
        tensor((7, 3, 5), "f32"),
        f"kind=#linalg.elementwise_kind<sub> indexing_maps = [{maps}]",
    )
    x, y = random((5, 7), "f32"), random((3,), "f32", 1)
    got = interpret(text, x, y, np.zeros((7, 3, 5), np.float32))
    np.testing.assert_array_equal(got, x.T[:, None, :] - y[None, :, None])


@pytest.mark.sampled(8)
@pytest.mark.parametrize("dtype", [*FLOATS, *INTEGERS, "i1", "index"])
@pytest.mark.parametrize("shape", SHAPES)
def test_fill(dtype: str, shape: Shape) -> None:
    text = one_op("linalg.fill", [dtype], tensor(shape, dtype))
    number = np.asarray(1).astype(numpy_dtype(dtype))
    before = np.zeros(shape, number.dtype)
    got = interpret(text, number, before)
    np.testing.assert_array_equal(got, np.full(shape, number))
    assert got.dtype == number.dtype


CASTS = [
    ("f32", "f16"),
    ("f16", "f32"),
    ("bf16", "f64"),
    ("f64", "bf16"),
    ("f8E4M3FN", "f32"),
    ("f32", "f8E5M2"),
    ("i8", "f32"),
    ("f32", "i8"),
    ("i64", "f16"),
    ("i8", "i32"),
    ("i64", "i16"),
]


@pytest.mark.parametrize(("given", "to"), CASTS)
def test_copy_converts(given: str, to: str) -> None:
    for shape in SHAPES:
        x = random(shape, given, small=True)
        text = one_op("linalg.copy", [tensor(shape, given)], tensor(shape, to))
        target = numpy_dtype(to)
        got = interpret(text, x, np.zeros(shape, target))
        np.testing.assert_array_equal(
            got,
            np.trunc(x.astype(np.float64)).astype(target)
            if to.startswith("i")
            else x.astype(target),
        )
        assert got.dtype == target


@pytest.mark.parametrize(("given", "to"), [("i8", "i32"), ("i16", "f32")])
def test_copy_of_unsigned_numbers(given: str, to: str) -> None:
    x = random((127,), given)
    before = "{cast = #linalg.type_fn<cast_unsigned>}"
    text = one_op("linalg.copy", [tensor((127,), given)], tensor((127,), to), before)
    got = interpret(text, x, np.zeros(127, numpy_dtype(to)))
    np.testing.assert_array_equal(got, x.view(f"u{x.itemsize}").astype(got.dtype))


def test_a_scalar_goes_to_every_element() -> None:
    text = one_op("linalg.sub", ["tensor<3x4xf32>", "f32"], "tensor<3x4xf32>")
    x = random((3, 4), "f32")
    got = interpret(text, x, np.asarray(2, np.float32), x)
    np.testing.assert_array_equal(got, x - np.float32(2))


def test_dynamic_sizes_come_from_the_operands() -> None:
    text = one_op(
        "linalg.add", ["tensor<?x4xf32>", "tensor<3x?xf32>"], "tensor<?x?xf32>"
    )
    x, y = random((3, 4), "f32"), random((3, 4), "f32", 1)
    np.testing.assert_array_equal(interpret(text, x, y, x), x + y)
    with pytest.raises(UserError, match="operand 1 has size 5 in dimension 1"):
        interpret(text, x, random((3, 5), "f32"), x)
