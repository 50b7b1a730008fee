"""What forward graphs save, and gradients of tensors that were cut into parts."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch.nn import functional as F

from tilewright.torch_backend.report import RECENT

Function = Callable[[torch.Tensor], torch.Tensor]


def trained(function: Function, x: torch.Tensor) -> tuple[list[str], list[str]]:
    """The payload ops of the forward and the backward graph; gradients are eager's."""
    given = [x.clone().requires_grad_() for _ in range(2)]
    function(given[0]).backward()
    torch.compile(function, backend="tilewright")(given[1]).backward()
    torch.testing.assert_close(given[1].grad, given[0].grad)
    forward, backward = list(RECENT)[-2:]
    return sum(forward.segments, []), sum(backward.segments, [])


def test_gradients_of_selected_parts_are_joined() -> None:
    def parts(x: torch.Tensor) -> torch.Tensor:
        a, b, c = x.view(4, 6, 3, 5).permute(2, 0, 1, 3)
        return (a * b + c.exp()).square().sum()

    _, backward = trained(parts, torch.randn(4, 90))
    assert "aten.cat.default" in backward
    assert "aten.select_scatter.default" not in backward


def test_gradients_of_slices_are_joined() -> None:
    def parts(x: torch.Tensor) -> torch.Tensor:
        return (x[:, :3].exp() * x[:, 3:6]).sum() + (x[:, 6:] * 3).square().sum()

    _, backward = trained(parts, torch.randn(4, 10))
    assert "aten.slice_scatter.default" not in backward


def test_slices_with_a_gap_or_an_overlap_stay_a_sum() -> None:
    def gap(x: torch.Tensor) -> torch.Tensor:
        return (x[:, :3].exp() * x[:, 4:7]).sum()

    def overlap(x: torch.Tensor) -> torch.Tensor:
        return (x[:, :6].exp() * x[:, 4:]).sum()

    for function in (gap, overlap):
        _, backward = trained(function, torch.randn(4, 10))
        assert backward.count("aten.slice_scatter.default") == 2


def test_a_log_softmax_is_computed_again_rather_than_saved() -> None:
    classes = torch.randint(0, 12, (6,))

    def loss(x: torch.Tensor) -> torch.Tensor:
        return F.cross_entropy(x * 2, classes)

    _, backward = trained(loss, torch.randn(6, 12))
    assert "aten._log_softmax.default" in backward


def test_a_log_softmax_that_is_a_result_is_saved() -> None:
    def both(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        made = x.log_softmax(1)
        return made, made.square().sum()

    x = torch.randn(6, 12, requires_grad=True)
    torch.compile(both, backend="tilewright")(x)[1].backward()
    assert "aten._log_softmax.default" not in sum(RECENT[-1].segments, [])


def test_copies_by_dropout_of_nothing_are_not_made() -> None:
    def layer(x: torch.Tensor) -> torch.Tensor:
        return (F.dropout(x.relu() * 2, 0.0).relu() @ x.T).square().sum()

    forward, _ = trained(layer, torch.randn(4, 6))
    assert "aten.clone.default" not in forward


def test_a_copy_that_the_user_sees_is_made() -> None:
    def both(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        made = x.exp()
        return made, made.clone()

    x = torch.randn(4, 6, requires_grad=True)
    one, two = torch.compile(both, backend="tilewright")(x)
    assert one.data_ptr() != two.data_ptr()
    two.detach().zero_()
    one.sum().backward()
    torch.testing.assert_close(x.grad, x.detach().exp())


def test_copies_by_dropout_are_not_made_in_inference() -> None:
    def layers(x: torch.Tensor) -> torch.Tensor:
        return F.dropout(F.linear(x, x), 0.5, training=False).sort().values

    x = torch.randn(6, 6)
    torch._dynamo.reset()
    call = torch.compile(layers, backend="tilewright")
    torch.testing.assert_close(call(x), layers(x))
    assert "aten.clone.default" not in sum(RECENT[-1].segments, [])
