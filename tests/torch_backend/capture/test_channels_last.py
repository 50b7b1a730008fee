"""Graphs with convolutions of torch are laid out channels last.

On a CPU the layouts are those of a GPU: torch keeps the convolutions, and interpreters
run the rest.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

torch = pytest.importorskip("torch")
from torch import nn  # noqa: E402
from torch.fx.experimental.proxy_tensor import make_fx  # noqa: E402
from torch.nn import functional as F  # noqa: E402

from support.prepared import prepared_text  # noqa: E402
from tilewright.torch_backend.capture.convolutions import (  # noqa: E402
    channels_last,
    layout_choice,
)
from tilewright.torch_backend.capture.convolutions.line_convolutions import (  # noqa: E402
    widen_lines,
)
from tilewright.torch_backend.partition import preference  # noqa: E402
from tilewright.torch_backend.report import RECENT  # noqa: E402
from tilewright.torch_backend.watching import watching  # noqa: E402

aten = torch.ops.aten


@pytest.fixture(autouse=True)
def _as_on_a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preference, "keeps_convolutions", lambda device: True)
    monkeypatch.setattr(
        channels_last, "run_channels_last", lambda found, nodes, training: bool(found)
    )


class Layers(nn.Module):
    """Layers, and how they are called."""

    def __init__(self, call: Callable[..., Any], *layers: nn.Module):
        super().__init__()
        self.layers, self.call = nn.ModuleList(layers), call

    def forward(self, x: torch.Tensor) -> Any:
        """The call of the layers."""
        return self.call(x, *self.layers)


def _residual() -> nn.Module:
    return Layers(
        lambda x, c, n, d: F.relu(d(F.relu(n(c(x)))) + x),
        nn.Conv2d(6, 6, 3, padding=1),
        nn.BatchNorm2d(6),
        nn.Conv2d(6, 6, 3, padding=1),
    )


def _pooled() -> nn.Module:
    return Layers(
        lambda x, c, last: last(F.max_pool2d(F.relu(c(x)), 3, 2, 1).flatten(1)),
        nn.Conv2d(6, 8, 3, padding=1),
        nn.Linear(8 * 4 * 4, 5),
    )


def _joined() -> nn.Module:
    return Layers(
        lambda x, c, d, n: F.interpolate(n(torch.cat([c(x), d(x)], 1)), scale_factor=2),
        nn.Conv2d(6, 8, 3, padding=1),
        nn.ConvTranspose2d(6, 4, 3, padding=1),
        nn.GroupNorm(3, 12),
    )


def _ends_joined() -> nn.Module:
    return Layers(
        lambda x, c, d: torch.cat([F.relu(c(x)), x, d(x) * 2], 1),
        nn.Conv2d(6, 8, 3, padding=1),
        nn.Conv2d(6, 4, 1),
    )


def _pooled_between() -> nn.Module:
    return Layers(
        lambda x, c, d: torch.cat([d(F.max_pool2d(x, 3, 1, 1)), c(x)], 1),
        nn.Conv2d(6, 8, 3, padding=1),
        nn.Conv2d(6, 4, 1),
    )


def _patches() -> nn.Module:
    return Layers(
        lambda x, c, d: (
            F.adaptive_avg_pool2d(d(F.pad(c(x), (1, 1, 1, 1))), 1).flatten(1),
            c(x).flatten(2).transpose(1, 2).softmax(-1),
        ),
        nn.Conv2d(6, 8, 4, 4),
        nn.Conv2d(8, 16, 3, groups=8),
    )


def _lines() -> nn.Module:
    return Layers(
        lambda x, c, d: F.relu(d(torch.tanh(c(x.flatten(2))))),
        nn.Conv1d(6, 8, 3, 2, padding=1),
        nn.ConvTranspose1d(8, 4, 3, 2, output_padding=1),
    )


def _volumes() -> nn.Module:
    return Layers(
        lambda x, c, n, d: d(F.max_pool3d(F.relu(n(c(x[:, :, None]))), (1, 2, 2))),
        nn.Conv3d(6, 8, (1, 3, 3), padding=1),
        nn.BatchNorm3d(8),
        nn.ConvTranspose3d(8, 4, 2),
    )


def _shuffled() -> nn.Module:
    return Layers(
        lambda x, c: torch.tanh(F.pixel_shuffle(F.relu(c(x)), 2)),
        nn.Conv2d(6, 8, 3, padding=1),
    )


def _gated() -> nn.Module:
    return Layers(
        lambda x, c: F.glu(c(x), 1) * x[:, :4],
        nn.Conv2d(6, 8, 3, padding=1),
    )


def _to_one_channel() -> nn.Module:
    return Layers(
        lambda x, c, d: torch.sigmoid(d(F.relu(c(x)))),
        nn.Conv2d(6, 32, 3, padding=1),
        nn.Conv2d(32, 1, 3, padding=1),
    )


MODELS = [
    _to_one_channel,
    _shuffled,
    _gated,
    _lines,
    _volumes,
    _residual,
    _pooled,
    _joined,
    _ends_joined,
    _pooled_between,
    _patches,
]


@pytest.mark.sampled(20)
@pytest.mark.parametrize("make", MODELS, ids=lambda make: make.__name__)
@pytest.mark.parametrize("last", [False, True], ids=["plain", "channels_last"])
def test_numbers_and_strides_are_those_of_eager(
    make: Callable[[], nn.Module], last: bool
) -> None:
    torch._dynamo.reset()
    torch.manual_seed(0)
    model, x = make().eval(), torch.randn(2, 6, 8, 8)
    if last:
        is_volume = any(one.dim() == 5 for one in model.parameters())
        kind = torch.channels_last_3d if is_volume else torch.channels_last
        model = model.to(memory_format=kind)
        x = x.to(memory_format=torch.channels_last)
    with torch.no_grad():
        want = model(x)
        made = torch.compile(model, backend="tilewright", options={"strict": True})(x)
    found = [one if isinstance(one, tuple) else (one,) for one in (made, want)]
    for one, other in zip(*found, strict=True):
        torch.testing.assert_close(one, other, atol=2e-5, rtol=1e-4)
        assert one.stride() == other.stride()


@pytest.mark.slow
@pytest.mark.parametrize("make", [_residual, _joined], ids=lambda make: make.__name__)
def test_gradients_are_those_of_eager(make: Callable[[], nn.Module]) -> None:
    torch._dynamo.reset()
    torch.manual_seed(0)
    model, x = make(), torch.randn(2, 6, 8, 8, requires_grad=True)
    compiled = torch.compile(model, backend="tilewright", options={"strict": True})
    gradients: list[list[torch.Tensor]] = []
    for call in (model, compiled):
        wanted = [x, *model.parameters()]
        gradients.append(list(torch.autograd.grad(call(x).square().sum(), wanted)))
    for want, made in zip(*gradients, strict=True):
        torch.testing.assert_close(made, want, atol=2e-3, rtol=1e-3)
        assert made.stride() == want.stride()


def test_a_payload_between_convolutions_transposes_nothing() -> None:
    torch._dynamo.reset()
    model = Layers(
        lambda x, c, n, d: d(F.max_pool2d(F.relu(n(c(x)) + 1), 2)) * 2,
        nn.Conv2d(6, 8, 3),
        nn.BatchNorm2d(8),
        nn.Conv2d(8, 8, 3),
    ).eval()
    with torch.no_grad(), watching() as segments:
        torch.compile(model, backend="tilewright")(torch.randn(2, 6, 12, 12))
    transposed = [s.lowered.payload.text().count("linalg.transpose") for s in segments]
    # The image and two filters before, the result after.
    assert transposed == [3, 0, 1]


def test_a_single_filter_reads_the_default_layout() -> None:
    torch._dynamo.reset()
    with torch.no_grad(), watching() as segments:
        model = _to_one_channel().eval()
        torch.compile(model, backend="tilewright")(torch.randn(2, 6, 8, 8))
    transposed = [s.lowered.payload.text().count("linalg.transpose") for s in segments]
    # The image and its filters before, the image of the single filter after.
    assert transposed == [2, 1, 0]


@pytest.mark.parametrize(("places", "last"), [(1, False), (3, True)])
def test_products_alone_keep_the_default_layout(places: int, last: bool) -> None:
    x, weight = torch.randn(2, 8, 9, 9), torch.randn(8, 8, places, places)
    graph = make_fx(F.conv2d, tracing_mode="fake")(x, weight).graph
    found = [n for n in graph.nodes if n.target is aten.convolution.default]
    chosen = layout_choice.run_channels_last(found, len(graph.nodes), training=False)
    assert chosen == last


@pytest.mark.parametrize(("places", "last"), [(6, False), (7, True), (9, False)])
def test_filters_of_one_channel_and_unusual_size_keep_the_default_layout(
    places: int, last: bool
) -> None:
    x, weight = torch.randn(2, 8, 9, 9), torch.randn(8, 1, places, places)
    call = partial(F.conv2d, groups=8)
    graph = make_fx(call, tracing_mode="fake")(x, weight).graph
    found = [n for n in graph.nodes if n.target is aten.convolution.default]
    chosen = layout_choice.run_channels_last(found, len(graph.nodes), training=False)
    assert chosen == last


def test_the_parts_of_a_join_are_transposed_into_the_result() -> None:
    torch._dynamo.reset()
    with torch.no_grad(), watching() as segments:
        model = _ends_joined().eval()
        torch.compile(model, backend="tilewright")(torch.randn(2, 6, 8, 8))
    text = segments[-1].lowered.payload.text()
    assert text.count("linalg.transpose") == 3
    assert text.rindex("linalg.transpose") < text.index("tensor.insert_slice")


@pytest.mark.parametrize("dim", [1, 3])
def test_a_join_that_stays_channels_last_is_joined_along_its_dimension(
    dim: int,
) -> None:
    torch._dynamo.reset()

    def join(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return torch.cat([F.relu(x), y * 2], dim)

    pair = [
        torch.randn(2, 4, 3, 5).to(memory_format=torch.channels_last) for _ in range(2)
    ]
    made = torch.compile(join, backend="tilewright", options={"strict": True})(*pair)
    assert torch.equal(made, join(*pair))
    assert made.stride() == join(*pair).stride()


def test_a_pooling_reads_the_copy_of_the_convolutions_beside_it() -> None:
    torch._dynamo.reset()
    with torch.no_grad(), watching() as segments:
        model = _pooled_between().eval()
        torch.compile(model, backend="tilewright")(torch.randn(2, 6, 8, 8))
    text = segments[0].lowered.payload.text()
    # The image and a filter; the result of the pooling lies channels last.
    assert text.count("linalg.transpose") == 2
    assert re.search(r"%(\w+) = linalg.transpose[\s\S]*tensor.extract %\1\[", text)


def test_resampled_narrow_floats_stay_narrow_and_channels_last() -> None:
    torch._dynamo.reset()
    model = Layers(
        lambda x, c: F.interpolate(F.relu(c(x)), scale_factor=2, mode="nearest") * 2,
        nn.Conv2d(6, 8, 3),
    )
    model = model.eval().to(torch.bfloat16, memory_format=torch.channels_last)
    x = torch.randn(2, 6, 8, 8, dtype=torch.bfloat16)
    x = x.to(memory_format=torch.channels_last)
    with torch.no_grad(), watching() as segments:
        want = model(x)
        made = torch.compile(model, backend="tilewright")(x)
    torch.testing.assert_close(made, want, atol=1e-2, rtol=1e-2)
    assert made.stride() == want.stride()
    text = segments[-1].lowered.payload.text()
    assert "linalg.transpose" not in text
    assert "x8x6x6xf32>" not in text and "2x6x6x8xf32>" not in text


@pytest.mark.parametrize("make", [_shuffled, _gated])
def test_biases_are_added_where_parts_of_channels_are_read(
    make: Callable[[], nn.Module],
) -> None:
    torch._dynamo.reset()
    with torch.no_grad(), watching() as segments:
        torch.compile(make().eval(), backend="tilewright")(torch.randn(2, 6, 8, 8))
    text = prepared_text(segments[-1])
    parts = re.findall(r"(?:expand_shape|extract_slice) %(\w+)", text)
    assert any(part.startswith("conv") for part in parts)
    assert all(part.startswith(("conv", "arg")) for part in parts)


def test_a_bias_is_added_in_the_payload_that_reads_it() -> None:
    torch._dynamo.reset()
    model = Layers(lambda x, c: F.relu(c(x)), nn.Conv2d(6, 8, 3)).eval()
    model = model.to(memory_format=torch.channels_last)
    x = torch.randn(2, 6, 8, 8).to(memory_format=torch.channels_last)
    with torch.no_grad(), watching() as segments:
        torch.compile(model, backend="tilewright")(x)
    (segment,) = segments
    assert "aten.add.Tensor" in segment.report.segments[0]
    assert "linalg.transpose" not in segment.lowered.payload.text()


@pytest.mark.parametrize("last", [False, True], ids=["plain", "channels_last"])
def test_patches_of_few_channels_are_multiplied(last: bool) -> None:
    torch._dynamo.reset()
    torch.manual_seed(0)
    kind = torch.channels_last if last else torch.contiguous_format
    model = Layers(lambda x, c: (c(x), c(x).flatten(2)), nn.Conv2d(3, 8, 4, 4)).eval()
    model = model.to(torch.bfloat16, memory_format=kind)
    x = torch.randn(2, 3, 8, 12).to(torch.bfloat16, memory_format=kind)
    with torch.no_grad(), watching() as segments:
        want = model(x)
        made = torch.compile(model, backend="tilewright", options={"strict": True})(x)
    for one, other in zip(made, want, strict=True):
        torch.testing.assert_close(one, other, atol=2e-2, rtol=2e-2)
        assert one.stride() == other.stride()
    assert "aten.mm.default" in segments[0].report.segments[0]
    assert not segments[0].report.stayed


@pytest.mark.parametrize(
    ("layer", "stays"),
    [
        (nn.Conv1d(64, 8, 3), True),
        (nn.Conv1d(6, 8, 3), True),
        (nn.Conv1d(64, 8, 3, dtype=torch.bfloat16), False),
        (nn.ConvTranspose1d(64, 8, 3), False),
    ],
)
def test_lines_of_f32_stay_lines(layer: nn.Module, stays: bool) -> None:
    x = torch.randn(2, layer.in_channels, 9)
    given = x.to(layer.weight.dtype)

    def convolve(x: Any, weight: Any) -> Any:
        moves = ([1], [0], [1], layer.transposed, [0], 1)
        return aten.convolution(x, weight, None, *moves)

    graph = make_fx(convolve, tracing_mode="fake")(given, layer.weight.detach())
    widen_lines(graph.graph)
    found = [n for n in graph.graph.nodes if n.target is aten.convolution.default]
    assert (found[0].args[0].meta["val"].dim() == 3) == stays


@pytest.mark.parametrize("groups", [1, 4])
@pytest.mark.parametrize("tokens_first", [False, True])
def test_filters_of_one_place_over_lines_are_matmuls(
    groups: int, tokens_first: bool
) -> None:
    torch._dynamo.reset()
    layer = nn.Conv1d(16, 24, 1, groups=groups).bfloat16()

    def call(x: torch.Tensor, layer: nn.Module) -> torch.Tensor:
        return F.gelu(layer(x.transpose(1, 2) if tokens_first else x))

    model = Layers(call, layer)
    x = torch.randn(2, 12, 16).bfloat16()
    x = x if tokens_first else x.transpose(1, 2).contiguous()
    with torch.no_grad(), watching() as segments:
        made = torch.compile(model, backend="tilewright")(x)
        torch.testing.assert_close(made, model(x), rtol=2e-2, atol=2e-2)
    (segment,) = segments
    assert "linalg.conv" not in segment.lowered.payload.text()


def test_filters_of_one_place_stay_in_cudnn_in_f32() -> None:
    torch._dynamo.reset()
    model = Layers(lambda x, layer: F.gelu(layer(x)), nn.Conv1d(16, 24, 1))
    x = torch.randn(2, 16, 12)
    with torch.no_grad():
        torch.testing.assert_close(
            torch.compile(model, backend="tilewright")(x), model(x)
        )
    assert "convolution" in RECENT[-1].stayed[0].op


def test_biases_are_added_where_results_are_joined() -> None:
    torch._dynamo.reset()
    layers = [nn.Conv2d(6, 8, 1), nn.Conv2d(6, 8, 1), nn.Conv2d(8, 8, 3, padding=1)]
    model = Layers(lambda x, a, b, c: torch.cat([a(x), c(b(x))], 1), *layers)
    x = torch.randn(2, 6, 5, 5)
    with torch.no_grad(), watching() as segments:
        made = torch.compile(model, backend="tilewright")(x)
        torch.testing.assert_close(made, model(x))
    # The copies of operands, the bias between two convolutions, the two that are left.
    sums = [one.lowered.payload.text().count("arith.addf") for one in segments]
    assert sums == [0, 1, 2]


@pytest.mark.slow
def test_dropout_draws_the_numbers_of_eager() -> None:
    model = Layers(lambda x, c: F.dropout(c(x), 0.5), nn.Conv2d(3, 4, 3))
    compiled = torch.compile(model, backend="tilewright", fullgraph=True)
    x = torch.randn(2, 3, 5, 6)
    torch.manual_seed(0)
    expected = model(x)
    torch.manual_seed(0)
    torch.testing.assert_close(compiled(x), expected)
