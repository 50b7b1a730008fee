"""Tensors without elements: nothing is launched but what fills results."""

from __future__ import annotations

import numpy as np
import pytest

from support.codegen.programs import assert_right, built
from support.transforms.schedules import schedule_of, transform
from tilewright.ir.interpreter import run
from tilewright.payloads import Payload, matmul, softmax

NONE = 97
"""Stands for 0, which the builder of payloads does not take."""


def text_of(payload: Payload) -> str:
    return payload.text().replace(f"{NONE}x", "0x")


def add(*shape: int) -> Payload:
    p = Payload("add")
    x, y = (p.input(name, shape, "f32") for name in "xy")
    p.output(x + y)
    return p


def product(m: int, n: int, k: int) -> Payload:
    p = Payload("product")
    a, b = p.input("a", (m, k), "f32"), p.input("b", (k, n), "f32")
    p.output(matmul(a, b))
    return p


def largest(m: int, n: int) -> Payload:
    p = Payload("largest")
    p.output(p.input("x", (m, n), "f32").max(axis=1))
    return p


def rows(m: int, n: int) -> Payload:
    p = Payload("rows")
    p.output(softmax(p.input("x", (m, n), "f32"), axis=1))
    return p


@pytest.mark.parametrize(
    ("payload", "launches"),
    [
        (add(NONE), 0),
        (add(4, NONE, 8), 0),
        (product(NONE, 16, 16), 0),
        (product(16, NONE, 16), 0),
        (product(16, 16, NONE), 1),
        (largest(8, NONE), 1),
        (largest(NONE, 8), 0),
        (rows(4, NONE), 0),
    ],
)
def test_nothing_is_computed_of_nothing(payload: Payload, launches: int) -> None:
    """Neutral results are written; nothing else is launched."""
    program = built(text_of(payload))
    inputs = [np.zeros(spec.shape, np.float32) for spec in program.program.arguments]
    assert len(program.program.kernels) <= launches
    (found,) = run(program.kernel, inputs)
    if payload.name == "product":
        np.testing.assert_array_equal(found, inputs[0] @ inputs[1])
    elif payload.name == "largest":
        np.testing.assert_array_equal(found, np.full(inputs[0].shape[0], -np.inf))
    else:
        assert found.shape == inputs[0].shape


def test_in_the_emitted_source() -> None:
    assert_right(text_of(largest(8, NONE)))


def test_a_reference_of_nothing() -> None:
    """torch has no maximum of nothing; the reference gives what it starts from."""
    import torch

    from tilewright.codegen.standalone.reference.function import torch_reference
    from tilewright.pipeline import parse_payload

    module = parse_payload(text_of(largest(8, NONE)), "p.mlir")
    space = {"torch": torch}
    exec("\n".join(torch_reference(module, "reference", set())), space)
    found = space["reference"](torch.zeros(8, 0))
    assert found.tolist() == [-float("inf")] * 8


def test_the_patterns() -> None:
    ran = transform(
        text_of(largest(8, NONE)),
        schedule_of(
            """transform.apply_patterns to %root {
  transform.apply_patterns.tilewright.empty_loops
} : !transform.any_op"""
        ),
    )
    assert "linalg.generic" not in ran.text
    assert "linalg.fill" in ran.text
