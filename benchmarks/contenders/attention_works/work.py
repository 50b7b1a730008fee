"""The form of a work whose reductions feed one another along one dimension.

A work makes its inputs, knows the right answer, what torch would run, which
hand-written kernels compute it, and our payload with the points to try.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import torch

from contenders.ours import Ours
from contenders.planned_works.work import TORCH_TYPES, Spec

Tensors = tuple[torch.Tensor, ...]
Function = Callable[..., torch.Tensor]


@dataclass(frozen=True)
class StreamWork:
    """One work; every function takes the inputs in the order of `specs`."""

    name: str
    family: str
    specs: Mapping[str, Spec]
    result: Spec
    exact: Function
    """The reference, in float32."""
    eager: Callable[[Tensors], Mapping[str, Function]]
    """What torch runs as it is, by name. What the inputs alone decide, such as a mask,
    is made here, before anything is timed."""
    compiled: Callable[[Tensors], Mapping[str, Function]]
    """What torch.compile compiles, by name."""
    compiled_names: tuple[str, ...]
    hand: Callable[[Tensors, int], Iterable[Any]]
    """Hand-written candidates, for inputs and a number of SMs."""
    build: Callable[..., Any]
    """Our payload's result, from its inputs."""
    flops: float = 0.0
    """Of the matrix products, for the pairs of queries and keys that the mask leaves;
    0 where memory bounds the work."""
    ours: tuple[Ours, ...] = field(default=())

    def inputs(self, device: str, *, shapes_only: bool = False) -> Tensors:
        """Random inputs, the same each time.

        To compile for, `meta` gives none of them content, `shapes_only` the floats.
        """
        return tuple(
            _made(spec, device, seed, shapes_only)
            for seed, spec in enumerate(self.specs.values())
        )

    def output(self, tensors: Tensors) -> torch.Tensor:
        """Memory for the result of hand-written kernels."""
        dtype = TORCH_TYPES[self.result.dtype]
        return torch.empty(self.result.shape, dtype=dtype, device=tensors[0].device)

    def payload(self) -> str:
        """The text of what tilewright compiles."""
        from tilewright.payloads import Payload

        p = Payload("_".join(re.findall("[a-z]+", self.name.lower())))
        inputs = [p.input(name, s.shape, s.dtype) for name, s in self.specs.items()]
        p.output(self.build(*inputs))
        return p.text()

    @property
    def moved(self) -> float:
        """The fewest bytes: each input read once, the result written once."""
        return float(sum(s.nbytes for s in (*self.specs.values(), self.result)))

    @property
    def tolerance(self) -> float:
        """Of the relative error; torch rounds the weights of attention too."""
        return {"bf16": 1e-2, "f8E4M3FN": 4e-2}.get(self.result.dtype, 2e-3)


def _made(spec: Spec, device: str, seed: int, shapes_only: bool) -> torch.Tensor:
    dtype = TORCH_TYPES[spec.dtype]
    if device == "meta" or (shapes_only and dtype.is_floating_point):
        return torch.empty(spec.shape, dtype=dtype, device=device)
    return spec.made(device, torch.Generator(device).manual_seed(seed))
