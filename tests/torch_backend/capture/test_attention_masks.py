"""Layers that share a mask compute it each on the way, and stream their attention."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch.fx import Graph
from torch.nn import functional as F

from support.torch_compiling import assert_same, compiled
from tilewright.codegen.targets import TARGETS
from tilewright.planning.plan import plan
from tilewright.torch_backend.capture.graph_edits import drop_copies
from tilewright.torch_backend.from_torch import from_torch


def causal(count: int) -> torch.Tensor:
    """As transformers writes it: one tensor of indices, seen along rows and columns."""
    places = torch.arange(count).add(0)[None][:, None]
    return places[:, :, None] <= places[..., None]


def two_layers(x: Any, y: Any) -> Any:
    mask = causal(x.shape[2]).expand(1, -1, -1, -1)
    first = F.scaled_dot_product_attention(x, x, x, mask)
    return first, F.scaled_dot_product_attention(y, y, y, mask)


def of_documents(x: Any, y: Any, ids: Any) -> Any:
    same = ids[:, None, None] == ids[:, None, :, None]
    mask = causal(x.shape[2]) & same
    first = F.scaled_dot_product_attention(x, x, x, mask)
    return first, F.scaled_dot_product_attention(y, y, y, mask)


def streams(function: Any, *given: Any) -> list[bool]:
    """Whether each kernel on a GPU is a stream."""
    module = from_torch(function, given).module
    kernels = plan(module, TARGETS["h200"]).kernels
    return [kernel.group.stream is not None for kernel in kernels]


def test_a_mask_of_indices_is_no_tensor() -> None:
    x = torch.empty(1, 4, 256, 64, dtype=torch.bfloat16)
    assert streams(two_layers, x, x.clone()) == [True]


@pytest.mark.slow
def test_a_mask_of_indices_and_documents_is_no_tensor() -> None:
    x, ids = torch.empty(1, 4, 256, 64, dtype=torch.bfloat16), torch.ones(1, 256)
    assert streams(of_documents, x, x.clone(), ids) == [True]


@pytest.mark.parametrize("dtype", [torch.int64, torch.float32])
def test_an_addition_of_0_to_integers_is_dropped(dtype: torch.dtype) -> None:
    """Of floats it stays: -0.0 + 0 is 0.0."""
    graph = Graph()
    indices = graph.call_function(torch.ops.aten.arange.default, (4,))
    added = graph.call_function(torch.ops.aten.add.Tensor, (indices, 0))
    negated = graph.call_function(torch.ops.aten.neg.default, (added,))
    for node in (indices, added, negated):
        node.meta["val"] = torch.empty(4, dtype=dtype)
    graph.output((negated,))
    drop_copies(graph)
    assert (negated.args == (indices,)) == (dtype == torch.int64)


@pytest.mark.slow
def test_masks_keep_their_numbers() -> None:
    x, y = torch.randn(1, 2, 24, 8), torch.randn(1, 2, 24, 8)
    ids = torch.arange(24)[None] // 7
    with torch.no_grad():
        made = compiled(of_documents, fallback="error")(x, y, ids)
        assert_same(made, of_documents(x, y, ids))


@pytest.mark.slow
def test_a_mask_that_is_returned_stays() -> None:
    def both(x: Any) -> Any:
        mask = causal(x.shape[2])
        return F.scaled_dot_product_attention(x, x, x, mask), mask

    x = torch.randn(1, 2, 24, 8)
    with torch.no_grad():
        assert_same(compiled(both, fallback="error")(x), both(x))


def test_heads_that_are_parts_of_one_matrix() -> None:
    """Falcon: the last two heads of a projection are the keys and the values."""

    def attend(x: Any) -> Any:
        heads = x.view(1, 24, 5, 8).transpose(1, 2)
        key, value = heads[:, -2:-1], heads[:, -1:]
        return F.scaled_dot_product_attention(heads[:, :-2], key, value, causal(24))

    x = torch.randn(1, 24, 40)
    with torch.no_grad():
        assert_same(compiled(attend, fallback="error")(x), attend(x))
