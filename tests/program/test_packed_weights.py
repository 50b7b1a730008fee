"""A schedule packs the factors of a product; the kernels compute the same numbers."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import tilewright

SCHEDULE = """schedule packed(root) {
  mm = match "linalg.matmul" in root
  mm = pack mm by [0, 16, 16]
}
"""


def payload(m: int, n: int, k: int, weight: str) -> str:
    a, b, c = f"tensor<{m}x{k}xf32>", f"tensor<{k}x{n}xf32>", f"tensor<{m}x{n}xf32>"
    argument = "" if weight else f", %b: {b}"
    constant = f"%b = arith.constant {weight} : {b}" if weight else ""
    return f"""func.func @f(%a: {a}{argument}) -> {c} {{
      {constant}
      %z = arith.constant 0.0 : f32
      %e = tensor.empty() : {c}
      %i = linalg.fill ins(%z : f32) outs(%e : {c}) -> {c}
      %r = linalg.matmul ins(%a, %b : {a}, {b}) outs(%i : {c}) -> {c}
      return %r : {c}
    }}"""


@pytest.mark.parametrize(("m", "n", "k"), [(32, 32, 64), (7, 33, 20)])
def test_the_factors_are_packed_in_kernels(m: int, n: int, k: int) -> None:
    made = tilewright.compile(payload(m, n, k, ""), SCHEDULE)
    a, b = torch.randn(m, k), torch.randn(k, n)
    result = made.interpreted(a, b)
    np.testing.assert_allclose(result, a @ b, rtol=1e-4, atol=1e-4)


@pytest.mark.sampled(8)
@pytest.mark.parametrize(("n", "k"), [(32, 32), (33, 20)])
def test_a_constant_weight_is_packed_ahead(n: int, k: int) -> None:
    b = torch.arange(k * n, dtype=torch.float32).reshape(k, n) / 64
    made = tilewright.compile(payload(32, n, k, f"dense<{b.tolist()}>"), SCHEDULE)
    a = torch.randn(32, k)
    np.testing.assert_allclose(made.interpreted(a), a @ b, rtol=1e-4, atol=1e-3)
    packing = tilewright.compile(payload(32, n, k, ""), SCHEDULE)
    kernels = len(made.built.program.kernels)
    assert kernels < len(packing.built.program.kernels)
