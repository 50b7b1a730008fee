"""Means and variances of large tensors, by parts that are combined."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch.nn import functional as F

from tilewright.codegen.targets import target_named
from tilewright.pipeline import parse_payload
from tilewright.planning.plan import plan
from tilewright.torch_backend.from_torch import from_torch
from tilewright.torch_backend.ops.rows import shifted_statistics, statistics
from tilewright.torch_backend.watching import watching

Function = Callable[[torch.Tensor], torch.Tensor]


class Model(torch.nn.Module):
    def __init__(self, function: Function):
        super().__init__()
        self.function = function

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.function(x)


@pytest.fixture(autouse=True)
def small_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statistics, "LARGE", 1 << 16)
    monkeypatch.setattr(shifted_statistics, "QUICK_BYTES", 1 << 16)


CASES: list[tuple[Function, tuple[int, ...]]] = [
    (
        lambda x: torch.cat([m.flatten() for m in torch.var_mean(x, (0, 2, 3))]),
        (4, 3, 32, 64),
    ),
    (lambda x: torch.std(x, (1, 2)), (3, 160, 128)),
    (lambda x: torch.std(x, 1), (3, 600, 33)),
    (lambda x: torch.std(x, (0, 1)), (3, 200, 40)),
    (lambda x: F.batch_norm(x.exp(), None, None, training=True), (600, 36)),
    (lambda x: F.batch_norm(x, None, None, training=True), (4, 3, 32, 64)),
    (lambda x: F.instance_norm(x), (2, 3, 128, 160)),
    (lambda x: F.group_norm(x, 2), (2, 4, 64, 160)),
    (lambda x: F.layer_norm(x, x.shape[1:]), (2, 9, 128, 128)),
]


@pytest.mark.sampled(12)
@pytest.mark.parametrize(("function", "shape"), CASES)
def test_parts_are_combined(function: Function, shape: tuple[int, ...]) -> None:
    torch.manual_seed(0)
    # Far from zero: the mean of the squares less the square of the mean would cancel.
    x = torch.randn(shape) * 0.01 + 3.0
    x[0, 0] = 40.0
    compiled = torch.compile(
        function, backend="tilewright", options={"interpreter": "payload"}
    )
    torch.testing.assert_close(
        compiled(x), function(x.double()).float(), rtol=1e-4, atol=1e-4
    )


CHANNELS_LAST: list[Function] = [
    lambda x: torch.cat([m.flatten() for m in torch.var_mean(x, (0, 2, 3))]),
    lambda x: torch.cat([m.flatten() for m in torch.var_mean(x, (2, 3))]),
    lambda x: F.batch_norm(x.abs() * 2 + 1, None, None, training=True),
    lambda x: F.group_norm(x.exp() * 2, 4),
    lambda x: F.group_norm(x, 2),
]


def _images() -> torch.Tensor:
    x = torch.randn(8, 4, 70, 10) * 0.01 + 3.0
    x[0, 0] = 40.0
    x[1, :, 35] = -20.0
    return x.to(memory_format=torch.channels_last)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("function", CHANNELS_LAST)
def test_images_are_combined(function: Function) -> None:
    torch._dynamo.reset()
    torch.manual_seed(0)
    x = _images()
    compiled = torch.compile(
        function, backend="tilewright", options={"interpreter": "payload"}
    )
    expected = function(x.double()).float()
    torch.testing.assert_close(compiled(x), expected, rtol=1e-4, atol=1e-4)


def test_images_are_read_twice_by_a_norm() -> None:
    torch._dynamo.reset()
    x = _images()

    def norm(x: torch.Tensor) -> torch.Tensor:
        return F.batch_norm(x.abs() * 2 + 1, None, None, training=True)

    with watching() as segments:
        torch.compile(norm, backend="tilewright", options={"interpreter": "payload"})(x)
    payload = parse_payload(segments[0].lowered.payload.text())
    reads = [
        kernel
        for kernel in plan(payload, target_named("h200")).kernels
        if any(o.elements == x.numel() for o in kernel.group.outside_inputs())
    ]
    assert len(reads) == 2


@pytest.mark.parametrize("batch", [8])
@pytest.mark.parametrize("added", [False, True])
def test_groups_of_channels_are_not_transposed(batch: int, added: bool) -> None:
    torch._dynamo.reset()
    torch.manual_seed(0)
    x = torch.randn(batch, 16, 12, 12).to(memory_format=torch.channels_last)
    row = torch.randn(16)

    def norm(x: torch.Tensor) -> torch.Tensor:
        return F.group_norm(x + 1 if added else x, 4, row, row).relu()

    with watching() as segments:
        compiled = torch.compile(norm, backend="tilewright")
        torch.testing.assert_close(compiled(x), norm(x))
    text = segments[0].lowered.payload.text()
    assert "linalg.transpose" not in text
    assert f"{batch}x12x12x16xf32" in text and f"{batch}x16x12x12xf32" not in text


JOINT: list[Function] = [
    lambda x: (x - x.mean()) / x.std(),
    lambda x: (x - x.mean(-1, keepdim=True)) * x.var(1, unbiased=False)[:, None],
    lambda x: torch.stack([x.std(0), x.mean(0)]),
    lambda x: x.mean(0) + x.std() + (x + 1).std(0) + x.mean((0, 1)),
]


@pytest.mark.parametrize("function", JOINT)
def test_mean_and_deviation(function: Function) -> None:
    torch._dynamo.reset()
    x = torch.randn(6, 40)
    compiled = torch.compile(function, backend="tilewright")
    torch.testing.assert_close(compiled(x), function(x))


def test_columns_are_read_once() -> None:
    x = torch.randn(3, 600, 33)
    payload = from_torch(Model(lambda x: torch.std(x, 1)), (x,))
    kernels = plan(parse_payload(payload.text()), target_named("h200")).kernels
    reads = [kernel.group.flops for kernel in kernels if kernel.group.reductions]
    # The sum of the middle rows, and both sums of all elements in one kernel.
    assert len(reads) == 2
    assert reads[0] * 10 < reads[1]


def test_memory_is_read_once() -> None:
    x = torch.randn(2, 4, 64, 160)
    text = from_torch(Model(lambda x: F.group_norm(x, 2)), (x,)).text()
    # The two sums of a part, and the result, read the tensor in parts.
    assert "tensor<2x2x4x5120xf32>" in text


def test_computed_elements_are_not_cut() -> None:
    x = torch.randn(2, 4, 64, 160)
    text = from_torch(Model(lambda x: F.group_norm(x.exp(), 2)), (x,)).text()
    assert "x5120xf32>" not in text


def test_a_variance_in_its_own_type_is_not_copied() -> None:
    # The planner's kernel of a few columns refuses a copy behind it.
    payload = from_torch(Model(lambda x: x.var(0)), (torch.empty(64, 8, 128),))
    ops = ("sum", "mean", "squares", "over")
    assert payload.text().count("linalg.generic") == len(ops)


@pytest.mark.parametrize("axes", [(1, 2, 3), (0, 1, 2, 3)])
def test_scaled_images_are_summed_by_channels_first(axes: tuple[int, ...]) -> None:
    torch._dynamo.reset()
    x = torch.randn(2, 12, 96, 80).to(memory_format=torch.channels_last)
    scale = torch.randn(12, 1, 1)

    def mean(x: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
        return torch.tanh(x * scale).mean(axes)

    with watching() as segments:
        compiled = torch.compile(mean, backend="tilewright")
        torch.testing.assert_close(compiled(x, scale), mean(x, scale))
    payload = parse_payload(segments[0].lowered.payload.text())
    kernels = plan(payload, target_named("h200")).kernels
    assert all(
        one.elements < x.numel() for kernel in kernels for one in kernel.group.stored()
    )
