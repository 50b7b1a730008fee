"""Windows of images, and the sums of windows, are reads and equal eager torch."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch.nn import functional as F

import tilewright
from tilewright.ir.text import to_text
from tilewright.planning.preparation import prepare

CASES: dict[str, dict[str, object]] = {
    "overlapping": {"kernel_size": 3, "padding": 1},
    "beside each other": {"kernel_size": 2, "stride": 2},
    "with gaps": {"kernel_size": (1, 2), "stride": 3, "padding": (0, 1)},
    "dilated": {"kernel_size": 3, "dilation": 2, "padding": 2, "stride": (1, 2)},
}


@pytest.mark.sampled(12)
@pytest.mark.parametrize("interpreter", ["payload", "kernels"])
@pytest.mark.parametrize("name", CASES)
def test_equals_eager(name: str, interpreter: str) -> None:
    torch._dynamo.reset()
    given = CASES[name]

    def columns(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        made = F.unfold(x, **given)  # pyright: ignore[reportArgumentType]
        image = F.fold(made.sin(), (8, 6), **given)  # pyright: ignore[reportArgumentType]
        return made, image

    x = torch.randn(2, 3, 8, 6, generator=torch.Generator().manual_seed(0))
    options = {"strict": True, "fallback": "error", "interpreter": interpreter}
    compiled = torch.compile(columns, backend="tilewright", options=options)
    torch.testing.assert_close(compiled(x), columns(x))


def test_many_windows_over_a_pixel_stay_in_torch() -> None:
    found = tilewright.explain(
        lambda x: F.fold(x, (16, 16), 9, padding=4), (torch.empty(1, 81, 256),)
    )
    assert [row.op for row in found.in_torch] == ["aten.col2im.default"]


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    "reduce",
    [
        lambda x: x.unfold(1, 7, 2).mean(-1),
        lambda x: x.unfold(2, 6, 1).amax(-1, keepdim=True) * 2,
        lambda x: x.to(torch.bfloat16).unfold(0, 2, 1).sum(-1),
        lambda x: (x > 0).unfold(1, 3, 1).sum((0, -1)),
        lambda x: x.unfold(2, 6, 2).prod(-1),
        lambda x: x.unfold(1, 5, 1).std(-1),
    ],
)
def test_windows_that_overlap_are_reduced_as_they_are_read(reduce: Any) -> None:
    torch._dynamo.reset()
    torch.manual_seed(0)
    x = torch.randn(3, 11, 13)
    x[1, 2, 3] = torch.nan
    made = torch.compile(reduce, backend="tilewright")(x)
    torch.testing.assert_close(made, reduce(x), equal_nan=True)


@pytest.mark.sampled(8)
@pytest.mark.parametrize("step", [1, 2])
def test_windows_that_overlap_are_not_stored(step: int) -> None:
    payload = tilewright.from_torch(
        lambda x: x.unfold(1, 4, step).sum(-1), (torch.empty(3, 16, 13),)
    )
    text = to_text(prepare(payload.module).payload)
    assert text.count("linalg.generic") == 1
