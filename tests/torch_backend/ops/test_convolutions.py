"""Convolutions, large windows, patches and batch norm as payload, against eager."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import nn

from tilewright.codegen.targets import TARGETS
from tilewright.pipeline import parse_payload
from tilewright.planning.plan import plan
from tilewright.torch_backend.backend import tilewright
from tilewright.torch_backend.from_torch import from_torch
from tilewright.torch_backend.options import Options
from tilewright.torch_backend.partition.preference import faster_in_torch
from tilewright.torch_backend.report import RECENT

pytestmark = pytest.mark.filterwarnings("ignore")

CASES: dict[str, tuple[nn.Module, tuple[int, ...]]] = {
    "line": (nn.Conv1d(3, 8, 3, 2, 0, 2), (2, 3, 20)),
    "one image": (nn.Conv2d(3, 4, 3, padding=1), (1, 3, 6, 6)),
    "uneven steps": (nn.Conv2d(3, 4, (3, 5), (1, 2), (1, 2)), (2, 3, 8, 9)),
    "one place": (nn.Conv2d(8, 6, 1), (2, 8, 5, 5)),
    "depthwise": (nn.Conv2d(6, 6, 3, padding=1, groups=6), (2, 6, 7, 7)),
    "grouped": (nn.Conv2d(4, 6, 3, padding=1, groups=2, bias=False), (2, 4, 7, 7)),
    "grouped volume": (nn.Conv3d(4, 2, 2, groups=2), (1, 4, 4, 4, 4)),
    "transposed": (nn.ConvTranspose2d(4, 6, 3, 2, 1, 1, groups=2), (2, 4, 5, 5)),
    "transposed, cut": (nn.ConvTranspose1d(4, 3, 2, 3, padding=2), (2, 4, 6)),
}


def compiled(model: Any, **options: Any) -> Any:
    torch._dynamo.reset()
    options = {"strict": True, "fallback": "error", **options}
    return torch.compile(model, backend=tilewright, options=options)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", list(CASES))
def test_a_convolution_is_payload(name: str) -> None:
    torch.manual_seed(0)
    model, shape = CASES[name]
    x = torch.randn(shape)
    with torch.no_grad():
        torch.testing.assert_close(compiled(model)(x), model(x), atol=1e-5, rtol=1e-4)


def test_channels_that_lie_last_stay_there() -> None:
    torch.manual_seed(0)
    model: Any = nn.Conv2d(3, 4, 3, padding=1)
    model = model.to(memory_format=torch.channels_last)
    x = torch.randn(2, 3, 6, 6).to(memory_format=torch.channels_last)
    with torch.no_grad():
        made, eager = compiled(model)(x), model(x)
    torch.testing.assert_close(made, eager, atol=1e-5, rtol=1e-4)
    assert made.stride() == eager.stride()


def test_a_payload_has_upstream_names() -> None:
    text = from_torch(nn.Conv2d(3, 4, 3, 2), (torch.randn(2, 3, 9, 9),)).text()
    assert "linalg.conv_2d_nchw_fchw" in text
    assert "strides = dense<2>" in text or "strides = dense<[2, 2]>" in text


def test_a_library_takes_a_filter_that_is_turned_around() -> None:
    model = nn.ConvTranspose2d(4, 3, 3, 2, 1, 1)
    payload = from_torch(model, (torch.randn(2, 4, 6, 6),))
    found = plan(parse_payload(payload.text()), TARGETS["h200"])
    assert 'library convolution_4 by "cudnn"' in found.text


@pytest.mark.sampled(12)
@pytest.mark.parametrize(
    ("model", "reason"),
    [
        (nn.Conv2d(3, 4, 3), "cuDNN"),
        (nn.AvgPool2d((9, 8)), "large windows"),
        (nn.AvgPool2d(9, 1, 4), "large windows"),
        (nn.AvgPool2d(9), "None"),
        (nn.AvgPool2d(3), "None"),
    ],
    ids=["convolution", "large windows", "padded", "whole image", "small windows"],
)
def test_a_gpu_leaves_ops_to_torch(model: nn.Module, reason: str) -> None:
    exported = torch.export.export(model, (torch.randn(2, 3, 9, 9),))
    graph = exported.run_decompositions().graph
    (node,) = (n for n in graph.nodes if n.op == "call_function")
    assert faster_in_torch(node, torch.device("cpu"), Options()) is None
    assert reason in str(faster_in_torch(node, torch.device("cuda"), Options()))


@pytest.mark.parametrize(
    "model",
    [
        nn.AvgPool2d(9, 2, 4, count_include_pad=False),
        nn.MaxPool2d(9, 2, 4),
        nn.AdaptiveMaxPool2d((2, 1)),
    ],
    ids=["mean", "maximum", "adaptive"],
)
def test_large_windows_are_reduced(model: nn.Module) -> None:
    x = torch.randn(2, 3, 12, 12)
    torch.testing.assert_close(compiled(model)(x), model(x))


def test_batch_norm_in_training_is_payload() -> None:
    torch.manual_seed(0)
    models = [nn.BatchNorm2d(3) for _ in range(2)]
    x = torch.randn(4, 3, 5, 5)
    torch.testing.assert_close(
        compiled(models[0])(x), models[1](x), atol=1e-5, rtol=1e-4
    )
    for ours, eager in zip(models[0].buffers(), models[1].buffers(), strict=True):
        torch.testing.assert_close(ours, eager)


@pytest.mark.parametrize("step", [4, 3])
def test_patches_are_payload(step: int) -> None:
    x = torch.randn(2, 3, 8, 8)

    def patches(x: torch.Tensor) -> torch.Tensor:
        return x.unfold(2, 4, step).unfold(3, 4, step).reshape(2, -1, 48) * 2

    torch.testing.assert_close(compiled(patches)(x), patches(x))


DEPTHWISE: list[tuple[nn.Module, tuple[int, ...]]] = [
    (nn.Conv2d(4, 4, (3, 1), padding=(1, 0), groups=4, bias=False), (2, 4, 5, 6)),
    (nn.Conv2d(4, 8, 3, 2, groups=4), (2, 4, 7, 6)),
    (nn.Conv2d(4, 4, 3, padding=2, dilation=2, groups=4), (1, 4, 6, 7)),
    (nn.Conv1d(4, 4, 4, padding=3, groups=4), (2, 4, 9)),
    (nn.Conv3d(2, 2, 2, groups=2), (1, 2, 4, 3, 5)),
    # Square ones, if no other convolution asks for channels last.
    (nn.Sequential(nn.Conv2d(4, 4, 3, 2, 1, groups=4), nn.ReLU()), (2, 4, 7, 6)),
]
ON_A_GPU = {"fallback": "torch", "placement": "gpu", "target": "h200"}


@pytest.mark.sampled(6)
@pytest.mark.parametrize("case", range(len(DEPTHWISE)))
def test_filters_of_one_channel_are_windows(case: int) -> None:
    module, shape = DEPTHWISE[case]
    call, x = compiled(module, **ON_A_GPU), torch.randn(shape)
    RECENT.clear()
    with torch.no_grad():
        torch.testing.assert_close(call(x), module(x))
    assert not [one for report in RECENT for one in report.stayed]


@pytest.mark.parametrize(
    "module",
    [
        nn.Conv2d(4, 4, 7, padding=3, groups=4),
        nn.Sequential(nn.Conv2d(4, 4, 3, padding=1, groups=4), nn.Conv2d(4, 8, 3)),
    ],
    ids=["large", "before another convolution"],
)
def test_square_filters_that_stay_in_torch(module: nn.Module) -> None:
    call = compiled(module, **ON_A_GPU)
    RECENT.clear()
    with torch.no_grad():
        call(torch.randn(1, 4, 5, 6))
    stayed = {one.op for report in RECENT for one in report.stayed}
    assert stayed == {"aten.convolution.default"}


@pytest.mark.parametrize(("places", "count"), [(3, 2), (4, 1)])
def test_square_filters_of_even_size_are_windows_before_another_convolution(
    places: int, count: int
) -> None:
    alone = nn.Conv2d(4, 4, places, groups=4)
    call = compiled(nn.Sequential(alone, nn.Conv2d(4, 8, 3)), **ON_A_GPU)
    RECENT.clear()
    with torch.no_grad():
        call(torch.randn(1, 4, 7, 6))
    assert len([one for report in RECENT for one in report.stayed]) == count
