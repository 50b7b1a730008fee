"""Attention is one op of the traced graph, whichever kernel torch would choose."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx import GraphModule, symbolic_trace
from torch.nn import functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

from support.torch_compiling import assert_same, compiled
from tilewright.torch_backend.backend import compile_captured
from tilewright.torch_backend.capture.whole_attention import (
    ATTENTION,
    name_attention,
)
from tilewright.torch_backend.report import RECENT

Shape = tuple[int, ...]
WHOLE = ["aten.scaled_dot_product_attention.default"]


def traced(
    function: Callable[..., Any],
    shapes: Sequence[Shape],
    *,
    mask: Shape | None = None,
    requires_grad: bool = False,
) -> list[str]:
    """The ops of the graphs of a function of bf16 tensors, in inference on a GPU.

    None is needed. torch without CUDA has no gradients on one.
    """
    device = "cpu" if requires_grad else "cuda"
    found: list[str] = []

    def compiler(graph: GraphModule, _: Any) -> Callable[..., Any]:
        name_attention(graph.graph)
        calls = [n for n in graph.graph.nodes if n.op == "call_function"]
        found.extend(str(node.target) for node in calls)
        return graph.forward

    with FakeTensorMode():
        given = [
            torch.empty(shape, device=device, dtype=torch.bfloat16) for shape in shapes
        ]
        for one in given:
            one.requires_grad_(requires_grad)
        if mask is not None:
            given.append(torch.empty(mask, device=device, dtype=torch.bool))
    with torch.set_grad_enabled(requires_grad):
        compile_captured(symbolic_trace(function), given, lambda _: compiler)
    assert not ATTENTION.py_kernels
    return found


def masked(q: Any, k: Any, v: Any, mask: Any) -> Any:
    return (F.scaled_dot_product_attention(q, k, v, mask),)


def plain(q: Any, k: Any, v: Any) -> Any:
    return (F.scaled_dot_product_attention(q, k, v),)


def test_heads_that_broadcast_on_a_gpu() -> None:
    shapes = [(1, 71, 64, 64), (1, 1, 64, 64), (1, 1, 64, 64)]
    assert traced(masked, shapes, mask=(1, 1, 64, 64)) == WHOLE


def test_rows_of_a_mask_that_are_not_aligned_on_a_gpu() -> None:
    assert traced(masked, [(2, 4, 257, 64)] * 3, mask=(2, 1, 257, 257)) == WHOLE


def test_what_torch_has_a_kernel_for_on_a_gpu() -> None:
    assert traced(plain, [(2, 4, 256, 64)] * 3) == WHOLE


def test_training_keeps_the_kernels_of_torch() -> None:
    found = traced(plain, [(2, 4, 256, 64)] * 3, requires_grad=True)
    assert "aten._scaled_dot_product_flash_attention_for_cpu.default" in found
    assert not set(WHOLE) & set(found)


def test_dropout_stays_with_torch() -> None:
    def dropped(q: Any, k: Any, v: Any) -> Any:
        return (F.scaled_dot_product_attention(q, k, v, dropout_p=0.5),)

    assert not set(WHOLE) & set(traced(dropped, [(2, 4, 256, 64)] * 3))


def test_a_region_of_a_chosen_kernel_keeps_it() -> None:
    def chosen(q: torch.Tensor) -> torch.Tensor:
        with sdpa_kernel(SDPBackend.MATH):
            return F.scaled_dot_product_attention(q, q, q)

    x = torch.randn(1, 2, 8, 4)
    RECENT.clear()
    with torch.no_grad():
        assert_same(compiled(chosen)(x), chosen(x))
    ops = [op for report in RECENT for one in report.segments for op in one]
    assert ops and not set(WHOLE) & set(ops)


def test_a_mask_beside_is_causal_is_what_it_is_in_torch() -> None:
    """torch takes both on a CPU, and neither of its kernels does on a GPU."""

    def both(q: Any, k: Any, v: Any, mask: Any) -> Any:
        return (F.scaled_dot_product_attention(q, k, v, mask, is_causal=True),)

    x, mask = torch.randn(1, 2, 8, 4), torch.rand(8, 8) > 0.3
    with torch.no_grad():
        assert_same(compiled(both)(x, x, x, mask), both(x, x, x, mask))
    with pytest.raises(RuntimeError, match="is_causal"):
        traced(both, [(2, 4, 64, 64)] * 3, mask=(64, 64))


def test_autocast_rounds_the_operands() -> None:
    x = torch.randn(1, 2, 8, 4)
    with torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
        (ours,), (eager,) = compiled(plain)(x, x, x), plain(x, x, x)
    assert ours.dtype == eager.dtype == torch.bfloat16
    assert_same(ours, eager, atol=2e-2, rtol=2e-2)


Q, K = (2, 4, 9, 8), (2, 4, 7, 8)


@pytest.mark.sampled(8)
@pytest.mark.parametrize(
    ("query", "key", "value", "mask", "named"),
    [
        (Q, K, K, (9, 7), {}),
        (Q, K, K, (1, 7), {}),
        (Q, K, K, (2, 1, 1, 7), {"scale": 0.3}),
        (Q, K, K, (4, 9, 1), {}),
        (Q, K, (2, 4, 7, 5), (2, 4, 9, 7), {}),
        (Q, (2, 1, 7, 8), (2, 1, 7, 8), (2, 1, 9, 7), {}),
        (Q, (1, 1, 7, 8), (2, 1, 7, 8), None, {}),
        (Q, (2, 4, 7, 8), (2, 1, 7, 8), None, {}),
        ((2, 1, 9, 8), K, K, (2, 4, 9, 7), {}),
        ((1, 4, 9, 8), K, K, None, {"is_causal": True}),
        (Q, (2, 2, 7, 8), (2, 2, 7, 8), (2, 1, 9, 7), {"enable_gqa": True}),
        ((2, 4, 1, 8), (2, 2, 7, 8), (2, 2, 7, 8), (2, 1, 1, 7), {"enable_gqa": True}),
        ((4, 9, 8), (4, 7, 8), (4, 7, 8), (4, 9, 7), {}),
        ((4, 9, 8), (7, 8), (7, 8), None, {}),
        ((9, 8), (7, 8), (7, 8), (9, 7), {"is_causal": False}),
        (Q, (7, 8), (4, 7, 8), None, {}),
    ],
)
@pytest.mark.parametrize("kind", ["seen", "added"])
def test_every_shape_is_one_op_with_the_numbers_of_torch(
    query: Shape,
    key: Shape,
    value: Shape,
    mask: Shape | None,
    named: dict[str, Any],
    kind: str,
) -> None:
    torch.manual_seed(0)
    given = [torch.randn(shape) for shape in (query, key, value)]
    if mask is not None:
        seen = torch.rand(mask) > 0.4
        seen.view(-1)[: mask[-1]] = False  # the first row sees no key
        added = torch.randn(mask).masked_fill(~seen, -torch.inf)
        given.append(seen if kind == "seen" else added)

    def attend(*given: Any) -> torch.Tensor:
        return F.scaled_dot_product_attention(*given, **named)

    with torch.no_grad():
        ours, eager = compiled(attend, fallback="error")(*given), attend(*given)
    assert_same(ours, eager)
    assert RECENT[-1].segments == [WHOLE]
