"""Attention in f32: one kernel of ours on a GPU, however it is written."""

from __future__ import annotations

from operator import getitem

import pytest
import torch
from torch.fx import Graph, Node

from support.torch_compiling import assert_same, compiled
from tilewright.codegen.targets import TARGETS
from tilewright.planning.plan import plan
from tilewright.torch_backend.from_torch import from_torch
from tilewright.torch_backend.options import Options
from tilewright.torch_backend.partition.preference import faster_in_torch
from tilewright.torch_backend.partition.support import why_not

CPU, GPU = torch.device("cpu"), torch.device("cuda")


def by_torch(queries: int, features: int) -> Node:
    """A call of torch's kernel, which leaves its sums empty in inference."""
    graph = Graph()
    shape = (2, 4, queries, features)
    places = [graph.placeholder(name) for name in "qkv"]
    for place in places:
        place.meta["val"] = torch.empty(shape)
    op = torch.ops.aten._scaled_dot_product_efficient_attention.default
    node = graph.call_function(op, (*places, None, False))
    numbers = [torch.empty((), dtype=torch.int64) for _ in range(2)]
    node.meta["val"] = (torch.empty(shape), torch.empty(2, 4, 0), *numbers)
    graph.output(graph.call_function(getitem, (node, 0)))
    return node


def test_an_empty_result_that_nobody_reads_is_no_obstacle() -> None:
    assert why_not(by_torch(72, 32), CPU, strict=True).is_payload


@pytest.mark.parametrize(
    ("queries", "features", "products", "is_ours"),
    [
        (72, 32, "tf32x3", True),
        (16, 32, "tf32x3", False),
        (72, 256, "tf32x3", False),
        (72, 32, "ieee", False),
    ],
)
def test_torch_keeps_what_is_not_streamed(
    queries: int, features: int, products: str, is_ours: bool
) -> None:
    options = Options(f32_products=products)  # type: ignore[arg-type]
    whole = by_torch(queries, features)
    whole.target = torch.ops.aten.scaled_dot_product_attention.default
    for node in (by_torch(queries, features), whole):
        kept = faster_in_torch(node, GPU, options)
        assert (kept is None) == is_ours


@pytest.mark.parametrize(
    ("features", "heads", "masked", "is_ours"),
    [
        (512, 1, False, False),
        (256, 1, False, True),
        (512, 1, True, True),
        (512, 2, False, True),
    ],
)
def test_torch_keeps_heads_too_wide_to_stream(
    features: int, heads: int, masked: bool, is_ours: bool
) -> None:
    """Unless torch may have no kernel: for a mask, or heads that broadcast."""
    graph = Graph()
    half = torch.bfloat16
    shapes = [(2, heads, 64, features), *[(2, 1, 64, features)] * 2]
    places = [graph.placeholder(name) for name in "qkv"]
    for place, shape in zip(places, shapes, strict=True):
        place.meta["val"] = torch.empty(shape, dtype=half)
    if masked:
        places.append(graph.placeholder("mask"))
        places[-1].meta["val"] = torch.empty(64, 64, dtype=half)
    op = torch.ops.aten.scaled_dot_product_attention.default
    node = graph.call_function(op, tuple(places))
    node.meta["val"] = torch.empty(shapes[0], dtype=half)
    reason = faster_in_torch(node, GPU, Options())
    assert reason == (None if is_ours else "torch computes it in one kernel")


def by_products(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, bias: torch.Tensor
) -> torch.Tensor:
    """Biases differ from head to head: heads and batches are not one dimension."""
    return torch.softmax(q @ k.transpose(-2, -1) / 8 + bias, -1) @ v


@pytest.mark.slow
def test_products_have_their_batches_apart() -> None:
    given = [torch.empty(16, 8, 256, 64) for _ in range(3)]
    found = from_torch(by_products, (*given, torch.empty(8, 256, 256)))
    (kernel,) = plan(found.module, TARGETS["h200"]).kernels
    assert kernel.group.stream is not None


def test_products_that_follow_nothing_are_plain() -> None:
    given = [torch.empty(4, 2, 64, 64) for _ in range(2)]
    found = from_torch(lambda x, y: torch.relu(x @ y), given)
    assert "linalg.batch_matmul" in found.text()


@pytest.mark.slow
def test_a_product_of_one_batch_reads_views() -> None:
    """einsum multiplies matrices of one batch; the weight is read as it lies."""
    given = torch.empty(2, 6, 5, 8), torch.empty(16, 8)
    found = from_torch(lambda x, w: torch.einsum("nhwc,oc->nohw", x, w), given)
    assert "linalg.matmul" in found.text() and "transpose ins(%w" not in found.text()


def test_a_transposed_matrix_that_batches_share_is_not_repeated() -> None:
    """As the weight of a linear layer whose rows are a permuted image's."""
    given = torch.empty(2, 8, 40).permute(2, 0, 1), torch.empty(16, 8)
    found = from_torch(lambda x, w: torch.nn.functional.linear(x, w), given)
    assert "broadcast" not in found.text()


@pytest.mark.slow
def test_the_rows_that_a_vector_multiplies_are_not_copied() -> None:
    """torch joins the batches and the columns of the matrices, for which it copies."""
    vector, batch = torch.randn(7), torch.randn(2, 7, 5)
    found = from_torch(lambda v, x: v @ x, (vector, batch))
    assert "transpose ins" not in found.text()
    ours = compiled(lambda v, x: v @ x, interpreter="kernels")
    assert_same(ours(vector, batch), vector @ batch)
