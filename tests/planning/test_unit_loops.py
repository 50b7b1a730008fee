"""Dimensions of size 1 cost no kernels: what is planned has no loops along them."""

from __future__ import annotations

import pytest
import torch

import tilewright
from tilewright.ir.dialects.linalg import GenericOp
from tilewright.ir.dialects.tensor import EmptyOp
from tilewright.payloads import (
    Payload,
    Tensor,
    attention,
    layernorm,
    linear,
    relu,
    rmsnorm,
    softmax,
)
from tilewright.pipeline import parse_payload
from tilewright.planning.preparation import prepare


def kernels(payload: Payload) -> int:
    return len(tilewright.compile(payload.text(), target="h200").built.program.kernels)


def modulated(rows: int | None) -> Payload:
    """A norm of rows with a scale and a shift for each image, computed from others."""
    p = Payload("modulated")
    shape = (4, 768) if rows is None else (4, rows, 768)
    x = p.input("x", (4, 256, 768), "bf16")
    scale, shift = p.input("scale", shape, "bf16"), p.input("shift", shape, "bf16")
    each = [
        one.reshape(4, 1, 768) if rows is None else one for one in (1.0 + scale, shift)
    ]
    p.output(layernorm(relu(x)) * each[0] + each[1])
    return p


def test_a_scale_of_each_image_is_computed_with_its_rows() -> None:
    assert kernels(modulated(1)) == kernels(modulated(None)) == 1


def token(shape: tuple[int, ...]) -> Payload:
    """The norm before a linear layer and a softmax behind it, of single tokens."""
    p = Payload("token")
    x, w = p.input("x", shape, "bf16"), p.input("w", (512, 512), "bf16")
    p.output(softmax(linear(rmsnorm(x), w)))
    return p


@pytest.mark.parametrize("shape", [(1, 8, 512), (8, 1, 512), (1, 1, 8, 512)])
def test_the_plan_is_that_without_the_dimension(shape: tuple[int, ...]) -> None:
    assert kernels(token(shape)) == kernels(token((8, 512)))


def attended(batch: tuple[int, ...]) -> Payload:
    p = Payload("attended")
    q, k, v = (p.input(name, (*batch, 16, 8), "f32") for name in "qkv")
    mixed: Tensor = attention(q, k, v)
    p.output(rmsnorm(mixed))
    return p


@pytest.mark.slow
def test_the_numbers() -> None:
    """Planned kernels give the same with a dimension of size 1 as without it."""
    torch.manual_seed(0)
    given = [torch.randn(2, 16, 8) for _ in "qkv"]
    plain = tilewright.compile(attended((2,)).text(), target="h200")
    with_one = tilewright.compile(attended((2, 1)).text(), target="h200")
    found = with_one(*(one[:, None] for one in given))
    torch.testing.assert_close(found[:, 0], plain(*given))


def test_ops_that_are_equal_without_them_are_one() -> None:
    """Masks of packed sequences gather the ids of rows and of columns."""
    p = Payload("outer")
    ids = p.input("ids", (1, 64), "f32")
    rows, columns = (relu(ids.reshape(*shape)) for shape in ((1, 64, 1), (1, 1, 64)))
    p.output(softmax(rows * columns))
    prepared = prepare(parse_payload(p.text())).payload
    texts = [str(op) for op in prepared.walk() if isinstance(op, GenericOp)]
    assert sum("maximumf" in text for text in texts) == 2, "relu, and the softmax's"
    empties = [op for op in prepared.walk() if isinstance(op, EmptyOp)]
    assert all(len(list(op.results[0].uses)) < 2 for op in empties)
