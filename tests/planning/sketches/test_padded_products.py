"""Matmuls with ragged rows, whose factors are copied to padded rows first."""

from __future__ import annotations

import pytest

from support.planned_kernels import assert_right, planned
from tilewright.codegen.targets import TARGETS
from tilewright.payloads import Payload, elementwise, linear
from tilewright.pipeline import parse_payload
from tilewright.planning.plan import plan


def matmul(
    m: int, n: int, k: int, dtype: str = "f16", *, transposed: bool = False
) -> Payload:
    payload = Payload("f")
    a = payload.input("a", (m, k), dtype)
    shape = (n, k) if transposed else (k, n)
    b = payload.input("b", shape, dtype)
    payload.output((a @ (b.T if transposed else b)).cast(dtype))
    return payload


def layer(m: int, n: int, k: int) -> Payload:
    payload = Payload("f")
    x, w = payload.input("x", (m, k), "f16"), payload.input("w", (k, n), "f16")
    bias, rest = payload.input("b", (n,), "f16"), payload.input("r", (m, n), "f16")
    y = linear(x, w, bias=bias, activation="relu")
    payload.output(elementwise(lambda a, b: a + b, y, rest, dtype="f16"))
    return payload


def batched(b: int, m: int, n: int, k: int) -> Payload:
    payload = Payload("f")
    x = payload.input("x", (b, m, k), "f16")
    payload.output((x @ payload.input("y", (b, k, n), "f16")).cast("f16"))
    return payload


def gram(n: int) -> Payload:
    payload = Payload("f")
    x = payload.input("x", (n, n), "f16")
    payload.output((x @ x).cast("f16"))
    return payload


PAYLOADS = {
    "product": matmul(77, 53, 91),
    "transposed": matmul(77, 53, 91, transposed=True),
    "left factor alone": matmul(77, 64, 91),
    "right factor alone": matmul(77, 53, 64),
    "bias and residual": layer(77, 53, 91),
    "batches": batched(3, 33, 53, 45),
    "both factors are one": gram(53),
}


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", PAYLOADS)
def test_numbers(name: str) -> None:
    payload = PAYLOADS[name]
    made = assert_right(payload, point={"kernel": "padded"})
    assert "_descriptor(tmp" in made.program.text
    copies = (
        2 if name in ("product", "transposed", "bias and residual", "batches") else 1
    )
    assert len(made.program.kernels) == copies + 1


@pytest.mark.slow
def test_numbers_by_triton() -> None:
    assert_right(layer(77, 53, 91), point={"kernel": "padded"}, by_triton=True)


@pytest.mark.parametrize(
    "shape", [(8191, 8191, 509), (2048, 2044, 1004), (1021, 2039, 1013)]
)
def test_the_default_of_large_products(shape: tuple[int, int, int]) -> None:
    (kernel,) = planned(matmul(*shape)).kernels
    assert kernel.candidates[0].sketch.label == "padded"


@pytest.mark.parametrize(
    ("payload", "target"),
    [
        (matmul(1021, 2039, 1013), "a100"),
        (matmul(1021, 2039, 1013, "f32"), "h200"),
        (matmul(1024, 2048, 1016), "h200"),
    ],
)
def test_other_products_are_not_padded(payload: Payload, target: str) -> None:
    found = plan(parse_payload(payload.text()), TARGETS[target])
    assert "pad_rows" not in found.text
