"""Views at the edges of payloads: right numbers, and no copies of slices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
import torch

from tilewright.torch_backend.backend import tilewright as backend
from tilewright.torch_backend.runtime import program
from tilewright.torch_backend.runtime.graph_function import graph_source
from tilewright.torch_backend.runtime.segment_call import SegmentCall
from torch_models.table import MODELS

pytestmark = pytest.mark.filterwarnings("ignore")
Function = Callable[..., Any]


def compiled(function: Function, **options: str) -> Function:
    torch._dynamo.reset()
    given: dict[str, Any] = {"strict": True, **options}
    return torch.compile(function, backend=backend, options=given)


@pytest.fixture
def texts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The Python text of every graph's function."""
    found: list[str] = []

    def noted(
        root: torch.fx.GraphModule, graph: torch.fx.Graph, calls: Sequence[SegmentCall]
    ) -> Any:
        found.append(str(graph))
        return graph_source(root, graph, calls)

    monkeypatch.setattr(program, "graph_source", noted)
    return found


def test_a_slice_of_what_torch_has_made_is_read_in_the_payload(
    texts: list[str],
) -> None:
    def function(x: torch.Tensor) -> torch.Tensor:
        y = torch.sort(x * 2, 1).values  # stays in torch
        return y[:, 2:6] + y[:, :4].flip(1)

    x = torch.randn(4, 8)
    torch.testing.assert_close(compiled(function)(x), function(x))
    assert "slice" not in texts[-1]


def test_a_slice_of_an_earlier_payload_is_read_in_the_next(texts: list[str]) -> None:
    def function(x: torch.Tensor) -> torch.Tensor:
        grown = x * 3
        order = torch.sort(x + 1, 1).values
        return order[:, :4] + grown[:, 4:]

    x = torch.randn(4, 8)
    torch.testing.assert_close(compiled(function)(x), function(x))
    assert "slice" not in texts[-1]


class Branches(torch.nn.Module):
    """Convolutions of which several payloads read the results, as in a DenseNet."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = torch.nn.ModuleList(
            torch.nn.Conv2d(channels, 8, 3, padding=1, bias=False)
            for channels in (3, 8, 16, 24)
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        made = [self.layers[0](x)]
        for layer in list(self.layers)[1:]:
            made.append(layer(torch.cat(made, 1).relu() + 1.0))
        return torch.cat(made, 1).sigmoid()


def test_images_between_convolutions_are_not_permuted(texts: list[str]) -> None:
    model, x = Branches(), torch.randn(2, 3, 6, 10)
    with torch.no_grad():
        made = compiled(model, placement="gpu")(x)
        expected = model(x)
    torch.testing.assert_close(made, expected)
    assert made.stride() == expected.stride()
    assert "permute" not in texts[-1]
    is_checked = [line for line in texts[-1].splitlines() if "contiguous" in line]
    convolutions = [line for line in is_checked if "%convolution" in line]
    assert len(convolutions) == 4


def test_an_input_that_is_made_dense_is_still_written(texts: list[str]) -> None:
    def function(x: torch.Tensor) -> torch.Tensor:
        y = torch.sort(x * 2, -1).values + x  # two payloads read x
        x.copy_(y + 1)
        return y

    whole = torch.randn(2, 3, 4, 10)
    given, other = whole.clone()[..., :5], whole.clone()[..., :5]
    torch.testing.assert_close(compiled(function)(given), function(other))
    torch.testing.assert_close(given, other)


@pytest.mark.slow
def test_a_recommender_copies_nothing_at_its_edges(texts: list[str]) -> None:
    sized = MODELS["recommender"].small
    model, given = sized.module().eval(), sized.inputs()
    with torch.no_grad():
        torch.testing.assert_close(compiled(model)(*given), model(*given))
    assert "contiguous" not in texts[-1] and "clone" not in texts[-1]


WHOLE = torch.arange(96.0).view(4, 3, 8)
GIVEN = {
    "a column": WHOLE[:, :, 3],
    "an offset": WHOLE[1:, :, 2:],
    "steps": WHOLE[::2, :, ::3],
    "expanded": WHOLE[:1, :1].expand(4, 3, 8),
    "windows": WHOLE.view(-1).unfold(0, 16, 4),
    "turned": WHOLE.permute(2, 0, 1),
    "one element": WHOLE[:1, :1, :1],
}


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", GIVEN)
def test_inputs_may_lie_anyhow(name: str) -> None:
    def function(x: torch.Tensor) -> torch.Tensor:
        return x * 2 + x.sum(-1, keepdim=True)

    given = GIVEN[name]
    torch.testing.assert_close(compiled(function)(given), function(given))


def test_several_views_of_one_base() -> None:
    def function(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return torch.cat([x * y, x, y.transpose(0, 1).reshape(4, 4)], 1)

    whole = torch.randn(4, 12)
    given = whole[:, 2:6], whole[:, 4:8]
    torch.testing.assert_close(compiled(function)(*given), function(*given))


def test_a_base_that_is_changed_in_place() -> None:
    def function(base: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
        part = base[:, 1:3]
        before = part * 2
        part.add_(x)
        base[:, 0].mul_(3)
        return torch.cat([before, part, base], 1)

    ours, theirs = torch.randn(2, 4, 5).unbind(0)
    theirs.copy_(ours)
    x = torch.randn(4, 2)
    torch.testing.assert_close(compiled(function)(ours, x), function(theirs, x))
    torch.testing.assert_close(ours, theirs)


def test_results_that_are_views_alias_their_base() -> None:
    def function(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        made = x * 2
        return made, made[:, 1:3].transpose(0, 1)

    made, view = compiled(function)(torch.randn(4, 5))
    assert view.data_ptr() == made[:, 1:].data_ptr() and view.stride() == (1, 5)
