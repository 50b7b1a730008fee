"""Constants that a model makes on the CPU for tensors on a GPU.

The graphs are of fake tensors: no GPU is needed.
"""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx import GraphModule
from torch.fx.experimental.proxy_tensor import make_fx

from tilewright.torch_backend.capture.patterns.host_constants import move_constants
from tilewright.torch_backend.partition.support import main_device

aten = torch.ops.aten


def moved(function: Any) -> GraphModule:
    """The graph of a function of a matrix on a GPU, with its constants moved."""
    with FakeTensorMode(allow_non_fake_inputs=True):
        graph = make_fx(function)(torch.empty(8, 8, device="cuda"))
    move_constants(graph)
    return graph


def devices(graph: GraphModule) -> set[str]:
    values = [node.meta.get("val") for node in graph.graph.nodes]
    return {one.device.type for one in values if isinstance(one, torch.Tensor)}


def by_arange(x: torch.Tensor) -> torch.Tensor:
    return aten.index.Tensor(x, [None, torch.arange(4) * 2])


def by_triangle(x: torch.Tensor) -> torch.Tensor:
    rows, columns = torch.tril_indices(8, 8, -1).unbind()
    return aten.index.Tensor(x, [rows, columns])


def added_line(x: torch.Tensor) -> torch.Tensor:
    return x + torch.linspace(0, 1, 8).to(x.device)


@pytest.mark.parametrize("function", [by_arange, by_triangle, added_line])
def test_constants_are_made_on_the_gpu(function: Any) -> None:
    assert devices(moved(function)) == {"cuda"}


def test_what_the_cpu_needs_stays_there() -> None:
    def function(x: torch.Tensor) -> Any:
        places = torch.arange(4)
        return aten.index.Tensor(x, [None, places]), places

    graph = moved(function)
    assert devices(graph) == {"cuda", "cpu"}
    assert main_device(list(graph.graph.nodes)).type == "cuda"


def test_random_numbers_stay_on_the_cpu() -> None:
    graph = moved(lambda x: x * torch.rand(8).to(x.device))
    assert devices(graph) == {"cuda", "cpu"}
