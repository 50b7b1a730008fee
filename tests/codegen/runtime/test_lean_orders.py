"""Callers of lean launchers have tensors in other orders of memory than buffers."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from tilewright.codegen.launches.plan import (
    Allocate,
    Buffer,
    CallLibrary,
    Launch,
    LaunchPlan,
    Operand,
    Pointer,
    Step,
    View,
)
from tilewright.codegen.runtime.lean.launch import _reinterpretation
from tilewright.codegen.runtime.lean.orders import Orders, inverse, ordered, seen
from tilewright.codegen.runtime.lean.source import LeanText

LAST = (0, 2, 3, 1)
IMAGE = (2, 4, 5, 3)
"""The sizes of the buffer; the caller's image has (2, 3, 4, 5)."""


def plan(*steps: Step, results: tuple[str, ...] = ("out",)) -> LaunchPlan:
    buffers = (
        Buffer("x", "f32", IMAGE),
        Buffer("scale", "f32", (3,)),
        Buffer("out", "f32", IMAGE),
        Buffer("rows", "f32", (40, 3)),
        Buffer("bits", "i32", IMAGE),
        Buffer("halves", "i16", (240,)),
    )
    given = ("x", "scale")
    return LaunchPlan("f", given, (), buffers, (), (), steps, results)


def kernel(*buffers: str) -> Launch:
    return Launch("f_kernel", (8,), tuple(map(Pointer, buffers)), (), 4, 1)


class Site:
    """A launch that Triton makes: multiplies its first buffer into its last."""

    def __init__(self) -> None:
        self.given: list[tuple[torch.Tensor, ...]] = []

    def get(self, key: Any) -> None:
        return None

    def launch(self, key: Any, grid: Any, given: Any, options: Any) -> None:
        assert all(one.is_contiguous() for one in given)
        self.given.append(given)
        given[-1].copy_(given[0] * given[1])


def function(given: LaunchPlan, orders: Orders) -> tuple[Any, str]:
    text = LeanText(given, 0, packs_arguments=True, orders=orders).text()
    scope: dict[str, Any] = {
        "torch": torch,
        "_view": _reinterpretation(),
        "_empty": lambda *layout: torch.empty_strided(*layout[:2], dtype=layout[2]),
        "_site0": Site(),
        "_stream_here": lambda device: 0,
        "_is_watched": lambda: False,
    }
    exec(text, scope)
    return scope["f"], text


def image() -> torch.Tensor:
    made = torch.randn(2, 3, 4, 5)
    return made.contiguous(memory_format=torch.channels_last)


def test_sizes_and_strides_for_the_caller() -> None:
    sizes, strides = seen(IMAGE, LAST)
    assert (sizes, strides) == (tuple(image().shape), image().stride())
    assert seen((4, 5), None) == ((4, 5), (5, 1))
    assert inverse(LAST) == (0, 3, 1, 2)


def test_a_launch_makes_no_view() -> None:
    orders = Orders((LAST, None), (LAST,))
    run, text = function(plan(Allocate("out"), kernel("x", "scale", "out")), orders)
    x, scale = image(), torch.randn(3)
    found = run(x, scale)
    assert found.stride() == x.stride()
    torch.testing.assert_close(found, x * scale[:, None, None])
    hot = [line for line in text.splitlines() if "_site0.launch" not in line]
    assert not any("_view" in line or "permute" in line for line in hot)


@pytest.mark.parametrize("order", [None, LAST, (0, 2, 1, 3), (3, 1, 0, 2)])
def test_a_library_takes_the_buffer(order: tuple[int, ...] | None) -> None:
    call = CallLibrary(
        "torch.mul", (Operand("x"), Operand("scale")), (), Operand("out")
    )
    run, _ = function(plan(Allocate("out"), call), Orders((LAST, None), (order,)))
    x, scale = image(), torch.randn(3)
    expected = x.permute(LAST) * scale
    found = run(x, scale)
    expected = expected if order is None else expected.permute(inverse(order))
    torch.testing.assert_close(found, expected)
    assert found.stride() == expected.stride()


def test_results_that_are_views_or_arguments() -> None:
    steps = Allocate("rows"), kernel("x", "scale", "rows"), View("out", "rows")
    orders = Orders((LAST, None), (LAST, None, LAST, None))
    results = ("out", "rows", "x", "x")
    given = plan(*steps, results=results)
    text = LeanText(given, 0, packs_arguments=True, orders=orders).text()
    # The launch is not made: memory is what counts here.
    assert "rows = _empty((40, 3), (3, 1), torch.float32)" in text
    last = text.splitlines()[-1]
    seen_out = "_view(rows, (2, 3, 4, 5), (60, 1, 15, 3), 0)"
    assert last.startswith(f"    return {seen_out}, rows, x, ")


def test_a_buffer_in_another_type() -> None:
    steps = View("bits", "x"), View("halves", "x")
    run, _ = function(
        plan(*steps, results=("bits", "halves")), Orders((LAST, None), (LAST, None))
    )
    x = image()
    bits, halves = run(x, torch.randn(3))
    assert torch.equal(bits, x.view(torch.int32))
    flat = x.permute(LAST).reshape(-1)
    assert torch.equal(halves, flat.view(torch.int16)[:240])


def test_calls_that_need_checks_see_buffers() -> None:
    def checked(x: torch.Tensor, scale: torch.Tensor) -> Any:
        assert x.is_contiguous() and tuple(x.shape) == IMAGE
        return x * scale, scale

    x, scale = image(), torch.randn(3)
    made, same = ordered(checked, Orders((LAST, None), (LAST, None)))(x, scale)
    torch.testing.assert_close(made, x * scale[:, None, None])
    assert same is scale and made.stride() == x.stride()
    assert ordered(checked, Orders((None, None), (None,))) is checked
