"""Other strides of dimensions of size 1 are no op."""

from __future__ import annotations

import pytest
import torch
from torch.nn import functional as F

from tilewright.torch_backend.report import RECENT

pytestmark = pytest.mark.filterwarnings("ignore")


def pooled(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    mean = F.adaptive_avg_pool2d(x, 1)
    return mean.flatten(1).exp(), x * mean


def test_means_of_channels_last_images_are_one_payload() -> None:
    x = torch.randn(2, 3, 4, 5).to(memory_format=torch.channels_last)
    made = torch.compile(pooled, backend="tilewright", fullgraph=True)(x)
    for one, other in zip(made, pooled(x), strict=True):
        torch.testing.assert_close(one, other, check_stride=True)
    assert not RECENT[-1].stayed
    assert len(RECENT[-1].segments) == 1


def test_results_keep_the_strides_that_a_user_sees() -> None:
    x = torch.randn(2, 3, 4, 5).to(memory_format=torch.channels_last)
    made = torch.compile(F.adaptive_avg_pool2d, backend="tilewright")(x, 1)
    assert made.stride() == F.adaptive_avg_pool2d(x, 1).stride() == (3, 1, 3, 3)


def test_strides_that_move_elements_stay_in_torch() -> None:
    x = torch.arange(6.0).view(2, 3)
    made = torch.compile(
        lambda x: torch.as_strided(x, (2, 3), (1, 2)) + 1, backend="tilewright"
    )(x)
    torch.testing.assert_close(made, torch.as_strided(x, (2, 3), (1, 2)) + 1)


def test_a_part_without_elements_leaves_no_concat() -> None:
    def grown(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        empty = torch.tensor([], dtype=torch.float64)
        known = torch.cat([empty, x.relu()], dim=-2)
        return known, torch.cat([known.new_zeros(0, 5), known, known]).sum(-1)

    x = torch.randn(3, 5)
    made = torch.compile(grown, backend="tilewright", fullgraph=True)(x)
    for one, other in zip(made, grown(x), strict=True):
        torch.testing.assert_close(one, other, check_stride=True)
    assert not RECENT[-1].stayed
    assert len(RECENT[-1].segments) == 1
