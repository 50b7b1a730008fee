"""The form of a work: its tensors, the payload that computes it, and torch's function.

A family is a table of rows; a row is a function with its arguments. The same row with
small sizes (`tiny`) is what a dry run and the tests compute.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import torch

from tilewright.payloads import Payload

TORCH_TYPES = {
    "bf16": torch.bfloat16,
    "f16": torch.float16,
    "f32": torch.float32,
    "f8E4M3FN": torch.float8_e4m3fn,
    "i8": torch.int8,
    "i32": torch.int32,
    "i64": torch.int64,
}
# Rounding the result alone gives 1.7e-3 in bf16 and 2e-4 in f16. Rivals round between
# their kernels too.
TOLERANCES = {"bf16": 1e-2, "f16": 2e-3, "f32": 1e-5, "f8E4M3FN": 4e-2}


class Spec(NamedTuple):
    """An input: shape, element type, standard deviation, or the bound of integers."""

    shape: tuple[int, ...]
    dtype: str = "bf16"
    scale: float = 1.0
    below: int = 127

    def made(self, device: str, generator: torch.Generator) -> torch.Tensor:
        """Random numbers on a device."""
        given: dict[str, Any] = {"device": device, "generator": generator}
        dtype = TORCH_TYPES[self.dtype]
        if not dtype.is_floating_point:
            low = 0 if self.dtype == "i64" else -self.below
            return torch.randint(low, self.below, self.shape, dtype=dtype, **given)
        drawn = torch.randn(self.shape, **given) * self.scale
        return drawn.abs().add(0.1).to(dtype) if not self.shape else drawn.to(dtype)

    @property
    def nbytes(self) -> int:
        """Its size in memory."""
        return math.prod(self.shape) * TORCH_TYPES[self.dtype].itemsize


def weight(inputs: int, outputs: int, dtype: str = "bf16") -> Spec:
    """A weight (inputs, outputs) whose products have the variance of the input."""
    return Spec((inputs, outputs), dtype, 1 / math.sqrt(inputs))


@dataclass(frozen=True)
class PlannedWork:
    """One work: ours and torch's function of the same inputs, in the same order."""

    name: str
    specs: Mapping[str, Spec]
    ours: Callable[..., Any]
    """Takes tensors of a payload; returns one, or several as a tuple."""
    torch: Callable[..., Any]
    """Runs eagerly, and is compiled by torch.compile."""
    flops: float = 0.0
    """Of the matrix products; 0 where memory bounds the work."""
    exact: Callable[..., Any] | None = None
    """The reference; None takes torch's function of widened inputs."""
    tolerance: float = 0.0
    """Of the relative error; 0 takes that of the narrowest float input."""
    family: str = ""

    @cached_property
    def payload(self) -> Payload:
        """What tilewright compiles."""
        p = Payload("_".join(re.findall("[a-z]+", self.name.lower())))
        inputs = [p.input(name, s.shape, s.dtype) for name, s in self.specs.items()]
        made = self.ours(*inputs)
        p.output(*(made if isinstance(made, tuple) else (made,)))
        return p

    def inputs(self, device: str) -> tuple[torch.Tensor, ...]:
        """Random inputs, the same each time."""
        generator = torch.Generator(device).manual_seed(0)
        return tuple(spec.made(device, generator) for spec in self.specs.values())

    def reference(self, *tensors: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """The results in float32 for narrow inputs, in float64 for wide ones."""
        floats = [t for t in tensors if t.dtype.is_floating_point]
        narrow = all(t.dtype.itemsize <= 2 for t in floats)
        wide = torch.float32 if narrow else torch.float64
        given = [t.to(wide) if t.dtype.is_floating_point else t for t in tensors]
        made = (self.exact or self.torch)(*given)
        return made if isinstance(made, tuple) else (made,)

    @property
    def dtype(self) -> str:
        """The narrowest float among the inputs, or among the outputs."""
        types = [spec.dtype for spec in self.specs.values()]
        types += [output.dtype for output in self.payload.outputs]
        order = ("f8E4M3FN", "bf16", "f16")
        return next((dtype for dtype in order if dtype in types), "f32")

    @property
    def error(self) -> float:
        """The tolerance of the relative error."""
        return self.tolerance or TOLERANCES[self.dtype]

    @property
    def moved(self) -> float:
        """The fewest bytes: each input read once, each output written once."""
        outputs = (Spec(output.shape, output.dtype) for output in self.payload.outputs)
        return float(sum(s.nbytes for s in (*self.specs.values(), *outputs)))


@dataclass(frozen=True)
class Row:
    """A row of a table: the function that makes the work, and its arguments."""

    make: Callable[..., PlannedWork]
    arguments: tuple[Any, ...] = field(default=())

    def work(self, tiny: bool = False) -> PlannedWork:
        """The work at full size, or small and in a type of Triton's interpreter."""
        given = [_tiny(one) if tiny else one for one in self.arguments]
        return self.make(*given)


def rows(make: Callable[..., PlannedWork], *arguments: Any) -> Iterable[Row]:
    """A row for each argument; a tuple has several arguments."""
    for one in arguments:
        yield Row(make, one if isinstance(one, tuple) else (one,))


def _tiny(argument: Any) -> Any:
    """A small size for a size, the same for equal ones; f16 for bf16.

    Triton's interpreter has no bf16.
    """
    if isinstance(argument, tuple):
        return tuple(_tiny(one) for one in argument)
    if argument == "bf16":
        return "f16"
    if isinstance(argument, bool) or not isinstance(argument, int) or argument <= 16:
        return argument
    return 17 + argument % 31 if argument % 16 else 32


def size(*extents: int) -> str:
    """`4096^3` or `2048x3072x768`."""
    if len(extents) == 3 and len(set(extents)) == 1:
        return f"{extents[0]}^3"
    return "x".join(map(str, extents))
