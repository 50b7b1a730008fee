"""Resampling and samples of a grid: whole ops, each one kernel."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
import torch
from torch.nn import functional as F

from support.prepared import prepared_text
from tilewright.torch_backend.from_torch import from_torch
from tilewright.torch_backend.report import RECENT
from tilewright.torch_backend.watching import watching

IMAGES = {1: (2, 3, 8), 2: (2, 3, 8, 6), 3: (1, 2, 4, 5, 3)}
MODES = {
    1: ("nearest", "linear"),
    2: ("nearest", "nearest-exact", "bilinear", "bicubic"),
    3: ("nearest", "trilinear"),
}
SIZES: list[dict[str, Any]] = [
    {"scale_factor": 2},
    {"scale_factor": 0.7},
    {"size": 7},
]


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    torch._dynamo.reset()
    RECENT.clear()
    return torch.compile(function, backend="tilewright", options={"fallback": "error"})


@pytest.mark.sampled(8)
@pytest.mark.parametrize(
    ("rank", "mode"),
    [
        pytest.param(
            *(rank, mode),
            marks=[pytest.mark.slow] * (mode not in ("nearest", "bilinear")),
        )
        for rank, modes in MODES.items()
        for mode in modes
    ],
)
def test_resampling_is_one_op(rank: int, mode: str) -> None:
    image = torch.randn(IMAGES[rank])
    corners = (None,) if "nearest" in mode else (False, True)
    cases = [(size, corner) for size in SIZES for corner in corners]

    def resample(x: torch.Tensor) -> list[torch.Tensor]:
        return [
            F.interpolate(x, mode=mode, align_corners=corner, **size)
            for size, corner in cases
        ]

    made = compiled(resample)(image)
    torch.testing.assert_close(made, resample(image))
    ((ops,),) = [report.segments for report in RECENT]
    assert len(ops) == len(cases), ops


def test_what_comes_before_is_computed_on_the_way() -> None:
    x, bias = torch.randn(2, 3, 4, 4), torch.randn(3, 1, 1)

    def chain(x: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
        return F.interpolate(torch.relu(x + bias), scale_factor=2)

    with watching() as segments:
        made = compiled(chain)(x, bias)
    torch.testing.assert_close(made, chain(x, bias))
    assert prepared_text(segments[0]).count("linalg.generic") == 1


def test_gradients_are_those_of_torch() -> None:
    def loss(x: torch.Tensor) -> torch.Tensor:
        up = F.interpolate(x, scale_factor=2, mode="bilinear")
        return F.interpolate(up, scale_factor=2).square().sum()

    images = [torch.randn(1, 2, 3, 3, requires_grad=True)]
    images.append(images[0].detach().clone().requires_grad_())
    torch._dynamo.reset()
    torch.compile(loss, backend="tilewright")(images[0]).backward()
    loss(images[1]).backward()
    torch.testing.assert_close(images[0].grad, images[1].grad)


def test_tracing_of_others_is_as_before() -> None:
    op = torch.ops.aten.upsample_bilinear2d.vec
    before = dict(op.py_kernels)
    compiled(partial(F.interpolate, scale_factor=2, mode="bilinear"))(
        torch.randn(1, 1, 2, 2)
    )
    assert before and op.py_kernels == before


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["bilinear", "nearest", "bicubic"])
def test_samples_of_a_grid(mode: str) -> None:
    images = [torch.randn(IMAGES[2]), torch.randn(IMAGES[3])]
    grids = [torch.rand(2, 5, 4, 2) * 4 - 2, torch.rand(1, 3, 2, 4, 3) * 4 - 2]
    ranks = [0] if mode == "bicubic" else [0, 1]

    def samples(
        images: list[torch.Tensor], grids: list[torch.Tensor]
    ) -> list[torch.Tensor]:
        return [
            F.grid_sample(images[rank], grids[rank], mode, padding, corners)
            for rank in ranks
            for padding in ("zeros", "border", "reflection")
            for corners in (False, True)
        ]

    made = compiled(samples)(images, grids)
    torch.testing.assert_close(made, samples(images, grids))


def test_places_that_are_no_numbers_are_outside() -> None:
    grid = torch.full((1, 1, 1, 2), torch.nan)
    made = compiled(partial(F.grid_sample, align_corners=False, mode="nearest"))(
        torch.ones(1, 1, 3, 3), grid
    )
    assert made.item() == 0


@pytest.mark.sampled(20)
@pytest.mark.parametrize(
    ("size", "corners"),
    [((2, 3, 5, 4), False), ((2, 1, 1, 3), True), ((2, 3, 2, 3, 4), True)],
)
def test_affine_grids_are_one_op(size: tuple[int, ...], corners: bool) -> None:
    rank = len(size) - 2
    matrices = torch.randn(2, rank, rank + 1)
    call = partial(F.affine_grid, size=list(size), align_corners=corners)
    torch.testing.assert_close(compiled(call)(matrices), call(matrices))
    found = from_torch(call, (matrices,))
    assert found.text().count("linalg.generic") == 1
