"""Calls that torch takes apart badly are replaced before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

torch = pytest.importorskip("torch")
from torch import nn  # noqa: E402
from torch.nn import functional as F  # noqa: E402

from tilewright.torch_backend.watching import watching  # noqa: E402

Function = Callable[[Any], Any]


def _ops(function: Function, x: Any) -> int:
    """The structured ops of the payload, its numbers compared with eager torch."""
    torch._dynamo.reset()
    with torch.no_grad(), watching() as segments:
        made = torch.compile(function, backend="tilewright")(x)
        torch.testing.assert_close(made, function(x), rtol=1e-5, atol=1e-5)
    (segment,) = segments
    return segment.lowered.payload.text().count("linalg.generic")


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("padding", "shape"),
    [((2, 1), (2, 5)), ((1, 2, 0, 3), (2, 3, 4)), ((1,) * 6, (2,) * 5)],
)
def test_circular_padding_is_one_read(padding: Any, shape: Any) -> None:
    # Two ops make the indices of each dimension, and one reads.
    ops = _ops(lambda x: F.pad(x, padding, mode="circular"), torch.randn(shape))
    assert ops <= 1 + len(padding)


@pytest.mark.slow
def test_gradients_of_circular_padding() -> None:
    torch._dynamo.reset()
    x = torch.randn(2, 5, requires_grad=True)
    torch.compile(lambda x: F.pad(x, (2, 1), mode="circular"), backend="tilewright")(
        x
    ).square().sum().backward()
    expected = torch.tensor([2.0, 1, 1, 2, 2]) * 2 * x.detach()
    torch.testing.assert_close(x.grad, expected)


@pytest.mark.parametrize("affine", [False, True])
def test_instance_norms_need_no_copy(affine: bool) -> None:
    norm = nn.InstanceNorm2d(3, affine=affine)
    x = torch.randn(2, 3, 4, 5).to(memory_format=torch.channels_last)
    assert _ops(norm, x) <= 5


@pytest.mark.sampled(8)
@pytest.mark.parametrize("training", [False, True])
def test_instance_norms_that_track_statistics_stay(training: bool) -> None:
    torch._dynamo.reset()
    norm = nn.InstanceNorm1d(3, track_running_stats=True).train(training)
    same = nn.InstanceNorm1d(3, track_running_stats=True).train(training)
    x = torch.randn(2, 3, 8)
    with torch.no_grad():
        made = torch.compile(norm, backend="tilewright")(x)
        torch.testing.assert_close(made, same(x))
        torch.testing.assert_close(norm.running_mean, same.running_mean)


def test_images_of_one_place_are_refused() -> None:
    torch._dynamo.reset()
    with pytest.raises(Exception, match="more than 1 spatial element"):
        torch.compile(F.instance_norm, backend="tilewright")(torch.randn(2, 3, 1))


def test_a_multilabel_margin_ends_at_the_last_label() -> None:
    torch._dynamo.reset()
    x = torch.randn(4, 3, requires_grad=True)
    labels = torch.tensor([[0, 2, -1], [1, -1, 0], [-1, 0, 1], [2, 0, 1]])
    made = torch.compile(F.multilabel_margin_loss, backend="tilewright")(x, labels)
    want = F.multilabel_margin_loss(x, labels)
    torch.testing.assert_close(made, want)
    gradients = [torch.autograd.grad(one, x)[0] for one in (made, want)]
    torch.testing.assert_close(*gradients)
