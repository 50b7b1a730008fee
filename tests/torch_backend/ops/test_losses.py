"""Cross entropy equals eager torch, and computes the target's class alone."""

from __future__ import annotations

import pytest
import torch
from torch.nn import functional as F

import tilewright
from tilewright.ir.text import to_text
from tilewright.planning.preparation import prepare

ROWS = torch.randn(6, 5, generator=torch.Generator().manual_seed(0))
IMAGE = ROWS.reshape(2, 5, 3, 1)
CASES: dict[str, tuple[torch.Tensor, torch.Tensor, dict[str, object]]] = {
    "rows": (ROWS, torch.tensor([0, 4, -100, 2, 1, 3]), {}),
    "image, sum": (IMAGE, torch.arange(6).reshape(2, 3, 1) % 5, {"reduction": "sum"}),
    "weights": (
        ROWS,
        torch.arange(6) % 5,
        {"weight": torch.arange(1.0, 6.0), "ignore_index": 2},
    ),
    "each": (ROWS, torch.arange(6) % 5, {"reduction": "none", "ignore_index": 1}),
}


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", CASES)
def test_equals_eager(name: str) -> None:
    torch._dynamo.reset()
    x, target, given = CASES[name]

    def loss(x: torch.Tensor) -> torch.Tensor:
        return F.cross_entropy(x, target, **given)  # pyright: ignore[reportArgumentType]

    options = {"strict": True, "fallback": "error"}
    compiled = torch.compile(loss, backend="tilewright", options=options)
    torch.testing.assert_close(compiled(x), loss(x))


def test_logarithms_are_not_stored() -> None:
    x, target = torch.empty(16384, 4096), torch.zeros(16384, dtype=torch.int64)
    found = tilewright.explain(F.cross_entropy, (x, target), measure=False)
    assert sum(row.moved_bytes for row in found.kernels) < 1.1 * 4 * x.numel()
    assert len(found.kernels) <= 3


@pytest.mark.slow
def test_the_target_class_of_a_product_is_read_as_it_is_stored() -> None:
    """Read before its rounding, a matmul in bf16 would be stored in f32 too."""

    def loss(x: torch.Tensor, w: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
        return F.cross_entropy((x @ w).float(), target)

    x, w = (torch.empty(shape, dtype=torch.bfloat16) for shape in ((8, 4), (4, 16)))
    payload = tilewright.from_torch(loss, (x, w, torch.zeros(8, dtype=torch.int64)))
    text = to_text(prepare(payload.module).payload)
    reads = [line for line in text.splitlines() if "tensor.extract " in line]
    assert any("tensor<8x16xbf16>" in line for line in reads)
    assert not any("tensor<8x16xf32>" in line for line in reads)


def test_a_target_that_is_no_class_is_not_hidden() -> None:
    run = torch.compile(F.cross_entropy, backend="tilewright")
    for target, is_class in (([0, 4], True), ([-100, 4], True), ([0, 5], False)):
        assert run(ROWS[:2], torch.tensor(target)).isfinite() == is_class
