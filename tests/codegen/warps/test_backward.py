"""The gradients of attention by warps with roles: products start early."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from support.codegen.specialized import ORDERS, Point, built, inputs
from tilewright.codegen.runtime.compile import compile_program
from tilewright.codegen.targets import target_named
from tilewright.ir.interpreter import Options, run
from tilewright.payloads import Payload, exp, matmul
from tilewright.pipeline import Built, parse_payload

POINT: Point = {"BM": 128, "BN_keys": 64, "BN_queries": 64, "ring": 2, "consumers": 2}


@cache
def backward(sequence: int = 256, features: int = 64, dtype: str = "f16") -> str:
    """Attention's gradients, with the scores of keys by queries as well."""
    p = Payload("backward")
    shape = (1, 1, sequence, features)
    q, k, v, out, grad = (p.input(n, shape, dtype) for n in ("q", "k", "v", "o", "do"))
    lse, scale = p.input("lse", shape[:3], "f32"), features**-0.5
    total = (grad.cast("f32") * out.cast("f32")).sum(-1)
    along_rows, along_columns = (*shape[:3], 1), (*shape[:2], 1, sequence)

    def weights(one, other, is_row: bool):  # type: ignore[no-untyped-def]
        of = along_rows if is_row else along_columns
        return exp(matmul(one, other.T) * scale - lse.reshape(*of))

    def scores(one, other, weight, is_row: bool):  # type: ignore[no-untyped-def]
        of = along_rows if is_row else along_columns
        moved = matmul(one, other.T) - total.reshape(*of)
        return (weight * moved * scale).cast(dtype)

    by_query, by_key = weights(q, k, True), weights(k, q, False)
    gradients = (
        matmul(scores(grad, v, by_query, True), k),
        matmul(scores(v, grad, by_key, False), q),
        matmul(by_key.cast(dtype), grad),
    )
    for one in gradients:
        p.output(one.cast(dtype))
    return p.text()


@cache
def made(**change: int) -> Built:
    return built(backward(), "attention_backward.tw", POINT | change)


@pytest.mark.parametrize(
    "change", [{}, pytest.param({"persistent": 1}, marks=pytest.mark.slow)], ids=str
)
def test_the_numbers(change: dict[str, int]) -> None:
    module = made(**change).kernel
    given = inputs(module)
    given[5] += 5.0  # Sums of exponentials, so that the weights are below one.
    expected = run(parse_payload(backward()), given)
    for order in ORDERS[2:4]:
        found = run(module, given, options=Options(interleaving=order))
        for ours, exact in zip(found, expected, strict=True):
            wide = exact.astype(np.float32)
            np.testing.assert_allclose(
                ours.astype(np.float32), wide, atol=1e-2 * np.abs(wide).max()
            )


def test_two_products_start_before_the_first_is_waited_for() -> None:
    """Rows are loaded first; exponentials run under the product of the gradients."""
    text = made().program.text
    loop = text.split("def backward_dot2_kernel_compute")[1].split("for n in ")[1]
    steps = ("gl.load(lse", "gl.load(sum", "warpgroup_mma(", "warpgroup_mma(")
    steps += ("mma_wait(1", "exp2(", "warpgroup_mma(", "mma_wait(1", "warpgroup_mma(")
    at = 0
    for step in (*steps, "mma_wait("):
        at = loop.index(step, at) + 1


@pytest.mark.slow
def test_it_compiles_for_hopper(tmp_path: Path) -> None:
    text = backward(1024, 128, "bf16")
    program = built(text, "attention_backward.tw", POINT).program
    assert program.text.count("gl.warp_specialize") == 2
    stats = compile_program(program, target_named("h200"), tmp_path, ())
    assert all(one.wgmma for one in stats[1:])
    assert max(one.spill_bytes for one in stats) < 200
