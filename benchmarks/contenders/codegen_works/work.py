"""One row of the table of work.

A `Work` makes its inputs, knows the right answer, what torch would run, which
hand-written kernels compute it, and our payload with the points to try.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import torch

from contenders.ours import Ours

TORCH_TYPES = {
    "bf16": torch.bfloat16,
    "f16": torch.float16,
    "f32": torch.float32,
    "fp8": torch.float8_e4m3fn,
    "i8": torch.int8,
}
# Rounding the result alone gives 1.7e-3 in bf16 and 2e-4 in f16.
TOLERANCES = {"bf16": 5e-3, "f16": 1e-3, "f32": 1e-5, "fp8": 1e-2}
TOLERANCES |= {"tf32": 2e-3, "tf32x3": TOLERANCES["f32"]}

Tensors = tuple[torch.Tensor, ...]


@dataclass(frozen=True)
class Work:
    """One row of the table."""

    name: str
    family: str
    inputs: Callable[[str], Tensors]
    """On a device, random; the same each time."""
    reference: Callable[..., torch.Tensor]
    """In float64 or float32."""
    function: Callable[..., torch.Tensor]
    """What torch runs, eagerly or compiled."""
    hand: Callable[[Tensors, int], Iterator[Any]]
    """Hand-written candidates, for inputs and a number of SMs."""
    payload: Callable[[], str]
    operations: float
    moved: float
    """The fewest bytes: each input read once, each output written once."""
    tolerance: float
    ours: tuple[Ours, ...] = field(default=())
    compiled: bool = True
    """Whether torch.compile gives anything but the eager call."""
    autotuned: bool = False
    """Whether max-autotune is worth its time here."""
    graph: bool = False
    """Small: timed by CUDA-graph replay too."""
    matrix: bool = True
    """Whether the card's 16-bit matrix rate bounds it."""


def random_tensors(
    device: str, *shapes: tuple[int, ...], dtype: str, scale: float = 1.0
) -> Tensors:
    """Random tensors, the same each time."""
    if device == "meta":  # to compile for, with nothing in it
        return tuple(
            torch.empty(shape, device=device, dtype=TORCH_TYPES[dtype])
            for shape in shapes
        )
    generator = torch.Generator(device).manual_seed(0)
    made = []
    for shape in shapes:
        if dtype == "i8":
            given = {"device": device, "dtype": torch.int8, "generator": generator}
            made.append(torch.randint(-127, 128, shape, **given))
        else:
            x = torch.randn(shape, device=device, generator=generator) * scale
            made.append(x.to(TORCH_TYPES[dtype]))
    return tuple(made)


def bytes_of(dtype: str, *counts: int) -> float:
    """The bytes of tensors with these numbers of elements."""
    return float(sum(counts) * TORCH_TYPES[dtype].itemsize)


def widened(*tensors: torch.Tensor) -> Tensors:
    """The tensors in the dtype of the reference: float32, for wide ones float64."""
    narrow = all(t.dtype.itemsize <= 2 for t in tensors)
    return tuple(t.float() if narrow else t.double() for t in tensors)


def size_text(m: int, n: int, k: int) -> str:
    """The size of a product in words."""
    return f"{m}^3" if m == n == k else f"{m}x{n}x{k}"
