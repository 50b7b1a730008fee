"""How the tensors of a launcher's caller lie in memory.

Kernels read and write contiguous buffers, and know them by address. A caller may have
the dimensions of a tensor in another order, as torch has those of a channels-last
image: `image.permute((0, 2, 3, 1))` is the buffer. Such a view takes longer than half
of a launch, and a lean launcher does without it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

Order = tuple[int, ...]
"""The dimensions of a caller's tensor from the slowest to the fastest in memory."""


@dataclass(frozen=True)
class Orders:
    """The orders of a caller's tensors; None where a tensor is the buffer itself."""

    arguments: tuple[Order | None, ...] = ()
    results: tuple[Order | None, ...] = ()

    @property
    def is_plain(self) -> bool:
        """Whether every tensor is a buffer."""
        return not any((*self.arguments, *self.results))


def plain_strides(sizes: Sequence[int]) -> tuple[int, ...]:
    """The strides of a contiguous tensor."""
    return tuple(prod(sizes[dim + 1 :]) for dim in range(len(sizes)))


def seen(sizes: Sequence[int], order: Order | None) -> tuple[Order, Order]:
    """The sizes and strides that a caller's tensor has for a contiguous buffer."""
    strides = plain_strides(sizes)
    if order is None:
        return tuple(sizes), strides
    places = inverse(order)
    return tuple(sizes[at] for at in places), tuple(strides[at] for at in places)


def inverse(order: Order) -> Order:
    """The permutation that undoes another."""
    return tuple(order.index(dim) for dim in range(len(order)))


def ordered(call: Callable[..., Any], orders: Orders) -> Callable[..., Any]:
    """A function of a caller's tensors, from one of buffers.

    Its text is written for these orders, as for two arguments and one result:

        def run(x0, x1):
            y0 = call(x0, x1.permute((0, 2, 3, 1)))
            return y0.permute((0, 3, 1, 2))
    """
    if orders.is_plain:
        return call
    names = [f"x{place}" for place in range(len(orders.arguments))]
    given = map(permuted_text, names, orders.arguments)
    made = [f"y{place}" for place in range(len(orders.results))]
    results = [
        permuted_text(name, order and inverse(order))
        for name, order in zip(made, orders.results, strict=True)
    ]
    lines = [
        f"def run({', '.join(names)}):",
        f"    {', '.join(made)} = call({', '.join(given)})",
        f"    return {', '.join(results)}",
    ]
    # torch.fx asks functions for their modules.
    scope: dict[str, Any] = {"call": call, "__name__": __name__}
    exec("\n".join(lines), scope)
    return scope["run"]


def permuted_text(name: str, order: Order | None) -> str:
    """A tensor with its dimensions in another order, as Python."""
    return name if order is None else f"{name}.permute({order})"
